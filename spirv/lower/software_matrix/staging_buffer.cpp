// The staging buffer: words, vectors of four, and components of any type, as bits.
#include "spirv/lower/software_matrix/staging_buffer.hpp"

namespace coopc::spirv::lower {

// Slices of subgroups first, the area for operations of workgroup scope behind them: a slice may be in use
// while the workgroup's operation begins.
Id StagingBuffer::sharedVariable() {
  if (!shared_) {
    const Id words = typeWords();
    const Id array = code_.typeArray(words, (plan_.sliceWords * plan_.subgroups + plan_.groupWords) / 4);
    shared_ = code_.variable(spv::StorageClass::Workgroup, array);
    code_.name(shared_, "matrix_staging");
    report_.sharedBytes += (plan_.sliceWords * plan_.subgroups + plan_.groupWords) * 4;
  }
  return shared_;
}

Id StagingBuffer::sharedBase(const SoftwareLayout& l, uint32_t words) {
  if (l.of.scope == spv::Scope::Workgroup) return code_.u32(plan_.sliceWords * plan_.subgroups / words);
  if (plan_.subgroups == 1) return code_.u32(0);
  code_.capability(spv::Capability::GroupNonUniform);
  const Id u32 = code_.typeU32();
  const Id subgroup = code_.builtIn(spv::BuiltIn::SubgroupId, u32);
  const Id slice = code_.u32(plan_.sliceWords / words);
  return code_.mul(subgroup, slice);
}

Id StagingBuffer::loadWord(Id at) {
  const Id four = code_.u32(4), vector = code_.div(at, four), part = code_.mod(at, four);
  return loadWord(vector, part);
}

Id StagingBuffer::loadWord(Id vector, Id part) {
  const Id u32 = code_.typeU32(), variable = sharedVariable();
  const Id pointer = code_.access(spv::StorageClass::Workgroup, u32, variable, {vector, part});
  return code_.loadShared(u32, pointer);
}

void StagingBuffer::storeWord(Id at, Id value) {
  const Id four = code_.u32(4), vector = code_.div(at, four), part = code_.mod(at, four);
  const Id u32 = code_.typeU32(), variable = sharedVariable();
  const Id pointer = code_.access(spv::StorageClass::Workgroup, u32, variable, {vector, part});
  code_.storeShared(pointer, value);
}

Id StagingBuffer::loadVector(Id vector) {
  const Id words = typeWords(), variable = sharedVariable();
  const Id pointer = code_.access(spv::StorageClass::Workgroup, words, variable, {vector});
  return code_.loadShared(words, pointer);
}

void StagingBuffer::storeVector(Id vector, Id value) {
  const Id words = typeWords(), variable = sharedVariable();
  const Id pointer = code_.access(spv::StorageClass::Workgroup, words, variable, {vector});
  code_.storeShared(pointer, value);
}

// As bits, so that values do not change. A small component is the first one of a vector of 32 bits.
void StagingBuffer::storeComponent(const SoftwareLayout& l, Id at, Id value) {
  const Id u32 = code_.typeU32();
  if (l.of.componentBits == 64) {
    const Id pair = code_.typeVector(u32, 2), bits = code_.op(spv::Op::OpBitcast, pair, {value});
    const Id one = code_.u32(1), next = code_.add(at, one);
    const Id low = code_.extract(u32, bits, {0}), high = code_.extract(u32, bits, {1});
    storeWord(at, low);
    storeWord(next, high);
    return;
  }
  if (l.of.componentBits < 32) {
    const uint32_t parts = 32 / l.of.componentBits;
    const Id vector = code_.typeVector(l.of.component, parts), zero = code_.null(l.of.component);
    std::vector<Word> words(parts, zero);
    words[0] = value;
    value = code_.op(spv::Op::OpCompositeConstruct, vector, Operands(words));
  }
  const Id bits = l.of.component == u32 ? value : code_.op(spv::Op::OpBitcast, u32, {value});
  storeWord(at, bits);
}

Id StagingBuffer::loadComponent(const SoftwareLayout& l, Id at) {
  const Id u32 = code_.typeU32();
  const Id word = loadWord(at);
  if (l.of.component == u32) return word;
  if (l.of.componentBits == 64) {
    const Id one = code_.u32(1), next = code_.add(at, one), high = loadWord(next);
    const Id pair = code_.typeVector(u32, 2);
    const Id both = code_.op(spv::Op::OpCompositeConstruct, pair, {word, high});
    return code_.op(spv::Op::OpBitcast, l.of.component, {both});
  }
  if (l.of.componentBits == 32) return code_.op(spv::Op::OpBitcast, l.of.component, {word});
  const Id vector = code_.typeVector(l.of.component, 32 / l.of.componentBits);
  const Id parts = code_.op(spv::Op::OpBitcast, vector, {word});
  return code_.extract(l.of.component, parts, {0});
}

}  // namespace coopc::spirv::lower
