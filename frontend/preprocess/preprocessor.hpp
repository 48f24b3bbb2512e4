// The preprocessor: GLSL 4.60, 3.3 with GL_GOOGLE_include_directive, GL_ARB_shading_language_include's syntax
// and the C++ rules for rescanning that the specification refers to.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/base/diagnostics.hpp"
#include "frontend/base/options.hpp"
#include "frontend/language/extension.hpp"
#include "frontend/language/names.hpp"
#include "frontend/lex/token.hpp"

namespace coopc::frontend {

struct ExtensionEvent {
  SourceLoc loc;          ///< of the extension's name
  ExtensionId extension;  ///< kAllExtensions for `all`
  ExtensionBehavior behavior;
};
/// An unknown extension that is requested (`require`, `enable`). Unless PreprocessMode::anyStage is set, it
/// has been reported; another compiler may know it.
struct UnknownExtension {
  SourceLoc loc;
  NameId name;
};
/// PragmaEvent::text of this pragma, whatever blanks it is written with
constexpr std::string_view kInvariantPragma = "STDGL invariant(all)";
struct PragmaEvent {
  SourceLoc loc;
  std::string_view text;  ///< the rest of the line, trimmed, without macro expansion; owned by `Names`
};

enum class Profile : uint8_t { None, Core, Compatibility, Es };

/// The input of the parser. The extension directives have already been checked (unknown names, the target's
/// limits, `require` of unavailable ones), so events only switch extensions.
struct PreprocessedSource {
  std::vector<Token> tokens;  ///< ends with Tok::End
  std::vector<Literal> literals;
  std::vector<ExtensionEvent> extensions;
  std::vector<PragmaEvent> pragmas;
  std::vector<UnknownExtension> unknownExtensions;
  uint32_t version = 110;
  Profile profile = Profile::None;
  SourceLoc versionLoc;          ///< invalid if there was no #version
  std::vector<FileId> includes;  ///< every file read, in order, once: for -M
  bool includeMissing = false;   ///< a file was not found, which was reported
  bool stageDependent = false;  ///< with PreprocessMode::anyStage: a known stage might have made a difference
};

/// How a text is preprocessed. By default it is a shader of CompileOptions::stage.
struct PreprocessMode {
  /// The stage is not known or does not matter. No rules of stages or of extensions' versions apply; old
  /// versions and unknown extensions are not reported.
  bool anyStage = false;
  /// With anyStage: names of extensions that glslang supports, which are macros as well.
  std::span<const std::string_view> foreignExtensions;
  /// Reads only the command line and #version. Errors in them are reported, and there are no tokens.
  bool headOnly = false;
  /// Text has glslc's form: indentation stays, and if the text includes others, the #extension line that
  /// glslc adds is repeated.
  bool glslcText = false;
};

/// Preprocesses `file`. Errors go to `diagnostics`; the tokens are usable even after errors (the parser
/// continues).
PreprocessedSource preprocess(const CompileOptions& options, SourceManager& sources, Diagnostics& diagnostics,
                              Names& names, FileId file, const PreprocessMode& mode = {});

/// -E: the same pass, as text with #line markers as glslc prints it. `events`, if given, receives everything
/// except the tokens.
std::string preprocessToText(const CompileOptions& options, SourceManager& sources, Diagnostics& diagnostics,
                             Names& names, FileId file, PreprocessedSource* events = nullptr,
                             const PreprocessMode& mode = {});

}  // namespace coopc::frontend
