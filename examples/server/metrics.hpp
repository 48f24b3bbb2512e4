// Numbers that the server counts, as text for Prometheus (its exposition format 0.0.4).
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace service {

/// How a request for a compile was answered.
enum class Outcome : uint32_t { Ok, Wrong, BadRequest, TimeLimit, MemoryLimit, Crashed, Killed, Busy };
inline constexpr std::array<std::string_view, 8> kOutcomes = {
    "ok", "wrong", "bad-request", "time-limit", "memory-limit", "crashed", "killed", "busy"};

struct Metrics {
  std::array<std::atomic<uint64_t>, kOutcomes.size()> outcomes{};
  std::atomic<uint64_t> diskHits{0}, sharedHits{0}, misses{0};
  static constexpr std::array<double, 12> kBounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                     0.1,   0.25,   0.5,   1,    2.5,   10};
  std::array<std::atomic<uint64_t>, kBounds.size() + 1> latencies{};
  std::atomic<uint64_t> latencyMicroseconds{0};
  std::atomic<uint64_t> peakKib{0};  ///< the most that a compile's process took

  void countAnswer(Outcome outcome, std::chrono::microseconds taken) {
    ++outcomes[size_t(outcome)];
    const double seconds = double(taken.count()) / 1e6;
    size_t n = 0;
    while (n < kBounds.size() && seconds > kBounds[n]) ++n;
    ++latencies[n];
    latencyMicroseconds += uint64_t(taken.count());
  }
  void peak(uint64_t kib) {
    uint64_t old = peakKib;
    while (kib > old && !peakKib.compare_exchange_weak(old, kib)) {
    }
  }
};

/// One metric after the other.
class MetricsText {
 public:
  void head(std::string_view name, std::string_view type, std::string_view help) {
    ((((((text_ += "# HELP coopc_") += name) += ' ') += help) += "\n# TYPE coopc_") += name) += ' ';
    (text_ += type) += '\n';
  }
  void line(std::string_view name, std::string_view labels, double value) {
    char number[40];
    std::snprintf(number, sizeof number, " %.17g\n", value);
    ((text_ += "coopc_") += name) += labels;
    text_ += number;
  }
  void one(std::string_view name, std::string_view type, std::string_view help, double value) {
    head(name, type, help);
    line(name, "", value);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace service
