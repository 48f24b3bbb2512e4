// SPIRV-Cross trusts its input: it has assertions, exceptions that leave noexcept functions, and recursion
// without a limit. Only a separate process contains all of these. The child sends a size, a word that tells
// an error from a result, and a text through a pipe; a child that ends without that has failed. Other threads
// may fork at the same time and hold copies of the pipe's end, so the parent also watches for the end of the
// child.
#include "translate/isolation.hpp"

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "base/system.hpp"

#if COOPC_STARTS_PROCESSES
#include <cstring>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "base/process_limits.hpp"
#endif

namespace coopc::translating {

namespace {

// Runs `work`; its exceptions become errors.
TranslateResult caught(const std::function<TranslateResult()>& work, const Limits& limits) {
  TranslateResult failed;
  try {
    return work();
  } catch (const std::bad_alloc&) {
    failed.error =
        "SPIRV-Cross fails: it takes more than " + std::to_string(limits.memory >> 20) + " MiB of memory";
  } catch (const std::exception& e) {
    failed.error = std::string("SPIRV-Cross fails: ") + e.what();
  }
  return failed;
}

}  // namespace

#if COOPC_STARTS_PROCESSES

namespace {

struct Head {
  uint64_t size;    // bytes of the text after it
  uint64_t failed;  // the text is an error
};

[[noreturn]] void runChild(const std::function<TranslateResult()>& work, const Limits& limits, int pipe) {
  // The host's signal handlers (crash reports) must not run in this process, and messages of a crash are
  // dropped.
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGXCPU, SIGPIPE})
    signal(number, SIG_DFL);
  if (const int nowhere = openFile("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDERR_FILENO);
  limitResource(RLIMIT_CORE, 0);
  limitResource(RLIMIT_CPU, limits.seconds);
  if (const size_t now = addressSpace(); now != 0) limitResource(RLIMIT_AS, now + limits.memory);
  const TranslateResult result = caught(work, limits);
  const std::string& text = result.ok() ? result.text : result.error;
  const Head head{text.size(), result.ok() ? 0u : 1u};
  writeAll(pipe, std::string_view(reinterpret_cast<const char*>(&head), sizeof(head)));
  writeAll(pipe, text);
  _exit(0);
}

std::string endOf(int status, unsigned seconds) {
  if (!WIFSIGNALED(status)) return "it ends without a result";
  switch (WTERMSIG(status)) {
    case SIGABRT: return "it aborts";
    case SIGSEGV:
    case SIGBUS: return "it crashes, or its recursion has no end";
    case SIGXCPU: return "it takes more than " + std::to_string(seconds) + " seconds";
    default: return "it is ended by signal " + std::to_string(WTERMSIG(status));
  }
}

// The child, and this process's end of the pipe; both end with the object.
class Child {
 public:
  Child(pid_t id, int pipe, unsigned seconds) : id_(id), pipe_(pipe), seconds_(seconds) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    close(pipe_);
    if (!ended_) {
      kill(id_, SIGKILL);
      hasEnded(0);
    }
  }

  TranslateResult result() {
    Head head{};
    TranslateResult result;
    std::string text;
    if (read(&head, sizeof(head))) {
      text.resize(size_t(head.size));
      if (read(text.data(), text.size())) {
        (head.failed != 0 ? result.error : result.text) = std::move(text);
        return result;
      }
    }
    result.error = "SPIRV-Cross fails: " + endOf(late_ ? SIGXCPU : status_, seconds_);
    return result;
  }

 private:
  // Whether the child has ended, or another part of the program has already collected its status.
  bool hasEnded(int options) {
    pid_t id = 0;
    do id = waitpid(id_, &status_, options);
    while (id < 0 && errno == EINTR);
    return ended_ = id != 0;
  }

  bool late() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (deadline_ == 0) deadline_ = now.tv_sec + time_t(seconds_) * 10;  // the machine may be busy
    return late_ = now.tv_sec > deadline_;
  }

  // Reads `size` bytes; false if fewer come.
  bool read(void* data, size_t size) {
    char* at = static_cast<char*>(data);
    while (size != 0) {
      pollfd wanted{pipe_, POLLIN, 0};
      const int ready = poll(&wanted, 1, ended_ ? 0 : 100);
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0 && (ended_ || late())) return false;
      if (ready == 0) {
        hasEnded(WNOHANG);
        continue;
      }
      const ssize_t count = ready < 0 ? -1 : ::read(pipe_, at, size);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) {
        if (!ended_) hasEnded(0);
        return false;
      }
      at += count;
      size -= size_t(count);
    }
    return true;
  }

  pid_t id_;
  int pipe_;
  unsigned seconds_;
  int status_ = 0;
  bool ended_ = false, late_ = false;
  time_t deadline_ = 0;
};

}  // namespace

TranslateResult runIsolated(const std::function<TranslateResult()>& work, const Limits& limits) {
  TranslateResult failed;
  int ends[2];
  if (!makePipe(ends)) {
    failed.error = std::string("no process for SPIRV-Cross can be started: ") + std::strerror(errno);
    return failed;
  }
  const pid_t id = fork();
  if (id == 0) {
    close(ends[0]);
    runChild(work, limits, ends[1]);
  }
  const int number = errno;
  close(ends[1]);
  if (id < 0) {
    close(ends[0]);
    failed.error = std::string("no process for SPIRV-Cross can be started: ") + std::strerror(number);
    return failed;
  }
  return Child(id, ends[0], limits.seconds).result();
}

#else

TranslateResult runIsolated(const std::function<TranslateResult()>& work, const Limits& limits) {
  return caught(work, limits);
}

#endif

}  // namespace coopc::translating
