// Every kind of diagnostic that the compiler can give has a test that shows its whole rendered message.
#pragma once

#include <string>
#include <vector>

namespace coopc::tests {

/// Runs `compiler --list-diagnostics` (one identifier per line) and looks for `[id]` in the texts of the
/// expectation files. `allowFile` ("" for none) lists identifiers that need no test, one per line with a
/// reason after `#`. A listed identifier that has a test, or that the compiler does not have, is a fault as
/// well. Returns the faults, one per line, or "" if there are none.
std::string findUncoveredDiagnostics(const std::string& compiler,
                                     const std::vector<std::string>& expectationFiles,
                                     const std::string& allowFile);

}  // namespace coopc::tests
