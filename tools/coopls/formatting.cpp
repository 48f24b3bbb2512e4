// Runs clang-format as a process, with the text as its standard input. It treats GLSL as C++, which is close
// enough.
#include "tools/coopls/formatting.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/system.hpp"
#include "tools/coopls/server.hpp"
#include "tools/coopls/stream_transport.hpp"

#if COOPC_STARTS_PROCESSES
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <poll.h>
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

using Clock = std::chrono::steady_clock;

int millisecondsTo(Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
  return static_cast<int>(std::max<decltype(left)>(left, 0));
}

// Writes a text to a process while reading its output, until the output ends. False if the process did not
// accept all of the text, or the time was up.
bool exchange(Pipe& in, Pipe& result, std::string_view text, Clock::time_point end, std::string& out) {
  if (fcntl(in.ends[1], F_SETFL, O_NONBLOCK) != 0) return false;
  for (;;) {
    if (text.empty()) in.shut(1);
    const int left = millisecondsTo(end);
    pollfd both[] = {{result.ends[0], POLLIN, 0}, {in.ends[1], POLLOUT, 0}};  // poll() ignores -1
    const int ready = left > 0 ? poll(both, 2, left) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    if (both[1].revents != 0) {
      const auto put = write(in.ends[1], text.data(), text.size());
      if (put > 0)
        text.remove_prefix(static_cast<size_t>(put));
      else if (put < 0 && errno != EAGAIN && errno != EINTR)
        return false;
    }
    if (both[0].revents != 0 && !readSome(result.ends[0], out)) return text.empty();
  }
}

// Waits for the end of a process, which is killed when the time is up. Returns whether it succeeded.
bool succeeds(pid_t child, Clock::time_point end) {
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (ended < 0 && errno != EINTR) return false;
    const int left = millisecondsTo(end);
    if (left == 0) break;
    poll(nullptr, 0, std::min(left, 2));
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return false;
}

// Starts a program, found in PATH, with `in` and `result` as its standard input and output.
bool start(const std::string& program, char* const* words, const Pipe& in, const Pipe& result, pid_t& child) {
  posix_spawn_file_actions_t actions;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  posix_spawnattr_t attributes;
  bool good = posix_spawnattr_init(&attributes) == 0;
  if (good) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    good = posix_spawnattr_setsigdefault(&attributes, &signals) == 0 &&
           posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF) == 0 &&
           posix_spawn_file_actions_adddup2(&actions, in.ends[0], 0) == 0 &&
           posix_spawn_file_actions_adddup2(&actions, result.ends[1], 1) == 0 &&
           posix_spawnp(&child, program.c_str(), &actions, &attributes, words, environ) == 0;
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return good;
}

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
  pid_t child = 0;
  if (!start(program, words.data(), in, result, child)) return false;
  in.shut(0);
  result.shut(1);
  std::signal(SIGPIPE, SIG_IGN);  // a program that ends early is a failure by its status
  const Clock::time_point end = Clock::now() + std::chrono::seconds(10);
  std::string formatted;
  const bool exchanged = exchange(in, result, text, end, formatted);
  in.shut(1);
  result.shut(0);
  const bool good = succeeds(child, end) && exchanged;
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

// Answers with one edit, which covers the changed lines.
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
  // The edit consists of whole lines. Equal lines before and after it stay.
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
