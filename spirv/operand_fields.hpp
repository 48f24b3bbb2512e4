// The operands of an instruction that is being made, as fields with the names of the specification:
//
//     code.make<op::Select>(type, {.condition = inside, .object1 = value, .object2 = zero});
//     code.make<op::CompositeExtract>(type, {.composite = pair, .indexes = {0}});
//     code.make<op::Store>({.pointer = variable, .object = value});
//
// A field that is left out does not compile, unless the operand may be missing (it is missing then), is a
// list (empty) or a mask (no bits). Fields are given in the order of the specification, and C++ evaluates
// them in this order, so each may write instructions of its own. Operands of several words are named as in
// the views: a mask or an enumerant is followed by the list of its operands (`parameters`), and memory
// operands are one list, the mask first.
//
// The structures are generated with the views (grammar/instruction_views.cpp). Making an instruction with a
// fixed number of operands compiles to the writing of its words.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "spirv/id.hpp"
#include "spirv/literal_string.hpp"

namespace coopc::spirv {

/// The result of an instruction: nothing, an id without a type (types, labels, strings), or a value.
enum class Gives : uint8_t { Nothing, Result, TypedResult };

/// Views of instructions, by what these make.
template <class Op>
concept MakesNothing = Op::kGives == Gives::Nothing;
template <class Op>
concept MakesResult = Op::kGives == Gives::Result;
template <class Op>
concept MakesTypedResult = Op::kGives == Gives::TypedResult;

/// An operand that must be given.
template <class T>
class Given {
 public:
  template <class U>
  requires(std::is_convertible_v<U, T> &&
           !std::same_as<std::remove_cvref_t<U>, Given>) constexpr Given(U&& value)
      : value_(std::forward<U>(value)) {}
  constexpr operator Word() const { return value_; }

 private:
  T value_;
};

/// An id that is left out if it is none.
class OptionalId {
 public:
  constexpr OptionalId() = default;
  template <class U>
  requires(std::is_convertible_v<U, Id> &&
           !std::same_as<std::remove_cvref_t<U>, OptionalId>) constexpr OptionalId(U&& id)
      : id_(std::forward<U>(id)) {}
  constexpr explicit operator bool() const { return bool(id_); }
  constexpr operator Word() const { return id_; }

 private:
  Id id_;
};

/// A value and the block that it comes from, or another pair of ids.
struct IdPair {
  Id first, second;
};

/// Operands up to the instruction's end, as a list in braces or words that were collected before. It refers
/// to them.
template <class T>
class FieldList {
 public:
  FieldList() = default;
  FieldList(std::initializer_list<T> list) : FieldList(list.begin(), list.size()) {}
  FieldList(std::span<const T> list) : FieldList(list.data(), list.size()) {}
  FieldList(std::span<const uint32_t> literals) requires(std::same_as<T, Word>)
      : FieldList(literals.data(), literals.size()) {}
  FieldList(const std::vector<T>& list) : FieldList(list.data(), list.size()) {}
  FieldList(Operands words) requires(!std::same_as<T, Word>) : FieldList(words.data(), words.size()) {}
  FieldList(const std::vector<Word>& words) requires(!std::same_as<T, Word>)
      : FieldList(words.data(), words.size()) {}
  template <class U, size_t n>
  FieldList(const std::array<U, n>& list) : FieldList(std::span<const U>(list)) {}

  size_t size() const { return size_; }
  void copyTo(Word* to) const {
    if (size_ != 0) std::memcpy(static_cast<void*>(to), first_, size_ * sizeof(Word));
  }

 private:
  template <class U>
  FieldList(const U* list, size_t count) : first_(list), size_(count * (sizeof(U) / sizeof(Word))) {
    static_assert(std::is_trivially_copyable_v<U> && sizeof(U) % sizeof(Word) == 0);
  }

  const void* first_ = nullptr;
  size_t size_ = 0;  ///< words
};
using IdList = FieldList<Id>;
using LiteralList = FieldList<uint32_t>;
using IdPairList = FieldList<IdPair>;
using WordList = FieldList<Word>;  ///< operands of several kinds

/// The words of fields whose number is found at run time.
class FieldWords {
 public:
  template <class... Fields>
  FieldWords(const Fields&... fields) {
    (add(fields), ...);
  }
  FieldWords(const FieldWords&) = delete;
  FieldWords& operator=(const FieldWords&) = delete;

  operator Operands() const { return {size_ > few_.size() ? many_.data() : few_.data(), size_}; }

 private:
  template <std::convertible_to<Word> T>
  void add(const T& word) {
    *extend(1) = word;
  }
  void add(const OptionalId& id) {
    if (id) *extend(1) = id;
  }
  template <class T>
  void add(const std::optional<T>& word) {
    if (word) *extend(1) = *word;
  }
  template <class T>
  void add(const FieldList<T>& list) {
    list.copyTo(extend(list.size()));
  }
  void add(const std::optional<std::string_view>& text) {
    if (text) add(*text);
  }
  void add(std::string_view text) {
    text = untilZero(text);
    uint32_t words[kTextWords];
    const size_t count = literalTextWords(text);
    std::vector<uint32_t> longText(count > kTextWords ? count : 0);
    uint32_t* const packed = longText.empty() ? words : longText.data();
    packLiteralText(packed, text);
    std::copy_n(packed, count, extend(count));
  }

  Word* extend(size_t count) {
    const size_t at = size_;
    size_ += count;
    if (size_ <= few_.size()) return few_.data() + at;
    if (at <= few_.size()) many_.assign(few_.begin(), few_.begin() + at);
    many_.resize(size_);
    return many_.data() + at;
  }

  static constexpr size_t kFew = 16;  ///< few instructions have more
  static constexpr size_t kTextWords = 32;

  std::array<Word, kFew> few_;
  std::vector<Word> many_;  ///< all of them, if they are more
  size_t size_ = 0;
};

}  // namespace coopc::spirv
