// Chooses between modules and texts.
#include "tools/cooplayout/programs/run.hpp"

#include "spirv/reader.hpp"
#include "tools/cooplayout/conditions.hpp"
#include "tools/cooplayout/programs/glsl.hpp"
#include "tools/cooplayout/programs/module.hpp"

namespace coopc::cooplayout {
namespace {

// The module of a program, and how it is read. No value, and `error`, for a wrong program.
struct Opened {
  spirv::Module module;
  bool fromText = false;
  bool isShader = true;
  std::map<std::string, std::string> places = {};
};
std::optional<Opened> open(const ProgramText& program, std::string& error) {
  if (isModule(program.text)) {
    std::optional<spirv::Module> module = readModule(program.text, error);
    if (!module) return std::nullopt;
    return Opened{.module = std::move(*module)};
  }
  std::optional<CompiledText> compiled = compileText(program, error);
  if (!compiled) return std::nullopt;
  spirv::ReadError wrong;
  std::optional<spirv::Module> module = spirv::readModule(compiled->words, wrong);
  if (!module) {
    error = describe(Condition::ModuleForm, "the compiled text cannot be read: " + wrong.message);
    return std::nullopt;
  }
  return Opened{.module = std::move(*module),
                .fromText = true,
                .isShader = compiled->isShader,
                .places = std::move(compiled->places)};
}

std::optional<TensorProgram> read(const ProgramText& program, std::optional<uint32_t> which,
                                  std::string& error) {
  const std::optional<Opened> opened = open(program, error);
  if (!opened) return std::nullopt;
  const ModuleProgram module{opened->module, program.values, opened->fromText, opened->places,
                             program.assume};
  if (which || opened->isShader) return readAccess(module, which.value_or(0), error);
  const size_t count = namesOfAccesses(module).size();
  if (count != 0) return readAccess(module, static_cast<uint32_t>(count - 1), error);
  return readLayout(module, error);
}

std::optional<std::vector<AccessName>> list(const ProgramText& program, std::string& error) {
  const std::optional<Opened> opened = open(program, error);
  if (!opened) return std::nullopt;
  return namesOfAccesses({opened->module, program.values, opened->fromText, {}});
}

}  // namespace

const ProgramReader kProgramReader = {read, list};

std::optional<uint32_t> accessAt(std::string_view bytes, std::string_view file, uint32_t line,
                                 uint32_t column) {
  std::string error;
  const std::optional<spirv::Module> module = readModule(bytes, error);
  if (!module) return std::nullopt;
  return accessAt(*module, file, line, column);
}

int run(std::span<const std::string> words, std::string& out, std::string& err, const ShippedMaps& maps,
        const std::string* input) {
  return answer(words, out, err, maps, &kProgramReader, input);
}

}  // namespace coopc::cooplayout
