// Reads the decorations of a module once, and collects new ones.
#include "spirv/lower/annotations.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"
#include "spirv/lower/sections.hpp"

namespace coopc::spirv::lower {

Annotations::Annotations(Module& module) : m_(module) {
  std::map<Id, std::vector<uint32_t>> ofGroups;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (const auto decorate = as<op::Decorate>(module, i)) {
      const Id target = decorate.target();
      if (decorate.decoration() == spv::Decoration::ArrayStride)
        strides_.try_emplace(target, decorate.parameters().front());
      if (module.opOf(target) == spv::Op::OpDecorationGroup)
        ofGroups[target].push_back(n);
      else
        readDecoration(target, n);
    } else if (const auto group = as<op::GroupDecorate>(module, i)) {
      for (const Id target : group.targets())
        for (const uint32_t decoration : ofGroups[group.decorationGroup()])
          readDecoration(target, decoration);
    }
  }
  std::ranges::sort(decorations_);
}

// Only values of functions are recorded: types, constants and variables keep their decorations.
void Annotations::readDecoration(Id target, uint32_t n) {
  const bool known = target.index() < m_.definitions.size() && m_.definitions[target.index()] != kNone;
  if (known && m_.definitions[target.index()] < m_.functionsAt) return;
  decorations_.push_back({target, n});
  if (op::Decorate(m_, m_.instructions[n]).decoration() == spv::Decoration::NonUniform)
    nonUniform_.insert(target);
}

void Annotations::decorate(Id target, spv::Decoration decoration, std::initializer_list<Word> operands) {
  annotations_.push_back(
      m_.make<op::Decorate>({.target = target, .decoration = decoration, .parameters = operands}));
}

void Annotations::setNonUniform(Id pointer) {
  if (nonUniform_.insert(pointer).second)
    ofValues_.push_back(
        m_.make<op::Decorate>({.target = pointer, .decoration = spv::Decoration::NonUniform}));
}

void Annotations::copyDecorations(Id original, Id copy, bool (*wanted)(spv::Decoration)) {
  auto at = std::ranges::lower_bound(decorations_, std::pair(original, uint32_t{0}));
  for (; at != decorations_.end() && at->first == original; ++at) {
    const op::Decorate decorate(m_, m_.instructions[at->second]);
    const spv::Decoration decoration = decorate.decoration();
    if (wanted != nullptr && !wanted(decoration)) continue;
    const std::vector<Word> parameters(decorate.parameters().begin(), decorate.parameters().end());
    ofValues_.push_back(
        m_.make<op::Decorate>({.target = copy, .decoration = decoration, .parameters = parameters}));
    if (decoration == spv::Decoration::NonUniform) nonUniform_.insert(copy);
  }
}

void Annotations::decorateMember(Id target, uint32_t member, spv::Decoration decoration,
                                 std::initializer_list<Word> operands) {
  annotations_.push_back(m_.make<op::MemberDecorate>(
      {.structureType = target, .member = member, .decoration = decoration, .parameters = operands}));
}

void Annotations::name(Id target, std::string_view text) {
  names_.push_back(m_.make<op::Name>({.target = target, .name = text}));
}

void Annotations::insert() {
  annotations_.insert(annotations_.end(), ofValues_.begin(), ofValues_.end());
  insertInSection(m_, spv::Op::OpName, names_);
  insertInSection(m_, spv::Op::OpDecorate, annotations_);
}

}  // namespace coopc::spirv::lower
