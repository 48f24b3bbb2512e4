// Messages between the server and its workers: bytes with their length before them, over a socket, with a
// deadline, as either side may be killed or stopped at any moment.
#pragma once

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace service {

using Clock = std::chrono::steady_clock;

/// Waits until `file` is ready for `events`. False at the deadline. Clock::time_point::max(): there is none.
inline bool waitFor(int file, short events, Clock::time_point deadline) {
  for (;;) {
    int milliseconds = -1;
    if (deadline != Clock::time_point::max()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return false;
      milliseconds = int(std::min<long long>(left, 1000000));
    }
    pollfd wanted{file, events, 0};
    const int ready = poll(&wanted, 1, milliseconds);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

inline bool sendBytes(int socket, const void* data, size_t size, Clock::time_point deadline) {
  const char* at = static_cast<const char*>(data);
  while (size != 0) {
    const ssize_t sent = send(socket, at, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      at += sent;
      size -= size_t(sent);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!waitFor(socket, POLLOUT, deadline)) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

inline bool receiveBytes(int socket, void* data, size_t size, Clock::time_point deadline) {
  char* at = static_cast<char*>(data);
  while (size != 0) {
    const ssize_t got = recv(socket, at, size, MSG_DONTWAIT);
    if (got > 0) {
      at += got;
      size -= size_t(got);
    } else if (got == 0) {
      return false;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!waitFor(socket, POLLIN, deadline)) return false;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

inline bool sendFrame(int socket, std::string_view bytes, Clock::time_point deadline) {
  const uint64_t size = bytes.size();
  return sendBytes(socket, &size, sizeof size, deadline) &&
         sendBytes(socket, bytes.data(), bytes.size(), deadline);
}

/// Also fails for a frame of more than `most` bytes.
inline bool receiveFrame(int socket, std::string& bytes, uint64_t most, Clock::time_point deadline) {
  uint64_t size = 0;
  if (!receiveBytes(socket, &size, sizeof size, deadline) || size > most) return false;
  bytes.resize(size_t(size));
  return receiveBytes(socket, bytes.data(), bytes.size(), deadline);
}

}  // namespace service
