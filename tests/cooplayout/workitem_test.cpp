// cooplayout workitem: the answers where the two specifications can be read in different ways or contradict
// each other.
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/cooplayout/facts.hpp"
#include "tools/cooplayout/programs/run.hpp"

using namespace coopc::cooplayout;

namespace {

using Words = std::vector<std::string>;

std::string answerOf(Words words) {
  words.insert(words.begin(), "workitem");
  return coopc::tests::factsOf(std::move(words));
}
using coopc::tests::factOf;

std::string mistakeOf(Words words) {
  words.insert(words.begin(), "workitem");
  std::string out;
  std::string err;
  CHECK(run(words, out, err) == 2);
  return err;
}

}  // namespace

TEST_CASE(
    "cooplayout workitem: a packed matrix A of fewer rows than work-items has one owner for all channels") {
  // The newer text: I = 1, J = min {n >= 2 : n mod 2 = 0} = 2, V = I K J / S = 1, and an entry of two
  // channels in 32 bits.
  const Words matrix = {"--rows", "1", "--columns", "2",   "--work-items", "2",
                        "--use",  "a", "--type",    "f16", "--scheme",     "tinytc-newer"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), matrix.begin(), matrix.end());
    return more;
  };
  const std::string details = answerOf(with({"--details"}));
  CHECK(factOf(details, "J (columns with padding)") == "2");
  CHECK(factOf(details, "V (components of a work-item)") == "1");
  CHECK(factOf(details, "operands of a channel") == "2");
  CHECK(factOf(details, "32-bit entries of a work-item") == "1 of 2 channels");
  CHECK(factOf(details, "mask") == "not needed: J = N");
  for (const char* column : {"0", "1"}) {
    const std::string element = answerOf(with({"--element", std::string("0,") + column, "--explain"}));
    CHECK(factOf(element, "work-item") == "0");
    CHECK(factOf(element, "component") == column);
    CHECK(factOf(element, "32-bit entry") == "0");
    CHECK(factOf(element, "lowest bit") == (*column == '0' ? "0" : "16"));
    CHECK(element.find("entry L = i + j I + k I J / omega = 0 + 0 * 1 + 0 * 1 * 1 = 0\n") !=
          std::string::npos);
  }
  CHECK(answerOf(with({"--table", "items"})) == "\ncomponent\\work-item,0,1\n0,\"0,0\",-\n1,\"0,1\",-\n");
  CHECK(factOf(answerOf(with({"--owner", "1,1"})), "inside") == "no: padding");
}

TEST_CASE("cooplayout workitem: Transpose as in the texts, and of the tensor") {
  // Position (10, 20), strides 100 and 1: element (1, 2) is at (11, 22). The texts exchange the strides, not
  // the positions.
  const Words load = {"--rows", "4",      "--columns",         "4",         "--work-items",
                      "4",      "--load", "10,20,50,60,100,1", "--element", "1,2"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), load.begin(), load.end());
    return more;
  };
  CHECK(factOf(answerOf(load), "index in memory") == "1122");
  CHECK(factOf(answerOf(with({"--transpose"})), "index in memory") == std::to_string(11 * 1 + 22 * 100));
  CHECK(factOf(answerOf(with({"--transpose-all"})), "index in memory") == std::to_string(21 * 1 + 12 * 100));
  CHECK(answerOf(with({"--transpose", "--explain"}))
            .find("in memory, shape and strides exchanged: (10 + 1) * 1 + (20 + 2) * 100 = index 2211") !=
        std::string::npos);
  CHECK(answerOf(with({"--transpose-all", "--explain"}))
            .find("in memory, rows and columns exchanged: (20 + 1) * 1 + (10 + 2) * 100 = index 1221") !=
        std::string::npos);
  CHECK(mistakeOf(with({"--transpose", "--transpose-all"})) ==
        "cooplayout: --transpose and --transpose-all exclude each other; see cooplayout workitem --help\n");
}

TEST_CASE("cooplayout workitem: schemes have their document's name, and VNNI leads to neither text") {
  const Words matrix = {"--rows", "32", "--columns", "8",   "--work-items", "16",
                        "--use",  "a",  "--type",    "f16", "--details"};
  const auto with = [&](const char* scheme) {
    Words words = matrix;
    words.insert(words.end(), {"--scheme", scheme});
    return words;
  };
  CHECK(factOf(answerOf(with("tinytc-newer")), "layout") == "tinytc-newer, use a");
  CHECK(factOf(answerOf(with("tinytc-older")), "layout") == "tinytc-older, use a");
  CHECK(mistakeOf(with("vnni")) ==
        "cooplayout: 'vnni' is not a value for --scheme: both texts transform A for VNNI; tinytc-newer packs "
        "neighboring "
        "columns, tinytc-older moves elements between work-items; see cooplayout workitem --help\n");
  CHECK(mistakeOf(with("packed")) ==
        "cooplayout: 'packed' is not a value for --scheme: tinytc-newer, tinytc-older, any; see cooplayout "
        "workitem "
        "--help\n");
}

TEST_CASE("cooplayout workitem: J of the older text's accumulator is that of its pseudo-code, and says so") {
  const auto columns = [](const char* use, const char* type, const char* n) {
    return factOf(answerOf({"--rows", "16", "--columns", n, "--work-items", "16", "--use", use, "--type",
                            type, "--scheme", "tinytc-older", "--details"}),
                  "J (columns with padding)");
  };
  CHECK(columns("acc", "f16", "5") == "6, as in the older text's pseudo-code; 5 by its definition");
  CHECK(columns("a", "s8", "5") == "8, as in the older text's pseudo-code; 5 by its definition");
  CHECK(columns("acc", "f16", "6") == "6");
  CHECK(columns("acc", "f32", "5") == "5");
  CHECK(columns("b", "f16", "5") == "5");
}
