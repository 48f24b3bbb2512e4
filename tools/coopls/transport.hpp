// Messages of the protocol over byte streams: a header with Content-Length, then JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace coopc::ls {

/// File descriptors of the two directions.
struct Streams {
  int in = 0, out = 1;
};

/// Bytes of a file descriptor, at most 64 KiB, appended to `out`. False at its end, and where it cannot be
/// read.
bool readSome(int file, std::string& out);

class Transport {
 public:
  explicit Transport(Streams streams) : streams_(streams) {}

  /// The next message's body; none at the end of the input, or where no header can be understood any more.
  std::optional<std::string> read();
  /// Whether input is there already, so that read() need not wait for its first byte.
  bool pending();
  void write(const nlohmann::json& message);

  /// Larger messages are skipped: no text that compiles is as long.
  static constexpr size_t kLongest = size_t(64) << 20;

 private:
  bool fill();  ///< false: the input has ended
  std::optional<std::string> next();
  bool line(std::string& out);
  bool take(size_t length, std::string* out);

  Streams streams_;
  std::string buffer_;
  size_t at_ = 0;       ///< in buffer_: what was read before it is used up
  bool ended_ = false;  ///< read() has returned none
};

}  // namespace coopc::ls
