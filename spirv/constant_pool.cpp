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
  for (uint32_t n = 0; n < module_.functionsAt; ++n) {
    const Instruction& i = module_.instructions[n];
    if (!isConstantOp(i.op()) && i.op() != spv::Op::OpUndef) continue;
    const uint32_t* words = module_.at(i) + 3;
    const size_t count = i.length - 3u;
    const uint32_t hash = hashConstant(i.op(), i.type, words, count);
    // Keeps the first of equal constants only; each further one would be compared with all before it.
    if (!find(hash, i.op(), i.type, words, count)) add(hash, i.result);
  }
}

void ConstantPool::prepareTypes() {
  typesPrepared_ = true;
  for (uint32_t n = 0; n < module_.functionsAt; ++n) {
    const Instruction& i = module_.instructions[n];
    if (!i.result || i.type || i.length < 2) continue;
    const uint32_t* words = module_.at(i) + 2;
    const size_t count = i.length - 2u;
    const uint32_t hash = hashConstant(i.op(), kNoId, words, count);
    if (!findType(hash, i.op(), words, count)) add(hash, i.result);
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

Id ConstantPool::find(uint32_t hash, spv::Op op, Id type, const void* words, size_t n) const {
  for (size_t k = hash & (slots_.size() - 1); slots_[k].id; k = (k + 1) & (slots_.size() - 1)) {
    if (slots_[k].hash != hash) continue;
    const Instruction* i = def(slots_[k].id);
    if (i == nullptr || i->op() != op || i->type != type || i->length != n + 3) continue;
    if (n == 0 || std::memcmp(module_.at(*i) + 3, words, n * 4) == 0) return i->result;
  }
  return {};
}

Id ConstantPool::findType(uint32_t hash, spv::Op op, const void* words, size_t n) const {
  for (size_t k = hash & (slots_.size() - 1); slots_[k].id; k = (k + 1) & (slots_.size() - 1)) {
    if (slots_[k].hash != hash) continue;
    const Instruction* i = def(slots_[k].id);
    if (i != nullptr && i->op() == op && i->length == n + 2 &&
        (n == 0 || std::memcmp(module_.at(*i) + 2, words, n * 4) == 0))
      return i->result;
  }
  return {};
}

Id ConstantPool::constant(spv::Op op, Id type, Operands words) {
  if (!prepared_) prepare();
  const uint32_t hash = hashConstant(op, type, words.data(), words.size());
  if (const Id found = find(hash, op, type, words.data(), words.size())) return found;
  const Id id = module_.newId();
  if (!id) return {};
  made_.push_back(module_.make(op, type, id, words));
  if (madeAt_.size() <= id.index()) madeAt_.resize(id.index() + 1, 0);
  madeAt_[id.index()] = uint32_t(made_.size());
  add(hash, id);
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

Id ConstantPool::type(spv::Op op, Operands words) {
  if (!prepared_) prepare();
  const uint32_t hash = hashConstant(op, kNoId, words.data(), words.size());
  if (types_ == Types::Stay && !typesPrepared_) prepareTypes();
  if (const Id found = findType(hash, op, words.data(), words.size())) return found;
  // A type that passes may change in place is added to the table when it is first needed.
  for (uint32_t n = 0; n < module_.functionsAt && types_ == Types::Change; ++n) {
    const Instruction& i = module_.instructions[n];
    if (i.op() != op || i.length != words.size() + 2 ||
        (!words.empty() && std::memcmp(module_.at(i) + 2, words.data(), words.size() * 4) != 0))
      continue;
    add(hash, i.result);
    return i.result;
  }
  const Id id = module_.newId();
  if (!id) return {};
  made_.push_back(module_.make(op, kNoId, id, words));
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
