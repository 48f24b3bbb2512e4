// Tries the compile service for a while: clients ask for valid, wrong and hostile compiles, while workers,
// compiles and the server itself are killed:
//
//   coopc-server-soak --server=PROGRAM [--seconds=N | --minutes=N] [--clients=N] [--cache=FOLDER]
//                     [--redis=HOST:PORT] [--kill-server-every=SECONDS] [--target=HOST:PORT] [--port=N]
//
// Each answer is compared, byte for byte, with the library's result in this process. With --target no server
// is started and none is killed: the one that is asked may be a load balancer. Exit code 0: each request got
// its right answer, after another attempt where a server or a compile was killed or busy.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <httplib.h>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <vector>

#include "base/system.hpp"
#include "base/whole_file.hpp"
#include "compile_request.hpp"
#include "tools/coopc/options.hpp"

extern char** environ;

namespace {

using service::CompileRequest;
using Clock = std::chrono::steady_clock;

struct Settings {
  std::string server, cache, redis, target;
  uint32_t seconds = 10, clients = 8, killServerEvery = 20, port = 0;
};

bool parseSettings(int argc, char** argv, Settings& s) {
  uint32_t minutes = 0;
  const std::pair<std::string_view, std::string*> texts[] = {
      {"--server=", &s.server}, {"--cache=", &s.cache}, {"--redis=", &s.redis}, {"--target=", &s.target}};
  const std::pair<std::string_view, uint32_t*> numbers[] = {{"--seconds=", &s.seconds},
                                                            {"--minutes=", &minutes},
                                                            {"--clients=", &s.clients},
                                                            {"--port=", &s.port},
                                                            {"--kill-server-every=", &s.killServerEvery}};
  for (int n = 1; n < argc; ++n) {
    const std::string_view argument = argv[n];
    bool known = false;
    for (const auto& [name, value] : texts)
      if (argument.starts_with(name)) known = !(*value = argument.substr(name.size())).empty();
    for (const auto& [name, value] : numbers) {
      if (!argument.starts_with(name)) continue;
      const auto number = coopc::tool::parseNumber(argument.substr(name.size()));
      known = number.has_value();
      if (known) *value = *number;
    }
    if (!known) return false;
  }
  if (minutes != 0) s.seconds = minutes * 60;
  return s.clients != 0 && s.seconds != 0 && (s.server.empty() != s.target.empty());
}

// --- Requests ----------------------------------------------------------------------------------------------

enum class Kind { Valid, ValidFiles, Wrong, BadRequest, TooLarge, Slow, Memory, Nested, Garbage, Broken };
constexpr const char* kKinds[] = {"valid", "valid, files", "wrong",  "bad request", "too large",
                                  "long",  "large",        "nested", "bytes",       "broken connection"};
constexpr size_t kKindCount = std::size(kKinds);

struct Question {
  Kind kind = Kind::Valid;
  std::string path = "/v1/compile", body, type = "text/plain", accept;
  std::vector<int> codes;  // those that are right
  std::string answer;      // the body of the answer, for the first of them; "": any
};

std::string repeated(std::string_view text, size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (size_t n = 0; n < count; ++n) all += text;
  return all;
}

std::string validText(uint32_t variant) {
  const std::string n = std::to_string(variant);
  return "#version 450\nlayout(local_size_x = " + std::to_string(1 + variant % 64) +
         ") in;\nlayout(binding = 0) buffer B { float a[]; };\nvoid main() {\n"
         "  float sum = 0.0;\n  for (int n = 0; n < " +
         n + "; ++n) sum += a[n] * float(n + " + n + ");\n  a[gl_GlobalInvocationID.x] = sum;\n}\n";
}

std::string jsonText(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

Question fromRequest(Kind kind, CompileRequest request, int code) {
  Question q;
  q.kind = kind;
  q.type = "application/json";
  q.codes = {code};
  q.body = "{\"name\": " + jsonText(request.name) + ", \"source\": " + jsonText(request.source) +
           ", \"options\": [";
  for (size_t n = 0; n < request.options.size(); ++n)
    q.body += (n != 0 ? ", " : "") + jsonText(request.options[n]);
  q.body += "], \"files\": {";
  for (size_t n = 0; n < request.files.size(); ++n)
    q.body +=
        (n != 0 ? ", " : "") + jsonText(request.files[n].first) + ": " + jsonText(request.files[n].second);
  q.body += "}}";
  if (const std::string why = service::checkRequest(request); !why.empty()) {
    q.answer = service::errorJson("bad-request", why);
  } else {
    const coopc::Result result = service::compile(request, 0);
    q.answer = service::answerJson(result, result.ok ? "ok" : "wrong");
  }
  return q;
}

Question valid(uint32_t variant) {
  CompileRequest request;
  request.name = "v.comp";
  request.source = validText(variant);
  request.options = {"-O", "--target-env=vulkan1.3"};
  service::checkRequest(request);
  const coopc::Result result = service::compile(request, 0);
  Question q;
  q.path += "?name=v.comp&option=-O&option=--target-env%3Dvulkan1.3";
  q.body = request.source;
  q.accept = "application/octet-stream";
  q.codes = {200};
  q.answer.assign(reinterpret_cast<const char*>(result.words.data()), result.words.size() * sizeof(uint32_t));
  return q;
}

Question plain(Kind kind, std::string body, std::vector<int> codes) {
  Question q;
  q.kind = kind;
  q.body = std::move(body);
  q.codes = std::move(codes);
  return q;
}

// All questions of a kind are made once. Questions that come close to a limit may end either way on a busy
// machine.
std::map<Kind, std::vector<Question>> makeQuestions(uint32_t variants) {
  std::map<Kind, std::vector<Question>> all;
  for (uint32_t n = 0; n < variants; ++n) all[Kind::Valid].push_back(valid(n));
  for (uint32_t n = 0; n < variants / 4; ++n) {
    CompileRequest request;
    request.name = "shaders/f.comp";
    request.source =
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"size.glsl\"\n"
        "#include \"lib/body.glsl\"\nlayout(local_size_x = SIZE) in;\nvoid main() { body(); }\n";
    request.files = {
        {"lib/body.glsl", "layout(binding = 0) buffer B { uint a[]; };\nvoid body() { a[SIZE] = " +
                              std::to_string(n) + "u; }\n"},
        {"shaders/size.glsl", "#define SIZE " + std::to_string(1 + n % 64) + "\n"}};
    request.options = {n % 2 == 0 ? "-Os" : "-g", "-DN=" + std::to_string(n)};
    all[Kind::ValidFiles].push_back(fromRequest(Kind::ValidFiles, request, 200));
    request.name = "w.comp";
    request.source =
        "#version 450\nvoid main() { undeclared" + std::to_string(n) + " = 1; float x = true; }\n";
    all[Kind::Wrong].push_back(fromRequest(Kind::Wrong, request, 422));
  }
  CompileRequest bad;
  bad.name = "b.comp";
  bad.source = validText(1);
  for (const char* option : {"--cache=/tmp/x", "-flimit-file=/etc/passwd", "@/etc/passwd", "-o", "-I/etc",
                             "--help", "--batch", "-nonsense", "--emit=glsl", "--lower=none", "-MD"}) {
    bad.options = {option};
    all[Kind::BadRequest].push_back(fromRequest(Kind::BadRequest, bad, 400));
  }
  bad.options = {};
  for (const char* name : {"../../etc/passwd", "/etc/passwd", "-x", ""}) {
    bad.name = name;
    all[Kind::BadRequest].push_back(fromRequest(Kind::BadRequest, bad, 400));
  }
  for (const std::string& body : {std::string("{"), std::string("[]"), repeated("[", 100000),
                                  std::string("{\"name\": 1}"), std::string("\xff\xfe\x00", 3)}) {
    Question q = plain(Kind::BadRequest, body, {400});
    q.type = "application/json";
    all[Kind::BadRequest].push_back(q);
  }
  all[Kind::TooLarge].push_back(plain(Kind::TooLarge, repeated("x", size_t{5} << 20), {413}));
  std::string calls =
      "#version 450\nlayout(binding = 0) buffer B { float a[]; };\nvoid f0() { a[0] += 1.0; }\n";
  for (int n = 1; n < 24; ++n) {
    const std::string inner = "f" + std::to_string(n - 1) + "(); ";
    calls += "void f" + std::to_string(n) + "() { " + repeated(inner, 2) + "}\n";
  }
  Question slow = plain(Kind::Slow, calls + "void main() { f23(); }\n", {200, 422});
  slow.path += "?name=s.comp&option=-O";
  all[Kind::Slow].push_back(slow);
  all[Kind::Slow].push_back(
      plain(Kind::Slow,
            "#version 450\nlayout(binding = 0) buffer B { float a[]; };\nvoid main() {\n" +
                repeated("a[0] = sin(a[1]) + a[2] * a[3];\n", 120000) + "}\n",
            {200, 422}));
  all[Kind::Memory].push_back(plain(
      Kind::Memory, "#version 450\nint x = " + repeated("1+", 1000000) + "1;\nvoid main() {}\n", {422}));
  std::string macros = "#version 450\n#define M0 x x x x x x x x x x\n";
  for (int n = 1; n < 12; ++n)
    macros += "#define M" + std::to_string(n) + " " + repeated("M" + std::to_string(n - 1) + " ", 10) + "\n";
  all[Kind::Memory].push_back(plain(Kind::Memory, macros + "M11\n", {422}));
  all[Kind::Nested].push_back(
      plain(Kind::Nested, "#version 450\nvoid main() { int a = " + repeated("(", 500000) + "1;\n", {422}));
  all[Kind::Nested].push_back(
      plain(Kind::Nested, "#version 450\nvoid main() " + repeated("{", 500000), {422}));
  all[Kind::Nested].push_back(plain(Kind::Nested, "#version 450\n" + repeated("#if 1\n", 200000), {422}));
  std::mt19937 random(7);
  for (int n = 0; n < 20; ++n) {
    std::string bytes(size_t(random() % 5000), '\0');
    for (char& c : bytes) c = char(random());
    all[Kind::Garbage].push_back(plain(Kind::Garbage, bytes, {422}));
  }
  all[Kind::Broken].push_back(plain(Kind::Broken, validText(3), {}));
  return all;
}

// --- The server's process ----------------------------------------------------------------------------------

class ServerProcess {
 public:
  ServerProcess(const Settings& settings, std::string cache)
      : settings_(settings), cache_(std::move(cache)), port_(settings.port) {}
  void start() {
    std::vector<std::string> words = {settings_.server,
                                      "--port=" + std::to_string(port_),
                                      "--cache=" + cache_,
                                      "--time-limit=2000",
                                      "--memory-limit=128",
                                      "--workers=4",
                                      "--queue=" + std::to_string(std::max(4u, settings_.clients * 3 / 4))};
    if (!settings_.redis.empty()) words.push_back("--redis=" + settings_.redis);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    int ends[2] = {-1, -1};
    pid_t process = -1;
    if (!coopc::makePipe(ends)) std::exit(2);
    posix_spawn_file_actions_adddup2(&files, ends[1], 1);
    if (posix_spawn(&process, settings_.server.c_str(), &files, nullptr, arguments.data(), environ) != 0) {
      std::fprintf(stderr, "cannot start %s\n", settings_.server.c_str());
      std::exit(2);
    }
    posix_spawn_file_actions_destroy(&files);
    close(ends[1]);
    process_ = process;
    // "coopc-server: listening on http://127.0.0.1:PORT". Servers that are started later have the same port.
    std::FILE* const output = fdopen(ends[0], "r");
    char line[200] = "";
    if (output == nullptr || std::fgets(line, sizeof line, output) == nullptr || !std::strchr(line, ':')) {
      std::fprintf(stderr, "the server does not start\n");
      std::exit(1);
    }
    std::fclose(output);
    port_ = uint32_t(std::atoi(std::strrchr(line, ':') + 1));
    httplib::Client client("127.0.0.1", int(port_));
    for (int n = 0; n < 600; ++n) {
      if (const auto answer = client.Get("/healthz"); answer && answer->status == 200) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::fprintf(stderr, "the server does not answer\n");
    std::exit(1);
  }
  // Returns the status with which it ended.
  int stop(int signal) {
    kill(process_, signal);
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return status;
  }
  pid_t process() const { return process_; }
  uint32_t port() const { return port_; }

 private:
  const Settings& settings_;
  std::string cache_;
  std::atomic<pid_t> process_{-1};
  std::atomic<uint32_t> port_;
};

// Processes by parent: /proc/N/stat has the parent after the name's last parenthesis and the state.
std::vector<pid_t> childrenOf(pid_t parent) {
  std::vector<pid_t> children;
  std::error_code failed;
  for (std::filesystem::directory_iterator at("/proc", failed), end; !failed && at != end;
       at.increment(failed)) {
    const pid_t process = std::atoi(at->path().filename().c_str());
    std::string stat;
    if (process <= 0 || !coopc::readFile((at->path() / "stat").string(), stat, 4096).empty()) continue;
    const size_t name = stat.rfind(')');
    if (name != std::string::npos && stat.size() > name + 4 && std::atoi(stat.c_str() + name + 4) == parent)
      children.push_back(process);
  }
  return children;
}

// --- The run -----------------------------------------------------------------------------------------------

struct Numbers {
  std::atomic<uint64_t> asked[kKindCount]{}, right[kKindCount]{};
  std::atomic<uint64_t> again{0}, busy{0}, lost{0}, differ{0}, limited{0}, fromDisk{0}, fromShared{0};
  std::atomic<uint64_t> workersKilled{0}, compilesKilled{0}, serversKilled{0}, serversStopped{0}, badStops{0};
  std::mutex mutex;
  std::vector<float> latencies[kKindCount];  // seconds, of attempts that were answered
  std::vector<double> memory;                // resident bytes of the server, once a second
};

class Soak {
 public:
  explicit Soak(const Settings& settings)
      : settings_(settings),
        questions_(makeQuestions(std::min(4000u, 40 + settings.seconds * 4))),
        cache_(settings.cache.empty()
                   ? (std::filesystem::temp_directory_path() / ("coopc-soak-" + std::to_string(getpid())))
                         .string()
                   : settings.cache),
        server_(settings, cache_) {}

  int run() {
    if (!settings_.server.empty()) server_.start();
    end_ = Clock::now() + std::chrono::seconds(settings_.seconds);
    std::vector<std::thread> threads;
    for (uint32_t n = 0; n < settings_.clients; ++n) threads.emplace_back([this, n] { client(n); });
    threads.emplace_back([this] { watch(); });
    if (!settings_.server.empty()) killer();
    for (std::thread& thread : threads) thread.join();
    const bool kept = settings_.server.empty() || survives();
    const int code = report(kept);
    if (settings_.cache.empty()) std::filesystem::remove_all(cache_);
    return code;
  }

 private:
  bool over() const { return Clock::now() >= end_; }
  std::unique_ptr<httplib::Client> connect() const {
    std::string host = "127.0.0.1";
    int port = int(server_.port());
    if (const size_t colon = settings_.target.rfind(':'); colon != std::string::npos) {
      host = settings_.target.substr(0, colon);
      port = std::atoi(settings_.target.c_str() + colon + 1);
    }
    auto client = std::make_unique<httplib::Client>(host, port);
    client->set_read_timeout(60);
    client->set_keep_alive(true);
    client->set_tcp_nodelay(true);  // or the second part of a request waits for an acknowledgement
    return client;
  }

  // Half a request, or no request at all, and the end of the connection.
  void breakConnection(uint32_t choice) {
    const auto client = connect();
    const Question& q = questions_.at(Kind::Broken)[0];
    if (choice % 2 == 0) {
      // The body ends early: the provider fails after its first bytes.
      client->Post(
          "/v1/compile", 100000,
          [&](size_t, size_t, httplib::DataSink& sink) {
            sink.write(q.body.data(), q.body.size());
            return false;
          },
          "text/plain");
    } else {
      client->set_read_timeout(0, 1000);  // gone before the answer
      client->Post(q.path, q.body, "text/plain");
    }
  }

  void client(uint32_t number) {
    std::mt19937 random(number + 1);
    // In a hundred: 60 valid, 15 with files, 10 wrong, 5 bad, and some of each that is hostile.
    static constexpr Kind kHostile[] = {Kind::TooLarge, Kind::Slow,    Kind::Memory, Kind::Nested,
                                        Kind::Garbage,  Kind::Garbage, Kind::Broken, Kind::Broken};
    std::unique_ptr<httplib::Client> connection = connect();
    for (uint32_t sent = 0; !over(); ++sent) {
      const uint32_t part = random() % 100;
      // The first requests are one of each kind, so that short runs have all kinds.
      const Kind kind = sent < kKindCount ? Kind((sent + number) % kKindCount)
                        : part < 60       ? Kind::Valid
                        : part < 75       ? Kind::ValidFiles
                        : part < 85       ? Kind::Wrong
                        : part < 90       ? Kind::BadRequest
                                          : kHostile[random() % std::size(kHostile)];
      if (kind == Kind::Broken) {
        ++numbers_.asked[size_t(kind)];
        breakConnection(random());
        ++numbers_.right[size_t(kind)];
        continue;
      }
      const std::vector<Question>& all = questions_.at(kind);
      ask(connection, all[random() % all.size()]);
    }
  }

  // Asks until there is an answer that another attempt would not change.
  bool ask(std::unique_ptr<httplib::Client>& connection, const Question& q) {
    ++numbers_.asked[size_t(q.kind)];
    const Clock::time_point giveUp = Clock::now() + std::chrono::minutes(5);
    httplib::Headers headers;
    if (!q.accept.empty()) headers.emplace("Accept", q.accept);
    for (;; ++numbers_.again) {
      const Clock::time_point start = Clock::now();
      const httplib::Result answer = connection->Post(q.path, headers, q.body, q.type);
      if (answer && answer->status != 503) {
        const float seconds = std::chrono::duration<float>(Clock::now() - start).count();
        const bool right = isRight(q, *answer);
        ++(right ? numbers_.right[size_t(q.kind)] : numbers_.differ);
        const std::lock_guard<std::mutex> lock(numbers_.mutex);
        numbers_.latencies[size_t(q.kind)].push_back(seconds);
        if (!right && numbers_.differ < 10) {
          const size_t at =
              size_t(std::mismatch(q.answer.begin(), q.answer.end(), answer->body.begin(), answer->body.end())
                         .first -
                     q.answer.begin());
          std::fprintf(stderr, "%s: %d, differs at byte %zu: '%.100s', not '%.100s'\n",
                       kKinds[size_t(q.kind)], answer->status, at,
                       answer->body.c_str() + std::min(at, answer->body.size()), q.answer.c_str() + at);
        }
        return right;
      }
      // The client may have had its answer before it sent all of a body that is too large.
      if (!answer && q.kind == Kind::TooLarge) {
        ++numbers_.right[size_t(q.kind)];
        connection = connect();
        return true;
      }
      if (answer) ++numbers_.busy;
      if (Clock::now() > giveUp) {
        ++numbers_.lost;
        return false;
      }
      if (!answer) connection = connect();
      // As Retry-After says, about; a server that is killed is back sooner.
      std::this_thread::sleep_for(std::chrono::milliseconds(answer ? 500 + rand() % 1000 : 20 + rand() % 80));
    }
  }

  bool isRight(const Question& q, const httplib::Response& answer) {
    const std::string from = answer.get_header_value("X-Coopc-Cache");
    numbers_.fromDisk += from == "disk" ? 1 : 0;
    numbers_.fromShared += from == "shared" ? 1 : 0;
    if (answer.body.find("-limit\"") != std::string::npos) ++numbers_.limited;
    if (std::find(q.codes.begin(), q.codes.end(), answer.status) == q.codes.end()) return false;
    return q.answer.empty() || answer.body == q.answer;
  }

  void watch() {
    while (!over()) {
      const auto client = connect();
      if (const auto answer = client->Get("/metrics"); answer && answer->status == 200) {
        const std::string name = "\ncoopc_resident_bytes ";
        if (const size_t at = answer->body.find(name); at != std::string::npos) {
          const std::lock_guard<std::mutex> lock(numbers_.mutex);
          numbers_.memory.push_back(std::strtod(answer->body.c_str() + at + name.size(), nullptr));
        }
      }
      std::this_thread::sleep_for(std::chrono::seconds(1));
    }
  }

  void killer() {
    std::mt19937 random(99);
    Clock::time_point nextServer = Clock::now() + std::chrono::seconds(settings_.killServerEvery);
    while (!over()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(200 + random() % 300));
      if (Clock::now() >= nextServer) {
        nextServer = Clock::now() + std::chrono::seconds(settings_.killServerEvery);
        if (random() % 4 != 0) {
          server_.stop(SIGKILL);
          ++numbers_.serversKilled;
        } else {
          const int status = server_.stop(SIGTERM);
          ++numbers_.serversStopped;
          if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) ++numbers_.badStops;
        }
        server_.start();
        continue;
      }
      const std::vector<pid_t> workers = childrenOf(server_.process());
      if (workers.empty()) continue;
      const pid_t worker = workers[random() % workers.size()];
      const std::vector<pid_t> compiles = childrenOf(worker);
      if (compiles.empty() || random() % 2 == 0)
        numbers_.workersKilled += kill(worker, SIGKILL) == 0 ? 1 : 0;
      else
        numbers_.compilesKilled += kill(compiles[0], SIGKILL) == 0 ? 1 : 0;
    }
  }

  // Kept results are still there after a kill.
  bool survives() {
    std::unique_ptr<httplib::Client> before = connect();
    const std::vector<Question>& all = questions_.at(Kind::Valid);
    const size_t count = std::min<size_t>(40, all.size());
    for (size_t n = 0; n < count; ++n) ask(before, all[n]);
    server_.stop(SIGKILL);
    server_.start();
    const uint64_t hits = numbers_.fromDisk;
    std::unique_ptr<httplib::Client> after = connect();
    size_t right = 0;
    for (size_t n = 0; n < count; ++n) right += ask(after, all[n]) ? 1 : 0;
    const uint64_t taken = numbers_.fromDisk - hits;
    std::printf("after a kill: %zu results asked for again, %zu right, %llu of them from the folder\n", count,
                right, static_cast<unsigned long long>(taken));
    const int status = server_.stop(SIGTERM);
    return right == count && taken == count && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  int report(bool kept) {
    uint64_t asked = 0, right = 0;
    bool each = true;
    std::printf("%-20s %9s %9s %9s %9s %9s\n", "", "asked", "right", "p50 ms", "p99 ms", "max ms");
    for (size_t n = 0; n < kKindCount; ++n) {
      std::vector<float>& taken = numbers_.latencies[n];
      std::sort(taken.begin(), taken.end());
      const auto at = [&](double part) {
        return taken.empty()
                   ? 0.0
                   : 1000.0 * double(taken[std::min(taken.size() - 1, size_t(part * double(taken.size())))]);
      };
      std::printf("%-20s %9llu %9llu %9.1f %9.1f %9.1f\n", kKinds[n],
                  static_cast<unsigned long long>(numbers_.asked[n]),
                  static_cast<unsigned long long>(numbers_.right[n]), at(0.5), at(0.99), at(1));
      asked += numbers_.asked[n];
      right += numbers_.right[n];
      each = each && numbers_.right[n] != 0;
    }
    const auto number = [](const std::atomic<uint64_t>& n) { return static_cast<unsigned long long>(n); };
    std::printf("%llu asked, %llu lost, %llu wrong answers; %llu attempts again, %llu of them busy\n",
                static_cast<unsigned long long>(asked), number(numbers_.lost), number(numbers_.differ),
                number(numbers_.again), number(numbers_.busy));
    std::printf(
        "killed: %llu workers, %llu compiles, %llu servers; %llu servers stopped, %llu of them badly\n",
        number(numbers_.workersKilled), number(numbers_.compilesKilled), number(numbers_.serversKilled),
        number(numbers_.serversStopped), number(numbers_.badStops));
    std::printf("%llu ended by a limit, %llu from the folder, %llu from Redis\n", number(numbers_.limited),
                number(numbers_.fromDisk), number(numbers_.fromShared));
    const bool level = memoryIsLevel();
    const bool killed = settings_.server.empty() ||
                        (numbers_.workersKilled + numbers_.compilesKilled != 0 && numbers_.badStops == 0);
    const bool good = each && kept && killed && level && numbers_.lost == 0 && numbers_.differ == 0 &&
                      numbers_.limited != 0 && right == asked;
    std::printf("%s\n", good ? "good" : "NOT GOOD");
    return good ? 0 : 1;
  }

  // The median of each tenth of the run, as a single value depends on the requests that are in flight at that
  // moment. Judged if the run is long enough to show a growth.
  bool memoryIsLevel() {
    const std::vector<double>& all = numbers_.memory;
    std::vector<double> tenths;
    std::printf("resident MiB, each tenth's median:");
    for (size_t n = 0; n < 10 && all.size() >= 10; ++n) {
      std::vector<double> tenth(all.begin() + ptrdiff_t(all.size() * n / 10),
                                all.begin() + ptrdiff_t(all.size() * (n + 1) / 10));
      std::sort(tenth.begin(), tenth.end());
      tenths.push_back(tenth[tenth.size() / 2] / (1 << 20));
      std::printf(" %.0f", tenths.back());
    }
    if (!all.empty()) std::printf("; most %.0f", *std::max_element(all.begin(), all.end()) / (1 << 20));
    std::printf("\n");
    return settings_.seconds < 300 || (tenths.size() == 10 && tenths[9] < 1.3 * tenths[1] + 16);
  }

  const Settings settings_;
  const std::map<Kind, std::vector<Question>> questions_;
  const std::string cache_;
  ServerProcess server_;
  Clock::time_point end_;
  Numbers numbers_;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  if (!parseSettings(argc, argv, settings)) {
    std::fprintf(
        stderr,
        "usage: coopc-server-soak --server=PROGRAM|--target=HOST:PORT [--seconds=N|--minutes=N] "
        "[--clients=N] [--cache=FOLDER] [--redis=HOST:PORT] [--kill-server-every=SECONDS] [--port=N]\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  return Soak(settings).run();
}
