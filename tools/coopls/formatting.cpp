// clang-format as a process: the text goes to its standard input. It takes GLSL for C++, which is near
// enough.
#include "tools/coopls/formatting.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/system.hpp"
#include "tools/coopls/server.hpp"

#if COOPC_STARTS_PROCESSES
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <spawn.h>
#include <sys/wait.h>

extern char** environ;
#endif

namespace coopc::ls {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

#if COOPC_STARTS_PROCESSES

bool hasStyle(const std::string& path) {
  std::error_code ignored;
  for (fs::path folder = fs::path(path).parent_path(); !folder.empty(); folder = folder.parent_path()) {
    if (fs::exists(folder / ".clang-format", ignored) || fs::exists(folder / "_clang-format", ignored))
      return true;
    if (folder == folder.parent_path()) break;
  }
  return false;
}

struct Pipe {
  int ends[2] = {-1, -1};
  ~Pipe() {
    shut(0);
    shut(1);
  }
  void shut(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
};

#endif

}  // namespace

#if COOPC_STARTS_PROCESSES

std::string findClangFormat() {
  const char* const given = std::getenv("PATH");
  const std::string_view path = given != nullptr ? given : "";
  std::vector<std::string> names = {"clang-format"};
  for (int version = 25; version >= 10; --version) names.push_back("clang-format-" + std::to_string(version));
  for (const std::string& name : names)
    for (size_t at = 0; at <= path.size();) {
      const size_t end = std::min(path.find(':', at), path.size());
      const std::string program = std::string(path.substr(at, end - at)) + "/" + name;
      if (end > at && access(program.c_str(), X_OK) == 0) return program;
      at = end + 1;
    }
  return {};
}

bool clangFormat(const std::string& program, std::string_view text, const FormatRequest& request,
                 std::string& out) {
  std::vector<std::string> arguments = {program, "--assume-filename=" + request.path,
                                        "--offset=" + std::to_string(request.begin),
                                        "--length=" + std::to_string(request.end - request.begin)};
  if (!hasStyle(request.path))
    arguments.push_back("--style={BasedOnStyle: LLVM, ColumnLimit: 120, SortIncludes: Never, IndentWidth: " +
                        std::to_string(request.tabSize) + ", TabWidth: " + std::to_string(request.tabSize) +
                        ", UseTab: " + (request.insertSpaces ? "Never" : "ForIndentation") + "}");
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  Pipe in, result;
  out = "cannot start " + program;
  if (!makePipe(in.ends) || !makePipe(result.ends)) return false;
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  pid_t child = 0;
  const bool started = posix_spawn_file_actions_adddup2(&actions, in.ends[0], 0) == 0 &&
                       posix_spawn_file_actions_adddup2(&actions, result.ends[1], 1) == 0 &&
                       posix_spawn(&child, program.c_str(), &actions, nullptr, words.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  if (!started) return false;
  in.shut(0);
  result.shut(1);
  std::signal(SIGPIPE, SIG_IGN);  // a program that ends early is a failure by its status
  // It reads all of its input before it writes.
  const bool sent = writeAll(in.ends[1], text);
  in.shut(1);
  std::string formatted;
  while (readSome(result.ends[0], formatted)) {
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const bool good = sent && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  out = good ? std::move(formatted) : program + " failed";
  return good;
}

#else

std::string findClangFormat() { return {}; }

bool clangFormat(const std::string&, std::string_view, const FormatRequest&, std::string& out) {
  out = "programs are not started on this system";
  return false;
}

#endif

// One edit, of what has changed.
Json Server::formatting(const Place& place, const Json& params) {
  if (clangFormat_.empty()) throw Failed{"clang-format is not installed"};
  const std::string_view text = place.asked.query->text(place.asked.file);
  FormatRequest request;
  request.path = pathOf(params.at("textDocument").at("uri").get<std::string>());
  request.end = static_cast<uint32_t>(text.size());
  if (params.contains("range")) {
    request.begin = place.lines.offset(params["range"].at("start"));
    request.end = std::max(request.begin, place.lines.offset(params["range"].at("end")));
  }
  const Json options = params.value("options", Json::object());
  request.tabSize = options.value("tabSize", 2u);
  request.insertSpaces = options.value("insertSpaces", true);
  std::string formatted;
  if (!clangFormat(clangFormat_, text, request, formatted)) throw Failed{formatted};
  if (formatted == text) return Json::array();
  // Whole lines: what is equal before and behind them stays.
  size_t begin = 0, end = 0;
  const size_t shorter = std::min(text.size(), formatted.size());
  while (begin < shorter && text[begin] == formatted[begin]) ++begin;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  while (end < shorter - begin && text[text.size() - 1 - end] == formatted[formatted.size() - 1 - end]) ++end;
  const auto startsLine = [&](std::string_view of) {
    return end == of.size() || of[of.size() - end - 1] == '\n';
  };
  while (end > 0 && !(startsLine(text) && startsLine(formatted))) --end;
  return Json::array(
      {{{"range", place.lines.range(static_cast<uint32_t>(begin), static_cast<uint32_t>(text.size() - end))},
        {"newText", formatted.substr(begin, formatted.size() - end - begin)}}});
}

}  // namespace coopc::ls
