// The validator's test modules: bases under modules/, and cases.txt, which breaks each rule in one of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coopc/validate.hpp"

namespace coopc::tests {

struct RuleCase {
  std::string rule, base;
  int line = 0;  ///< in cases.txt
  FindingSeverity severity = FindingSeverity::Error;
  std::vector<Specialization> specializations;
  std::string profile;  ///< the name of a shipped profile, or of a file in profiles/
  uint32_t version = 0x00010600;
  uint32_t patchFrom = 0, patchTo = 0;  ///< opcodes
  bool every = false;                   ///< several findings, all of this rule
  std::vector<std::string> also;        ///< other rules that this module inevitably breaks too
  std::string at;                       ///< the beginning of the instruction
  std::string text;                     ///< the broken module, as assembly
};

std::string readText(const std::string& file);
std::string baseText(const std::string& name);
/// Fails the running test if cases.txt is malformed.
std::vector<RuleCase> readCases();
/// fuzz_corpus.txt: small inputs that the fuzzer found. Each reaches code that the others do not reach.
std::vector<std::vector<unsigned char>> readFuzzCorpus();
/// Words of a module given as text; `version` goes into the header. Fails the running test if the text is
/// wrong.
std::vector<uint32_t> assembleModule(const std::string& text, uint32_t version = 0x00010600);
/// The instruction without its result: "OpLoad %float %4".
std::string withoutResult(const std::string& disassembly);
/// The broken module.
std::vector<uint32_t> wordsOf(const RuleCase& c);
ValidateOptions optionsOf(const RuleCase& c);

}  // namespace coopc::tests
