// Random programs over cooperative matrices and tensors, whose results a model on the CPU predicts. Numbers
// are whole in every component type, and small enough to be exact in floating-point types. The model runs
// each statement when it is written, by the definitions of the extensions. It shares no code with the
// compiler or other tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/generated/random_stages.hpp"

namespace coopc::tests {

/// A case of cooprun with the expected contents of its buffers. `tensors`: some loads and stores use tensor
/// layouts.
std::vector<RandomFile> randomMatrices(bool tensors, uint64_t seed, const std::string& name);

}  // namespace coopc::tests
