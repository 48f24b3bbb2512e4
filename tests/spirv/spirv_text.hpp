// Assembly text for the tests: read by SPIRV-Tools' assembler, and written by our own disassembler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::tests {

/// Words of a module given as text; fails the running test if the text is wrong.
std::vector<uint32_t> assemble(std::string_view text);

/// Words as `spirv-as` makes them, with renumbered ids; no value if it refuses the text.
std::optional<std::vector<uint32_t>> tryAssemble(std::string_view text);

/// The module's text with friendly names, without the header and without alignment.
std::string textOf(const std::vector<uint32_t>& words);

/// "" if SPIRV-Tools' validator accepts the module for Vulkan 1.3, else its message.
std::string validate(const std::vector<uint32_t>& words);

/// Reads a module that must be readable.
spirv::Module read(const std::vector<uint32_t>& words);

}  // namespace coopc::tests
