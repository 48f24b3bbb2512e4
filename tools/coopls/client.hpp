// The client: its messages that have not been handled, what it is able to do, and the notifications and
// requests that the server sends to it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "tools/coopls/transport.hpp"

namespace coopc::ls {

/// How a message is shown, by the protocol's numbers.
enum class MessageType : uint8_t { Warning = 2, Info = 3 };

class Client {
 public:
  using Json = nlohmann::json;

  explicit Client(Transport& transport) : transport_(transport) {}

  bool showsProgress = false;  ///< progress that the server begins
  bool takesSnippets = false;  ///< completions may have placeholders
  bool watchesFiles = false;   ///< it can be asked to watch files
  bool drawsSvg = false;       ///< in Markdown
  /// Takes the abilities that the parameters of `initialize` name.
  void readAbilities(const Json& params);

  /// Whether no message is there.
  bool isIdle() { return queue_.empty() && !transport_.pending(); }
  /// The oldest message that has not been handled; none: the input has ended. All that are there are read
  /// before, so that a cancellation is seen.
  std::optional<Json> next();
  /// Whether a message after a request cancels it.
  bool isCancelled(const Json& id) const;

  void send(const Json& message) { transport_.write(message); }
  void sendText(std::string_view message) { transport_.send(message); }
  /// An error that belongs to no request.
  void reject(int code, std::string_view why);
  void notify(const std::string& method, const Json& params);
  void show(const std::string& message, MessageType type);
  void publishDiagnostics(const std::string& uri, const Json& diagnostics);
  /// Sends a request, whose answer nothing depends on.
  void ask(const std::string& method, const Json& params);
  /// A token for progress that the server begins, which the client is asked to show.
  Json beginProgress();
  /// Asks to be told of changes of files that settings and #include name.
  void watchFiles();

 private:
  std::string newName() { return "coopls/" + std::to_string(++asked_); }

  Transport& transport_;
  std::deque<Json> queue_;  ///< messages that were read and not handled
  uint64_t asked_ = 0;      ///< counts requests to the client
};

}  // namespace coopc::ls
