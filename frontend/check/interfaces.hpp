// Inputs and outputs: which types and qualifiers a stage allows, redeclarations of built-in variables, the
// block gl_PerVertex, locations (GLSL 4.60, 4.3.4, 4.3.6, 4.4.1, 4.4.2, 4.5, 7.1; Vulkan's rules of
// interfaces).
#pragma once

#include <optional>
#include <span>
#include <unordered_map>

#include "frontend/check/declarations.hpp"

namespace coopc::frontend {

/// "an input", "an output", for messages about qualifiers.
std::string_view interfaceText(Storage storage);
/// Whether the stage has user-defined inputs or outputs, whichever `q` declares; reports if not.
bool requireInterface(Checker& c, const Qualifiers& q);
/// Reports `shared` in stages without workgroups (4.3.8); false after a report.
bool requireWorkgroup(Checker& c, const Qualifiers& q);
/// The interface part of a variable or a member with these qualifiers; none if they set nothing. `outer`: the
/// block's qualifiers.
InterfaceId interfacePart(Checker& c, const Qualifiers& q, NameId name, const Qualifiers* outer = nullptr);
/// Reports types and qualifiers that the stage does not allow for such a variable or member. False if it
/// cannot have the type.
bool checkInterface(Checker& c, const Qualifiers& q, const Qualifiers* outer, Storage storage, NameId name,
                    TypeId type, SourceLoc loc);

/// Whether the declaration redeclares a built-in variable; then `result` is the variable, or none after a
/// report.
bool redeclareBuiltin(Checker& c, const Qualifiers& q, const Declarator& d, VarId& result);
/// Whether variables and blocks of that storage are arrays that have an element for each vertex (4.3.4,
/// 4.3.6).
bool isArrayed(const StageInfo& stage, Storage storage, bool patch);
bool isArrayed(const Checker& c, Storage storage, bool patch);
/// A block of built-in variables: gl_PerVertex, or a block of mesh shaders.
struct BuiltinBlock {
  std::string_view name;
  std::string_view instance;  ///< "": none; its members are in scope by their own names
  bool perPrimitive;          ///< an array over primitives, not over vertices
  std::span<const std::string_view> members;
  Storage storage;
  uint32_t ifUsed = 0;  ///< how many members, at the end, the language's block has only if they are used
};
/// Gives the language's own block a member that it has only if it is used. Returns its index; none if the
/// structure is another one or has no such member.
std::optional<uint32_t> addUsedMember(Checker& c, StructId s, NameId name);
/// The stage's block of built-in variables with this name; nullptr if there is none. The members of such a
/// block are built-in variables.
const BuiltinBlock* findBuiltinBlock(const Checker& c, const Qualifiers& q, NameId block);
/// The program's variable for the block; none if it was neither declared nor used.
VarId& builtinBlockVariable(Program& p, const BuiltinBlock& block);
/// Whether `s` is a redeclared built-in block in which a member with a spelling similar to `name` was
/// reported. That member was probably meant to be `name`, which is then not reported as missing.
bool hasReportedMember(const Checker& c, StructId s, std::string_view name);
/// The array of the stage whose elements have the built-in variable as a member: "gl_out"; "" if there is
/// none.
std::string_view builtinBlockOf(const Checker& c, std::string_view builtin);
/// Reports a location of the whole built-in block. It has no effect, as the members are built-in variables
/// (decision 75).
void checkBuiltinBlockPlace(Checker& c, const BuiltinBlock& block, const Qualifiers& q);
/// Makes a member of a redeclared built-in block a built-in variable, or reports that there is no such
/// variable. `outer`: the block's qualifiers.
void makeBuiltinMember(Checker& c, const BuiltinBlock& block, const Qualifiers& q, const Qualifiers& outer,
                       Member& m);

/// A built-in variable of the symbol, or a member of gl_PerVertex: the variable, and the member's index.
struct BuiltinPlace {
  VarId variable;  ///< none after a report
  std::optional<uint32_t> member;
};
BuiltinPlace builtinPlace(Checker& c, uint16_t symbol, SourceLoc loc);

/// `layout(...) in;` and `layout(...) out;` of stages without workgroups.
void declareStageDefaults(Checker& c, const Qualifiers& q);
/// The consecutive locations that types take (4.4.1; Vulkan, "Location Assignment"): vectors of three and
/// four 64-bit components take two.
class LocationCounter {
 public:
  explicit LocationCounter(const Program& program) : program_(program) {}
  uint64_t count(TypeId type);

 private:
  const Program& program_;
  std::unordered_map<StructId, uint64_t> counted_;  ///< locations of structures; look-ups only
};
/// Called at the end of the text, when all sizes are known: checks locations.
void finishInterfaces(Checker& c);

}  // namespace coopc::frontend
