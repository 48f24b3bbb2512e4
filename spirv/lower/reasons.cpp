// The module is read again when a reason is rendered, because passes remove names and freeze constants. Its
// ids are those of the module that is lowered.
#include "spirv/lower/reasons.hpp"

#include <map>
#include <optional>

#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/lower.hpp"
#include "spirv/reader.hpp"
#include "spirv/workgroup_size.hpp"

namespace coopc::spirv::lower {

namespace {

class Names {
 public:
  explicit Names(std::span<const uint32_t> words) {
    ReadError error;
    if (std::optional<Module> module = readModule(words, error)) module_ = std::move(*module);
    for (uint32_t n = 0; n < module_.functionsAt; ++n) {
      const Instruction& i = module_.instructions[n];
      if (const auto name = as<op::Name>(module_, i); name && !name.name().empty())
        names_[name.target()] = name.name();
      const auto decorate = as<op::Decorate>(module_, i);
      if (decorate && decorate.decoration() == spv::Decoration::SpecId && !decorate.parameters().empty())
        specIds_[decorate.target()] = decorate.parameters()[0];
    }
  }

  const Module& module() const { return module_; }

  std::string text(Id id) const {
    const std::string name = nameOf(id);
    const std::string quoted = name.empty() ? "" : "`" + name + "`";
    const auto spec = specIds_.find(id);
    if (spec == specIds_.end()) return quoted.empty() ? "%" + std::to_string(id.index()) : quoted;
    const std::string specId = "SpecId " + std::to_string(spec->second);
    return quoted.empty() ? specId : quoted + " (" + specId + ")";
  }

 private:
  // The name of another constant with the same SpecId will do: GLSL's local_size_x_id makes one without a
  // name.
  std::string nameOf(Id id) const {
    if (const auto name = names_.find(id); name != names_.end()) return name->second;
    const auto spec = specIds_.find(id);
    if (spec == specIds_.end()) return {};
    for (const auto& [other, specId] : specIds_)
      if (const auto name = names_.find(other); specId == spec->second && name != names_.end())
        return name->second;
    return {};
  }

  Module module_;
  std::map<Id, std::string> names_;
  std::map<Id, uint32_t> specIds_;
};

}  // namespace

std::string renderReason(std::span<const uint32_t> words, const Reason& reason) {
  return reason.subject ? reason.text + ": " + Names(words).text(reason.subject) : reason.text;
}

std::string smallByDefault(std::span<const uint32_t> words, const LowerRequest& request) {
  const Names names(words);
  const ConstantEvaluator constants(names.module(), request.values);
  for (const WorkgroupSize& size : workgroupSizes(names.module(), constants)) {
    const uint64_t invocations = size.invocations();
    if (invocations == 0 || invocations >= request.target.subgroupSize(request.subgroupSize)) continue;
    Defaults defaults;
    for (const ConstantValue& n : size.n) defaults |= n.byDefault;
    std::string list;
    for (const Id id : defaults.ids())
      if (id) list += (list.empty() ? "" : ", ") + names.text(id);
    if (list.empty()) continue;
    const bool several = bool(defaults.ids()[1]);
    return "the workgroup has " + std::to_string(invocations) +
           (invocations == 1 ? " invocation" : " invocations") +
           (several ? " by the defaults of specialization constants, which need the pipeline's values: "
                    : " by the default of a specialization constant, which needs the pipeline's value: ") +
           list;
  }
  return {};
}

}  // namespace coopc::spirv::lower
