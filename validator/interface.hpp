// A stage's inputs or outputs, by location and component (Vulkan, "Location and Component Assignment").
#pragma once

#include <compare>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "validator/context.hpp"

namespace coopc::validator {

/// A module's entry point, and the stage that it is.
struct StageEntry {
  const Instruction* instruction = nullptr;  ///< OpEntryPoint
  spv::ExecutionModel model{};
};

/// An input or output that the user declared, or one member of a block of them.
struct InterfacePart {
  Id variable;
  uint32_t member = spirv::kNone;  ///< of the block; kNone: the whole variable
  uint32_t members = 0;            ///< of the block
  Id type;                         ///< without the arrays over vertices and views
  uint32_t location = 0, component = 0;
  bool patch = false, perPrimitive = false, perView = false;
  bool passthrough = false;                    ///< an input that is an output as well
  std::vector<spv::Decoration> interpolation;  ///< Flat, NoPerspective, Centroid, Sample
};

/// The type of a component: "f32", "s32", "u16" (spirv/number_type.hpp); "" if it is not a number.
using SlotType = std::string;

/// A 32-bit word of a location; patch variables have separate locations.
struct InterfaceSlot {
  bool patch = false;
  uint32_t location = 0, component = 0;
  auto operator<=>(const InterfaceSlot&) const = default;
};

/// All inputs, or all outputs, of one stage.
class StageInterface {
 public:
  StageInterface(const Context& c, const StageEntry& entry, spv::StorageClass storage);

  const std::vector<InterfacePart>& parts() const { return parts_; }
  /// The slots that a part takes, with the types of their components.
  std::vector<std::pair<InterfaceSlot, SlotType>> slotsOf(const InterfacePart& part) const;
  /// The type of a slot, or nullptr if no part declares it.
  const SlotType* at(const InterfaceSlot& slot) const;
  /// The part that begins in the slot, or nullptr.
  const InterfacePart* beginningAt(const InterfaceSlot& slot) const;
  /// "`name`" or "`block.member`" as the module names them, or the id.
  std::string nameOf(const InterfacePart& part) const;

 private:
  class Decorations;
  void add(Id variable, bool arrayed, const Decorations& decorations);
  void addPassedThrough(Id input, spv::StorageClass storage, const Decorations& decorations);
  Id elementOf(Id type) const;

  const Context& c_;
  std::vector<InterfacePart> parts_;
  std::map<InterfaceSlot, SlotType> slots_;
};

/// gl_ClipDistance or gl_CullDistance, in a block or alone.
struct DistanceArray {
  Id variable;          ///< none: the stage does not declare it
  uint64_t length = 0;  ///< 0: not declared, or not known
  bool used = false;    ///< by a function of the module
};
DistanceArray findDistances(const Context& c, const StageEntry& entry, spv::StorageClass storage,
                            spv::BuiltIn builtIn);

/// Whether types of two modules are declared by equivalent OpType instructions (Vulkan, "Interface
/// Matching").
bool equivalentTypes(const Context& a, Id first, const Context& b, Id second);

}  // namespace coopc::validator
