// Instructions of the function that is being emitted.
#include "emit/code.hpp"

namespace coopc::emit {

using namespace frontend;

Id InstructionWriter::glsl450() {
  if (!glsl450_) glsl450_ = b.extInstSet("GLSL.std.450");
  return glsl450_;
}

void InstructionWriter::nonUniform(Id id) {
  if (id.index() >= nonUniform_.size()) nonUniform_.resize(id.index() + 256);
  if (nonUniform_[id.index()] != 0) return;
  nonUniform_[id.index()] = 1;
  capability(spv::Capability::ShaderNonUniform);
  b.decorate(id, spv::Decoration::NonUniform);
}

Id InstructionWriter::shuffle(Id vector, TypeId t, uint32_t swizzle) {
  const uint32_t n = swizzleCount(swizzle);
  const Scalar s = basicScalar(t);
  if (n == 1) return extract(vector, basicType(s), swizzleAt(swizzle, 0));
  useScalar(s);  // the storage capabilities do not allow shuffling
  uint32_t components[4];
  for (uint32_t i = 0; i < n; ++i) components[i] = swizzleAt(swizzle, i);
  return make<op::VectorShuffle>(
      basicType(s, n),
      {.vector1 = vector, .vector2 = vector, .components = std::span<const uint32_t>(components, n)});
}

void InstructionWriter::writeLine(SourceLoc loc) {
  lastLoc_ = loc;
  const ResolvedLoc r = module.sources.resolve(module.sources.fileLoc(loc));
  if (r.line == 0) return;
  if (r.file == lastLine_.file && r.line == lastLine_.line && r.column == lastLine_.column) return;
  lastLine_ = {r.file, r.line, r.column};
  uint32_t index = 0;
  while (index < lineFiles_.size() && lineFiles_[index] != r.file) ++index;
  if (index == lineFiles_.size()) lineFiles_.push_back(r.file);
  // The id of the file is not known yet: ids of strings are assigned last, so that a stripped module equals
  // the plain one.
  make<op::Line>({.file = Id(index), .line = r.line, .column = r.column});
  if (module.debug != nullptr) module.debug->line(r.file, r.physicalLine, r.column);
}

}  // namespace coopc::emit
