// Names, constants and results by id.
#include "tools/cooplayout/programs/values.hpp"

#include "spirv/instructions.hpp"

namespace coopc::cooplayout {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

Names::Names(const spirv::Module& module) {
  for (uint32_t n = 0; n < module.functionsAt; ++n) note(module, module.instructions[n]);
}

void Names::note(const spirv::Module& module, const Instruction& i) {
  if (const auto name = as<op::Name>(module, i)) {
    ids_[name.target()] = name.name();
  } else if (const auto member = as<op::MemberName>(module, i)) {
    members_[{member.type(), member.member()}] = member.name();
  } else if (const auto decorate = as<op::Decorate>(module, i);
             decorate && decorate.decoration() == spv::Decoration::BuiltIn) {
    const auto builtIn = spv::BuiltIn(decorate.parameters()[0]);
    if (builtIn == spv::BuiltIn::WorkgroupId) ids_[decorate.target()] = "gl_WorkGroupID";
    if (builtIn == spv::BuiltIn::SubgroupId) ids_[decorate.target()] = "gl_SubgroupID";
  }
}

std::string Names::nameOf(Id id) const {
  const auto found = ids_.find(id);
  return found == ids_.end() ? "" : found->second;
}

std::optional<std::string> Names::memberName(Id structure, uint32_t member) const {
  const auto found = members_.find({structure, member});
  return found == members_.end() ? std::nullopt : std::optional(found->second);
}

std::string Names::nameOrNumber(Id id) const {
  std::string name = nameOf(id);
  return name.empty() ? "%" + std::to_string(id.index()) : name;
}

Values::Values(const spirv::Module& module, const std::map<std::string, int64_t>& given,
               std::span<const spirv::SpecializationValue> specialized, uint32_t firstUnknown)
    : m_(module), given_(given), constants_(module, specialized), names_(module) {
  for (const Instruction& i : m_.instructions) {
    const auto decorate = as<op::Decorate>(m_, i);
    if (decorate && decorate.decoration() == spv::Decoration::SpecId &&
        decorate.parameters()[0] >= firstUnknown && !given_.contains(names_.nameOf(decorate.target())))
      unknown_.insert(decorate.target());
  }
}

Value Values::valueOf(Id id) const {
  if (const spirv::ConstantValue constant = constants_.value(id); constant.known) {
    for (const Id lacking : constant.byDefault.ids()) {
      if (unknown_.contains(lacking)) return Missing{names_.nameOf(lacking)};
    }
    return constant.bits;
  }
  if (const auto found = results_.find(id); found != results_.end()) return found->second;
  return Missing{names_.nameOrNumber(id)};
}

std::optional<uint32_t> Values::number(Id id, Missing& missing) const {
  const Value value = valueOf(id);
  if (const auto* found = std::get_if<uint64_t>(&value)) return static_cast<uint32_t>(*found);
  if (const auto* why = std::get_if<Missing>(&value)) missing = *why;
  return std::nullopt;
}

Place Values::placeOf(Id id) const {
  const Value value = valueOf(id);
  const Place* place = std::get_if<Place>(&value);
  return place != nullptr ? *place : Place{Id(), {}, "%" + std::to_string(id.index()), {}, {}};
}

std::optional<int64_t> Values::given(const std::string& name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? std::nullopt : std::optional(found->second);
}

uint32_t Values::widthOf(Id type) const {
  if (const auto vector = as<op::TypeVector>(m_, type)) return widthOf(vector.componentType());
  if (m_.opOf(type) == Op::OpTypeBool) return 1;
  return as<op::NumberType>(m_, type).width();
}

}  // namespace coopc::cooplayout
