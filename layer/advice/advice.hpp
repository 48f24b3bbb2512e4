// Which flexible shapes of workgroup scope the layer reports, and in which order, by the library's model of
// drivers' compilers (spirv/lower/advice/). The number of invocations that can hold the largest tile comes
// first. A number above 256 is left out if lowering declines every tile, or the values of every tile alone
// exceed the registers; one that may spill stays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layer/advice/workgroup_fit.hpp"
#include "layer/cache.hpp"
#include "layer/offer.hpp"

namespace coopc::layer {

/// The answer for a device's workgroups, for products of these types. Empty if the model does not know the
/// processor, or lowering does not take such products at all.
std::vector<WorkgroupFit> workgroupFits(const spirv::lower::Target& target, VkComponentTypeKHR operand,
                                        VkComponentTypeKHR sum, const std::vector<uint32_t>& invocations);

/// What the layer answers instead of an offer's members of the same names.
struct AdvisedShapes {
  std::vector<vk::MatrixProperty> flexible;  ///< the driver's first, as they are
  uint32_t maxScopeInvocations = 0;
  std::vector<std::string> why;  ///< a line for each combination of types
};

/// Lowers about ten products for each combination of types, unless `cache` has the result; it may be null.
AdvisedShapes adviseShapes(const Offer& offer, Cache* cache);

}  // namespace coopc::layer
