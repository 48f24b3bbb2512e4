// SPIRV-Tools as the tests use it: the library linked in, and the newest programs when there are any.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coopc::tests {

/// The environment that a module is checked for, in the words of spirv-val.
struct SpirvChecks {
  std::string targetEnv;  ///< "vulkan1.3", "vulkan1.1spv1.4", "spv1.6"
  bool scalarBlockLayout = false;
};

/// The environment for a module: by `targetEnv` ("vulkan1.3", or "" for the least one that has the module's
/// version) and by the version word of the module.
std::string validationEnvironment(const std::string& targetEnv, const std::vector<uint32_t>& words);

/// The linked library's verdict: "" when valid, else its message.
std::string validateLinked(const std::vector<uint32_t>& words, const SpirvChecks& checks);

/// The verdict of a spirv-val program on a file: "" when valid, else its message.
std::string validateWithProgram(const std::string& spirvVal, const std::string& file,
                                const SpirvChecks& checks);

/// The module as text with friendly names, without the header's comments. False when the linked library does
/// not know an instruction or enumerant; `text` then says which.
bool disassembleLinked(const std::vector<uint32_t>& words, std::string& text);

/// The same by a spirv-dis program.
bool disassembleWithProgram(const std::string& spirvDis, const std::string& file, std::string& text);

/// Whole file as words; empty when it cannot be read or is not a multiple of four bytes.
std::vector<uint32_t> readModule(const std::string& file);

}  // namespace coopc::tests
