// Writes the header and the words of all instructions but OpNop.
#include "spirv/writer.hpp"

namespace coopc::spirv {

std::vector<uint32_t> writeModule(const Module& module) {
  size_t total = 5;
  for (const Instruction& i : module.instructions) total += i.length;
  std::vector<uint32_t> words;
  words.reserve(total);
  words.insert(words.end(), {spv::MagicNumber, module.version, module.generator, module.bound, 0u});
  for (const Instruction& i : module.instructions) {
    if (i.op() == spv::Op::OpNop) continue;
    const uint32_t* at = module.at(i);
    words.insert(words.end(), at, at + i.length);
  }
  return words;
}

}  // namespace coopc::spirv
