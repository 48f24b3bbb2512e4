// Mutates a module by instructions: operands get the ids, enumerants and numbers of other operands;
// instructions are deleted, copied, moved, and given other opcodes. The header stays a valid one.
#include <algorithm>
#include <cstring>
#include <vector>

#include "spirv/grammar.hpp"
#include "spirv/instruction_walk.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/support/mutation.hpp"

namespace coopc::fuzz {
namespace {

using tests::Random;

constexpr uint32_t kNumbers[] = {0,     1,       2,        3,          4,          7,         8,   16,
                                 31,    32,      33,       63,         64,         65,        128, 255,
                                 65535, 0x10000, 0x3FFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};

struct Starts {
  std::vector<size_t> at;
  explicit Starts(const std::vector<uint32_t>& words) {
    spirv::InstructionWalk walk(words);
    while (walk.next()) at.push_back(walk.at());
  }
};

size_t lengthAt(const std::vector<uint32_t>& words, size_t at) { return words[at] >> spv::WordCountShift; }

void changeOperand(std::vector<uint32_t>& words, size_t at, const Starts& starts, Random& random) {
  const size_t length = lengthAt(words, at);
  if (length < 2) return;
  uint32_t& operand = words[at + 1 + random.below(length - 1)];
  const size_t other = starts.at[random.below(starts.at.size())];
  const size_t otherLength = lengthAt(words, other);
  switch (random.below(7)) {
    case 0: operand = uint32_t(random.below(std::min<uint32_t>(words[spirv::kHeaderBound], 1u << 20))); break;
    case 1: operand ^= 1u << random.below(32); break;
    case 2: operand += random.below(2) == 0 ? 1u : ~0u; break;
    case 3: operand = kNumbers[random.below(std::size(kNumbers))]; break;
    case 4:
      if (otherLength >= 2) operand = words[other + 1 + random.below(otherLength - 1)];
      break;
    case 5: operand = uint32_t(random.below(64)); break;
    default: operand = words[other + (otherLength >= 3 ? 2 : 0)]; break;
  }
}

void insertAt(std::vector<uint32_t>& words, size_t at, const std::vector<uint32_t>& what) {
  words.insert(words.begin() + std::ptrdiff_t(at), what.begin(), what.end());
}

std::vector<uint32_t> cut(std::vector<uint32_t>& words, size_t at, size_t length) {
  const auto from = words.begin() + std::ptrdiff_t(at), to = from + std::ptrdiff_t(length);
  std::vector<uint32_t> out(from, to);
  words.erase(from, to);
  return out;
}

// Copies an instruction to another place. Most copies with a result get a new id, which later mutations may
// use.
void copyInstruction(std::vector<uint32_t>& words, size_t from, size_t to, Random& random) {
  const size_t length = lengthAt(words, from);
  std::vector<uint32_t> copy(words.begin() + std::ptrdiff_t(from),
                             words.begin() + std::ptrdiff_t(from + length));
  const spirv::OpInfo* info = spirv::opInfo(copy[0] & spv::OpCodeMask);
  if (info != nullptr && info->hasResult() && length > 1u + (info->hasType() ? 1 : 0) && random.below(4) != 0)
    copy[info->hasType() ? 2 : 1] = words[spirv::kHeaderBound]++;
  insertAt(words, to, copy);
}

// Replaces the opcode by another one that has a result and a type where the old one has them.
void changeOpcode(std::vector<uint32_t>& words, size_t at, Random& random) {
  const uint32_t old = words[at] & spv::OpCodeMask;
  const spirv::OpInfo* info = spirv::opInfo(old);
  for (int tries = 0; tries < 20; ++tries) {
    const uint32_t fresh = random.below(3) == 0 ? uint32_t(random.below(spirv::kOpTable.size))
                                                : old + uint32_t(random.below(17)) - 8;
    const spirv::OpInfo* other = spirv::opInfo(fresh);
    if (other == nullptr || info == nullptr) continue;
    if (other->hasResult() != info->hasResult() || other->hasType() != info->hasType()) continue;
    words[at] = (words[at] & ~uint32_t{spv::OpCodeMask}) | fresh;
    return;
  }
}

void change(std::vector<uint32_t>& words, Random& random) {
  const Starts starts(words);
  if (starts.at.empty()) return;
  // Two of three changes are in the second half of the module, where the functions are.
  const size_t count = starts.at.size();
  const size_t which = random.below(3) == 0 ? random.below(count) : count - 1 - random.below((count + 1) / 2);
  const size_t at = starts.at[which], other = starts.at[random.below(count)];
  switch (random.below(12)) {
    case 0: cut(words, at, lengthAt(words, at)); break;
    case 1: copyInstruction(words, at, other, random); break;
    case 2: copyInstruction(words, other, at, random); break;
    case 3: {
      const std::vector<uint32_t> moved = cut(words, at, lengthAt(words, at));
      const Starts left(words);
      insertAt(words, left.at.empty() ? words.size() : left.at[random.below(left.at.size())], moved);
      break;
    }
    case 4: changeOpcode(words, at, random); break;
    case 5: {
      // One operand more or less.
      const size_t length = lengthAt(words, at);
      if (random.below(2) == 0 && length > 1) {
        cut(words, at + length - 1, 1);
        words[at] -= 1u << spv::WordCountShift;
      } else if (length < 0xFFFF) {
        insertAt(words, at + length, {words[at + random.below(length)]});
        words[at] += 1u << spv::WordCountShift;
      }
      break;
    }
    case 6: {
      constexpr uint32_t kVersions[] = {0x10000, 0x10300, 0x10400, 0x10500, 0x10600};
      words[spirv::kHeaderVersion] = kVersions[random.below(std::size(kVersions))];
      break;
    }
    default: changeOperand(words, at, starts, random); break;
  }
}

}  // namespace

size_t mutateModule(uint8_t* data, size_t size, size_t capacity, unsigned seed, size_t choices) {
  Random random(seed);
  const size_t behind = std::min(size, choices);
  std::vector<uint32_t> words = wordsOf({data, size - behind});
  const size_t kind = random.below(24);
  if (words.size() <= spirv::kHeaderWords || kind == 0) return LLVMFuzzerMutate(data, size, capacity);
  if (kind == 1 && behind != 0) {
    data[size - 1 - random.below(behind)] = uint8_t(random.next());
    return size;
  }
  const std::string chosen(reinterpret_cast<const char*>(data) + size - behind, behind);
  for (size_t changes = 1 + random.below(3); changes > 0 && words.size() > spirv::kHeaderWords; --changes)
    change(words, random);
  if (words.size() * 4 + behind > capacity) return LLVMFuzzerMutate(data, size, capacity);
  std::memcpy(data, words.data(), words.size() * 4);
  std::memcpy(data + words.size() * 4, chosen.data(), behind);
  return words.size() * 4 + behind;
}

}  // namespace coopc::fuzz
