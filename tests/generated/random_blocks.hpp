// Random blocks: every kind of block in every layout that it can have, with members of all types, nested.
// Each program writes its storage and reference blocks, and reads its uniform and push-constant blocks,
// number by number, so the bytes of its buffers show where each compiler has put them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/generated/random_stages.hpp"

namespace coopc::tests {

/// The number of blocks in each program.
inline constexpr int kBlocksOfProgram = 10;

/// The case NAME.toml and its compute shader.
std::vector<RandomFile> randomBlocks(uint64_t seed, const std::string& name);

}  // namespace coopc::tests
