// The path of the running program, to find files installed in the same folder.
#pragma once

#include <string>

namespace coopc::tool {

/// The running program's file, for starting processes and for finding files in its folder. `self` is argv[0],
/// which is also correct if another dynamic loader runs the program. A bare name, which is the result of a
/// search along PATH, is replaced by what the system reports.
std::string ownPath(const char* self);

}  // namespace coopc::tool
