// Modules whose size is in one list: of extensions, capabilities, predecessors or edges. Code that takes
// quadratic time in the length of the list would run for minutes, until the program's time limit ends the
// test.
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "spirv/builder.hpp"
#include "spirv/cfg.hpp"
#include "spirv/module.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"

namespace coopc::tests {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Section;
namespace op = spirv::op;

// Ends the builder's only function with a return, and reads the module.
spirv::Module ended(Builder& b) {
  b.make<op::Return>(Section::Functions);
  b.endFunction();
  b.memoryModel(spv::AddressingModel::Logical, spv::MemoryModel::GLSL450);
  b.capability(spv::Capability::Shader);
  REQUIRE_FALSE(b.overflow());
  spirv::ReadError error;
  std::optional<spirv::Module> module = spirv::readModule(b.finish(0x00010600, 0), error);
  REQUIRE(module);
  return std::move(*module);
}

TEST_CASE("a module may declare any number of extensions, each once") {
  constexpr uint32_t kCount = 500000;
  Builder b;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t n = 0; n < kCount; ++n) b.extension("E" + std::to_string(n));
  }
  size_t words = 0;
  for (uint32_t n = 0; n < kCount; ++n) words += 2 + (1 + std::to_string(n).size()) / 4;
  CHECK(b.words(Section::Extensions).size() == words);
}

TEST_CASE("a module may declare any number of capabilities, each once") {
  constexpr uint32_t kCount = 1500000;
  Builder b;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t n = 0; n < kCount; ++n) b.capability(spv::Capability(n));
  }
  CHECK(b.words(Section::Capabilities).size() == 2 * size_t{kCount});
  CHECK(b.hasCapability(spv::Capability(kCount - 1)));
  CHECK_FALSE(b.hasCapability(spv::Capability(kCount)));
  b.reset();
  CHECK_FALSE(b.hasCapability(spv::Capability(kCount - 1)));
  b.capability(spv::Capability(kCount - 1));
  CHECK(b.words(Section::Capabilities).size() == 2);
}

// 32,000 blocks that branch to one, which has 500 phis.
TEST_CASE("the check of a module's structure is linear in the predecessors of a block with phis") {
  constexpr uint32_t kBlocks = 32000, kPhis = 500;
  Builder b;
  const Id main = b.id();
  const Id voidType = b.typeVoid();
  const Id function = b.typeFunction(voidType, {});
  const Id uintType = b.typeInt(32, false);
  const Id one = b.constantU32(1);
  const Id entry = b.id(), merge = b.id();
  std::vector<Id> blocks;
  for (uint32_t n = 0; n < kBlocks; ++n) blocks.push_back(b.id());
  b.beginFunction(main, voidType, spv::FunctionControlMask::MaskNone, function);
  b.label(entry);
  b.make<op::SelectionMerge>(Section::Functions, {.mergeBlock = merge});
  b.beginOp(Section::Functions, spv::Op::OpSwitch);
  b.push(one);
  b.push(blocks[0]);
  for (uint32_t n = 1; n < kBlocks; ++n) {
    b.push(n);
    b.push(blocks[n]);
  }
  b.endOp();
  for (const Id block : blocks) {
    b.label(block);
    b.make<op::Branch>(Section::Functions, {.targetLabel = merge});
  }
  b.label(merge);
  std::vector<spirv::Word> operands;
  for (const Id block : blocks) {
    operands.emplace_back(one);
    operands.emplace_back(block);
  }
  for (uint32_t n = 0; n < kPhis; ++n) b.opResult(Section::Functions, spv::Op::OpPhi, uintType, operands);
  const spirv::Module module = ended(b);
  CHECK(spirv::structureFault(module) == "");
}

// 2.1 million edges: 30,000 switches in a row. Each has so many targets that a linear search through them for
// every target would take too long.
TEST_CASE("the control flow graph is linear in the targets of switches") {
  constexpr uint32_t kSwitches = 30000, kTargets = 70;
  Builder b;
  const Id main = b.id(), entry = b.id();
  const Id voidType = b.typeVoid();
  const Id function = b.typeFunction(voidType, {});
  const Id zero = b.constantU32(0);
  b.beginFunction(main, voidType, spv::FunctionControlMask::MaskNone, function);
  b.label(entry);
  for (uint32_t n = 0; n < kSwitches; ++n) {
    const Id merge = b.id();
    std::vector<spirv::Word> operands = {zero, merge};
    for (uint32_t k = 0; k < kTargets; ++k) operands.insert(operands.end(), {k, b.id()});
    b.make<op::SelectionMerge>(Section::Functions, {.mergeBlock = merge});
    b.op(Section::Functions, spv::Op::OpSwitch, operands);
    for (uint32_t k = 0; k < kTargets; ++k) {
      b.label(operands[3 + 2 * k].id());
      b.make<op::Branch>(Section::Functions, {.targetLabel = merge});
    }
    b.label(merge);
  }
  const spirv::Module module = ended(b);
  spirv::Cfg cfg;
  REQUIRE(cfg.build(module, module.functionsAt));
  CHECK(cfg.blocks.size() == kSwitches * (kTargets + 1) + 1);
  for (uint32_t n = 0; n < kSwitches; ++n) {
    const uint32_t header = n * (kTargets + 1);
    if (cfg.successors(header).size() != kTargets + 1 ||
        cfg.predecessors(header + kTargets + 1).size() != kTargets + 1)
      FAIL("switch " << n << " has other edges");
  }
}

}  // namespace
}  // namespace coopc::tests
