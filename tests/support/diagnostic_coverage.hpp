// Every kind of diagnostic that the compiler can give has a test that shows its whole rendered message.
#pragma once

#include <string>
#include <vector>

namespace coopc::tests {

/// Runs `compiler --list-diagnostics` (one identifier per line) and looks for `[id]` in the texts of the
/// expectation files. `allowFile` ("" for none) lists identifiers that need none, one per line with a reason
/// after `#`; one that has a test all the same, or that the compiler does not know, is a fault too. Returns
/// the faults, one per line, or "" when all is well.
std::string findUncoveredDiagnostics(const std::string& compiler,
                                     const std::vector<std::string>& expectationFiles,
                                     const std::string& allowFile);

}  // namespace coopc::tests
