// Executes a module on the values of layout/, as far as loads and stores of matrices depend on it: integers,
// vectors, structures, tensor layouts and views. An unknown value carries the name of what is missing. The
// name is passed on to everything computed from the value, and appears in the message.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "layout/tensor.hpp"
#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/module.hpp"

namespace coopc::cooplayout {

struct Missing {
  std::string name;
  bool refused = false;  ///< `name` is the message of a broken rule
};

/// A pointer: an object and the indexes into it.
struct Place {
  spirv::Id root;
  std::vector<uint32_t> path;
  std::string name;               ///< "parameters.rows", "gl_WorkGroupID.x"
  std::optional<uint32_t> index;  ///< the last index into an array
  std::string lacking;            ///< what is missing to compute that index
  std::string inexact = {};       ///< what is missing to compute any index; the path ends before that
};

/// A layout or a view, and what was assumed about it: "dimension 0 = 1024 (rows)".
template <class T>
struct Described : T {
  std::vector<std::string> assumed = {};
};
using KnownLayout = Described<layout::TensorLayout>;
using KnownView = Described<layout::TensorView>;

struct Value;
using Parts = std::vector<Value>;
/// A number has its type's bits, zero-extended; a boolean is 0 or 1.
struct Value : std::variant<Missing, uint64_t, KnownLayout, KnownView, Place, Parts> {
  using variant::variant;
};

/// Where execution goes at a condition.
enum class Branches : uint8_t {
  Taken,  ///< where the condition says, if it is known; if not, through all branches, one after the other, and once through a loop
  All,    ///< through all branches and once through each loop, and then through functions that nothing calls
};

class Machine {
 public:
  /// `values`: given from outside, by name. Specialization constants with a SpecId from `firstUnknown` on
  /// have only these values.
  Machine(const spirv::Module& module, const std::map<std::string, int64_t>& values,
          std::span<const spirv::SpecializationValue> specialized, uint32_t firstUnknown);

  /// From now on, numbers of layouts and views that are not known are assumed (ProgramText::assume).
  void assume() { assumes_ = true; }

  /// Called for each load and store of a matrix when it is executed; false ends the run.
  using Visit = std::function<bool(const spirv::Instruction&)>;
  void run(Branches branches, const Visit& visit);

  Value valueOf(spirv::Id id) const;
  std::optional<uint32_t> number(spirv::Id id, Missing& missing) const;
  /// The object that a pointer points to. It has no root if that is unknown.
  Place placeOf(spirv::Id id) const;
  std::string nameOf(spirv::Id id) const;
  /// The value that --set gives to a name.
  std::optional<int64_t> given(const std::string& name) const;

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

  void note(const spirv::Instruction& i);
  Value call(spirv::Id function, const std::vector<Value>& arguments);
  void execute(const spirv::Instruction& i, Frame& frame);
  spirv::Id target(const spirv::Instruction& terminator, size_t at, Frame& frame);
  spirv::Id conditional(const spirv::Instruction& branch, const spirv::Instruction& before, Frame& frame);
  spirv::Id selectTarget(const spirv::Instruction& branch, const spirv::Instruction& before, Frame& frame);
  spirv::Id redirect(spirv::Id to, Frame& frame) const;
  void enterLoop(const spirv::Instruction& merge, Frame& frame) const;
  Value phi(const spirv::Instruction& i) const;

  Value result(const spirv::Instruction& i);
  Value variable(const spirv::Instruction& i);
  Value chain(const spirv::Instruction& i) const;
  Value composite(const spirv::Instruction& i) const;
  Value extract(const spirv::Instruction& i) const;
  Value shuffle(const spirv::Instruction& i) const;
  Value insert(const spirv::Instruction& i) const;
  Value tensorSize(const spirv::Instruction& i) const;
  Value select(const spirv::Instruction& i) const;
  Value convert(const spirv::Instruction& i) const;
  Value callExtended(const spirv::Instruction& i) const;
  Value arithmetic(const spirv::Instruction& i) const;
  Value operate(spv::Op op, spirv::Id operandType, spirv::Id resultType, const Value& a, const Value& b,
                const Missing& otherwise) const;
  std::optional<layout::Coord> coord(spirv::IdRange ids, uint32_t step, uint32_t count,
                                     Missing& missing) const;
  std::optional<layout::Coord> coordOr(spirv::IdRange ids, uint32_t step, const char* what,
                                       std::span<const uint32_t> otherwise, std::vector<std::string>& assumed,
                                       Missing& missing) const;
  Value newLayout(const spirv::Instruction& i) const;
  Value newView(const spirv::Instruction& i) const;
  Value changeLayout(const spirv::Instruction& i) const;
  Value changeView(const spirv::Instruction& i) const;

  Value load(const Place& place, spirv::Id type) const;
  void store(const Place& place, const Value& value);
  Place part(Place place, spirv::Id type, uint32_t n) const;
  uint32_t partCount(spirv::Id type) const;
  Missing unknown(const spirv::Instruction& i) const;
  uint32_t widthOf(spirv::Id type) const;

  const spirv::Module& m_;
  const std::map<std::string, int64_t>& given_;
  spirv::ConstantEvaluator constants_;
  std::map<spirv::Id, std::string> idNames_;
  std::map<std::pair<spirv::Id, uint32_t>, std::string> memberNames_;
  std::set<spirv::Id> unknown_;  ///< specialization constants without a value
  std::vector<spirv::Id> globals_;

  bool assumes_ = false;
  Branches branches_ = Branches::Taken;
  const Visit* visit_ = nullptr;
  std::map<spirv::Id, Value> values_;
  std::map<std::pair<spirv::Id, std::vector<uint32_t>>, Value> memory_;
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
