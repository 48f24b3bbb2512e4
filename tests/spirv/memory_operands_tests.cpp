// Memory operands: their position in each instruction, and the operands that a mask's bits add.
#include <algorithm>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/grammar.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::tests {
namespace {

using spirv::instructionHead;
using spv::Op;

// Instructions of kernels, which shaders cannot have.
bool isForKernels(std::string_view name) {
  return name == "OpUntypedGroupAsyncCopyKHR" || name == "OpSubgroupBlockPrefetchINTEL" ||
         name == "OpPredicatedLoadINTEL" || name == "OpPredicatedStoreINTEL";
}

TEST_CASE("memory operands stand where the grammar has them") {
  size_t found = 0;
  for (uint32_t opcode = 0; opcode < 0x10000; ++opcode) {
    const spirv::OpInfo* info = spirv::opInfo(opcode);
    if (info == nullptr || isForKernels(spirv::opName(opcode))) continue;
    uint32_t word = 1, position = 0;
    for (const spirv::OperandInfo& operand : spirv::grammarOperands(info->operandList)) {
      if (operand.kind == spirv::OperandKind::MemoryAccess && position == 0) position = word;
      ++word;
    }
    INFO(spirv::opName(opcode));
    CHECK(spirv::memoryOperandsPosition(Op(opcode)) == position);
    found += position != 0 ? 1 : 0;
  }
  CHECK(found == 12);
}

TEST_CASE("each bit brings its operand, in the order of the bits") {
  const std::vector<uint32_t> load = {instructionHead(Op::OpLoad, 10), 1, 2, 3, 0x3003F, 16, 71, 72, 73, 74};
  const spirv::MemoryOperands m = spirv::memoryOperandsOf(load);
  CHECK(m.at == 4);
  CHECK(m.end == 10);
  CHECK(m.isVolatile());
  CHECK(m.alignment == 16);
  CHECK(m.available == spirv::Id(71u));
  CHECK(m.visible == spirv::Id(72u));
  CHECK(m.aliasScope == spirv::Id(73u));
  CHECK(m.noAlias == spirv::Id(74u));
  CHECK_FALSE(m.only(spv::MemoryAccessMask::Aligned));

  const std::vector<uint32_t> plain = {instructionHead(Op::OpLoad, 4), 1, 2, 3};
  const spirv::MemoryOperands none = spirv::memoryOperandsOf(plain);
  CHECK(none.at == 0);
  CHECK(none.end == 4);
  CHECK(none.only(spv::MemoryAccessMask::MaskNone));
  CHECK(spirv::memoryOperandsOf(std::vector<uint32_t>{instructionHead(Op::OpReturn, 1)}).at == 0);
}

TEST_CASE("a copy has one set of memory operands for both sides, or two, of which the first is read") {
  const std::vector<uint32_t> one = {instructionHead(Op::OpCopyMemory, 5), 1, 2, 0x2, 8};
  CHECK(spirv::memoryOperandsOf(one).alignment == 8);
  const std::vector<uint32_t> two = {instructionHead(Op::OpCopyMemory, 6), 1, 2, 0x2, 8, 0x1};
  CHECK_FALSE(spirv::memoryOperandsOf(two).isVolatile());
}

TEST_CASE("tensor addressing operands follow the memory operands") {
  const std::vector<uint32_t> load = {
      instructionHead(Op::OpCooperativeMatrixLoadTensorNV, 13), 1, 2, 3, 4, 5, 0x2A, 16, 70, 0x7, 81, 82, 83};
  const auto t = spirv::tensorAddressingOperandsOf(load);
  CHECK(t.at == 9);
  CHECK(t.view == spirv::Id(81u));
  CHECK(t.decodeFunction == spirv::Id(82u));
  CHECK(t.decodeVectorFunction == spirv::Id(83u));
  const std::vector<uint32_t> store = {
      instructionHead(Op::OpCooperativeMatrixStoreTensorNV, 7), 1, 2, 3, 0, 1, 81};
  CHECK(spirv::tensorAddressingOperandsOf(store).view == spirv::Id(81u));
  CHECK_FALSE(spirv::tensorAddressingOperandsOf(store).decodeFunction);
}

bool sameWords(spirv::Operands a, const std::vector<uint32_t>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Operands that were read are written as the same words.
TEST_CASE("memory operands and tensor addressing operands are written as they are read") {
  const std::vector<uint32_t> load = {
      instructionHead(Op::OpCooperativeMatrixLoadTensorNV, 13), 1, 2, 3, 4, 5, 0x2A, 16, 70, 0x7, 81, 82, 83};
  const spirv::MemoryOperandWords memory(spirv::memoryOperandsOf(load));
  CHECK(sameWords(memory.words(), std::vector<uint32_t>{0x2A, 16, 70}));
  const spirv::TensorAddressingOperandWords addressing(spirv::tensorAddressingOperandsOf(load));
  CHECK(sameWords(addressing.words(), std::vector<uint32_t>{0x7, 81, 82, 83}));
  CHECK(sameWords(spirv::MemoryOperandWords(spirv::MemoryOperands{}).words(), std::vector<uint32_t>{0}));
  CHECK(spirv::MemoryOperandWords::ifAny({}).words().empty());
  CHECK(sameWords(spirv::TensorAddressingOperandWords(spirv::TensorAddressingOperands{}).words(),
                  std::vector<uint32_t>{0}));
}

TEST_CASE("operands that are missing are absent") {
  for (size_t length = 1; length < 13; ++length) {
    std::vector<uint32_t> words = {instructionHead(Op::OpCooperativeMatrixLoadTensorNV, length),
                                   1,
                                   2,
                                   3,
                                   4,
                                   5,
                                   0x3001A,
                                   16,
                                   1,
                                   2,
                                   3,
                                   4,
                                   7};
    words.resize(length);
    const spirv::MemoryOperands m = spirv::memoryOperandsOf(words);
    CHECK((m.at == 6) == (length > 6));
    CHECK(spirv::tensorAddressingOperandsOf(words).at == (length > 12 ? 12 : 0));
  }
}

}  // namespace
}  // namespace coopc::tests
