// cooplayout with what reads programs: GLSL, by the compiler, and SPIR-V modules.
#pragma once

#include <span>
#include <string>

#include "tools/cooplayout/commands.hpp"

namespace coopc::cooplayout {

/// Reads GLSL and SPIR-V.
extern const ProgramReader kProgramReader;

/// The whole program, as answer() runs it, with this reader.
int run(std::span<const std::string> words, std::string& out, std::string& err, const ShippedMaps& maps = {});

}  // namespace coopc::cooplayout
