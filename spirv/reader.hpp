// Words to a Module. The words may come from anywhere: if they do not match the grammar or the structure of a
// module, the result is an error. readModule() documents what is guaranteed for accepted modules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv {

struct ReadError {
  std::string message;  ///< lower case, no full stop: "id 17 is used but not defined"
  size_t word = 0;      ///< where in the module
};
/// "not a module: word 5: ..."
std::string describe(const ReadError& error);

/// A binary file's bytes as words in this machine's order, whichever byte order the file has. None, and
/// `error`, for a wrong magic number or a length that is not a multiple of four.
std::optional<std::vector<uint32_t>> wordsFromBytes(std::span<const unsigned char> bytes, ReadError& error);

/// Reads a module (words in this machine's byte order). None, and `error`, if it is refused. In a module that
/// is returned,
/// - every instruction is known to the grammar and its words fit it;
/// - every id is below the bound, which is within the universal limit, is defined at most once, and if it is
///   used it is defined; every result type is an OpType...; only operands of non-semantic instructions may be
///   0;
/// - integer and float constants have as many words as their type's width asks for;
/// - from the first OpFunction on there are only functions, each with its parameters first and then blocks
///   that start with OpLabel and end with a terminator, or no block at all; non-semantic instructions may
///   stand after the terminators.
/// Nothing else of the validation rules is checked: dominance, types of operands and so on may be wrong.
/// `literalSets`: instructions of sets with literals among their operands (OpenCL.DebugInfo.100, OpenCL.std)
/// are taken too; their operands are not looked at, and forEachUse() gives literals like ids, below the bound
/// or not.
std::optional<Module> readModule(std::span<const uint32_t> words, ReadError& error, bool literalSets = false);

/// The same without checks, for words that this library has just written and that have these properties.
/// None if the words are not a header and instructions of the grammar with their types and results; operands
/// are taken as they are.
std::optional<Module> indexModule(std::span<const uint32_t> words);

}  // namespace coopc::spirv
