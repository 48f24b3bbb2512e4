// The ids of the typed program: distinct types (base/typed_id.hpp), each an index into the array next to its
// name. Names have NameId (language/names.hpp).
#pragma once

#include "base/typed_id.hpp"

namespace coopc::frontend {

using ExprId = TypedId<struct ExprIdTag>;                            ///< Program::exprs
using StmtId = TypedId<struct StmtIdTag>;                            ///< Program::stmts
using VarId = TypedId<struct VarIdTag>;                              ///< Program::variables
using FnId = TypedId<struct FnIdTag>;                                ///< Program::functions
using TypeId = TypedId<struct TypeIdTag>;                            ///< Program::types; none is kErrorType
using ConstId = TypedId<struct ConstIdTag>;                          ///< Program::constants
using StructId = TypedId<struct StructIdTag>;                        ///< Program::structs
using MemberId = TypedId<struct MemberIdTag>;                        ///< Program::members
using InterfaceId = TypedId<struct InterfaceIdTag>;                  ///< Program::interfaces
using DecorationListId = TypedId<struct DecorationListIdTag>;        ///< Program::decorationLists
using SpirvInstructionId = TypedId<struct SpirvInstructionIdTag>;    ///< Program::spirvInstructions
using SpirvTypeId = TypedId<struct SpirvTypeIdTag>;                  ///< Program::spirvTypes
using SpirvDecorationId = TypedId<struct SpirvDecorationIdTag>;      ///< Program::spirvDecorations
using SpirvStorageClassId = TypedId<struct SpirvStorageClassIdTag>;  ///< Program::spirvStorageClasses

}  // namespace coopc::frontend
