// Messages between a process and its children over a pipe: a length of four bytes, then as many bytes. The
// other end may be dead, faulty or stuck, so a reader takes the available bytes and never waits for the rest.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace coopc::harness::suite {

/// A file descriptor that is closed with its owner.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int file) : file_(file) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      file_ = std::exchange(other.file_, -1);
    }
    return *this;
  }
  int get() const { return file_; }
  void reset();

 private:
  int file_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};
/// Nothing if the process has no descriptors left; errno says so.
std::optional<Pipe> makePipe();

/// These block until all bytes have been transferred. False if the other end is closed.
bool writeAll(int file, const void* data, size_t bytes);
bool readAll(int file, void* data, size_t bytes);
bool sendMessage(int file, const std::string& bytes);

/// Collects messages from the reading end of a pipe, which it must not share with another reader.
class MessageReader {
 public:
  enum class State {
    Whole,    ///< take() has a message
    Partial,  ///< more must come
    Ended,    ///< the other end is closed, or sends what cannot be a message
  };

  MessageReader() = default;
  explicit MessageReader(Descriptor file);

  int file() const { return file_.get(); }
  /// Reads the available bytes.
  State read();
  /// The message of State::Whole; the next read() starts another one.
  std::string take();
  void close() { file_.reset(); }

 private:
  /// Reads until there are `bytes` in all.
  State fill(size_t bytes);

  Descriptor file_;
  std::string bytes_;  ///< the length, then the message as far as it has come
};

}  // namespace coopc::harness::suite
