// cooplayout with the reader of programs: GLSL by the compiler, and SPIR-V modules.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tools/cooplayout/commands.hpp"

namespace coopc::cooplayout {

/// Reads GLSL and SPIR-V.
extern const ProgramReader kProgramReader;

/// Runs the whole program as answer() does, with this reader.
int run(std::span<const std::string> words, std::string& out, std::string& err, const ShippedMaps& maps = {},
        const std::string* input = nullptr);

/// The number by which --load selects the load or store at a line and a column of a file, both counted from
/// 1. `bytes`: a module with lines. If the line has several accesses, the last one that begins at or before
/// the column is selected.
std::optional<uint32_t> accessAt(std::string_view bytes, std::string_view file, uint32_t line,
                                 uint32_t column);

}  // namespace coopc::cooplayout
