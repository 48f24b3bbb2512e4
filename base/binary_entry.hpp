// The files of caches, as bytes: numbers as they are in memory, and blocks of bytes after their lengths. Only
// the machine that wrote such a file reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace coopc {

template <class T>
void addRaw(std::string& text, const T& value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void addBlock(std::string& text, const void* data, size_t bytes) {
  addRaw(text, uint64_t(bytes));
  text.append(static_cast<const char*>(data), bytes);
}
inline void addBlock(std::string& text, std::string_view block) {
  addBlock(text, block.data(), block.size());
}

/// FNV-1a, 64 bits: for accidental differences, not against forged ones. Who can write to a cache can replace
/// its entries anyway.
inline uint64_t entryHash(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// Reads what addRaw() and addBlock() wrote. Reading past the end fails.
class EntryReader {
 public:
  explicit EntryReader(std::string_view text) : rest_(text) {}
  template <class T>
  bool raw(T& value) {
    if (rest_.size() < sizeof value) return false;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return true;
  }
  bool block(std::string_view& data) {
    uint64_t size = 0;
    if (!raw(size) || size > rest_.size()) return false;
    data = rest_.substr(0, size_t(size));
    rest_.remove_prefix(size_t(size));
    return true;
  }
  bool atEnd() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

}  // namespace coopc
