// The server's side of its workers: as many as compile at once, each replaced when it ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

#include "worker.hpp"

namespace service {

/// A path that opens and starts the file of this program, even if another one has replaced it since.
std::string ownProgram();

/// All members may be called by any number of threads.
class WorkerPool {
 public:
  struct Settings {
    uint32_t workers = 2;
    uint32_t queue = 256;               ///< requests that may wait for a worker
    uint32_t waitMilliseconds = 10000;  ///< how long each may
    Limits limits;
  };

  explicit WorkerPool(const Settings& settings);
  /// Waits for no one: no request may be running.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Has a worker compile the request. False if the queue is full, or no worker became free in time. A
  /// request whose worker or process is killed from outside is tried again, twice.
  bool compile(const std::string& request, WorkerAnswer& answer);

  uint32_t waiting() const { return waiting_; }
  uint32_t busy() const { return settings_.workers - free_; }
  uint64_t restarts() const { return restarts_; }
  uint64_t retries() const { return retries_; }

 private:
  struct Worker {
    pid_t process = -1;
    int socket = -1;
  };
  bool start(Worker& worker) const;
  static void end(Worker& worker);
  bool ask(Worker& worker, const std::string& request, WorkerAnswer& answer) const;

  Settings settings_;
  std::mutex mutex_;
  std::condition_variable released_;
  std::vector<Worker> idle_;
  std::atomic<uint32_t> waiting_{0}, free_{0};
  std::atomic<uint64_t> restarts_{0}, retries_{0};
};

}  // namespace service
