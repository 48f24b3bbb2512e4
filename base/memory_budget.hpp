// A limit on the memory that a compile takes. What grows with a text is counted where it grows: copies of texts, tokens, names, macro
// expansions, the program, the module, the passes' tables. Nothing is given back before the compile ends, so that arrays count with the
// most that they had; what is small or of a fixed size does not count.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>

namespace coopc {

/// More memory than a MemoryBudget allows was asked for.
struct MemoryLimitReached : std::bad_alloc {
  const char* what() const noexcept override { return "the memory limit is reached"; }
};

/// While it lives, what is counted in this thread counts for it: beyond `limit` bytes, MemoryLimitReached. 0: nothing is counted, as in a
/// callback's own code. The budget that was there before goes on where this one ends.
class MemoryBudget {
 public:
  /// What is measured as a whole, and not as it grows.
  enum class Part { Program, Module, Passes, Count };

  explicit MemoryBudget(size_t limit) : limit_(limit), outer_(current) {
    current = limit != 0 ? this : nullptr;
  }
  ~MemoryBudget() { current = outer_; }
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  static bool active() { return current != nullptr; }
  static void take(size_t bytes) {
    if (current != nullptr) current->add(bytes);
  }
  /// `bytes`: what a part has by now.
  static void measure(Part part, size_t bytes) {
    if (current == nullptr) return;
    size_t& known = current->parts_[static_cast<size_t>(part)];
    if (bytes <= known) return;
    current->add(bytes - known);
    known = bytes;
  }
  /// Counts by what the next push_back() makes an array larger.
  template <class Vector>
  static void growth(const Vector& items) {
    if (current != nullptr && items.size() == items.capacity())
      current->add(std::max<size_t>(items.capacity(), 16) * sizeof(typename Vector::value_type));
  }

 private:
  void add(size_t bytes) {
    if (bytes > limit_ - used_) throw MemoryLimitReached();
    used_ += bytes;
  }

  inline static thread_local MemoryBudget* current = nullptr;
  size_t limit_;
  size_t used_ = 0;
  std::array<size_t, static_cast<size_t>(Part::Count)> parts_{};
  MemoryBudget* outer_;
};

}  // namespace coopc
