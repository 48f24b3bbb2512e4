// Runs a foreign library so that it cannot affect this process.
#pragma once

#include <functional>

#include "coopc/translate.hpp"

namespace coopc::translating {

/// The limits of one translation.
struct Limits {
  unsigned seconds = 30;            ///< of processor time
  size_t memory = size_t(1) << 30;  ///< bytes of address space, beyond what this process has already
};

/// The result of `work`, which runs in a copy of this process (fork). If it aborts, crashes, recurses without
/// end or uses up its time or memory, the result is an error. `work` may throw. On systems that cannot fork,
/// it runs in this process.
TranslateResult runApart(const std::function<TranslateResult()>& work, const Limits& limits = {});

}  // namespace coopc::translating
