// Reads, compares and rewrites records of whole outputs.
#include "tests/outputs/records.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

// FNV-1a, folded to 32 bits.
class Hash {
 public:
  void add(uint8_t byte) { state_ = (state_ ^ byte) * 0x100000001B3u; }
  uint32_t value() const { return uint32_t(state_ ^ state_ >> 32); }
  std::string text(size_t count) const {
    std::array<char, 40> line{};
    std::snprintf(line.data(), line.size(), "%zu:%08x", count, value());
    return line.data();
  }

 private:
  uint64_t state_ = 0xCBF29CE484222325u;
};

}  // namespace

std::string fingerprintOf(std::span<const uint32_t> words) {
  if (words.empty()) return "-";
  Hash hash;
  for (const uint32_t word : words)
    for (uint32_t shift = 0; shift < 32; shift += 8) hash.add(uint8_t(word >> shift));
  return hash.text(words.size());
}

std::string fingerprintOf(std::string_view text) {
  if (text.empty()) return "-";
  Hash hash;
  for (const char c : text) hash.add(uint8_t(c));
  return hash.text(text.size());
}

uint32_t seedOf(std::string_view name) {
  Hash hash;
  for (const char c : name) hash.add(uint8_t(c));
  return hash.value();
}

Record::Record(std::filesystem::path file)
    : file_(std::move(file)), updates_(std::getenv("COOPC_UPDATE_EXPECTED") != nullptr) {
  std::istringstream lines(fileText(file_));
  for (std::string line; std::getline(lines, line);) {
    const size_t space = std::min(line.find(' '), line.size());
    recorded_[line.substr(0, space)] = line.substr(std::min(space + 1, line.size()));
  }
}

bool Record::add(const std::string& name, const std::string& line) {
  REQUIRE(made_.emplace(name, line).second);
  const auto recorded = recorded_.find(name);
  const std::string before = recorded == recorded_.end() ? "not recorded" : recorded->second;
  if (before == line) return true;
  ++differing_;
  differences_ += name + "\n  before: " + before + "\n  now:    " + line + "\n";
  return false;
}

void Record::finish(size_t least) {
  if (updates_) {
    std::ofstream out(file_, std::ios::binary);
    for (const auto& [name, line] : made_) out << name << ' ' << line << '\n';
    REQUIRE(out.flush());
    return;
  }
  INFO("If the outputs were meant to change: COOPC_UPDATE_EXPECTED=1 rewrites " << file_.filename().string());
  INFO(differences_);
  CHECK(differing_ == 0);
  if (hasEnoughDifferences()) return;
  CHECK(made_.size() >= least);
  CHECK(made_.size() == recorded_.size());
}

}  // namespace coopc::tests
