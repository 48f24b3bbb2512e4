// -E compared with the reference compiler's: the same tokens, and success or failure alike, for each row of
// the preprocessor's table in which both follow the specification.
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/frontend/preprocess_rows.hpp"
#include "tests/support/process.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace coopc::tests;

namespace {

// The words of the lines that are not directives, and each other character by itself. This compares texts
// whose spacing differs.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> out;
  size_t at = 0;
  while (at < text.size()) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    const size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line[first] == '#') continue;
    std::string word;
    for (char c : line + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word += c;
        continue;
      }
      if (!word.empty()) out.push_back(std::move(word));
      word.clear();
      if (c != ' ' && c != '\t' && c != '\r') out.emplace_back(1, c);
    }
  }
  return out;
}

}  // namespace

TEST_CASE("preprocessed text agrees with the reference compiler's") {
  const std::string reference = COOPC_REFERENCE;
  if (reference.empty()) SKIP("no reference glslc: get it by ./setup newest_tools");
  const TemporaryFolder place;
  const std::string folder = place.path();
  for (const PreprocessRow& row : kPreprocessRows) {
    if (!row.reference) continue;
    INFO(row.source);
    std::ofstream(folder + "/a.comp", std::ios::binary) << row.source;
    const ProcessResult ours = runProcess({COOPC_PROGRAM, "-E", "a.comp"}, folder, 60);
    const ProcessResult theirs = runProcess({reference, "-E", "a.comp"}, folder, 60);
    REQUIRE(ours.exited());
    REQUIRE(theirs.exited());
    CHECK((ours.exitCode == 0) == (theirs.exitCode == 0));
    if (ours.exitCode == 0 && theirs.exitCode == 0)
      CHECK(pieces(ours.stdoutText) == pieces(theirs.stdoutText));
  }
}
