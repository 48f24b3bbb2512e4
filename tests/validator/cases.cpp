// Reads the base modules and cases.txt, and makes each case's module from its base.
#include "tests/validator/cases.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include <catch2/catch_test_macros.hpp>
#include <spirv-tools/libspirv.hpp>

#include "spirv/assembler.hpp"
#include "spirv/instruction_walk.hpp"

namespace coopc::tests {

namespace {

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string readText(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  INFO(file);
  REQUIRE(in.good());
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string baseText(const std::string& name) {
  return readText(std::string(COOPC_VALIDATOR_TESTS) + "/modules/" + name + ".spvasm");
}

std::vector<RuleCase> readCases() {
  std::vector<RuleCase> cases;
  std::vector<std::string> module;
  size_t position = 0;
  RuleCase current;
  const auto finish = [&] {
    if (current.rule.empty()) return;
    INFO("cases.txt line " << current.line << ": " << current.rule);
    REQUIRE(!current.at.empty());
    for (const std::string& line : module) current.text += line + "\n";
    cases.push_back(current);
    current = {};
  };
  int number = 0;
  for (const std::string& line : linesOf(readText(std::string(COOPC_VALIDATOR_TESTS) + "/cases.txt"))) {
    ++number;
    if (line.empty()) {
      finish();
      continue;
    }
    if (line[0] == '#') continue;
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    INFO("cases.txt line " << number << ": " << line);
    if (current.rule.empty()) {
      std::istringstream words(line);
      words >> current.rule >> current.base;
      current.line = number;
      for (std::string word; words >> word;) {
        const std::string value = word.substr(word.find('=') + 1);
        if (word == "severity=warning") {
          current.severity = FindingSeverity::Warning;
        } else if (word == "severity=note") {
          current.severity = FindingSeverity::Note;
        } else if (word.rfind("spec=", 0) == 0) {
          current.specializations.push_back(
              {uint32_t(std::strtoul(value.c_str(), nullptr, 10)),
               std::strtoull(value.substr(value.find(':') + 1).c_str(), nullptr, 10)});
        } else if (word.rfind("profile=", 0) == 0) {
          current.profile = value;
        } else if (word.rfind("patch=", 0) == 0) {
          current.patchFrom = uint32_t(std::strtoul(value.c_str(), nullptr, 10));
          current.patchTo = uint32_t(std::strtoul(value.substr(value.find(':') + 1).c_str(), nullptr, 10));
        } else {
          REQUIRE(word.rfind("version=", 0) == 0);
          current.version = uint32_t(std::strtoul(value.c_str(), nullptr, 16));
        }
      }
      module = linesOf(baseText(current.base));
      position = 0;
      continue;
    }
    switch (line[0]) {
      case '-':
      case '>': {
        REQUIRE(std::count(module.begin(), module.end(), rest) == 1);
        const auto at = std::find(module.begin(), module.end(), rest);
        position = size_t(at - module.begin());
        if (line[0] == '-') {
          module.erase(at);
        } else {
          ++position;
        }
        break;
      }
      case '+':
        module.insert(module.begin() + std::ptrdiff_t(position), rest);
        ++position;
        break;
      case '@': current.at = rest; break;
      default: {
        REQUIRE(line[0] == '*');
        std::istringstream words(rest);
        std::string word;
        words >> word;
        current.every = current.every || word == "every";
        while (words >> word) current.also.push_back(word);
        break;
      }
    }
  }
  finish();
  return cases;
}

std::vector<std::vector<unsigned char>> readFuzzCorpus() {
  std::vector<std::vector<unsigned char>> inputs;
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (const std::string& line : linesOf(readText(std::string(COOPC_VALIDATOR_TESTS) + "/fuzz_corpus.txt"))) {
    REQUIRE(line.size() % 2 == 0);
    REQUIRE(line.find_first_not_of("0123456789abcdef") == std::string::npos);
    std::vector<unsigned char>& bytes = inputs.emplace_back();
    for (size_t n = 0; n < line.size(); n += 2)
      bytes.push_back(static_cast<unsigned char>(digit(line[n]) * 16 + digit(line[n + 1])));
  }
  return inputs;
}

namespace {

// Newer assemblers refuse some wrong instructions. A comment `; words A B -> C D` replaces consecutive words
// after assembling.
void replaceWords(const std::string& text, std::vector<uint32_t>& words) {
  const size_t at = text.find("; words ");
  if (at == std::string::npos) return;
  std::istringstream rest(text.substr(at + 8, text.find('\n', at) - at - 8));
  std::vector<uint32_t> from, to;
  bool behind = false;
  for (std::string token; rest >> token;) {
    if (token == "->")
      behind = true;
    else
      (behind ? to : from).push_back(uint32_t(std::stoul(token)));
  }
  const auto found = std::search(words.begin(), words.end(), from.begin(), from.end());
  REQUIRE(found != words.end());
  REQUIRE(from.size() == to.size());
  std::copy(to.begin(), to.end(), found);
}

}  // namespace

std::vector<uint32_t> assembleModule(const std::string& text, uint32_t version) {
  // The linked SPIRV-Tools does not support all extensions. tests/spirv compares both assemblers.
  if (text.find("OpTypeTensorARM") != std::string::npos) {
    spirv::AssemblyError error;
    auto assembled = spirv::assemble(text, version, error);
    INFO(error.line << ":" << error.column << ": " << error.message);
    REQUIRE(assembled.has_value());
    replaceWords(text, *assembled);
    return *assembled;
  }
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::string message;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* what) {
    message += std::to_string(at.line + 1) + ": " + what + "\n";
  });
  std::vector<uint32_t> words;
  const bool ok = tools.Assemble(text, &words);
  INFO(message);
  REQUIRE(ok);
  replaceWords(text, words);
  words[1] = version;
  return words;
}

std::string withoutResult(const std::string& disassembly) {
  const size_t equal = disassembly.find(" = ");
  return equal == std::string::npos || disassembly[0] != '%' ? disassembly : disassembly.substr(equal + 3);
}

std::vector<uint32_t> wordsOf(const RuleCase& c) {
  std::vector<uint32_t> words = assembleModule(c.text, c.version);
  if (c.patchFrom == 0) return words;
  spirv::InstructionWalk i(words);
  while (i.next()) {
    if (uint32_t(i.op()) == c.patchFrom)
      words[i.at()] = spirv::instructionHead(spv::Op(c.patchTo), i.length());
  }
  return words;
}

namespace {

// Profiles in profiles/ of devices that do not exist; each is read once.
std::string_view madeUpProfile(const std::string& name) {
  static std::map<std::string, std::string> texts;
  std::string& text = texts[name];
  if (text.empty()) text = readText(std::string(COOPC_VALIDATOR_TESTS) + "/profiles/" + name + ".json");
  return text;
}

}  // namespace

ValidateOptions optionsOf(const RuleCase& c) {
  ValidateOptions options;
  options.specializations = c.specializations;
  for (const ShippedProfile& p : shippedProfiles()) {
    if (p.name == c.profile) options.profile = p.text;
  }
  if (!c.profile.empty() && options.profile.empty()) options.profile = madeUpProfile(c.profile);
  return options;
}

}  // namespace coopc::tests
