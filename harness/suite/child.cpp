// A plain fork without exec, as the program may run under another loader than its own.
#include "harness/suite/child.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "harness/suite/message.hpp"

namespace coopc::harness::suite {
namespace {

using Clock = std::chrono::steady_clock;

// A child and the pipe on which it answers.
struct Child {
  size_t index = 0;
  pid_t process = -1;
  MessageReader reader;
  Clock::time_point end;  // when it is killed
};

Result<Child> start(size_t index, const std::function<std::string(size_t)>& make, uint32_t seconds) {
  std::optional<Pipe> pipe = makePipe();
  if (!pipe) return Error{std::string("pipe: ") + std::strerror(errno)};
  const pid_t process = fork();
  if (process < 0) return Error{std::string("fork: ") + std::strerror(errno)};
  if (process == 0) {
    pipe->read.reset();
    sendMessage(pipe->write.get(), make(index));
    _exit(0);
  }
  pipe->write.reset();
  Child child;
  child.index = index;
  child.process = process;
  child.reader = MessageReader(std::move(pipe->read));
  child.end = Clock::now() + std::chrono::seconds(seconds);
  return child;
}

std::string howItEnded(int status) {
  if (WIFSIGNALED(status)) return "ended by signal " + std::to_string(WTERMSIG(status));
  return "ended with exit code " + std::to_string(WEXITSTATUS(status)) + " and no answer";
}

// The child's answer once it is there, or how it ended; no value while it is still at work.
std::optional<Result<std::string>> answerOf(Child& child, uint32_t seconds) {
  pollfd ready{child.reader.file(), POLLIN, 0};
  if (poll(&ready, 1, 0) > 0) {
    const MessageReader::State state = child.reader.read();
    if (state == MessageReader::State::Whole) {
      kill(child.process, SIGKILL);
      waitFor(child.process);
      return Result<std::string>(child.reader.take());
    }
    if (state == MessageReader::State::Ended)
      return Result<std::string>(Error{howItEnded(waitFor(child.process))});
  }
  if (Clock::now() < child.end) return std::nullopt;
  kill(child.process, SIGKILL);
  waitFor(child.process);
  return Result<std::string>(Error{"took longer than " + std::to_string(seconds) + " s"});
}

// Waits until one of the children may have an answer, or its time is over.
void waitForOne(const std::vector<Child>& children) {
  std::vector<pollfd> files;
  Clock::time_point end = Clock::time_point::max();
  for (const Child& child : children) {
    files.push_back({child.reader.file(), POLLIN, 0});
    end = std::min(end, child.end);
  }
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  poll(files.data(), files.size(), static_cast<int>(std::clamp<int64_t>(left + 1, 0, 60000)));
}

}  // namespace

int waitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

void inChildren(size_t count, size_t jobs, const std::function<std::string(size_t)>& make, uint32_t seconds,
                const std::function<void(size_t, Result<std::string>)>& take) {
  std::vector<Child> children;
  for (size_t next = 0; next < count || !children.empty();) {
    while (next < count && children.size() < std::max<size_t>(jobs, 1)) {
      Result<Child> child = start(next, make, seconds);
      if (child) {
        children.push_back(std::move(*child));
      } else {
        take(next, child.error());
      }
      ++next;
    }
    if (children.empty()) continue;
    waitForOne(children);
    for (size_t i = 0; i < children.size();) {
      std::optional<Result<std::string>> answer = answerOf(children[i], seconds);
      if (!answer) {
        ++i;
        continue;
      }
      const size_t index = children[i].index;
      children.erase(children.begin() + static_cast<std::ptrdiff_t>(i));
      take(index, std::move(*answer));
    }
  }
}

Result<std::string> inChild(const std::function<std::string()>& make, uint32_t seconds) {
  Result<std::string> result = Error{"not run"};
  inChildren(
      1, 1, [&](size_t) { return make(); }, seconds,
      [&](size_t, Result<std::string> answer) { result = std::move(answer); });
  if (!result) return Error{"the process that asks the driver " + result.error().message};
  return result;
}

}  // namespace coopc::harness::suite
