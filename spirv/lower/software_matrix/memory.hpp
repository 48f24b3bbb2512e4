// Loads and stores of matrices. Each returns whether the instruction is replaced, or the module refused.
#pragma once

#include <optional>
#include <vector>

#include "spirv/lower/software_matrix/walk.hpp"

namespace coopc::spirv::lower {

class MatrixAccess : public SoftwarePart {
 public:
  MatrixAccess(const SoftwareContext& c, ComponentWalk& walk) : SoftwarePart(c), walk_(walk) {}

  bool load(const Instruction& i);
  bool store(const Instruction& i);

 private:
  struct Access;
  /// How to access the instruction's memory; none if the module is refused.
  std::optional<Access> readAccess(const Instruction& i, const SoftwareLayout& l);
  Id element(const Access& a, const ComponentPlace& place, uint32_t number);
  UInt partOfNumber(const Access& a, const ComponentPlace& place);
  Id loadElement(const Access& a, const ComponentPlace& place);
  bool loadWords(const Instruction& i, const SoftwareLayout& l, const Access& a);
  void storeElement(const Access& a, const ComponentPlace& place, Id value);
  void noteAccess(const Instruction& i, const SoftwareLayout& l, const Access& a, bool straight);

  ComponentWalk& walk_;
};

}  // namespace coopc::spirv::lower
