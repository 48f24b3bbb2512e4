// No option is silently ignored: for every question of every command, each pair of options is tried. Either
// both change the answer, or the command line is refused with a message that names one of the two. Exceptions
// are listed with the reason.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tools/cooplayout/programs/run.hpp"

using namespace coopc::cooplayout;

namespace {

using Words = std::vector<std::string>;

struct Question {
  Words words;
  // The complete answer for a question: a table with its facts, or a report.
  bool whole = false;
};
struct Given {
  Words words;  // an option with a value other than the default
  // The option describes the object of the question. It need not change the answer for one element, but it
  // must change the whole table.
  bool describes = false;
};
struct Commandline {
  const Command* command;
  std::vector<Question> questions;
  std::vector<Given> options;  // all of the command
};

// Two loads; the second reaches beyond the tensor's columns, where it gets the clamp value.
constexpr const char* kStatements =
    "const uint first = 0; coopmat<float16_t, gl_ScopeSubgroup, 8, 8, gl_MatrixUseA> m; "
    "t = setTensorLayoutDimensionNV(createTensorLayoutNV(2, 1), 64, 12); "
    "coopMatLoadTensorNV(m, b, 16, sliceTensorLayoutNV(t, first, 8, 0, 8)); "
    "coopMatLoadTensorNV(m, b, 8, sliceTensorLayoutNV(t, first, 8, 6, 8))";

Commandline tensor() {
  return {&kTensorCommand,
          {{{kStatements}, true},
           {{kStatements, "--details"}},
           {{kStatements, "--element", "1,3"}},
           {{kStatements, "--element", "1,3", "--explain"}},
           {{kStatements, "--index", "19"}},
           {{kStatements, "--byte", "58", "--explain"}},
           {{kStatements, "--access"}, true},
           {{kStatements, "--table", "byte"}},
           {{kStatements, "--table", "memory"}},
           {{kStatements, "--table", "memory-index"}}},
          {{{"--file", "/dev/null"}},
           {{"--load", "0"}, true},
           {{"--list"}},
           {{"--set", "first=1"}, true},
           {{"--assume"}, true},
           {{"--rows", "4"}, true},
           {{"--columns", "5"}, true},
           {{"--type", "f32"}, true},
           {{"--block-bytes", "18"}, true},
           {{"--array-bytes", "8"}, true},
           {{"--store"}, true},
           {{"--dimensions", "60,10"}, true},
           {{"--strides", "16,1"}, true},
           {{"--offsets", "-1,7"}, true},
           {{"--spans", "4,16"}, true},
           {{"--block-size", "1,2"}, true},
           {{"--clamp", "repeat"}, true},
           {{"--clamp-value", "5"}, true},
           {{"--view", "1,0"}, true},
           {{"--view-dimensions", "4,16"}, true},
           {{"--view-strides", "1,8"}, true},
           {{"--clip", "1,4,2,4"}, true},
           {{"--element-offset", "32"}, true},
           {{"--details"}},
           {{"--element", "1,2"}},
           {{"--index", "33"}},
           {{"--byte", "82"}},
           {{"--table", "coord"}},
           {{"--explain"}},
           {{"--access"}},
           {{"--scheme", "tinytc-newer"}, true},
           {{"--use", "b"}, true},
           {{"--work-items", "4"}, true},
           {{"--format", "csv"}},
           {{"--format", "svg"}},
           {{"--format", "json"}}}};
}

// The same by options instead of statements.
Commandline describedTensor() {
  const auto described = [](Words more) {
    more.insert(more.begin(),
                {"--dimensions", "64,12", "--clamp", "constant", "--offsets", "0,6", "--spans", "8,8"});
    return more;
  };
  const auto withBase = [&](Words more) {
    more.insert(more.begin(), {"--element-offset", "16"});
    return described(more);
  };
  Commandline line = tensor();
  line.questions = {{withBase({}), true},
                    {withBase({"--details"})},
                    {withBase({"--element", "1,3"})},
                    {withBase({"--index", "10"})},
                    {withBase({"--table", "memory"})},
                    {withBase({"--access"}), true},
                    {described({"--array-bytes", "8"}), true},
                    {{"--dimensions", "8,8", "--element-offset", "16"}, true},
                    {{"--dimensions", "8,8", "--element-offset", "16", "--view-dimensions", "8,8"}, true}};
  for (Given& given : line.options) {
    if (given.words[0] == "--type") given.words[1] = "f16";
    if (given.words[0] == "--rows") given.words[1] = "3";
    if (given.words[0] == "--index") given.words[1] = "19";
    if (given.words[0] == "--byte") given.words[1] = "140";
  }
  return line;
}

Commandline workItem() {
  const auto matrix = [](Words more) {
    more.insert(more.begin(), {"--rows", "32", "--columns", "6"});
    return more;
  };
  return {&kWorkItemCommand,
          {{matrix({}), true},
           {matrix({"--details"})},
           {matrix({"--element", "17,3"})},
           {matrix({"--element", "17,3", "--explain"})},
           {matrix({"--owner", "5,3"})},
           {matrix({"--work-item", "3", "--explain"})},
           {matrix({"--table", "items"}), true},
           {matrix({"--load", "20,-1,22,4,8,1"}), true},
           {matrix({"--load", "20,-1,22,4,8,1", "--element", "17,3", "--explain"})},
           {matrix({"--load", "20,-1,22,4,8,1", "--table", "elements"})},
           {{"--table", "items", "--type", "f16"}, true}},
          {{{"--rows", "64"}, true},
           {{"--columns", "4"}, true},
           {{"--scheme", "tinytc-newer"}, true},
           {{"--use", "a"}, true},
           {{"--work-items", "16"}, true},
           {{"--type", "u8"}, true},
           {{"--element", "18,2"}},
           {{"--owner", "6,2"}},
           {{"--work-item", "4"}},
           {{"--table", "items"}},
           {{"--details"}},
           {{"--explain"}},
           {{"--load", "0,0,32,8,8,1"}},
           {{"--transpose"}, true},
           {{"--transpose-all"}, true},
           {{"--rows-checked"}, true},
           {{"--columns-checked"}, true},
           {{"--format", "csv"}},
           {{"--format", "svg"}},
           {{"--format", "json"}}}};
}

Commandline sharedMemory() {
  return {&kSmemCommand,
          {{{"Swizzle<2,4,3> o ((8,2),(8,2)):((8,128),(1,64))"}, true},
           {{"--canonical", "k,64"}, true},
           {{"--canonical", "mn,64"}, true},
           {{"--canonical", "k,64", "--details"}},
           {{"--canonical", "k,64", "--element", "3,9"}},
           {{"--canonical", "k,64", "--element", "3,9", "--explain"}},
           {{"--canonical", "k,64", "--address", "34", "--explain"}},
           {{"--canonical", "k,64", "--table", "index"}},
           {{"--canonical", "k,64", "--table", "reader"}},
           {{"--canonical", "k,64", "--table", "memory"}},
           {{"--descriptor", "0x4010004000010000"}}},
          {{{"--type", "f32"}, true},
           {{"--bits", "8"}, true},
           {{"--canonical", "mn,32"}},
           {{"--m", "3"}, true},
           {{"--k", "2"}, true},
           {{"--lbo", "4096"}, true},
           {{"--sbo", "2048"}, true},
           {{"--descriptor", "0"}},
           {{"--instruction", "0x8000"}},
           {{"--generation", "4"}},
           {{"--compose", "(4,2):(1,8)"}, true},
           {{"--divide", "4:1"}, true},
           {{"--product", "2:1"}, true},
           {{"--complement", "4096"}, true},
           {{"--inverse"}, true},
           {{"--coalesce"}, true},
           {{"--details"}},
           {{"--element", "2,1"}},
           {{"--address", "16"}},
           {{"--explain"}},
           {{"--no-swizzle"}, true},
           {{"--table", "bank"}},
           {{"--along", "row"}},
           {{"--access", "4"}},
           {{"--format", "csv"}},
           {{"--format", "svg"}},
           {{"--format", "json"}}}};
}

Commandline device() {
  return {&kDeviceCommand,
          {{{COOPLAYOUT_DEVICE_FILE}, true},
           {{COOPLAYOUT_DEVICE_FILE, "--table", "items"}, true},
           {{COOPLAYOUT_DEVICE_FILE, "--element", "0,1"}}},
          {{{"--list"}},
           {{"--matrix", "1"}, true},
           {{"--details"}},
           {{"--element", "0,0"}},
           {{"--owner", "1,0"}},
           {{"--work-item", "1"}},
           {{"--table", "items"}},
           {{"--format", "csv"}},
           {{"--format", "svg"}},
           {{"--format", "json"}}}};
}

// OPTION with OTHER in QUESTION: the answer does not change although OPTION is read. The text says why.
struct Same {
  const char* option;
  const char* other;     // "": any
  const char* question;  // a part of it
  const char* reason;
};
constexpr Same kSame[] = {
    {"--assume", "", "coopMatLoadTensorNV", "these statements lack no value"},
    {"--k 2", "--compose (4,2):(1,8)", "--canonical",
     "the eight coordinates that are composed are the same of any k"},
    {"--m 3", "--compose (4,2):(1,8)", "--canonical mn", "likewise of any m"},
    {"--sbo 2048", "", "--canonical", "m and k are 1: the offset is that of a mode with one coordinate"},
    {"--lbo 4096", "", "--canonical mn", "likewise"},
    {"--table items", "", "--rows 32 --columns 6 --load", "the table that is shown with --load without it"},
    {"--table items", "--load 0,0,32,8,8,1", "--rows 32 --columns 6", "likewise"},
    {"--generation 4", "", "Swizzle<2,4,3> o", "no descriptor is made of a layout that is not canonical"},
    {"--generation 4", "--compose (4,2):(1,8)", "--canonical", "likewise"},
    {"--generation 4", "--divide 4:1", "--canonical", "likewise"},
    {"--generation 4", "--no-swizzle", "--canonical", "likewise"},
    {"--generation 4", "--coalesce", "--canonical mn", "likewise"},
    {"--along row", "--divide 4:1", "--table reader",
     "no neighbors in a row are neighbors in memory: nothing is read"},
    {"--along row", "--compose (4,2):(1,8)", "--table reader",
     "each work-item takes a row of the two columns, both ways"},
};

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
  bool operator==(const Ran&) const = default;
};
Ran ran(const Command& command, const Words& base, const Words& a, const Words& b) {
  Words words = {command.name};
  for (const Words* part : {&base, &a, &b}) words.insert(words.end(), part->begin(), part->end());
  Ran r;
  r.code = run(words, r.out, r.err);
  return r;
}

std::string joinWords(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

bool has(const Words& words, const std::string& name) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

bool isKnown(const std::string& option, const std::string& other, const std::string& question) {
  return std::any_of(std::begin(kSame), std::end(kSame), [&](const Same& same) {
    return option == same.option && (*same.other == 0 || other == same.other) &&
           question.find(same.question) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("cooplayout: of every pair of options both count, or the command line is refused") {
  size_t pairs = 0;
  size_t refused = 0;
  std::set<std::string> silent;
  for (const Commandline& line : {tensor(), describedTensor(), workItem(), sharedMemory(), device()}) {
    std::set<std::string_view> listed;
    for (const Given& given : line.options) listed.insert(given.words[0]);
    CHECK(listed.size() == line.command->options.size() + 1);  // --format is of all commands
    for (const Question& question : line.questions) {
      for (size_t i = 0; i < line.options.size(); ++i) {
        for (size_t j = i + 1; j < line.options.size(); ++j) {
          const Given& a = line.options[i];
          const Given& b = line.options[j];
          // If an option is given two values, the last one counts.
          if (a.words[0] == b.words[0] || has(question.words, a.words[0]) || has(question.words, b.words[0]))
            continue;
          ++pairs;
          const Ran both = ran(*line.command, question.words, a.words, b.words);
          INFO(joinWords(question.words)
               << " | " << joinWords(a.words) << " | " << joinWords(b.words) << " | " << both.err);
          if (both.code != 0) {
            ++refused;
            CHECK(both.out.empty());
            // A message about wrong usage names an option. Other refusals name their rule.
            CHECK(both.err.find(both.code == 2 ? "--" : "; ") != std::string::npos);
            continue;
          }
          const auto check = [&](const Given& option, const Given& other) {
            if (option.describes && !(question.whole && other.describes)) return;
            if (both != ran(*line.command, question.words, {}, other.words)) return;
            if (isKnown(joinWords(option.words), joinWords(other.words), joinWords(question.words))) return;
            silent.insert(joinWords(option.words) + " beside " + joinWords(other.words) + " in " +
                          line.command->name + " " + joinWords(question.words));
          };
          check(a, b);
          check(b, a);
        }
      }
    }
  }
  std::string list;
  for (const std::string& s : silent) list += s + "\n";
  INFO(list);
  CHECK(silent.empty());
  CHECK(pairs == 14925);
  CHECK(refused == 11386);
}
