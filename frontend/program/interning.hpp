// Open-addressing hash tables of ids, used to intern types and constants. A slot holds id + 1, or 0 if it is
// empty. The keys are in the owner's arrays, so a table is a single array of 4-byte slots; its size is a
// power of two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coopc::frontend {

/// Mixes one word into a hash (the finalizer of splitmix64: every input bit reaches every output bit).
constexpr uint64_t mixHash(uint64_t hash, uint64_t word) {
  uint64_t x = hash + 0x9e3779b97f4a7c15u + word;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// The result of findInterned() for a key that is not in the table.
constexpr uint32_t kNoSlot = ~0u;
/// The id for which `equal(id)` holds. If there is none, kNoSlot, and `slot` is where the new id belongs.
template <typename Equal>
uint32_t findInterned(const std::vector<uint32_t>& table, uint64_t hash, Equal equal, size_t& slot) {
  const size_t mask = table.size() - 1;
  for (slot = hash & mask; table[slot] != 0; slot = (slot + 1) & mask)
    if (equal(table[slot] - 1)) return table[slot] - 1;
  return kNoSlot;
}

/// Doubles the table's size and inserts all ids anew, by `hashOf(id)`.
template <typename HashOf>
void growInterned(std::vector<uint32_t>& table, HashOf hashOf) {
  std::vector<uint32_t> old(table.size() * 2, 0);
  old.swap(table);
  const size_t mask = table.size() - 1;
  for (uint32_t entry : old) {
    if (entry == 0) continue;
    size_t slot = hashOf(entry - 1) & mask;
    while (table[slot] != 0) slot = (slot + 1) & mask;
    table[slot] = entry;
  }
}

}  // namespace coopc::frontend
