// The language server as an editor uses it, in one process: the server runs in a separate thread, over a pair
// of sockets.
//
//   bench_editor [--rounds N] [--lines N[,N...]] [--folder WORKSPACE] [--beside COMMAND] SHADER...
//
// Prints medians of the server's CPU time in milliseconds: from a change of a document to its diagnostics,
// for a correct text (a module is made, and checked by coopval) and for a text with an error; and for a
// completion. Also prints the memory that many open documents take. --beside adds a program that is started
// on a file with the same text after each change, as linters in editors start glslangValidator. Its CPU time
// and wall time are printed, and the server's wall time.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <pthread.h>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <vector>

#include "base/whole_file.hpp"
#include "bench/command_line.hpp"
#include "bench/programs.hpp"
#include "bench/statistics.hpp"
#include "bench/temporary_folder.hpp"
#include "tools/coopls/server.hpp"
#include "tools/coopls/stream_transport.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace {

#define COOPC_OPTIONS "bench/editor_options.def"
#include "tools/common/option_table.inc"

using Json = nlohmann::json;

// A server and its client.
class Session {
 public:
  explicit Session(const std::string& folder) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) != 0) std::abort();
    client_ = std::make_unique<coopc::ls::StreamTransport>(coopc::ls::Streams{ends_[0], ends_[0]});
    server_ = std::thread([this] {
      coopc::ls::StreamTransport transport({ends_[1], ends_[1]});
      coopc::ls::Server(transport).run();
    });
    Json parameters = {{"capabilities", Json::object()}};
    if (!folder.empty()) parameters["rootUri"] = coopc::ls::uriOf(folder);
    ask("initialize", parameters);
  }
  ~Session() {
    ask("shutdown", nullptr);
    tell("exit", nullptr);
    server_.join();
    for (const int end : ends_) close(end);
  }

  void tell(const char* method, const Json& parameters) {
    client_->write({{"jsonrpc", "2.0"}, {"method", method}, {"params", parameters}});
  }
  Json ask(const char* method, const Json& parameters) {
    client_->write({{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", parameters}});
    return await([&](const Json& m) { return m.value("id", Json()) == id_; })["result"];
  }
  Json diagnostics(const std::string& uri) {
    return await([&](const Json& m) {
      return m.value("method", Json()) == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri;
    })["params"]["diagnostics"];
  }
  void open(const std::string& uri, const std::string& text) {
    tell("textDocument/didOpen",
         {{"textDocument", {{"uri", uri}, {"languageId", "glsl"}, {"version", 1}, {"text", text}}}});
  }

  // CPU time of the server, because the machine may be shared.
  double milliseconds() {
    clockid_t clock{};
    timespec now{};
    if (pthread_getcpuclockid(server_.native_handle(), &clock) != 0 || clock_gettime(clock, &now) != 0)
      std::abort();
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  }

 private:
  template <class F>
  Json await(F&& wanted) {
    while (const std::optional<std::string> body = client_->read())
      if (Json message = Json::parse(*body); wanted(message)) return message;
    std::abort();
  }

  int ends_[2] = {-1, -1};
  std::unique_ptr<coopc::ls::StreamTransport> client_;
  std::thread server_;
  int id_ = 0;
};

size_t residentKilobytes() {
  std::string text;
  if (!coopc::readWhole("/proc/self/statm", text).empty()) return 0;
  const size_t pages = std::strtoull(text.c_str() + text.find(' '), nullptr, 10);
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// A program that checks a file, as a linter starts it.
class Beside {
 public:
  explicit Beside(const std::string& command) {
    for (size_t at = 0; at < command.size();) {
      const size_t end = std::min(command.find(' ', at), command.size());
      if (end > at) words_.push_back(command.substr(at, end - at));
      at = end + 1;
    }
    words_.push_back(folder_.path() + "/shader.comp");
  }
  // Writes the text and runs the program; adds the times to `cpu` and `wall`.
  void run(const std::string& text) {
    const Clock::time_point start = Clock::now();
    if (!coopc::writeWhole(words_.back(), text).empty()) std::abort();
    std::vector<char*> argv;
    for (std::string& word : words_) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int stream : {1, 2})
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);
    pid_t pid = 0;
    const bool started = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    rusage usage{};
    if (!started || wait4(pid, &status, 0, &usage) != pid) {
      std::fprintf(stderr, "bench_editor: %s does not start\n", argv[0]);
      std::exit(1);
    }
    wall.push_back(since(start));
    const auto milliseconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3;
    };
    cpu.push_back(milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime));
    failures += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  }

  std::vector<double> cpu, wall;
  int failures = 0;

 private:
  coopc::bench::TemporaryFolder folder_;
  std::vector<std::string> words_;
};

Json position(size_t line, size_t character) { return {{"line", line}, {"character", character}}; }

void measure(const std::string& folder, const std::string& path, const std::string& text, int rounds,
             const std::string& command) {
  std::optional<Beside> beside;
  if (!command.empty()) beside.emplace(command);
  Session session(folder);
  const std::string uri = coopc::ls::uriOf(path);
  session.open(uri, text);
  size_t errors = 0;
  for (const Json& d : session.diagnostics(uri)) errors += d["severity"] == 1;
  const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  // Alternately adds and removes a line at the end that is an error.
  std::vector<double> right, wrong, completion, wall;
  for (int n = 0; n < 2 * rounds; ++n) {
    const bool comes = n % 2 == 0;
    const Json change = {
        {"range", {{"start", position(lines, 0)}, {"end", position(lines + (comes ? 0 : 1), 0)}}},
        {"text", comes ? "const int bench = undeclared;\n" : ""}};
    const double start = session.milliseconds();
    const Clock::time_point begun = Clock::now();
    session.tell("textDocument/didChange",
                 {{"textDocument", {{"uri", uri}, {"version", n + 2}}}, {"contentChanges", {change}}});
    session.diagnostics(uri);
    if (!comes) wall.push_back(since(begun));
    (comes ? wrong : right).push_back(session.milliseconds() - start);
    if (!comes && beside) beside->run(text);
  }
  for (int n = 0; n < rounds; ++n) {
    const double start = session.milliseconds();
    session.ask("textDocument/completion",
                {{"textDocument", {{"uri", uri}}}, {"position", position(lines, 0)}});
    completion.push_back(session.milliseconds() - start);
  }
  std::printf("%-28s %7zu %9.3f %9.3f %9.3f%s\n", path.substr(path.rfind('/') + 1).c_str(), lines,
              coopc::bench::summarize(right).median, coopc::bench::summarize(wrong).median,
              coopc::bench::summarize(completion).median,
              errors == 0 ? "" : ("  (" + std::to_string(errors) + " errors)").c_str());
  if (!beside) return;
  std::printf(
      "%28s %7s right: %.3f elapsed; beside: %.3f CPU, %.3f elapsed%s\n", "", "",
      coopc::bench::summarize(wall).median, coopc::bench::summarize(beside->cpu).median,
      coopc::bench::summarize(beside->wall).median,
      beside->failures == 0 ? "" : ("; it failed " + std::to_string(beside->failures) + " times").c_str());
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 100, documents = 200;
  std::string folder, beside;
  std::vector<std::string> files;
  std::vector<uint32_t> lines;
  const auto stop = coopc::bench::readArguments(
      argc, argv, "bench_editor [option...] SHADER...", kOptions,
      [&](std::string_view text) {
        files.emplace_back(text);
        return std::string();
      },
      [&](size_t row, std::string_view value) {
        switch (Id(row)) {
          case Id::Rounds: return coopc::bench::readNumber(value, 1, rounds);
          case Id::Documents: return coopc::bench::readNumber(value, 1, documents);
          case Id::Lines: return coopc::bench::readNumbers(value, 20, lines);
          case Id::Folder: folder = value; return std::string();
          case Id::Beside: beside = value; return std::string();
          case Id::Help: break;
        }
        return std::string();
      },
      [&] { return std::string(files.empty() ? "there is no shader" : ""); });
  if (stop) return *stop;
  std::vector<std::string> texts;
  for (const std::string& file : files) {
    const std::string why = coopc::readWhole(file, texts.emplace_back());
    if (!why.empty()) {
      std::fprintf(stderr, "bench_editor: %s: %s\n", file.c_str(), why.c_str());
      return 1;
    }
  }
  std::printf("CPU ms, medians of %-5d        lines     right     wrong  complete\n", rounds);
  for (size_t n = 0; n < files.size(); ++n) measure(folder, files[n], texts[n], rounds, beside);
  for (const uint32_t count : lines)
    measure(folder, "/generated.comp", coopc::bench::generateProgram(count), rounds, beside);

  const size_t before = residentKilobytes();
  Session session(folder);
  for (int n = 0; n < documents; ++n) {
    const size_t of = static_cast<size_t>(n) % texts.size();
    const std::string uri =
        coopc::ls::uriOf(files[of].substr(0, files[of].rfind('.')) + std::to_string(n) + ".comp");
    session.open(uri, texts[of]);
    session.diagnostics(uri);
  }
  std::printf("%d documents: %.1f MiB\n", documents,
              static_cast<double>(residentKilobytes() - std::min(before, residentKilobytes())) / 1024);
  return 0;
}
