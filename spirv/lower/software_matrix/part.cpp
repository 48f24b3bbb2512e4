// Helpers that all parts share.
#include "spirv/lower/software_matrix/part.hpp"

#include <utility>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {

// An element of the array whose components all are `value`.
Id SoftwarePart::replicate(const SoftwareLayout& l, Id value) {
  if (l.packed == 1) return value;
  const Id type = typeOfElement(l);
  const std::vector<Word> parts(l.packed, value);
  return code_.op(spv::Op::OpCompositeConstruct, type, Operands(parts));
}

void SoftwarePart::note(std::string what, std::string into) {
  for (Report::Rewrite& r : report_.rewrites) {
    if (r.what == what && r.into == into) return;
  }
  report_.rewrites.push_back({std::move(what), std::move(into)});
}

// Decorations of an operation apply to the operation on each component.
void SoftwarePart::copyDecorations(Id from, Id to) {
  code_.copyDecorations(from, to, [](spv::Decoration decoration) {
    return decoration == spv::Decoration::FPFastMathMode || decoration == spv::Decoration::NoContraction ||
           decoration == enums::DecorationSaturatedToLargestFloat8NormalConversionEXT;
  });
}

std::optional<uint32_t> SoftwarePart::constant32(Id id) const {
  const Instruction* i = code_.global(id);
  if (i != nullptr && i->op() == spv::Op::OpConstantNull) return 0;
  return code_.constantValue(id);
}

void SoftwarePart::useSmallType(Id scalar) {
  const Instruction* type = code_.global(scalar);
  if (type == nullptr) return;
  const uint32_t bits = op::NumberType(m_, *type).width();
  if (type->op() == spv::Op::OpTypeInt) {
    if (bits == 8) code_.capability(spv::Capability::Int8);
    if (bits == 16) code_.capability(spv::Capability::Int16);
  } else if (const auto encoding = as<op::TypeFloat>(m_, type).floatingPointEncoding()) {
    // So far, the capability of their matrices has declared these types.
    if (encoding == enums::FPEncodingBFloat16KHR) code_.capability(enums::CapabilityBFloat16TypeKHR);
    if (encoding == enums::FPEncodingFloat8E4M3EXT || encoding == enums::FPEncodingFloat8E5M2EXT)
      code_.capability(enums::CapabilityFloat8EXT);
  } else if (bits == 16) {
    code_.capability(spv::Capability::Float16);
  }
}

}  // namespace coopc::spirv::lower
