// Constant folding, operation by operation: the exact bits, or no folding if the bits are not certain.
#include <algorithm>
#include <string>

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

}  // namespace
}  // namespace coopc::tests
