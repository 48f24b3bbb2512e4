// The passes, by text. tests/spirv/opt/PASS/CASE.spvasm is the module before (with prelude.spvasm in front of it),
// CASE.expected its functions after the pass; cases whose first line is "; whole module" compare everything.
// COOPC_UPDATE_EXPECTED=1 in the environment rewrites the expectations.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <catch2/catch_test_macros.hpp>

#include "spirv/opt/optimize.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/writer.hpp"
#include "tests/spirv/spirv_text.hpp"

namespace coopc::tests {
namespace {

namespace fs = std::filesystem;

std::string readText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Pass {
  const char* name;
  bool (*run)(spirv::Module&);
};

bool fold(spirv::Module& module) { return spirv::simplify(module, {.fold = true, .shareCommon = false}); }
bool shareCommon(spirv::Module& module) {
  return spirv::simplify(module, {.fold = false, .shareCommon = true});
}

constexpr Pass kPasses[] = {
    {"strip", spirv::stripDebug},
    {"merge_returns", spirv::mergeReturns},
    {"inline", spirv::inlineFunctions},
    {"private_to_local", spirv::privateToLocal},
    {"variables",
     [](spirv::Module& m) {
       const bool removed = spirv::removeUnreachable(m);
       return spirv::variablesToValues(m) || removed;
     }},
    {"fold", fold},
    {"common", shareCommon},
    {"control_flow", spirv::simplifyControlFlow},
    {"memory", spirv::redundantMemory},
    {"dead_code", [](spirv::Module& m) { return spirv::eliminateDeadCode(m); }},
    {"compact_ids", spirv::compactIds},
};

// Words that are trusted are indexed to what reading them gives.
void checkIndex(const std::vector<uint32_t>& words, const spirv::Module& module) {
  spirv::Module indexed;
  REQUIRE(spirv::indexModule(words, indexed));
  CHECK(indexed.bound == module.bound);
  CHECK(indexed.functionsAt == module.functionsAt);
  CHECK(indexed.definitions == module.definitions);
  CHECK(std::equal(indexed.instructions.begin(), indexed.instructions.end(), module.instructions.begin(),
                   module.instructions.end(), [](const spirv::Instruction& a, const spirv::Instruction& b) {
                     return a.at == b.at && a.opcode == b.opcode && a.length == b.length &&
                            a.type == b.type && a.result == b.result;
                   }));
  CHECK(spirv::writeModule(indexed) == words);
}

void check(const fs::path& file, bool (*run)(spirv::Module&)) {
  INFO(file.string());
  const std::string source = readText(file);
  const bool whole = source.rfind("; whole module", 0) == 0;
  const std::string text = whole ? source : readText(fs::path(COOPC_PASS_CASES) / "prelude.spvasm") + source;
  const std::vector<uint32_t> before = assemble(text);
  CHECK(validate(before) == "");
  spirv::Module module = read(before);
  checkIndex(before, module);
  const bool changed = run(module);
  const std::vector<uint32_t> after = spirv::writeModule(module);
  CHECK(validate(after) == "");
  // A pass that says that it did nothing did nothing.
  if (!changed) CHECK(spirv::writeModule(read(before)) == after);

  std::string result = textOf(after);
  if (!whole) {
    const size_t function = result.find("OpFunction ");
    REQUIRE(function != std::string::npos);
    result = result.substr(result.rfind('\n', function) + 1);
  }
  fs::path expected = file;
  expected.replace_extension(".expected");
  if (std::getenv("COOPC_UPDATE_EXPECTED") != nullptr) {
    std::ofstream(expected, std::ios::binary) << result;
    return;
  }
  CHECK(result == readText(expected));
}

TEST_CASE("each pass turns its modules into the expected ones") {
  for (const Pass& pass : kPasses) {
    DYNAMIC_SECTION(pass.name) {
      std::vector<fs::path> files;
      for (const auto& entry : fs::directory_iterator(fs::path(COOPC_PASS_CASES) / pass.name)) {
        if (entry.path().extension() == ".spvasm") files.push_back(entry.path());
      }
      std::sort(files.begin(), files.end());
      REQUIRE(!files.empty());
      for (const fs::path& file : files) check(file, pass.run);
    }
  }
}

// Every module of the cases, through everything: valid and the same words each time.
TEST_CASE("the whole of -O and -Os leaves modules valid and is deterministic") {
  size_t modules = 0;
  for (const auto& entry : fs::recursive_directory_iterator(COOPC_PASS_CASES)) {
    if (entry.path().extension() != ".spvasm" || entry.path().stem() == "prelude") continue;
    const std::string source = readText(entry.path());
    const bool whole = source.rfind("; whole module", 0) == 0;
    const std::vector<uint32_t> before =
        assemble(whole ? source : readText(fs::path(COOPC_PASS_CASES) / "prelude.spvasm") + source);
    for (const spirv::OptLevel level : {spirv::OptLevel::Speed, spirv::OptLevel::Size}) {
      INFO(entry.path().string());
      std::vector<uint32_t> once = before, twice = before;
      std::string error;
      REQUIRE(spirv::optimize(once, level, &error));
      REQUIRE(spirv::optimize(twice, level, &error));
      CHECK(once == twice);
      CHECK(validate(once) == "");
      CHECK(once.size() <= before.size());
      ++modules;
    }
  }
  CHECK(modules > 20);
}

// Whatever point the ids run out at: what a pass could not do is left undone, and nothing is lost.
TEST_CASE("a module stays valid where the ids run out") {
  size_t modules = 0, ranOut = 0;
  for (const auto& entry : fs::recursive_directory_iterator(COOPC_PASS_CASES)) {
    if (entry.path().extension() != ".spvasm" || entry.path().stem() == "prelude") continue;
    INFO(entry.path().string());
    const std::string source = readText(entry.path());
    const bool whole = source.rfind("; whole module", 0) == 0;
    const std::vector<uint32_t> before =
        assemble(whole ? source : readText(fs::path(COOPC_PASS_CASES) / "prelude.spvasm") + source);
    std::vector<uint32_t> unlimited = before;
    REQUIRE(spirv::optimize(unlimited, spirv::OptLevel::Speed, nullptr));
    for (uint32_t more = 0; more < 32; ++more) {
      INFO(more << " ids are left");
      std::vector<uint32_t> words = before;
      spirv::OptOptions options;
      options.idLimit = before[3] + more;
      REQUIRE(spirv::optimize(words, options, nullptr));
      CHECK(validate(words) == "");
      ranOut += words != unlimited ? 1 : 0;
    }
    ++modules;
  }
  CHECK(modules > 20);
  CHECK(ranOut > 20);
}

}  // namespace
}  // namespace coopc::tests
