// The worker forks for each request, which is cheap for a small process with one thread. The child writes
// into a pipe, so a child that is killed half way leaves nothing in the server's socket.
#include "worker.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <vector>

#include "base/binary_entry.hpp"
#include "base/process_limits.hpp"
#include "base/sandbox.hpp"
#include "base/system.hpp"
#include "compile_request.hpp"
#include "frames.hpp"

namespace service {
namespace {

constexpr int kMemoryExit = 9;

[[noreturn]] void runCompile(const std::string& bytes, const Limits& limits, pid_t parent, int out) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  coopc::limitResource(RLIMIT_CORE, 0);
  coopc::limitResource(RLIMIT_FSIZE, 0);
  coopc::limitResource(RLIMIT_CPU, limits.milliseconds / 1000 + 2);  // for a parent that is stopped
  coopc::limitResource(RLIMIT_AS, coopc::addressSpace() + limits.memory);
  // Two limits: the library's, which a compile may exceed by a factor of three, and the system's, for memory
  // that the library does not count.
  const size_t counted = limits.memory / 4;
  try {
    CompileRequest request;
    if (!fromBytes(bytes, request) || !checkRequest(request).empty()) _exit(1);
    // Open files stay usable in the sandbox, so the worker's socket and the server's output are closed.
    for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) close(file);
    if (!coopc::enterSandbox(nullptr).empty()) _exit(1);
    const coopc::Result result = compile(request, counted);
    if (result.status == coopc::Status::OutOfMemory) _exit(kMemoryExit);
    if (!coopc::writeAll(out, toBytes(result))) _exit(1);
  } catch (const std::bad_alloc&) {
    _exit(kMemoryExit);
  }
  _exit(0);
}

// Reads all that the child writes, until it closes the pipe, or says which limit was exceeded.
End readAll(int file, std::string& bytes, size_t most, Clock::time_point deadline) {
  char buffer[64 << 10];
  for (;;) {
    if (!waitFor(file, POLLIN, deadline)) return End::TimeLimit;
    const ssize_t got = read(file, buffer, sizeof buffer);
    if (got == 0) return End::Done;
    // A compile that a hostile text has taken over may write forever.
    if (got > 0 && size_t(got) > most - bytes.size()) return End::MemoryLimit;
    if (got > 0) bytes.append(buffer, size_t(got));
    if (got < 0 && errno != EINTR) return End::Done;
  }
}

// Closes this program's inherited copies of the server's connections.
void closeInherited() {
  std::vector<int> files;
  std::error_code failed;
  for (std::filesystem::directory_iterator at("/proc/self/fd", failed), end; !failed && at != end;
       at.increment(failed))
    files.push_back(std::atoi(at->path().filename().c_str()));
  // Without /proc, as in small containers.
  if (files.empty())
    for (long file = 0, most = sysconf(_SC_OPEN_MAX); file < most; ++file) files.push_back(int(file));
  for (const int file : files)
    if (file > STDERR_FILENO) close(file);
}

WorkerAnswer answer(const std::string& request, const Limits& limits) {
  WorkerAnswer result;
  int ends[2];
  if (!coopc::makePipe(ends)) return result;
  const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(limits.milliseconds);
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    close(ends[0]);
    runCompile(request, limits, parent, ends[1]);
  }
  close(ends[1]);
  End read = End::Done;
  if (child > 0) read = readAll(ends[0], result.payload, limits.memory, deadline);
  if (read != End::Done) {
    kill(child, SIGKILL);
    result.payload = {};
  }
  close(ends[0]);
  if (child < 0) return result;
  int status = 0;
  rusage used{};
  while (wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
  }
  result.peakKib = uint64_t(used.ru_maxrss);
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (read != End::Done) {
    result.end = read;
  } else if (signal == SIGXCPU) {
    result.end = End::TimeLimit;
  } else if (signal == SIGKILL) {
    result.end = End::Killed;
  } else if (signal != 0) {
    result.end = End::Crashed;
    result.payload = "the compiler ended by signal " + std::to_string(signal);
  } else if (WEXITSTATUS(status) == kMemoryExit) {
    result.end = End::MemoryLimit;
  } else if (WEXITSTATUS(status) != 0) {
    result.end = End::Crashed;
    result.payload = "the compile's process could not start";
  } else {
    result.end = End::Done;
  }
  return result;
}

}  // namespace

std::string toBytes(const WorkerAnswer& answer) {
  std::string bytes;
  coopc::addRaw(bytes, answer.end);
  coopc::addRaw(bytes, answer.peakKib);
  coopc::addBlock(bytes, answer.payload);
  return bytes;
}

bool fromBytes(const std::string& bytes, WorkerAnswer& answer) {
  coopc::EntryReader in(bytes);
  std::string_view payload;
  if (!in.raw(answer.end) || !in.raw(answer.peakKib) || !in.block(payload) || !in.atEnd()) return false;
  answer.payload = payload;
  return true;
}

int runWorker(const Limits& limits) {
  prctl(PR_SET_NAME, "coopc-worker");  // or it has the name of /proc/self/exe
  closeInherited();
  // The server ends workers by closing the socket, after their last answer.
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  constexpr auto kNever = Clock::time_point::max();
  constexpr uint64_t kMostOfRequest = uint64_t{1} << 30;  // the server limits bodies to a quarter of it
  std::string request;
  while (receiveFrame(0, request, kMostOfRequest, kNever))
    if (!sendFrame(0, toBytes(answer(request, limits)), kNever)) break;
  return 0;
}

}  // namespace service
