// GL_EXT_structured_descriptor_heap: blocks in the heaps of the API, and the types of their members.
#pragma once

#include <string_view>

#include "frontend/check/checker.hpp"
#include "frontend/check/declarations.hpp"
#include "frontend/check/qualifiers.hpp"

namespace coopc::frontend {

constexpr bool isHeapWord(StorageWord w) {
  return w == StorageWord::ResourceHeap || w == StorageWord::SamplerHeap;
}
/// "a resource heap block", "a sampler heap block".
std::string_view heapText(Storage storage);

/// Whether only members of heap blocks and of structures in them can have a type that contains opaque types:
/// buffer types, structures of descriptors (4.3.9, 4.3.10).
bool isHeapOnly(const Program& program, TypeId type);
/// Whether a block has members that are or contain descriptors.
bool hasDescriptors(const Program& program, const StructInfo& block);
/// Whether a structure's member may have an opaque type, because it can be in a heap (4.3.10).
bool allowsDescriptor(Checker& c, TypeId type);

/// `layout(buffer_type)` of a block. False if nothing can be declared.
bool checkBufferType(Checker& c, const Qualifiers& q, Storage storage, const BlockDecl& block);
/// Whether a member's `buffer` or `uniform` only repeats what its buffer type says.
bool namesBufferType(const Checker& c, const Qualifiers& q, TypeId type);
/// The qualifiers and the type of a heap block's member; sets what the layout qualifiers say about it. The
/// member's type becomes the error type after a report about it.
void checkHeapMember(Checker& c, const Qualifiers& q, Storage storage, Member& m);
/// A reference block that is declared as a member of a heap block (Interactions with
/// GLSL_EXT_buffer_reference). `q`: all qualifiers of the declaration; those of the member remain. Returns
/// the member's type.
TypeId declareInlineReference(Checker& c, Qualifiers& q, const BlockDecl& block,
                              const std::vector<MemberDecl>& members, const BlockDefaults& defaults);
/// `descriptor_size` of a member of a heap block or of a structure.
void checkDescriptorSize(Checker& c, const Qualifiers& q, Member& m);
/// The value of `heap_offset`; none without one, and after a report.
ExprId checkHeapOffset(Checker& c, const Qualifiers& q);

}  // namespace coopc::frontend
