// Shared by all parts of the granules pass: the module and the writer of its code, the plan, the report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "spirv/lower/code.hpp"
#include "spirv/lower/granules/plan.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {

/// The granules of a value that the subgroup holds, row by row of its block.
using GranuleList = std::vector<Id>;

struct GranuleContext {
  Module& module;
  Code& code;
  const GranuleOptions& options;
  const GranulePlan& plan;
  Report& report;
};

class GranulePart {
 public:
  explicit GranulePart(const GranuleContext& c)
      : m_(c.module), code_(c.code), options_(c.options), plan_(c.plan), report_(c.report) {}

 protected:
  const PlannedMatrix* matrixOf(Id value) const { return plan_.matrix(m_.typeOf(value)); }
  /// The number of components that an invocation holds of a native matrix.
  UInt lengthOf(NamedId native) {
    const Id u32 = code_.globals.typeU32();
    return UInt(code_, code_.make<op::CooperativeMatrixLengthKHR>(u32, {native}));
  }
  void refuse(std::string why) const { report_.refuse(Refusal::Unsupported, std::move(why)); }

  Module& m_;
  Code& code_;
  const GranuleOptions& options_;
  const GranulePlan& plan_;
  Report& report_;
};

}  // namespace coopc::spirv::lower
