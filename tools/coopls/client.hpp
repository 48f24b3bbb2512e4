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
  /// Reads the abilities from the parameters of `initialize`.
  void readAbilities(const Json& params);

  /// Whether no message is there.
  bool isIdle() { return queue_.empty() && !transport_.pending(); }
  /// The oldest message that has not been handled; no value when the input has ended. First reads all
  /// messages that are available, so that a cancellation is seen.
  std::optional<Json> next();
  /// Whether a message that follows a request cancels it.
  bool isCancelled(const Json& id) const;

  void send(const Json& message) { transport_.write(message); }
  void sendText(std::string_view message) { transport_.send(message); }
  /// Answers with an error that belongs to no request.
  void reject(int code, std::string_view why);
  void notify(const std::string& method, const Json& params);
  void show(const std::string& message, MessageType type);
  void publishDiagnostics(const std::string& uri, const Json& diagnostics);
  /// Sends a request whose answer is ignored.
  void ask(const std::string& method, const Json& params);
  /// Creates a token for progress that the server begins, and asks the client to show it.
  Json beginProgress();
  /// Asks the client to report changes of the files that settings and #include name.
  void watchFiles();

 private:
  std::string newName() { return "coopls/" + std::to_string(++asked_); }

  Transport& transport_;
  std::deque<Json> queue_;  ///< messages that were read and not handled
  uint64_t asked_ = 0;      ///< counts requests to the client
};

}  // namespace coopc::ls
