// A wrapper for the functions of the C interfaces, so that no exception leaves them.
#pragma once

namespace coopc {

/// Returns what `body` returns, or `failed` if it throws (a lack of memory, or a caller's callback).
template <class T, class F>
T guard(T failed, F&& body) noexcept {
  try {
    return body();
  } catch (...) {
    return failed;
  }
}

}  // namespace coopc
