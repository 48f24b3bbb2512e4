// Reads messages, and sends what the server says by itself: see client.hpp.
#include "tools/coopls/client.hpp"

#include <algorithm>
#include <utility>

#include "tools/coopls/json_text.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

constexpr int kParseError = -32700;  // JSON-RPC 2.0

}  // namespace

void Client::readAbilities(const Json& params) {
  const Json able = params.value("capabilities", Json());
  const auto can = [&](const char* path) {
    const Json::json_pointer at(path);
    return able.is_object() && able.contains(at) && able[at] == true;
  };
  showsProgress = can("/window/workDoneProgress");
  takesSnippets = can("/textDocument/completion/completionItem/snippetSupport");
  watchesFiles = can("/workspace/didChangeWatchedFiles/dynamicRegistration");
  const Json given = params.value("initializationOptions", Json());
  drawsSvg = given.is_object() && given.value("pictures", Json()) == "svg";
}

std::optional<Json> Client::next() {
  constexpr size_t kMost = 1000;
  while (queue_.empty() || (queue_.size() < kMost && transport_.pending())) {
    const std::optional<std::string> body = transport_.read();
    if (!body) {
      if (queue_.empty()) return std::nullopt;
      break;
    }
    Json message = parseJson(*body);
    if (!message.is_discarded() && message.is_object()) {
      queue_.push_back(std::move(message));
      continue;
    }
    reject(kParseError, "the message is not a JSON object");
  }
  Json first = std::move(queue_.front());
  queue_.pop_front();
  return first;
}

bool Client::isCancelled(const Json& id) const {
  return std::ranges::any_of(queue_, [&](const Json& message) {
    if (message.value("method", Json()) != "$/cancelRequest") return false;
    const auto params = message.find("params");
    return params != message.end() && params->is_object() && params->value("id", Json()) == id;
  });
}

void Client::reject(int code, std::string_view why) {
  send({{"jsonrpc", "2.0"}, {"id", nullptr}, {"error", {{"code", code}, {"message", why}}}});
}

void Client::notify(const std::string& method, const Json& params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
}

void Client::show(const std::string& message, MessageType type) {
  notify("window/showMessage", {{"type", int(type)}, {"message", message}});
}

void Client::publishDiagnostics(const std::string& uri, const Json& diagnostics) {
  notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", diagnostics}});
}

void Client::ask(const std::string& method, const Json& params) {
  send({{"jsonrpc", "2.0"}, {"id", newName()}, {"method", method}, {"params", params}});
}

Json Client::beginProgress() {
  Json token = newName();
  ask("window/workDoneProgress/create", {{"token", token}});
  return token;
}

void Client::watchFiles() {
  Json watchers = Json::array();
  for (const char* glob :
       {"**/*.json", "**/*.{glsl,glslh,h,hpp,inc,inl,glh,vsh,fsh,comp,vert,frag,tesc,tese,geom,mesh,task}",
        "**/*.{rgen,rint,rahit,rchit,rmiss,rcall}"})
    watchers.push_back({{"globPattern", glob}});
  ask("client/registerCapability", {{"registrations",
                                     {{{"id", "coopls.files"},
                                       {"method", "workspace/didChangeWatchedFiles"},
                                       {"registerOptions", {{"watchers", std::move(watchers)}}}}}}});
}

}  // namespace coopc::ls
