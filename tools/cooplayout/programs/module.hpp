// The loads and stores of matrices in a SPIR-V module, from any compiler. The machine executes the module up
// to the requested load or store.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "spirv/module.hpp"
#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {

/// Placeholders that a text declares in its module for what the program leaves open. Constants with a SpecId
/// from kFirstUnknown on are names whose values only --set gives. Matrices of kAnyRows rows may have any
/// size, and arrays with the name kAnyMemory may be any memory.
inline constexpr uint32_t kFirstUnknown = 0x40000000;
inline constexpr std::string_view kAnyRows = "coopc_any_rows";
inline constexpr std::string_view kAnyColumns = "coopc_any_columns";
inline constexpr std::string_view kAnyMemory = "coopc_any_memory";

/// Whether the bytes begin like a module, in either byte order.
bool isModule(std::string_view bytes);
/// None, and `error` with the broken rule, if the bytes are not a module.
std::optional<spirv::Module> readModule(std::string_view bytes, std::string& error);

struct ModuleProgram {
  const spirv::Module& module;
  /// Values of specialization constants (by name, or by their SpecId: "3"), of variables, of members of push
  /// constants and buffers by the module's names ("rows", "parameters.rows"; "push.0" if it has none), and of
  /// built-in variables ("gl_WorkGroupID.x").
  const std::map<std::string, int64_t>& values;
  /// The module was compiled from a text, with its lines. Loads and stores are counted in the order of the
  /// text instead of the module's.
  bool fromText = false;
  /// The places of names that the text does not declare: "3:14".
  std::map<std::string, std::string> places = {};
  /// As ProgramText::assume.
  bool assume = false;
};

/// The arguments of the matrix load or store number `which`, at its first execution. Code that known
/// conditions do not reach is executed as if the conditions were unknown. No value if the module has no
/// access of that number or if a rule is broken; `error` then has the reason.
std::optional<TensorProgram> readAccess(const ModuleProgram& program, uint32_t which, std::string& error);
/// The last layout and view that are made, if there are any, and the last matrix that is declared. Errors as
/// for readAccess().
std::optional<TensorProgram> readLayout(const ModuleProgram& program, std::string& error);

/// The loads and stores in the order in which readAccess() counts them.
std::vector<AccessName> namesOfAccesses(const ModuleProgram& program);

/// The load or store at a line and column of a file, both counted from 1, as the number that readAccess()
/// takes. The module must have lines. If the line has several accesses, it is the last one that begins at or
/// before the column.
std::optional<uint32_t> accessAt(const spirv::Module& module, std::string_view file, uint32_t line,
                                 uint32_t column);

}  // namespace coopc::cooplayout
