// The named parts of the language: the built-in variables, constants and types, and the lookup of the name
// of a built-in of any kind. The tables are constexpr (tables/); nothing is built at start-up.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend/language/availability.hpp"
#include "frontend/language/stages.hpp"
#include "frontend/language/types.hpp"

namespace coopc::frontend {

/// How a built-in variable is declared.
enum class SymbolForm : uint8_t {
  Plain,
  Array,      ///< an array of `type`, of `value` elements, or without a size if that is 0
  Triangle,   ///< an array of `type` for the three vertices of a triangle
  Ends,       ///< an array of `type` for the two ends of a swept sphere
  PerVertex,  ///< a member of gl_PerVertex, of stages that write that block
  PerVertexArray,
  Block,         ///< an array of a block of built-in variables
  PerView,       ///< an array of `type` over the views of a mesh shader (GL_NV_mesh_shader)
  PerViewArray,  ///< for each view, an array without a size
  MeshIndices,   ///< an array of `type` over the primitives of a mesh shader
  MeshMember,    ///< a member of a mesh shader's block, which other stages do not have
};

/// BuiltinSymbol::spvBuiltIn of gl_FragColor and gl_FragData. They are not built-in variables in SPIR-V, but
/// outputs at location 0 (GLSL 4.60, 12.2 "Mapping Variables").
constexpr uint32_t kPlainOutput = 0xFFFFFFFF;

/// Built-in variables and constants by NameInfo::builtinSymbol.
struct BuiltinSymbol {
  std::string_view name;
  TypeId type;                        ///< basic type; kErrorType for special ones (gl_WorkGroupSize)
  uint32_t spvBuiltIn;                ///< spv::BuiltIn, for variables
  bool constant;                      ///< a constant of value `value`
  int32_t value;                      ///< for variables: the size of the array
  ExtensionSet anyOf;                 ///< any of these also provides it
  uint16_t minVersion, minEsVersion;  ///< 0: not by version (by extension, or not at all)
  StageMask inputs, outputs;  ///< the stages that have the variable as an input, as an output; constants: all
  SymbolForm form;
  int32_t more[2];  ///< components 2 and 3 of constants of type ivec3
};
const BuiltinSymbol& builtinSymbol(uint16_t index);  ///< index is NameInfo::builtinSymbol - 1
/// The built-in constant of that value whose name starts with `prefix`; empty if there is none.
std::string_view builtinConstantName(std::string_view prefix, uint64_t value);

/// Built-in type names by NameInfo::builtinType: vec4, float16_t, u8vec4, sampler2DShadow, image2DArray, ...
struct BuiltinTypeName {
  std::string_view name;
  TypeId basic;        ///< the type of a fixed id; kErrorType for images, samplers and textures
  uint32_t imageDesc;  ///< packed ImageDesc for opaque types
  AnyExtension anyOf;  ///< any of these also provides it
  uint16_t minVersion, minEsVersion;  ///< 0: not by version (by extension, or not at all)
  StageMask stages = kAnyStage;
};
const BuiltinTypeName& builtinTypeName(uint16_t index);  ///< index is NameInfo::builtinType - 1

/// What a name stands for in the language; a name has at most one meaning.
struct BuiltinMeaning {
  enum class Kind : uint8_t { None, Function, Symbol, Type };
  Kind kind = Kind::None;
  uint16_t index = 0;  ///< into the names of functions, the built-in symbols or the type names
  bool operator==(const BuiltinMeaning&) const = default;
};
/// Classification at interning (names.cpp), by a constexpr hash table over the names of all tables.
BuiltinMeaning findBuiltin(std::string_view text, uint32_t hash);
}  // namespace coopc::frontend
