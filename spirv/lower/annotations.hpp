// Names and decorations of a module that is being lowered. Existing ones are looked up, and copied with the
// values that they belong to; new ones are collected, and put in place at the end.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "spirv/module.hpp"

namespace coopc::spirv::lower {

class Annotations {
 public:
  explicit Annotations(Module& module);

  void name(Id target, std::string_view text);
  void decorate(Id target, spv::Decoration decoration, std::initializer_list<Word> operands = {});
  void decorateMember(Id target, uint32_t member, spv::Decoration decoration,
                      std::initializer_list<Word> operands = {});
  /// The ArrayStride that decorates an array or pointer type of the module; 0: none.
  uint32_t arrayStride(Id type) const {
    const auto found = strides_.find(type);
    return found == strides_.end() ? 0 : found->second;
  }
  /// Whether a value of the module, or one that was made here, is decorated NonUniform.
  bool isNonUniform(Id value) const { return nonUniform_.contains(value); }
  /// Decorates a pointer that replaces one with this decoration.
  void setNonUniform(Id pointer);
  /// Gives a copy of an instruction of a function the decorations of its original: all of them, or those that
  /// are `wanted`.
  void copyDecorations(Id original, Id copy, bool (*wanted)(spv::Decoration) = nullptr);

  /// The number of decorations of values that were made in functions; those that were added since can be
  /// dropped.
  size_t valueCount() const { return ofValues_.size(); }
  void dropValues(size_t before) { ofValues_.resize(before); }

  /// Puts everything in place.
  void insert();

 private:
  void readDecoration(Id target, uint32_t n);

  Module& m_;
  /// Instructions by which the module decorates values of functions, in the order of the values.
  std::vector<std::pair<Id, uint32_t>> decorations_;
  std::set<Id> nonUniform_;
  std::map<Id, uint32_t> strides_;  ///< of the module's types that have one
  std::vector<Instruction> names_, annotations_;
  std::vector<Instruction> ofValues_;  ///< decorations of what is made in functions
};

}  // namespace coopc::spirv::lower
