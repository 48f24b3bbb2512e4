// The writer of lowered code, which inserts control flow in the middle of blocks of any shape. Code is
// written in place of each `OpNot` of a module: a loop inside a selection. The result must be valid, whatever
// the block was.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/structure.hpp"
#include "spirv/writer.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

namespace op = spirv::op;
using spirv::Id;
using spirv::Instruction;
using spirv::lower::Bool;
using spirv::lower::Code;
using spirv::lower::UInt;
using spirv::lower::Unroll;

constexpr char kPrelude[] = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %out
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %Out Block
OpMemberDecorate %Out 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 0
%void = OpTypeVoid
%func = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%uint_0 = OpConstant %uint 0
%uint_1 = OpConstant %uint 1
%uint_9 = OpConstant %uint 9
%Out = OpTypeStruct %uint
%ptr_Out = OpTypePointer StorageBuffer %Out
%ptr_uint = OpTypePointer StorageBuffer %uint
%out = OpVariable %ptr_Out StorageBuffer
%main = OpFunction %void None %func
%entry = OpLabel
%at = OpAccessChain %ptr_uint %out %uint_0
%x = OpLoad %uint %at
)";
constexpr char kEnd[] = "OpReturn\nOpFunctionEnd\n";

struct Written {
  bool fault = false;
  size_t places = 0;
  std::vector<uint32_t> words;
};

// Replaces each OpNot of x: if x is a multiple of 4, by a sum from a loop in a loop, else by the value of a
// variable after a conditional store.
Written rewrite(const std::vector<uint32_t>& before, Unroll unroll) {
  spirv::Module module = read(before);
  Code c(module);
  Written written;
  c.writer.rewrite([&](const Instruction& i) {
    if (i.op() != spv::Op::OpNot) return false;
    ++written.places;
    const Id x = module.idAt(i, 3), u32 = c.globals.typeU32(), one = c.u32(1), four = c.u32(4);
    const Id odd = mod(c, x, four);
    const Id isOdd = less(c, odd, one);
    const Id value = choose(
        c, isOdd, u32,
        [&] {
          return loop(c, four, unroll, {x, one}, [&](Id n, std::vector<Id>& carried) {
            carried[0] = add(c, carried[0], n);
            carried = loop(c, n, unroll, carried,
                           [&](Id inner, std::vector<Id>& more) { more[1] = add(c, more[1], inner); });
          })[1];
        },
        [&] {
          const Id variable = c.localVariable(u32);
          c.store(variable, x);
          ifThen(c, isOdd, [&] { c.store(variable, one); });
          return c.load(u32, variable);
        });
    c.makeAs<op::CopyObject>(i.type, i.result, {value});
    return true;
  });
  written.fault = c.writer.fault();
  c.finish();
  written.words = spirv::writeModule(module);
  return written;
}

void checkBody(const std::string& body, size_t places) {
  INFO(body.substr(0, 2000));
  const std::vector<uint32_t> before = assemble(kPrelude + body + kEnd);
  REQUIRE(validate(before) == "");
  for (const Unroll unroll : {Unroll::Yes, Unroll::No}) {
    const Written after = rewrite(before, unroll);
    CHECK_FALSE(after.fault);
    CHECK(after.places == places);
    CHECK(validate(after.words) == "");
    CHECK(spirv::structureFault(read(after.words)) == "");
    CHECK(rewrite(before, unroll).words == after.words);
  }
}

TEST_CASE("code is written into straight blocks, selections and merges with phis") {
  checkBody("%a = OpNot %uint %x\n%b = OpNot %uint %a\nOpStore %at %b\n", 2);
  checkBody(R"(
%less = OpULessThan %bool %x %uint_9
%a = OpNot %uint %x
OpSelectionMerge %merge None
OpBranchConditional %less %then %merge
%then = OpLabel
%b = OpNot %uint %a
OpBranch %merge
%merge = OpLabel
%c = OpPhi %uint %a %entry %b %then
%d = OpNot %uint %c
OpStore %at %d
)",
            3);
}

// A loop whose header has the test, with code in its header, body and continue block.
std::string loopWith(const std::string& header, const std::string& body, const std::string& tail) {
  return R"(
OpBranch %header
%header = OpLabel
%i = OpPhi %uint %uint_0 %entry %next %continue
)" + header +
         R"(
%less = OpULessThan %bool %i %uint_9
OpLoopMerge %merge %continue None
OpBranchConditional %less %body %merge
%body = OpLabel
)" + body +
         R"(
OpBranch %continue
%continue = OpLabel
)" + tail +
         R"(
%next = OpIAdd %uint %i %uint_1
OpBranch %header
%merge = OpLabel
OpStore %at %i
)";
}

TEST_CASE("code is written into loop headers, bodies and continue blocks") {
  const std::string place = "%a = OpNot %uint %i";
  checkBody(loopWith(place, "", ""), 1);
  checkBody(loopWith("", place, ""), 1);
  checkBody(loopWith(place, "%b = OpNot %uint %a\n%c = OpNot %uint %b", ""), 3);
  checkBody(loopWith("", "", ""), 0);
  // A header with line information before its code.
  checkBody(loopWith("OpNoLine\n%z = OpIAdd %uint %i %i\nOpNoLine\n" + place, "", ""), 1);
}

TEST_CASE("code is written into a loop whose header is its body") {
  checkBody(R"(
OpBranch %header
%header = OpLabel
%i = OpPhi %uint %uint_0 %entry %next %continue
%a = OpNot %uint %i
%next = OpIAdd %uint %i %uint_1
OpLoopMerge %merge %continue None
OpBranch %continue
%continue = OpLabel
%less = OpULessThan %bool %next %uint_9
OpBranchConditional %less %header %merge
%merge = OpLabel
OpStore %at %a
)",
            1);
}

TEST_CASE("a header that branches into two blocks of its loop is a fault, not a wrong module") {
  const std::vector<uint32_t> before = assemble(std::string(kPrelude) + R"(
OpBranch %header
%header = OpLabel
%i = OpPhi %uint %uint_0 %entry %next %continue
%a = OpNot %uint %i
%less = OpULessThan %bool %i %uint_9
OpLoopMerge %merge %continue None
OpBranchConditional %less %left %right
%left = OpLabel
OpBranch %continue
%right = OpLabel
OpBranch %merge
%continue = OpLabel
%next = OpIAdd %uint %i %uint_1
OpBranch %header
%merge = OpLabel
)" + kEnd);
  CHECK(rewrite(before, Unroll::No).fault);
}

TEST_CASE("deep and long functions are rewritten") {
  // Loops in loops, each with a place in its header.
  std::string open, close;
  std::string before = "entry", value = "x";
  constexpr size_t kDeep = 60;
  for (size_t n = 0; n < kDeep; ++n) {
    const std::string k = std::to_string(n);
    open += "OpBranch %h" + k + "\n%h" + k + " = OpLabel\n%i" + k + " = OpPhi %uint %uint_0 %" + before +
            " %n" + k + " %c" + k + "\n%a" + k + " = OpNot %uint %i" + k + "\n%l" + k +
            " = OpULessThan %bool %a" + k + " %uint_9\nOpLoopMerge %m" + k + " %c" + k +
            " None\nOpBranchConditional %l" + k + " %b" + k + " %m" + k + "\n%b" + k + " = OpLabel\n";
    close = "OpBranch %c" + k + "\n%c" + k + " = OpLabel\n%n" + k + " = OpIAdd %uint %i" + k +
            " %uint_1\nOpBranch %h" + k + "\n%m" + k + " = OpLabel\n" + close;
    before = "b" + k;
  }
  checkBody(open + close, kDeep);

  // One block with many places, and blocks after it with as many. Work that is quadratic in them would exceed
  // the tests' time limit. The work of SPIRV-Tools is, so it checks a shorter function.
  for (const size_t places : {3000, 30000}) {
    std::string longBody = "%v0 = OpNot %uint %x\n";
    for (size_t n = 1; n < places; ++n) {
      longBody += "%v" + std::to_string(n) + " = OpNot %uint %v" + std::to_string(n - 1) + "\n";
      if (n % 3 != 0) continue;
      const std::string k = std::to_string(n);
      longBody += "OpBranch %s" + k + "\n%s" + k + " = OpLabel\n";
    }
    const Written after = rewrite(assemble(kPrelude + longBody + kEnd), Unroll::No);
    CHECK_FALSE(after.fault);
    CHECK(after.places == places);
    CHECK(spirv::structureFault(read(after.words)) == "");
    if (places < 10000) CHECK(validate(after.words) == "");
  }
}

TEST_CASE("types and constants are found or made once, and stand after what they use") {
  spirv::Module module = read(assemble(std::string(kPrelude) + kEnd));
  Code c(module);
  const Id u32 = c.globals.typeU32();
  CHECK(module.opOf(u32) == spv::Op::OpTypeInt);
  const Id nine = c.u32(9);
  CHECK(module.opOf(nine) == spv::Op::OpConstant);
  const Id array = c.globals.typeArray(u32, 77);
  CHECK(c.globals.typeArray(u32, 77) == array);
  const Id variable = c.globals.variable(spv::StorageClass::Workgroup, array);
  CHECK(c.globals.has(variable));
  CHECK(c.globals.has(nine));
  const Id sum = add(c, nine, nine), product = mul(c, nine, sum);
  CHECK(c.globals.constantValue(sum) == 18u);
  CHECK(c.globals.constantValue(product) == 162u);
  // A parameter can be added while the body is written.
  const Id function = c.writer.addFunction(u32, {u32}, [&](const std::vector<Id>& given) {
    const Id more = c.writer.parameter(u32);
    const Id both = add(c, given[0], more);
    c.make<op::ReturnValue>({both});
  });
  c.annotations.name(function, "twoParameters");
  c.finish();
  const std::vector<uint32_t> words = spirv::writeModule(module);
  CHECK(validate(words) == "");
  CHECK(textOf(words).find("OpTypeFunction %uint %uint %uint") != std::string::npos);
}

// At most one operand may be the result of a call, because C++ does not define the order of two calls.
template <class L, class R>
concept CanBeAdded = requires(L&& l, R&& r) {
  std::forward<L>(l) + std::forward<R>(r);
};
static_assert(CanBeAdded<const UInt&, const UInt&> && CanBeAdded<const UInt&, uint32_t>);
static_assert(CanBeAdded<UInt, const UInt&> && CanBeAdded<UInt, uint32_t> && CanBeAdded<const UInt&, UInt>);
static_assert(!CanBeAdded<UInt, UInt>);
// An Id returned by a call, a bool and a Bool cannot be added.
static_assert(CanBeAdded<const UInt&, const Id&> && !CanBeAdded<const UInt&, Id>);
static_assert(!CanBeAdded<const UInt&, bool> && !CanBeAdded<const UInt&, Bool>);

TEST_CASE("an expression of values writes its constants, then its instructions, from left to right") {
  spirv::Module module = read(assemble(std::string(kPrelude) + kEnd));
  Code c(module);
  const Id u32 = c.globals.typeU32();
  c.writer.addFunction(u32, {u32, u32}, [&](const std::vector<Id>& given) {
    const UInt a(c, given[0]), b(c, given[1]);
    const UInt sum = a * 1001 + b / 1002 * 1003;
    const UInt same = (sum + 0) * 1 / 1 - 0;
    CHECK(Id(same) == Id(sum));
    CHECK(c.globals.constantValue(c.u32(6) * 7 - 2) == 40u);
    const Id smaller = select(sum < b && !equal(a, b), sum, b % 1004);
    c.make<op::ReturnValue>({smaller});
  });
  c.finish();
  const std::vector<uint32_t> words = spirv::writeModule(module);
  CHECK(validate(words) == "");
  const std::string text = textOf(words);
  size_t at = 0;
  for (const char* next :
       {"OpConstant %uint 1001", "OpConstant %uint 1002", "OpConstant %uint 1003", "OpFunctionParameter",
        "OpIMul", "OpUDiv", "OpIMul", "OpIAdd", "OpULessThan", "OpIEqual", "OpLogicalNot", "OpLogicalAnd",
        "OpUMod", "OpSelect", "OpReturnValue"}) {
    INFO(next << " in\n" << text);
    const size_t found = text.find(next, at);
    REQUIRE(found != std::string::npos);
    at = found + 1;
  }
  // There are no other operations.
  CHECK(text.find("OpISub") == std::string::npos);
  CHECK(text.find("OpIAdd", text.find("OpIAdd") + 1) == std::string::npos);
}

TEST_CASE("a result is written once while it holds, and again elsewhere") {
  spirv::Module module = read(assemble(std::string(kPrelude) + kEnd));
  Code c(module);
  const Id u32 = c.globals.typeU32(), one = c.u32(1), nine = c.u32(9);
  c.writer.addFunction(u32, {u32}, [&](const std::vector<Id>& given) {
    const Id x = given[0], sum = add(c, x, nine), condition = less(c, x, nine);
    CHECK(add(c, x, nine) == sum);
    CHECK(add(c, x, one) != sum);
    CHECK(less(c, x, nine) == condition);
    Id inside, other, first;
    ifThen(c, condition, [&] {
      CHECK(add(c, x, nine) == sum);
      inside = mul(c, x, nine);
      CHECK(mul(c, x, nine) == inside);
    });
    const Id after = mul(c, x, nine);
    CHECK(after != inside);
    const Id chosen = choose(
        c, condition, u32, [&] { return first = div(c, x, nine); }, [&] { return other = div(c, x, nine); });
    CHECK(first != other);
    CHECK(chosen != first);
    loop(c, nine, Unroll::No, [&](Id index) {
      CHECK(mul(c, x, nine) == after);
      inside = add(c, x, index);
    });
    CHECK(div(c, x, nine) != inside);
    // Neither loads nor the results of another function are reused.
    const Id variable = c.localVariable(u32);
    c.store(variable, sum);
    const Id loaded = c.load(u32, variable);
    CHECK(c.load(u32, variable) != loaded);
    c.writer.addFunction(u32, {u32}, [&](const std::vector<Id>&) {
      const Id again = add(c, x, nine);
      CHECK(again != sum);
      c.make<op::ReturnValue>({again});
    });
    CHECK(add(c, x, nine) == sum);
    // A large block has as many results as these.
    std::vector<Id> many;
    for (uint32_t n = 10; n < 3000; ++n) {
      const Id constant = c.u32(n);
      many.push_back(mul(c, x, constant));
    }
    for (uint32_t n = 10; n < 3000; ++n) {
      const Id constant = c.u32(n);
      if (mul(c, x, constant) != many[n - 10]) FAIL("the product by " << n << " is written again");
    }
    CHECK(add(c, x, nine) == sum);
    // At a label from the module, no earlier result is known to be available.
    const Id label = module.newId();
    c.make<op::Branch>({label});
    c.writer.append(module.make<op::Label>(label));
    CHECK(add(c, x, nine) != sum);
    c.make<op::ReturnValue>({sum});
  });
}

}  // namespace
}  // namespace coopc::tests
