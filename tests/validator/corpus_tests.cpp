// Hidden test cases that write files: seeds for the fuzzer, and the table of SPIRV-Tools' verdicts on the
// broken modules.
//   COOPC_SEEDS=FOLDER    coopc_validator_tests "[.seeds]"
//   COOPC_VERDICTS=FILE   coopc_validator_tests "[.verdicts]"
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <spirv-tools/libspirv.hpp>

#include "tests/validator/cases.hpp"

namespace coopc::tests {
namespace {

TEST_CASE("write the fuzzer's seeds", "[.seeds]") {
  const char* folder = std::getenv("COOPC_SEEDS");
  REQUIRE(folder != nullptr);
  const auto writeBytes = [&](const std::string& name, const void* bytes, size_t count) {
    std::ofstream out(std::string(folder) + "/" + name + ".spv", std::ios::binary);
    out.write(static_cast<const char*>(bytes), std::streamsize(count));
    REQUIRE(out.good());
  };
  const auto write = [&](const std::string& name, const std::vector<uint32_t>& words) {
    writeBytes(name, words.data(), words.size() * 4);
  };
  size_t number = 0;
  for (const std::vector<unsigned char>& bytes : readFuzzCorpus())
    writeBytes("found_" + std::to_string(number++), bytes.data(), bytes.size());
  for (const char* name : {"khr", "small_floats", "nv2", "decode_vector", "vector", "device"})
    write(name, assembleModule(baseText(name)));
  for (const RuleCase& c : readCases()) write(c.rule + "_" + std::to_string(c.line), wordsOf(c));
}

const std::string kAccepted = "accepted";
const std::string kAborted = "aborted";

std::string anchorOf(std::string title) {
  for (char& c : title) c = c == ' ' ? '-' : char(std::tolower(c));
  return title;
}

// SPIRV-Tools' verdict, computed in a separate process, because released versions abort on some of these
// modules.
std::string verdictOf(const std::vector<uint32_t>& words) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    close(2);
    spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_4);
    std::string message;
    tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* what) {
      if (message.empty()) message = what;
    });
    spvtools::ValidatorOptions options;
    options.SetScalarBlockLayout(true);
    const bool valid = tools.Validate(words.data(), words.size(), options);
    const std::string line = valid ? kAccepted : message.substr(0, message.find('\n')).substr(0, 160);
    const ssize_t written = write(ends[1], line.data(), line.size());
    _exit(written == ssize_t(line.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char block[512];
  for (ssize_t n; (n = read(ends[0], block, sizeof block)) > 0;) text.append(block, size_t(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return kAborted;
  return text;
}

// Writes docs/records/coopval-verdicts.md.
TEST_CASE("write what SPIRV-Tools says of the broken modules", "[.verdicts]") {
  const char* file = std::getenv("COOPC_VERDICTS");
  REQUIRE(file != nullptr);
  struct Section {
    const char *title, *text, *columns;
    int count = 0;
    std::string rows = {};
  };
  Section accepted{"Accepted",
                   "SPIRV-Tools finds no error. Rules about devices, and advice, are among these.",
                   "| rule | line |\n|---|---|\n"};
  Section unknown{
      "Not known",
      "SPIRV-Tools stops at an enumerant or instruction that it does not know, and checks nothing else.",
      "| rule | line | message |\n|---|---|---|\n"};
  Section rejected{"Rejected",
                   "The first line of the message, cut at 160 characters. It may be about another rule than "
                   "the one in the first column.",
                   "| rule | line | message |\n|---|---|---|\n"};
  Section aborted{"Aborted", "SPIRV-Tools ends the process.", "| rule | line |\n|---|---|\n"};
  Section* sections[] = {&accepted, &unknown, &rejected, &aborted};
  int all = 0;
  for (const RuleCase& c : readCases()) {
    const std::string verdict = verdictOf(wordsOf(c));
    const bool message = verdict != kAccepted && verdict != kAborted;
    Section& section = verdict == kAccepted                ? accepted
                       : verdict == kAborted               ? aborted
                       : verdict.rfind("Invalid ", 0) == 0 ? unknown
                                                           : rejected;
    ++section.count;
    ++all;
    section.rows += "| `" + c.rule + "` | " + std::to_string(c.line) + " |";
    if (message) {
      section.rows += ' ';
      for (char ch : verdict) {
        if (ch == '|' || ch == '<') section.rows += '\\';
        section.rows += ch;
      }
      section.rows += " |";
    }
    section.rows += '\n';
  }
  std::ofstream out(file);
  out << R"md(# SPIRV-Tools on modules that break coopval's rules

For each of [coopval's rules](../rules.md), `tests/validator/cases.txt` has at least one module that breaks it. This page records what
SPIRV-Tools says of these modules, in the version that `deps.lock` pins, for Vulkan 1.4 with scalar block layout. *Line* is where
the module begins in `cases.txt`.

| SPIRV-Tools | modules |
|---|---|
)md";
  for (const Section* s : sections)
    if (s->count != 0)
      out << "| [" << s->title << "](#" << anchorOf(s->title) << ") | " << s->count << " |\n";
  out << "| all | " << all << " |\n\n"
      << "`COOPC_VERDICTS=FILE coopc_validator_tests \"[.verdicts]\"` writes this page.\n";
  for (const Section* s : sections)
    if (s->count != 0) out << "\n## " << s->title << "\n\n" << s->text << "\n\n" << s->columns << s->rows;
  REQUIRE(out.good());
}

}  // namespace
}  // namespace coopc::tests
