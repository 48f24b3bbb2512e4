// Work on many variants by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace coopc::tests::llama {

inline unsigned processors() { return std::max(1u, std::thread::hardware_concurrency()); }

/// Calls `work(i)` for all i < count in several threads, and collects the non-empty results, in any order.
template <typename Work>
std::vector<std::string> inParallel(size_t count, const Work& work, unsigned jobs = processors()) {
  std::vector<std::string> found;
  std::mutex mutex;
  std::atomic<size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < jobs; ++t)
    threads.emplace_back([&] {
      for (size_t i; (i = next++) < count;) {
        std::string text = work(i);
        if (text.empty()) continue;
        const std::lock_guard<std::mutex> lock(mutex);
        found.push_back(std::move(text));
      }
    });
  for (std::thread& t : threads) t.join();
  return found;
}

}  // namespace coopc::tests::llama
