// Sessions with the language server, as an editor has them. The text is a document. Bytes are taken from the
// input's end: each selects a message about the document, and the bytes before it are its operands. There are
// edits, requests for any place, settings, cancellations, and messages that are not JSON. Every request must
// get one answer, and none may be an internal error. At the end, a new server that gets the edited text must
// report the same about it as the server that got the edits.
#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/fuzz/fuzz.hpp"
#include "tools/coopls/server.hpp"

namespace {

using coopc::fuzz::Choices;
using coopc::fuzz::require;
using Json = nlohmann::json;

constexpr size_t kChoices = 64;
constexpr int kInternalError = -32603;  // JSON-RPC 2.0, Error object
constexpr size_t kLargestText = 32768;  // edits stop there

constexpr const char* kUris[] = {"file:///nonexistent/a.comp", "file:///nonexistent/b.frag",
                                 "file:///nonexistent/c.glsl", "untitled:Untitled-1"};
constexpr const char* kAtPlace[] = {"hover",
                                    "definition",
                                    "documentHighlight",
                                    "prepareRename",
                                    "signatureHelp",
                                    "completion",
                                    "references",
                                    "rename",
                                    "prepareCallHierarchy",
                                    "codeLens",
                                    "documentSymbol",
                                    "foldingRange",
                                    "documentLink",
                                    "semanticTokens/full"};
constexpr const char* kOthers[] = {"shutdown_",
                                   "workspace/symbol",
                                   "initialize",
                                   "textDocument/nothing",
                                   "codeLens/resolve",
                                   "callHierarchy/incomingCalls",
                                   "callHierarchy/outgoingCalls"};
constexpr const char* kPieces[] = {"",
                                   "\n",
                                   "\r\n",
                                   "{",
                                   "}",
                                   "(",
                                   ";",
                                   ".",
                                   "#include \"c.glsl\"\n",
                                   "//",
                                   "/*",
                                   "int a;",
                                   "\xC3\xA9",
                                   "\xF0\x9F\x98\x80",
                                   "#if 0\n",
                                   "vec4(",
                                   "#version 460\n"};

const bool environmentIsSet = [] {
  setenv("PATH", "", 1);  // clang-format would be started
  return true;
}();

// Text as JSON has it: bytes that are not UTF-8 are replaced.
std::string cleanText(std::string_view text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
}

class Client final : public coopc::ls::Transport {
 public:
  std::optional<std::string> read() override {
    if (waiting_.empty()) return std::nullopt;
    std::string first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }
  bool pending() override { return !waiting_.empty(); }
  void send(std::string_view text) override {
    const Json message = Json::parse(text, nullptr, false);
    require(message.is_object(), "the server sends what is not a JSON object");
    const auto id = message.find("id");
    if (id != message.end() && id->is_number()) {
      const auto asked = asked_.find(id->get<int>());
      require(asked != asked_.end(), "an answer to nothing, or a second one");
      asked_.erase(asked);
      require(message.contains("result") != message.contains("error"), "neither result nor error, or both");
      if (message.contains("result")) result_ = message["result"];
    }
    if (message.contains("error")) {
      require(message["error"]["code"] != kInternalError, message["error"].dump());
      require(!message["error"]["message"].get<std::string>().empty(), "an error without a message");
    }
    if (message.value("method", "") == "textDocument/publishDiagnostics")
      diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"];
  }

  void give(std::string text) { waiting_.push_back(std::move(text)); }
  void notify(const char* method, Json params) {
    give(coopc::ls::textOf({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}}));
  }
  int request(const std::string& method, Json params) {
    asked_[++last_] = true;
    give(coopc::ls::textOf(
        {{"jsonrpc", "2.0"}, {"id", last_}, {"method", method}, {"params", std::move(params)}}));
    return last_;
  }
  void open(const char* uri, const std::string& text) {
    notify("textDocument/didOpen",
           {{"textDocument", {{"uri", uri}, {"languageId", "glsl"}, {"version", 1}, {"text", text}}}});
  }
  bool allAnswered() const { return asked_.empty(); }
  const Json& result() const { return result_; }

  std::map<std::string, Json> diagnostics;

 private:
  std::deque<std::string> waiting_;
  std::map<int, bool> asked_;
  int last_ = 0;
  Json result_;
};

// An initialized server and its client.
struct Session {
  explicit Session(const Json& parameters) : server(client, false) {
    client.request("initialize", parameters);
    client.notify("initialized", Json::object());
  }
  void run() {
    server.run();
    require(client.allAnswered(), "a request without an answer");
  }

  Client client;
  coopc::ls::Server server;
};

// A byte offset, which must be at the beginning of a character, as a position in the protocol's unit.
Json positionOf(std::string_view text, size_t offset, std::string_view encoding) {
  uint32_t line = 0, units = 0;
  for (size_t n = 0; n < offset; ++n) {
    const auto byte = uint8_t(text[n]);
    if (byte == '\n' || (byte == '\r' && (n + 1 == text.size() || text[n + 1] != '\n'))) {
      ++line;
      units = 0;
    } else if (encoding == "utf-8") {
      ++units;
    } else if ((byte & 0xC0) != 0x80) {
      units += encoding == "utf-16" && byte >= 0xF0 ? 2 : 1;
    }
  }
  return {{"line", line}, {"character", units}};
}

class Editor {
 public:
  Editor(Session& session, std::string_view encoding, std::string text)
      : session_(session), encoding_(encoding) {
    texts_[kUris[0]] = text;
    whole_ = std::move(text);
    session_.client.open(kUris[0], whole_);
  }

  void step(Choices& c) {
    switch (c.below(8)) {
      case 0:
      case 1: return edit(c);
      case 2:
      case 3:
      case 4: return ask(c);
      case 5: return other(c);
      case 6: return document(c);
      default:
        if (c.flag()) session_.run();
        return;
    }
  }

  const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  const char* anyUri(Choices& c) { return kUris[c.flag() ? 0 : c.below(std::size(kUris))]; }

  // An offset at the beginning of any character.
  static size_t anyPlace(Choices& c, std::string_view text) {
    size_t at = size_t{c.two()} % (text.size() + 1);
    while (at < text.size() && (uint8_t(text[at]) & 0xC0) == 0x80) ++at;
    // Editors have no position between \r and \n.
    if (at > 0 && at < text.size() && text[at] == '\n' && text[at - 1] == '\r') --at;
    return at;
  }

  void edit(Choices& c) {
    const auto document = texts_.find(anyUri(c));
    if (document == texts_.end()) return;
    std::string& text = document->second;
    Json changes = Json::array();
    for (uint32_t n = c.below(3) + 1; n != 0; --n) {
      std::string piece = kPieces[c.below(std::size(kPieces))];
      if (c.below(3) == 1) piece = whole_.substr(anyPlace(c, whole_), c.byte());
      piece = cleanText(piece);
      if (text.size() + piece.size() > kLargestText) break;
      if (c.below(16) == 15) {
        changes.push_back({{"text", piece}});
        text = piece;
        continue;
      }
      const size_t begin = anyPlace(c, text);
      size_t end = std::min(begin + (c.flag() ? 0 : c.byte()), text.size());
      while (end < text.size() && (uint8_t(text[end]) & 0xC0) == 0x80) ++end;
      if (end > begin && end < text.size() && text[end] == '\n' && text[end - 1] == '\r') ++end;
      changes.push_back(
          {{"range",
            {{"start", positionOf(text, begin, encoding_)}, {"end", positionOf(text, end, encoding_)}}},
           {"text", piece}});
      text.replace(begin, end - begin, piece);
    }
    session_.client.notify(
        "textDocument/didChange",
        {{"textDocument", {{"uri", document->first}, {"version", 2}}}, {"contentChanges", changes}});
  }

  void ask(Choices& c) {
    const std::string uri = anyUri(c);
    const auto document = texts_.find(uri);
    const std::string_view text = document == texts_.end() ? std::string_view() : document->second;
    const size_t at = anyPlace(c, text);
    const Json position = c.below(16) == 15 ? Json{{"line", c.word()}, {"character", c.word()}}
                                            : positionOf(text, at, encoding_);
    Json params = {{"textDocument", {{"uri", uri}}}, {"position", position}};
    const Json range = {{"start", position}, {"end", positionOf(text, text.size(), encoding_)}};
    switch (c.below(8)) {
      case 0:
        params["range"] = range;
        session_.client.request("textDocument/inlayHint", params);
        break;
      case 1:
        params["positions"] = {position, position};
        session_.client.request("textDocument/selectionRange", params);
        break;
      case 2:
        params["range"] = range;
        params["context"] = {{"diagnostics", session_.client.diagnostics[uri]}};
        session_.client.request("textDocument/codeAction", params);
        break;
      default:
        params["newName"] = "renamed";
        params["context"] = {{"includeDeclaration", true}};
        session_.client.request(std::string("textDocument/") + kAtPlace[c.below(std::size(kAtPlace))],
                                params);
        break;
    }
    if (c.below(8) == 7) session_.client.notify("$/cancelRequest", {{"id", 2 + c.below(8)}});
  }

  void other(Choices& c) {
    const std::string uri = anyUri(c);
    switch (c.below(5)) {
      case 0: session_.client.give(whole_.substr(0, c.byte())); break;
      case 1:
        session_.client.request("workspace/executeCommand",
                                {{"command", c.flag() ? "coopls.devices" : "coopls.variants"},
                                 {"arguments", c.flag() ? Json::array({uri}) : Json::array()}});
        break;
      case 2:  // with the last answer as the item
        session_.client.request(kOthers[c.below(std::size(kOthers))],
                                {{"query", "a"}, {"item", session_.client.result()}});
        break;
      case 3: {
        const Json& last = session_.client.result();
        session_.client.request(kOthers[4 + c.below(3)],
                                last.is_array() && !last.empty() ? last[0] : Json{{"item", last}});
        break;
      }
      default: session_.client.notify("textDocument/didSave", {{"textDocument", {{"uri", uri}}}}); break;
    }
  }

  void document(Choices& c) {
    const std::string uri = kUris[c.below(std::size(kUris))];
    if (texts_.count(uri) == 0) {
      const std::string text = cleanText(whole_.substr(anyPlace(c, whole_), size_t{16} * c.byte()));
      texts_[uri] = text;
      session_.client.open(uri.c_str(), text);
    } else if (c.flag()) {
      texts_.erase(uri);
      session_.client.notify("textDocument/didClose", {{"textDocument", {{"uri", uri}}}});
    }
  }

  Session& session_;
  std::string_view encoding_;
  std::map<std::string, std::string> texts_;  // the open documents, by URI
  std::string whole_;
};

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateText(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const size_t count = std::min(size, kChoices);
  Choices choices(data + size - count, count);
  constexpr const char* kEncodings[] = {"utf-16", "utf-8", "utf-32"};
  const char* const encoding = kEncodings[choices.below(3)];
  const char* const targets[] = {"vulkan1.3", "vulkan1.0", "vulkan1.4"};
  const Json parameters = {{"processId", nullptr},
                           {"rootUri", nullptr},
                           {"capabilities", {{"general", {{"positionEncodings", {encoding}}}}}},
                           {"initializationOptions",
                            {{"pictures", choices.flag() ? "svg" : "text"},
                             {"settings", {{"target", targets[choices.below(3)]}}}}}};
  Session session(parameters);
  Editor editor(session, encoding,
                cleanText({reinterpret_cast<const char*>(data), std::min(size - count, kLargestText)}));
  while (!choices.rest().empty()) editor.step(choices);
  session.run();

  // The documents as they are now, opened in a new session.
  Session fresh(parameters);
  for (const auto& [uri, text] : editor.texts()) fresh.client.open(uri.c_str(), text);
  for (Session* each : {&session, &fresh}) {
    each->client.request("textDocument/documentSymbol", {{"textDocument", {{"uri", kUris[0]}}}});
    each->run();
  }
  require(session.client.result() == fresh.client.result(), "other symbols after edits");
  for (const auto& [uri, text] : editor.texts())
    require(session.client.diagnostics[uri] == fresh.client.diagnostics[uri],
            "other diagnostics after edits");
  for (Session* each : {&session, &fresh}) {
    each->client.request("shutdown", nullptr);
    each->client.notify("exit", nullptr);
    require(each->server.run() == 0 && each->client.allAnswered(), "the server does not end");
  }
  return 0;
}
