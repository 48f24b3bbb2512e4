// Sizes, alignments and strides of types in memory: std140 and std430 (GLSL 4.60, 7.6.2.2), scalar
// (GL_EXT_scalar_block_layout). Used by the checks (offset, align) and by the emitter (decorations, Aligned).
#pragma once

#include "frontend/program/program.hpp"

namespace coopc::frontend {

struct MemoryLayout {
  uint64_t size =
      0;  ///< bytes; 0 for runtime-sized arrays; array sizes given by specialization constants use their default
  uint32_t align = 1;   ///< bytes
  uint32_t stride = 0;  ///< array stride or matrix stride
};
/// `major` applies to matrices (through arrays and, unless a member has a qualifier, through structs).
MemoryLayout layoutOf(const Program& program, TypeId type, Packing packing, Major major);
/// Byte offset of each member of a struct nested in a block of this packing and major order, in order.
void memberOffsets(const Program& program, StructId s, Packing packing, Major major,
                   std::vector<uint32_t>& offsets);
/// The size in bytes of the referent of a reference, as in GL_EXT_buffer_reference2: to the end of the last member, rounded up to
/// a multiple of the block's alignment.
uint64_t referentSize(const Program& program, StructId block);

}  // namespace coopc::frontend
