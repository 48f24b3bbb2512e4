// Assembles with SPIRV-Tools and disassembles with the project's own disassembler.
#include "tests/spirv/spirv_text.hpp"

#include <exception>

#include <catch2/catch_test_macros.hpp>
#include <spirv-tools/libspirv.hpp>

#include "spirv/disassembler.hpp"
#include "spirv/reader.hpp"

namespace coopc::tests {

std::vector<uint32_t> assemble(std::string_view text) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string message;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* what) {
    message += std::to_string(at.line + 1) + ": " + what + "\n";
  });
  std::vector<uint32_t> words;
  const bool ok =
      tools.Assemble(text.data(), text.size(), &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS);
  INFO(message);
  REQUIRE(ok);
  return words;
}

std::optional<std::vector<uint32_t>> tryAssemble(std::string_view text) {
  const spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::vector<uint32_t> words;
  if (!tools.Assemble(text.data(), text.size(), &words, SPV_TEXT_TO_BINARY_OPTION_NONE)) return std::nullopt;
  return words;
}

spirv::Module read(const std::vector<uint32_t>& words) {
  spirv::ReadError error;
  std::optional<spirv::Module> module = spirv::readModule(words, error);
  INFO("word " << error.word << ": " << error.message);
  REQUIRE(module);
  return std::move(*module);
}

std::string textOf(const std::vector<uint32_t>& words) {
  spirv::DisassemblyOptions options;
  options.header = false;
  options.align = false;
  return spirv::disassemble(read(words), options);
}

std::string validate(const std::vector<uint32_t>& words) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string message;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* what) {
    message += what;
    message += '\n';
  });
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(true);
  try {
    return tools.Validate(words.data(), words.size(), options) ? std::string() : message + "invalid";
  } catch (const std::exception& e) {  // some modules whose debug information is invalid
    return message + "SPIRV-Tools: " + e.what();
  }
}

}  // namespace coopc::tests
