// Pipes without waiting: the reading end of a MessageReader is non-blocking.
#include "harness/suite/message.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace coopc::harness::suite {
namespace {

constexpr size_t kHead = sizeof(uint32_t);
constexpr uint32_t kLongestMessage = 1u << 22;

}  // namespace

void Descriptor::reset() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

std::optional<Pipe> makePipe() {
  int ends[2];
  if (pipe(ends) != 0) return std::nullopt;
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

bool writeAll(int file, const void* data, size_t bytes) {
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = write(file, at, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<size_t>(done);
  }
  return true;
}

bool readAll(int file, void* data, size_t bytes) {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t done = read(file, at, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<size_t>(done);
  }
  return true;
}

bool sendMessage(int file, const std::string& bytes) {
  const auto length = static_cast<uint32_t>(bytes.size());
  return writeAll(file, &length, sizeof length) && writeAll(file, bytes.data(), bytes.size());
}

MessageReader::MessageReader(Descriptor file) : file_(std::move(file)) {
  fcntl(file_.get(), F_SETFL, fcntl(file_.get(), F_GETFL) | O_NONBLOCK);
}

MessageReader::State MessageReader::fill(size_t bytes) {
  while (bytes_.size() < bytes) {
    char block[4096];
    const ssize_t got = ::read(file_.get(), block, std::min(sizeof block, bytes - bytes_.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return State::Partial;
    if (got <= 0) return State::Ended;
    bytes_.append(block, static_cast<size_t>(got));
  }
  return State::Whole;
}

MessageReader::State MessageReader::read() {
  if (const State state = fill(kHead); state != State::Whole) return state;
  uint32_t length = 0;
  std::memcpy(&length, bytes_.data(), kHead);
  return length > kLongestMessage ? State::Ended : fill(kHead + length);
}

std::string MessageReader::take() {
  std::string message = bytes_.substr(kHead);
  bytes_.clear();
  return message;
}

}  // namespace coopc::harness::suite
