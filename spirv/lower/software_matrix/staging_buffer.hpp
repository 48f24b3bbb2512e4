// The staging buffer of the pass in workgroup memory: words of the area of a scope.
#pragma once

#include "spirv/lower/software_matrix/part.hpp"

namespace coopc::spirv::lower {

class StagingBuffer : public SoftwarePart {
 public:
  explicit StagingBuffer(const SoftwareContext& c) : SoftwarePart(c) {}

  void barrier(spv::Scope scope) { code_.barrier(plan_.wholeWorkgroup ? spv::Scope::Workgroup : scope); }
  /// The start of the area, in vectors of `words`: 1 or 4.
  Id sharedBase(const SoftwareLayout& l, uint32_t words = 1);
  Id loadWord(Id at);
  void storeWord(Id at, Id value);
  Id loadVector(Id vector);  ///< four words, from 4 * vector on
  void storeVector(Id vector, Id value);
  Id typeWords() {
    const Id word = code_.typeU32();
    return code_.typeVector(word, 4);
  }
  /// Converts a component of any type to words and back.
  void storeComponent(const SoftwareLayout& l, Id at, Id value);
  Id loadComponent(const SoftwareLayout& l, Id at);
  Id loadWord(Id vector, Id part);  ///< one of four

 private:
  Id sharedVariable();

  Id shared_;
};

}  // namespace coopc::spirv::lower
