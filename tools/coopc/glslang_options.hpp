// The command line of glslang's program (glslangValidator, glslang), which coopc takes when it has one of
// these names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coopc/coopc.hpp"

namespace coopc::tool {

struct GlslangInput {
  std::string path;    ///< "": the standard input
  std::string ending;  ///< the stage, as an ending of file names: "comp"

  std::string name() const { return path.empty() ? "stdin" : path; }  ///< in messages
};

struct GlslangLine {
  enum class Show { Nothing, Help, Version, Number, Limits } show = Show::Nothing;
  enum class Client { None, Vulkan, OpenGL };

  coopc::Options options;  ///< without stage, environment, output and include
  Client client = Client::None;
  std::optional<coopc::TargetEnv> environment;  ///< --target-env with a Vulkan version
  bool link = false;                            ///< -l, or what implies it: messages have file names
  bool preprocess = false;                      ///< -E
  bool reflect = false;                         ///< -q
  bool humanReadable = false;                   ///< -H, --spirv-dis
  bool hexadecimal = false;                     ///< -x, --variable-name
  bool silent = false;                          ///< -s
  bool quiet = false;                           ///< --quiet
  bool absolutePaths = false;                   ///< --absolute-path
  bool columns = false;                         ///< --error-column
  bool desktopDefault = false;              ///< -d: without #version a text is GLSL 1.10 and not ESSL 1.00
  std::string preamble;                     ///< -P: read after #version
  std::vector<std::string> limitFiles;      ///< inputs that are .conf: NAME VALUE in each line
  std::string output;                       ///< -o
  std::string variable;                     ///< --variable-name
  std::string dependencies;                 ///< --depfile
  std::vector<std::string> includeFolders;  ///< -I
  std::vector<GlslangInput> inputs;

  bool makesModules() const { return client != Client::None; }
};

/// Why a command line is wrong.
struct GlslangRefusal {
  std::string text;  ///< "" where the help is the answer, as it is for an input of unknown stage
};

/// Whether the program was started under one of glslang's names (by a link).
bool isCalledGlslang(const std::string& program);

/// Parses a command line.
std::optional<GlslangRefusal> parseGlslangLine(std::span<const std::string> arguments, GlslangLine& line);

/// The text of -h: the supported options, in glslang's spelling. `program`: the name it was called by.
std::string glslangHelp(const std::string& program);

}  // namespace coopc::tool
