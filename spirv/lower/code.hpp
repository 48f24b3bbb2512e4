// Writes code into a module that is being lowered. Code makes single instructions; its parts have the rest:
// what stands before the functions (preamble.hpp, annotations.hpp, declarations.hpp), the function that is
// being written (function_writer.hpp), and workgroup memory (shared_memory.hpp). Numbers are computed by
// operators on values (value.hpp), and control_flow.hpp writes selections and loops in the middle of a block.
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
#include "spirv/lower/shared_memory.hpp"
#include "spirv/lower/value.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Code {
 public:
  explicit Code(Module& module);
  Code(const Code&) = delete;  ///< its parts refer to each other

  Module& module() { return m_; }
  const Module& module() const { return m_; }

  Preamble preamble;        ///< capabilities, extensions
  Annotations annotations;  ///< names, decorations
  Declarations globals;     ///< types, constants, variables
  FunctionWriter writer;    ///< the function that is being written
  SharedMemory shared;      ///< accesses to workgroup memory, and barriers

  UInt u32(uint32_t value) { return UInt(*this, globals.constantU32(value)); }
  /// FunctionWriter::builtIn(), of an unsigned 32-bit integer.
  UInt builtIn(spv::BuiltIn builtIn) {
    const Id type = globals.typeU32();
    return UInt(*this, writer.builtIn(builtIn, type));
  }

  /// Puts everything in place: functions, globals (each after its operands), annotations. Call it once, last.
  void finish();

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
  /// The same for one of several opcodes with the same operands.
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
    writer.append(m_.make<Op>(fields));
  }
  /// As make() and makeAs(), for an opcode and operands that are found at run time, such as operands of the
  /// module's instructions.
  Id op(spv::Op op, NamedId type, Operands operands);
  void opAs(spv::Op op, NamedId type, NamedId result, Operands operands);

  Id extract(NamedId type, NamedId composite, std::initializer_list<uint32_t> indices);
  Id load(NamedId type, NamedId pointer) { return make<op::Load>(type, {.pointer = pointer}); }
  void store(NamedId pointer, NamedId value) { make<op::Store>({.pointer = pointer, .object = value}); }
  /// A pointer to a part of a variable made by localVariable() or variable(); `part` is the part's type.
  Pointer access(spv::StorageClass storage, NamedId part, NamedId base, std::initializer_list<Id> indices);

  /// A local variable of the current function.
  Pointer localVariable(NamedId type);

  /// A mark of everything that FunctionWriter::addFunction() has written so far. If an attempt fails,
  /// everything written since can be dropped.
  struct Added {
    size_t instructions, decorations;
  };
  Added addedFunctions() const { return {writer.addedInstructions().size(), annotations.valueCount()}; }
  void dropAddedFunctions(const Added& before) {
    writer.dropAdded(before.instructions);
    annotations.dropValues(before.decorations);
  }

 private:
  Module& m_;
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
