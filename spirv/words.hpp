// A growing array of SPIR-V words. std::vector checks its capacity for every word. The length of an
// instruction is known in advance, so this array grows once per instruction and is then written through a
// plain pointer. Its memory counts for the limit of the compile (base/memory_budget.hpp), for as long as it
// is held.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "base/memory_budget.hpp"

namespace coopc::spirv {

/// Contiguous words. Running out of memory throws std::bad_alloc, as operator new does.
class WordBuffer {
 public:
  WordBuffer() = default;
  WordBuffer(const WordBuffer& other) { append(other.data_, other.size_); }
  WordBuffer(WordBuffer&& other) noexcept { swap(other); }
  WordBuffer& operator=(WordBuffer other) noexcept {
    swap(other);
    return *this;
  }
  ~WordBuffer() {
    MemoryBudget::giveBack(capacity_ * sizeof(uint32_t));
    std::free(data_);
  }

  void swap(WordBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  uint32_t* data() { return data_; }
  const uint32_t* data() const { return data_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  uint32_t& operator[](size_t i) { return data_[i]; }
  const uint32_t& operator[](size_t i) const { return data_[i]; }
  std::span<const uint32_t> words() const { return {data_, size_}; }
  /// Where data() stands, as long as this object does: for readers that outlive growth.
  const uint32_t* const* dataAt() const { return &data_; }
  const uint32_t* begin() const { return data_; }
  const uint32_t* end() const { return data_ + size_; }

  /// Removes all words, but keeps the memory.
  void clear() { size_ = 0; }
  /// Removes all words from index `size` on.
  void truncate(size_t size) { size_ = size; }

  /// Appends `n` uninitialized words, and returns a pointer to the first one.
  uint32_t* extend(size_t n) {
    if (capacity_ - size_ < n) grow(n);
    uint32_t* at = data_ + size_;
    size_ += n;
    return at;
  }

  void push(uint32_t word) { *extend(1) = word; }

  void append(const uint32_t* words, size_t n) {
    if (n != 0) std::memcpy(extend(n), words, n * sizeof(uint32_t));
  }

  /// Inserts `n` words before index `at`. `words` must not point into this buffer.
  void insert(size_t at, const uint32_t* words, size_t n) {
    if (n == 0) return;
    const size_t tail = size_ - at;
    extend(n);
    std::memmove(data_ + at + n, data_ + at, tail * sizeof(uint32_t));
    std::memcpy(data_ + at, words, n * sizeof(uint32_t));
  }

 private:
  void grow(size_t n) {
    size_t capacity = capacity_ == 0 ? 64 : capacity_ * 2;
    if (capacity < size_ + n) capacity = size_ + n;
    MemoryBudget::take((capacity - capacity_) * sizeof(uint32_t));
    void* data = std::realloc(data_, capacity * sizeof(uint32_t));
    if (data == nullptr) throw std::bad_alloc();
    data_ = static_cast<uint32_t*>(data);
    capacity_ = capacity;
  }

  uint32_t* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace coopc::spirv
