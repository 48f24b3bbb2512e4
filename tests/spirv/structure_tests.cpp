// The check of a module's structure finds the faults that a pass could cause.
#include <algorithm>
#include <functional>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "spirv/structure.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

using spirv::Instruction;
using spirv::Module;
using spv::Op;

// The types and the entry point of this file's modules.
const std::string kHead = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
)";

const std::string kText = kHead + R"(
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%uint_1 = OpConstant %uint 1
%float_1 = OpConstant %float 1
%pointer = OpTypePointer Function %uint
%unary = OpTypeFunction %uint %uint
%main = OpFunction %void None %fn
%entry = OpLabel
%v = OpVariable %pointer Function
%a = OpIAdd %uint %uint_1 %uint_1
OpSelectionMerge %merge None
OpBranchConditional %true %then %merge
%then = OpLabel
%b = OpIAdd %uint %a %uint_1
OpBranch %merge
%merge = OpLabel
%p = OpPhi %uint %a %entry %b %then
OpStore %v %p
%l = OpLoad %uint %v
%c = OpFunctionCall %uint %callee %l
OpReturn
OpFunctionEnd
%callee = OpFunction %uint None %unary
%x = OpFunctionParameter %uint
%other = OpLabel
%y = OpIAdd %uint %x %x
OpReturnValue %y
OpFunctionEnd
)";

uint32_t indexOf(const Module& m, Op op, int nth = 0) {
  for (uint32_t n = 0; n < m.instructions.size(); ++n) {
    if (m.instructions[n].op() == op && nth-- == 0) return n;
  }
  FAIL("no such instruction");
  return 0;
}

Instruction& find(Module& m, Op op, int nth = 0) { return m.instructions[indexOf(m, op, nth)]; }

struct Break {
  const char* fault;  // a part of the check's message
  std::function<void(Module&)> run;
};

TEST_CASE("a sound module has no fault") { CHECK(spirv::structureFault(read(assemble(kText))) == ""); }

TEST_CASE("words of functions that were just read are not looked at again, all else is") {
  Module m = read(assemble(kText));
  CHECK(spirv::structureFault(m, spirv::FunctionWords::AsRead) == "");
  Module longer = m;
  Instruction& load = find(longer, Op::OpLoad);
  load = longer.make(Op::OpLoad, load.type, load.result, {longer.word(load, 3), 0u, 1u});
  CHECK(spirv::structureFault(longer, spirv::FunctionWords::Any).find("do not fit the grammar") !=
        std::string::npos);
  CHECK(spirv::structureFault(longer, spirv::FunctionWords::AsRead) == "");
  Module typed = m;
  typed.setIdAt(find(typed, Op::OpPhi), 3, find(typed, Op::OpConstant, 1).result);
  CHECK(spirv::structureFault(typed, spirv::FunctionWords::AsRead).find("of another type") !=
        std::string::npos);
  Module moved = m;
  const spirv::Id id = moved.newId();
  const Instruction type = moved.make(Op::OpTypeFloat, spirv::kNoId, id, {16u});
  moved.instructions.insert(moved.instructions.begin() + indexOf(moved, Op::OpReturn), type);
  moved.reindex();
  CHECK(spirv::structureFault(moved, spirv::FunctionWords::AsRead).find("comes after the first function") !=
        std::string::npos);
}

TEST_CASE("each kind of fault is found") {
  const auto moveTo = [](Module& m, uint32_t from, uint32_t to) {
    const Instruction i = m.instructions[from];
    m.instructions.erase(m.instructions.begin() + from);
    m.instructions.insert(m.instructions.begin() + to, i);
    m.reindex();
  };
  const Break breaks[] = {
      {"which is not defined",
       [](Module& m) { m.definitions[find(m, Op::OpIAdd).result.index()] = spirv::kNone; }},
      {"outside the bound", [](Module& m) { m.at(find(m, Op::OpIAdd))[3] = m.bound; }},
      {"outside the bound", [](Module& m) { m.at(find(m, Op::OpStore))[1] = 0; }},
      {"another first word", [](Module& m) { find(m, Op::OpIAdd).length = 4; }},
      {"another type or result", [](Module& m) { find(m, Op::OpIAdd).type = spirv::Id(1u); }},
      {"do not fit the grammar",
       [](Module& m) {
         Instruction& i = find(m, Op::OpIAdd);
         i = m.make(Op::OpIAdd, i.type, i.result, {m.word(i, 3)});
       }},
      {"is not where the module's index has it",
       [](Module& m) { std::swap(m.instructions[indexOf(m, Op::OpLoad)], find(m, Op::OpFunctionCall)); }},
      {"consists of %",
       [](Module& m) { m.setIdAt(find(m, Op::OpTypeFunction, 1), 2, find(m, Op::OpConstant).result); }},
      {"as its type, which is not a type",
       [](Module& m) {
         Instruction& i = find(m, Op::OpIAdd);
         i.type = find(m, Op::OpConstant).result;
         m.setIdAt(i, 1, i.type);
       }},
      {"which does not dominate it",
       [](Module& m) { m.setIdAt(find(m, Op::OpStore), 2, find(m, Op::OpIAdd, 1).result); }},
      {"which does not dominate it",
       [&](Module& m) { moveTo(m, indexOf(m, Op::OpLoad), indexOf(m, Op::OpReturn) - 1); }},
      {"of another function",
       [](Module& m) { m.setIdAt(find(m, Op::OpIAdd, 2), 4, find(m, Op::OpIAdd).result); }},
      {"passes a function",
       [](Module& m) { m.setIdAt(find(m, Op::OpFunctionCall), 4, find(m, Op::OpFunction, 1).result); }},
      {"uses the function",
       [](Module& m) { m.setIdAt(find(m, Op::OpIAdd), 4, find(m, Op::OpFunction, 1).result); }},
      {"values for 2 predecessors",
       [](Module& m) {
         Instruction& i = find(m, Op::OpPhi);
         i = m.make(Op::OpPhi, i.type, i.result, {m.word(i, 3), m.word(i, 4)});
       }},
      {"which is not a predecessor",
       [](Module& m) { m.setIdAt(find(m, Op::OpPhi), 4, find(m, Op::OpLabel, 2).result); }},
      {"of another type",
       [](Module& m) { m.setIdAt(find(m, Op::OpPhi), 3, find(m, Op::OpConstant, 1).result); }},
      {"comes after other instructions",
       [&](Module& m) {
         m.setIdAt(find(m, Op::OpStore), 2, find(m, Op::OpIAdd).result);
         moveTo(m, indexOf(m, Op::OpPhi), indexOf(m, Op::OpReturn) - 1);
       }},
      {"stands outside the first block",
       [](Module& m) {
         const Instruction& v = find(m, Op::OpVariable);
         const spirv::Id id = m.newId();
         const Instruction another = m.make(Op::OpVariable, v.type, id, {m.word(v, 3)});
         m.instructions.insert(m.instructions.begin() + indexOf(m, Op::OpReturn), another);
         m.reindex();
       }},
      {"comes after the first function",
       [](Module& m) {
         const spirv::Id id = m.newId();
         const Instruction another = m.make(Op::OpTypeFloat, spirv::kNoId, id, {16u});
         m.instructions.insert(m.instructions.begin() + indexOf(m, Op::OpReturn), another);
         m.reindex();
       }},
      // The number of ids is that of another instruction with the same opcode, which was at the right place.
      {"comes after the first function",
       [](Module& m) {
         const spirv::Id id = m.newId();
         const Instruction another =
             m.make(Op::OpTypeFunction, spirv::kNoId, id, {find(m, Op::OpTypeVoid).result});
         m.instructions.insert(m.instructions.begin() + indexOf(m, Op::OpReturn), another);
         m.reindex();
       }},
      {"is of no set",
       [](Module& m) {
         Instruction& i = find(m, Op::OpIAdd);
         i = m.make(Op::OpExtInst, i.type, i.result, {m.word(i, 3), 5u, m.word(i, 4)});
       }},
      {"which comes later",
       [](Module& m) {
         std::swap(m.instructions[indexOf(m, Op::OpTypeInt)], find(m, Op::OpConstant));
         m.reindex();
       }},
      {"as a value", [](Module& m) { m.setIdAt(find(m, Op::OpIAdd, 1), 3, find(m, Op::OpLabel).result); }},
      {"branches on",
       [](Module& m) { m.setIdAt(find(m, Op::OpBranchConditional), 1, find(m, Op::OpLabel, 1).result); }},
      {"switches on",
       [](Module& m) {
         Instruction& i = find(m, Op::OpBranchConditional);
         i = m.make(Op::OpSwitch, {m.word(i, 2), m.word(i, 3)});
       }},
      {"the type of its initial value",
       [](Module& m) {
         Instruction& v = find(m, Op::OpVariable);
         v = m.make(Op::OpVariable, v.type, v.result,
                    {m.word(v, 3), find(m, Op::OpConstant, 1).result.index()});
       }},
      {"is not a pointer",
       [](Module& m) {
         Instruction& v = find(m, Op::OpVariable);
         v.type = find(m, Op::OpTypeInt).result;
         m.setIdAt(v, 1, v.type);
       }},
      {"is not a pointer",
       [](Module& m) {
         const spirv::Id id = m.newId();
         const Instruction between =
             m.make(Op::OpVariable, find(m, Op::OpTypeInt).result, id, {spv::StorageClass::Function});
         m.instructions.insert(m.instructions.begin() + indexOf(m, Op::OpFunction, 1), between);
         m.reindex();
       }},
      {"has an id as an operand",
       [](Module& m) {
         const Instruction decoration = m.make(
             Op::OpDecorate, {find(m, Op::OpVariable).result.index(), uint32_t(spv::Decoration::AlignmentId),
                              find(m, Op::OpConstant).result.index()});
         m.instructions.insert(m.instructions.begin() + indexOf(m, Op::OpTypeVoid), decoration);
         m.reindex();
       }},
      {"not what it may name",
       [](Module& m) { m.setIdAt(find(m, Op::OpEntryPoint), 2, find(m, Op::OpTypeVoid).result); }},
      {"no function type",
       [](Module& m) { m.setIdAt(find(m, Op::OpFunction), 4, find(m, Op::OpTypeVoid).result); }},
      {"the unknown enumerant", [](Module& m) { m.at(find(m, Op::OpVariable))[3] = 13; }},
      {"make no graph", [](Module& m) { m.setIdAt(find(m, Op::OpBranch), 1, find(m, Op::OpLabel).result); }},
      {"the type of what it points to",
       [](Module& m) {
         const Instruction& v = find(m, Op::OpVariable);
         const spirv::Id pointer = m.newId(), id = m.newId();
         const Instruction type = m.make(Op::OpTypePointer, spirv::kNoId, pointer,
                                         {spv::StorageClass::Function, find(m, Op::OpTypeFloat).result});
         const Instruction chain = m.make(Op::OpAccessChain, pointer, id, {v.result});
         m.instructions.insert(m.instructions.begin() + indexOf(m, Op::OpStore), chain);
         m.instructions.insert(m.instructions.begin() + indexOf(m, Op::OpFunction), type);
         m.reindex();
       }},
      {"stands between a merge instruction",
       [&](Module& m) { moveTo(m, indexOf(m, Op::OpSelectionMerge), indexOf(m, Op::OpIAdd)); }},
      {"stands inside a block", [](Module& m) { find(m, Op::OpBranch).opcode = uint16_t(Op::OpNop); }},
      {"stands outside a block",
       [](Module& m) {
         Instruction& i = find(m, Op::OpIAdd, 1);
         i = m.make(Op::OpUnreachable, {});
       }},
      {"stands outside a block",
       [&](Module& m) { moveTo(m, indexOf(m, Op::OpSelectionMerge), indexOf(m, Op::OpLabel)); }},
      {"stands outside a block",
       [&](Module& m) { moveTo(m, indexOf(m, Op::OpSelectionMerge), indexOf(m, Op::OpBranch)); }},
      {"does not end", [](Module& m) { m.instructions.pop_back(); }},
      {"comes before the block that dominates it",
       [](Module& m) {
         // The entry branches to the merge block, which branches to the other one.
         Instruction& end = find(m, Op::OpBranchConditional);
         const spirv::Id merge = m.idAt(end, 3), then = m.idAt(end, 2);
         end = m.make(Op::OpBranch, {merge});
         find(m, Op::OpSelectionMerge).opcode = find(m, Op::OpPhi).opcode = uint16_t(Op::OpNop);
         m.setIdAt(find(m, Op::OpStore), 2, find(m, Op::OpIAdd).result);
         find(m, Op::OpBranch, 1) = m.make(Op::OpReturn, {});
         find(m, Op::OpReturn, 1) = m.make(Op::OpBranch, {then});
       }},
      {"the type of what it loads",
       [](Module& m) {
         Instruction& i = find(m, Op::OpLoad);
         i.type = find(m, Op::OpTypeFloat).result;
         m.setIdAt(i, 1, i.type);
       }},
      {"the type of what it stores",
       [](Module& m) { m.setIdAt(find(m, Op::OpStore), 2, find(m, Op::OpConstant, 1).result); }},
      {"the type of its function",
       [](Module& m) { m.setIdAt(find(m, Op::OpReturnValue), 1, find(m, Op::OpConstant, 1).result); }},
      {"the type of a parameter",
       [](Module& m) { m.setIdAt(find(m, Op::OpFunctionCall), 4, find(m, Op::OpConstant, 1).result); }},
      {"too few or too many arguments",
       [](Module& m) {
         Instruction& i = find(m, Op::OpFunctionCall);
         i = m.make(Op::OpFunctionCall, i.type, i.result, {m.word(i, 3)});
       }},
  };
  const std::vector<uint32_t> words = assemble(kText);
  size_t n = 0;
  for (const Break& b : breaks) {
    Module m = read(words);
    b.run(m);
    INFO(n << ": " << b.fault);
    CHECK(spirv::structureFault(m).find(b.fault) != std::string::npos);
    if (spirv::structureFault(m).find(b.fault) == std::string::npos) UNSCOPED_INFO(spirv::structureFault(m));
    ++n;
  }
  CHECK(n == 47);
}

TEST_CASE("a loop is entered at its header only") {
  const auto fault = [](const std::string& fromMerge) {
    return spirv::structureFault(read(assemble(kHead + R"(
%main = OpFunction %void None %fn
%entry = OpLabel
OpBranch %header
%header = OpLabel
OpLoopMerge %merge %continue None
OpBranchConditional %true %body %merge
%body = OpLabel
OpSelectionMerge %next None
OpBranchConditional %true %inside %next
%inside = OpLabel
OpReturn
%next = OpLabel
OpBranch %continue
%continue = OpLabel
OpBranch %header
%merge = OpLabel
)" + fromMerge + "\nOpFunctionEnd\n")));
  };
  CHECK(fault("OpReturn") == "");
  // Another loop, whose header the merge block is.
  CHECK(fault("OpLoopMerge %end %again None\nOpBranchConditional %true %again %end\n%again = OpLabel\n"
              "OpBranch %merge\n%end = OpLabel\nOpReturn") == "");
  CHECK_THAT(fault("OpBranch %inside"),
             Catch::Matchers::ContainsSubstring("from outside, but not to its header"));
}

}  // namespace
}  // namespace coopc::tests
