// Runs a foreign library so that nothing that it does reaches this process.
#pragma once

#include <functional>

#include "coopc/translate.hpp"

namespace coopc::translating {

/// The limits of one translation.
struct Limits {
  unsigned seconds = 30;            ///< of processor time
  size_t memory = size_t(1) << 30;  ///< bytes of address space, beyond what this process has already
};

/// The result of `work`, which runs in a copy of this process (fork) and may abort, crash, recurse without
/// end or use up its time or memory: that becomes an error of the result. `work` may throw, and leaves no
/// traces here. On systems that cannot start processes this way, it runs in this one.
TranslateResult runIsolated(const std::function<TranslateResult()>& work, const Limits& limits = {});

}  // namespace coopc::translating
