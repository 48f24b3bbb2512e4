// Component types of matrices and vectors in memory, numbered as in VkComponentTypeKHR: SPIR-V's
// ComponentType has the same numbers. In addition to the number types, they include packed integers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <spirv/unified1/spirv.hpp11>

#include "base/number_type.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

/// The name in device profiles (spirv/vulkan/vulkan_names.def): "f16", "bf16", "u8packed" ...; "" for other
/// types.
std::string_view componentTypeName(spv::ComponentType type);
std::optional<spv::ComponentType> parseComponentType(std::string_view name);
spv::ComponentType componentTypeOf(NumberType type);
/// The number type of a component type; none for packed integers and unknown types.
std::optional<NumberType> numberTypeOf(spv::ComponentType type);
/// The component type of an OpTypeInt or OpTypeFloat; none for other types, widths and encodings.
std::optional<spv::ComponentType> componentTypeOf(const Module& module, Id type);

/// Whether an operand's components have a type that a device lists. The type and the instruction's flag
/// both carry signedness; agreement with one of them is enough.
bool isListedAs(const Module& module, Id component, bool isSignedByFlag,
                std::optional<spv::ComponentType> listed);

}  // namespace coopc::spirv
