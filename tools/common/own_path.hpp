// The path of the running program, to find files installed in the same folder.
#pragma once

#include <string>

namespace coopc::tool {

/// The running program's file, for starting processes and for finding files in its folder. `self` is argv[0],
/// which is correct even if another dynamic loader runs the program. A bare name, which the shell found along
/// PATH, is replaced by the path that the system reports.
std::string ownPath(const char* self);

}  // namespace coopc::tool
