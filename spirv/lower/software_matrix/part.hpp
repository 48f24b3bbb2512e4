// Shared by all parts of the pass: the writer of the code, the plan, the report.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/software_matrix/plan.hpp"

namespace coopc::spirv::lower {

struct SoftwareContext {
  Code& code;
  const SoftwareOptions& options;
  const SoftwarePlan& plan;
  Report& report;
};

/// The type of an element of a layout's array.
inline Id typeOfElement(Code& code, const SoftwareLayout& l) {
  const Id component = l.pieces ? code.globals.typeU32() : l.of.component;
  return code.globals.typeNumbers(component, l.pieces ? kPieceBits / 32 : l.packed);
}

class SoftwarePart {
 public:
  explicit SoftwarePart(const SoftwareContext& c)
      : code_(c.code), m_(c.code.module()), options_(c.options), plan_(c.plan), report_(c.report) {}

  /// Declares the capability for values of a small type, for which 8- and 16-bit storage alone is not enough
  /// (SPIR-V 3.31).
  void useSmallType(Id scalar);

 protected:
  const SoftwareLayout* layoutOf(Id value) const { return plan_.of(code_.globals.typeOf(value)); }
  /// Returns false.
  bool refuse(Refusal kind, std::string why) {
    report_.refuse(kind, std::move(why));
    return false;
  }
  /// Reports a rewrite, each only once.
  void note(std::string what, std::string into);
  Id replicate(const SoftwareLayout& l, Id value);
  Id typeOfElement(const SoftwareLayout& l) { return lower::typeOfElement(code_, l); }
  void copyDecorations(Id from, Id to);
  std::optional<uint32_t> constant32(Id id) const;

  Code& code_;
  Module& m_;
  const SoftwareOptions& options_;
  const SoftwarePlan& plan_;
  Report& report_;
};

}  // namespace coopc::spirv::lower
