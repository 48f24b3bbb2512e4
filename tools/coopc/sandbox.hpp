// --sandbox: the files that a parsed command line may open.
#pragma once

#include <string>

#include "tools/coopc/options.hpp"

namespace coopc::tool {

/// Enters the sandbox. The process can then read the folders of the inputs, the folders of -I, and a device
/// profile that is named. It can write to the outputs, or to their folders if the outputs do not exist yet.
/// Returns "", or why the sandbox was not entered.
std::string enterSandboxFor(const CommandLine& line);

}  // namespace coopc::tool
