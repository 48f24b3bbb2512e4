// One compile's state and the steps that compiles share, whoever compiles: internal to api/.
#pragma once

#include "coopc/coopc.hpp"
#include "frontend/base/diagnostics.hpp"
#include "frontend/base/options.hpp"
#include "frontend/base/source.hpp"
#include "frontend/language/names.hpp"

namespace coopc {

/// Everything that a compile owns, in the order in which it must be released.
struct Session {
  const Options& asked;              ///< by the caller
  std::vector<std::string> missing;  ///< Result::missing
  bool cancelled = false;
  frontend::CompileOptions options;
  frontend::SourceManager sources;
  frontend::Names names;
  frontend::Diagnostics diagnostics;

  explicit Session(const Options& o);
  /// Whether the caller wants the compile to end.
  bool stop() {
    cancelled = cancelled || (asked.cancelled && asked.cancelled());
    return cancelled;
  }
  /// Asks the caller for a file.
  std::optional<Include> include(std::string_view name, bool angled, std::string_view from, uint32_t depth);
};

/// What -Wall and -Wno-all name: the warnings that are off by default.
inline constexpr std::string_view kAllWarnings = "all";

/// Why options mean nothing; "" where they do.
std::string wrongOptions(const Options& options);

/// "ray generation"
std::string_view stageName(Stage stage);
/// Of options: what the module's header is to say.
uint32_t spirvVersionOf(const Options& options);
/// The bases that hold for a stage.
void bindingBasesOf(const Options& options, Stage stage, uint32_t (&bases)[6]);

/// Optimization and text, as options ask for them, of a module in result.words. `unknownInstructions`: it may hold what
/// the grammar does not know, and is then left as it is.
void finishModule(Session& s, const Options& options, Result& result, bool unknownInstructions);
/// Negates gl_Position.y at the end of a vertex shader.
void invertPositionY(std::vector<uint32_t>& words);
/// Diagnostics of the session as the result's data and text.
void collectDiagnostics(const Session& s, const Options& options, Result& result);

/// Compiles through the helper. Diagnostics, files and output go to `s` and `result`, which must be fresh. `reason`: why a
/// compute shader is compiled there, for the note; "" for other stages. `extensions`: any of these must be known to glslang.
/// False where none of them is, or there is no helper to ask: nothing was done then.
bool compileByGlslang(Session& s, const Options& options, Stage stage, std::string_view source,
                      std::string_view name, const std::string& reason,
                      const std::vector<std::string>& extensions, Result& result);

}  // namespace coopc
