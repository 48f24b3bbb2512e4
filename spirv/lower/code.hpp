// Writes code into a module that is being lowered: declarations that functions need at module scope
// (declarations.hpp), instructions that replace others, and structured control flow in the middle of a block.
// Numbers are computed by operators on values (value.hpp).
//
// The module's own instructions stay unchanged while functions are rewritten, so what a pass has learned
// about them stays true; finish() replaces them. The module's buffer of words grows in the meantime: read
// words through Module::word(), and do not keep a span of them across a call that writes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "spirv/instructions.hpp"
#include "spirv/lower/annotations.hpp"
#include "spirv/lower/declarations.hpp"
#include "spirv/lower/function_writer.hpp"
#include "spirv/lower/preamble.hpp"
#include "spirv/lower/value.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Whether the loops that are written have an Unroll hint.
enum class Unroll : uint8_t { Yes, No };

class Code {
 public:
  explicit Code(Module& module);
  Code(const Code&) = delete;  ///< its parts refer to each other

  Module& module() { return m_; }
  const Module& module() const { return m_; }

  // --- What stands before the functions: found or made -----------------------------------------------------
  Preamble preamble;        ///< capabilities, extensions
  Annotations annotations;  ///< names, decorations
  Declarations globals;     ///< types, constants, variables

  UInt u32(uint32_t value) { return UInt(*this, globals.constantU32(value)); }
  /// The value of a built-in input variable (found or made), which is loaded once at the head of the current
  /// function.
  Id builtIn(spv::BuiltIn builtIn, NamedId type) { return writer_.builtIn(builtIn, type); }
  UInt builtIn(spv::BuiltIn builtIn) {
    const Id type = globals.typeU32();
    return UInt(*this, this->builtIn(builtIn, type));
  }

  // --- Rewriting -------------------------------------------------------------------------------------------
  /// Calls handler(const Instruction&) for each instruction of the module's functions. True: the handler has
  /// written a replacement (with the same result id, if it is used). False: the instruction stays. Functions
  /// that were given to addFunction() are not walked.
  template <class Handler>
  void rewrite(Handler&& handler) {
    writer_.rewrite(std::forward<Handler>(handler));
  }
  /// Puts everything in place: functions, globals (each after its operands), annotations. Call it once, last.
  void finish();
  /// Inserted code would have split a loop header that cannot be split, because its branch leads to two
  /// blocks of the loop. This is rare; the result of the pass must not be used.
  bool fault() const { return writer_.fault(); }

  /// Writes an instruction, whose operands are given by their names (spirv/operand_fields.hpp), with a fresh
  /// result id:
  ///
  ///     code.make<op::Select>(type, {.condition = inside, .object1 = value, .object2 = zero})
  ///
  /// Integer arithmetic, access chains and the like are not written again if the same result is known at this
  /// place, because addresses of matrices have most of their computation in common.
  template <MakesTypedResult Op>
  Id make(NamedId type, const typename Op::Fields& fields = {}) {
    return op(Op::kOp, type, fields.words());
  }
  /// Of one of several opcodes with the same operands.
  template <class Op>
  Id make(spv::Op opcode, NamedId type, const typename Op::Fields& fields) {
    return op(opcode, type, fields.words());
  }
  /// Writes an instruction with the result id of the one that it replaces.
  template <MakesTypedResult Op>
  void makeAs(NamedId type, NamedId result, const typename Op::Fields& fields = {}) {
    opAs(Op::kOp, type, result, fields.words());
  }
  template <class Op>
  void makeAs(spv::Op opcode, NamedId type, NamedId result, const typename Op::Fields& fields) {
    opAs(opcode, type, result, fields.words());
  }
  /// Writes an instruction without a result.
  template <MakesNothing Op>
  void make(const typename Op::Fields& fields = {}) {
    append(m_.make<Op>(fields));
  }
  /// As make() and makeAs(), for an opcode and operands that are found at run time, such as those of the
  /// module's instructions.
  Id op(spv::Op op, NamedId type, Operands operands);
  void opAs(spv::Op op, NamedId type, NamedId result, Operands operands);
  /// A phi in place of one of the module's (`of`), with its predecessors. Its values, which may not be known
  /// yet, are set by setPhiValue() before the function ends: value `n` of phi `phi`.
  using PhiPlace = FunctionWriter::PhiPlace;
  PhiPlace phiLike(const Instruction& of, NamedId type) { return writer_.phiLike(of, type); }
  void setPhiValue(const PhiPlace& phi, uint32_t n, NamedId value) { writer_.setPhiValue(phi, n, value); }
  /// Appends an instruction. An appended label is one of the module's, so results that are known so far need
  /// not hold in its block.
  void append(const Instruction& i) { writer_.append(i); }
  /// The label of the current block.
  Id currentBlock() const { return writer_.currentBlock(); }

  /// Writes the operation of an operator of values (value.hpp): unsigned 32-bit arithmetic, with constant
  /// folding, or a test.
  Id operation(spv::Op op, bool ofBool, Operands operands);
  UInt add(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpIAdd, a, b)); }
  UInt sub(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpISub, a, b)); }
  UInt mul(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpIMul, a, b)); }
  UInt div(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpUDiv, a, b)); }
  UInt mod(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpUMod, a, b)); }
  Bool less(NamedId a, NamedId b) {
    const Id type = globals.typeBool();
    return Bool(*this, make<op::ULessThan>(type, {a, b}));
  }
  Id extract(NamedId type, NamedId composite, std::initializer_list<uint32_t> indices);
  Id load(NamedId type, NamedId pointer) { return make<op::Load>(type, {.pointer = pointer}); }
  void store(NamedId pointer, NamedId value) { make<op::Store>({.pointer = pointer, .object = value}); }
  /// A pointer to a part of a variable made by localVariable() or variable(); `part` is the part's type.
  Pointer access(spv::StorageClass storage, NamedId part, NamedId base, std::initializer_list<Id> indices);

  /// A local variable of the current function.
  Pointer localVariable(NamedId type);

  /// A variable of storage class Workgroup, whose contents other invocations see after a barrier (also
  /// Pointer).
  Id loadShared(NamedId type, NamedId pointer);
  void storeShared(NamedId pointer, NamedId value);
  /// Control and memory barrier (acquire and release) for workgroup memory among the invocations of a scope.
  void barrier(spv::Scope scope);
  /// The same in two parts (SPV_EXT_split_barrier). No other barrier of the scope may come between them.
  void arrive(spv::Scope scope);
  void wait(spv::Scope scope);
  bool vulkanMemoryModel() const { return vulkanModel_; }

  // --- Control flow: each leaves the writer in the block after it ------------------------------------------
  template <class Body>
  void ifThen(Id condition, Body&& body) {
    const Id then = writer_.newLabel(), merge = writer_.newLabel();
    make<op::SelectionMerge>({.mergeBlock = merge});
    make<op::BranchConditional>({.condition = condition, .trueLabel = then, .falseLabel = merge});
    writer_.block(then);
    const size_t known = writer_.known().size();
    body();
    writer_.known().forgetFrom(known);
    make<op::Branch>({merge});
    writer_.block(merge);
  }
  /// `whenTrue` and `whenFalse` return values of `type`.
  template <class True, class False>
  Id choose(NamedId condition, NamedId type, True&& whenTrue, False&& whenFalse) {
    return chooseAs(condition, type, kNoId, whenTrue, whenFalse);
  }
  /// The same, with the result id of the instruction that it replaces, if there is one.
  template <class True, class False>
  Id chooseAs(NamedId condition, NamedId type, NamedId result, True&& whenTrue, False&& whenFalse) {
    const Id then = writer_.newLabel(), otherwise = writer_.newLabel(), merge = writer_.newLabel();
    make<op::SelectionMerge>({.mergeBlock = merge});
    make<op::BranchConditional>({.condition = condition, .trueLabel = then, .falseLabel = otherwise});
    writer_.block(then);
    const size_t known = writer_.known().size();
    const Id a = whenTrue();
    writer_.known().forgetFrom(known);
    const Id fromTrue = writer_.currentBlock();
    make<op::Branch>({merge});
    writer_.block(otherwise);
    const Id b = whenFalse();
    writer_.known().forgetFrom(known);
    const Id fromFalse = writer_.currentBlock();
    make<op::Branch>({merge});
    writer_.block(merge);
    const Id phi = result ? Id(result) : m_.newId();
    makeAs<op::Phi>(type, phi, {.incoming = {{a, fromTrue}, {b, fromFalse}}});
    return phi;
  }
  /// for (index = 0; index < count; ++index) body(index, carried), where the body updates the carried values
  /// in place. Returns their values after the last iteration.
  template <class Body>
  std::vector<Id> loop(NamedId count, Unroll unroll, const std::vector<Id>& carried, Body&& body) {
    Loop l = openLoop(count, unroll, carried);
    const UInt index(*this, l.index);
    body(index, l.carried);
    return closeLoop(std::move(l));
  }
  template <class Body>
  void loop(NamedId count, Unroll unroll, Body&& body) {
    loop(count, unroll, {}, [&](const UInt& index, std::vector<Id>&) { body(index); });
  }
  /// body(index) for each index below `count`: written out, or in a loop.
  template <class Body>
  void repeat(uint32_t count, bool writtenOut, Unroll unroll, Body&& body) {
    if (writtenOut || count == 1) {
      for (uint32_t n = 0; n < count; ++n) {
        const UInt index(*this, u32(n));
        body(index);
      }
    } else {
      const UInt limit(*this, u32(count));
      loop(limit, unroll, body);
    }
  }
  /// Repeats body() until the Bool that it returns is true.
  template <class Body>
  void repeatUntil(Body&& body) {
    const Id header = writer_.newLabel(), first = writer_.newLabel(), continues = writer_.newLabel(),
             merge = writer_.newLabel();
    make<op::Branch>({header});
    writer_.block(header);
    make<op::LoopMerge>(
        {.mergeBlock = merge, .continueTarget = continues, .loopControl = spv::LoopControlMask::MaskNone});
    make<op::Branch>({first});
    writer_.block(first);
    const size_t known = writer_.known().size();
    const Id done = body();
    make<op::Branch>({continues});
    writer_.block(continues);
    make<op::BranchConditional>({.condition = done, .trueLabel = merge, .falseLabel = header});
    writer_.known().forgetFrom(known);
    writer_.block(merge);
  }

  // --- Whole functions -------------------------------------------------------------------------------------
  /// A new function behind the others; write(parameters) writes its body, after its entry block's label, with
  /// its return. May be called while another one is being written.
  template <class Write>
  Id addFunction(NamedId result, const std::vector<Id>& parameterTypes, Write&& write) {
    return writer_.addFunction(result, parameterTypes, std::forward<Write>(write));
  }
  /// A mark of everything that addFunction() has written so far. If an attempt fails, everything written
  /// since can be dropped.
  struct Added {
    size_t instructions, decorations;
  };
  Added addedFunctions() const { return {writer_.added().size(), annotations.valueCount()}; }
  void dropAddedFunctions(const Added& before) {
    writer_.dropAdded(before.instructions);
    annotations.dropValues(before.decorations);
  }
  /// Appends a parameter to the function that addFunction() is writing.
  Id parameter(NamedId type) { return writer_.parameter(type); }

 private:
  void declareSplitBarriers();
  void barrier(spv::Op op, spv::Scope scope, spv::MemorySemanticsMask order,
               spv::MemorySemanticsMask ofModel);
  struct Loop {
    Id index;
    std::vector<Id> carried;
    std::vector<PhiPlace> phis;  ///< of the index and the carried values
    Id header, continues, merge;
    size_t known = 0;  ///< results that hold before the loop
    Unroll unroll = Unroll::No;
  };

  Id fold(spv::Op op, NamedId a, NamedId b);
  Loop openLoop(NamedId count, Unroll unroll, const std::vector<Id>& carried);
  std::vector<Id> closeLoop(Loop l);

  Module& m_;
  FunctionWriter writer_;
  bool vulkanModel_ = false;
};

/// Whether an instruction accepts or moves values of any type without accessing their parts. A pass that
/// changes a type in place leaves such instructions unchanged. Composites and vectors need separate
/// treatment.
bool movesValues(spv::Op op);

/// Follows OpCopyObject from a pointer or value to the instruction that defines it in the module. nullptr:
/// there is none.
const Instruction* withoutCopies(const Module& m, Id value);

/// Whether the first index of an access chain counts elements from the pointer on.
constexpr bool indexesElements(spv::Op op) {
  return op == spv::Op::OpPtrAccessChain || op == spv::Op::OpInBoundsPtrAccessChain;
}
constexpr bool isAccessChain(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain || indexesElements(op);
}

/// The type that the last index of an access chain indexes: an array, vector or structure or, if
/// OpPtrAccessChain has no other index, the pointer. None if it is not known.
Id indexedType(const Code& code, const Instruction& chain);

/// The type itself, or that of a vector's components, if it is an integer or floating-point type; otherwise
/// nullptr.
const Instruction* numberType(const Module& m, Id type);

}  // namespace coopc::spirv::lower
