// Instructions made by the names of their operands have their words in the order of the specification, and
// required operands cannot be left out.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/image_operands.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/tensors.hpp"

namespace coopc::tests {
namespace {

namespace op = spirv::op;
using spirv::Id;
using spirv::Module;
using Words = std::vector<uint32_t>;

constexpr Id kType(1u), kResult(2u), kA(10u), kB(11u), kC(12u);

template <class Fields, class... Operands>
concept Takes = requires(Operands... operands) {
  Fields{operands...};
};
static_assert(Takes<op::Store::Fields, Id, Id>);
static_assert(!Takes<op::Store::Fields, Id>, "the object is missing");
static_assert(!Takes<op::Store::Fields, Id, uint32_t>, "a literal is not an id");
static_assert(!Takes<op::TypeInt::Fields, Id, uint32_t>, "an id is not a literal");
static_assert(!Takes<op::TypePointer::Fields, spv::Scope, Id>, "a scope is not a storage class");
static_assert(Takes<op::SelectionMerge::Fields, Id>, "a mask without bits");

Words wordsOf(const Module& m, const spirv::Instruction& i) {
  const auto words = m.wordsOf(i);
  return {words.begin(), words.end()};
}
Words expected(spv::Op op, Words operands) {
  operands.insert(operands.begin(), spirv::instructionHead(op, operands.size() + 1));
  return operands;
}

TEST_CASE("an instruction is made by the names of its operands") {
  Module m;
  CHECK(wordsOf(m, m.make<op::Select>(kType, kResult, {.condition = kA, .object1 = kB, .object2 = kC})) ==
        expected(spv::Op::OpSelect, {1, 2, 10, 11, 12}));
  CHECK(wordsOf(m, m.make<op::IAdd>(kType, kResult, {kA, kB})) == expected(spv::Op::OpIAdd, {1, 2, 10, 11}));
  CHECK(wordsOf(m, m.make<op::TypeInt>(kResult, {.width = 32, .signedness = 1})) ==
        expected(spv::Op::OpTypeInt, {2, 32, 1}));
  CHECK(wordsOf(m, m.make<op::Label>(kResult)) == expected(spv::Op::OpLabel, {2}));
  CHECK(wordsOf(m, m.make<op::Return>()) == expected(spv::Op::OpReturn, {}));
}

TEST_CASE("operands that may be missing are missing unless they are given") {
  Module m;
  CHECK(wordsOf(m, m.make<op::Store>({.pointer = kA, .object = kB})) == expected(spv::Op::OpStore, {10, 11}));
  CHECK(wordsOf(
            m, m.make<op::Store>(
                   {.pointer = kA, .object = kB, .memoryOperands = {spv::MemoryAccessMask::Aligned, 16u}})) ==
        expected(spv::Op::OpStore, {10, 11, 2, 16}));
  CHECK(wordsOf(m, m.make<op::Variable>(kType, kResult, {.storageClass = spv::StorageClass::Private})) ==
        expected(spv::Op::OpVariable, {1, 2, 6}));
  CHECK(wordsOf(m, m.make<op::Variable>(kType, kResult,
                                        {.storageClass = spv::StorageClass::Private, .initializer = kA})) ==
        expected(spv::Op::OpVariable, {1, 2, 6, 10}));
  CHECK(wordsOf(m, m.make<op::SelectionMerge>({.mergeBlock = kA})) ==
        expected(spv::Op::OpSelectionMerge, {10, 0}));
  CHECK(wordsOf(m, m.make<op::CooperativeMatrixMulAddKHR>(kType, kResult, {.a = kA, .b = kB, .c = kC})) ==
        expected(spv::Op::OpCooperativeMatrixMulAddKHR, {1, 2, 10, 11, 12}));
  CHECK(wordsOf(m, m.make<op::CooperativeMatrixMulAddKHR>(
                       kType, kResult,
                       {.a = kA,
                        .b = kB,
                        .c = kC,
                        .cooperativeMatrixOperands = spv::CooperativeMatrixOperandsMask::MaskNone})) ==
        expected(spv::Op::OpCooperativeMatrixMulAddKHR, {1, 2, 10, 11, 12, 0}));
}

TEST_CASE("lists are given in braces, or as words that were collected") {
  Module m;
  CHECK(wordsOf(m, m.make<op::CompositeExtract>(kType, kResult, {.composite = kA, .indexes = {3, 1}})) ==
        expected(spv::Op::OpCompositeExtract, {1, 2, 10, 3, 1}));
  CHECK(wordsOf(m, m.make<op::Phi>(kType, kResult, {.incoming = {{kA, kB}, {kC, kResult}}})) ==
        expected(spv::Op::OpPhi, {1, 2, 10, 11, 12, 2}));
  // More operands than fit without a heap allocation.
  Words many;
  std::vector<Id> ids;
  std::vector<spirv::Word> words;
  for (uint32_t n = 20; n < 120; ++n) {
    many.push_back(n);
    ids.emplace_back(n);
    words.emplace_back(n);
  }
  Words call{1, 2, 10};
  call.insert(call.end(), many.begin(), many.end());
  CHECK(wordsOf(m, m.make<op::FunctionCall>(kType, kResult, {.function = kA, .arguments = ids})) ==
        expected(spv::Op::OpFunctionCall, call));
  CHECK(wordsOf(m, m.make<op::FunctionCall>(kType, kResult, {.function = kA, .arguments = words})) ==
        expected(spv::Op::OpFunctionCall, call));
}

TEST_CASE("a text is a literal string between the other operands") {
  Module m;
  for (const size_t length : {size_t{0}, size_t{3}, size_t{4}, size_t{500}}) {
    const std::string name(length, 'n');
    const spirv::Instruction i = m.make<op::EntryPoint>({.executionModel = spv::ExecutionModel::GLCompute,
                                                         .entryPoint = kA,
                                                         .name = name,
                                                         .interface = {kB, kC}});
    const op::EntryPoint entry(m, i);
    CHECK(entry.executionModel() == spv::ExecutionModel::GLCompute);
    CHECK(entry.entryPoint() == kA);
    CHECK(entry.name() == name);
    REQUIRE(entry.interface().size() == 2);
    CHECK(entry.interface()[1] == kC);
    CHECK(i.length == 3 + length / 4 + 1 + 2);
  }
}

TEST_CASE("a text that may be missing is missing unless it is given") {
  Module m;
  CHECK(wordsOf(m, m.make<op::Source>({.sourceLanguage = spv::SourceLanguage::GLSL, .version = 460})) ==
        expected(spv::Op::OpSource, {2, 460}));
  CHECK(wordsOf(m, m.make<op::Source>({.sourceLanguage = spv::SourceLanguage::GLSL,
                                       .version = 460,
                                       .file = kA,
                                       .source = ""})) == expected(spv::Op::OpSource, {2, 460, 10, 0}));
}

TEST_CASE("image operands follow their mask in the order of its bits") {
  using Mask = spv::ImageOperandsMask;
  spirv::ImageOperands given;
  CHECK_FALSE(spirv::ImageOperandWords(given).mask());
  given.flags = Mask::NonPrivateTexel;
  given.visible = Id(48u);
  given.minLod = Id(47u);
  given.sample = Id(46u);
  given.constOffsets = Id(45u);
  given.offset = Id(44u);
  given.constOffset = Id(43u);
  given.dx = Id(41u);
  given.dy = Id(42u);
  given.lod = Id(40u);
  given.bias = Id(39u);
  const spirv::ImageOperandWords words(given);
  Module m;
  CHECK(wordsOf(m, m.make<op::ImageFetch>(kType, kResult,
                                          {.image = kA,
                                           .coordinate = kB,
                                           .imageOperands = words.mask(),
                                           .parameters = words.parameters()})) ==
        expected(spv::Op::OpImageFetch, {1, 2, 10, 11, 0x6FF, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48}));
}

TEST_CASE("tensor operands follow their mask in the order of its bits") {
  CHECK_FALSE(spirv::TensorOperandWords({}).mask());
  const spirv::TensorOperandWords words({.outOfBoundsValue = kB,
                                         .available = {},
                                         .visible = kC,
                                         .flags = spirv::enums::TensorOperandsNonPrivateElementARM});
  Module m;
  CHECK(wordsOf(m, m.make<op::TensorReadARM>(kType, kResult,
                                             {.tensor = kA,
                                              .coordinates = kB,
                                              .tensorOperands = words.mask(),
                                              .parameters = words.parameters()})) ==
        expected(spirv::enums::OpTensorReadARM, {1, 2, 10, 11, 0x1A, 11, 12}));
}

TEST_CASE("instructions of extended sets have their operands by the names of their grammars") {
  static_assert(op::glsl450::FMax::kNumber == 40 && op::debug::DebugLine::kNumber == 103);
  Module m;
  const auto operands = op::glsl450::FMax::Fields{.x = kB, .y = kC}.words();
  CHECK(wordsOf(m, m.make<op::ExtInst>(
                       kType, kResult,
                       {.set = kA, .instruction = op::glsl450::FMax::kNumber, .operands = operands})) ==
        expected(spv::Op::OpExtInst, {1, 2, 10, 40, 11, 12}));
}

TEST_CASE("operands are evaluated in their order") {
  Module m;
  uint32_t next = 30;
  const auto make = [&] { return Id(next++); };
  CHECK(wordsOf(m, m.make<op::Select>(kType, kResult,
                                      {.condition = make(), .object1 = make(), .object2 = make()})) ==
        expected(spv::Op::OpSelect, {1, 2, 30, 31, 32}));
}

TEST_CASE("operands are changed in place by their names") {
  Module m;
  const spirv::Instruction i = m.make<op::Store>({.pointer = kA, .object = kB});
  m.setIdAt(i, op::Store::At::object, kC);
  CHECK(op::Store(m, i).object() == kC);
}

TEST_CASE("a walk's instructions have the same views") {
  const Words words{spv::MagicNumber,
                    0x00010600,
                    0,
                    20,
                    0,
                    spirv::instructionHead(spv::Op::OpTypePointer, 4),
                    3,
                    uint32_t(spv::StorageClass::Uniform),
                    4,
                    spirv::instructionHead(spv::Op::OpNop, 1)};
  spirv::InstructionWalk walk(words);
  REQUIRE(walk.next());
  const auto pointer = spirv::as<op::TypePointer>(walk);
  REQUIRE(pointer);
  CHECK(pointer.result() == Id(3u));
  CHECK(pointer.storageClass() == spv::StorageClass::Uniform);
  CHECK(pointer.type() == Id(4u));
  CHECK_FALSE(spirv::as<op::TypeArray>(walk));
  REQUIRE(walk.next());
  CHECK(pointer.type() == Id(4u));
  CHECK_FALSE(spirv::as<op::TypePointer>(walk));
}

}  // namespace
}  // namespace coopc::tests
