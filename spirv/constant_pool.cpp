// A hash table over the constants before the functions, and over those made since.
#include "spirv/constant_pool.hpp"

#include <cstring>

#include "spirv/instructions.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv {

namespace {

uint32_t hashConstant(spv::Op op, Id type, const auto* words, size_t n) {
  uint32_t hash = hashWord(hashWord(uint32_t(n), uint32_t(op)), type.index());
  for (size_t k = 0; k < n; ++k) hash = hashWord(hash, words[k]);
  return hash;
}

}  // namespace

void ConstantPool::prepare() {
  prepared_ = true;
  slots_.assign(256, {});
  std::vector<Word> words;
  for (uint32_t n = 0; n < module_.functionsAt; ++n) {
    const Instruction& i = module_.instructions[n];
    if (!isConstantOp(i.op()) && i.op() != spv::Op::OpUndef) continue;
    // Of equal ones the first is found, and the others would make every search longer.
    words.assign(module_.at(i) + 3, module_.at(i) + i.length);
    if (!find(i.op(), i.type, words)) add(hashConstant(i.op(), i.type, words.data(), words.size()), i.result);
  }
}

void ConstantPool::add(uint32_t hash, Id id) {
  if ((used_ + 1) * 2 > slots_.size()) {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (!slot.id) continue;
      size_t k = slot.hash & (slots_.size() - 1);
      while (slots_[k].id) k = (k + 1) & (slots_.size() - 1);
      slots_[k] = slot;
    }
  }
  size_t k = hash & (slots_.size() - 1);
  while (slots_[k].id) k = (k + 1) & (slots_.size() - 1);
  slots_[k] = {hash, id};
  ++used_;
}

Id ConstantPool::find(spv::Op op, Id type, Operands words) {
  const uint32_t hash = hashConstant(op, type, words.data(), words.size());
  for (size_t k = hash & (slots_.size() - 1); slots_[k].id; k = (k + 1) & (slots_.size() - 1)) {
    if (slots_[k].hash != hash) continue;
    const Instruction* i = def(slots_[k].id);
    if (i == nullptr || i->op() != op || i->type != type || i->length != words.size() + 3) continue;
    if (words.empty() || std::memcmp(module_.at(*i) + 3, words.data(), words.size() * 4) == 0)
      return i->result;
  }
  return {};
}

Id ConstantPool::findType(spv::Op op, Operands words) {
  const uint32_t hash = hashConstant(op, kNoId, words.data(), words.size());
  for (size_t k = hash & (slots_.size() - 1); slots_[k].id; k = (k + 1) & (slots_.size() - 1)) {
    if (slots_[k].hash != hash) continue;
    const Instruction* i = def(slots_[k].id);
    if (i != nullptr && i->op() == op && i->length == words.size() + 2 &&
        (words.empty() || std::memcmp(module_.at(*i) + 2, words.data(), words.size() * 4) == 0))
      return i->result;
  }
  return {};
}

Id ConstantPool::constant(spv::Op op, Id type, Operands words) {
  if (!prepared_) prepare();
  if (const Id found = find(op, type, words)) return found;
  const Id id = module_.newId();
  if (!id) return {};
  made_.push_back(module_.make(op, type, id, words));
  if (madeAt_.size() <= id.index()) madeAt_.resize(id.index() + 1, 0);
  madeAt_[id.index()] = uint32_t(made_.size());
  add(hashConstant(op, type, words.data(), words.size()), id);
  return id;
}

Id ConstantPool::scalar(Id type, uint64_t bits) {
  const Instruction* t = def(type);
  if (t == nullptr) return {};
  const uint32_t width = as<op::NumberType>(module_, *t).width();
  if (width == 0 || width > 64) return {};
  Word words[2];
  if (width < 32) {
    // Narrow literals: sign-extended for signed integers, else zero in the high bits (SPIR-V 2.2.1).
    const uint32_t mask = (1u << width) - 1;
    uint32_t value = uint32_t(bits) & mask;
    if (as<op::TypeInt>(module_, *t).signedness() != 0 && (value >> (width - 1)) != 0) value |= ~mask;
    words[0] = value;
  } else {
    words[0] = uint32_t(bits);
    words[1] = uint32_t(width == 64 ? bits >> 32 : bits >> 32 & ((uint64_t(1) << (width - 32)) - 1));
  }
  return constant(spv::Op::OpConstant, type, Operands(words, width > 32 ? 2 : 1));
}

Id ConstantPool::type(spv::Op op, std::initializer_list<Word> operands) {
  if (!prepared_) prepare();
  const Operands words(operands.begin(), operands.size());
  if (const Id found = findType(op, words)) return found;
  const uint32_t hash = hashConstant(op, kNoId, words.data(), words.size());
  // Not in the table until it is asked for, as passes change types in place.
  for (uint32_t n = 0; n < module_.functionsAt; ++n) {
    const Instruction& i = module_.instructions[n];
    if (i.op() != op || i.length != words.size() + 2 ||
        (!words.empty() && std::memcmp(module_.at(i) + 2, words.data(), words.size() * 4) != 0))
      continue;
    add(hash, i.result);
    return i.result;
  }
  const Id id = module_.newId();
  if (!id) return {};
  made_.push_back(module_.make(op, kNoId, id, operands));
  if (madeAt_.size() <= id.index()) madeAt_.resize(id.index() + 1, 0);
  madeAt_[id.index()] = uint32_t(made_.size());
  add(hash, id);
  return id;
}

bool ConstantPool::insert() {
  if (made_.empty()) return false;
  module_.instructions.insert(module_.instructions.begin() + module_.functionsAt, made_.begin(), made_.end());
  made_.clear();
  madeAt_.clear();
  return true;
}

bool ConstantPool::flush() {
  if (!insert()) return false;
  module_.reindex();
  return true;
}

void ConstantPool::flushAndCompact() {
  insert();
  module_.compact();
}

}  // namespace coopc::spirv
