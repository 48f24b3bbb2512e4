// Renderings of diagnostics: text with carets for people, JSON for programs. Both show the same data.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "frontend/base/diagnostics.hpp"

namespace coopc::frontend {

/// The text form, in the order of report:
///
///     file:line:col: error: message [kind-id]
///        12 |   source line
///           |   ^~~~
///           = GLSL 4.60, 3.3
///     file:line:col: note: text
///
/// A diagnostic without a place is about the compiled file: `file: error: message [kind-id]`; a note without one, or at the same
/// one, stands at its diagnostic's, and the line is not shown again. Empty where there is nothing to say.
/// `names` gives macros' names by SourceManager::macroName, where it is set. `colored`: with terminals' control sequences.
using NameLookup = std::function<std::string_view(uint32_t)>;
std::string renderText(const Diagnostics& diagnostics, const NameLookup& names = {}, bool colored = false);

/// "1 warning and 2 errors generated.\n" as glslc counts; "" where both are 0.
std::string renderSummary(uint32_t errors, uint32_t warnings);

/// One JSON array of objects {id, severity, message, file, line, column, length, clause?, suggestion?, notes}, with a
/// line end. Without a place there is no line, column and length. Text that is not UTF-8 is shown with U+FFFD.
std::string renderJson(const Diagnostics& diagnostics);

/// How many bytes to underline for a diagnostic without a length: the token that starts at `column` (0-based).
uint32_t tokenLengthAt(std::string_view line, uint32_t column);

}  // namespace coopc::frontend
