// SPIRV-Tools as the tests use it: the linked library, and the newest programs if there are any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coopc::tests {

/// The environment for which a module is checked, as spirv-val spells it.
struct SpirvChecks {
  std::string targetEnv;  ///< "vulkan1.3", "vulkan1.1spv1.4", "spv1.6"
  bool scalarBlockLayout = false;
};

/// The environment for a module, from `targetEnv` ("vulkan1.3", or "" for the lowest one that allows the
/// module's version) and from the module's version word.
std::string validationEnvironment(const std::string& targetEnv, const std::vector<uint32_t>& words);

/// The linked library's verdict: "" if valid, else its message.
std::string validateLinked(const std::vector<uint32_t>& words, const SpirvChecks& checks);

/// The verdict of a spirv-val program on a file: "" if valid, else its message.
std::string validateWithProgram(const std::string& spirvVal, const std::string& file,
                                const SpirvChecks& checks);

/// The module as text with friendly names, without the header's comments. False if the linked library does
/// not support an instruction or enumerant; `text` then says which.
bool disassembleLinked(const std::vector<uint32_t>& words, std::string& text);

/// The same by a spirv-dis program.
bool disassembleWithProgram(const std::string& spirvDis, const std::string& file, std::string& text);

/// The whole file as words; empty if it cannot be read or its size is not a multiple of four bytes.
std::vector<uint32_t> readModule(const std::string& file);

}  // namespace coopc::tests
