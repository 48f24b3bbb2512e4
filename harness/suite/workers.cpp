// The pool: one case at a time to each worker, so that a worker that dies names its case. A worker is a plain
// fork without exec, as the program may run under another loader than its own.
#include "harness/suite/workers.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/suite/child.hpp"
#include "harness/suite/message.hpp"

namespace coopc::harness::suite {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kNoCase = UINT32_MAX;

[[noreturn]] void work(std::span<const SuiteCase> cases, const Work& job, int in, int out) {
  const std::string problem = job.setUp();
  if (!sendMessage(out, problem)) _exit(1);
  uint32_t index = 0;
  while (readAll(in, &index, sizeof index) && index < cases.size()) {
    const auto begin = Clock::now();
    CaseOutcome outcome = job.runCase(cases[index]);
    outcome.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    if (!sendMessage(out, pack(outcome))) _exit(1);
    // A lost device: the process can do nothing more, and its clean-up might hang.
    if (outcome.verdict == Verdict::Lost) _exit(0);
  }
  // No clean-up: drivers' exit handlers have nothing to save.
  _exit(0);
}

struct Worker {
  pid_t process = 0;  // 0: none
  Descriptor to;
  MessageReader from;
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
    // Cases that may have suffered from another one are run once more, alone.
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
  // False if no descriptors or processes are left; errno says which.
  bool start(Worker& worker) {
    std::optional<Pipe> down = makePipe();
    std::optional<Pipe> up = makePipe();
    if (!down || !up) return false;
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
      down->write.reset();
      up->read.reset();
      for (Worker& other : workers_) {
        other.to.reset();
        other.from.close();
      }
      work(cases_, job_, down->read.get(), up->write.get());
    }
    worker = Worker{};
    worker.process = child;
    worker.to = std::move(down->write);
    worker.from = MessageReader(std::move(up->read));
    worker.deadline = Clock::now() + std::chrono::seconds(options_.setUpSeconds);
    return true;
  }

  // The worker is gone or must go. Its case, if it has one, gets the verdict.
  void stop(Worker& worker, Verdict verdict, const std::string& reason) {
    kill(worker.process, SIGKILL);
    const int status = waitFor(worker.process);
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
      worker.to.reset();
      worker.from.close();
      waitFor(worker.process);
      worker = Worker{};
      return;
    }
    worker.current = queue_[next_++];
    worker.deadline = Clock::now() + std::chrono::seconds(options_.caseSeconds);
    const uint32_t index = worker.current;
    if (!writeAll(worker.to.get(), &index, sizeof index)) stop(worker, Verdict::Crashed, "");
  }

  void serve(uint32_t count) {
    workers_.clear();
    workers_.resize(count);
    failedStarts_ = 0;
    while (result_.error.empty()) {
      startMissing();
      if (!serveOnce()) break;
    }
    for (Worker& worker : workers_) {
      if (worker.process != 0) stop(worker, Verdict::NotRun, "");
    }
  }

  void startMissing() {
    for (Worker& worker : workers_) {
      if (worker.process != 0 || next_ >= queue_.size() || Clock::now() >= end_) continue;
      if (!start(worker)) result_.error = std::string("no worker could be started: ") + std::strerror(errno);
    }
  }

  // Waits for messages and deadlines, and handles those that are due. False if no worker is left.
  bool serveOnce() {
    std::vector<pollfd> waits;
    std::vector<Worker*> owners;
    auto nearest = Clock::now() + std::chrono::seconds(1);
    for (Worker& worker : workers_) {
      if (worker.process == 0) continue;
      waits.push_back({worker.from.file(), POLLIN, 0});
      owners.push_back(&worker);
      nearest = std::min(nearest, worker.deadline);
    }
    if (waits.empty()) return false;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(nearest - Clock::now()).count();
    const int got = poll(waits.data(), waits.size(), static_cast<int>(std::max<int64_t>(left, 0)));
    if (got < 0 && errno != EINTR) result_.error = std::string("poll: ") + std::strerror(errno);
    for (size_t i = 0; i < waits.size() && got >= 0 && result_.error.empty(); ++i) {
      const bool readable = (waits[i].revents & (POLLIN | POLLHUP | POLLERR)) != 0;
      serve(*owners[i], readable ? owners[i]->from.read() : MessageReader::State::Partial);
    }
    return true;
  }

  void serve(Worker& worker, MessageReader::State state) {
    switch (state) {
      case MessageReader::State::Whole: return answer(worker, worker.from.take());
      case MessageReader::State::Partial:
        if (Clock::now() < worker.deadline) return;
        if (!worker.ready) result_.error = "a worker did not get ready in time";
        ++result_.restarts;
        return stop(worker, Verdict::Hung,
                    "nothing came within " + std::to_string(options_.caseSeconds) + " s");
      case MessageReader::State::Ended:
        if (!worker.ready && ++failedStarts_ > 2 * workers_.size())
          result_.error = "the workers die before their first case";
        ++result_.restarts;
        return stop(worker, Verdict::Crashed, "");
    }
  }

  // The first message says whether the worker can work, the others are outcomes of its cases.
  void answer(Worker& worker, const std::string& message) {
    if (!worker.ready) {
      if (!message.empty()) {
        if (result_.error.empty()) result_.error = message;
        return;
      }
      worker.ready = true;
      return feed(worker);
    }
    CaseOutcome outcome;
    const uint32_t index = worker.current;
    worker.current = kNoCase;
    if (!unpack(message, outcome)) outcome.verdict = Verdict::Crashed;
    const bool lost = outcome.verdict == Verdict::Lost;
    finish(index, std::move(outcome));
    if (!lost) return feed(worker);
    ++result_.restarts;
    stop(worker, Verdict::Lost, "");
  }

  std::span<const SuiteCase> cases_;
  const Work& job_;
  const RunOptions& options_;
  RunResult result_;
  std::vector<uint32_t> queue_;
  size_t next_ = 0;
  size_t done_ = 0;
  bool again_ = false;
  size_t failedStarts_ = 0;  // workers that died before their first case
  std::vector<Worker> workers_;
  Clock::time_point end_;
};

}  // namespace

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

}  // namespace coopc::harness::suite
