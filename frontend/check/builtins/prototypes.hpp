// Internal to builtins/: concrete prototypes while a call is being resolved, and the parts of resolution by
// file:
//   resolve.cpp     candidates, ranking, conversions, the diagnostics about them
//   textures.cpp    prototypes of texture and image functions, which follow from the first argument's type
//   call_rules.cpp  rules for a call beyond its types: memory, qualifiers, scopes, constant ranges
#pragma once

#include <array>
#include <span>

#include "frontend/check/checker.hpp"
#include "frontend/language/builtins/functions.hpp"

namespace coopc::frontend::builtins {

/// One signature with its types. User functions have `fn`; their parameters are read from the program.
struct Prototype {
  FnId fn;
  const FnRow* row = nullptr;
  TypeId result = kErrorType;
  uint32_t count = 0;
  std::array<TypeId, kMaxParams> types;
  std::array<ParamMode, kMaxParams> modes;
  bool overflow = false;  ///< there are more parameters: an internal error

  void add(TypeId type, ParamMode mode = ParamMode::In) {
    if (count == kMaxParams) {
      overflow = true;
      return;
    }
    types[count] = type;
    modes[count++] = mode;
  }
};

constexpr uint32_t kMaxTexturePrototypes = 4;
/// Writes the prototypes that a texture or image function has for a first argument of type `image`; returns
/// their number. An internal error is reported if they do not fit.
uint32_t texturePrototypes(Checker& c, const FnRow& row, TypeId image, ImageDesc desc,
                           std::array<Prototype, kMaxTexturePrototypes>& out);

/// Whether a row is available for this stage, version, profile and set of extensions.
bool rowAvailable(const Checker& c, const FnRow& r);
/// The versions and extensions that make a row available in this stage.
const Availability& rowAvailability(const Checker& c, const FnRow& r);
/// Whether a row would be available in another stage.
bool rowOfOtherStage(const Checker& c, const FnRow& r);

/// Checks a resolved call of a built-in whose `args` have been converted. False after a report.
bool checkCallRules(Checker& c, const Prototype& p, NameId name, std::span<const ExprId> args, SourceLoc loc);
/// Called at the end of the text: the formats of images that are passed to functions with atomics.
void finishImageAtomics(Checker& c);
/// Reports memory qualifiers of an image argument that its parameter lacks (4.10).
void checkParameterQualifiers(Checker& c, FnId fn, uint32_t index, ExprId arg);

}  // namespace coopc::frontend::builtins
