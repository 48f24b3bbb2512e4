// The base protocol of LSP 3.17.
#include "tools/coopls/stream_transport.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <unistd.h>
#ifndef _WIN32
#include <poll.h>
#endif

#include "base/system.hpp"

namespace coopc::ls {

bool readSome(int file, std::string& out) {
  constexpr size_t kAtOnce = size_t(64) << 10;
  const size_t before = out.size();
  out.resize(before + kAtOnce);
  for (;;) {
    const auto got = ::read(file, out.data() + before, kAtOnce);
    if (got < 0 && errno == EINTR) continue;
    out.resize(before + static_cast<size_t>(got > 0 ? got : 0));
    return got > 0;
  }
}

bool StreamTransport::fill() {
  buffer_.erase(0, at_);
  at_ = 0;
  return readSome(streams_.in, buffer_);
}

bool StreamTransport::pending() {
  if (at_ < buffer_.size()) return true;
#ifdef _WIN32
  return false;
#else
  pollfd one = {streams_.in, POLLIN, 0};
  return poll(&one, 1, 0) > 0 && (one.revents & POLLIN) != 0;
#endif
}

bool StreamTransport::line(std::string& out) {
  constexpr size_t kLongestLine = 4096;
  for (out.clear(); out.size() < kLongestLine;) {
    if (at_ == buffer_.size() && !fill()) return false;
    const char c = buffer_[at_++];
    if (c == '\n') break;
    out.push_back(c);
  }
  if (!out.empty() && out.back() == '\r') out.pop_back();
  return true;
}

bool StreamTransport::take(size_t length, std::string* out) {
  while (length > 0) {
    if (at_ == buffer_.size() && !fill()) return false;
    const size_t part = std::min(length, buffer_.size() - at_);
    if (out != nullptr) out->append(buffer_, at_, part);
    at_ += part;
    length -= part;
  }
  return true;
}

std::optional<std::string> StreamTransport::read() {
  if (ended_) return std::nullopt;
  std::optional<std::string> body = next();
  ended_ = !body;
  return body;
}

std::optional<std::string> StreamTransport::next() {
  for (;;) {
    size_t length = 0;
    bool known = false;
    for (std::string text;;) {
      if (!line(text)) return std::nullopt;
      if (text.empty()) break;
      constexpr std::string_view kName = "Content-Length:", kType = "Content-Type:";
      if (text.rfind(kType, 0) == 0) continue;
      if (text.rfind(kName, 0) != 0) return std::nullopt;  // another protocol, such as HTTP
      const size_t digits = text.find_first_not_of(' ', kName.size());
      if (digits == std::string::npos) return std::nullopt;
      const auto [end, fault] = std::from_chars(text.data() + digits, text.data() + text.size(), length);
      if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
      known = true;
    }
    if (!known) continue;
    const bool tooLong = length > kLongest;
    std::string body;
    if (!take(length, tooLong ? nullptr : &body)) return std::nullopt;
    if (!tooLong) return body;
  }
}

void StreamTransport::send(std::string_view text) {
  // If the client has gone, reading finds the end of the input.
  writeAll(streams_.out, "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + std::string(text));
}

}  // namespace coopc::ls
