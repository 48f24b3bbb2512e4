// Whether anything between two instructions of a function, on any path from the first to the second, may
// write memory or wait.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spirv/cfg.hpp"

namespace coopc::spirv::lower {

class ReadOnlyPaths {
 public:
  /// `writesBefore`: for each instruction of the module, and its end, how many before it may write memory
  /// that others see, or wait for other invocations.
  ReadOnlyPaths(const Module& module, std::span<const uint32_t> writesBefore)
      : m_(module), writesBefore_(writesBefore) {}

  /// Whether `to`, which `from` dominates, runs at most once for each time that `from` does, and nothing in
  /// between writes or waits.
  bool isReadOnlyBetween(uint32_t from, uint32_t to);

 private:
  bool enter(uint32_t instruction);
  uint32_t blockOf(uint32_t instruction) const;
  template <class Next>
  std::vector<bool> findReached(uint32_t start, uint32_t end, uint32_t avoided, Next&& next) const;
  bool isReadOnly(uint32_t begin, uint32_t end) const { return writesBefore_[begin] == writesBefore_[end]; }

  const Module& m_;
  std::span<const uint32_t> writesBefore_;
  Cfg cfg_;
  bool built_ = false;
};

}  // namespace coopc::spirv::lower
