// A limit on the memory that a compile uses. Everything that grows with the text is counted as it grows:
// copies of texts and their lines, tokens, names, macro expansions, the program, diagnostics and the texts
// made from them, the module, the passes' tables, and text output (base/counted_text.hpp).
// Freed memory is not subtracted, so an array counts with its largest size. The words of modules are the
// exception, because passes hold many of them for a short time. Small or fixed-size items are not counted.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>

namespace coopc {

/// Thrown when a MemoryBudget is exceeded.
struct MemoryLimitReached : std::bad_alloc {
  const char* what() const noexcept override { return "the memory limit is reached"; }
};

/// During its lifetime, memory that this thread counts is charged to this budget; beyond `limit` bytes,
/// MemoryLimitReached is thrown. With a limit of 0 nothing is counted, as for a callback's own code. Its
/// destructor restores the previous budget.
class MemoryBudget {
 public:
  /// For memory that is measured once, rather than as it grows.
  enum class Part { Program, Passes, Count };

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
  /// Subtracts memory that was taken and is free again.
  static void giveBack(size_t bytes) {
    if (current != nullptr) current->used_ -= std::min(bytes, current->used_);
  }
  /// `bytes`: the current size of the part.
  static void measure(Part part, size_t bytes) {
    if (current == nullptr) return;
    size_t& known = current->parts_[static_cast<size_t>(part)];
    if (bytes <= known) return;
    current->add(bytes - known);
    known = bytes;
  }
  /// Charges the growth of an array that the next push_back() causes.
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
