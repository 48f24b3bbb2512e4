// The instructions that create and change tensor layouts and views (SPV_NV_tensor_addressing).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "spirv/instructions.hpp"
#include "tools/cooplayout/programs/values.hpp"

namespace coopc::cooplayout {

class TensorStates {
 public:
  TensorStates(const spirv::Module& module, const Values& values) : m_(module), values_(values) {}

  /// From now on, numbers that are not known are assumed (ProgramText::assume).
  void assume() { assumes_ = true; }

  Value createLayout(const spirv::Instruction& i) const;
  Value createView(const spirv::Instruction& i) const;
  Value changeLayout(const spirv::Instruction& i) const;
  Value changeView(const spirv::Instruction& i) const;

 private:
  std::optional<layout::Coord> coord(spirv::IdRange ids, uint32_t step, uint32_t count,
                                     Missing& missing) const;
  std::optional<layout::Coord> coordOr(spirv::IdRange ids, uint32_t step, const char* what,
                                       std::span<const uint32_t> otherwise, std::vector<std::string>& assumed,
                                       Missing& missing) const;

  const spirv::Module& m_;
  const Values& values_;
  bool assumes_ = false;
};

}  // namespace coopc::cooplayout
