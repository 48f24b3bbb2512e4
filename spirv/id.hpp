// Result ids, the words of instructions, and how both are passed to what writes instructions.
//
// Making a type, a constant or a value writes instructions and assigns ids. C++ does not specify the order in
// which a call's arguments are evaluated, so a call with two such arguments would give modules whose ids
// depend on the compiler that built coopc. Therefore a function that takes several ids takes them as NamedId,
// or in a braced list, whose elements are evaluated in order.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#include "base/typed_id.hpp"

namespace coopc::spirv {

/// A result id; none() is not an id.
using Id = TypedId<struct IdTag>;
inline constexpr Id kNoId;

/// An id that already has a name at the call: this type binds to variables, but never to the result of
/// another call.
class NamedId {
 public:
  constexpr NamedId(const Id& id) : id_(id) {}
  NamedId(const Id&&) = delete;  ///< name it first: `const Id t = type(x);`
  constexpr operator Id() const { return id_; }
  constexpr uint32_t index() const { return id_.index(); }
  constexpr explicit operator bool() const { return bool(id_); }

 private:
  Id id_;
};

/// A word of an instruction, as it is written: an id, a literal or an enumerant.
class Word {
 public:
  constexpr Word() = default;
  constexpr Word(uint32_t literal) : word_(literal) {}
  constexpr Word(Id id) : word_(id.index()) {}
  constexpr Word(NamedId id) : word_(id.index()) {}
  template <typename Enum>
  requires std::is_enum_v<Enum>
  constexpr Word(Enum enumerant) : word_(static_cast<uint32_t>(enumerant)) {}

  constexpr operator uint32_t() const { return word_; }
  constexpr Id id() const { return Id(word_); }

 private:
  uint32_t word_ = 0;
};
static_assert(sizeof(Word) == sizeof(uint32_t) && std::is_trivially_copyable_v<Word>);

using Operands = std::span<const Word>;

/// The word of a module that contains an id; read and written as one.
class IdWord {
 public:
  explicit IdWord(uint32_t& word) : word_(word) {}
  operator Id() const { return Id(word_); }
  uint32_t index() const { return word_; }
  IdWord& operator=(Id id) {
    word_ = id.index();
    return *this;
  }
  bool isAt(const uint32_t* word) const { return &word_ == word; }

 private:
  uint32_t& word_;
};

}  // namespace coopc::spirv
