// A cache in Redis, by hiredis. After an error nothing is sent for a second: a missing server then costs one
// time limit per second instead of one per request.
#include "shared_cache.hpp"

#include <chrono>
#include <cstdlib>
#include <hiredis/hiredis.h>
#include <memory>

namespace service {
namespace {

constexpr timeval kTimeLimit{0, 200000};
constexpr size_t kIdle = 32;  // connections kept

struct FreeReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Reply = std::unique_ptr<redisReply, FreeReply>;

int64_t now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

SharedCache::~SharedCache() {
  for (redisContext* connection : idle_) redisFree(connection);
}

redisContext* SharedCache::take() {
  if (now() < retryAt_) return nullptr;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!idle_.empty()) {
      redisContext* const connection = idle_.back();
      idle_.pop_back();
      return connection;
    }
  }
  const size_t colon = address_.rfind(':');
  redisContext* const connection =
      colon == std::string::npos
          ? redisConnectUnixWithTimeout(address_.c_str(), kTimeLimit)
          : redisConnectWithTimeout(address_.substr(0, colon).c_str(),
                                    std::atoi(address_.c_str() + colon + 1), kTimeLimit);
  if (connection != nullptr && connection->err == 0 && redisSetTimeout(connection, kTimeLimit) == REDIS_OK)
    return connection;
  if (connection != nullptr) redisFree(connection);
  give(nullptr, false);
  return nullptr;
}

void SharedCache::give(redisContext* connection, bool good) {
  if (!good) {
    ++errors_;
    retryAt_ = now() + 1000;
    if (connection != nullptr) redisFree(connection);
    // The others to the same server have most likely ended too, and each would cost another second.
    std::vector<redisContext*> ended;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended.swap(idle_);
    }
    for (redisContext* const one : ended) redisFree(one);
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  if (idle_.size() < kIdle)
    idle_.push_back(connection);
  else
    redisFree(connection);
}

std::optional<std::string> SharedCache::find(const std::string& key) {
  redisContext* const connection = take();
  if (connection == nullptr) return std::nullopt;
  const Reply reply(static_cast<redisReply*>(redisCommand(connection, "GET %b", key.data(), key.size())));
  std::optional<std::string> entry;
  if (reply && reply->type == REDIS_REPLY_STRING) entry.emplace(reply->str, reply->len);
  give(connection, reply && reply->type != REDIS_REPLY_ERROR);
  return entry;
}

void SharedCache::keep(const std::string& key, std::string_view entry) {
  redisContext* const connection = take();
  if (connection == nullptr) return;
  const Reply reply(static_cast<redisReply*>(redisCommand(connection, "SET %b %b EX %u", key.data(),
                                                          key.size(), entry.data(), entry.size(), seconds_)));
  give(connection, reply && reply->type != REDIS_REPLY_ERROR);
}

}  // namespace service
