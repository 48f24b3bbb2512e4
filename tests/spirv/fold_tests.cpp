// Constant folding, operation by operation: the exact bits, or no folding if the bits are not certain.
#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/opt/passes.hpp"
#include "spirv/traits.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

struct Case {
  const char* type;       // of the result
  const char* operation;  // with operands as literals "type:value"
  const char* expected;   // "type:value" of the constant, or "" if the operation must stay
};

constexpr Case kCases[] = {
    {"uint", "OpIAdd uint:4294967295 uint:2", "uint:1"},
    {"int", "OpISub int:-2147483648 int:1", "int:2147483647"},
    {"int", "OpIMul int:65536 int:65536", "int:0"},
    {"int", "OpSNegate int:-2147483648", "int:-2147483648"},
    {"uint", "OpUDiv uint:7 uint:2", "uint:3"},
    {"uint", "OpUDiv uint:7 uint:0", ""},
    {"int", "OpSDiv int:-7 int:2", "int:-3"},
    {"int", "OpSDiv int:-2147483648 int:-1", ""},
    {"int", "OpSDiv int:-7 int:-1", "int:7"},
    {"int", "OpSRem int:-7 int:-1", "int:0"},
    {"long", "OpSDiv long:-7 long:-1", "long:7"},
    {"int", "OpSRem int:-7 int:2", "int:-1"},
    {"int", "OpSMod int:-7 int:2", "int:1"},
    {"int", "OpSMod int:7 int:-2", "int:-1"},
    {"uint", "OpUMod uint:7 uint:4", "uint:3"},
    {"uint", "OpShiftLeftLogical uint:1 uint:31", "uint:2147483648"},
    {"uint", "OpShiftLeftLogical uint:1 uint:32", ""},
    {"int", "OpShiftRightArithmetic int:-8 uint:1", "int:-4"},
    // The count may have another width.
    {"ulong", "OpShiftLeftLogical ulong:1 uint:40", "ulong:1099511627776"},
    {"long", "OpShiftRightArithmetic long:-8 uint:1", "long:-4"},
    {"ulong", "OpShiftRightLogical ulong:8 uint:1", "ulong:4"},
    {"uint", "OpShiftLeftLogical uint:1 ulong:3", "uint:8"},
    {"int", "OpShiftRightLogical int:-8 uint:1", "int:2147483644"},
    {"ushort", "OpIAdd ushort:65535 ushort:1", "ushort:0"},
    {"short", "OpISub short:-32768 short:1", "short:32767"},
    {"ulong", "OpIMul ulong:4294967296 ulong:4294967296", "ulong:0"},
    {"ulong", "OpUConvert uint:4294967295", "ulong:4294967295"},
    {"long", "OpSConvert int:-1", "long:-1"},
    {"short", "OpSConvert int:32768", "short:-32768"},
    {"int", "OpBitcast float:1", "int:1065353216"},
    {"float", "OpBitcast uint:1073741824", "float:2"},
    {"int", "OpBitCount int:-1", "int:32"},
    {"uint", "OpNot uint:0", "uint:4294967295"},
    {"bool", "OpULessThan int:-1 int:1", "bool:false"},
    {"bool", "OpSLessThan int:-1 int:1", "bool:true"},
    {"bool", "OpLogicalAnd bool:true bool:false", "bool:false"},
    {"bool", "OpLogicalNotEqual bool:true bool:false", "bool:true"},
    {"float", "OpFAdd float:0.1 float:0.2", "float:0x1.333334p-2"},
    {"float", "OpFMul float:-0 float:3", "float:-0"},
    {"float", "OpFSub float:1 float:1", "float:0"},
    {"float", "OpFDiv float:1 float:3", "float:0x1.555556p-2"},
    {"float", "OpFDiv float:1 float:0", ""},
    {"float", "OpFNegate float:0", "float:-0"},
    {"float", "OpFAdd float:0x1p+128 float:-0x1p+128", ""},
    {"float", "OpFAdd float:0x1.8p+128 float:1", ""},
    {"float", "OpFMul float:1e-30 float:1e-10", ""},
    {"half", "OpFAdd half:0x1p+0 half:0x1p-11", "half:0x1p+0"},
    {"half", "OpFAdd half:0x1.004p+0 half:0x1p-11", "half:0x1.008p+0"},
    {"half", "OpFMul half:0x1p+15 half:0x1p+1", "half:0x1p+16"},
    {"half", "OpFConvert float:0.1", "half:0x1.998p-4"},
    {"float", "OpFConvert half:0x1.8p+1", "float:3"},
    {"double", "OpFDiv double:1 double:3", "double:0x1.5555555555555p-2"},
    {"float", "OpFConvert double:0.1", "float:0.1"},
    {"int", "OpConvertFToS float:-2.9", "int:-2"},
    {"uint", "OpConvertFToU float:4294967040", "uint:4294967040"},
    {"uint", "OpConvertFToU float:4294967296", ""},
    {"uint", "OpConvertFToU float:-1", ""},
    {"float", "OpConvertUToF uint:16777217", "float:16777216"},
    {"float", "OpConvertSToF int:-16777219", "float:-16777220"},
    {"half", "OpConvertSToF int:2049", "half:0x1p+11"},
    // Rounded once: through a double, it would be 0x1p+60.
    {"float", "OpConvertUToF ulong:1152921573326323713", "float:0x1.000002p+60"},
    {"bool", "OpFOrdLessThan float:-0 float:0", "bool:false"},
    {"bool", "OpFOrdEqual float:-0 float:0", "bool:true"},
    {"bool", "OpFUnordEqual float:0x1.8p+128 float:0", ""},
    {"bool", "OpIsInf float:0x1p+128", "bool:true"},
    {"float", "OpFMod float:5 float:3", ""},
    {"int", "OpExtInst %glsl SMax int:-1 int:1", "int:1"},
    {"uint", "OpExtInst %glsl UMin uint:4294967295 uint:1", "uint:1"},
    {"int", "OpExtInst %glsl SAbs int:-5", "int:5"},
    {"float", "OpExtInst %glsl FAbs float:-0", "float:0"},
    {"float", "OpExtInst %glsl Floor float:-0.5", "float:-1"},
    {"float", "OpExtInst %glsl FMin float:0 float:-0", ""},
    {"float", "OpExtInst %glsl Sin float:0", ""},
    {"float", "OpFSub float:5 float:3", "float:2"},
    {"uint", "OpBitwiseOr uint:12 uint:10", "uint:14"},
    {"uint", "OpBitwiseXor uint:12 uint:10", "uint:6"},
    {"uint", "OpBitwiseAnd uint:12 uint:10", "uint:8"},
    {"uint", "OpShiftRightLogical uint:2147483648 uint:31", "uint:1"},
    {"uint", "OpShiftRightLogical uint:1 uint:32", ""},
    {"int", "OpShiftRightArithmetic int:-2147483648 uint:31", "int:-1"},
    {"int", "OpShiftRightArithmetic int:-1 uint:32", ""},
    {"uint", "OpBitCount uint:0", "uint:0"},
    {"uint", "OpUMod uint:7 uint:0", ""},
    {"int", "OpSRem int:7 int:0", ""},
    {"ushort", "OpUConvert uint:65537", "ushort:1"},
    {"long", "OpSConvert short:-2", "long:-2"},
    {"ushort", "OpBitcast half:0x1p+0", "ushort:15360"},
    {"uint", "OpConvertFToU float:-0.5", "uint:0"},
    {"int", "OpConvertFToS float:-2147483648", "int:-2147483648"},
    {"int", "OpConvertFToS float:2147483648", ""},
    {"ushort", "OpConvertFToU float:65535", "ushort:65535"},
    {"ushort", "OpConvertFToU float:65536", ""},
    {"float", "OpConvertSToF int:-3", "float:-3"},
    {"bool", "OpIsNan float:0", "bool:false"},
    {"bool", "OpIsInf float:3", "bool:false"},
    {"float", "OpFRem float:5 float:3", ""},
    {"int", "OpExtInst %glsl SMax int:1 int:-1", "int:1"},
    {"int", "OpExtInst %glsl SMin int:-1 int:1", "int:-1"},
    {"int", "OpExtInst %glsl SMin int:1 int:-1", "int:-1"},
    {"uint", "OpExtInst %glsl UMax uint:4294967295 uint:1", "uint:4294967295"},
    {"uint", "OpExtInst %glsl UMax uint:1 uint:4294967295", "uint:4294967295"},
    {"uint", "OpExtInst %glsl UMin uint:1 uint:4294967295", "uint:1"},
    {"int", "OpExtInst %glsl SAbs int:7", "int:7"},
    {"int", "OpExtInst %glsl SAbs int:-2147483648", "int:-2147483648"},
    {"float", "OpExtInst %glsl Floor float:1.5", "float:1"},
    {"float", "OpExtInst %glsl Ceil float:1.25", "float:2"},
    {"float", "OpExtInst %glsl Ceil float:-1.25", "float:-1"},
    {"float", "OpExtInst %glsl Trunc float:-1.75", "float:-1"},
    {"float", "OpExtInst %glsl FMin float:2 float:-3", "float:-3"},
    {"float", "OpExtInst %glsl FMin float:-3 float:2", "float:-3"},
    {"float", "OpExtInst %glsl FMax float:2 float:-3", "float:2"},
    {"float", "OpExtInst %glsl FMax float:-3 float:0", "float:0"},
    {"float", "OpExtInst %glsl FMax float:1 float:0x1.8p+128", ""},
    {"float", "OpExtInst %glsl Floor float:0x1.8p+128", ""},
    {"float", "OpExtInst %glsl Trunc float:1e-40", ""},
    {"double", "OpExtInst %glsl FAbs double:-2.5", "double:2.5"},
};

std::string literal(const std::string& value, std::string& constants, int& count) {
  const size_t colon = value.find(':');
  const std::string type = value.substr(0, colon), number = value.substr(colon + 1);
  const std::string name = "%k" + std::to_string(count++);
  if (type == "bool") {
    constants += name + (number == "true" ? " = OpConstantTrue %bool\n" : " = OpConstantFalse %bool\n");
  } else {
    constants += name + " = OpConstant %" + type + " " + number + "\n";
  }
  return name;
}

// Folds a module that stores the operation's result. Returns the expected text if the stored constant equals
// the expected one, which the module has under a name.
std::string folded(const Case& c) {
  std::string constants, operation;
  int count = 0;
  std::string rest = c.operation;
  size_t at = 0;
  while (at <= rest.size()) {
    const size_t space = std::min(rest.find(' ', at), rest.size());
    const std::string word = rest.substr(at, space - at);
    operation += word.find(':') != std::string::npos ? literal(word, constants, count) : word;
    if (at == 0) operation += std::string(" %") + c.type;
    operation += ' ';
    at = space + 1;
  }
  std::string expected = c.expected;
  std::string name;
  if (!expected.empty()) name = "OpName " + literal(expected, constants, count) + " \"expected\"\n";
  const std::string text = std::string(R"(
OpCapability Shader
OpCapability Float16
OpCapability Float64
OpCapability Int16
OpCapability Int64
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
)") + name + R"(%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%ushort = OpTypeInt 16 0
%short = OpTypeInt 16 1
%ulong = OpTypeInt 64 0
%long = OpTypeInt 64 1
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%fn = OpTypeFunction %void
%_ptr = OpTypePointer Function %)" +
                           c.type + "\n" + constants + R"(
%main = OpFunction %void None %fn
%entry = OpLabel
%v = OpVariable %_ptr Function
%r = )" + operation + R"(
OpStore %v %r
OpReturn
OpFunctionEnd
)";
  spirv::Module module = read(assemble(text));
  spirv::simplify(module);
  const spirv::Instruction* wanted = nullptr;
  for (const spirv::Instruction& i : module.instructions) {
    if (i.op() == spv::Op::OpName) wanted = module.def(module.idAt(i, 1));
    if (i.op() != spv::Op::OpStore) continue;
    const spirv::Instruction* value = module.def(module.idAt(i, 2));
    REQUIRE(value != nullptr);
    if (!spirv::isConstantOp(value->op())) return "";
    if (wanted == nullptr) return "folded";
    bool same =
        wanted->opcode == value->opcode && wanted->length == value->length && wanted->type == value->type;
    for (uint32_t n = 3; n < wanted->length && same; ++n)
      same = module.word(*wanted, n) == module.word(*value, n);
    return same ? c.expected : "another value";
  }
  return "no store";
}

TEST_CASE("constants are folded to the exact value, or not at all") {
  for (const Case& c : kCases) {
    INFO(c.operation);
    CHECK(folded(c) == c.expected);
  }
}

// Each comparison, with operands that are less, equal and greater.
TEST_CASE("comparisons of constants are folded to what the operation says") {
  struct Relation {
    const char* name;
    bool less, equal, greater;
  };
  constexpr Relation kRelations[] = {
      {"Equal", false, true, false},        {"NotEqual", true, false, true},
      {"LessThan", true, false, false},     {"GreaterThan", false, false, true},
      {"LessThanEqual", true, true, false}, {"GreaterThanEqual", false, true, true},
  };
  size_t folds = 0;
  const auto check = [&](const std::string& operation, const std::string& type, const std::string& a,
                         const std::string& b, bool expected) {
    const std::string text = operation + ' ' + type + ':' + a + ' ' + type + ':' + b;
    INFO(text);
    const Case c{"bool", text.c_str(), expected ? "bool:true" : "bool:false"};
    CHECK(folded(c) == c.expected);
    ++folds;
  };
  for (const Relation& r : kRelations) {
    const std::string name = r.name;
    for (const std::string type : {"half", "float", "double"}) {
      for (const std::string prefix : {"OpFOrd", "OpFUnord"}) {
        check(prefix + name, type, "-0x1.8p+0", "0x1p+1", r.less);
        check(prefix + name, type, "0x1p+1", "0x1p+1", r.equal);
        check(prefix + name, type, "0x1p+1", "-0x1.8p+0", r.greater);
      }
    }
    for (const std::string type : {"short", "int", "long"}) {
      if (name == "Equal" || name == "NotEqual") {
        check("OpI" + name, type, "-1", "1", r.less);
        check("OpI" + name, type, "1", "1", r.equal);
        continue;
      }
      check("OpS" + name, type, "-1", "1", r.less);
      check("OpS" + name, type, "1", "1", r.equal);
      check("OpS" + name, type, "1", "-1", r.greater);
      // Read as unsigned, -1 is the largest number.
      check("OpU" + name, type, "-1", "1", r.greater);
      check("OpU" + name, type, "1", "1", r.equal);
      check("OpU" + name, type, "1", "-1", r.less);
    }
  }
  CHECK(folds == 6 * 3 * 2 * 3 + 2 * 3 * 2 + 4 * 3 * 6);
}

TEST_CASE("operations on boolean constants are folded to what the operation says") {
  size_t folds = 0;
  const auto check = [&](const std::string& operation, bool expected) {
    INFO(operation);
    const Case c{"bool", operation.c_str(), expected ? "bool:true" : "bool:false"};
    CHECK(folded(c) == c.expected);
    ++folds;
  };
  for (const bool a : {false, true}) {
    const std::string first = a ? " bool:true" : " bool:false";
    check("OpLogicalNot" + first, !a);
    for (const bool b : {false, true}) {
      const std::string both = first + (b ? " bool:true" : " bool:false");
      check("OpLogicalAnd" + both, a && b);
      check("OpLogicalOr" + both, a || b);
      check("OpLogicalEqual" + both, a == b);
      check("OpLogicalNotEqual" + both, a != b);
    }
  }
  CHECK(folds == 18);
}

// The result of an operation with an unknown operand.
struct Identity {
  const char*
      operation;         // "OPCODE a b": an operand is x (unknown), 0, 1, 2, -0, -1 (all bits), true or false
  const char* expected;  // x, one of the constants, or "" if the operation must stay
};

// With integers of every width and vectors of them. Signed operations take signed integers.
constexpr Identity kOfIntegers[] = {
    {"OpIAdd x 0", "x"},
    {"OpIAdd 0 x", "x"},
    {"OpIAdd x x", ""},
    {"OpIAdd x 1", ""},
    {"OpIAdd -1 x", ""},
    {"OpISub x 0", "x"},
    {"OpISub 0 x", ""},
    {"OpISub x x", "0"},
    {"OpISub x 1", ""},
    {"OpIMul x 1", "x"},
    {"OpIMul 1 x", "x"},
    {"OpIMul x 0", "0"},
    {"OpIMul 0 x", "0"},
    {"OpIMul x 2", ""},
    {"OpIMul x x", ""},
    {"OpIMul -1 x", ""},
    {"OpBitwiseOr x 0", "x"},
    {"OpBitwiseOr 0 x", "x"},
    {"OpBitwiseOr x x", "x"},
    {"OpBitwiseOr x 1", ""},
    {"OpBitwiseXor x 0", "x"},
    {"OpBitwiseXor 0 x", "x"},
    {"OpBitwiseXor x x", "0"},
    {"OpBitwiseXor x -1", ""},
    {"OpBitwiseAnd x x", "x"},
    {"OpBitwiseAnd x 0", "0"},
    {"OpBitwiseAnd 0 x", "0"},
    {"OpBitwiseAnd x -1", "x"},
    {"OpBitwiseAnd -1 x", "x"},
    {"OpBitwiseAnd x 1", ""},
    {"OpBitwiseAnd 2 x", ""},
    {"OpUDiv 0 x", "0"},
    {"OpUDiv x 1", "x"},
    {"OpUDiv 1 x", ""},
    {"OpUDiv x x", ""},
    {"OpUDiv x -1", ""},
    {"OpSDiv 0 x", "0"},
    {"OpSDiv x 1", "x"},
    {"OpSDiv x -1", ""},
    {"OpSDiv 1 x", ""},
    {"OpUMod x 1", "0"},
    {"OpUMod 0 x", "0"},
    {"OpUMod x 2", ""},
    {"OpUMod 1 x", ""},
    {"OpSRem 0 x", "0"},
    {"OpSRem 2 x", ""},
    {"OpSRem x 2", ""},
    {"OpSMod 0 x", "0"},
    {"OpSMod 2 x", ""},
    {"OpSMod x 2", ""},
    {"OpShiftLeftLogical 0 x", "0"},
    {"OpShiftLeftLogical x 0", "x"},
    {"OpShiftLeftLogical x 1", ""},
    {"OpShiftLeftLogical 1 x", ""},
    {"OpShiftRightLogical 0 x", "0"},
    {"OpShiftRightLogical x 0", "x"},
    {"OpShiftRightLogical x 1", ""},
    {"OpShiftRightLogical -1 x", ""},
    {"OpShiftRightArithmetic 0 x", "0"},
    {"OpShiftRightArithmetic x 0", "x"},
    {"OpShiftRightArithmetic x 1", ""},
    {"OpShiftRightArithmetic -1 x", ""},
    // The result is a Boolean.
    {"OpIEqual x x", "true"},
    {"OpIEqual x 0", ""},
    {"OpINotEqual x x", "false"},
    {"OpINotEqual 0 x", ""},
    {"OpULessThan x x", "false"},
    {"OpULessThan x 0", "false"},
    {"OpULessThan 0 x", ""},
    {"OpULessThan x 1", ""},
    {"OpUGreaterThanEqual x x", "true"},
    {"OpUGreaterThanEqual x 0", "true"},
    {"OpUGreaterThanEqual 0 x", ""},
    {"OpUGreaterThanEqual x 1", ""},
    {"OpUGreaterThan x x", "false"},
    {"OpUGreaterThan x 0", ""},
    {"OpULessThanEqual x x", "true"},
    {"OpULessThanEqual x 0", ""},
    {"OpSLessThan x x", "false"},
    {"OpSLessThan x 0", ""},
    {"OpSGreaterThan x x", "false"},
    {"OpSGreaterThan x 0", ""},
    {"OpSLessThanEqual x x", "true"},
    {"OpSLessThanEqual x 0", ""},
    {"OpSGreaterThanEqual x x", "true"},
    {"OpSGreaterThanEqual x 0", ""},
};

// Only what holds for a NaN and for both zeros as well.
constexpr Identity kOfFloats[] = {
    {"OpFAdd x -0", "x"}, {"OpFAdd -0 x", "x"}, {"OpFAdd x 0", ""},      {"OpFAdd 0 x", ""},
    {"OpFSub x 0", "x"},  {"OpFSub x -0", ""},  {"OpFSub 0 x", ""},      {"OpFSub x x", ""},
    {"OpFMul x 1", "x"},  {"OpFMul 1 x", "x"},  {"OpFMul x 0", ""},      {"OpFMul x 2", ""},
    {"OpFMul 2 x", ""},   {"OpFDiv x 1", "x"},  {"OpFDiv 1 x", ""},      {"OpFDiv x 2", ""},
    {"OpFDiv x x", ""},   {"OpFDiv 0 x", ""},   {"OpFOrdEqual x x", ""}, {"OpFUnordNotEqual x x", ""},
};

constexpr Identity kOfBooleans[] = {
    {"OpLogicalAnd x x", "x"},          {"OpLogicalAnd x true", "x"},      {"OpLogicalAnd true x", "x"},
    {"OpLogicalAnd x false", "false"},  {"OpLogicalAnd false x", "false"}, {"OpLogicalOr x x", "x"},
    {"OpLogicalOr x false", "x"},       {"OpLogicalOr false x", "x"},      {"OpLogicalOr x true", "true"},
    {"OpLogicalOr true x", "true"},     {"OpLogicalEqual x true", "x"},    {"OpLogicalEqual true x", "x"},
    {"OpLogicalEqual x false", ""},     {"OpLogicalEqual false x", ""},    {"OpLogicalNotEqual x false", "x"},
    {"OpLogicalNotEqual false x", "x"}, {"OpLogicalNotEqual x true", ""},  {"OpLogicalNotEqual true x", ""},
    {"OpSelect x true true", "true"},   {"OpSelect x false true", ""},     {"OpSelect true x false", "x"},
    {"OpSelect false true x", "x"},     {"OpSelect true true x", "true"},
};

// The name of a constant in a module.
std::string nameOf(std::string value) {
  std::replace(value.begin(), value.end(), '-', 'm');
  return "%c" + value;
}

// The constants of a type, as declarations with the names that the tables above use.
std::string constantsOf(const std::string& scalar, bool isVector, const char* kind) {
  std::vector<std::pair<std::string, std::string>> values;  // name, instruction without its result
  if (kind[0] == 'b') {
    values = {{"true", "OpConstantTrue %bool"}, {"false", "OpConstantFalse %bool"}};
  } else {
    const std::string constant = "OpConstant %" + scalar + " ";
    values = {{"0", constant + "0"}, {"1", constant + "1"}, {"2", constant + "2"}};
    if (kind[0] == 'f') values.emplace_back("-0", constant + "-0");
    if (kind[0] == 'u')
      values.emplace_back("-1", constant + (scalar == "uchar"    ? "255"
                                            : scalar == "ushort" ? "65535"
                                            : scalar == "uint"   ? "4294967295"
                                                                 : "18446744073709551615"));
    if (kind[0] == 's') values.emplace_back("-1", constant + "-1");
  }
  std::string text;
  for (const auto& [value, instruction] : values) {
    const std::string own = nameOf(value), name = own.substr(1);
    text += (isVector ? "%s" + name : own) + " = " + instruction + "\n";
    if (isVector) text += own + " = OpConstantComposite %" + scalar + "_2 %s" + name + " %s" + name + "\n";
  }
  if (kind[0] != 'b')
    text += isVector ? "%true = OpConstantTrue %bool\n%false = OpConstantFalse %bool\n"
                       "%ctrue = OpConstantComposite %bool_2 %true %true\n"
                       "%cfalse = OpConstantComposite %bool_2 %false %false\n"
                     : "%ctrue = OpConstantTrue %bool\n%cfalse = OpConstantFalse %bool\n";
  return text;
}

std::string simplified(const Identity& c, const std::string& scalar, bool isVector, const char* kind) {
  const std::string type = scalar + (isVector ? "_2" : "");
  std::string operation = c.operation;
  const bool isComparison = operation.find("Equal") != std::string::npos ||
                            operation.find("Less") != std::string::npos ||
                            operation.find("Greater") != std::string::npos;
  const std::string result = isComparison && kind[0] != 'b' ? (isVector ? "bool_2" : "bool") : type;
  std::string line;
  for (size_t at = 0; at < operation.size();) {
    const size_t space = std::min(operation.find(' ', at), operation.size());
    const std::string word = operation.substr(at, space - at);
    line += at == 0 ? word + " %" + result : word == "x" ? " %x" : " " + nameOf(word);
    at = space + 1;
  }
  const std::string text = std::string(R"(
OpCapability Shader
OpCapability Float16
OpCapability Float64
OpCapability Int8
OpCapability Int16
OpCapability Int64
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %unknown
OpExecutionMode %main LocalSize 1 1 1
)") + (*c.expected == '\0' || *c.expected == 'x' ? "" : "OpName " + nameOf(c.expected) + " \"expected\"\n") +
                           R"(%void = OpTypeVoid
%bool = OpTypeBool
%uchar = OpTypeInt 8 0
%char = OpTypeInt 8 1
%ushort = OpTypeInt 16 0
%short = OpTypeInt 16 1
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%ulong = OpTypeInt 64 0
%long = OpTypeInt 64 1
%half = OpTypeFloat 16
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%bool_2 = OpTypeVector %bool 2
)" + (isVector && scalar != "bool" ? "%" + type + " = OpTypeVector %" + scalar + " 2\n" : "") +
                           "%fn = OpTypeFunction %void\n%_to = OpTypePointer Function %" + result +
                           "\n%_from = OpTypePointer Private %" + type + "\n" +
                           constantsOf(scalar, isVector, kind) + R"(
%unknown = OpVariable %_from Private
%main = OpFunction %void None %fn
%entry = OpLabel
%v = OpVariable %_to Function
%x = OpLoad %)" + type + R"( %unknown
%r = )" + line + R"(
OpStore %v %r
OpReturn
OpFunctionEnd
)";
  const std::vector<uint32_t> words = assemble(text);
  CHECK(validate(words) == "");
  spirv::Module module = read(words);
  spirv::simplify(module);
  spirv::Id expected;
  for (const spirv::Instruction& i : module.instructions) {
    if (i.op() == spv::Op::OpName) expected = module.idAt(i, 1);
    if (i.op() != spv::Op::OpStore) continue;
    const spirv::Id stored = module.idAt(i, 2);
    const spirv::Instruction* value = module.def(stored);
    REQUIRE(value != nullptr);
    if (value->op() == spv::Op::OpLoad) return "x";
    if (!spirv::isConstantOp(value->op())) return "";
    return stored == expected ? c.expected : "another constant";
  }
  return "no store";
}

TEST_CASE("operations with an unknown operand become what holds for each of its values") {
  struct Type {
    const char* scalar;
    const char* kind;  // unsigned, signed, float, bool
  };
  constexpr Type kTypes[] = {{"uchar", "u"}, {"ushort", "u"}, {"uint", "u"},   {"ulong", "u"},
                             {"char", "s"},  {"short", "s"},  {"int", "s"},    {"long", "s"},
                             {"half", "f"},  {"float", "f"},  {"double", "f"}, {"bool", "b"}};
  size_t tried = 0;
  for (const Type& type : kTypes) {
    const std::span<const Identity> table = *type.kind == 'f'   ? std::span<const Identity>(kOfFloats)
                                            : *type.kind == 'b' ? std::span<const Identity>(kOfBooleans)
                                                                : std::span<const Identity>(kOfIntegers);
    for (const bool isVector : {false, true}) {
      for (const Identity& c : table) {
        // UDiv and UMod take unsigned integers only.
        const std::string name = c.operation;
        if (*type.kind == 's' && (name.starts_with("OpUDiv") || name.starts_with("OpUMod"))) continue;
        INFO(type.scalar << (isVector ? " vector: " : ": ") << name);
        CHECK(simplified(c, type.scalar, isVector, type.kind) == c.expected);
        ++tried;
      }
    }
  }
  CHECK(tried ==
        2 * (4 * (2 * std::size(kOfIntegers) - 9) + 3 * std::size(kOfFloats) + std::size(kOfBooleans)));
}

// The results of float operations follow the execution modes of float controls. Constants are rounded to
// nearest, and denormals are kept.
TEST_CASE("operations on floats stay where an execution mode changes their results") {
  const auto isFolded = [](const std::string& capability, const std::string& mode) {
    const std::string text = "OpCapability Shader\n" + capability + R"(
OpExtension "SPV_KHR_float_controls"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
)" + mode + R"(
%void = OpTypeVoid
%fn = OpTypeFunction %void
%float = OpTypeFloat 32
%pointer = OpTypePointer Function %float
%third = OpConstant %float 0.333333
%main = OpFunction %void None %fn
%entry = OpLabel
%v = OpVariable %pointer Function
%x = OpFNegate %float %third
OpStore %v %x
OpReturn
OpFunctionEnd
)";
    const std::vector<uint32_t> words = assemble(text);
    CHECK(validate(words) == "");
    spirv::Module module = read(words);
    spirv::simplify(module);
    return std::none_of(module.instructions.begin(), module.instructions.end(),
                        [](const spirv::Instruction& i) { return i.op() == spv::Op::OpFNegate; });
  };
  CHECK(isFolded("", ""));
  CHECK_FALSE(isFolded("OpCapability RoundingModeRTZ", "OpExecutionMode %main RoundingModeRTZ 32"));
  CHECK_FALSE(isFolded("OpCapability DenormFlushToZero", "OpExecutionMode %main DenormFlushToZero 32"));
  CHECK(isFolded("OpCapability RoundingModeRTE", "OpExecutionMode %main RoundingModeRTE 32"));
  CHECK(isFolded("OpCapability DenormPreserve", "OpExecutionMode %main DenormPreserve 32"));
}

}  // namespace
}  // namespace coopc::tests
