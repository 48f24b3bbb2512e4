// The command line, in glslc's spelling.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coopc/coopc.hpp"
#include "coopc/specialization.hpp"

namespace coopc::tool {

enum class Mode {
  Link,        ///< -o FILE, a.spv: one input
  Compile,     ///< -c
  Assemble,    ///< -S
  Preprocess,  ///< -E
  Reflect,     ///< --reflect
  Translate,   ///< --emit
};

enum class Format { Binary, C, Numbers };  ///< -mfmt=

enum class Color { Auto, Always, Never };  ///< -fdiagnostics-color=

/// vulkan, vulkan1.0 to vulkan1.4, opengl or opengl4.5.
std::optional<coopc::TargetEnv> targetEnvByName(std::string_view name);

struct Input {
  std::string path;  ///< "-": standard input
  coopc::Stage stage = coopc::Stage::FromSource;
  bool stageGiven = false;  ///< given by -fshader-stage
  bool assembly = false;    ///< SPIR-V assembly: its name ends in .spvasm, and no stage is given
};

struct CommandLine {
  coopc::Options options;  ///< without stage and include
  std::vector<Input> inputs;
  std::vector<std::string> includeFolders;
  std::string output;   ///< -o; the last one
  std::string numbers;  ///< --numbers; "": none
  Mode mode = Mode::Link;
  Format format = Format::Binary;
  bool dependenciesOnly = false;  ///< -M
  bool dependencies = false;      ///< -MD
  std::string dependencyFile;     ///< -MF
  std::string dependencyTarget;   ///< -MT
  bool jsonDiagnostics = false;
  size_t definesWithoutName = 0;  ///< `-D` without a name: only reported, as in glslc
  bool asGlslc = false;  ///< called glslc: messages, text, exit codes and the generator's word are glslc's
  Color color = Color::Auto;
  struct Lowering {
    std::string profile;  ///< --lower; "": none
    std::vector<coopc::Specialization> specializations;
    bool specDefaults = false;
  } lowering;
  std::string profile;                                 ///< --profile: a file, or the name of one that ships
  std::vector<coopc::Specialization> specializations;  ///< --spec
  std::string language;                                ///< --emit: glsl, hlsl, msl
  struct Cache {
    std::string folder;                        ///< --cache; "": none
    uint64_t maxBytes = uint64_t{1024} << 20;  ///< --cache-size
    std::string arguments;                     ///< the arguments that affect a compile's result
  } cache;
  bool sandbox = false;  ///< --sandbox
  enum class Show { Nothing, Help, Version, Diagnostics, Limits, OptionsMarkdown } show = Show::Nothing;
};

/// Parses a command line; if it is wrong, false with the reason in `error`. Files that it reads (@FILE) are
/// relative to `directory`, which ends in a slash or is "". `asGlslc`: the program was called glslc.
bool parseCommandLine(std::vector<std::string> arguments, CommandLine& line, std::string& error,
                      const std::string& directory = {}, bool asGlslc = false);

/// Limits that glslc ignores: they belong to features that early versions of the language may not have.
bool isLanguageFeature(std::string_view name);

/// A command line with --batch.
struct BatchOptions {
  std::string list;
  std::string report;
  uint32_t threads = 0;             ///< 0: one for each processor
  std::vector<std::string> common;  ///< all other arguments: they precede the arguments of each job
};

/// Whether the command line has the option --batch.
bool isBatch(std::span<const std::string> arguments);

/// Parses such a command line; on wrong usage false, with the reason in `error`.
bool parseBatchOptions(std::span<const std::string> arguments, BatchOptions& batch, std::string& error);

/// The byte order mark that some editors and shells put before UTF-8 text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The arguments in a response file: separated by blanks, quoted if they contain blanks, with backslash as
/// the escape character. A byte order mark at the start is skipped. False if a closing quote is missing.
[[nodiscard]] bool splitArguments(std::string_view text, std::vector<std::string>& out);

/// Only decimal digits, up to 2^32 - 1; none for other texts.
std::optional<uint32_t> parseNumber(std::string_view text);

/// The stage of files with this ending: the short names of stages (comp, rchit), and `task`, `mesh`.
bool stageOfEnding(std::string_view ending, coopc::Stage& stage);

/// Whether the program was started under the name glslc (by a link).
bool isCalledGlslc(const std::string& program);

/// --help and --options-markdown.
std::string helpText();
std::string optionsMarkdown();

}  // namespace coopc::tool
