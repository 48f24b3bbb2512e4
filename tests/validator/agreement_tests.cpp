// The front end and the validator agree (rules.def, column "source"). GLSL programs that the front end
// rejects are compiled with checks off (CompileOptions::checksOff, which no public interface offers). The
// validator must then find the rule that belongs to the front end's diagnostic in the module.
//
// The programs are in tests/shaders/matrix, and in programs/ for pairs that the former lack. At least one
// program must show each pair of a rule and a kind.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <catch2/catch_test_macros.hpp>

#include "coopc/validate.hpp"
#include "emit/emit.hpp"
#include "frontend/base/render.hpp"
#include "frontend/parse/parser.hpp"
#include "frontend/preprocess/preprocessor.hpp"
#include "tests/support/mutation.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

namespace fs = std::filesystem;
namespace fe = frontend;

constexpr std::string_view kNone = "none: ";
constexpr int kChangedPrograms = 20;

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

// The rules that report the same fault in a module, by the kind of diagnostic.
std::map<std::string, std::set<std::string>> agreement() {
  std::map<std::string, std::set<std::string>> rulesOf;
  for (const RuleDescription& rule : rules()) {
    if (rule.source.substr(0, kNone.size()) == kNone) continue;
    for (const std::string& kind : words(rule.source)) rulesOf[kind].insert(std::string(rule.id));
  }
  return rulesOf;
}

struct Compiled {
  std::set<std::string> kinds;  // errors and warnings
  std::string messages;
  uint32_t errors = 0;
  std::vector<uint32_t> words;  // empty where there were errors
};

Compiled compileText(const std::string& text, const std::string& name, bool checksOff) {
  fe::CompileOptions options;
  options.env = fe::TargetEnv::Vulkan1_3;
  options.spirvVersion = 0x00010600;
  // The command line of a shader test can request an older environment.
  if (text.find("--target-env=vulkan1.2") != std::string::npos) {
    options.env = fe::TargetEnv::Vulkan1_2;
    options.spirvVersion = 0x00010500;
  }
  options.checksOff = checksOff;
  if (name.ends_with(".frag")) options.stage = fe::Stage::Fragment;
  fe::SourceManager sources;
  fe::Names names;
  fe::DiagOptions all;
  all.off.reset();  // as -Wall
  fe::Diagnostics diagnostics(sources, all);
  Compiled result;
  const fe::FileId id = sources.addFile(name, text);
  const fe::PreprocessedSource source = fe::preprocess(options, sources, diagnostics, names, id);
  fe::Program program;
  fe::parseProgram(options, source, diagnostics, names, program);
  if (diagnostics.errorCount() == 0) {
    const bool emitted = emit::emitModule(options, program, names, sources, diagnostics, result.words);
    CHECK(emitted == (diagnostics.errorCount() == 0));
  }
  for (const fe::Diagnostic& d : diagnostics.all()) result.kinds.insert(fe::diagId(d.kind));
  result.messages = fe::renderText(diagnostics);
  result.errors = diagnostics.errorCount();
  return result;
}

Compiled compile(const fs::path& file, bool checksOff) {
  return compileText(fileText(file), file.filename().string(), checksOff);
}

std::vector<fs::path> programs() {
  std::vector<fs::path> files;
  for (const char* folder : {COOPC_MATRIX_SHADERS, COOPC_AGREEMENT_PROGRAMS}) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".comp" || entry.path().extension() == ".frag")
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_CASE("what the front end rejects with a rule's diagnostic, the validator rejects in the module") {
  const auto rulesOf = agreement();
  std::set<std::pair<std::string, std::string>> shown;  // rule, kind
  size_t compiled = 0;
  for (const fs::path& file : programs()) {
    const Compiled strict = compile(file, false);
    const Compiled off = compile(file, true);
    INFO(file.string() << "\n" << off.messages);
    CHECK(off.errors <= strict.errors);
    const bool own = file.parent_path() == fs::path(COOPC_AGREEMENT_PROGRAMS);
    if (own) {
      // These programs exist for this purpose: each is wrong, but can be emitted.
      CHECK(!strict.kinds.empty());
      CHECK(off.errors == 0);
    }
    if (off.errors != 0) continue;
    const ValidateResult result = validate(off.words);
    INFO(renderText({"module", result}));
    CHECK(result.readable);
    ++compiled;
    std::set<std::string> found;
    for (const Finding& f : result.findings) found.insert(std::string(f.rule->id));
    for (const std::string& kind : off.kinds) {
      const auto at = rulesOf.find(kind);
      // A kind that is an error and that checksOff lets pass must be in the table.
      if (strict.errors != 0 && strict.kinds.count(kind) != 0 && at == rulesOf.end()) {
        INFO(kind);
        CHECK(fe::Severity::Warning == [&] {
          for (int k = 0; k < int(fe::DiagKind::Count); ++k) {
            if (fe::diagId(fe::DiagKind(k)) == kind) return fe::diagInfo(fe::DiagKind(k)).severity;
          }
          return fe::Severity::Error;
        }());
      }
      if (at == rulesOf.end()) continue;
      bool any = false;
      for (const std::string& rule : at->second) {
        if (found.count(rule) == 0) continue;
        any = true;
        shown.emplace(rule, kind);
      }
      INFO(kind);
      CHECK(any);
    }
    if (strict.errors != 0) CHECK(result.count(FindingSeverity::Error) != 0);
  }
  CHECK(compiled > 60);
  for (const auto& [kind, ofKind] : rulesOf) {
    for (const std::string& rule : ofKind) {
      INFO("rule " << rule << ", front end's kind " << kind);
      CHECK(shown.count({rule, kind}) == 1);
    }
  }
}

TEST_CASE("emission with checks off ends in good order, whatever the program") {
  size_t emitted = 0, wrong = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(COOPC_MATRIX_SHADERS).parent_path())) {
    if (entry.path().extension() != ".comp") continue;
    INFO(entry.path().string());
    const Compiled strict = compile(entry.path(), false);
    const Compiled off = compile(entry.path(), true);
    if (off.errors != 0) continue;
    ++emitted;
    wrong += strict.errors != 0 ? 1 : 0;
    CHECK(validate(off.words).readable);
    // For a correct program, checksOff changes nothing. It does not fold operations on matrices, though, and
    // this program converts a constant one.
    const bool folds = entry.path().filename() == "float8_conversion.comp";
    if (strict.errors == 0) CHECK((off.words == strict.words) != folds);
  }
  CHECK(emitted > 100);
  CHECK(wrong > 30);
}

TEST_CASE("changed programs with checks off end in good order") {
  const std::vector<fs::path> files = programs();
  std::vector<std::string> texts;
  std::set<std::string> vocabulary;
  for (const fs::path& file : files) {
    texts.push_back(fileText(file));
    for (const std::string_view token : cutTokens(texts.back())) {
      if (token.size() > 2 && token.find_first_of(" \t\n") == std::string_view::npos)
        vocabulary.emplace(token);
    }
  }
  const std::vector<std::string> known(vocabulary.begin(), vocabulary.end());
  Random random(4);
  size_t emitted = 0;
  for (size_t n = 0; n < files.size(); ++n) {
    for (int k = 0; k < kChangedPrograms; ++k) {
      const std::string changed = mutate(texts[n], known, random);
      const Compiled off = compileText(changed, "changed.comp", true);
      if (off.errors != 0) continue;
      ++emitted;
      INFO(files[n].string() << ", change " << k << ":\n" << changed);
      CHECK(validate(off.words).readable);
    }
  }
  CHECK(emitted > 20);
}

TEST_CASE("each rule of modules says what the front end has of it") {
  std::set<std::string> kinds;
  for (int k = 0; k < int(fe::DiagKind::Count); ++k) kinds.insert(fe::diagId(fe::DiagKind(k)));
  for (const RuleDescription& rule : rules()) {
    INFO(rule.id);
    if (rule.level == RuleLevel::Module) CHECK(!rule.source.empty());
    if (rule.source.substr(0, kNone.size()) == kNone) {
      CHECK(rule.source.size() > kNone.size() + 10);
      continue;
    }
    for (const std::string& kind : words(rule.source)) {
      INFO(kind);
      CHECK(kinds.count(kind) == 1);
    }
  }
}

}  // namespace
}  // namespace coopc::tests
