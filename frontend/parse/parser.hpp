// The parser: GLSL 4.60 chapter 9's grammar by recursive descent with a nesting limit; expressions by
// precedence.
#pragma once

#include "frontend/base/diagnostics.hpp"
#include "frontend/language/names.hpp"
#include "frontend/preprocess/preprocessor.hpp"
#include "frontend/program/program.hpp"

namespace coopc::frontend {

struct Checker;

/// The effect of a #extension line on the text after it (3.3).
void applyExtension(Checker& c, const ExtensionEvent& event);

/// Parses and checks the whole source; returns when the end or a fatal limit is reached. The program is fit
/// for emission only if diagnostics.errorCount() is 0.
void parseProgram(const CompileOptions& options, const PreprocessedSource& source, Diagnostics& diagnostics,
                  Names& names, Program& program);

}  // namespace coopc::frontend
