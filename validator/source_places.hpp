// The places of instructions in the source, by OpLine or by DebugLine of NonSemantic.Shader.DebugInfo.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "coopc/validate.hpp"
#include "spirv/constants.hpp"
#include "spirv/module.hpp"

namespace coopc::validator {

class SourcePlaces {
 public:
  SourcePlaces(const spirv::Module& module, const spirv::ConstantEvaluator& constants)
      : m_(module), constants_(constants) {}

  /// The place of an instruction, by its index; an empty one if the module does not say it.
  SourcePlace find(uint32_t instruction);

 private:
  void findLines();
  uint32_t firstUseWithLine(uint32_t instruction);  ///< kNone: there is none
  void findFirstUses();
  SourcePlace findByDebugLine(const spirv::Instruction& i);
  uint32_t debugNumber(const spirv::Instruction& i) const;

  /// A text of the module, and where its lines start.
  struct Text {
    std::string text;
    std::vector<size_t> starts;
    std::string line(uint32_t number);
  };

  const spirv::Module& m_;
  const spirv::ConstantEvaluator& constants_;
  /// By instruction, the OpLine or DebugLine that counts, or kNone; filled by the first query.
  std::vector<uint32_t> lineOf_;
  std::vector<uint32_t> firstUse_;            ///< by id; filled by findFirstUses()
  std::unordered_map<uint32_t, Text> texts_;  ///< by the id of the file, or of the DebugSource
};

}  // namespace coopc::validator
