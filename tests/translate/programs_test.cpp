// Programs whose translations were wrong, were not programs, or ended the process, and similar programs. The
// lines of a file in programs/ that begin with //! say what each language gives:
//
//   //! LANGUAGE compiles        GLSL alone: there is a text, and coopc compiles it again
//   //! LANGUAGE written         there is a text
//   //! LANGUAGE refused ERROR   there is no text, and this is the whole error
//   //! LANGUAGE has TEXT        the text contains TEXT
//   //! LANGUAGE lacks TEXT      the text does not contain TEXT
#include "tests/translate/programs.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "coopc/translate.hpp"
#include "tests/support/text_file.hpp"

using namespace coopc;

namespace {

constexpr size_t kPrograms = 32;
constexpr size_t kLevels = 2;  // -O0 and -O

struct Expectation {
  ShadingLanguage language{};
  std::string verb, rest;
};

std::vector<Expectation> expectations(const std::string& source) {
  std::vector<Expectation> found;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("//! ")) continue;
    std::istringstream words(line.substr(4));
    std::string language;
    Expectation e;
    words >> language >> e.verb;
    REQUIRE(shadingLanguageByName(language, e.language));
    std::getline(words >> std::ws, e.rest);
    found.push_back(std::move(e));
  }
  return found;
}

std::vector<uint32_t> compiled(const std::string& source, const std::string& name, Optimization level) {
  Options options = tests::optionsFor(name);
  options.optimization = level;
  Result result = compile(source, name, options);
  INFO(result.messages);
  REQUIRE(result.ok);
  return std::move(result.words);
}

void check(const Expectation& e, const std::string& name, const TranslateResult& result) {
  INFO(e.verb << " " << e.rest << "\n" << result.text);
  if (e.verb == "refused") {
    CHECK(result.error == e.rest);
    CHECK(result.text.empty());
    return;
  }
  CHECK(result.error == "");
  if (e.verb == "has") {
    CHECK(result.text.find(e.rest) != std::string::npos);
  } else if (e.verb == "lacks") {
    CHECK(result.text.find(e.rest) == std::string::npos);
  } else if (e.verb == "compiles") {
    REQUIRE(e.language == ShadingLanguage::Glsl);
    const Result again = compile(result.text, "translated", tests::optionsFor(name));
    CHECK(again.messages == "");
    CHECK(again.ok);
  } else {
    CHECK(e.verb == "written");
  }
}

}  // namespace

TEST_CASE("translate: programs whose texts were wrong") {
  size_t programs = 0, texts = 0;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_TRANSLATED_PROGRAMS))
    files.push_back(entry.path());
  std::ranges::sort(files);
  for (const std::filesystem::path& file : files) {
    const std::string name = file.filename().string(), source = tests::fileText(file);
    const std::vector<Expectation> wanted = expectations(source);
    INFO(name);
    for (const Optimization level : {Optimization::None, Optimization::Speed}) {
      const std::vector<uint32_t> words = compiled(source, name, level);
      for (const ShadingLanguage language :
           {ShadingLanguage::Glsl, ShadingLanguage::Hlsl, ShadingLanguage::Msl}) {
        TranslateOptions options;
        options.language = language;
        const TranslateResult result = translate(words, options);
        ++texts;
        size_t said = 0;
        for (const Expectation& e : wanted) {
          if (e.language != language) continue;
          check(e, name, result);
          ++said;
        }
        CHECK(said != 0);
      }
    }
    ++programs;
  }
  CHECK(programs == kPrograms);
  CHECK(texts == kPrograms * kLevels * 3);
}
