// Finds decorations: see decorations.hpp.
#include "validator/decorations.hpp"

#include <algorithm>

#include "spirv/instructions.hpp"

namespace coopc::validator {

namespace op = spirv::op;
using spirv::Id;

void Decorations::add(uint32_t instruction) {
  const spirv::Instruction& i = m_.instructions[instruction];
  if (i.op() != spv::Op::OpMemberDecorate)
    decorations_.push_back(instruction);
  else if (op::MemberDecorate(m_, i).decoration() == spv::Decoration::Offset)
    memberOffsets_.push_back(instruction);
}

void Decorations::sort() {
  std::stable_sort(decorations_.begin(), decorations_.end(), [&](uint32_t a, uint32_t b) {
    return op::AnyDecorate(m_, m_.instructions[a]).target() <
           op::AnyDecorate(m_, m_.instructions[b]).target();
  });
  std::stable_sort(memberOffsets_.begin(), memberOffsets_.end(),
                   [&](uint32_t a, uint32_t b) { return memberAt(a) < memberAt(b); });
}

std::pair<Id, uint32_t> Decorations::memberAt(uint32_t instruction) const {
  const op::MemberDecorate decorate(m_, m_.instructions[instruction]);
  return {decorate.structureType(), decorate.member()};
}

std::optional<uint32_t> Decorations::find(Id id, spv::Decoration wanted) const {
  auto at = std::lower_bound(decorations_.begin(), decorations_.end(), id, [&](uint32_t n, Id target) {
    return op::AnyDecorate(m_, m_.instructions[n]).target() < target;
  });
  for (; at != decorations_.end(); ++at) {
    const op::AnyDecorate decorate(m_, m_.instructions[*at]);
    if (decorate.target() != id) break;
    if (decorate.decoration() == wanted) return decorate.parameters()[0];
  }
  return std::nullopt;
}

std::optional<uint32_t> Decorations::memberOffset(Id structType, uint32_t member) const {
  const std::pair key(structType, member);
  const auto at = std::lower_bound(memberOffsets_.begin(), memberOffsets_.end(), key,
                                   [&](uint32_t n, const auto& k) { return memberAt(n) < k; });
  if (at == memberOffsets_.end() || memberAt(*at) != key) return std::nullopt;
  return op::MemberDecorate(m_, m_.instructions[*at]).parameters()[0];
}

}  // namespace coopc::validator
