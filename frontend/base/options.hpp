// The options of a compile that the front end and the emitter share, filled from the public API.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/spirv_version.hpp"
#include "frontend/base/shared_text.hpp"

namespace coopc::frontend {

enum class Stage : uint8_t;  ///< frontend/language/stages.hpp
class Observer;              ///< frontend/language/observer.hpp

enum class TargetEnv : uint8_t { Vulkan1_0, Vulkan1_1, Vulkan1_2, Vulkan1_3, Vulkan1_4 };

/// The result of an include: the name to show and to key on, and the text.
struct IncludeResult {
  std::string name;
  std::string text;
  SharedText shared;  ///< if set, used instead of `text`
};
/// (requested name, angled, including file's name, depth) -> result, or no value if there is no such file.
using IncludeResolver = std::function<std::optional<IncludeResult>(std::string_view name, bool angled,
                                                                   std::string_view from, uint32_t depth)>;

struct Limits {
  uint32_t includeDepth = 200;
  uint32_t macroDepth = 4096;           ///< expansions of macros inside one another
  uint64_t expandedTokens = 64u << 20;  ///< tokens after macro expansion
  uint64_t macroTokens = 8u << 20;      ///< tokens that macros may produce, including intermediate ones
  uint64_t sourceBytes = 512u << 20;    ///< of all files together
  uint32_t conditionalDepth = 1024;
  uint32_t nesting = 256;          ///< nesting depth of expressions, statements and types
  uint32_t structMembers = 16383;  ///< SPIR-V universal limit
  uint32_t functionParameters = 255;
  /// spirv_decorate qualifiers of a declaration: more than SPIR-V has decorations
  uint32_t decorations = 255;
  /// spirv_execution_mode qualifiers. SPIR-V's limit for an entry point, 255, includes those that layout
  /// qualifiers cause.
  uint32_t executionModes = 240;
  /// Words of instructions that spirv_decorate qualifiers cause: the members that one declaration declares
  /// share its qualifiers, so that a short text could cause many.
  uint64_t decorationWords = 4u << 20;
  uint32_t errors = 100;
};

struct MacroDefinition {
  std::string name;
  std::string value;
  bool undefine = false;  ///< -U
};

/// -flimit: the value of gl_NAME, or of one component of it (NAME ends with X, Y or Z).
struct LimitValue {
  std::string name;
  int32_t value = 0;
};

struct CompileOptions {
  Stage stage{};  ///< the first is compute
  TargetEnv env = TargetEnv::Vulkan1_0;
  uint32_t spirvVersion = kSpirv10;  ///< as in the module header: 0x00010600 is 1.6
  uint32_t forcedVersion = 0;        ///< -std=450core: overrides #version; 0 if not given
  bool forcedEs = false;
  uint32_t defaultVersion = 110;        ///< used if there is no #version (glslc: 110)
  std::vector<MacroDefinition> macros;  ///< in command-line order
  std::vector<LimitValue> limitValues;  ///< if a name occurs twice, the last value counts
  IncludeResolver include;
  std::string entryPoint = "main";
  bool autoBindUniforms = false;
  bool autoMapLocations = false;
  bool hlslOffsets = false;       ///< -fhlsl-offsets
  uint32_t bindingBase[6] = {};   ///< of samplers, textures, images, uniform buffers, storage buffers, UAVs
  bool debugInfo = false;         ///< -g
  bool debugScopes = false;       ///< together with -g: NonSemantic.Shader.DebugInfo as well
  bool preserveBindings = false;  ///< variables with a binding are emitted even if they are not used
  bool unusedInterface = true;    ///< the same for resources, blocks, push and specialization constants
  bool strict = false;            ///< warnings that cite a clause are errors
  /// internal: emits programs that semantic rules reject, if possible (validator tests)
  bool checksOff = false;
  Limits limits;
  Observer* observer = nullptr;  ///< records what editors need; null: not recorded
};

}  // namespace coopc::frontend
