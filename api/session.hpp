// The state of one compile, and the steps that all compiles share, through coopc or glslang: internal to
// api/.
#pragma once

#include "coopc/coopc.hpp"
#include "frontend/base/diagnostics.hpp"
#include "frontend/base/options.hpp"
#include "frontend/base/source.hpp"
#include "frontend/language/names.hpp"

namespace coopc {

/// Everything that a compile owns. Members are destroyed in the reverse of this order.
struct Session {
  const Options& asked;              ///< as the caller passed them
  std::vector<std::string> missing;  ///< Result::missing
  bool cancelled = false;
  frontend::CompileOptions options;
  frontend::SourceManager sources;
  frontend::Names names;
  frontend::Diagnostics diagnostics;

  explicit Session(const Options& o);
  /// Set once the stage of the text is known.
  void setStage(Stage stage);
  /// Whether the caller wants to cancel the compile.
  bool stop() {
    cancelled = cancelled || (asked.cancelled && asked.cancelled());
    return cancelled;
  }
  /// Asks the caller for a file.
  std::optional<Include> include(std::string_view name, bool angled, std::string_view from, uint32_t depth);
};

/// The warnings of -Wall and -Wno-all: those that are off by default.
inline constexpr std::string_view kAllWarnings = "all";

/// Why the options are invalid; "" if they are valid.
std::string wrongOptions(const Options& options);

frontend::Stage frontendStage(Stage stage);
/// The header that the options ask for in the module.
uint32_t spirvVersionOf(const Options& options);
/// The binding bases for a stage.
void bindingBasesOf(const Options& options, Stage stage, uint32_t (&bases)[6]);

/// Applies the optimization and the text output that the options ask for to the module in result.words.
/// `unknownInstructions`: the module may have instructions that the grammar lacks; it is then not optimized.
void finishModule(Session& s, const Options& options, Result& result, bool unknownInstructions);
/// -finvert-y: negates Position.y where the stage's vertices are complete (invert_y.cpp).
void invertPositionY(std::vector<uint32_t>& words);
/// The session's diagnostics as the result's data and text.
void collectDiagnostics(const Session& s, const Options& options, Result& result);

/// The option that only glslang supports, as the command line spells it; "" if there is none.
std::string_view optionForGlslang(const Options& options);
/// Compiles through the helper. Diagnostics, files and output go to `s` and `result`, which must be fresh.
/// `reason`: why a compute shader is compiled there, for the note; "" for other stages. `extensions`: glslang
/// must support at least one of these. Returns false, and has done nothing, if glslang supports none of them
/// or if no helper was found. `missing`, if given, gets the places that were searched in vain for a helper,
/// if `extensions` asked for one.
bool compileByGlslang(Session& s, const Options& options, Stage stage, std::string_view source,
                      std::string_view name, const std::string& reason,
                      const std::vector<std::string>& extensions, Result& result,
                      std::string* missing = nullptr);

/// The extensions that the helper's glslang supports: their names are macros in texts that it compiles. None
/// if the helper is not built.
std::span<const std::string_view> glslangExtensions();

}  // namespace coopc
