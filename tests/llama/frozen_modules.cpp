// Writes llama.cpp's modules with matrices for programs that take modules but no settings
// (tests/drivers/judge). Each module is written once for each setting from which llama.cpp makes a pipeline,
// with the setting's specialization constants frozen:
//
//   coopc_llama_frozen_modules [--settings first|all] [--subgroup N] [--name NAME]... VARIANTS SHADERS FOLDER
//
// The files are FOLDER/NAME.spv for modules with one setting, and FOLDER/NAME@SETTING.spv for modules with
// several. Prints the number of modules, and the number of constants with a value from a setting.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "spirv/lower/specialize.hpp"
#include "spirv/reader.hpp"
#include "spirv/writer.hpp"
#include "tests/llama/compiled.hpp"
#include "tests/llama/in_parallel.hpp"
#include "tools/common/options.hpp"

namespace coopc::tests::llama {
namespace {

namespace fs = std::filesystem;

constexpr tool::Option kOptions[] = {
    {"--settings", tool::Form::Value, "first|all", "how many of each module's settings", "all",
     tool::Complete::Words, "first all"},
    {"--subgroup", tool::Form::Value, "N", "the subgroup size that settings assume", "32"},
    {"--name", tool::Form::Value, "NAME", "only this module; several: these"},
    {"--help", tool::Form::Switch, "", "print this text"},
};

struct Request {
  bool all = true;
  Target target{.subgroupSize = 32, .matrixSize = 16};
  std::vector<std::string> names;
  std::vector<std::string> files;  // the list of variants, the shaders' folder, the output's folder
};

bool isChosen(const Variant& v, const Request& request) {
  if (!Subject{v.name, v.file()}.usesMatrices()) return false;
  if (request.names.empty()) return true;
  return std::find(request.names.begin(), request.names.end(), v.name) != request.names.end();
}

// Writes the module with the setting's constants, and all others at their defaults. Returns "", or what is
// wrong.
std::string writeFrozen(const std::vector<uint32_t>& words, const std::vector<vk::Specialization>& values,
                        const fs::path& file) {
  spirv::ReadError error;
  std::optional<spirv::Module> module = spirv::readModule(words, error);
  if (!module) return file.string() + ": " + error.message;
  std::vector<spirv::SpecializationValue> given;
  for (const vk::Specialization& s : values) given.push_back({s.id, s.bits});
  spirv::lower::specialize(*module, given, true);
  const std::vector<uint32_t> frozen = spirv::writeModule(*module);
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(frozen.data()), std::streamsize(frozen.size() * 4));
  return out ? std::string() : file.string() + ": cannot be written";
}

struct Count {
  std::atomic<size_t> modules{0}, constants{0};
};

std::string writeVariant(const Variant& v, const ShaderFolder& shaders, const Request& request,
                         Count& written) {
  // Settings name constants, but an optimized module has no names. The ids are the same as in the unoptimized
  // one.
  const auto named = compiled(v, shaders, Optimization::None);
  if (!named) return named.error().message;
  const auto words = v.optimize ? compiled(v, shaders, Optimization::Speed) : named;
  if (!words) return words.error().message;
  Reflection reflection;
  if (std::string bad = reflect(*named, reflection); !bad.empty()) return v.name + ": " + bad;
  const Subject subject{v.name, v.file()};
  std::vector<Setting> chosen = settings(subject, reflection, request.target);
  if (!request.all) chosen.resize(1);
  std::string problems;
  for (const Setting& setting : chosen) {
    const std::string name = setting.name.empty() ? v.name : v.name + "@" + setting.name;
    const std::vector<vk::Specialization> values =
        specializations(subject, reflection, request.target, setting);
    problems += writeFrozen(*words, values, fs::path(request.files[2]) / (name + ".spv"));
    ++written.modules;
    written.constants += values.size();
  }
  return problems;
}

int run(const Request& request) {
  const std::vector<Variant> variants = readVariants(request.files[0]);
  const ShaderFolder shaders(request.files[1]);
  std::vector<const Variant*> chosen;
  for (const Variant& v : variants) {
    if (isChosen(v, request)) chosen.push_back(&v);
  }
  fs::create_directories(request.files[2]);
  Count written;
  const std::vector<std::string> problems = inParallel(
      chosen.size(), [&](size_t i) { return writeVariant(*chosen[i], shaders, request, written); });
  for (const std::string& p : problems) std::fprintf(stderr, "coopc_llama_frozen_modules: %s\n", p.c_str());
  std::printf("%zu modules of %zu variants, %zu constants\n", written.modules.load(), chosen.size(),
              written.constants.load());
  return problems.empty() && !chosen.empty() ? 0 : 1;
}

// Sets an option. Returns "", or what is wrong with its value.
std::string set(const tool::Option& option, std::string_view value, Request& request) {
  if (option.name == "--name") {
    request.names.emplace_back(value);
  } else if (option.name == "--settings") {
    if (value != "first" && value != "all") return "--settings needs first or all";
    request.all = value == "all";
  } else {
    const char* const end = value.data() + value.size();
    const auto [rest, failure] = std::from_chars(value.data(), end, request.target.subgroupSize);
    if (failure != std::errc{} || rest != end || request.target.subgroupSize == 0) {
      return "--subgroup needs a positive number";
    }
  }
  return {};
}

}  // namespace
}  // namespace coopc::tests::llama

int main(int count, char** words) {
  using namespace coopc;
  using namespace coopc::tests::llama;
  Request request;
  std::string fault;
  const std::vector<std::string> arguments(words + 1, words + count);
  const tool::Walked walked = tool::walkArguments(
      kOptions, arguments, fault,
      [&](std::string_view text) {
        request.files.emplace_back(text);
        return std::string();
      },
      [](size_t row) { return kOptions[row].name == "--help"; },
      [&](size_t row, std::string_view value) { return set(kOptions[row], value, request); });
  if (walked == tool::Walked::All && request.files.size() == 3) return run(request);
  const bool asked = walked == tool::Walked::Stopped;
  const std::string usage =
      "coopc_llama_frozen_modules [options] VARIANTS SHADERS FOLDER\n\n" + tool::helpOf(kOptions);
  std::fprintf(asked ? stdout : stderr, "%s%s%s", fault.c_str(), fault.empty() ? "" : "\n", usage.c_str());
  return asked ? 0 : 2;
}
