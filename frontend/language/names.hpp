// Interned identifiers. An identifier is classified once, when it is first met: keyword, built-in type,
// built-in function or variable. Those tables are constexpr (keywords, tables/), so that nothing is
// built at start-up; afterwards every query about a name is one array access.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/typed_id.hpp"
#include "frontend/language/token_kind.hpp"

namespace coopc::frontend {

using NameId = TypedId<struct NameIdTag>;  ///< an index into Names
constexpr uint32_t kNone = ~0u;
constexpr uint32_t kMaybeMacro = ~0u - 1;

struct NameInfo {
  const char* chars;
  uint32_t length;
  uint32_t hash;
  Tok keyword;             ///< the kind of token of the word: a keyword, Tok::TypeName or Tok::Identifier
  uint16_t builtinType;    ///< index + 1 into the built-in type names (Tok::TypeName); 0 if none
  uint16_t builtinName;    ///< index + 1 into the names of built-in functions; 0 if none
  uint16_t builtinSymbol;  ///< index + 1 into the built-in variables and constants; 0 if none
  /// The preprocessor's current definition; kNone: none, kMaybeMacro: may be a predefined one. For numbers:
  /// the converted literal.
  uint32_t macro;
  uint32_t symbol;  ///< the checker's innermost declaration, kNone: none; for numbers: the literal's kind

  std::string_view text() const { return {chars, length}; }
};

class Names {
  struct Slot {
    uint32_t key = 0;
    NameId id;  ///< none: empty
  };

 public:
  /// `expected`: the number of names for which room is reserved.
  explicit Names(size_t expected = kExpected);
  ~Names();
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  NameId intern(std::string_view text);
  /// interns a name of another table, whose characters stay where they are
  NameId adopt(const NameInfo& known);
  NameId find(std::string_view text) const;  ///< none if it was never interned
  NameInfo& operator[](NameId id) { return infos_[id.index()]; }
  const NameInfo& operator[](NameId id) const { return infos_[id.index()]; }
  std::string_view text(NameId id) const { return infos_[id.index()].text(); }
  uint32_t size() const { return static_cast<uint32_t>(infos_.size()); }
  size_t bytes() const;         ///< approximate memory use
  size_t longestProbe() const;  ///< the most slots that the search for a name passes

 private:
  static constexpr size_t kExpected = 128;
  uint32_t keyOf(std::string_view text, uint32_t hash) const;
  size_t slotOf(std::string_view text, uint32_t key) const;
  size_t probeOf(size_t slot) const { return (slot - table_[slot].key) & (table_.size() - 1); }
  NameId add(std::string_view text, uint32_t hash, uint32_t key, size_t slot);
  NameId put(const NameInfo& info, uint32_t key, size_t slot);
  void place(std::vector<Slot>&& old);
  void grow();
  void scatter();
  std::vector<NameInfo> infos_;
  /// open addressing, power of two; keys with the ids, so that a miss reads nothing else
  std::vector<Slot> table_;
  uint64_t seed_ = 0;  ///< of the keys; 0: they are the names' hashes
  std::vector<char*> chunks_;
  char* cursor_ = nullptr;
  char* limit_ = nullptr;
};

/// The hash of names, the same at compile time (constexpr tables) and at run time. It takes eight bytes at a
/// time; the last ones may overlap those before. With a seed that nobody knows, nobody can choose names whose
/// hashes are equal.
constexpr uint32_t hashName(std::string_view text, uint64_t seed = 0) {
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  const auto byte = [&](size_t at) { return uint64_t{static_cast<unsigned char>(text[at])}; };
  const auto four = [&](size_t at) -> uint64_t {
    if (std::is_constant_evaluated() || std::endian::native != std::endian::little)
      return byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | byte(at + 3) << 24;
    uint32_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    return word;
  };
  const size_t size = text.size();
  uint64_t h = size * kFactor ^ seed;
  const auto mix = [&](uint64_t word) {
    h = (h ^ word) * kFactor;
    h ^= h >> 32;
  };
  if (size >= 8) {
    for (size_t at = 0; at + 8 < size; at += 8) mix(four(at) | four(at + 4) << 32);
    mix(four(size - 8) | four(size - 4) << 32);
  } else if (size >= 4) {
    mix(four(0) | four(size - 4) << 32);
  } else if (size != 0) {
    mix(byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16);
  }
  return static_cast<uint32_t>(h * kFactor >> 32);
}

}  // namespace coopc::frontend
