// The decorations of a module, by what they decorate.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::validator {

class Decorations {
 public:
  explicit Decorations(const spirv::Module& module) : m_(module) {}

  /// Adds an OpDecorate, OpDecorateId or OpMemberDecorate, by its index; sort() follows the last one.
  void add(uint32_t instruction);
  void sort();

  /// The first parameter of a decoration; none: the id does not have it.
  std::optional<uint32_t> find(spirv::Id id, spv::Decoration decoration) const;
  std::optional<uint32_t> memberOffset(spirv::Id structType, uint32_t member) const;

 private:
  /// The structure and the member that the OpMemberDecorate with this index decorates.
  std::pair<spirv::Id, uint32_t> memberAt(uint32_t instruction) const;

  const spirv::Module& m_;
  std::vector<uint32_t> decorations_;    ///< OpDecorate instructions by target
  std::vector<uint32_t> memberOffsets_;  ///< OpMemberDecorate Offset, by structure and member
};

}  // namespace coopc::validator
