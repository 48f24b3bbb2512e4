// Assembles the input as a text: the result is words, or a message with its place.
#include <algorithm>
#include <optional>

#include "spirv/assembler.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/reader.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace coopc;
using coopc::fuzz::require;

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateText(data, size, capacity, seed, 0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  spirv::AssemblyError error;
  const std::optional<std::vector<uint32_t>> words = spirv::assemble(text, 0x00010600, error);
  if (!words) {
    require(!error.message.empty() && error.line != 0 && error.column != 0, "no words and no message");
    const size_t lines = size_t(std::count(text.begin(), text.end(), '\n')) + 1;
    require(error.line <= lines, "a place after the text");
    return 0;
  }
  spirv::ReadError why;
  if (const auto module = spirv::readModule(*words, why)) spirv::disassemble(*module);
  return 0;
}
