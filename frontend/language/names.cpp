// Interning: open addressing over ids, the characters in chunks that never move.
#include "frontend/language/names.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/memory_budget.hpp"
#include "frontend/base/characters.hpp"
#include "frontend/language/builtins/names.hpp"
#include "frontend/language/keywords.hpp"

namespace coopc::frontend {
namespace {
constexpr size_t kChunk = 16 * 1024;
}  // namespace

Names::Names(size_t expected) {
  infos_.reserve(expected);
  table_.assign(std::bit_ceil(expected * 2), {});
  infos_.push_back({"", 0, hashName(""), Tok::Identifier, 0, 0, 0, kNone, kNone});  // 0: no name
}

Names::~Names() {
  for (char* chunk : chunks_) delete[] chunk;
}

// What places a name in the table.
inline uint32_t Names::keyOf(std::string_view text, uint32_t hash) const {
  return seed_ == 0 ? hash : hashName(text, seed_);
}

// The slot of the name, or the one where it is to be inserted.
inline size_t Names::slotOf(std::string_view text, uint32_t key) const {
  const size_t mask = table_.size() - 1;
  size_t at = key & mask;
  for (; table_[at].id; at = (at + 1) & mask) {
    if (table_[at].key != key) continue;
    const NameInfo& info = infos_[table_[at].id.index()];
    if (info.length == text.size() && std::memcmp(info.chars, text.data(), text.size()) == 0) break;
  }
  return at;
}

NameId Names::intern(std::string_view text) {
  const uint32_t hash = hashName(text), key = keyOf(text, hash);
  const size_t at = slotOf(text, key);
  if (table_[at].id) return table_[at].id;
  if (text.empty()) return {};
  if (static_cast<size_t>(limit_ - cursor_) < text.size() + 1) {
    // A long text gets a separate chunk, and the current one stays in use.
    const size_t size = text.size() + 1 > kChunk / 4 ? text.size() + 1 : kChunk;
    MemoryBudget::take(size);
    chunks_.push_back(nullptr);  // first: if this ran out of memory later, the chunk would be lost
    char* chunk = chunks_.back() = new char[size];
    if (size == kChunk) {
      cursor_ = chunk;
      limit_ = chunk + size;
    } else {
      std::memcpy(chunk, text.data(), text.size());
      chunk[text.size()] = 0;
      return add({chunk, text.size()}, hash, key, at);
    }
  }
  char* chars = cursor_;
  std::memcpy(chars, text.data(), text.size());
  chars[text.size()] = 0;
  cursor_ += text.size() + 1;
  return add({chars, text.size()}, hash, key, at);
}

NameId Names::adopt(const NameInfo& known) {
  const uint32_t key = keyOf(known.text(), known.hash);
  const size_t at = slotOf(known.text(), key);
  return table_[at].id ? table_[at].id : put(known, key, at);
}

// Longer names are in no table.
constexpr size_t kLongestBuiltin = 96;

NameId Names::add(std::string_view text, uint32_t hash, uint32_t key, size_t slot) {
  NameInfo info{
      text.data(), static_cast<uint32_t>(text.size()), hash, findKeyword(text, hash), 0, 0, 0, kNone, kNone};
  // Numbers and texts of literals are interned as well.
  const char first = text[0];
  if (info.keyword == Tok::Identifier && text.size() < kLongestBuiltin && charClass(first) == kCharLetter) {
    const BuiltinMeaning meaning = findBuiltin(text, hash);
    const auto number = static_cast<uint16_t>(meaning.index + 1);
    switch (meaning.kind) {
      case BuiltinMeaning::Kind::None: break;
      case BuiltinMeaning::Kind::Function: info.builtinName = number; break;
      case BuiltinMeaning::Kind::Symbol: info.builtinSymbol = number; break;
      case BuiltinMeaning::Kind::Type:
        info.builtinType = number;
        info.keyword = Tok::TypeName;
        break;
    }
    // Predefined macros exist only once their names are used.
    if (first == 'G' || first == '_' || first == 'V')
      if (text.substr(0, 3) == "GL_" || text.substr(0, 2) == "__" || text == "VULKAN")
        info.macro = kMaybeMacro;
  }
  return put(info, key, slot);
}

// Hashes as they come give far shorter searches.
constexpr size_t kLongestProbe = 256;

NameId Names::put(const NameInfo& info, uint32_t key, size_t slot) {
  const auto id = NameId(static_cast<uint32_t>(infos_.size()));
  MemoryBudget::growth(infos_);
  infos_.push_back(info);
  table_[slot] = {key, id};
  if (seed_ == 0 && probeOf(slot) > kLongestProbe) scatter();
  if (infos_.size() * 2 > table_.size()) grow();
  return id;
}

NameId Names::find(std::string_view text) const {
  return table_[slotOf(text, keyOf(text, hashName(text)))].id;
}

size_t Names::longestProbe() const {
  size_t longest = 0;
  for (size_t slot = 0; slot < table_.size(); ++slot)
    if (table_[slot].id) longest = std::max(longest, probeOf(slot));
  return longest;
}

size_t Names::bytes() const {
  return infos_.capacity() * sizeof(NameInfo) + table_.size() * sizeof(Slot) + chunks_.size() * kChunk;
}

void Names::place(std::vector<Slot>&& old) {
  const size_t mask = table_.size() - 1;
  for (const Slot& slot : old) {
    if (!slot.id) continue;
    size_t at = slot.key & mask;
    while (table_[at].id) at = (at + 1) & mask;
    table_[at] = slot;
  }
}

void Names::grow() {
  MemoryBudget::take(table_.size() * sizeof(Slot));
  std::vector<Slot> old(table_.size() * 2, Slot{});
  old.swap(table_);
  place(std::move(old));
}

// Somebody chose names whose hashes collide, with which each search would take as long as there are names.
// Where this table lies in memory is not known to whoever wrote the text. Ids do not depend on it.
void Names::scatter() {
  const auto infos = reinterpret_cast<uintptr_t>(infos_.data()),
             table = reinterpret_cast<uintptr_t>(table_.data());
  seed_ = ((infos * 0x9e3779b97f4a7c15u) ^ table) | 1;
  MemoryBudget::take(table_.size() * sizeof(Slot));
  std::vector<Slot> old(table_.size(), Slot{});
  old.swap(table_);
  for (Slot& slot : old)
    if (slot.id) slot.key = hashName(infos_[slot.id.index()].text(), seed_);
  place(std::move(old));
}

}  // namespace coopc::frontend
