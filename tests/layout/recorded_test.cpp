// Tensor addressing against what devices did: every recording in tests/layout/recorded, all outputs bit by
// bit. A recording is made by
//     coopc_record_tensors --device NAME > tests/layout/recorded/DEVICE.txt
#include "tests/layout/recorded.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <catch2/catch_test_macros.hpp>

using namespace coopc::tests;
using coopc::layout::ClampMode;

namespace {

std::vector<RecordedCase> casesOf(std::string_view text) {
  std::string error;
  std::vector<RecordedCase> cases = readRecording(text, error);
  INFO(error);
  REQUIRE(error.empty());
  return cases;
}

// Cases in which a device differs, and why: "NAME REASON" a line, # begins a comment.
std::map<std::string, std::string> knownOf(const std::filesystem::path& file) {
  std::map<std::string, std::string> known;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const size_t space = line.find(' ');
    if (line.empty() || line[0] == '#') continue;
    REQUIRE(space != std::string::npos);  // no difference without a reason
    CHECK(known.emplace(line.substr(0, space), line.substr(space + 1)).second);
  }
  return known;
}

}  // namespace

TEST_CASE("recorded: a case worked out by hand") {
  // A 2 x 3 part at (1, -1) of a 3 x 4 tensor, with a constant outside. The second row's last element is the
  // tensor's element (2, 1), at index 9.
  const std::string text =
      "case byhand load 4 2 3\nlayout 2 1\ndimension 3 4\nslice 1 2 -1 3\nclamp-value 77\ngot 77 5 6 77 9 "
      "10\nend\n";
  const std::vector<RecordedCase> cases = casesOf(text);
  REQUIRE(cases.size() == 1);
  CHECK(cases[0].got == std::vector<uint32_t>{77, 5, 6, 77, 9, 10});
  CHECK(expectedOf(cases[0]) == cases[0].got);
  CHECK(print(cases[0]) == text);
}

TEST_CASE("recorded: runs of numbers are read as they are written") {
  RecordedCase c =
      casesOf("case r load 4 1 9\nlayout 1 0\ndimension 9\ngot 3+2*4 5 5+0*3 4294967295\nend\n")[0];
  CHECK(c.got == std::vector<uint32_t>{3, 5, 7, 9, 5, 5, 5, 5, 4294967295u});
  CHECK(print(c).find("got 3+2*4 5+0*4 4294967295\n") != std::string::npos);
  c.got = {9, 7, 5, 0};
  CHECK(print(c).find("got 9+-2*3 0\n") != std::string::npos);
  CHECK(casesOf(print(c))[0].got == c.got);
}

TEST_CASE("recorded: stores and decode functions worked out by hand") {
  // The transpose of 2 x 2 into the middle of 1 x 8 components.
  const std::vector<RecordedCase> cases = casesOf(
      "case t store 4 2 2\nlayout 2 0\ndimension 2 2\noffset 4\nview 2 0 1 0\n"
      "got 4294967295+0*4 1 3 2 4\nend\n"
      // Blocks of 2 in 4: the second element of the second block is decoded with block 1, inside 1.
      "case d decode 4 1 4\nlayout 1 0\nblock 2\ndimension 4\ngot 1 2097153 4098 2101250\nend\n");
  REQUIRE(cases.size() == 2);
  for (const RecordedCase& c : cases) CHECK(expectedOf(c) == c.got);
}

TEST_CASE("recorded: what is undefined or ambiguous has no expected result") {
  RecordedCase c = casesOf("case u load 4 1 2\nlayout 1 0\ndimension 2\nslice 1 2\ngot 1\nend\n")[0];
  CHECK_FALSE(expectedOf(c));
  c.mode = ClampMode::Repeat;
  CHECK(expectedOf(c) == std::vector<uint32_t>{2, 1});
  const RecordedCase twice = casesOf("case w store 4 1 2\nlayout 1 0\ndimension 1\ngot 1\nend\n")[0];
  CHECK_FALSE(expectedOf(twice));
}

TEST_CASE("recorded: a text that cannot be read is refused with its line") {
  uint32_t refused = 0;
  for (const char* text : {"layout 1 0\n", "case a load 4 1\n", "case a load 3 1 1\n", "case a move 4 1 1\n",
                           "case a load 4 1 1\nlayout 6 0\n", "case a load 4 1 1\nlayout 2 0\ndimension 1\n",
                           "case a load 4 1 1\ngot 1-2*3\n", "case a load 4 1 1\n",
                           "case a load 4 1 1\nshape 1\n", "case a load 4 1 1\nlayout 1 0\nview 2 0 1 1\n"}) {
    std::string error;
    INFO(text);
    CHECK(readRecording(text, error).empty());
    CHECK_FALSE(error.empty());
    ++refused;
  }
  CHECK(refused == 10);
}

TEST_CASE("recorded: devices loaded and stored what layout/ says") {
  namespace fs = std::filesystem;
  uint32_t files = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(COOPC_RECORDED_DIR)) {
    if (entry.path().extension() != ".txt") continue;
    ++files;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    const std::vector<RecordedCase> cases = casesOf(text.str());
    CHECK(cases.size() >= 200);
    // Known differences must occur: an entry too many is as wrong as a missing one.
    std::map<std::string, std::string> known = knownOf(fs::path(entry.path()).replace_extension(".known"));
    uint32_t compared = 0;
    for (const RecordedCase& c : cases) {
      INFO(entry.path().filename().string() << ", " << print(c));
      const std::optional<std::vector<uint32_t>> expected = expectedOf(c);
      REQUIRE(expected);
      if (known.erase(c.name) != 0) {
        CHECK(c.got != *expected);
      } else {
        CHECK(c.got == *expected);
      }
      ++compared;
    }
    INFO(entry.path().filename().string());
    CHECK(known.empty());
    CHECK(compared == cases.size());
  }
  CHECK(files == COOPC_RECORDINGS);
}
