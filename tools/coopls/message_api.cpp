// One server, and the texts that wait for it.
#include "tools/coopls/message_api.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tools/coopls/server.hpp"

namespace {

class Queue final : public coopc::ls::Transport {
 public:
  void add(std::string_view messages) {
    for (size_t at = 0; at < messages.size();) {
      const size_t end = std::min(messages.find('\0', at), messages.size());
      if (end > at) waiting_.emplace_back(messages.substr(at, end - at));
      at = end + 1;
    }
  }
  std::string take() {
    std::string all = "[" + written_ + "]";
    written_.clear();
    return all;
  }

  std::optional<std::string> read() override {
    if (waiting_.empty()) return std::nullopt;
    std::string first = std::move(waiting_.front());
    waiting_.pop_front();
    return first;
  }
  bool pending() override { return !waiting_.empty(); }
  void send(std::string_view text) override {
    if (!written_.empty()) written_ += ',';
    written_ += text;
  }

 private:
  std::deque<std::string> waiting_;
  std::string written_;
};

}  // namespace

extern "C" const char* coopls_handle(const char* messages, int size) {
  static Queue queue;
  static coopc::ls::Server server(queue, false);
  static std::string answer;
  queue.add({messages, static_cast<size_t>(size)});
  server.run();  // until no message waits
  answer = queue.take();
  return answer.c_str();
}
