// Sizes, alignments and strides of types in memory: std140 and std430 (section 7.6.2.2 of the OpenGL
// specification, to which GLSL 4.60, 4.4.5 refers) and scalar (GL_EXT_scalar_block_layout). The checks of
// offset and align use it, and so does the emitter, for decorations and for the memory operand Aligned.
#pragma once

#include "frontend/program/program.hpp"

namespace coopc::frontend {

struct MemoryLayout {
  /// The size in bytes; 0 for runtime-sized arrays. If a specialization constant gives an array's size, its
  /// default counts.
  uint64_t size = 0;
  uint32_t align = 1;   ///< in bytes
  uint32_t stride = 0;  ///< of an array's elements, or a matrix's columns or rows, in bytes
};
/// The layout of a type. `major` applies to matrices, also in arrays, and also in structs unless the member
/// has its own qualifier.
MemoryLayout layoutOf(const Program& program, TypeId type, Packing packing, Major major);
/// The bytes that a member takes; `end` is where the next member may start.
struct MemberPlace {
  uint64_t offset = 0, end = 0;
};
/// The offset of a member of the type, if the previous member ends at `end` (4.4.5). `align`: an alignment
/// beyond the type's. `hlsl`: by HLSL's rules instead (-fhlsl-offsets), which apply to members of structures,
/// and of blocks that do not state a packing.
MemberPlace placeMember(const Program& program, TypeId type, Packing packing, Major major, bool hlsl,
                        uint64_t end, uint64_t align = 1);
/// Sets `offsets` to the byte offset of each member of a struct that is nested in a block of this packing and
/// major order.
void memberOffsets(const Program& program, StructId s, Packing packing, Major major,
                   std::vector<uint32_t>& offsets);
/// The size in bytes of the block that a reference refers to, which is the unit of reference arithmetic
/// (GL_EXT_buffer_reference2): up to the end of the last member, rounded up to a multiple of the block's
/// alignment.
uint64_t referentSize(const Program& program, StructId block);

}  // namespace coopc::frontend
