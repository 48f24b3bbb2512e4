// One case at a time to each worker: a worker that dies names its case. A worker is a plain fork without exec, as the
// program may run under another loader than its own.
#include "harness/suite/workers.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coopc::harness::suite {
namespace {

using Clock = std::chrono::steady_clock;

bool writeAll(int file, const void* data, size_t bytes) {
  const auto* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = write(file, at, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<size_t>(done);
  }
  return true;
}

bool readAll(int file, void* data, size_t bytes) {
  auto* at = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t done = read(file, at, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done;
    bytes -= static_cast<size_t>(done);
  }
  return true;
}

// Results as bytes: verdict, milliseconds, reasons with their lengths.
std::string packed(const CaseOutcome& outcome) {
  std::string bytes(1, static_cast<char>(outcome.verdict));
  const double times[] = {outcome.pipelineMilliseconds, outcome.deviceMilliseconds, outcome.milliseconds};
  bytes.append(reinterpret_cast<const char*>(times), sizeof times);
  for (const std::string& reason : outcome.reasons) {
    const auto length = static_cast<uint32_t>(std::min<size_t>(reason.size(), 4000));
    bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
    bytes.append(reason, 0, length);
  }
  return bytes;
}

bool unpack(const std::string& bytes, CaseOutcome& outcome) {
  double times[3];
  size_t at = 1 + sizeof times;
  if (bytes.size() < at || static_cast<uint8_t>(bytes[0]) > static_cast<uint8_t>(Verdict::NotRun))
    return false;
  outcome.verdict = static_cast<Verdict>(bytes[0]);
  std::memcpy(times, bytes.data() + 1, sizeof times);
  outcome.pipelineMilliseconds = times[0];
  outcome.deviceMilliseconds = times[1];
  outcome.milliseconds = times[2];
  while (at < bytes.size()) {
    uint32_t length = 0;
    if (bytes.size() - at < sizeof length) return false;
    std::memcpy(&length, bytes.data() + at, sizeof length);
    at += sizeof length;
    if (bytes.size() - at < length) return false;
    outcome.reasons.push_back(bytes.substr(at, length));
    at += length;
  }
  return true;
}

bool sendMessage(int file, const std::string& bytes) {
  const auto length = static_cast<uint32_t>(bytes.size());
  return writeAll(file, &length, sizeof length) && writeAll(file, bytes.data(), bytes.size());
}

// The other end may be dead or mad.
bool receiveMessage(int file, std::string& bytes) {
  uint32_t length = 0;
  if (!readAll(file, &length, sizeof length) || length > 1u << 22) return false;
  bytes.resize(length);
  return readAll(file, bytes.data(), length);
}

constexpr uint32_t kNoCase = UINT32_MAX;

[[noreturn]] void work(std::span<const SuiteCase> cases, const Work& job, int in, int out) {
  const std::string problem = job.setUp();
  if (!sendMessage(out, problem)) _exit(1);
  uint32_t index = 0;
  while (readAll(in, &index, sizeof index) && index < cases.size()) {
    const auto begin = Clock::now();
    CaseOutcome outcome = job.runCase(cases[index]);
    outcome.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    if (!sendMessage(out, packed(outcome))) _exit(1);
    // A lost device: the process is worth nothing more, and its clean-up might hang.
    if (outcome.verdict == Verdict::Lost) _exit(0);
  }
  // No clean-up: drivers' exit handlers have nothing to save.
  _exit(0);
}

struct Worker {
  pid_t process = 0;
  int to = -1;
  int from = -1;
  bool ready = false;
  uint32_t current = kNoCase;
  Clock::time_point deadline;
};

class Pool {
 public:
  Pool(std::span<const SuiteCase> cases, const Work& job, const RunOptions& options)
      : cases_(cases), job_(job), options_(options) {
    result_.outcomes.resize(cases.size());
  }

  RunResult run() {
    const auto start = Clock::now();
    end_ = options_.totalSeconds == 0 ? Clock::time_point::max()
                                      : start + std::chrono::seconds(options_.totalSeconds);
    for (uint32_t i = 0; i < cases_.size(); ++i) queue_.push_back(i);
    serve(std::max(1u, options_.workers));
    // Once more, alone.
    queue_.clear();
    next_ = 0;
    for (uint32_t i = 0; i < cases_.size(); ++i) {
      const Verdict v = result_.outcomes[i].verdict;
      if (v == Verdict::Crashed || v == Verdict::Hung || v == Verdict::Lost) queue_.push_back(i);
    }
    if (!queue_.empty() && result_.error.empty()) {
      again_ = true;
      serve(1);
    }
    result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(result_);
  }

 private:
  bool start(Worker& worker) {
    int down[2];
    int up[2];
    if (pipe(down) != 0) return false;
    if (pipe(up) != 0) {
      close(down[0]);
      close(down[1]);
      return false;
    }
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
      close(down[1]);
      close(up[0]);
      for (const Worker& other : workers_) {
        if (other.process != 0) {
          close(other.to);
          close(other.from);
        }
      }
      work(cases_, job_, down[0], up[1]);
    }
    close(down[0]);
    close(up[1]);
    worker = Worker{};
    worker.process = child;
    worker.to = down[1];
    worker.from = up[0];
    worker.deadline = Clock::now() + std::chrono::seconds(options_.setUpSeconds);
    return true;
  }

  // The worker is gone or must go. Its case, if it has one, gets the verdict.
  void stop(Worker& worker, Verdict verdict, const std::string& reason) {
    kill(worker.process, SIGKILL);
    int status = 0;
    while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
    }
    if (worker.current != kNoCase) {
      std::string text = reason;
      if (verdict == Verdict::Crashed) {
        text = WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL
                   ? "the worker was ended by signal " + std::to_string(WTERMSIG(status))
                   : "the worker ended";
      }
      CaseOutcome outcome;
      outcome.verdict = verdict;
      outcome.reasons.push_back(text);
      finish(worker.current, std::move(outcome));
    }
    close(worker.to);
    close(worker.from);
    worker = Worker{};
  }

  void finish(uint32_t index, CaseOutcome outcome) {
    if (again_) outcome.before = verdictName(result_.outcomes[index].verdict);
    result_.outcomes[index] = std::move(outcome);
    ++done_;
    if (options_.progress && done_ % 100 == 0) options_.progress(done_);
  }

  // Gives the worker its next case, or ends it.
  void feed(Worker& worker) {
    if (next_ >= queue_.size() || Clock::now() >= end_) {
      close(worker.to);
      close(worker.from);
      int status = 0;
      while (waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
      }
      worker = Worker{};
      return;
    }
    worker.current = queue_[next_++];
    worker.deadline = Clock::now() + std::chrono::seconds(options_.caseSeconds);
    const uint32_t index = worker.current;
    if (!writeAll(worker.to, &index, sizeof index)) stop(worker, Verdict::Crashed, "");
  }

  void serve(uint32_t count) {
    workers_.assign(count, Worker{});
    uint32_t failedStarts = 0;
    while (result_.error.empty()) {
      for (Worker& worker : workers_) {
        if (worker.process == 0 && next_ < queue_.size() && Clock::now() < end_) {
          if (!start(worker))
            result_.error = std::string("no worker could be started: ") + std::strerror(errno);
        }
      }
      std::vector<pollfd> waits;
      std::vector<Worker*> owners;
      auto nearest = Clock::now() + std::chrono::seconds(1);
      for (Worker& worker : workers_) {
        if (worker.process == 0) continue;
        waits.push_back({worker.from, POLLIN, 0});
        owners.push_back(&worker);
        nearest = std::min(nearest, worker.deadline);
      }
      if (waits.empty()) break;
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(nearest - Clock::now()).count();
      const int got = poll(waits.data(), waits.size(), static_cast<int>(std::max<int64_t>(left, 0)));
      if (got < 0 && errno != EINTR) result_.error = std::string("poll: ") + std::strerror(errno);
      for (size_t i = 0; i < waits.size() && got >= 0; ++i) {
        Worker& worker = *owners[i];
        if ((waits[i].revents & (POLLIN | POLLHUP | POLLERR)) == 0) {
          if (Clock::now() < worker.deadline) continue;
          if (!worker.ready) result_.error = "a worker did not get ready in time";
          ++result_.restarts;
          stop(worker, Verdict::Hung, "nothing came within " + std::to_string(options_.caseSeconds) + " s");
          continue;
        }
        std::string message;
        if (!receiveMessage(worker.from, message)) {
          if (!worker.ready && ++failedStarts > 2 * count)
            result_.error = "the workers die before their first case";
          ++result_.restarts;
          stop(worker, Verdict::Crashed, "");
          continue;
        }
        if (!worker.ready) {
          if (!message.empty()) {
            result_.error = message;
            break;
          }
          worker.ready = true;
          feed(worker);
          continue;
        }
        CaseOutcome outcome;
        const uint32_t index = worker.current;
        worker.current = kNoCase;
        if (!unpack(message, outcome)) outcome.verdict = Verdict::Crashed;
        const bool lost = outcome.verdict == Verdict::Lost;
        finish(index, std::move(outcome));
        if (lost) {
          ++result_.restarts;
          stop(worker, Verdict::Lost, "");
        } else {
          feed(worker);
        }
      }
    }
    for (Worker& worker : workers_) {
      if (worker.process != 0) stop(worker, Verdict::NotRun, "");
    }
  }

  std::span<const SuiteCase> cases_;
  const Work& job_;
  const RunOptions& options_;
  RunResult result_;
  std::vector<uint32_t> queue_;
  size_t next_ = 0;
  size_t done_ = 0;
  bool again_ = false;
  std::vector<Worker> workers_;
  Clock::time_point end_;
};

}  // namespace

std::string_view verdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::Pass: return "passed";
    case Verdict::Skip: return "skipped";
    case Verdict::Known: return "known fault of the driver";
    case Verdict::NotCompiled: return "not compiled";
    case Verdict::Refused: return "refused by the driver";
    case Verdict::Wrong: return "wrong results";
    case Verdict::Crashed: return "crashed";
    case Verdict::Hung: return "hung";
    case Verdict::Lost: return "device lost";
    case Verdict::Fault: return "fault of the generator";
    case Verdict::NotRun: return "not run";
  }
  return "";
}

RunResult runCases(std::span<const SuiteCase> cases, const Work& work, const RunOptions& options) {
  // A worker that dies while it is written to must not end the caller.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before {};
  sigaction(SIGPIPE, &ignore, &before);
  RunResult result = Pool(cases, work, options).run();
  sigaction(SIGPIPE, &before, nullptr);
  return result;
}

Result<std::string> inChild(const std::function<std::string()>& make, uint32_t seconds) {
  int ends[2];
  if (pipe(ends) != 0) return Error{std::string("pipe: ") + std::strerror(errno)};
  const pid_t child = fork();
  if (child < 0) return Error{std::string("fork: ") + std::strerror(errno)};
  if (child == 0) {
    close(ends[0]);
    sendMessage(ends[1], make());
    _exit(0);
  }
  close(ends[1]);
  std::string text;
  pollfd wait{ends[0], POLLIN, 0};
  const bool came = poll(&wait, 1, static_cast<int>(seconds * 1000)) > 0 && receiveMessage(ends[0], text);
  close(ends[0]);
  kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!came)
    return Error{"the process that asks the driver ended, or took longer than " + std::to_string(seconds) +
                 " s"};
  return text;
}

}  // namespace coopc::harness::suite
