// Messages of the protocol over byte streams: a header with Content-Length, then JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tools/coopls/transport.hpp"

namespace coopc::ls {

/// File descriptors of the two directions.
struct Streams {
  int in = 0, out = 1;
};

/// Appends at most 64 KiB from a file descriptor to `out`. False at its end, and if it cannot be read.
bool readSome(int file, std::string& out);

class StreamTransport final : public Transport {
 public:
  explicit StreamTransport(Streams streams) : streams_(streams) {}

  /// No value at the end of the input, or if the next header cannot be understood.
  std::optional<std::string> read() override;
  bool pending() override;
  void send(std::string_view text) override;

  /// Larger messages are skipped: no text of that length compiles.
  static constexpr size_t kLongest = size_t(64) << 20;

 private:
  bool fill();  ///< false: the input has ended
  std::optional<std::string> next();
  bool line(std::string& out);
  bool take(size_t length, std::string* out);

  Streams streams_;
  std::string buffer_;
  size_t at_ = 0;       ///< everything in buffer_ before this offset has been used
  bool ended_ = false;  ///< read() has returned no value
};

}  // namespace coopc::ls
