// The library's side of the helper protocol. A socket pair serves both directions. The helper is started by
// posix_spawn, which copies nothing of a large process, and inherits only the socket. On systems that cannot
// start processes this way there is no helper.
#include "api/glslang_client.hpp"

#include "base/system.hpp"

#if COOPC_STARTS_PROCESSES

#include <cerrno>
#include <cstdlib>
#include <cstring>
#ifdef COOPC_BUILDS_SHARED_LIBRARY
#include <dlfcn.h>
#endif
#include <fcntl.h>
#include <memory>
#include <mutex>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <unordered_set>

#include "api/protocol/glslang_protocol.hpp"
#include "base/running_program.hpp"

extern char** environ;

namespace coopc {
namespace {

using namespace glslang_protocol;

constexpr char kProgram[] = "coopc-glslang";

#ifdef COOPC_BUILDS_SHARED_LIBRARY
// The folder of the library, with its slash.
std::string libraryFolder() {
  static const char here = 0;
  Dl_info info;
  if (dladdr(&here, &info) == 0 || info.dli_fname == nullptr) return {};
  return std::string(pathFolder(info.dli_fname));
}
#endif

// The first path that exists; otherwise "", with all of them in `searched`.
std::string findProgram(const Options& options, std::string& searched) {
  std::vector<std::string> places;
  const char* named = std::getenv("COOPC_GLSLANG");
  if (!options.glslangProgram.empty()) {
    places.push_back(options.glslangProgram);
  } else if (named != nullptr && *named != '\0') {
    places.emplace_back(named);
  } else {
    const std::string folder(pathFolder(runningProgram()));
    if (!folder.empty()) {
      places.push_back(folder + kProgram);
      places.push_back(folder + COOPC_GLSLANG_RELATIVE);
    }
#ifdef COOPC_BUILDS_SHARED_LIBRARY
    // A relocated package has its helper at its new place.
    if (const std::string library = libraryFolder(); !library.empty())
      places.push_back(library + COOPC_GLSLANG_FROM_LIBRARY);
#else
    places.emplace_back(COOPC_GLSLANG_INSTALLED);
#endif
  }
  for (const std::string& place : places) {
    if (access(place.c_str(), X_OK) == 0) return place;
    searched += (searched.empty() ? "" : ", ") + place;
  }
  return {};
}

// Two connected sockets that child processes do not inherit.
bool socketPair(int (&pair)[2]) {
#ifdef SOCK_CLOEXEC
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return false;
  for (const int end : pair) {
    fcntl(end, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
    const int on = 1;
    setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
#endif
  }
  return true;
#endif
}

// 0, or an errno value.
int spawnHelper(const std::string& program, int socket, pid_t& child) {
  posix_spawn_file_actions_t actions;
  if (const int error = posix_spawn_file_actions_init(&actions); error != 0) return error;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Restores the default signal handling in the helper, whatever the user's process blocks or ignores.
  sigset_t none, defaults;
  sigemptyset(&none);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGCHLD);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXCPU);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawn_file_actions_adddup2(&actions, socket, 0);
  for (int output : {1, 2})
    if (error == 0) error = posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
  char* arguments[] = {const_cast<char*>(kProgram), nullptr};
  if (error == 0) error = posix_spawn(&child, program.c_str(), &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// A program that does not send Hello within this time after its start is not a helper, or cannot run.
// COOPC_GLSLANG_SECONDS sets another number. A helper sends Hello before anything else, so the limit only
// concerns the start of a process.
constexpr uint32_t kStartSeconds = 60;
// A working helper limits its own time (CPU seconds). A helper that makes no progress is abandoned after this
// time.
constexpr uint32_t kAnswerSeconds = 600;
// A helper exits when its socket is closed. One that does not exit within this time is killed.
constexpr uint32_t kEndMilliseconds = 3000;
// The helper is restarted after this many compiles, to free what glslang leaks.
constexpr uint32_t kCompilesOfOne = 500;

uint32_t startSeconds() {
  const char* text = std::getenv("COOPC_GLSLANG_SECONDS");
  const unsigned long value = text != nullptr ? std::strtoul(text, nullptr, 10) : 0;
  return value >= 1 && value <= 86400 ? static_cast<uint32_t>(value) : kStartSeconds;
}

}  // namespace

// A running helper, which ends with its owner.
class GlslangHelper {
 public:
  GlslangHelper() = default;
  ~GlslangHelper() { end(); }
  GlslangHelper(const GlslangHelper&) = delete;
  GlslangHelper& operator=(const GlslangHelper&) = delete;

  // "" or what went wrong.
  std::string start(const std::string& program) {
    int pair[2];
    if (!socketPair(pair)) return std::strerror(errno);
    socket_ = pair[0];
    const int error = spawnHelper(program, pair[1], child_);
    close(pair[1]);
    if (error != 0) {
      child_ = 0;
      return program + ": " + std::strerror(error);
    }
    waitAtMost(startSeconds());
    program_ = program;
    return {};
  }

  // False if no answer came; the helper is then unusable.
  bool ask(const GlslangRequest& request, GlslangAnswer& answer);

  // Ends the helper, and returns how it ended.
  std::string end() {
    if (socket_ >= 0) close(socket_);
    socket_ = -1;
    if (child_ == 0) return {};
    if (silent_) kill(child_, SIGKILL);
    const pid_t child = child_;
    child_ = 0;
    int status = 0;
    for (uint32_t waited = 0;;) {
      const pid_t ended = waitpid(child, &status, waited < kEndMilliseconds ? WNOHANG : 0);
      if (ended == child) break;
      if (ended < 0 && errno != EINTR) return "it ended";
      if (ended != 0) continue;
      const timespec millisecond{0, 1000000};
      nanosleep(&millisecond, nullptr);
      if (++waited == kEndMilliseconds) kill(child, SIGKILL);
    }
    if (silent_) return "it did not answer within " + std::to_string(limit_) + " s";
    if (otherVersion_) return "it speaks another version of the protocol";
    if (WIFSIGNALED(status)) return "it was ended by signal " + std::to_string(WTERMSIG(status));
    return "it ended with " + std::to_string(WEXITSTATUS(status));
  }

  const std::string& program() const { return program_; }
  bool worn() const { return compiles_ >= kCompilesOfOne; }

 private:
  // The timeout for each part that is sent or received.
  void waitAtMost(uint32_t seconds) {
    limit_ = seconds;
    const timeval limit{static_cast<time_t>(seconds), 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  }

  std::string program_;
  int socket_ = -1;
  uint32_t limit_ = 0;  // seconds
  bool greeted_ = false;
  pid_t child_ = 0;
  uint32_t compiles_ = 0;
  bool silent_ = false;
  bool otherVersion_ = false;
};

struct GlslangPool::Impl {
  std::mutex lock;
  std::vector<std::unique_ptr<GlslangHelper>> idle;

  std::unique_ptr<GlslangHelper> take(const std::string& program) {
    const std::lock_guard<std::mutex> hold(lock);
    for (size_t i = 0; i < idle.size(); ++i) {
      if (idle[i]->program() != program) continue;
      std::unique_ptr<GlslangHelper> helper = std::move(idle[i]);
      idle.erase(idle.begin() + static_cast<ptrdiff_t>(i));
      return helper;
    }
    return nullptr;
  }
  void give(std::unique_ptr<GlslangHelper> helper) {
    if (helper->worn()) return;
    const std::lock_guard<std::mutex> hold(lock);
    idle.push_back(std::move(helper));
  }
};

GlslangPool::GlslangPool() : impl_(std::make_unique<Impl>()) {}
GlslangPool::~GlslangPool() = default;

namespace {

// -D and -U, and support for #include without an #extension line, which glslc also puts before each text.
std::string preambleOf(const Options& options) {
  std::string text;
  if (options.include) text += "#extension GL_GOOGLE_include_directive : enable\n";
  std::unordered_set<std::string_view> defined;
  for (const Macro& macro : options.macros) {
    // The last one of a name counts, and a second definition would be an error.
    const std::string_view name = std::string_view(macro.name).substr(0, macro.name.find('('));
    if (!macro.undefine && !defined.insert(name).second) text += "#undef " + std::string(name) + "\n";
    std::string line = macro.undefine ? "#undef " + macro.name : "#define " + macro.name + " " + macro.value;
    for (char& c : line)
      if (c == '\n' || c == '\r' || c == '\0') c = ' ';
    while (!line.empty() && line.back() == '\\') line.pop_back();
    text += line + "\n";
  }
  return text;
}

std::string requestOf(const GlslangRequest& request) {
  const Options& o = *request.options;
  uint32_t flags = 0;
  auto flag = [&flags](bool set, Flag bit) { flags |= set ? bit : 0u; };
  flag(o.debugInfo, kDebugInfo);
  flag(o.autoBindUniforms, kAutoBindUniforms);
  flag(o.autoMapLocations, kAutoMapLocations);
  flag(o.nanClamp, kNanClamp);
  flag(o.hlslOffsets, kHlslOffsets);
  flag(o.autoCombinedImageSampler, kCombinedImageSampler);
  flag(o.forcedEs, kForcedEs);
  flag(static_cast<bool>(request.include), kIncludes);
  PayloadWriter out;
  out.number(static_cast<uint32_t>(request.stage));
  out.number(static_cast<uint32_t>(o.targetEnv));
  out.number(request.spirvVersion);
  out.number(o.forcedVersion);
  out.number(flags);
  using glslang_protocol::Output;
  const bool textOnly = o.output == coopc::Output::Preprocessed || o.output == coopc::Output::Dependencies;
  out.number(static_cast<uint32_t>(textOnly                           ? Output::Preprocessed
                                   : o.output == coopc::Output::Check ? Output::Check
                                                                      : Output::Module));
  for (const uint32_t base : request.bindingBase) out.number(base);
  out.text(preambleOf(o));
  out.number(static_cast<uint32_t>(o.limits.size()));
  for (const Limit& limit : o.limits) {
    out.text(limit.name);
    out.number(static_cast<uint32_t>(limit.value));
  }
  out.number(static_cast<uint32_t>(request.extensions.size()));
  for (const std::string& name : request.extensions) out.text(name);
  out.text(request.name);
  out.text(request.source);
  return out.bytes();
}

bool answerInclude(const GlslangRequest& request, int socket, const std::string& payload) {
  PayloadReader in(payload);
  const std::string_view name = in.text();
  const std::string_view from = in.text();
  const uint32_t depth = in.number();
  const bool angled = in.number() != 0;
  std::optional<Include> found;
  if (in.good() && request.include) found = request.include(name, angled, from, depth);
  PayloadWriter out;
  out.number(found ? 1 : 0);
  if (found) {
    out.text(found->name);
    out.text(found->shared ? found->shared.view() : std::string_view(found->text));
  }
  return sendFrame(socket, Frame::IncludeReply, out.bytes());
}

bool readResult(const std::string& payload, GlslangAnswer& answer) {
  using AnswerStatus = GlslangAnswer::Status;
  PayloadReader in(payload);
  const auto status = static_cast<glslang_protocol::Status>(in.number());
  answer.words = in.words();
  answer.text = in.text();
  for (uint32_t n = in.number(); n != 0 && in.good(); --n) {
    GlslangFinding& f = answer.findings.emplace_back();
    f.error = static_cast<glslang_protocol::Severity>(in.number()) == glslang_protocol::Severity::Error;
    f.file = in.text();
    f.line = in.number();
    f.text = in.text();
  }
  if (!in.good()) return false;
  switch (status) {
    case glslang_protocol::Status::Done: answer.status = AnswerStatus::Done; return true;
    case glslang_protocol::Status::Failed: answer.status = AnswerStatus::Failed; return true;
    case glslang_protocol::Status::ExtensionsUnknown:
      answer.status = AnswerStatus::ExtensionsUnknown;
      return true;
  }
  return false;
}

}  // namespace

bool GlslangHelper::ask(const GlslangRequest& request, GlslangAnswer& answer) {
  ++compiles_;
  const auto noAnswer = [this] {
    silent_ = errno == EAGAIN || errno == EWOULDBLOCK;
    return false;
  };
  if (!sendFrame(socket_, Frame::Request, requestOf(request))) return noAnswer();
  for (;;) {
    Frame kind{};
    std::string payload;
    if (!receiveFrame(socket_, kind, payload)) return noAnswer();
    if (!greeted_) {
      otherVersion_ = kind != Frame::Hello || PayloadReader(payload).number() != kVersion;
      if (otherVersion_) return false;
      greeted_ = true;
      waitAtMost(kAnswerSeconds);
    } else if (kind == Frame::IncludeAsk) {
      if (!answerInclude(request, socket_, payload)) return noAnswer();
    } else {
      otherVersion_ = kind != Frame::Result || !readResult(payload, answer);
      return !otherVersion_;
    }
  }
}

struct GlslangPoolAccess {
  static auto* of(const Options& options) {
    GlslangPool::Impl* none = nullptr;
    return options.glslangPool != nullptr ? options.glslangPool->impl_.get() : none;
  }
};

GlslangAnswer askGlslang(const GlslangRequest& request) {
  GlslangAnswer answer;
  const std::string program = findProgram(*request.options, answer.problem);
  if (program.empty()) {
    answer.status = GlslangAnswer::Status::NotFound;
    return answer;
  }
  auto* const pool = GlslangPoolAccess::of(*request.options);
  std::unique_ptr<GlslangHelper> helper = pool != nullptr ? pool->take(program) : nullptr;
  if (helper != nullptr && helper->ask(request, answer)) {
    pool->give(std::move(helper));
    return answer;
  }
  // A reused helper may have died because of an earlier text; only a fresh one gives a reliable result.
  answer = {};
  helper = std::make_unique<GlslangHelper>();
  answer.problem = helper->start(program);
  if (answer.problem.empty()) {
    if (helper->ask(request, answer)) {
      if (pool != nullptr) pool->give(std::move(helper));
      return answer;
    }
    answer = {};
    answer.problem = helper->end();
  }
  answer.status = GlslangAnswer::Status::Broken;
  return answer;
}

}  // namespace coopc

#else

namespace coopc {

struct GlslangPool::Impl {};
GlslangPool::GlslangPool() = default;
GlslangPool::~GlslangPool() = default;

GlslangAnswer askGlslang(const GlslangRequest&) {
  GlslangAnswer answer;
  answer.status = GlslangAnswer::Status::NotFound;
  answer.problem = "programs cannot be started on this platform";
  return answer;
}

}  // namespace coopc

#endif
