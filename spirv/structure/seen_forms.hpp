// Makes the check of a module's structure (structure.cpp) fast, by remembering results for opcodes and types:
// an instruction of a form that was seen before takes a few comparisons. Nearly all instructions are nothing
// but ids, and the same opcodes with as many of them come again and again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "spirv/grammar.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/leading_ids.hpp"
#include "spirv/module.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {

class SeenForms {
 public:
  /// The region of an instruction: in a function, or before all functions.
  enum Region : uint8_t { kPlaced = 1, kBefore = 2 };
  /// The result of a check: all operands are near, some are not, or nothing: the instruction must be checked
  /// in full.
  enum class Found : uint8_t { Nothing, Near, Far };

  explicit SeenForms(const Module& module) : m_(module), isType_(module.bound, 0) {}

  bool isType(Id id) const { return isType_[id.index()] != 0; }
  void rememberType(Id id) { isType_[id.index()] = 1; }

  bool isPlaced(spv::Op op) const {
    return uint32_t(op) < known_.size() && (known_[uint32_t(op)].lead & kPlaced) != 0;
  }
  void rememberPlaced(spv::Op op) {
    if (uint32_t(op) < known_.size()) known_[uint32_t(op)].lead |= kPlaced;
  }

  /// Remembers the form of an instruction that was checked in full.
  void remember(const Instruction& i, const OpInfo& info, bool inFunctions) {
    if (i.opcode >= known_.size()) return;
    Known& known = known_[i.opcode];
    if (info.onlyIds() && i.length <= kMostWords) known.lengths |= 1u << (i.length - 1);
    known.lead |= uint8_t((inFunctions ? kPlaced : kBefore) | (info.hasType() ? kHasType : 0) |
                          (info.hasResult() ? kHasResult : 0) | (isAnnotation(i.op()) ? kAnnotates : 0));
  }

  /// Whether an instruction in a function consists only of ids, as many as an earlier one of its opcode had,
  /// and may stand there.
  bool fits(const Instruction& i, const OpInfo& info) const {
    return info.onlyIds() && isPlaced(i.op()) && known_[i.opcode].hasFitted(i.length);
  }

  /// Checks instruction `n` by what is known of its opcode and its type: it is nothing but ids, as many as an
  /// earlier instruction of the opcode had (or leadingIds() says). In functions, `isNear` takes the index of
  /// an operand's definition, and returns whether that is near.
  template <Region region, class IsNear>
  Found likeBefore(const Instruction& i, uint32_t n, const IsNear& isNear) const {
    if (i.opcode >= known_.size()) return Found::Nothing;
    const Known& known = known_[i.opcode];
    if ((known.lead & region) == 0 || i.length == 0 || size_t(i.at) + i.length > m_.words.size())
      return Found::Nothing;
    const uint32_t* const w = m_.at(i);
    const uint32_t end = known.hasFitted(i.length) ? i.length : leadingIds(i.op(), i.length, w);
    if (end == 0 || w[0] != instructionHead(i.op(), i.length)) return Found::Nothing;
    const uint32_t* const definitions = m_.definitions.data();
    const uint32_t bound = m_.bound, functionsAt = m_.functionsAt;
    const uint32_t* word = w + 1;
    uint32_t type = 0, result = 0;
    if ((known.lead & kHasType) != 0) {
      type = *word++;
      if (type >= bound || isType_[type] == 0) return Found::Nothing;
    }
    if ((known.lead & kHasResult) != 0) {
      result = *word++;
      if (result >= bound || definitions[result] != n) return Found::Nothing;
    }
    if (i.type != Id(type) || i.result != Id(result)) return Found::Nothing;
    Found found = Found::Near;
    for (; word != w + end; ++word) {
      const uint32_t at = *word < bound ? definitions[*word] : kNone;
      if (at < (region == kBefore ? n : functionsAt)) continue;
      if (at == kNone || (region == kBefore && (known.lead & kAnnotates) == 0)) return Found::Nothing;
      if (region == kPlaced && !isNear(at)) found = Found::Far;
    }
    return found;
  }

 private:
  static constexpr uint32_t kMostWords = 32;
  enum : uint8_t { kHasType = 4, kHasResult = 8, kAnnotates = 16 };
  struct Known {
    uint32_t lengths = 0;  ///< those in which nothing but ids were found to fit, as bits
    uint8_t lead = 0;      ///< regions in which the opcode may stand, and what comes before its operands

    bool hasFitted(uint32_t length) const {
      return length != 0 && length <= kMostWords && (lengths >> (length - 1) & 1) != 0;
    }
  };

  const Module& m_;
  std::array<Known, 512> known_{};
  std::vector<uint8_t> isType_;  ///< by id: was found to be a type
};

}  // namespace coopc::spirv
