// Rules of statements (GLSL 4.60, chapter 6) that need more than the grammar: labels, jumps, loop and
// selection controls.
#pragma once

#include <string_view>
#include <unordered_map>

#include "frontend/check/checker.hpp"

namespace coopc::frontend {

/// A switch statement while its body is being read.
struct SwitchState {
  TypeId selector = kErrorType;  ///< int or uint kind, scalar
  SourceLoc loc;
  std::unordered_map<uint64_t, SourceLoc> labels;  ///< for look-ups only
  SourceLoc defaultLoc;
  bool anyLabel = false;
  bool lastIsLabel = false;
  bool reportedEarly = false;
};

/// The selector of a switch: a scalar integer (6.2). Returns its type; kErrorType after a report.
TypeId checkSwitchSelector(Checker& c, ExprId selector, SourceLoc loc);
/// A case label (6.2): a constant integer, converted to the selector's type, that no earlier label has. None
/// after a report.
ConstId checkCaseLabel(Checker& c, SwitchState& state, ExprId value, SourceLoc loc);

/// `return value;` or `return;` in `function`: the converted value, or none.
ExprId checkReturn(Checker& c, FnId function, ExprId value, bool hasValue, SourceLoc loc);

/// Attributes in front of a control-flow statement (GL_EXT_control_flow_attributes, ..2).
struct ControlAttributes {
  uint32_t loop = 0;         ///< spv::LoopControlMask
  uint32_t selection = 0;    ///< spv::SelectionControlMask
  uint32_t values[32] = {};  ///< indexed by the bit's number in `loop`, for those with a value
};
/// Whether the feature of an attribute is allowed; reports if not.
bool requireAttribute(Checker& c, Feature feature, std::string_view name, SourceLoc loc);
/// Adds one attribute; warns about those that are unknown or have the wrong form.
void addAttribute(Checker& c, ControlAttributes& attributes, std::string_view name, SourceLoc loc,
                  ExprId argument);
/// The loop control of a loop with these attributes.
Stmt::LoopControl loopControl(Checker& c, const ControlAttributes& attributes);

}  // namespace coopc::frontend
