// Workers are this same program with --worker. The server has threads, so they are started by posix_spawn.
#include "worker_pool.hpp"

#include <csignal>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include "base/running_program.hpp"
#include "frames.hpp"

extern char** environ;

namespace service {

std::string ownProgram() {
  constexpr const char* kOwn = "/proc/self/exe";  // opens the running file even if its path names another
  return access(kOwn, R_OK | X_OK) == 0 ? kOwn : coopc::runningProgram();
}

WorkerPool::WorkerPool(const Settings& settings) : settings_(settings) {
  idle_.resize(settings_.workers);  // they start with their first requests
  free_ = settings_.workers;
}

WorkerPool::~WorkerPool() {
  for (Worker& worker : idle_) end(worker);
}

bool WorkerPool::start(Worker& worker) const {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], 0);
  const std::string program = ownProgram();
  const std::string time = std::to_string(settings_.limits.milliseconds);
  const std::string memory = std::to_string(settings_.limits.memory >> 20);
  std::vector<std::string> words = {"coopc-server", "--worker", "--time-limit=" + time,
                                    "--memory-limit=" + memory};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int failed =
      posix_spawn(&worker.process, program.c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  close(ends[1]);
  worker.socket = ends[0];
  if (failed == 0) return true;
  worker.process = -1;
  end(worker);
  return false;
}

void WorkerPool::end(Worker& worker) {
  if (worker.socket >= 0) close(worker.socket);
  if (worker.process > 0) {
    kill(worker.process, SIGKILL);
    while (waitpid(worker.process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  worker = {};
}

bool WorkerPool::ask(Worker& worker, const std::string& request, WorkerAnswer& answer) const {
  // A worker that is stopped keeps no deadline, so the server has one too.
  const auto deadline = Clock::now() + std::chrono::milliseconds(settings_.limits.milliseconds + 5000);
  std::string bytes;
  return sendFrame(worker.socket, request, deadline) &&
         receiveFrame(worker.socket, bytes, mostOfAnswer(settings_.limits), deadline) &&
         fromBytes(bytes, answer);
}

bool WorkerPool::compile(const std::string& request, WorkerAnswer& answer) {
  Worker worker;
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (idle_.empty()) {
      if (waiting_ >= settings_.queue) return false;
      ++waiting_;
      const bool got = released_.wait_for(lock, std::chrono::milliseconds(settings_.waitMilliseconds),
                                          [&] { return !idle_.empty(); });
      --waiting_;
      if (!got) return false;
    }
    worker = idle_.back();
    idle_.pop_back();
    --free_;
  }
  constexpr int kAttempts = 3;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    retries_ += attempt != 0 ? 1 : 0;
    answer = {};
    if (worker.process < 0 && !start(worker)) continue;
    if (!ask(worker, request, answer)) {
      end(worker);
      ++restarts_;
      answer = {};
    }
    if (answer.end != End::Killed) break;
  }
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    idle_.push_back(worker);
    ++free_;
  }
  released_.notify_one();
  return true;
}

}  // namespace service
