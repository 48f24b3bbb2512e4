// Finds the built-in functions that the value tests execute: visits all tests without running anything, and
// records the typed programs of their shaders and the features that the device lacks for them.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace coopc::tests {

struct Coverage {
  std::set<std::string> executed;                        ///< overloads: "clamp(vec2, float, float)"
  std::map<std::string, std::set<std::string>> skipped;  ///< overload -> what the device lacks
};

/// Walks through all value tests of the program.
Coverage coverage();

/// Notes the calls of a shader's text; `lacks`: why it would not run. For runShader.
void noteCalls(const std::string& text, const std::vector<std::string>& lacks);

}  // namespace coopc::tests
