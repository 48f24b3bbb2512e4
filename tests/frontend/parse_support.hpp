// Shared by the tests of the parser and the declarations: parses and checks a text under the name
// "main.comp".
#pragma once

#include <string>
#include <string_view>

#include "frontend/base/render.hpp"
#include "frontend/parse/parser.hpp"
#include "frontend/preprocess/preprocessor.hpp"
#include "frontend/program/program.hpp"
#include "tests/frontend/all_warnings.hpp"

namespace coopc::tests {

/// A parsed text with everything that its program refers to.
struct Parsed {
  frontend::CompileOptions options;
  frontend::SourceManager sources;
  frontend::Names names;
  frontend::Diagnostics diagnostics{sources, allWarnings()};
  frontend::Program program;

  explicit Parsed(std::string_view text, bool header = true) {
    options.env = frontend::TargetEnv::Vulkan1_3;
    options.spirvVersion = 0x00010600;
    const std::string whole =
        (header ? "#version 450\nlayout(local_size_x = 1) in;\n" : "") + std::string(text);
    const frontend::PreprocessedSource source =
        frontend::preprocess(options, sources, diagnostics, names, sources.addFile("main.comp", whole));
    frontend::parseProgram(options, source, diagnostics, names, program);
  }

  /// The identifiers of all diagnostics, in order, separated by spaces.
  std::string ids() const {
    std::string list;
    for (const frontend::Diagnostic& d : diagnostics.all()) {
      if (!list.empty()) list += ' ';
      list += frontend::diagId(d.kind);
    }
    return list;
  }
  std::string text() const { return frontend::renderText(diagnostics); }

  frontend::FnId function(std::string_view name) const {
    for (const frontend::FnId f : program.functions.ids())
      if (names.text(program.functions[f].name) == name) return f;
    return {};
  }
  frontend::VarId variable(std::string_view name) const {
    for (const frontend::VarId v : program.variables.ids())
      if (names.text(program.variables[v].name) == name) return v;
    return {};
  }
  std::string typeOf(std::string_view name) const {
    return typeName(program, names, program.variables[variable(name)].type);
  }
  frontend::StructId structure(std::string_view name) const {
    for (const frontend::StructId s : program.structs.ids())
      if (names.text(program.structs[s].name) == name) return s;
    return {};
  }
};

}  // namespace coopc::tests
