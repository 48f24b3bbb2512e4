// Emission: a typed program becomes a SPIR-V module in one plain form. Each variable of the source is a
// Function variable with a name, loaded and stored where the source reads and writes it. Nothing is optimized
// here; the passes of spirv/ do that.
#pragma once

#include <cstdint>
#include <vector>

#include "frontend/base/diagnostics.hpp"
#include "frontend/base/options.hpp"
#include "frontend/program/program.hpp"

namespace coopc::emit {

/// Writes the module for `program`, which must be free of errors, into `words` (replaced). The same program
/// and options give the same words. False after a diagnostic (SPIR-V's universal limits); `words` is then
/// empty.
bool emitModule(const frontend::CompileOptions& options, const frontend::Program& program,
                const frontend::Names& names, const frontend::SourceManager& sources,
                frontend::Diagnostics& diagnostics, std::vector<uint32_t>& words);

}  // namespace coopc::emit
