// Instructions of the function that is being emitted.
#include "emit/code.hpp"

#include "emit/operand_words.hpp"

namespace coopc::emit {

using namespace frontend;

Id InstructionWriter::glsl450() {
  if (!glsl450_) glsl450_ = b.extInstSet("GLSL.std.450");
  return glsl450_;
}

Id InstructionWriter::ext(uint32_t instruction, NamedId typeId, std::initializer_list<Word> operands) {
  OperandWords words(*this);
  words.push(glsl450());
  words.push(instruction);
  for (const Word w : operands) words.push(w);
  return op(spv::Op::OpExtInst, typeId, words.span());
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
  Word words[6] = {vector, vector};
  for (uint32_t i = 0; i < n; ++i) words[2 + i] = swizzleAt(swizzle, i);
  return op(spv::Op::OpVectorShuffle, basicType(s, n), Words{words, 2 + n});
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
  opVoid(spv::Op::OpLine, {index, r.line, r.column});
  if (module.debug != nullptr) module.debug->line(r.file, r.physicalLine, r.column);
}

}  // namespace coopc::emit
