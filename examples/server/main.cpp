// A compile service over HTTP. Usage: coopc-server [OPTION...]. docs/service.md describes the interface and
// the limits. Texts are compiled by workers (worker_pool.hpp); this process parses requests, keeps results
// (tools/coopc/result_cache.hpp, shared_cache.hpp) and answers.
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <httplib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>

#include "base/binary_entry.hpp"
#include "base/sandbox.hpp"
#include "base/system.hpp"
#include "base/whole_file.hpp"
#include "compile_request.hpp"
#include "metrics.hpp"
#include "shared_cache.hpp"
#include "tools/coopc/result_cache.hpp"
#include "worker_pool.hpp"

namespace {

using namespace service;
using Steady = std::chrono::steady_clock;

struct Settings {
  std::string host = "127.0.0.1";
  uint32_t port = 8080;
  uint32_t workers = 0;  // 0: one for each processor
  uint32_t queue = 256;
  uint32_t timeLimit = 10000;  // milliseconds
  uint32_t memoryLimit = 512;  // MiB
  uint32_t bodyLimit = 4096;   // KiB
  std::string cache;
  uint32_t cacheSize = 1024;  // MiB
  std::string redis;
  uint32_t redisSeconds = 30 * 24 * 3600;
  uint32_t drain = 0;  // milliseconds
  bool worker = false;
};

constexpr const char* kHelp =
    "usage: coopc-server [OPTION...]\n"
    "  --host=ADDRESS        where to listen (127.0.0.1)\n"
    "  --port=N              0: any free one, which is printed (8080)\n"
    "  --workers=N           compiles at once (one for each processor)\n"
    "  --queue=N             requests that wait for a worker; more are answered 503 (256)\n"
    "  --time-limit=MS       of one compile (10000)\n"
    "  --memory-limit=MIB    of one compile (512)\n"
    "  --body-limit=KIB      of one request (4096)\n"
    "  --cache=FOLDER        keep results in files\n"
    "  --cache-size=MIB      their total size in MiB (1024)\n"
    "  --redis=HOST:PORT     keep results in Redis, too; or the path of its socket\n"
    "  --redis-seconds=N     how long (30 days)\n"
    "  --drain=MS            at SIGTERM: how long /healthz says 503 before connections are refused (0)\n";

void parseSettings(int argc, char** argv, Settings& s) {
  struct Number {
    std::string_view name;
    uint32_t* value;
    uint32_t least, most;
  };
  const Number numbers[] = {{"--port=", &s.port, 0, 65535},
                            {"--workers=", &s.workers, 1, 1024},
                            {"--queue=", &s.queue, 0, 100000},
                            {"--time-limit=", &s.timeLimit, 10, 3600000},
                            {"--memory-limit=", &s.memoryLimit, 16, 65536},
                            {"--body-limit=", &s.bodyLimit, 1, 262144},
                            {"--cache-size=", &s.cacheSize, 1, 1u << 30},
                            {"--redis-seconds=", &s.redisSeconds, 1, 1u << 31},
                            {"--drain=", &s.drain, 0, 600000}};
  const std::pair<std::string_view, std::string*> texts[] = {
      {"--host=", &s.host}, {"--cache=", &s.cache}, {"--redis=", &s.redis}};
  for (int n = 1; n < argc; ++n) {
    const std::string_view argument = argv[n];
    bool known = argument == "--worker";
    s.worker = s.worker || known;
    for (const auto& [name, value] : texts) {
      if (!argument.starts_with(name)) continue;
      *value = argument.substr(name.size());
      known = !value->empty();
    }
    for (const Number& number : numbers) {
      if (!argument.starts_with(number.name)) continue;
      const auto value = coopc::tool::parseNumber(argument.substr(number.name.size()));
      known = value && *value >= number.least && *value <= number.most;
      if (known) *number.value = *value;
    }
    if (known) continue;
    std::fprintf(argument == "--help" ? stdout : stderr, "%s%s",
                 argument == "--help" ? "" : "coopc-server: unknown option or wrong value\n", kHelp);
    std::exit(argument == "--help" ? 0 : 2);
  }
}

// Distinguishes this build from others, on any machine: a hash of the program.
std::string buildIdentity() {
  std::string bytes;
  const std::string program = ownProgram();
  if (const std::string why = coopc::readFile(program, bytes, size_t{1} << 30); !why.empty()) {
    std::fprintf(stderr, "coopc-server: cannot read %s: %s\n", program.c_str(), why.c_str());
    std::exit(1);
  }
  return std::to_string(bytes.size()) + "." + std::to_string(coopc::entryHash(bytes));
}

// If a standard stream is closed, a socket or pipe would get its number, and workers would mistake it for the
// stream.
void openStandardStreams() {
  int file = 0;
  while (file >= 0 && file <= STDERR_FILENO) file = coopc::openFile("/dev/null", O_RDWR);
  if (file >= 0) close(file);
}

// Each connection and each worker takes a file. Some systems would allow a billion.
void allowManyFiles() {
  constexpr rlim_t kMost = 65536;
  rlimit limits{};
  if (getrlimit(RLIMIT_NOFILE, &limits) != 0 || limits.rlim_cur >= kMost) return;
  limits.rlim_cur = std::min(limits.rlim_max, kMost);
  setrlimit(RLIMIT_NOFILE, &limits);
}

// Whether the sandbox works here. A child process enters it.
bool sandboxWorks() {
  const pid_t child = fork();
  if (child == 0) {
    const std::string why = coopc::enterSandbox(nullptr);
    if (!why.empty()) std::fprintf(stderr, "coopc-server: no sandbox for compiles: %s\n", why.c_str());
    _exit(why.empty() ? 0 : 1);
  }
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (child > 0 && WIFEXITED(status)) return WEXITSTATUS(status) == 0;
  std::fprintf(stderr,
               "coopc-server: no sandbox for compiles: a process cannot be started or does not end in it\n");
  return false;
}

// cpp-httplib listens with a queue of five connections, which a busy server overflows.
class HttpServer : public httplib::Server {
 public:
  bool bind(const std::string& host, uint32_t& port) {
    if (port == 0)
      port = uint32_t(std::max(0, bind_to_any_port(host)));
    else if (!bind_to_port(host, int(port)))
      return false;
    return port != 0 && ::listen(svr_sock_, 4096) == 0;
  }
};

class Service {
 public:
  explicit Service(const Settings& settings)
      : settings_(settings),
        build_(buildIdentity()),
        pool_({settings.workers,
               settings.queue,
               settings.timeLimit + 10000,
               {settings.timeLimit, size_t{settings.memoryLimit} << 20}}) {
    if (!settings.cache.empty()) cache_.emplace(settings.cache, uint64_t{settings.cacheSize} << 20);
    if (!settings.redis.empty())
      shared_ = std::make_unique<SharedCache>(settings.redis, settings.redisSeconds);
  }

  int run() {
    // Each connection that is served has a thread: those that compile or wait, and some that are idle.
    http_.new_task_queue = [this] {
      return new httplib::ThreadPool(settings_.workers + settings_.queue + kSpareThreads);
    };
    http_.set_tcp_nodelay(true);
    http_.set_keep_alive_max_count(1000);
    http_.set_keep_alive_timeout(5);
    http_.set_read_timeout(10);
    http_.set_write_timeout(10);
    http_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return refuseUnread(request, response);
    });
    http_.Post(kCompile, [this](const httplib::Request& request, httplib::Response& response,
                                const httplib::ContentReader& content) {
      std::string body;
      const bool received = receive(request, response, content, body);
      const Steady::time_point start = Steady::now();
      const Outcome outcome = received ? compile(request, body, response) : Outcome::BadRequest;
      metrics_.countAnswer(outcome,
                           std::chrono::duration_cast<std::chrono::microseconds>(Steady::now() - start));
    });
    http_.Get("/healthz", [this](const httplib::Request&, httplib::Response& response) {
      response.status = draining_ ? 503 : 200;
      response.set_content(draining_ ? "draining\n" : "ok\n", "text/plain");
    });
    http_.Get("/metrics", [this](const httplib::Request&, httplib::Response& response) {
      response.set_content(metricsText(), "text/plain; version=0.0.4");
    });
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : {SIGTERM, SIGINT}) sigaddset(&signals, signal);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // in all threads: one waits for them
    if (!http_.bind(settings_.host, settings_.port)) {
      std::fprintf(stderr, "coopc-server: cannot listen on %s:%u\n", settings_.host.c_str(), settings_.port);
      return 1;
    }
    std::thread([this, signals] {
      int signal = 0;
      sigwait(&signals, &signal);
      draining_ = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(settings_.drain));
      // A server that does not listen yet ignores stop().
      while (!http_.is_running()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      http_.stop();
    }).detach();
    std::printf("coopc-server: listening on http://%s:%u\n", settings_.host.c_str(), settings_.port);
    std::fflush(stdout);
    // Returns when all requests that were accepted are answered.
    return http_.listen_after_bind() ? 0 : 1;
  }

 private:
  static constexpr uint32_t kSpareThreads = 128;
  static constexpr const char* kCompile = "/v1/compile";
  // A client sends a body before it reads the answer, so up to this much beyond the limit is read and
  // dropped.
  static constexpr size_t kDropped = size_t{64} << 20;

  // Refuses, and closes the connection: the rest of the body would be read as the next request. httplib
  // closes after a body that its provider does not finish, and not for a header of the answer.
  static void refuseAndClose(const httplib::Request& request, httplib::Response& response, int code,
                             const std::string& why) {
    const std::string body = errorJson(kOutcomes[size_t(Outcome::BadRequest)], why);
    response.status = code;
    if (request.get_header_value("Connection") != "close") response.set_header("Connection", "close");
    response.set_content_provider(body.size(), "application/json",
                                  [body](size_t at, size_t size, httplib::DataSink& sink) {
                                    sink.write(body.data() + at, size);
                                    return false;
                                  });
  }

  // Only the body of a compile is read, by receive(). httplib would keep other bodies in memory, without a
  // limit if they come in chunks, or take the body of a GET for the next request.
  httplib::Server::HandlerResponse refuseUnread(const httplib::Request& request,
                                                httplib::Response& response) {
    const bool chunks = request.has_header("Transfer-Encoding");
    const size_t lengths = request.get_header_value_count("Content-Length");
    const char* why = nullptr;
    int code = 400;
    if (request.method == "POST" && request.path == kCompile) {
      if (request.is_multipart_form_data()) why = "bodies of several parts are not taken";
      if (lengths + (chunks ? 1 : 0) > 1) why = "the body has several lengths";
      // httplib reads a length that is not a number as 0, and an unknown coding as none.
      if (request.get_header_value("Content-Length").find_first_not_of("0123456789") != std::string::npos ||
          (chunks && request.get_header_value("Transfer-Encoding") != "chunked"))
        why = "the body's length is not known";
      if (why != nullptr) metrics_.countAnswer(Outcome::BadRequest, {});
    } else if (request.method != "GET" && request.method != "HEAD") {
      why = "there is no such page for this method";
      code = 404;
    } else if (chunks || (lengths != 0 && request.get_header_value("Content-Length") != "0")) {
      why = "a body is not taken here";
    }
    if (why == nullptr) return httplib::Server::HandlerResponse::Unhandled;
    refuseAndClose(request, response, code, why);
    return httplib::Server::HandlerResponse::Handled;
  }

  // The body, counted while it is read, in chunks or not, and unpacked where it is compressed: httplib's own
  // limit holds for Content-Length alone. False: the request is refused.
  bool receive(const httplib::Request& request, httplib::Response& response,
               const httplib::ContentReader& content, std::string& body) const {
    const size_t limit = size_t{settings_.bodyLimit} << 10;
    size_t size = 0;
    const bool whole = content([&](const char* data, size_t count) {
      size += count;
      if (size <= limit) body.append(data, count);
      return size <= limit + kDropped;
    });
    if (whole && size <= limit) return true;
    if (size > limit)
      refuseAndClose(request, response, 413,
                     "the body has more than " + std::to_string(settings_.bodyLimit) + " KiB");
    else
      refuseAndClose(request, response, 400, "the body is not whole");
    return false;
  }

  static Outcome refuse(httplib::Response& response, int code, Outcome outcome, const std::string& why) {
    response.status = code;
    if (code == 503) response.set_header("Retry-After", "1");
    response.set_content(errorJson(kOutcomes[size_t(outcome)], why), "application/json");
    return outcome;
  }

  static Outcome answer(const httplib::Request& request, httplib::Response& response,
                        const coopc::Result& result, const char* from) {
    response.set_header("X-Coopc-Cache", from);
    response.status = result.ok ? 200 : result.status == coopc::Status::BadArgument ? 400 : 422;
    if (result.ok && request.get_header_value("Accept") == "application/octet-stream")
      response.set_content(reinterpret_cast<const char*>(result.words.data()),
                           result.words.size() * sizeof(uint32_t), "application/octet-stream");
    else
      response.set_content(answerJson(result, result.ok ? "ok" : "wrong"), "application/json");
    return result.ok ? Outcome::Ok : Outcome::Wrong;
  }

  // Finds a kept result. One from the shared cache is also written to the files.
  std::optional<coopc::Result> kept(const std::string& key, const std::string& sharedKey,
                                    const coopc::tool::DependencyReader& read, const char*& from) {
    std::optional<coopc::Result> result;
    if (cache_ && (result = cache_->find(key, read))) {
      ++metrics_.diskHits;
      from = "disk";
      return result;
    }
    if (shared_ == nullptr) return result;
    const std::optional<std::string> entry = shared_->find(sharedKey);
    if (!entry || !(result = coopc::tool::readResultEntry(*entry, key, read))) return std::nullopt;
    ++metrics_.sharedHits;
    from = "shared";
    if (cache_) cache_->keep(key, *result, read);
    return result;
  }

  Outcome compile(const httplib::Request& request, const std::string& body, httplib::Response& response) {
    CompileRequest wanted;
    if (const std::string why = readBody(request, body, wanted); !why.empty())
      return refuse(response, 400, Outcome::BadRequest, why);
    const std::string key = keyOf(wanted, build_);
    const std::string sharedKey = "coopc:" + build_ + ":" + std::to_string(coopc::entryHash(key));
    const auto read = [&](const std::string& name) { return fileOf(wanted, name); };
    const char* from = "none";
    if (const std::optional<coopc::Result> result = kept(key, sharedKey, read, from))
      return answer(request, response, *result, from);
    ++metrics_.misses;
    WorkerAnswer worked;
    if (!pool_.compile(toBytes(wanted), worked))
      return refuse(response, 503, Outcome::Busy, "too many requests wait: try again");
    metrics_.peak(worked.peakKib);
    coopc::Result result;
    switch (worked.end) {
      case End::TimeLimit:
        return refuse(response, 422, Outcome::TimeLimit,
                      "takes longer than " + std::to_string(settings_.timeLimit) + " ms");
      case End::MemoryLimit:
        return refuse(response, 422, Outcome::MemoryLimit,
                      "takes more than " + std::to_string(settings_.memoryLimit) + " MiB of memory");
      case End::Crashed: return refuse(response, 500, Outcome::Crashed, worked.payload);
      case End::Killed: return refuse(response, 503, Outcome::Killed, "the compile was killed: try again");
      case End::Done: break;
    }
    if (!fromBytes(worked.payload, result))
      return refuse(response, 500, Outcome::Crashed, "the compile's answer is broken");
    if (result.ok) {
      if (cache_) cache_->keep(key, result, read);
      const std::string entry = shared_ != nullptr ? coopc::tool::resultEntry(key, result, read) : "";
      if (!entry.empty()) shared_->keep(sharedKey, entry);
    }
    return answer(request, response, result, from);
  }

  // The body is JSON. With any other type it is the text alone; its name and the options are parameters of
  // the address.
  static std::string readBody(const httplib::Request& request, const std::string& body,
                              CompileRequest& wanted) {
    if (request.get_header_value("Content-Type").starts_with("application/json"))
      return readRequest(body, wanted);
    wanted.source = body;
    wanted.name = request.has_param("name") ? request.get_param_value("name") : "shader.comp";
    for (size_t n = 0; n < request.get_param_value_count("option"); ++n)
      wanted.options.push_back(request.get_param_value("option", n));
    return checkRequest(wanted);
  }

  std::string metricsText() {
    MetricsText text;
    text.head("requests_total", "counter", "Compiles asked for, by how they were answered.");
    for (size_t n = 0; n < kOutcomes.size(); ++n)
      text.line("requests_total", "{outcome=\"" + std::string(kOutcomes[n]) + "\"}",
                double(metrics_.outcomes[n]));
    text.head("cache_lookups_total", "counter", "Where results came from.");
    text.line("cache_lookups_total", "{from=\"disk\"}", double(metrics_.diskHits));
    text.line("cache_lookups_total", "{from=\"shared\"}", double(metrics_.sharedHits));
    text.line("cache_lookups_total", "{from=\"none\"}", double(metrics_.misses));
    text.one("shared_cache_errors_total", "counter", "Failed calls of Redis.",
             shared_ != nullptr ? double(shared_->errors()) : 0);
    text.one("queue_length", "gauge", "Requests that wait for a worker.", pool_.waiting());
    text.one("workers_busy", "gauge", "Workers that compile.", pool_.busy());
    text.one("worker_restarts_total", "counter", "Workers that ended and were replaced.",
             double(pool_.restarts()));
    text.one("retries_total", "counter", "Compiles that were killed from outside and tried again.",
             double(pool_.retries()));
    text.one("compile_peak_bytes", "gauge", "The most memory that one compile's process took.",
             double(metrics_.peakKib) * 1024);
    std::string statm;
    const bool known = coopc::readFile("/proc/self/statm", statm, 256).empty();
    const size_t blank = known ? statm.find(' ') : std::string::npos;
    text.one("resident_bytes", "gauge", "Memory of the server, without its workers.",
             blank == std::string::npos
                 ? 0
                 : std::strtod(statm.c_str() + blank, nullptr) * double(sysconf(_SC_PAGESIZE)));
    text.head("request_seconds", "histogram", "From the request's last byte to the answer's first.");
    uint64_t sum = 0;
    for (size_t n = 0; n <= Metrics::kBounds.size(); ++n) {
      sum += metrics_.latencies[n];
      char bound[32] = "+Inf";
      if (n < Metrics::kBounds.size()) std::snprintf(bound, sizeof bound, "%g", Metrics::kBounds[n]);
      text.line("request_seconds_bucket", "{le=\"" + std::string(bound) + "\"}", double(sum));
    }
    text.line("request_seconds_sum", "", double(metrics_.latencyMicroseconds) / 1e6);
    text.line("request_seconds_count", "", double(sum));
    return text.take();
  }

  Settings settings_;
  std::string build_;
  WorkerPool pool_;
  std::optional<coopc::tool::ResultCache> cache_;
  std::unique_ptr<SharedCache> shared_;
  Metrics metrics_;
  std::atomic<bool> draining_{false};
  HttpServer http_;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  parseSettings(argc, argv, settings);
  openStandardStreams();
  signal(SIGPIPE, SIG_IGN);
#ifdef __GLIBC__
  // Many threads hold large texts for a moment: few arenas, and large texts go back to the system at once.
  mallopt(M_ARENA_MAX, 4);
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
  if (settings.worker) return runWorker({settings.timeLimit, size_t{settings.memoryLimit} << 20});
  if (!sandboxWorks()) return 1;
  allowManyFiles();
  if (settings.workers == 0) settings.workers = std::max(1u, std::thread::hardware_concurrency());
  return Service(settings).run();
}
