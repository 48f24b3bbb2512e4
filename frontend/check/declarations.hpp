// Types, qualifiers, variables, blocks and functions: what the parser calls when it has read a declaration.
// The first half is what other checks need; the second half is what parse/ calls.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/check/checker.hpp"
#include "frontend/check/qualifiers.hpp"

namespace coopc::frontend {

/// The variable that stands for a built-in (gl_GlobalInvocationID, ...), created at its first use. `symbol`: index into
/// the built-in symbols.
VarId builtinVariable(Checker& c, uint16_t symbol);
// ------------------------------------------------------------------------------------- for the parser

/// The type of `base` with the dimensions `sizes` outside of it, the first being the outermost (4.1.9).
TypeId arrayOf(Checker& c, TypeId base, const std::vector<ConstId>& sizes, SourceLoc loc);
/// An array size (4.1.9) from its expression: a positive integer constant, or a specialization constant's expression.
/// kUnsizedArray after a report.
ConstId checkArraySize(Checker& c, ExprId size);

/// 8 and 16-bit types that are enabled for storage only may be in blocks alone (GL_EXT_shader_16bit_storage): reports and
/// returns false where `type` has one. `what` is what would be declared.
bool checkStorageOnly(Checker& c, TypeId type, SourceLoc loc, std::string_view what);

/// Reports names that are reserved (`gl_`) or were declared in this scope already. False where the name must not be declared.
bool checkNewName(Checker& c, NameId name, SourceLoc loc);

/// The decorations of GL_EXT_spirv_intrinsics as Variable::spirvDecorations; of members, which take no `spirv_decorate_id`.
DecorationListId decorationList(Checker& c, const Qualifiers& q);
DecorationListId memberDecorations(Checker& c, const Qualifiers& q);

struct Declarator {
  NameId name;
  SourceLoc loc;
  TypeId type = kErrorType;
  bool hasInit = false;
  ExprId init;                            ///< converted already where it was a list of initializers
  bool nullInit = false;                  ///< `{}` of GL_EXT_null_initializer
  Precision precision = Precision::None;  ///< explicit or default
};
/// Declares a global or local variable and gives it a scope symbol. None after some errors (the name is declared all the same
/// wherever possible, so that later uses do not cascade). `init` receives the initializer that must run at the declaration
/// (locals), none where there is none.
VarId declareVariable(Checker& c, const Qualifiers& q, const Declarator& d, ExprId& init);

/// `uniform float;` declares nothing, but its qualifiers must go together all the same (4.13).
void checkEmptyDeclaration(Checker& c, const Qualifiers& q, TypeId type);

/// `invariant a;`, `precise a;`, `layout(constant_id = 1) gl_MaxImageUnits;` (4.8, 4.9, 4.11).
void redeclareQualified(Checker& c, const Qualifiers& q, NameId name, SourceLoc loc);
/// `layout(...) in;`, `layout(...) uniform;`, `layout(...) buffer;` (4.4).
struct BlockDefaults {
  Packing uniformPacking = Packing::Std140;
  Packing bufferPacking = Packing::Std430;
  Packing sharedPacking = Packing::Std430;
  Major uniformMajor = Major::Column;
  Major bufferMajor = Major::Column;
  Major sharedMajor = Major::Column;
};
void declareDefaults(Checker& c, const Qualifiers& q, BlockDefaults& defaults);

/// One member of a struct or block, as it was read.
struct MemberDecl {
  NameId name;
  SourceLoc loc;
  TypeId type = kErrorType;
  Qualifiers qualifiers;
  Precision precision = Precision::None;
};
/// A structure type (4.1.8). `name` is none for an unnamed one; a named one is declared in the current scope.
TypeId declareStruct(Checker& c, NameId name, SourceLoc loc, const std::vector<MemberDecl>& members);

/// Fills what is derived from a struct's members (depth, what it contains) and reports members of one name.
void finishStruct(Checker& c, StructInfo& s);

struct BlockDecl {
  NameId name;
  SourceLoc loc;
  NameId instance;
  SourceLoc instanceLoc;
  std::vector<ConstId> sizes;  ///< of the instance
  bool forward = false;        ///< `layout(buffer_reference) buffer Name;`
};
void declareBlock(Checker& c, const Qualifiers& q, const BlockDecl& block,
                  const std::vector<MemberDecl>& members, const BlockDefaults& defaults);
/// Offsets of a block's members by 4.4.5, with their reports. `blockAlign`: the block's `align`, 0: none.
void layOutBlock(Checker& c, StructInfo& s, uint32_t blockAlign);
/// Gives a buffer_reference block's name its type before its members are read: they may use it.
TypeId beginReferenceBlock(Checker& c, NameId name, SourceLoc loc);

struct ParameterDecl {
  NameId name;  ///< 0: unnamed
  SourceLoc loc;
  TypeId type = kErrorType;
  Qualifiers qualifiers;
  Precision precision = Precision::None;
};
struct FunctionDecl {
  NameId name;
  SourceLoc loc;
  TypeId result = kVoidType;
  Precision precision = Precision::None;
  bool definition = false;
  bool controlUniform = false;  ///< [[subgroup_uniform_control_flow]]
  bool maximallyReconverges = false;
};
/// Declares a function; for a definition, the parameters are new variables that the caller brings into scope.
FnId declareFunction(Checker& c, const Qualifiers& q, const FunctionDecl& f,
                     const std::vector<ParameterDecl>& parameters);

/// After the whole text: array sizes, entry point, call graph, reachability, undefined functions, bindings.
void finishProgram(Checker& c);

}  // namespace coopc::frontend
