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

#include "harness/suite/message.hpp"

namespace coopc::harness::suite {
namespace {

using Clock = std::chrono::steady_clock;

std::optional<std::string> receive(MessageReader& reader, Clock::time_point end) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd wait{reader.file(), POLLIN, 0};
    const int got = poll(&wait, 1, static_cast<int>(std::max<int64_t>(left, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    switch (reader.read()) {
      case MessageReader::State::Whole: return reader.take();
      case MessageReader::State::Ended: return std::nullopt;
      case MessageReader::State::Partial: break;
    }
  }
}

}  // namespace

int waitFor(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

Result<std::string> inChild(const std::function<std::string()>& make, uint32_t seconds) {
  std::optional<Pipe> pipe = makePipe();
  if (!pipe) return Error{std::string("pipe: ") + std::strerror(errno)};
  const pid_t child = fork();
  if (child < 0) return Error{std::string("fork: ") + std::strerror(errno)};
  if (child == 0) {
    pipe->read.reset();
    sendMessage(pipe->write.get(), make());
    _exit(0);
  }
  pipe->write.reset();
  MessageReader reader(std::move(pipe->read));
  std::optional<std::string> text = receive(reader, Clock::now() + std::chrono::seconds(seconds));
  reader.close();
  kill(child, SIGKILL);
  waitFor(child);
  if (!text)
    return Error{"the process that asks the driver ended, or took longer than " + std::to_string(seconds) +
                 " s"};
  return std::move(*text);
}

}  // namespace coopc::harness::suite
