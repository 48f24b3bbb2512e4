// Reads lists of known faults and finds a case's entry.
#include "harness/suite/known.hpp"

#include <algorithm>

namespace coopc::harness::suite {
namespace {

std::string_view word(std::string_view& line) {
  const size_t start = std::min(line.find_first_not_of(" \t"), line.size());
  line.remove_prefix(start);
  const size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view result = line.substr(0, end);
  line.remove_prefix(end);
  return result;
}

}  // namespace

// The last star matches the rest. The time is at most the product of the lengths.
bool matchesPattern(std::string_view pattern, std::string_view name) {
  size_t p = 0;
  size_t n = 0;
  size_t star = std::string_view::npos;
  size_t from = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = n;
    } else if (p < pattern.size() && (pattern[p] == name[n] || pattern[p] == '?')) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

Result<std::vector<KnownFault>> parseKnownFaults(std::string_view text) {
  std::vector<KnownFault> faults;
  for (uint32_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    const std::string_view kind = word(line);
    if (kind.empty() || kind[0] == '#') continue;
    const std::string_view pattern = word(line);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if ((kind != "fail" && kind != "skip") || pattern.empty() || line.empty()) {
      return Error{"line " + std::to_string(number) + ": not `fail PATTERN REASON` or `skip PATTERN REASON`"};
    }
    faults.push_back({kind == "fail", std::string(pattern), std::string(line)});
  }
  return faults;
}

const KnownFault* findKnownFault(std::span<const KnownFault> faults, std::string_view name) {
  for (const KnownFault& fault : faults) {
    if (matchesPattern(fault.pattern, name)) return &fault;
  }
  return nullptr;
}

}  // namespace coopc::harness::suite
