// What the C interfaces are written with: no exception leaves them.
#pragma once

namespace coopc {

/// What `body` returns; `failed` where it throws (exhausted memory, or a caller's callback).
template <class T, class F>
T guarded(T failed, F&& body) noexcept {
  try {
    return body();
  } catch (...) {
    return failed;
  }
}

}  // namespace coopc
