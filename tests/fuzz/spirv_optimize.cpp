// Optimizes a module. The passes must end for any module, and a valid module must stay valid.
#include "spirv/opt/optimize.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace coopc;
using coopc::fuzz::fail;
using coopc::fuzz::require;

namespace {
constexpr size_t kChoices = 1;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateModule(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  const uint8_t choice = choices.byte();
  const std::vector<uint32_t> words = fuzz::wordsOf(choices.rest());
  spirv::OptOptions options;
  options.level = (choice & 1) != 0 ? spirv::OptLevel::Size : spirv::OptLevel::Speed;
  options.keepDebug = (choice & 2) != 0;
  options.keepBindings = (choice & 4) != 0;
  options.quick = (choice & 8) != 0;
  options.checkPasses = true;
  std::vector<uint32_t> result = words;
  std::string message;
  if (!spirv::optimize(result, options, &message)) {
    require(!message.empty(), "a refusal without a message");
    require(message.find("internal error") == std::string::npos, message);
    require(result == words, "a refusal changed the words");
    return 0;
  }
  spirv::ReadError error;
  const auto module = spirv::readModule(words, error);
  if (!module || !spirv::structureFault(*module).empty()) return 0;
  if (!spirv::readModule(result, error)) fail("the result is not readable: " + error.message);
  if (!fuzz::faultOf(words).empty()) return 0;
  if (const std::string fault = fuzz::faultOf(result); !fault.empty())
    fail("a valid module became invalid: " + fault);
  return 0;
}
