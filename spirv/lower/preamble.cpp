// Collects declarations of capabilities, extensions and sets of instructions.
#include "spirv/lower/preamble.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"
#include "spirv/lower/sections.hpp"

namespace coopc::spirv::lower {

void Preamble::capability(spv::Capability capability) {
  // Callers ask for the same few capabilities again and again.
  if (std::find(declared_.begin(), declared_.end(), capability) != declared_.end()) return;
  declared_.push_back(capability);
  const auto same = [&](const Instruction& i) {
    const auto declaration = as<op::Capability>(m_, i);
    return declaration && declaration.capability() == capability;
  };
  if (std::any_of(m_.instructions.begin(), m_.instructions.begin() + m_.functionsAt, same) ||
      std::any_of(capabilities_.begin(), capabilities_.end(), same))
    return;
  capabilities_.push_back(m_.make<op::Capability>({capability}));
}

Id Preamble::glslFunctions() {
  constexpr std::string_view kName = "GLSL.std.450";
  for (uint32_t n = 0; n < m_.functionsAt && !glsl_; ++n) {
    const auto import = as<op::ExtInstImport>(m_, m_.instructions[n]);
    if (import && import.name() == kName) glsl_ = m_.instructions[n].result;
  }
  if (!glsl_) {
    glsl_ = m_.newId();
    imports_.push_back(m_.make<op::ExtInstImport>(glsl_, {.name = kName}));
  }
  return glsl_;
}

void Preamble::extension(std::string_view name) {
  // As in capability(): callers ask for the same few again and again.
  if (std::find(declaredExtensions_.begin(), declaredExtensions_.end(), name) != declaredExtensions_.end())
    return;
  declaredExtensions_.emplace_back(name);
  const auto same = [&](const Instruction& i) {
    const auto declaration = as<op::Extension>(m_, i);
    return declaration && declaration.name() == name;
  };
  if (std::any_of(m_.instructions.begin(), m_.instructions.begin() + m_.functionsAt, same) ||
      std::any_of(extensions_.begin(), extensions_.end(), same))
    return;
  extensions_.push_back(m_.make<op::Extension>({.name = name}));
}

void Preamble::insert() {
  insertInSection(m_, spv::Op::OpCapability, capabilities_);
  insertInSection(m_, spv::Op::OpExtension, extensions_);
  insertInSection(m_, spv::Op::OpExtInstImport, imports_);
}

}  // namespace coopc::spirv::lower
