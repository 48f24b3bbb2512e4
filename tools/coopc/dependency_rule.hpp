// Dependency rules, as make and Ninja read them.
#pragma once

#include <string>
#include <vector>

namespace coopc::tool {

/// A make rule. `given`, the target of -MT, is written unchanged, as compilers do. If it is empty, the target
/// is `made`.
std::string dependencyRule(const std::string& given, const std::string& made,
                           const std::vector<std::string>& files);

}  // namespace coopc::tool
