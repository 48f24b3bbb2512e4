// The facts that cooplayout's commands tell, read from their CSV.
#pragma once

#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tools/cooplayout/programs/run.hpp"

namespace coopc::tests {

/// The answer to a command line, as lines "name,value" with a line feed before each.
inline std::string factsOf(std::vector<std::string> words) {
  words.insert(words.end(), {"--format", "csv"});
  std::string out;
  std::string err;
  const int code = cooplayout::run(words, out, err);
  INFO(err);
  REQUIRE(code == 0);
  return "\n" + out;
}

/// A fact's value without the quotation marks that CSV puts around commas; "" if the fact is missing.
inline std::string factOf(const std::string& facts, const std::string& name) {
  const std::string spelled = name.find(',') == std::string::npos ? name : "\"" + name + "\"";
  const size_t at = facts.find("\n" + spelled + ",");
  if (at == std::string::npos) return "";
  const size_t start = at + spelled.size() + 2;
  std::string value = facts.substr(start, facts.find('\n', start) - start);
  if (value.size() > 1 && value.front() == '"') value = value.substr(1, value.size() - 2);
  return value;
}

}  // namespace coopc::tests
