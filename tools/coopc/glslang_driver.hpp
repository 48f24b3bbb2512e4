// coopc under glslang's names: runs a command line, with messages, files and exit codes as glslang has them.
#pragma once

#include <span>
#include <string>

namespace coopc::tool {

/// Runs a command line. `arguments` are without the program's name, which is `program`. The exit code: 0, 1
/// for wrong usage or a file that cannot be read or written, 2 for a text that does not compile, 3 for
/// several texts of one stage.
int runGlslang(const std::string& program, std::span<const std::string> arguments);

}  // namespace coopc::tool
