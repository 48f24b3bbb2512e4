// Instructions as the specification writes them: a view of an instruction gives each operand by its name.
//
//     if (const auto load = as<op::Load>(m, i)) ... load.pointer() ...          // whatever `i` is
//     case spv::Op::OpStore: ... op::Store(m, i).object() ...                   // known to be an OpStore
//     const Id pointee = as<op::TypePointer>(m, type).type();                   // what defines the id `type`
//
// A view is a place in the module's words and costs nothing: its functions compile to the reading of one
// word. It stays valid while the module's buffer of words grows. Operands that an instruction is too short
// for read as no id, as 0 or as nothing; so do all of an empty view, which as() gives for an instruction of
// another kind.
//
// The same classes name the operands of instructions that are made (operand_fields.hpp):
//
//     code.make<op::Store>({.pointer = variable, .object = value});
//     m.setIdAt(i, op::Store::At::object, other);                          // changed in place
//
// The views of single opcodes are generated from the grammar (grammar/instruction_views.cpp); those below
// them belong to several opcodes, whose operands stand in the same places.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/literal_string.hpp"
#include "spirv/memory_operands.hpp"
#include "spirv/module.hpp"
#include "spirv/operand_fields.hpp"

namespace coopc::spirv {

/// Where the words of a module are. They may move while it grows, so views look there at each question.
using WordsAt = const uint32_t* const*;

/// Operands of one kind, up to the instruction's end: ids or literals, one word each.
template <class T>
class OperandRange {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = T;

    Iterator() = default;
    Iterator(WordsAt words, uint32_t at) : words_(words), at_(at) {}
    T operator*() const { return T((*words_)[at_]); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return {words_, at_++}; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    WordsAt words_ = nullptr;
    uint32_t at_ = 0;
  };

  OperandRange() = default;
  OperandRange(WordsAt words, uint32_t at, uint32_t size) : words_(words), at_(at), size_(size) {}

  uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Operand `n`; no id, or 0, if there are fewer.
  T operator[](uint32_t n) const { return n < size_ ? T((*words_)[at_ + n]) : T(); }
  T front() const { return (*this)[0]; }
  T back() const { return (*this)[size_ - 1]; }
  /// All but the first `n`.
  OperandRange from(uint32_t n) const {
    n = n < size_ ? n : size_;
    return {words_, at_ + n, size_ - n};
  }
  Iterator begin() const { return {words_, at_}; }
  Iterator end() const { return {words_, at_ + size_}; }

 private:
  WordsAt words_ = nullptr;
  uint32_t at_ = 0;
  uint32_t size_ = 0;
};
using IdRange = OperandRange<Id>;
using LiteralRange = OperandRange<uint32_t>;

/// Operands in pairs, up to the instruction's end. One that has no partner is left out.
template <class First, class Second>
class PairRange {
 public:
  class Iterator {
   public:
    Iterator(WordsAt words, uint32_t at) : words_(words), at_(at) {}
    std::pair<First, Second> operator*() const { return {First((*words_)[at_]), Second((*words_)[at_ + 1])}; }
    Iterator& operator++() {
      at_ += 2;
      return *this;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    WordsAt words_;
    uint32_t at_;
  };

  PairRange() = default;
  PairRange(WordsAt words, uint32_t at, uint32_t size) : words_(words), at_(at), size_(size) {}

  uint32_t size() const { return size_; }
  std::pair<First, Second> operator[](uint32_t n) const {
    return n < size_ ? *Iterator(words_, at_ + 2 * n) : std::pair<First, Second>();
  }
  Iterator begin() const { return {words_, at_}; }
  Iterator end() const { return {words_, at_ + 2 * size_}; }

 private:
  WordsAt words_ = nullptr;
  uint32_t at_ = 0;
  uint32_t size_ = 0;  ///< pairs
};
using IdPairRange = PairRange<Id, Id>;
using IdLiteralRange = PairRange<Id, uint32_t>;

class InstructionView {
 public:
  InstructionView() = default;
  InstructionView(const Module& m, const Instruction& i)
      : words_(m.words.dataAt()), at_(i.at), length_(i.length) {}
  /// The instruction at which a walk stands; the view stays there.
  explicit InstructionView(const InstructionWalk& walk)
      : words_(walk.dataAt()), at_(uint32_t(walk.at())), length_(walk.length()) {}

  /// Whether it is a view of an instruction.
  explicit operator bool() const { return length_ != 0; }
  /// The instruction's words. The span is valid until the module's buffer grows.
  std::span<const uint32_t> words() const {
    return length_ == 0 ? std::span<const uint32_t>() : std::span(*words_ + at_, length_);
  }

 protected:
  /// Words are counted as in the specification, where type and result come first.
  bool has(uint32_t n) const { return n < length_; }
  uint32_t word(uint32_t n) const { return n < length_ ? (*words_)[at_ + n] : 0; }
  /// A number of one or two words.
  uint64_t word64(uint32_t n) const { return word(n) | uint64_t(word(n + 1)) << 32; }
  template <class T>
  std::optional<T> optionalWord(uint32_t n) const {
    return n < length_ ? std::optional<T>(T((*words_)[at_ + n])) : std::nullopt;
  }
  Id id(uint32_t n) const { return Id(word(n)); }
  std::string_view text(uint32_t n) const {
    return n < length_ ? literalText(words().subspan(n)) : std::string_view();
  }
  /// The word after the text that begins at word `n`.
  uint32_t afterText(uint32_t n) const {
    const uint32_t count = n < length_ ? literalStringWords(words().data() + n, length_ - n) : 0;
    return count == 0 ? length_ : n + count;
  }
  IdRange ids(uint32_t n) const { return {words_, at_ + n, wordsFrom(n)}; }
  LiteralRange literals(uint32_t n) const { return {words_, at_ + n, wordsFrom(n)}; }
  IdPairRange idPairs(uint32_t n) const { return {words_, at_ + n, wordsFrom(n) / 2}; }
  IdLiteralRange idLiterals(uint32_t n) const { return {words_, at_ + n, wordsFrom(n) / 2}; }

 private:
  uint32_t wordsFrom(uint32_t n) const { return n < length_ ? length_ - n : 0; }

  WordsAt words_ = nullptr;
  uint32_t at_ = 0;
  uint32_t length_ = 0;
};

/// A view of one instruction: empty if that has another opcode than the view's.
template <class View>
View as(const Module& m, const Instruction& i) {
  return View::is(i.op()) ? View(m, i) : View();
}
/// The same, and empty if there is no instruction.
template <class View>
View as(const Module& m, const Instruction* i) {
  return i != nullptr ? as<View>(m, *i) : View();
}
/// A view of the instruction that defines `id`.
template <class View>
View as(const Module& m, Id id) {
  return as<View>(m, m.def(id));
}
/// A view of the instruction at which a walk stands. The walk must stay where it is.
template <class View>
View as(const InstructionWalk& walk) {
  return View::is(walk.op()) ? View(walk) : View();
}
template <class View>
View as(const InstructionWalk&& walk) = delete;

// The views have the names of the opcodes: op::Load is the view of an OpLoad.
namespace op {

template <uint32_t opcode, Gives gives = Gives::Nothing>
class Of : public InstructionView {
 public:
  static constexpr auto kOp = spv::Op(opcode);
  static constexpr Gives kGives = gives;

  Of() = default;
  /// `i` must have the view's opcode.
  Of(const Module& m, const Instruction& i) : InstructionView(m, i) { assert(is(i.op())); }
  explicit Of(const InstructionWalk& walk) : InstructionView(walk) { assert(is(walk.op())); }
  static constexpr bool is(spv::Op op) { return op == kOp; }

  Id resultType() const requires(gives == Gives::TypedResult) { return id(1); }
  Id result() const requires(gives != Gives::Nothing) { return id(gives == Gives::TypedResult ? 2 : 1); }

  /// The operands after result type and result, for making such an instruction. Views of instructions with
  /// operands have their own.
  struct Fields {
    std::array<Word, 0> words() const { return {}; }
  };
};

/// An instruction of an extended set, for making it: its number, and its operands after the set and the
/// number of OpExtInst (op::glsl450 is GLSL.std.450, op::debug is NonSemantic.Shader.DebugInfo).
template <uint32_t number>
struct Extended {
  static constexpr uint32_t kNumber = number;
  struct Fields {
    std::array<Word, 0> words() const { return {}; }
  };
};

#include "spirv/grammar/instructions.inc"

/// A view of instructions of several opcodes.
template <spv::Op... opcodes>
class AnyOf : public InstructionView {
 public:
  AnyOf() = default;
  AnyOf(const Module& m, const Instruction& i) : InstructionView(m, i) { assert(is(i.op())); }
  explicit AnyOf(const InstructionWalk& walk) : InstructionView(walk) { assert(is(walk.op())); }
  static constexpr bool is(spv::Op op) { return ((op == opcodes) || ...); }
};

/// Instructions that make a value from one other: conversions, negations, copies ...
struct Unary : InstructionView {
  Unary() = default;
  Unary(const Module& m, const Instruction& i) : InstructionView(m, i) { assert(is(i.op())); }
  static constexpr bool is(spv::Op op) { return hasOneId(op); }
  Id operand() const { return id(3); }
  static constexpr Gives kGives = Gives::TypedResult;
  struct Fields {
    Given<Id> operand;
    std::array<Word, 1> words() const { return {operand}; }
  };
};

/// Instructions that make a value from two others: arithmetic, comparisons ...
struct Binary : InstructionView {
  Binary() = default;
  Binary(const Module& m, const Instruction& i) : InstructionView(m, i) { assert(is(i.op())); }
  static constexpr bool is(spv::Op op) { return hasTwoIds(op); }
  Id operand1() const { return id(3); }
  Id operand2() const { return id(4); }
  static constexpr Gives kGives = Gives::TypedResult;
  struct Fields {
    Given<Id> operand1, operand2;
    std::array<Word, 2> words() const { return {operand1, operand2}; }
  };
};

/// Instructions with a result type whose operands are all values. operands() gives them in order.
struct Value : InstructionView {
  using InstructionView::InstructionView;
  static constexpr bool is(spv::Op) { return true; }
  Id resultType() const { return id(1); }
  Id result() const { return id(2); }
  IdRange operands() const { return ids(3); }
};

/// Integer and floating-point types.
struct NumberType : AnyOf<spv::Op::OpTypeInt, spv::Op::OpTypeFloat> {
  using AnyOf::AnyOf;
  uint32_t width() const { return word(2); }
};

/// Types of elements of one type: vectors, matrices and arrays.
struct TypeOfElements : AnyOf<spv::Op::OpTypeVector, spv::Op::OpTypeMatrix, spv::Op::OpTypeArray,
                              spv::Op::OpTypeRuntimeArray, spv::Op::OpTypeCooperativeMatrixKHR,
                              spv::Op::OpTypeCooperativeMatrixNV, enums::OpTypeVectorIdEXT> {
  using AnyOf::AnyOf;
  Id result() const { return id(1); }
  Id elementType() const { return id(2); }
};

/// Cooperative matrices of both extensions; the later one has the use as well.
struct AnyMatrixType : AnyOf<spv::Op::OpTypeCooperativeMatrixKHR, spv::Op::OpTypeCooperativeMatrixNV> {
  using AnyOf::AnyOf;
  Id componentType() const { return id(2); }
  Id scope() const { return id(3); }
  Id rows() const { return id(4); }
  Id columns() const { return id(5); }
};

/// Products of cooperative matrices of both extensions. The earlier one has no mask, which is 0 then.
struct AnyMulAdd : AnyOf<spv::Op::OpCooperativeMatrixMulAddKHR, spv::Op::OpCooperativeMatrixMulAddNV> {
  using AnyOf::AnyOf;
  Id a() const { return id(3); }
  Id b() const { return id(4); }
  Id c() const { return id(5); }
  spv::CooperativeMatrixOperandsMask cooperativeMatrixOperands() const {
    return spv::CooperativeMatrixOperandsMask(word(6));
  }
};

/// Access chains of all kinds whose pointers have types. The first index of OpPtrAccessChain and
/// OpInBoundsPtrAccessChain is the element.
struct AnyAccessChain : AnyOf<spv::Op::OpAccessChain, spv::Op::OpInBoundsAccessChain,
                              spv::Op::OpPtrAccessChain, spv::Op::OpInBoundsPtrAccessChain> {
  using AnyOf::AnyOf;
  Id base() const { return id(3); }
  IdRange indexes() const { return ids(4); }
};

/// Numbers that are constants.
struct AnyConstant : AnyOf<spv::Op::OpConstant, spv::Op::OpSpecConstant> {
  using AnyOf::AnyOf;
  uint32_t value() const { return word(3); }
  uint64_t value64() const { return word64(3); }
};

/// Constants and values that are made from others.
struct AnyComposite
    : AnyOf<spv::Op::OpConstantComposite, spv::Op::OpSpecConstantComposite, spv::Op::OpCompositeConstruct,
            spv::Op::OpConstantCompositeReplicateEXT, spv::Op::OpSpecConstantCompositeReplicateEXT,
            spv::Op::OpCompositeConstructReplicateEXT> {
  using AnyOf::AnyOf;
  IdRange constituents() const { return ids(3); }
};

/// Decorations of whole objects.
struct AnyDecorate : AnyOf<spv::Op::OpDecorate, spv::Op::OpDecorateId, spv::Op::OpDecorateString> {
  using AnyOf::AnyOf;
  Id target() const { return id(1); }
  spv::Decoration decoration() const { return spv::Decoration(word(2)); }
  LiteralRange parameters() const { return literals(3); }
};

struct AnyExecutionMode : AnyOf<spv::Op::OpExecutionMode, spv::Op::OpExecutionModeId> {
  using AnyOf::AnyOf;
  Id entryPoint() const { return id(1); }
  spv::ExecutionMode mode() const { return spv::ExecutionMode(word(2)); }
  LiteralRange parameters() const { return literals(3); }
};

struct AnyExtInst : AnyOf<spv::Op::OpExtInst, spv::Op::OpExtInstWithForwardRefsKHR> {
  using AnyOf::AnyOf;
  Id set() const { return id(3); }
  uint32_t instruction() const { return word(4); }
  IdRange operands() const { return ids(5); }
};

/// An instruction that names or decorates an id.
struct Annotation
    : AnyOf<spv::Op::OpName, spv::Op::OpMemberName, spv::Op::OpDecorate, spv::Op::OpDecorateId,
            spv::Op::OpDecorateString, spv::Op::OpMemberDecorate, spv::Op::OpMemberDecorateString,
            enums::OpMemberDecorateIdEXT, spv::Op::OpGroupDecorate, spv::Op::OpGroupMemberDecorate> {
  using AnyOf::AnyOf;
  Id target() const { return id(1); }
};

/// Loads and stores by one pointer, of any value.
class LoadOrStore : public InstructionView {
 public:
  LoadOrStore(const Module& m, const Instruction& i) : InstructionView(m, i), pointerAt_(i.result ? 3 : 1) {}
  Id pointer() const { return id(pointerAt_); }

 private:
  uint32_t pointerAt_;
};

/// OpCooperativeMatrixLoadKHR and OpCooperativeMatrixStoreKHR.
class LoadOrStoreMatrix : public InstructionView {
 public:
  LoadOrStoreMatrix(const Module& m, const Instruction& i)
      : InstructionView(m, i), load_(i.op() == spv::Op::OpCooperativeMatrixLoadKHR) {
    assert(load_ || i.op() == spv::Op::OpCooperativeMatrixStoreKHR);
  }
  Id pointer() const { return id(load_ ? 3 : 1); }
  Id memoryLayout() const { return id(load_ ? 4 : 3); }
  bool hasStride() const { return has(load_ ? 5 : 4); }
  Id stride() const { return id(load_ ? 5 : 4); }

 private:
  bool load_;
};

/// OpCooperativeMatrixLoadTensorNV and OpCooperativeMatrixStoreTensorNV.
class LoadOrStoreTensor : public InstructionView {
 public:
  LoadOrStoreTensor(const Module& m, const Instruction& i)
      : InstructionView(m, i), load_(i.op() == spv::Op::OpCooperativeMatrixLoadTensorNV) {
    assert(load_ || i.op() == spv::Op::OpCooperativeMatrixStoreTensorNV);
  }
  Id pointer() const { return id(load_ ? 3 : 1); }
  Id object() const { return id(load_ ? 4 : 2); }
  Id tensorLayout() const { return id(load_ ? 5 : 3); }

 private:
  bool load_;
};

/// Instructions that make a tensor layout or view from another one.
struct TensorOperation : AnyOf<spv::Op::OpTensorLayoutSetDimensionNV, spv::Op::OpTensorLayoutSetStrideNV,
                               spv::Op::OpTensorLayoutSliceNV, spv::Op::OpTensorLayoutSetClampValueNV,
                               spv::Op::OpTensorLayoutSetBlockSizeNV, spv::Op::OpTensorViewSetDimensionNV,
                               spv::Op::OpTensorViewSetStrideNV, spv::Op::OpTensorViewSetClipNV> {
  using AnyOf::AnyOf;
  Id tensor() const { return id(3); }
  IdRange operands() const { return ids(4); }
};

/// OpCooperativeVectorMatrixMulNV and OpCooperativeVectorMatrixMulAddNV. The latter has the bias among its
/// operands.
class VectorProduct : public InstructionView {
 public:
  VectorProduct(const Module& m, const Instruction& i)
      : InstructionView(m, i), afterBias_(i.op() == spv::Op::OpCooperativeVectorMatrixMulAddNV ? 3 : 0) {
    assert(afterBias_ != 0 || i.op() == spv::Op::OpCooperativeVectorMatrixMulNV);
  }
  Id input() const { return id(3); }
  Id inputInterpretation() const { return id(4); }
  Id matrix() const { return id(5); }
  Id matrixOffset() const { return id(6); }
  Id matrixInterpretation() const { return id(7); }
  bool hasBias() const { return afterBias_ != 0; }
  Id bias() const { return hasBias() ? id(8) : Id(); }
  Id biasOffset() const { return hasBias() ? id(9) : Id(); }
  Id biasInterpretation() const { return hasBias() ? id(10) : Id(); }
  Id m() const { return id(8 + afterBias_); }
  Id k() const { return id(9 + afterBias_); }
  Id memoryLayout() const { return id(10 + afterBias_); }
  Id transpose() const { return id(11 + afterBias_); }
  bool hasMatrixStride() const { return has(12 + afterBias_); }
  Id matrixStride() const { return id(12 + afterBias_); }
  spv::CooperativeMatrixOperandsMask cooperativeMatrixOperands() const {
    return spv::CooperativeMatrixOperandsMask(word(13 + afterBias_));
  }

 private:
  uint32_t afterBias_;  ///< words of the bias, which precede the later operands
};

/// A product of small floats (of two numbers, or the dot product of two vectors) and a number that is added.
struct MixedProduct : AnyOf<enums::OpBFloat16MulAddQCOM, enums::OpFDot2MixAcc32VALVE,
                            enums::OpFDot2MixAcc16VALVE, enums::OpFDot4MixAcc32VALVE> {
  using AnyOf::AnyOf;
  Id factor1() const { return id(3); }
  Id factor2() const { return id(4); }
  Id accumulator() const { return id(5); }
};

/// Dot products of integers: vectors, or numbers that hold four of 8 bits. Those that saturate have an
/// accumulator after the vectors.
class IntegerDot : public InstructionView {
 public:
  IntegerDot(const Module& m, const Instruction& i)
      : InstructionView(m, i), accumulates_(i.op() >= spv::Op::OpSDotAccSat) {
    assert(is(i.op()));
  }
  static constexpr bool is(spv::Op op) { return isBetween(op, spv::Op::OpSDot, spv::Op::OpSUDotAccSat); }
  Id vector1() const { return id(3); }
  Id vector2() const { return id(4); }
  bool accumulates() const { return accumulates_; }
  Id accumulator() const { return accumulates_ ? id(5) : Id(); }
  bool hasPackedVectorFormat() const { return has(accumulates_ ? 6 : 5); }

 private:
  bool accumulates_;
};

/// Subgroup operations: votes, broadcasts, shuffles and reductions of one value from each invocation.
/// OpGroupNonUniformElect has no value.
class GroupNonUniformOperation : public InstructionView {
 public:
  GroupNonUniformOperation() = default;
  GroupNonUniformOperation(const Module& m, const Instruction& i)
      : InstructionView(m, i), hasOperation_(hasGroupOperation(i.op())) {
    assert(is(i.op()));
  }
  static constexpr bool is(spv::Op op) {
    return isBetween(op, spv::Op::OpGroupNonUniformElect, spv::Op::OpGroupNonUniformQuadSwap) ||
           op == spv::Op::OpGroupNonUniformRotateKHR;
  }
  Id execution() const { return id(3); }
  Id value() const { return id(hasOperation_ ? 5 : 4); }

 private:
  static constexpr bool hasGroupOperation(spv::Op op) {
    return op == spv::Op::OpGroupNonUniformBallotBitCount ||
           isBetween(op, spv::Op::OpGroupNonUniformIAdd, spv::Op::OpGroupNonUniformLogicalXor);
  }

  bool hasOperation_ = false;
};

/// Shifts of integers.
struct Shift
    : AnyOf<spv::Op::OpShiftRightLogical, spv::Op::OpShiftRightArithmetic, spv::Op::OpShiftLeftLogical> {
  using AnyOf::AnyOf;
  Id base() const { return id(3); }
  Id shift() const { return id(4); }
};

/// Barriers for the control flow of invocations, whole or in two parts.
struct AnyControlBarrier
    : AnyOf<spv::Op::OpControlBarrier, enums::OpControlBarrierArriveEXT, enums::OpControlBarrierWaitEXT> {
  using AnyOf::AnyOf;
  Id execution() const { return id(1); }
  Id memory() const { return id(2); }
  Id semantics() const { return id(3); }
};

/// Copies from memory to memory.
struct AnyCopyMemory : AnyOf<spv::Op::OpCopyMemory, spv::Op::OpCopyMemorySized> {
  using AnyOf::AnyOf;
  Id target() const { return id(1); }
  Id source() const { return id(2); }
};

/// Operations on one cooperative matrix.
struct MatrixOperation : AnyOf<enums::OpCooperativeMatrixConvertUseEXT, enums::OpCooperativeMatrixTransposeNV,
                               enums::OpCooperativeMatrixReduceEXT, enums::OpCooperativeMatrixPerElementOpEXT,
                               enums::OpCooperativeMatrixGetCoordinateEXT> {
  using AnyOf::AnyOf;
  Id matrix() const { return id(3); }
};

}  // namespace op

}  // namespace coopc::spirv
