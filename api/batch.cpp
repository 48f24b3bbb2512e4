// Many compiles at once: threads take the next job from a counter. A compile owns everything that it touches,
// so jobs only share the texts that they read.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "coopc/coopc.hpp"

namespace coopc {

void parallelFor(size_t count, unsigned threads, const std::function<void(size_t)>& body) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  std::atomic<size_t> next{0};
  std::mutex lock;
  std::exception_ptr failure;
  auto work = [&] {
    for (;;) {
      const size_t job = next.fetch_add(1);
      if (job >= count) return;
      try {
        body(job);
      } catch (...) {
        const std::lock_guard<std::mutex> hold(lock);
        if (!failure) failure = std::current_exception();
        next = count;
        return;
      }
    }
  };
  std::vector<std::thread> others;
  const size_t wanted = std::min<size_t>(threads, count);
  for (size_t i = 1; i < wanted; ++i) {
    // If the system refuses more threads, the existing ones do all of the work.
    try {
      others.emplace_back(work);
    } catch (...) {
      break;
    }
  }
  work();
  for (std::thread& thread : others) thread.join();
  if (failure) std::rethrow_exception(failure);
}

void compileAll(const std::vector<Job>& jobs, const std::function<void(size_t job, Result&& result)>& done,
                unsigned threads) {
  parallelFor(jobs.size(), threads,
              [&](size_t i) { done(i, compile(jobs[i].source, jobs[i].name, jobs[i].options)); });
}

std::vector<Result> compileAll(const std::vector<Job>& jobs, unsigned threads) {
  std::vector<Result> results(jobs.size());
  compileAll(
      jobs, [&](size_t i, Result&& result) { results[i] = std::move(result); }, threads);
  return results;
}

}  // namespace coopc
