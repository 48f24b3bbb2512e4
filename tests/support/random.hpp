// Random numbers for tests. They are the same everywhere, unlike the standard library's distributions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace coopc::tests {

/// Marsaglia's xorshift with 64 bits of state, which must not be 0.
struct Xorshift {
  uint64_t state = 0x9E3779B97F4A7C15u;
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
  /// 32 bits, without the lowest ones, which are the least random.
  uint32_t word() { return uint32_t(next() >> 16); }
  /// In [0, count).
  uint32_t below(size_t count) { return uint32_t((next() >> 16) % count); }
  /// In [0, 1).
  double unit() { return double(next() >> 11) / 9007199254740992.0; }
  double between(double low, double high) { return low + (high - low) * unit(); }
};

/// The standard library's Mersenne Twister, which is the same everywhere as well.
class Twister {
 public:
  explicit Twister(uint32_t seed) : engine_(seed) {}
  uint32_t word() { return uint32_t(engine_()); }
  /// In [0, count).
  uint32_t below(uint32_t count) { return word() % count; }
  /// In [low, high].
  int64_t pick(int64_t low, int64_t high) { return low + int64_t(word() % uint64_t(high - low + 1)); }
  /// True once in `in` times on average.
  bool one(uint32_t in) { return below(in) == 0; }
  std::mt19937& engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

}  // namespace coopc::tests
