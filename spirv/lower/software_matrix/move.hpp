// Operations that move elements between invocations. Each returns whether the instruction is replaced, or the
// module refused.
#pragma once

#include <optional>

#include "spirv/lower/software_matrix/staging_buffer.hpp"
#include "spirv/lower/software_matrix/walk.hpp"

namespace coopc::spirv::lower {

class Moves : public SoftwarePart {
 public:
  Moves(const SoftwareContext& c, ComponentWalk& walk, StagingBuffer& buffer)
      : SoftwarePart(c), walk_(walk), buffer_(buffer) {}

  bool transpose(const Instruction& i);
  bool reduce(const Instruction& i);

 private:
  struct Combine;
  void reduceNeighbors(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                       const Combine& combine);
  void reduceRows(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                  const Combine& combine);
  void reduceColumns(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                     const Combine& combine);
  void reduceAll(const Instruction& i, const SoftwareLayout& from, const SoftwareLayout& to,
                 const Combine& combine);
  Id combinePartials(const SoftwareLayout& l, const Combine& combine, const UInt& at, uint32_t stride,
                     uint32_t count);
  Id combineHeld(const SoftwareLayout& l, const Combine& combine, const ComponentSource& from,
                 const UInt& first, uint32_t step, uint32_t count, const std::optional<Bool>& lastInside);
  std::optional<Bool> lastColumnInside(const SoftwareLayout& l, const Lane& at);
  template <class Read>
  void moveThroughBands(const SoftwareLayout& source, Id value, const MoveStaging& staging, Read&& read);

  ComponentWalk& walk_;
  StagingBuffer& buffer_;
};

}  // namespace coopc::spirv::lower
