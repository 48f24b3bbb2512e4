// Requirements on the target; unmet ones are reported together with the option that selects a suitable
// target.
#include "frontend/check/target.hpp"

#include "base/spirv_version.hpp"

namespace coopc::frontend {

bool requireTarget(Checker& c, std::string_view name, const ExtensionSet& anyOf, SourceLoc loc) {
  uint32_t needed = 0;
  for (unsigned e = 0; e < static_cast<unsigned>(ExtensionId::Count); ++e) {
    const auto id = static_cast<ExtensionId>(e);
    if (!anyOf.has(id) || !c.has(id)) continue;
    const uint32_t minimum = extensionInfo(id).minSpirv;
    if (minimum <= c.options.spirvVersion || extensionInfo(id).spirvAtDirective) return true;
    if (needed == 0 || minimum < needed) needed = minimum;
  }
  if (needed == 0) return true;
  c.report(DiagKind::TargetTooOld, loc,
           {name, spirvVersionText(needed), spirvVersionText(c.options.spirvVersion)})
      .note({}, targetHint(needed));
  return false;
}

void useVulkanMemoryModel(Checker& c, std::string_view what, SourceLoc loc) {
  if (!c.program.useVulkanMemoryModel && c.options.spirvVersion < kSpirv13)
    c.report(DiagKind::TargetTooOld, loc, {what, "1.3", spirvVersionText(c.options.spirvVersion)})
        .note({}, targetHint(kSpirv13));
  c.program.useVulkanMemoryModel = true;
}

}  // namespace coopc::frontend
