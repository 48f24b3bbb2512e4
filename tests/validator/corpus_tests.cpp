// Hidden test cases that write files: seeds for the fuzzer, and the table of what SPIRV-Tools says of the broken modules.
//   COOPC_SEEDS=FOLDER    coopc_validator_tests "[.seeds]"
//   COOPC_VERDICTS=FILE   coopc_validator_tests "[.verdicts]"
#include <cstdlib>
#include <fstream>
#include <map>
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

// What SPIRV-Tools says, in a process of its own: its released versions abort on some of these modules.
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
    const std::string line = valid ? "accepts it" : message.substr(0, message.find('\n')).substr(0, 160);
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
  if (!WIFEXITED(status)) return "**aborts**";
  return text;
}

TEST_CASE("write what SPIRV-Tools says of the broken modules", "[.verdicts]") {
  const char* file = std::getenv("COOPC_VERDICTS");
  REQUIRE(file != nullptr);
  std::ofstream out(file);
  out << "# What SPIRV-Tools says of modules that break the validator's rules\n\n"
         "The pinned version (deps.lock), environment Vulkan 1.4, on the modules of "
         "`tests/validator/cases.txt`. Written by\n"
         "`COOPC_VERDICTS=FILE coopc_validator_tests \"[.verdicts]\"`. \"Invalid ... operand\" and \"Invalid "
         "opcode\": it does not\n"
         "know an enumerant of the module, and so checks nothing of it.\n\n"
         "| rule | line of cases.txt | SPIRV-Tools |\n|---|---|---|\n";
  std::map<std::string, int> counts;
  for (const RuleCase& c : readCases()) {
    std::string verdict = verdictOf(wordsOf(c));
    ++counts[verdict == "accepts it"             ? "accepted"
             : verdict == "**aborts**"           ? "aborted"
             : verdict.rfind("Invalid ", 0) == 0 ? "unknown"
                                                 : "rejected"];
    std::string escaped;
    for (char ch : verdict) {
      if (ch == '|' || ch == '<') escaped += '\\';
      escaped += ch;
    }
    out << "| `" << c.rule << "` | " << c.line << " | " << escaped << " |\n";
  }
  out << "\n";
  for (const auto& [what, count] : counts) out << "- " << what << ": " << count << "\n";
  REQUIRE(out.good());
}

}  // namespace
}  // namespace coopc::tests
