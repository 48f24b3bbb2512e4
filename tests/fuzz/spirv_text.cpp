// Reads, disassembles and assembles a module. The disassembly of a readable module must assemble to the same
// words with ids by name and by number, and these words must survive another round.
#include <optional>

#include "spirv/assembler.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"
#include "spirv/unknown_module.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace coopc;
using coopc::fuzz::fail;
using coopc::fuzz::require;

namespace {

std::vector<uint32_t> assembleText(const std::string& text, uint32_t version) {
  spirv::AssemblyError error;
  const std::optional<std::vector<uint32_t>> words = spirv::assemble(text, version, error);
  if (!words)
    fail("the disassembly is not assembly: " + std::to_string(error.line) + ":" +
         std::to_string(error.column) + ": " + error.message + "\n" + text);
  return *words;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateModule(data, size, capacity, seed, 0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  spirv::ReadError error;
  const auto words = spirv::wordsFromBytes({data, size}, error);
  if (!words) {
    require(!error.message.empty(), "bytes refused without a message");
    return 0;
  }
  const auto module = spirv::readModule(*words, error);
  if (!module) {
    require(!error.message.empty() && error.word <= words->size(), "a module refused without a message");
    return 0;
  }
  spirv::structureFault(*module);
  spirv::DisassemblyOptions numbers;
  numbers.friendlyNames = false;
  const std::string text = spirv::disassemble(*module, numbers);
  const std::vector<uint32_t> again = assembleText(text, (*words)[1]);
  require(again == assembleText(spirv::disassemble(*module), (*words)[1]),
          "names change the module:\n" + text);
  const auto second = spirv::readModule(again, error);
  if (!second) fail("what was assembled is not readable: " + error.message + "\n" + text);
  require(assembleText(spirv::disassemble(*second, numbers), (*words)[1]) == again,
          "assembly is not stable:\n" + text);
  return 0;
}
