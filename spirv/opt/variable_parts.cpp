// Finds the accesses to local variables, and decides which parts are values and which stay in memory.
#include "spirv/opt/variable_parts.hpp"

#include <optional>

#include "spirv/composites.hpp"
#include "spirv/instructions.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv {
namespace {

constexpr uint32_t kMaxParts = 128;      // in one split
constexpr uint32_t kMaxTreeNodes = 512;  // of one variable

bool isVolatile(const Module& m, const Instruction& i) { return memoryOperandsOf(m.wordsOf(i)).isVolatile(); }

}  // namespace

uint32_t VariableParts::addAccess(Id pointer, const VariableAccess& access) {
  accessOf_[pointer.index()] = uint32_t(accesses_.size());
  accesses_.push_back(access);
  return accessOf_[pointer.index()];
}

void VariableParts::analyze(const Instruction& i, uint32_t n) {
  switch (i.op()) {
    case spv::Op::OpVariable: {
      const op::Variable variable(m_, i);
      const auto pointer = as<op::TypePointer>(m_, i.type);
      if (variable.storageClass() != spv::StorageClass::Function || !pointer) {
        return pin(i);
      }
      LocalVariable v;
      v.instruction = n;
      v.root = uint32_t(nodes_.size());
      v.nodes = 1;
      v.initializer = variable.initializer();
      VariableNode root;
      root.type = pointer.type();
      root.variable = uint32_t(variables_.size());
      nodes_.push_back(root);
      variables_.push_back(v);
      VariableAccess access;
      access.node = v.root;
      addAccess(i.result, access);
      return;
    }
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (accessTo(op::AnyAccessChain(m_, i).base()) != nullptr) return chain(i);
      return pin(i);
    case spv::Op::OpLoad:
      if (const VariableAccess* a = accessTo(op::Load(m_, i).pointer())) {
        if (isVolatile(m_, i) || typeOf(*a) != i.type) nodes_[a->node].memory = true;
        return;
      }
      return;
    case spv::Op::OpStore: {
      const op::Store store(m_, i);
      pinId(store.object());
      if (const VariableAccess* a = accessTo(store.pointer())) {
        if (isVolatile(m_, i) || typeOf(*a) != m_.typeOf(store.object())) nodes_[a->node].memory = true;
      }
      return;
    }
    default: return pin(i);
  }
}

// Any other use needs a real pointer: the part stays in memory.
void VariableParts::pin(const Instruction& i) {
  // A shortcut for arithmetic, which is frequent: its operands are all ids, of numbers in a valid module.
  if (isBetween(i.op(), spv::Op::OpSNegate, spv::Op::OpNot)) {
    for (const Id operand : op::Value(m_, i).operands()) pinId(operand);
    return;
  }
  m_.forEachUse(i, [&](Id id) { pinId(id); });
}
void VariableParts::pinId(Id id) {
  if (const VariableAccess* a = accessTo(id)) nodes_[a->node].memory = true;
}

std::optional<uint32_t> VariableParts::constantIndex(Id id) const {
  const Instruction* i = m_.def(id);
  if (i == nullptr) return std::nullopt;
  if (i->op() == spv::Op::OpConstantNull) return 0;
  const auto constant = as<op::Constant>(m_, *i);
  if (!constant || constant.value64() != constant.value()) return std::nullopt;
  return constant.value();
}

// The number of parts into which a type can be split; 0 if it cannot be.
uint32_t VariableParts::partCount(Id type) const {
  const Instruction* t = m_.def(type);
  if (t == nullptr) return 0;
  if (const auto structure = as<op::TypeStruct>(m_, *t)) return structure.memberTypes().size();
  if (const auto array = as<op::TypeArray>(m_, *t)) {
    return constantIndex(array.length()).value_or(0);
  }
  return 0;
}

void VariableParts::chain(const Instruction& i) {
  VariableAccess access = *accessTo(op::AnyAccessChain(m_, i).base());
  bool whole = access.tailLength == 0;
  for (const Id id : op::AnyAccessChain(m_, i).indexes()) {
    pinId(id);
    const std::optional<uint32_t> index = whole ? constantIndex(id) : std::nullopt;
    if (index && split(access.node) && *index < nodes_[access.node].childCount) {
      access.node = nodes_[access.node].children + *index;
      continue;
    }
    whole = false;
    if (access.tailLength == VariableAccess::kMaxTail) {
      nodes_[access.node].memory = true;
      break;
    }
    access.tail[access.tailLength++] = id.index();
  }
  if (!whole && !tailIsValue(access)) nodes_[access.node].memory = true;
  addAccess(i.result, access);
  chainIds_.push_back(i.result);
}

// Whether the indices below the node select parts of a value: components of vectors by any index, columns and
// components of matrices by constant ones.
bool VariableParts::tailIsValue(const VariableAccess& access) const {
  const Instruction* t = m_.def(nodes_[access.node].type);
  if (t == nullptr) return false;
  const auto isBelow = [&](uint32_t n, uint32_t count, bool ifUnknown) {
    const std::optional<uint32_t> index = constantIndex(Id(access.tail[n]));
    return index ? *index < count : ifUnknown;
  };
  if (const auto vector = as<op::TypeVector>(m_, *t))
    return access.tailLength == 1 && isBelow(0, vector.componentCount(), true);
  const auto matrix = as<op::TypeMatrix>(m_, *t);
  if (!matrix || access.tailLength > 2) return false;
  if (!isBelow(0, matrix.columnCount(), false)) return false;
  if (access.tailLength == 1) return true;
  const auto column = as<op::TypeVector>(m_, matrix.columnType());
  return isBelow(1, column.componentCount(), false);
}

// Makes a node's parts; false if it has none or too many.
bool VariableParts::split(uint32_t node) {
  if (nodes_[node].children != kNone) return true;
  LocalVariable& v = variables_[nodes_[node].variable];
  const uint32_t count = partCount(nodes_[node].type);
  if (count == 0 || count > kMaxParts || v.nodes + count > kMaxTreeNodes || nodes_[node].depth >= kMaxDepth) {
    return false;
  }
  v.nodes += count;
  const uint32_t first = uint32_t(nodes_.size());
  for (uint32_t k = 0; k < count; ++k) {
    VariableNode child;
    child.type = partType(m_, m_.def(nodes_[node].type), k);
    child.parent = node;
    child.index = k;
    child.depth = nodes_[node].depth + 1;
    child.variable = nodes_[node].variable;
    nodes_.push_back(child);
  }
  nodes_[node].children = first;
  nodes_[node].childCount = count;
  return true;
}

// The type to which an access points.
Id VariableParts::typeOf(const VariableAccess& access) const {
  Id type = nodes_[access.node].type;
  for (uint32_t k = 0; k < access.tailLength; ++k) {
    type = partType(m_, m_.def(type), constantIndex(Id(access.tail[k])));
    if (!type) return {};
  }
  return type;
}

void VariableParts::assignLeaves() {
  slots_.clear();
  anySplit_ = false;
  for (VariableNode& node : nodes_) node.slot = kNone;
  for (const LocalVariable& v : variables_) {
    VariableNode& root = nodes_[v.root];
    if (v.initializer && !root.memory && hasMemory(v.root)) root.memory = true;
    if (root.memory) continue;
    if (root.children != kNone) anySplit_ = true;
    addSlots(v.root);
  }
}

bool VariableParts::hasMemory(uint32_t node) const {
  if (nodes_[node].memory) return true;
  for (uint32_t k = 0; k < nodes_[node].childCount; ++k) {
    if (hasMemory(nodes_[node].children + k)) return true;
  }
  return false;
}

// Depth is bounded by kMaxDepth.
void VariableParts::addSlots(uint32_t node) {
  if (nodes_[node].memory) return;
  if (nodes_[node].children == kNone) {
    nodes_[node].slot = uint32_t(slots_.size());
    slots_.push_back(node);
    return;
  }
  for (uint32_t k = 0; k < nodes_[node].childCount; ++k) addSlots(nodes_[node].children + k);
}

void VariableParts::forget() {
  for (const LocalVariable& v : variables_) accessOf_[m_.instructions[v.instruction].result.index()] = kNone;
  for (const Id id : chainIds_) accessOf_[id.index()] = kNone;
  chainIds_.clear();
  variables_.clear();
  nodes_.clear();
  accesses_.clear();
}

}  // namespace coopc::spirv
