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
/// A diagnostic without a place concerns the compiled file: `file: error: message [kind-id]`. A note without
/// a place, or with the place of its diagnostic, is shown there without repeating the line. Returns "" if
/// there are no diagnostics. `names`, if set, gives the names of macros by SourceManager::macroName.
/// `colored`: with control sequences for terminals.
using NameLookup = std::function<std::string_view(uint32_t)>;
std::string renderText(const Diagnostics& diagnostics, const NameLookup& names = {}, bool colored = false);

/// The form of glslc: `file:line: error: message`, or `file: error: message` without a place; without notes.
std::string renderAsGlslc(const Diagnostics& diagnostics);

/// "1 warning and 2 errors generated.\n" as glslc counts; "" if both are 0.
std::string renderSummary(uint32_t errors, uint32_t warnings);

/// One JSON array of objects {id, severity, message, file, line, column, length, clause?, suggestion?,
/// notes}, with a line end. Without a place, line, column and length are left out. Bytes that are not UTF-8
/// become U+FFFD.
std::string renderJson(const Diagnostics& diagnostics);

/// How many bytes to underline for a diagnostic without a length: the token that starts at `column`
/// (0-based).
uint32_t tokenLengthAt(std::string_view line, uint32_t column);

}  // namespace coopc::frontend
