// The module writer that emission uses.
#include <catch2/catch_test_macros.hpp>

#include "base/memory_budget.hpp"
#include "spirv/builder.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Section;
namespace op = spirv::op;

// A compute shader that stores 1.0 to a local variable, written out of order on purpose.
std::vector<uint32_t> smallModule(Builder& b) {
  const Id main = b.id();
  const Id voidType = b.typeVoid();
  const Id function = b.typeFunction(voidType, {});
  const Id floatType = b.typeFloat(32);
  const Id pointer = b.typePointer(spv::StorageClass::Function, floatType);
  const Id one = b.constant<op::Constant>(floatType, {.value = {0x3F800000}});
  b.beginFunction(main, voidType, spv::FunctionControlMask::MaskNone, function);
  const Id early = b.localVariable(pointer);
  b.label(b.id());
  b.make<op::Store>(Section::Functions, {.pointer = early, .object = one});
  const Id late = b.localVariable(pointer, one);
  b.make<op::Store>(Section::Functions, {.pointer = late, .object = one});
  b.make<op::Return>(Section::Functions);
  b.endFunction();
  b.name(late, "late");
  b.make<op::ExecutionMode>(
      Section::ExecutionModes,
      {.entryPoint = main, .mode = spv::ExecutionMode::LocalSize, .parameters = {1, 1, 1}});
  b.entryPoint(spv::ExecutionModel::GLCompute, main, "main", {});
  b.memoryModel(spv::AddressingModel::Logical, spv::MemoryModel::GLSL450);
  b.capability(spv::Capability::Shader);
  b.capability(spv::Capability::Shader);
  b.extension("SPV_KHR_storage_buffer_storage_class");
  b.extension("SPV_KHR_storage_buffer_storage_class");
  return b.finish(0x00010600, 0);
}

TEST_CASE("sections come in the logical order, local variables at the head of the entry block") {
  Builder b;
  const std::vector<uint32_t> words = smallModule(b);
  CHECK_FALSE(b.overflow());
  CHECK(validate(words) == "");
  CHECK(textOf(words) ==
        "OpCapability Shader\n"
        "OpExtension \"SPV_KHR_storage_buffer_storage_class\"\n"
        "OpMemoryModel Logical GLSL450\n"
        "OpEntryPoint GLCompute %1 \"main\"\n"
        "OpExecutionMode %1 LocalSize 1 1 1\n"
        "OpName %late \"late\"\n"
        "%void = OpTypeVoid\n"
        "%3 = OpTypeFunction %void\n"
        "%float = OpTypeFloat 32\n"
        "%_ptr_Function_float = OpTypePointer Function %float\n"
        "%float_1 = OpConstant %float 1\n"
        "%1 = OpFunction %void None %3\n"
        "%8 = OpLabel\n"
        "%7 = OpVariable %_ptr_Function_float Function\n"
        "%late = OpVariable %_ptr_Function_float Function %float_1\n"
        "OpStore %7 %float_1\n"
        "OpStore %late %float_1\n"
        "OpReturn\n"
        "OpFunctionEnd\n");
}

// GL_EXT_spirv_intrinsics takes such names from shaders.
TEST_CASE("long names of extensions and instruction sets are written whole, once") {
  const std::string extension(300, 'e'), set(300, 's'), other = set + "2";
  Builder b;
  b.extension(extension);
  b.extension(extension);
  const Id first = b.extInstSet(set);
  CHECK(b.extInstSet(set) == first);
  CHECK(b.extInstSet(other) != first);
  CHECK(textOf(b.finish(0x00010600, 0)) == "OpExtension \"" + extension + "\"\n%1 = OpExtInstImport \"" +
                                               set + "\"\n%2 = OpExtInstImport \"" + other + "\"\n");
  CHECK_FALSE(b.overflow());
}

TEST_CASE("a builder that is reset writes the same words again") {
  Builder b;
  const std::vector<uint32_t> first = smallModule(b);
  b.reset();
  CHECK(smallModule(b) == first);
}

TEST_CASE("equal types and constants share an id, others do not") {
  Builder b;
  CHECK(b.typeInt(32, true) == b.typeInt(32, true));
  CHECK(b.typeInt(32, true) != b.typeInt(32, false));
  CHECK(b.typeFloat(16) != b.typeFloat(16, 0));
  CHECK(b.constantU32(7) == b.constantU32(7));
  CHECK(b.constantU32(7) != b.constantI32(7));
  CHECK(b.constantBool(true) != b.constantBool(false));
  CHECK(b.extInstSet("GLSL.std.450") == b.extInstSet("GLSL.std.450"));
  CHECK(b.uniqueType<op::TypeStruct>({.memberTypes = {b.typeBool()}}) !=
        b.uniqueType<op::TypeStruct>({.memberTypes = {b.typeBool()}}));
  // Enough constants to make the table grow; every one is found again.
  std::vector<Id> ids;
  for (uint32_t n = 0; n < 5000; ++n) ids.push_back(b.constantU32(n * 2654435761u));
  for (uint32_t n = 0; n < 5000; ++n) REQUIRE(b.constantU32(n * 2654435761u) == ids[n]);
}

TEST_CASE("the id limit sets a flag and the last id is repeated") {
  Builder b;
  Id last;
  for (uint32_t n = 1; n < spirv::kMaxIdBound; ++n) last = b.id();
  CHECK(last.index() == spirv::kMaxIdBound - 1);
  CHECK_FALSE(b.overflow());
  CHECK(b.id().index() == spirv::kMaxIdBound - 1);
  CHECK(b.overflow());
  CHECK(b.bound() == spirv::kMaxIdBound);
}

TEST_CASE("an instruction that is too long is left out and sets a flag") {
  Builder b;
  const std::vector<spirv::Word> longest(spirv::kMaxInstructionWords - 1, 1);
  b.op(Section::Functions, spv::Op::OpCompositeConstruct, longest);
  CHECK_FALSE(b.overflow());
  CHECK(b.words(Section::Functions).size() == spirv::kMaxInstructionWords);
  const std::vector<spirv::Word> tooLong(spirv::kMaxInstructionWords, 1);
  b.op(Section::Functions, spv::Op::OpCompositeConstruct, tooLong);
  CHECK(b.overflow());
  CHECK(b.words(Section::Functions).size() == spirv::kMaxInstructionWords);

  Builder pieces;
  pieces.beginOp(Section::Functions, spv::Op::OpSwitch);
  for (uint32_t n = 0; n < spirv::kMaxInstructionWords; ++n) pieces.push(n);
  pieces.endOp();
  CHECK(pieces.overflow());
  CHECK(pieces.words(Section::Functions).empty());
}

TEST_CASE("long sources are continued and cut between characters") {
  Builder b;
  const Id file = b.string("a.comp");
  // Three-byte characters, so that a cut at a word's end would split one.
  std::string text;
  while (text.size() < 600000) text += "\xE2\x82\xAC";
  b.source(spv::SourceLanguage::GLSL, 460, file, text);
  CHECK_FALSE(b.overflow());
  std::string joined;
  size_t parts = 0;
  const auto words = b.words(Section::Strings).words();
  for (size_t at = 0; at < words.size(); at += words[at] >> 16) {
    const auto op = spv::Op(words[at] & 0xFFFF);
    size_t first = 0;
    if (op == spv::Op::OpSource) first = 4;
    if (op == spv::Op::OpSourceContinued) first = 1;
    if (first == 0) continue;
    ++parts;
    std::string part;
    bool ended = false;
    for (size_t n = first; n < (words[at] >> 16); ++n) {
      for (unsigned k = 0; k < 4; ++k) {
        const char c = char(words[at + n] >> (8 * k) & 0xFF);
        if (c == 0) ended = true;
        if (!ended) part += c;
      }
    }
    REQUIRE(ended);
    REQUIRE(part.size() % 3 == 0);
    joined += part;
  }
  CHECK(parts == 3);
  CHECK(joined == text);
}

TEST_CASE("a zero byte ends a literal string") {
  Builder b;
  b.name(b.id(), std::string_view("ab\0cd", 5));
  CHECK(b.words(Section::Names).size() == 3);
}

TEST_CASE(
    "builder: the words of a module count for the memory limit as they are written, while they are held") {
  const auto write = [](Builder& b, int words) {
    for (int i = 0; i < words; ++i) b.make<op::Nop>(Section::Functions);
  };
  const MemoryBudget budget(size_t{1} << 20);
  for (int i = 0; i < 10; ++i) {
    Builder b;
    write(b, 100'000);  // 400,000 bytes, in an array of 512 KiB
    CHECK(b.words(Section::Functions).size() == 100'000);
  }
  Builder b;
  CHECK_THROWS_AS(write(b, 1'000'000), MemoryLimitReached);
  CHECK(b.words(Section::Functions).size() * sizeof(uint32_t) <= size_t{1} << 20);
}

}  // namespace
}  // namespace coopc::tests
