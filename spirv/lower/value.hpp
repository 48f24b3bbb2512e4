// Values of the code that is being written. They know their type and have the operators of C++:
//
//   const UInt at = row * stride + column / 4;            // OpIMul, OpUDiv, OpIAdd
//   const Bool inside = at < end && column < width;       // OpULessThan, OpULessThan, OpLogicalAnd
//   pointer.store(select(inside, at, end));
//
// The order of evaluation stays defined. C++ does not specify which operand of + is evaluated first, so
// operators that wrote their instructions at once would give modules whose ids depend on the compiler that
// built coopc. An operator therefore writes nothing but makes an expression, and an expression is written
// when it becomes a UInt, a Bool or an Id: first the constants that it names, then its instructions, both
// from left to right. An operand may be
//   - a value or an id that has a name, or a number;
//   - another expression;
//   - a call that returns a value, for which instructions may have been written: one in an expression. With
//     two, the expression does not compile; name one of them first.
// Functions with several parameters of this kind take them as NamedUInt, to which expressions do not convert.
//
// Unsigned 32-bit arithmetic is folded: x + 0, x * 1 and operations on two constants write no instruction.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <spirv/unified1/spirv.hpp11>

#include "spirv/id.hpp"

namespace coopc::spirv::lower {

class Code;

namespace value {

/// A value of one type in the code that a Code writes. It converts to its id.
template <class Tag>
class Scalar {
 public:
  Scalar() = default;
  /// An id that is known to have this type.
  Scalar(Code& code, Id id) : code_(&code), id_(id) {}

  operator Id() const { return id_; }
  operator NamedId() const& { return id_; }
  operator NamedId() const&& = delete;  ///< name it first
  operator Word() const { return id_; }
  Code* code() const { return code_; }

 private:
  Code* code_ = nullptr;
  Id id_;
};

/// A value or a number as an operand of an expression.
class Leaf {
 public:
  Leaf(Id id) : id_(id) {}
  Leaf(uint32_t number) : number_(number), isNumber_(true) {}
  void makeConstants(Code& code);
  Id write(Code&) const { return id_; }

 private:
  Id id_;
  uint32_t number_ = 0;
  bool isNumber_ = false;
};

/// Writes an instruction whose result is a Bool (`ofBool`) or a UInt.
Id writeOperation(Code& code, spv::Op op, bool ofBool, Operands operands);

/// An instruction that is not written yet. kCalls: a call returned one of its operands.
template <class Result, bool kCalls, class... Parts>
class Operation {
 public:
  Operation(Code* code, spv::Op op, Parts... parts) : code_(code), op_(op), parts_(std::move(parts)...) {}

  /// Conversions take a temporary only, because each of them writes the instructions.
  operator Result() && { return Result(*code_, evaluate()); }
  operator Id() && { return evaluate(); }
  operator Word() && { return evaluate(); }

  Code* code() const { return code_; }
  void makeConstants(Code& code) {
    std::apply([&](Parts&... part) { (part.makeConstants(code), ...); }, parts_);
  }
  Id write(Code& code);

 private:
  Id evaluate() {
    makeConstants(*code_);
    return write(*code_);
  }

  Code* code_;
  spv::Op op_;
  std::tuple<Parts...> parts_;
};

}  // namespace value

using UInt = value::Scalar<struct UIntTag>;  ///< unsigned, 32 bits
using Bool = value::Scalar<struct BoolTag>;

/// A value that has a name at the call, like NamedId.
class NamedUInt : public UInt {
 public:
  NamedUInt(const UInt& v) : UInt(v) {}
  NamedUInt(const UInt&&) = delete;  ///< name it first
};

namespace value {

template <class Result, bool kCalls, class... Parts>
Id Operation<Result, kCalls, Parts...>::write(Code& code) {
  // Elements of a braced list are evaluated from left to right.
  const std::array<Word, sizeof...(Parts)> operands = std::apply(
      [&](Parts&... part) { return std::array<Word, sizeof...(Parts)>{Word(part.write(code))...}; }, parts_);
  return writeOperation(code, op_, std::same_as<Result, Bool>, operands);
}

/// Numbers, but not bool, so that a Bool is not taken for a condition of the compiler that writes it.
template <class T>
inline constexpr bool kIsNumber = std::integral<T> && !std::same_as<T, bool>;

/// An operand's type. Type: the result type that it decides, or void; kCalls: whether a call returned the
/// operand.
template <class T>
struct Term;
template <class T>
requires std::derived_from<std::remove_cvref_t<T>, UInt>
struct Term<T> {
  using Type = UInt;
  static constexpr bool kCalls = !std::is_lvalue_reference_v<T>;
  static Leaf part(const UInt& v) { return Id(v); }
  static Code* code(const UInt& v) { return v.code(); }
};
template <class T>
requires std::same_as<std::remove_cvref_t<T>, Bool>
struct Term<T> {
  using Type = Bool;
  static constexpr bool kCalls = !std::is_lvalue_reference_v<T>;
  static Leaf part(const Bool& v) { return Id(v); }
  static Code* code(const Bool& v) { return v.code(); }
};
template <class Result, bool kOfCall, class... Parts>
struct Term<Operation<Result, kOfCall, Parts...>> {
  using Type = Result;
  static constexpr bool kCalls = kOfCall;
  static auto part(Operation<Result, kOfCall, Parts...>&& v) { return std::move(v); }
  static Code* code(const Operation<Result, kOfCall, Parts...>& v) { return v.code(); }
};
template <class T>
requires kIsNumber<T>
struct Term<T> {
  using Type = void;
  static constexpr bool kCalls = false;
  static Leaf part(T number) { return uint32_t(number); }
  static Code* code(T) { return nullptr; }
};
template <class T>
concept NamedNumber = std::is_lvalue_reference_v<T> && kIsNumber<std::remove_cvref_t<T>>;
template <NamedNumber T>
struct Term<T> : Term<std::remove_cvref_t<T>> {};
template <class T>
concept IdWithName = std::is_lvalue_reference_v<T> && std::same_as<std::remove_cvref_t<T>, Id>;
template <IdWithName T>
struct Term<T> {
  using Type = void;
  static constexpr bool kCalls = false;
  static Leaf part(const Id& id) { return id; }
  static Code* code(const Id&) { return nullptr; }
};

template <class T>
using TypeOfTerm = typename Term<T>::Type;
template <class T>
concept IsTerm = requires {
  typename Term<T>::Type;
};
template <class T, class Type>
concept TermOf = IsTerm<T> &&(std::same_as<TypeOfTerm<T>, Type> || std::same_as<TypeOfTerm<T>, void>);
/// Operands with at least one value of the type, or one expression that results in it.
template <class Type, class... Ts>
concept TermsOf = (TermOf<Ts, Type> && ...) && (std::same_as<TypeOfTerm<Ts>, Type> || ...) &&
                  // Which of two calls comes first is not defined: one of them needs a name.
                  (0 + ... + int(Term<Ts>::kCalls)) <= 1;

template <class Result, class... Ts>
auto operation(spv::Op op, Ts&&... operands) {
  constexpr int kCallsInIt = (0 + ... + int(Term<Ts>::kCalls));
  Code* code = nullptr;
  ((code = code != nullptr ? code : Term<Ts>::code(operands)), ...);
  return Operation<Result, kCallsInIt != 0,
                   std::decay_t<decltype(Term<Ts>::part(std::forward<Ts>(operands)))>...>(
      code, op, Term<Ts>::part(std::forward<Ts>(operands))...);
}

/// Operators, which are found by their operands' types.
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator+(L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpIAdd, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator-(L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpISub, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator*(L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpIMul, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator/(L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpUDiv, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator%(L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpUMod, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator&(L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpBitwiseAnd, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator|(L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpBitwiseOr, std::forward<L>(a), std::forward<R>(b));
}
template <class T>
requires TermsOf<UInt, T>
auto operator~(T&& a) { return operation<UInt>(spv::Op::OpNot, std::forward<T>(a)); }
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator<<(L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpShiftLeftLogical, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator>>(L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpShiftRightLogical, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator<(L&& a, R&& b) {
  return operation<Bool>(spv::Op::OpULessThan, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator<=(L&& a, R&& b) {
  return operation<Bool>(spv::Op::OpULessThanEqual, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<UInt, L, R>
auto operator>=(L&& a, R&& b) {
  return operation<Bool>(spv::Op::OpUGreaterThanEqual, std::forward<L>(a), std::forward<R>(b));
}
template <class L, class R>
requires TermsOf<Bool, L, R>
auto operator&&(L&& a, R&& b) {
  return operation<Bool>(spv::Op::OpLogicalAnd, std::forward<L>(a), std::forward<R>(b));
}
template <class T>
requires TermsOf<Bool, T>
auto operator!(T&& a) { return operation<Bool>(spv::Op::OpLogicalNot, std::forward<T>(a)); }
/// OpIEqual; == compares ids.
template <class L, class R>
requires TermsOf<UInt, L, R>
auto equal(L&& a, R&& b) {
  return operation<Bool>(spv::Op::OpIEqual, std::forward<L>(a), std::forward<R>(b));
}
/// `a` if the condition holds, otherwise `b`.
template <class C, class L, class R>
requires TermsOf<Bool, C> && TermsOf<UInt, L, R> &&
    ((int(Term<C>::kCalls) + int(Term<L>::kCalls) + int(Term<R>::kCalls)) <= 1) auto select(C&& condition,
                                                                                            L&& a, R&& b) {
  return operation<UInt>(spv::Op::OpSelect, std::forward<C>(condition), std::forward<L>(a),
                         std::forward<R>(b));
}

}  // namespace value

/// Operations that are written at once, for ids that are known to be unsigned 32-bit integers.
UInt add(Code& code, NamedId a, NamedId b);
UInt mul(Code& code, NamedId a, NamedId b);
UInt div(Code& code, NamedId a, NamedId b);
UInt mod(Code& code, NamedId a, NamedId b);
Bool less(Code& code, NamedId a, NamedId b);

/// A pointer into a variable. It knows its pointee type, and whether it is workgroup memory, which other
/// invocations see.
class Pointer {
 public:
  Pointer() = default;
  Pointer(Code& code, Id id, Id pointee, spv::StorageClass storage)
      : code_(&code), id_(id), pointee_(pointee), storage_(storage) {}

  operator Id() const { return id_; }
  operator NamedId() const& { return id_; }
  operator NamedId() const&& = delete;  ///< name it first
  operator Word() const { return id_; }

  Id load() const;
  void store(Id value) const;

 private:
  Code* code_ = nullptr;
  Id id_, pointee_;
  spv::StorageClass storage_ = spv::StorageClass::Function;
};

}  // namespace coopc::spirv::lower
