// The values of a module's ids: its constants, and the results of the instructions that were executed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "spirv/constants.hpp"
#include "spirv/module.hpp"
#include "tools/cooplayout/programs/value.hpp"

namespace coopc::cooplayout {

/// The names that a module gives to its ids and members, and GLSL's names of two built-in variables.
class Names {
 public:
  explicit Names(const spirv::Module& module);

  /// Empty if the id has no name.
  std::string nameOf(spirv::Id id) const;
  /// Of a structure's member; none if it has no name.
  std::optional<std::string> memberName(spirv::Id structure, uint32_t member) const;
  /// The name, or the number of an id without a name: "%12".
  std::string nameOrNumber(spirv::Id id) const;

 private:
  void note(const spirv::Module& module, const spirv::Instruction& i);

  std::map<spirv::Id, std::string> ids_;
  std::map<std::pair<spirv::Id, uint32_t>, std::string> members_;
};

class Values {
 public:
  /// `given`: from outside, by name. Specialization constants with a SpecId from `firstUnknown` on have only
  /// these values.
  Values(const spirv::Module& module, const std::map<std::string, int64_t>& given,
         std::span<const spirv::SpecializationValue> specialized, uint32_t firstUnknown);

  /// Forgets the results of instructions.
  void clear() { results_.clear(); }
  void set(spirv::Id id, Value value) { results_[id] = std::move(value); }

  Value valueOf(spirv::Id id) const;
  /// None if the number is not known; `missing` then says what is missing.
  std::optional<uint32_t> number(spirv::Id id, Missing& missing) const;
  /// The object that a pointer points to. It has no root if that is unknown.
  Place placeOf(spirv::Id id) const;
  /// An unknown value with the name of the instruction's result.
  Missing unknown(const spirv::Instruction& i) const { return Missing{names_.nameOrNumber(i.result)}; }
  /// The value that --set gives to a name.
  std::optional<int64_t> given(const std::string& name) const;
  /// The width in bits of a number or of a vector's components; a boolean has one bit.
  uint32_t widthOf(spirv::Id type) const;
  const Names& names() const { return names_; }

 private:
  const spirv::Module& m_;
  const std::map<std::string, int64_t>& given_;
  spirv::ConstantEvaluator constants_;
  Names names_;
  std::set<spirv::Id> unknown_;  ///< specialization constants without a value
  std::map<spirv::Id, Value> results_;
};

}  // namespace coopc::cooplayout
