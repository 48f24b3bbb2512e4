// Results in Redis, which several servers share. It is only a cache: while it cannot be reached, servers
// compile.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct redisContext;

namespace service {

/// All members may be called by any number of threads.
class SharedCache {
 public:
  /// `address`: HOST:PORT or the path of a socket. `seconds`: how long results are kept there.
  SharedCache(std::string address, uint32_t seconds) : address_(std::move(address)), seconds_(seconds) {}
  ~SharedCache();
  SharedCache(const SharedCache&) = delete;
  SharedCache& operator=(const SharedCache&) = delete;

  std::optional<std::string> find(const std::string& key);
  void keep(const std::string& key, std::string_view entry);
  uint64_t errors() const { return errors_; }

 private:
  redisContext* take();
  void give(redisContext* connection, bool good);

  std::string address_;
  uint32_t seconds_;
  std::mutex mutex_;
  std::vector<redisContext*> idle_;
  std::atomic<int64_t> retryAt_{0};  ///< of the steady clock, in milliseconds
  std::atomic<uint64_t> errors_{0};
};

}  // namespace service
