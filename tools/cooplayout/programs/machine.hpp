// Executes a module on the values of layout/, as far as loads and stores of matrices depend on it: integers,
// vectors, structures, tensor layouts and views. An unknown value carries the name of what is missing. The
// name is passed on to everything computed from the value, and appears in the message.
//
// The machine itself is control flow. Its parts are the values of ids (values.hpp), memory (variables.hpp),
// operations (operations.hpp), and tensor layouts and views (tensor_states.hpp).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/module.hpp"
#include "tools/cooplayout/programs/operations.hpp"
#include "tools/cooplayout/programs/tensor_states.hpp"
#include "tools/cooplayout/programs/values.hpp"
#include "tools/cooplayout/programs/variables.hpp"

namespace coopc::cooplayout {

/// Where execution goes at a condition.
enum class Branches : uint8_t {
  /// where the condition says, if it is known; if not, through all branches, one after the other, and once
  /// through a loop
  Taken,
  All,  ///< through all branches and once through each loop, and then through functions that nothing calls
};

class Machine {
 public:
  /// The arguments are those of Values.
  Machine(const spirv::Module& module, const std::map<std::string, int64_t>& given,
          std::span<const spirv::SpecializationValue> specialized, uint32_t firstUnknown);
  /// Its parts refer to each other.
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  /// From now on, numbers of layouts and views that are not known are assumed (ProgramText::assume).
  void assume() { tensors_.assume(); }

  /// Called for each load and store of a matrix when it is executed; false ends the run.
  using Visit = std::function<bool(const spirv::Instruction&)>;
  void run(Branches branches, const Visit& visit);

  const Values& values() const { return values_; }

  /// The layout or view that was made or changed last. If it is unknown, it names what is missing.
  const std::optional<Value>& lastLayout() const { return lastLayout_; }
  const std::optional<Value>& lastView() const { return lastView_; }
  /// The type of the last matrix variable.
  spirv::Id lastMatrix() const { return lastMatrix_; }

 private:
  struct Loop {
    spirv::Id header, merge, continueTarget;
    bool undecided = false;  ///< its body is executed once
  };
  /// A selection whose condition is unknown: the branches that remain to be executed.
  struct Undecided {
    spirv::Id merge;
    std::vector<spirv::Id> rest;
    size_t loops = 0;  ///< those around it
  };
  struct Frame {
    spirv::Id block;
    std::vector<Loop> loops;
    std::vector<Undecided> undecided;
    Value result;
    bool over = false;
  };

  Value call(spirv::Id function, const std::vector<Value>& arguments);
  void execute(const spirv::Instruction& i, Frame& frame);
  spirv::Id target(const spirv::Instruction& terminator, size_t at, Frame& frame);
  spirv::Id conditional(const spirv::Instruction& branch, const spirv::Instruction& before, Frame& frame);
  spirv::Id selectTarget(const spirv::Instruction& branch, const spirv::Instruction& before, Frame& frame);
  spirv::Id redirect(spirv::Id to, Frame& frame) const;
  void enterLoop(const spirv::Instruction& merge, Frame& frame) const;
  Value phi(const spirv::Instruction& i) const;

  Value evaluate(const spirv::Instruction& i);
  Value variable(const spirv::Instruction& i);

  const spirv::Module& m_;
  Values values_;
  Variables variables_;
  Operations operations_;
  TensorStates tensors_;

  Branches branches_ = Branches::Taken;
  const Visit* visit_ = nullptr;
  std::map<spirv::Id, uint64_t> left_;  ///< blocks, and when they were last left
  std::set<spirv::Id> called_;
  uint64_t steps_ = 0;
  uint32_t depth_ = 0;
  bool stopped_ = false;
  std::optional<Value> lastLayout_;
  std::optional<Value> lastView_;
  spirv::Id lastMatrix_;
};

/// Whether an instruction loads or stores a matrix, or elements of a tensor of GL_ARM_tensors.
bool isMatrixAccess(spv::Op op);

}  // namespace coopc::cooplayout
