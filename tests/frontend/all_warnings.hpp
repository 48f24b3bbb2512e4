// The options of tests that look for warnings, including those that are off by default.
#pragma once

#include "frontend/base/diagnostics.hpp"

namespace coopc::tests {

inline frontend::DiagOptions allWarnings() {
  frontend::DiagOptions options;
  options.off.reset();
  return options;
}

}  // namespace coopc::tests
