// Views of instructions: operands by name, ranges of operands, and the result of reading missing operands.
#include <algorithm>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/instructions.hpp"

namespace coopc::tests {
namespace {

using spirv::Id;
using spirv::Instruction;
using spirv::Module;
namespace op = spirv::op;
using spv::Op;

Id id(uint32_t n) { return Id(n); }

// A module with a few ids to give to instructions.
Module withIds() {
  Module m;
  m.bound = 100;
  m.definitions.assign(m.bound, spirv::kNone);
  return m;
}

Instruction made(Module& m, Op opcode, std::initializer_list<uint32_t> operands) {
  std::vector<spirv::Word> words(operands.begin(), operands.end());
  const Id type = id(1), result = id(2);
  return m.make(opcode, type, result, spirv::Operands(words));
}

Instruction effect(Module& m, Op opcode, std::initializer_list<uint32_t> operands) {
  std::vector<spirv::Word> words(operands.begin(), operands.end());
  return m.make(opcode, spirv::Operands(words));
}

TEST_CASE("operands have the names of the specification") {
  Module m = withIds();
  const Instruction product = made(m, Op::OpCooperativeMatrixMulAddKHR, {10, 11, 12, 0x10});
  const auto multiply = spirv::as<op::CooperativeMatrixMulAddKHR>(m, product);
  REQUIRE(multiply);
  CHECK(multiply.a() == id(10));
  CHECK(multiply.b() == id(11));
  CHECK(multiply.c() == id(12));
  CHECK(multiply.hasCooperativeMatrixOperands());
  CHECK(multiply.cooperativeMatrixOperands() ==
        spv::CooperativeMatrixOperandsMask::SaturatingAccumulationKHR);

  const Instruction store = effect(m, Op::OpStore, {20, 21, 2, 16});
  CHECK(op::Store(m, store).pointer() == id(20));
  CHECK(op::Store(m, store).object() == id(21));
  CHECK(op::Store(m, store).memoryOperands().alignment == 16);

  const Instruction load = made(m, Op::OpCooperativeMatrixLoadTensorNV, {30, 31, 32, 2, 8, 3, 33, 34});
  const op::CooperativeMatrixLoadTensorNV tensor(m, load);
  CHECK(tensor.tensorLayout() == id(32));
  CHECK(tensor.memoryOperands().alignment == 8);
  CHECK(tensor.tensorAddressingOperands().view == id(33));
  CHECK(tensor.tensorAddressingOperands().decodeFunction == id(34));

  const Instruction decorate = effect(m, Op::OpDecorate, {40, 35, 64});
  CHECK(op::Decorate(m, decorate).decoration() == spv::Decoration::Offset);
  CHECK(op::Decorate(m, decorate).parameters().front() == 64);
  CHECK(op::AnyDecorate(m, decorate).target() == id(40));

  const Instruction constant = made(m, Op::OpConstant, {0x89ABCDEF, 0x01234567});
  CHECK(op::Constant(m, constant).value() == 0x89ABCDEF);
  CHECK(op::Constant(m, constant).value64() == 0x0123456789ABCDEF);
}

TEST_CASE("operands up to the end are ranges") {
  Module m = withIds();
  const Instruction call = made(m, Op::OpCooperativeMatrixPerElementOpNV, {10, 11, 12, 13});
  const op::CooperativeMatrixPerElementOpNV perElement(m, call);
  const std::vector<Id> extras(perElement.operands().begin(), perElement.operands().end());
  CHECK(extras == std::vector{id(12), id(13)});
  CHECK(perElement.operands().back() == id(13));
  CHECK(perElement.operands().from(1).size() == 1);
  CHECK(perElement.operands().from(3).empty());
  CHECK_FALSE(perElement.operands()[2]);

  const Instruction phi = made(m, Op::OpPhi, {20, 21, 22, 23});
  std::vector<Id> parents;
  for (const auto& [value, parent] : op::Phi(m, phi).incoming()) parents.push_back(parent);
  CHECK(parents == std::vector{id(21), id(23)});
  CHECK(op::Phi(m, phi).incoming().size() == 2);

  // The text "main" takes two words, because it ends with a zero.
  const Instruction entry = effect(m, Op::OpEntryPoint, {5, 30, 0x6E69616D, 0, 31, 32});
  const op::EntryPoint point(m, entry);
  CHECK(point.executionModel() == spv::ExecutionModel::GLCompute);
  CHECK(point.name() == "main");
  const std::vector<Id> interface(point.interface().begin(), point.interface().end());
  CHECK(interface == std::vector{id(31), id(32)});
}

TEST_CASE("operands that are missing read as nothing") {
  Module m = withIds();
  const Instruction load = made(m, Op::OpCooperativeMatrixLoadKHR, {10, 11});
  const op::CooperativeMatrixLoadKHR matrix(m, load);
  CHECK_FALSE(matrix.hasStride());
  CHECK_FALSE(matrix.stride());
  CHECK(matrix.memoryOperands().at == 0);

  const Id half = id(3), bfloat = id(4);
  CHECK_FALSE(op::TypeFloat(m, m.make(Op::OpTypeFloat, spirv::kNoId, half, {16u})).floatingPointEncoding());
  CHECK(op::TypeFloat(m, m.make(Op::OpTypeFloat, spirv::kNoId, bfloat, {16u, 0u})).floatingPointEncoding() ==
        0u);

  // A text without its final zero has no operands after it.
  const Instruction entry = effect(m, Op::OpEntryPoint, {5, 30, 0x6E69616D});
  CHECK(op::EntryPoint(m, entry).interface().empty());
}

TEST_CASE("a view of another instruction, or of none, is empty") {
  Module m = withIds();
  const Id pointer = id(3), missing = id(4);
  m.instructions.push_back(
      m.make(Op::OpTypePointer, spirv::kNoId, pointer, {spv::StorageClass::Private, 5u}));
  m.reindex();
  CHECK(spirv::as<op::TypePointer>(m, pointer).type() == id(5));
  CHECK_FALSE(spirv::as<op::TypeArray>(m, pointer));
  CHECK_FALSE(spirv::as<op::TypeArray>(m, pointer).elementType());
  CHECK_FALSE(spirv::as<op::TypePointer>(m, missing));
  CHECK_FALSE(spirv::as<op::TypePointer>(m, nullptr).type());
  CHECK(spirv::as<op::TypeStruct>(m, missing).memberTypes().empty());
  CHECK(spirv::as<op::Name>(m, missing).name().empty());
  CHECK(spirv::as<op::TypePointer>(m, missing).words().empty());
}

TEST_CASE("a view stays valid while the module's words grow") {
  Module m = withIds();
  const Instruction call = made(m, Op::OpFunctionCall, {10, 11, 12});
  const op::FunctionCall view(m, call);
  uint32_t n = 0;
  for (const Id argument : view.arguments()) {
    CHECK(argument == id(11 + n++));
    for (uint32_t k = 0; k < 1000; ++k) effect(m, Op::OpStore, {k, k});
  }
  CHECK(n == 2);
  CHECK(view.function() == id(10));
}

// The grammar has no names of operands at run time. The test can therefore only check that words which a view
// takes for ids are ids.
TEST_CASE("views of several opcodes have ids where all of these have") {
  const auto isId = [](uint32_t opcode, size_t word) {
    const auto operands = spirv::grammarOperands(spirv::opInfo(opcode)->operandList);
    const size_t n = std::min(word - 1, operands.size() - 1);  // the last one may stand for several
    return spirv::isIdKind(operands[n].kind);
  };
  Module m = withIds();
  size_t unary = 0, binary = 0, elements = 0, chains = 0, targets = 0;
  size_t products = 0, dots = 0, shifts = 0, barriers = 0, subgroup = 0;
  for (uint32_t opcode = 0; opcode < 0x10000; ++opcode) {
    if (spirv::opInfo(opcode) == nullptr) continue;
    INFO(spirv::opName(opcode));
    const bool isUnary = op::Unary::is(Op(opcode)), isBinary = op::Binary::is(Op(opcode));
    const bool hasElements = op::TypeOfElements::is(Op(opcode)), isChain = op::AnyAccessChain::is(Op(opcode));
    const bool hasTarget = op::Annotation::is(Op(opcode));
    if (isUnary || isBinary || isChain) CHECK(isId(opcode, 3));
    if (isBinary || isChain) CHECK(isId(opcode, 4));
    if (hasElements) CHECK(isId(opcode, 2));
    if (hasTarget) CHECK(isId(opcode, 1));
    unary += isUnary, binary += isBinary, elements += hasElements, chains += isChain, targets += hasTarget;

    const bool isProduct = op::AnyMulAdd::is(Op(opcode)) || op::MixedProduct::is(Op(opcode));
    const bool isDot = op::IntegerDot::is(Op(opcode)), isShift = op::Shift::is(Op(opcode));
    const bool accumulates = isDot && op::IntegerDot(m, made(m, Op(opcode), {10, 11, 12})).accumulates();
    if (isProduct || isDot || isShift) CHECK((isId(opcode, 3) && isId(opcode, 4)));
    if (isProduct || accumulates) CHECK(isId(opcode, 5));
    const bool isBarrier = op::AnyControlBarrier::is(Op(opcode));
    if (isBarrier) CHECK((isId(opcode, 1) && isId(opcode, 2) && isId(opcode, 3)));
    products += isProduct, dots += isDot, shifts += isShift, barriers += isBarrier;
    if (!op::GroupNonUniformOperation::is(Op(opcode)) || Op(opcode) == Op::OpGroupNonUniformElect) continue;
    const op::GroupNonUniformOperation operation(m, made(m, Op(opcode), {10, 11, 12, 13}));
    CHECK(isId(opcode, 4) == (operation.value() == id(11)));
    CHECK(isId(opcode, operation.value() == id(11) ? 4 : 5));
    ++subgroup;
  }
  CHECK(products == 6);
  CHECK(dots == 6);
  CHECK(shifts == 3);
  CHECK(barriers == 3);
  CHECK(subgroup == 34);
  CHECK(unary > 150);
  CHECK(binary > 100);
  CHECK(elements == 7);
  CHECK(chains == 4);
  CHECK(targets == 10);
}

}  // namespace
}  // namespace coopc::tests
