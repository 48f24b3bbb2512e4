// The staging buffer: words, vectors of four, and components of any type, as bits.
#include "spirv/lower/software_matrix/staging_buffer.hpp"

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

// Slices of subgroups come first, the area for operations of workgroup scope after them: a slice may still be
// in use when the workgroup's operation begins.
Id StagingBuffer::sharedVariable() {
  if (!shared_) {
    const Id words = typeWords();
    const Id array =
        code_.globals.typeArray(words, (plan_.sliceWords * plan_.subgroups + plan_.groupWords) / 4);
    shared_ = code_.globals.variable(spv::StorageClass::Workgroup, array);
    code_.annotations.name(shared_, "matrix_staging");
    report_.sharedBytes += (plan_.sliceWords * plan_.subgroups + plan_.groupWords) * 4;
  }
  return shared_;
}

UInt StagingBuffer::sharedBase(const SoftwareLayout& l, uint32_t words) {
  if (l.of.scope == spv::Scope::Workgroup) return code_.u32(plan_.sliceWords * plan_.subgroups / words);
  if (plan_.subgroups == 1) return code_.u32(0);
  code_.preamble.capability(spv::Capability::GroupNonUniform);
  return code_.builtIn(spv::BuiltIn::SubgroupId) * (plan_.sliceWords / words);
}

Pointer StagingBuffer::wordPointer(NamedUInt vector, NamedUInt part) {
  const Id u32 = code_.globals.typeU32(), variable = sharedVariable();
  return code_.access(spv::StorageClass::Workgroup, u32, variable, {vector, part});
}

Pointer StagingBuffer::vectorPointer(const UInt& vector) {
  const Id words = typeWords(), variable = sharedVariable();
  return code_.access(spv::StorageClass::Workgroup, words, variable, {vector});
}

UInt StagingBuffer::loadWord(const UInt& at) {
  const UInt vector = at / 4, part = at % 4;
  return loadWord(vector, part);
}

UInt StagingBuffer::loadWord(NamedUInt vector, NamedUInt part) {
  return UInt(code_, wordPointer(vector, part).load());
}

void StagingBuffer::storeWord(NamedUInt at, Id value) {
  const UInt vector = at / 4, part = at % 4;
  wordPointer(vector, part).store(value);
}

Id StagingBuffer::loadVector(const UInt& vector) { return vectorPointer(vector).load(); }

void StagingBuffer::storeVector(NamedUInt vector, Id value) { vectorPointer(vector).store(value); }

// Stores the bits, so that values do not change. A narrow number is the first component of a vector of 32
// bits.
void StagingBuffer::storeNumber(Id type, uint32_t bits, NamedUInt at, Id value) {
  const Id u32 = code_.globals.typeU32();
  if (bits == 64) {
    const Id pair = code_.globals.typeVector(u32, 2), words = code_.make<op::Bitcast>(pair, {value});
    const UInt next = at + 1;
    const Id low = code_.extract(u32, words, {0}), high = code_.extract(u32, words, {1});
    storeWord(at, low);
    storeWord(next, high);
    return;
  }
  if (bits < 32) {
    const uint32_t parts = 32 / bits;
    const Id vector = code_.globals.typeVector(type, parts), zero = code_.globals.null(type);
    std::vector<Word> words(parts, zero);
    words[0] = value;
    value = code_.make<op::CompositeConstruct>(vector, {.constituents = words});
  }
  storeWord(at, type == u32 ? value : code_.make<op::Bitcast>(u32, {value}));
}

Id StagingBuffer::loadNumber(Id type, uint32_t bits, const UInt& at) {
  const Id u32 = code_.globals.typeU32(), word = loadWord(at);
  if (type == u32) return word;
  if (bits == 64) {
    const UInt next = at + 1;
    const Id high = loadWord(next), pair = code_.globals.typeVector(u32, 2);
    const Id both = code_.make<op::CompositeConstruct>(pair, {.constituents = {word, high}});
    return code_.make<op::Bitcast>(type, {both});
  }
  if (bits == 32) return code_.make<op::Bitcast>(type, {word});
  const Id vector = code_.globals.typeVector(type, 32 / bits);
  const Id parts = code_.make<op::Bitcast>(vector, {word});
  return code_.extract(type, parts, {0});
}

}  // namespace coopc::spirv::lower
