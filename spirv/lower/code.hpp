// Writes code into a module that is being lowered: types, constants and variables, which are made if they do
// not exist yet, instructions in place of others, and structured control flow in the middle of a block.
//
// The module's own instructions stay unchanged while functions are rewritten, so what a pass has learned
// about them stays true; finish() replaces them. The module's buffer of words grows in the meantime: read
// words through Module::word(), and do not keep a span of them across a call that writes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/constant_pool.hpp"
#include "spirv/lower/value.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv::lower {

/// Whether the loops that are written have an Unroll hint.
enum class Unroll : uint8_t { Yes, No };

class Code {
 public:
  explicit Code(Module& module);

  Module& module() { return m_; }
  const Module& module() const { return m_; }

  // --- Types and constants, found or made -----------------------------------------------------------------------------
  Id typeVoid() { return cached(void_, spv::Op::OpTypeVoid, {}); }
  Id typeBool() { return cached(bool_, spv::Op::OpTypeBool, {}); }
  Id typeU32() { return cached(u32_, spv::Op::OpTypeInt, {32u, 0u}); }
  Id typeF32() { return cached(f32_, spv::Op::OpTypeFloat, {32u}); }
  Id type(spv::Op op, std::initializer_list<Word> operands) { return pool_.type(op, operands); }
  Id typeVector(NamedId component, uint32_t count) { return type(spv::Op::OpTypeVector, {component, count}); }
  /// A vector, or a number if `count` is 1.
  Id typeNumbers(NamedId component, uint32_t count) {
    return count == 1 ? Id(component) : typeVector(component, count);
  }
  /// An array type without decorations, for variables of the storage classes Function, Private and Workgroup.
  Id typeArray(NamedId element, uint32_t count);
  Id typePointer(spv::StorageClass storage, NamedId pointee) {
    return type(spv::Op::OpTypePointer, {storage, pointee});
  }
  Id typeFunction(NamedId result, Operands parameters);

  UInt u32(uint32_t value);
  /// A constant of an integer or floating-point type of up to 64 bits, from its bits.
  Id scalar(NamedId type, uint64_t bits) { return pool_.scalar(type, bits); }
  Id boolean(bool value) {
    const Id type = typeBool();
    return pool_.boolean(type, value);
  }
  Id undef(NamedId type) { return pool_.undef(type); }
  Id null(NamedId type) { return pool_.constant(spv::Op::OpConstantNull, type, {}); }
  Id constant(spv::Op op, NamedId type, Operands words) { return pool_.constant(op, type, words); }

  /// The instruction that defines a type or constant, in the module or made here; nullptr if there is none.
  const Instruction* global(Id id) const;
  /// The type of a value of the module or made here.
  Id typeOf(Id id) const;
  /// The ArrayStride that decorates an array or pointer type of the module; 0: none.
  uint32_t arrayStride(Id type) const {
    const auto found = strides_.find(type);
    return found == strides_.end() ? 0 : found->second;
  }

  // --- Module scope ---------------------------------------------------------------------------------------------------
  /// A type or constant that no other shares: for types with decorations of their own.
  Id declare(spv::Op op, NamedId type, Operands operands);
  Id declare(spv::Op op, NamedId type, std::initializer_list<Word> operands) {
    return declare(op, type, Operands(operands.begin(), operands.size()));
  }
  /// Whether an id is defined before the functions, and so usable in all of them.
  bool isGlobal(Id id) const;
  void capability(spv::Capability capability);
  void extension(std::string_view name);
  void decorate(Id target, spv::Decoration decoration, std::initializer_list<Word> operands = {});
  /// Whether a value of the module, or one that was made here, is decorated NonUniform.
  bool isNonUniform(Id value) const { return nonUniform_.contains(value); }
  /// Decorates a pointer that replaces one with this decoration.
  void setNonUniform(Id pointer);
  /// Gives a copy of an instruction of a function the decorations of its original: all of them, or those that are `wanted`.
  void copyDecorations(Id original, Id copy, bool (*wanted)(spv::Decoration) = nullptr);
  void decorateMember(Id target, uint32_t member, spv::Decoration decoration,
                      std::initializer_list<Word> operands = {});
  void name(Id target, std::string_view text);
  /// A variable of a storage class other than Function. It is listed in the entry points' interfaces if the
  /// version requires that.
  Id variable(spv::StorageClass storage, NamedId pointee);
  /// The value of a built-in input variable (found or made), which is loaded once at the head of the current
  /// function.
  Id builtIn(spv::BuiltIn builtIn, NamedId type);
  UInt builtIn(spv::BuiltIn builtIn) {
    const Id type = typeU32();
    return UInt(*this, this->builtIn(builtIn, type));
  }

  // --- Rewriting ------------------------------------------------------------------------------------------------------
  /// Calls handler(const Instruction&) for each instruction of the module's functions. Where it returns true, it has written
  /// what takes the instruction's place (with its result id, if that is used); where false, the instruction stays. Functions
  /// that were given to addFunction() are not walked.
  template <class Handler>
  void rewrite(Handler&& handler) {
    begin();
    for (uint32_t n = m_.functionsAt; n < end_; ++n) {
      const Instruction i = m_.instructions[n];
      if (!enter(n)) continue;
      if (!handler(i)) append(i);
      leave(i);
    }
    close();
  }
  /// Puts everything in place: functions, globals (each after its operands), annotations. Call it once, last.
  void finish();
  /// Inserted code would have split a loop header that cannot be split, because its branch leads to two
  /// blocks of the loop. This is rare; the result of the pass must not be used.
  bool fault() const { return fault_; }

  /// Writes an instruction with a fresh result id. Integer arithmetic, access chains and the like are not written again where the same
  /// result is already there, as addresses of matrices have most of their computation in common.
  Id op(spv::Op op, NamedId type, Operands operands);
  Id op(spv::Op op, NamedId type, std::initializer_list<Word> operands) {
    return this->op(op, type, Operands(operands.begin(), operands.size()));
  }
  /// With the result id of an instruction that it replaces.
  void opAs(spv::Op op, NamedId type, NamedId result, Operands operands);
  void opAs(spv::Op op, NamedId type, NamedId result, std::initializer_list<Word> operands) {
    opAs(op, type, result, Operands(operands.begin(), operands.size()));
  }
  /// A phi in place of one of the module's (`of`), with its predecessors. Its values, which may not be known yet, are set by
  /// setPhiValue() before the function ends: value `n` of phi `phi`.
  struct PhiPlace {
    Id result;
    uint32_t at = 0;  ///< in the module's words
  };
  PhiPlace phiLike(const Instruction& of, NamedId type);
  void setPhiValue(const PhiPlace& phi, uint32_t n, NamedId value);
  /// Without a result.
  void effect(spv::Op op, std::initializer_list<Word> operands) { append(m_.make(op, operands)); }
  /// A label that is appended is one of the module's: results that are there already need not hold there.
  void append(const Instruction& i);
  /// The label of the current block.
  Id currentBlock() const { return w_.current; }

  /// What operators of values write (value.hpp): unsigned 32-bit arithmetic, with constant folding, and tests.
  Id operation(spv::Op op, bool ofBool, Operands operands);
  UInt add(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpIAdd, a, b)); }
  UInt sub(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpISub, a, b)); }
  UInt mul(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpIMul, a, b)); }
  UInt div(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpUDiv, a, b)); }
  UInt mod(NamedId a, NamedId b) { return UInt(*this, fold(spv::Op::OpUMod, a, b)); }
  Bool less(NamedId a, NamedId b) {
    const Id type = typeBool();
    return Bool(*this, op(spv::Op::OpULessThan, type, {a, b}));
  }
  /// The value of a 32-bit constant that is not a specialization constant.
  std::optional<uint32_t> constantValue(Id id) const;

  Id extract(NamedId type, NamedId composite, std::initializer_list<uint32_t> indices);
  Id load(NamedId type, NamedId pointer) { return op(spv::Op::OpLoad, type, {pointer}); }
  void store(NamedId pointer, NamedId value) { effect(spv::Op::OpStore, {pointer, value}); }
  /// A pointer to a part of a variable made by localVariable() or variable(); `part` is the part's type.
  Pointer access(spv::StorageClass storage, NamedId part, NamedId base, std::initializer_list<Word> indices);

  /// A local variable of the current function.
  Pointer localVariable(NamedId type);

  /// A variable of storage class Workgroup, whose contents other invocations see after a barrier (also Pointer).
  Id loadShared(NamedId type, NamedId pointer);
  void storeShared(NamedId pointer, NamedId value);
  /// Control and memory barrier (acquire and release) for workgroup memory among the invocations of a scope.
  void barrier(spv::Scope scope);
  /// The same in two parts (SPV_EXT_split_barrier). No other barrier of the scope may stand between them.
  void arrive(spv::Scope scope);
  void wait(spv::Scope scope);
  bool vulkanMemoryModel() const { return vulkanModel_; }

  // --- Control flow: each leaves the writer in the block after it -------------------------------------------------------
  template <class Body>
  void ifThen(Id condition, Body&& body) {
    const Id then = label(), merge = label();
    effect(spv::Op::OpSelectionMerge, {merge, 0u});
    effect(spv::Op::OpBranchConditional, {condition, then, merge});
    block(then);
    const size_t known = w_.known.size();
    body();
    forgetFrom(known);
    effect(spv::Op::OpBranch, {merge});
    block(merge);
  }
  /// `whenTrue` and `whenFalse` return values of `type`.
  template <class True, class False>
  Id choose(NamedId condition, NamedId type, True&& whenTrue, False&& whenFalse) {
    return chooseAs(condition, type, kNoId, whenTrue, whenFalse);
  }
  /// With the result id of an instruction that it replaces, if there is one.
  template <class True, class False>
  Id chooseAs(NamedId condition, NamedId type, NamedId result, True&& whenTrue, False&& whenFalse) {
    const Id then = label(), otherwise = label(), merge = label();
    effect(spv::Op::OpSelectionMerge, {merge, 0u});
    effect(spv::Op::OpBranchConditional, {condition, then, otherwise});
    block(then);
    const size_t known = w_.known.size();
    const Id a = whenTrue();
    forgetFrom(known);
    const Id fromTrue = w_.current;
    effect(spv::Op::OpBranch, {merge});
    block(otherwise);
    const Id b = whenFalse();
    forgetFrom(known);
    const Id fromFalse = w_.current;
    effect(spv::Op::OpBranch, {merge});
    block(merge);
    const Id phi = result ? Id(result) : m_.newId();
    opAs(spv::Op::OpPhi, type, phi, {a, fromTrue, b, fromFalse});
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

  // --- Whole functions --------------------------------------------------------------------------------------------------
  /// A new function behind the others; write(parameters) writes its body, after its entry block's label, with its return. May be
  /// called while another one is being written.
  template <class Write>
  Id addFunction(NamedId result, const std::vector<Id>& parameterTypes, Write&& write) {
    Writing outer = std::exchange(w_, {});
    std::vector<Id> parameters;
    const Id function = openFunction(result, parameterTypes, parameters);
    write(parameters);
    closeFunction();
    w_ = std::move(outer);
    return function;
  }
  /// A mark of what addFunction() has written so far. For attempts that fail, everything written since can be
  /// dropped.
  struct Added {
    size_t instructions, decorations;
  };
  Added addedFunctions() const { return {added_.size(), valueDecorations_.size()}; }
  void dropAddedFunctions(const Added& before) {
    added_.resize(before.instructions);
    valueDecorations_.resize(before.decorations);
  }
  /// Appends a parameter to the function that addFunction() is writing.
  Id parameter(NamedId type);

 private:
  void declareSplitBarriers();
  void barrier(spv::Op op, spv::Scope scope, spv::MemorySemanticsMask order,
               spv::MemorySemanticsMask ofModel);
  struct Loop {
    Id index;
    std::vector<Id> carried;
    std::vector<Id> phis;  ///< of the index and the carried values
    Id header, continues, merge;
    size_t phisAt = 0;  ///< in the function's instructions
    size_t known = 0;   ///< results that hold before the loop
    Unroll unroll = Unroll::No;
  };

  Id cached(Id& slot, spv::Op op, std::initializer_list<Word> operands) {
    if (!slot) slot = pool_.type(op, operands);
    return slot;
  }
  Id label() { return m_.newId(); }
  void block(NamedId label);
  void write(const Instruction& i);
  uint32_t hashOf(spv::Op op, NamedId type, Operands operands) const;
  Id knownResult(uint32_t hash, spv::Op op, NamedId type, Operands operands) const;
  void know(const Instruction& i, uint32_t hash);
  /// Where control flow joins, the results of one way do not hold any more.
  void forgetFrom(size_t known);
  Id fold(spv::Op op, NamedId a, NamedId b);
  Loop openLoop(NamedId count, Unroll unroll, const std::vector<Id>& carried);
  std::vector<Id> closeLoop(Loop l);
  Id openFunction(NamedId result, const std::vector<Id>& parameterTypes, std::vector<Id>& parameters);
  void closeFunction();
  void begin();
  bool enter(uint32_t n);  ///< false: instruction n has already been written
  void leave(const Instruction& i);
  void close();
  void isolateHeader(uint32_t merge);
  void endFunction();
  void addToInterfaces(const std::vector<Id>& variables);
  void remember(Id id, Id type);
  void findArrays();
  void addArray(const Instruction& i);
  void addGlobal(const Instruction& i);

  Module& m_;
  ConstantPool pool_;
  /// Instructions by which the module decorates values of functions, in the order of the values.
  std::vector<std::pair<Id, uint32_t>> decorations_;
  std::set<Id> nonUniform_;
  std::vector<Instruction> valueDecorations_;  ///< of what is made in functions
  Id void_, bool_, u32_, f32_;
  std::vector<Id> small_;  ///< the first u32() constants, by value; none if they have not been asked for
  bool vulkanModel_ = false;
  bool fault_ = false;
  uint32_t end_ = 0;  ///< the module's number of instructions when rewriting began

  /// A result that op() may return again, in the order in which they were written.
  struct Known {
    Instruction instruction;
    uint32_t hash = 0;
    uint32_t before = 0;  ///< the one with the same slot before it, plus 1; 0: none
  };

  /// The function that is being written.
  struct Writing {
    std::vector<Instruction> out;                       ///< the current function and those before it
    std::vector<Instruction> locals, prologue;          ///< for its entry block
    std::vector<std::pair<spv::BuiltIn, Id>> builtIns;  ///< read in its prologue
    std::vector<std::pair<Id, Id>> ends;  ///< block of the module -> the block in which it now ends
    std::vector<size_t> phis;             ///< in `out`: the phis that the module had
    size_t functionAt = 0;                ///< in `out`
    Id result;                            ///< result type of a new function
    std::vector<Instruction> parameters;  ///< and its parameters
    Id current;                           ///< the block that is being written
    Id original;                          ///< the block of the module from which `current` came
    bool atHead = false;                  ///< only phis of the module's block so far
    std::vector<Known> known;             ///< what holds in the current block
    std::vector<uint32_t> knownSlots;     ///< a power of two, by hash: the last one's index plus 1; 0: none
  };

  Writing w_;
  std::vector<Instruction> added_;  ///< new functions
  std::vector<Instruction> capabilities_, extensions_, names_, annotations_, globals_;
  std::vector<Word> operands_;             ///< of the instruction that is being made
  std::vector<spv::Capability> declared_;  ///< those that capability() was asked for
  std::vector<std::string> declaredExtensions_;
  std::map<std::pair<Id, Id>, Id> arrays_;  ///< by element type and length; once arraysFound_
  bool arraysFound_ = false;
  std::map<Id, uint32_t> strides_;                     ///< of the module's types that have one
  std::map<std::vector<uint32_t>, Id> functionTypes_;  ///< by operands; once there is one
  std::vector<Id> interface_;                          ///< of globals_, those that the interfaces list
  std::vector<Id> typeOfMade_;                         ///< id - firstMade_ -> type
  std::vector<uint32_t> globalAt_;  ///< id - firstMade_ -> index into globals_ plus 1; 0: not one of them
  uint32_t firstMade_ = 0;
  std::vector<std::pair<spv::BuiltIn, Id>> builtInVariables_;
  uint32_t mergeWritten_ = kNone;  ///< the OpLoopMerge that has already been written into the header
};

/// Whether an instruction accepts or moves values of any type without looking into them. A pass that changes
/// a type in place leaves such instructions alone. Composites and vectors need separate treatment.
bool movesValues(spv::Op op);

/// What a pointer or value is a copy of (OpCopyObject): the instruction that defines it in the module. nullptr: there is none.
const Instruction* withoutCopies(const Module& m, Id value);

/// Whether the first index of an access chain counts elements from the pointer on.
constexpr bool indexesElements(spv::Op op) {
  return op == spv::Op::OpPtrAccessChain || op == spv::Op::OpInBoundsPtrAccessChain;
}
constexpr bool isAccessChain(spv::Op op) {
  return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain || indexesElements(op);
}

/// The type that the last index of an access chain counts in: an array, vector or structure or, where OpPtrAccessChain has no other
/// index, the pointer. None if it is not known.
Id indexedType(const Code& code, const Instruction& chain);

/// The type itself, or that of a vector's components, if it is one of integers or floats; nullptr: it is not.
const Instruction* numberType(const Module& m, Id type);

/// Reorders the types, constants and global variables, stably, so that each follows its operands. For passes
/// that change a type in place.
void orderGlobals(Module& module);

}  // namespace coopc::spirv::lower
