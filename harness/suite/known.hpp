// Known faults of a driver: a text file of lines `fail PATTERN REASON` (the case is run, and may fail) and
// `skip PATTERN REASON` (it is not run, because it would crash or hang). `#` starts a comment.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/result.hpp"

namespace coopc::harness::suite {

struct KnownFault {
  bool run = true;
  std::string pattern;
  std::string reason;
};
/// The error names the line.
Result<std::vector<KnownFault>> parseKnownFaults(std::string_view text);
/// The first that matches the case's name, or null.
const KnownFault* findKnownFault(std::span<const KnownFault> faults, std::string_view name);

/// `*` in a pattern stands for any text, `?` for one character.
bool matchesPattern(std::string_view pattern, std::string_view name);

}  // namespace coopc::harness::suite
