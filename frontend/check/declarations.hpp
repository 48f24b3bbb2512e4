// Types, qualifiers, variables, blocks and functions: the checks that the parser calls for declarations.
// The first half is used by other checks, the second half by parse/.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/check/checker.hpp"
#include "frontend/check/qualifiers.hpp"

namespace coopc::frontend {

/// The variable that represents a built-in (gl_GlobalInvocationID, ...), created at its first use. `symbol`:
/// index into the built-in symbols.
VarId builtinVariable(Checker& c, uint16_t symbol, SourceLoc loc);
// ------------------------------------------------------------------------------------- for the parser

/// An array of `base` with the dimensions `sizes`, outermost first (4.1.9).
TypeId arrayOf(Checker& c, TypeId base, const std::vector<ConstId>& sizes, SourceLoc loc);
/// An array size (4.1.9) from its expression: a positive integer constant, or a specialization constant's
/// expression. kUnsizedArray after a report.
ConstId checkArraySize(Checker& c, ExprId size);

/// 4.11: "Only the outer-most dimension of a variable declared as an array of arrays can be a specialization
/// constant". For variables that no other stage and no resource sees, parameters and structures' members a
/// warning only (decision 68).
void warnOfSpecInner(Checker& c, TypeId type, NameId name, SourceLoc loc);

/// Types of 8 and 16 bits that are enabled for storage only may occur only in blocks
/// (GL_EXT_shader_16bit_storage): reports and returns false if `type` contains one. `what` is the declared
/// thing.
bool checkStorageOnly(Checker& c, TypeId type, SourceLoc loc, std::string_view what);

/// Reports names that are reserved (`gl_`) or already declared in this scope. False if the name must not be
/// declared.
bool checkNewName(Checker& c, NameId name, SourceLoc loc);

/// The decorations of GL_EXT_spirv_intrinsics, as for Variable::spirvDecorations. Members do not allow
/// `spirv_decorate_id`.
DecorationListId decorationList(Checker& c, const Qualifiers& q);
DecorationListId memberDecorations(Checker& c, const Qualifiers& q);

struct Declarator {
  NameId name;
  SourceLoc loc;
  TypeId type = kErrorType;
  bool hasInit = false;
  ExprId init;                            ///< already converted if it was an initializer list
  bool nullInit = false;                  ///< `{}` of GL_EXT_null_initializer
  Precision precision = Precision::None;  ///< explicit or default
};
/// Whether an image's format (spv::ImageFormat) has components of the type that the image has (4.4.7).
bool formatFits(uint32_t format, Scalar sampled);
/// Where a resource outside of blocks lies: at a binding or in a descriptor heap.
void checkResourcePlace(Checker& c, const Qualifiers& q, const Declarator& d);
/// The rules of `descriptor_heap` and `descriptor_stride` (GL_EXT_descriptor_heap, 4.4.5, 4.4.6) for a
/// resource of that type.
void checkDescriptorHeap(Checker& c, const Qualifiers& q, TypeId type, NameId name, SourceLoc loc);

/// Declares a global or local variable and its name. None after some errors; the name is declared wherever
/// possible even then, so that later uses cause no further errors. `init` receives the initializer that must
/// run at the declaration (of locals), or none.
VarId declareVariable(Checker& c, const Qualifiers& q, const Declarator& d, ExprId& init);

/// `uniform float;` declares nothing, but its qualifiers must still be compatible (4.13).
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

/// One member of a struct or block, as parsed.
struct MemberDecl {
  NameId name;
  SourceLoc loc;
  TypeId type = kErrorType;
  Qualifiers qualifiers;
  Precision precision = Precision::None;
};
/// A structure type (4.1.8). `name` is none for an unnamed one; a named one is declared in the current scope.
TypeId declareStruct(Checker& c, NameId name, SourceLoc loc, const std::vector<MemberDecl>& members);

/// Computes what is derived from a struct's members (depth, what it contains) and reports duplicate names of
/// members.
void finishStruct(Checker& c, StructInfo& s);

struct BlockDecl {
  NameId name;
  SourceLoc loc;
  NameId instance;
  SourceLoc instanceLoc;
  std::vector<ConstId> sizes;  ///< of the instance
  bool forward = false;        ///< `layout(buffer_reference) buffer Name;`
  /// The type that is completed, of a reference block that is declared as a member of a heap block.
  TypeId inlineReference = kErrorType;
};
void declareBlock(Checker& c, const Qualifiers& q, const BlockDecl& block,
                  const std::vector<MemberDecl>& members, const BlockDefaults& defaults);
/// Computes the offsets of a block's members by 4.4.5 and reports errors. `blockAlign`: the block's `align`,
/// 0 if there is none.
void layOutBlock(Checker& c, StructInfo& s, uint32_t blockAlign);
/// Declares the name of a buffer_reference block before its members are read, because they may use it.
/// Without a name, only the type is made.
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
  uint8_t control = 0;  ///< FunctionControl
};
/// Declares a function; for a definition, the parameters are new variables that the caller brings into scope.
FnId declareFunction(Checker& c, const Qualifiers& q, const FunctionDecl& f,
                     std::vector<ParameterDecl> parameters);

/// Checks at the end of the text: array sizes, entry point, call graph, reachability, undefined functions,
/// bindings.
void finishProgram(Checker& c);

}  // namespace coopc::frontend
