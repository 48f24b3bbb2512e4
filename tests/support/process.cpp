// posix_spawn with two pipes, read by poll until both are closed or the time is up.
#include "tests/support/process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace coopc::tests {
namespace {

struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() { (void)makePipe(ends); }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void closeEnd(int which) {
    if (ends[which] >= 0) close(ends[which]);
    ends[which] = -1;
  }
};

// Reads the available bytes; false at the end of the stream.
bool drain(int fd, std::string& text) {
  char buffer[16384];
  ssize_t count = read(fd, buffer, sizeof buffer);
  if (count > 0) text.append(buffer, static_cast<size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

}  // namespace

ProcessResult runProcess(const std::vector<std::string>& arguments, const std::string& folder,
                         int limitSeconds, const std::string& input) {
  ProcessResult result;
  Pipe out;
  Pipe err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Opened before the folder changes, because a relative name is relative to the caller's folder.
  posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
  if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    result.stderrText = arguments[0] + ": " + std::strerror(error);
    return result;
  }
  result.started = true;
  out.closeEnd(1);
  err.closeEnd(1);

  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(limitSeconds);
  bool outOpen = true;
  bool errOpen = true;
  while (outOpen || errOpen) {
    auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd fds[2] = {{outOpen ? out.ends[0] : -1, POLLIN, 0}, {errOpen ? err.ends[0] : -1, POLLIN, 0}};
    int ready = left.count() > 0 ? poll(fds, 2, static_cast<int>(left.count())) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) {
      result.timedOut = true;
      kill(child, SIGKILL);
      break;
    }
    if (fds[0].revents != 0) outOpen = drain(out.ends[0], result.stdoutText);
    if (fds[1].revents != 0) errOpen = drain(err.ends[0], result.stderrText);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
  return result;
}

}  // namespace coopc::tests
