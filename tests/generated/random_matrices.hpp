// Random programs over cooperative matrices and tensors, whose results a model on the CPU predicts: whole
// numbers in every component type, small enough to be exact where they are floating-point numbers. The
// model runs each statement as it is written, by the definitions of the extensions, without the compiler's
// or the tests' own code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/generated/random_stages.hpp"

namespace coopc::tests {

/// A case of cooprun, with what its buffers hold afterwards. `tensors`: loads and stores by tensor layouts
/// too.
std::vector<RandomFile> randomMatrices(bool tensors, uint64_t seed, const std::string& name);

}  // namespace coopc::tests
