// Where the running program is: what is installed beside it is found from there.
#pragma once

#include <string>

namespace coopc::tool {

/// The running program's file, for processes of its own and for what lies beside it. `self` is argv[0], which also counts where
/// another loader runs the program; a bare name, as a search along PATH leaves it, is replaced by what the system says.
std::string ownPath(const char* self);

}  // namespace coopc::tool
