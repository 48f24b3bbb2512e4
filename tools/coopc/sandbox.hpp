// --sandbox: the files that a command line may open, once it has been parsed.
#pragma once

#include <string>

#include "tools/coopc/options.hpp"

namespace coopc::tool {

/// Enters the sandbox: the process can read the folders of the inputs, the folders of -I, and a device
/// profile that is named, and write to the outputs, or to the folders of those that do not exist yet. "" or
/// the reason why it did not.
std::string enterSandboxFor(const CommandLine& line);

}  // namespace coopc::tool
