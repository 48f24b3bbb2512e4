// coopc: the compiler's program, with glslc's options. All of its functions are available in the library's
// public interface.
#include <cstdio>
#include <string>
#include <vector>

#include "base/system.hpp"
#include "coopc/coopc.hpp"
#include "tools/common/standard_output.hpp"
#include "tools/coopc/batch.hpp"
#include "tools/coopc/driver.hpp"
#include "tools/coopc/glslang_driver.hpp"
#include "tools/coopc/glslang_options.hpp"
#include "tools/coopc/options.hpp"
#include "tools/coopc/sandbox.hpp"

namespace {

using namespace coopc::tool;

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

int run(int argc, char** argv) {
  coopc::keepFreedMemory();
  std::vector<std::string> arguments = coopc::startProgram(argc, argv);
  const std::string program = arguments.front();
  const bool asGlslc = isCalledGlslc(program);
  arguments.erase(arguments.begin());
  if (isCalledGlslang(program)) return runGlslang(program, arguments);
  if (isBatch(arguments)) return runBatch(arguments);
  CommandLine line;
  std::string error;
  if (!parseCommandLine(arguments, line, error, {}, asGlslc)) return usageError(error, nullptr, asGlslc);
  for (size_t i = 0; i < line.definesWithoutName; ++i)
    std::fputs("glslc: error: argument to '-D' is missing\n", stderr);
  switch (line.show) {
    case CommandLine::Show::Help: print(helpText()); return 0;
    case CommandLine::Show::OptionsMarkdown: print(optionsMarkdown()); return 0;
    case CommandLine::Show::Version:
      print(std::string(asGlslc ? "glslc of coopc " : "coopc ") + std::string(coopc::version()) +
            "\nTarget: SPIR-V 1.0 to 1.6, Vulkan 1.0 to 1.4\n");
      return 0;
    case CommandLine::Show::Limits:
      for (const coopc::Limit& limit : coopc::limits())
        print(limit.name + " " + std::to_string(limit.value) + "\n");
      return 0;
    case CommandLine::Show::Diagnostics:
      for (const std::string& id : coopc::diagnosticIds()) print(id + "\n");
      return 0;
    case CommandLine::Show::Nothing: break;
  }
  if (line.sandbox)
    if (const std::string why = enterSandboxFor(line); !why.empty())
      return usageError("--sandbox: " + why, nullptr, asGlslc);
  // A single compile lexes only the active parts of a text.
  coopc::FileCache files(line.inputs.size() > 1 ? coopc::FileCache::Keep::Tokens
                                                : coopc::FileCache::Keep::Text);
  return runCommandLine(line, {files, {}, nullptr, nullptr, std::make_shared<coopc::GlslangPool>()});
}

}  // namespace

int main(int argc, char** argv) { return afterOutput("coopc", run(argc, argv), kInputError); }
