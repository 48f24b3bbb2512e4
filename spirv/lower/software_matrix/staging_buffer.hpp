// The staging buffer of the pass in workgroup memory: the words of a scope's area.
#pragma once

#include "spirv/lower/software_matrix/part.hpp"

namespace coopc::spirv::lower {

class StagingBuffer : public SoftwarePart {
 public:
  explicit StagingBuffer(const SoftwareContext& c) : SoftwarePart(c) {}

  void barrier(spv::Scope scope) {
    code_.shared.barrier(plan_.wholeWorkgroup ? spv::Scope::Workgroup : scope);
  }
  /// The start of the area, in vectors of `words`: 1 or 4.
  UInt sharedBase(const SoftwareLayout& l, uint32_t words = 1);
  UInt loadWord(const UInt& at);
  void storeWord(NamedUInt at, Id value);
  Id loadVector(const UInt& vector);  ///< four words, from 4 * vector on
  void storeVector(NamedUInt vector, Id value);
  Id typeWords() {
    const Id word = code_.globals.typeU32();
    return code_.globals.typeVector(word, 4);
  }
  /// Stores and loads a number of any type, of `bits` bits, as words.
  void storeNumber(Id type, uint32_t bits, NamedUInt at, Id value);
  Id loadNumber(Id type, uint32_t bits, const UInt& at);
  void storeComponent(const SoftwareLayout& l, NamedUInt at, Id value) {
    storeNumber(l.of.component, l.of.componentBits, at, value);
  }
  Id loadComponent(const SoftwareLayout& l, const UInt& at) {
    return loadNumber(l.of.component, l.of.componentBits, at);
  }
  UInt loadWord(NamedUInt vector, NamedUInt part);  ///< one of four

 private:
  Id sharedVariable();
  Pointer wordPointer(NamedUInt vector, NamedUInt part);
  Pointer vectorPointer(const UInt& vector);

  Id shared_;
};

}  // namespace coopc::spirv::lower
