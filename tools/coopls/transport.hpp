// Messages of the protocol over byte streams: a header with Content-Length, then JSON.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace coopc::ls {

class Transport {
 public:
  Transport(std::FILE* in, std::FILE* out) : in_(in), out_(out) {}

  /// The next message's body; none at the end of the input, or where no header can be understood any more.
  std::optional<std::string> read();
  void write(const nlohmann::json& message);

  /// Larger messages are skipped: no text that compiles is as long.
  static constexpr size_t kLongest = size_t(64) << 20;

 private:
  std::FILE* in_;
  std::FILE* out_;
};

}  // namespace coopc::ls
