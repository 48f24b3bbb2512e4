// The diagnostics of open documents, which are sent to the client when they change.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/coopls/client.hpp"
#include "tools/coopls/workspace.hpp"

namespace coopc::ls {

class DiagnosticsPublisher {
 public:
  using Json = nlohmann::json;

  explicit DiagnosticsPublisher(Client& client) : client_(client) {}

  /// Reports that documents or settings have changed, so that diagnostics are due.
  void demand() { due_ = true; }
  bool isDue() const { return due_; }
  /// Sends the diagnostics of documents that a change concerns, if they differ from the last ones.
  void publish(Workspace& workspace);
  /// Withdraws the diagnostics of a closed document.
  void close(const std::string& path);

 private:
  Client& client_;
  bool due_ = false;
  std::map<std::string, Json> published_;  ///< what was sent last, by the file's path
};

}  // namespace coopc::ls
