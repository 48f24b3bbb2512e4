// Values pass through generated blocks on a device. The host fills a block of any kind by the rules of the
// specifications (block_declarations.hpp). The shader copies it to buffers with other layouts, as a whole and
// number by number. The host must find each value at its offset there. COOPC_BLOCK_VALUES (a count of blocks)
// and COOPC_BLOCK_SEED select other runs by hand.
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "tests/emit/block_declarations.hpp"
#include "tests/support/vulkan.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/runner.hpp"

using namespace coopc;
using namespace coopc::vk;
using namespace coopc::tests;

namespace {

constexpr size_t kMostLeaves = 400;  // numbers that a shader copies one by one

uint64_t numberFromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// The bits of the number `v`, from 1 to 127, in the type. A bool takes the lowest bit.
uint64_t bitsOf(const BlockScalar& s, uint32_t v) {
  if (s.form == BlockScalar::Form::Bool) return v & 1;
  if (s.form == BlockScalar::Form::Integer) return v;
  uint32_t exponent = 0;
  while ((v >> exponent) > 1) ++exponent;
  const auto encode = [&](uint32_t mantissaBits, uint64_t bias) {
    const uint64_t mantissa = (uint64_t{v} << mantissaBits >> exponent) & ((uint64_t{1} << mantissaBits) - 1);
    return (exponent + bias) << mantissaBits | mantissa;
  };
  return s.bytes == 8 ? encode(52, 1023) : s.bytes == 4 ? encode(23, 127) : encode(10, 15);
}

uint32_t valueOf(size_t leaf) { return static_cast<uint32_t>(leaf * 37 % 127 + 1); }

void put(std::vector<uint8_t>& bytes, const BlockLeaf& leaf, uint32_t value) {
  const BlockScalar& s = blockScalars()[leaf.scalar];
  const uint64_t bits = bitsOf(s, value);
  std::memcpy(&bytes[leaf.offset], &bits, s.bytes);  // a little-endian host
}

bool holds(const std::vector<uint8_t>& bytes, const BlockLeaf& leaf, uint32_t value) {
  const BlockScalar& s = blockScalars()[leaf.scalar];
  const uint64_t bits = bitsOf(s, value);
  return std::memcmp(&bytes[leaf.offset], &bits, s.bytes) == 0;
}

RunBuffer buffer(uint32_t binding, uint64_t bytes, RunBuffer::Kind kind) {
  RunBuffer b;
  b.name = "b" + std::to_string(binding);
  b.kind = kind;
  b.binding = binding;
  b.bytes = (bytes + 3) / 4 * 4;
  b.contents.resize(b.bytes);
  return b;
}

// A block with the same members in another layout, without explicit offsets.
Block target(const Block& source, BlockPacking packing, const char* name) {
  Block b;
  b.name = name;
  b.packing = packing;
  b.members = source.members;
  for (BlockMember& m : b.members) m.offset = -1, m.align = 0, m.major = BlockMajor::Inherited;
  return b;
}

struct Counts {
  size_t ran = 0, skipped = 0, values = 0;
};

std::string check(const BlockDeclarations& declarations, const Block& source, Counts& counts) {
  const std::vector<BlockLeaf> leaves = declarations.leaves(source);
  const BlockPacking packings[] = {BlockPacking::Std140, BlockPacking::Std430, BlockPacking::Scalar};
  const auto next = static_cast<size_t>(source.packing) + 1;
  const Block targets[] = {target(source, packings[next % 3], "Whole"),
                           target(source, packings[(next + 1) % 3], "Parts")};
  const bool byParts = leaves.size() <= kMostLeaves;

  std::string text = declarations.structsText() + declarations.blockText(source, 0);
  const bool reference = source.kind == BlockKind::Reference;
  if (reference) text += "layout(push_constant) uniform Push { " + source.name + " source; } push;\n";
  std::string from = reference ? "push.source." : source.name + ".";
  if (!reference) from[0] = 'b';  // the instance: its block's name in lower case
  text += declarations.blockText(targets[0], 1) + declarations.blockText(targets[1], 2) + "void main() {\n";
  for (const BlockMember& m : source.members) text += "  whole." + m.name + " = " + from + m.name + ";\n";
  if (byParts)
    for (const BlockLeaf& leaf : leaves) text += "  parts." + leaf.path + " = " + from + leaf.path + ";\n";
  text += "}\n";
  INFO(text);

  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const coopc::Result compiled = compile(text, "block.comp", options);
  if (!compiled.ok) return compiled.messages;
  RunRequest request;
  request.module = compiled.words;
  std::vector<uint8_t> bytes((declarations.size(source) + 3) / 4 * 4);
  for (size_t i = 0; i < leaves.size(); ++i) put(bytes, leaves[i], valueOf(i));
  if (source.kind == BlockKind::PushConstant) {
    request.pushConstants = bytes;
  } else {
    request.buffers.push_back(buffer(0, bytes.size(),
                                     reference                           ? RunBuffer::Kind::AddressOnly
                                     : source.kind == BlockKind::Uniform ? RunBuffer::Kind::Uniform
                                                                         : RunBuffer::Kind::Storage));
    request.buffers.back().contents = bytes;
  }
  if (reference) {
    request.pushConstants.resize(8);
    request.addresses.push_back({AddressPatch::kPushConstants, 0, 0, 0, 1, 0});
  }
  for (uint32_t t = 0; t < 2; ++t)
    request.buffers.push_back(buffer(t + 1, declarations.size(targets[t]), RunBuffer::Kind::Storage));
  request.devices = &keptDevices();
  const RunOutcome outcome = run(vulkan(), testDevice(), request);
  if (outcome.kind == RunOutcome::Kind::Skipped) {
    ++counts.skipped;
    return "";
  }
  if (outcome.kind != RunOutcome::Kind::Done)
    return outcome.reasons.empty() ? "did not run" : outcome.reasons[0];
  if (!outcome.strayWrites.empty()) return outcome.strayWrites[0];
  ++counts.ran;
  for (size_t t = 0; t < (byParts ? 2u : 1u); ++t) {
    const std::vector<uint8_t>& written = request.buffers[request.buffers.size() - 2 + t].contents;
    const std::vector<BlockLeaf> found = declarations.leaves(targets[t]);
    for (size_t i = 0; i < found.size(); ++i) {
      if (!holds(written, found[i], valueOf(i)))
        return targets[t].name + ": " + found[i].path + " is not at byte " + std::to_string(found[i].offset) +
               "\n" + text;
      ++counts.values;
    }
  }
  return "";
}

}  // namespace

TEST_CASE("values pass through blocks of all kinds and layouts") {
  REQUIRE_FALSE(vulkan().devices().empty());
  const uint64_t from = numberFromEnvironment("COOPC_BLOCK_SEED", 1);
  const uint64_t blocks = numberFromEnvironment("COOPC_BLOCK_VALUES", 48);
  BlockDeclarations::Options options;
  options.blocks = 4;
  options.executable = true;
  Counts counts;
  for (uint64_t seed = from; counts.ran + counts.skipped < blocks; ++seed) {
    const BlockDeclarations declarations(seed, options);
    for (const Block& block : declarations.blocks()) {
      INFO("seed " << seed << ", " << block.name);
      const std::string problem = check(declarations, block, counts);
      if (!problem.empty()) FAIL(problem);
    }
  }
  CAPTURE(counts.ran, counts.skipped);
  CHECK(counts.ran * 10 >= blocks * 9);
  CHECK(counts.values >= counts.ran * 20);
}
