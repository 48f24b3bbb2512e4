// Where the server's messages come from, and where they go: streams (stream_transport.hpp), or the caller of
// a function (message_api.hpp).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace coopc::ls {

/// A message as text. Names in a program may contain any bytes; bytes that JSON does not allow are replaced.
inline std::string textOf(const nlohmann::json& message) {
  return message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class Transport {
 public:
  virtual ~Transport() = default;

  /// The next message's text; nothing at the end of the input.
  virtual std::optional<std::string> read() = 0;
  /// Whether at least a part of a message is available, so that read() does not have to wait for its
  /// beginning.
  virtual bool pending() = 0;
  /// Sends a message's text.
  virtual void send(std::string_view text) = 0;

  void write(const nlohmann::json& message) { send(textOf(message)); }
};

}  // namespace coopc::ls
