// Interned constants: equal values, and structurally equal expressions of the same specialization constants,
// have equal ids, so that types with such parameters are compared symbolically (decision 18).
#include <algorithm>

#include "frontend/program/interning.hpp"
#include "frontend/program/program.hpp"

namespace coopc::frontend {
namespace {

uint64_t hashConstant(const Constant& c, std::span<const ConstId> operands) {
  uint64_t h = mixHash(static_cast<uint64_t>(c.kind) << 56 | static_cast<uint64_t>(c.op) << 48 |
                           static_cast<uint64_t>(c.sub) << 32 | c.type.index(),
                       c.bits);
  for (const ConstId operand : operands) h = mixHash(h, operand.index());
  return h;
}

constexpr size_t kInitialSlots = 256;

}  // namespace

Constants::Constants() : nodes_(1), table_(kInitialSlots, 0) {}

ConstId Constants::scalar(TypeId type, uint64_t bits) {
  Constant c;
  c.kind = ConstKind::Scalar;
  c.type = type;
  c.bits = bits;
  return intern(c, {});
}

ConstId Constants::composite(TypeId type, std::span<const ConstId> parts) {
  Constant c;
  c.kind = ConstKind::Composite;
  c.type = type;
  return intern(c, parts);
}

ConstId Constants::null(TypeId type) {
  if (isScalarType(type)) return scalar(type, 0);
  Constant c;
  c.kind = ConstKind::Null;
  c.type = type;
  return intern(c, {});
}

ConstId Constants::spec(TypeId type, uint64_t defaultBits, VarId declaration) {
  Constant c;
  c.kind = ConstKind::Spec;
  c.isSpec = true;
  c.type = type;
  c.bits = defaultBits;
  c.first = declaration.index();
  return nodes_.add(c);
}

ConstId Constants::specOp(ExprOp op, TypeId type, std::span<const ConstId> operands, uint64_t literal,
                          uint16_t sub) {
  Constant c;
  c.kind = ConstKind::SpecOp;
  c.op = op;
  c.isSpec = true;
  c.type = type;
  c.bits = literal;
  c.sub = sub;
  return intern(c, operands);
}

ConstId Constants::intern(const Constant& node, std::span<const ConstId> operands) {
  size_t slot = 0;
  const uint32_t found = findInterned(
      table_, hashConstant(node, operands),
      [&](uint32_t i) {
        const Constant& other = nodes_[ConstId(i)];
        return other.kind == node.kind && other.op == node.op && other.sub == node.sub &&
               other.type == node.type && other.bits == node.bits && other.count == operands.size() &&
               std::equal(operands.begin(), operands.end(), pool_.begin() + other.first);
      },
      slot);
  if (found != kNoSlot) return ConstId(found);
  Constant stored = node;
  stored.first = static_cast<uint32_t>(pool_.size());
  stored.count = static_cast<uint32_t>(operands.size());
  for (ConstId o : operands) stored.isSpec = stored.isSpec || nodes_[o].isSpec;
  // `operands` may be a span into the pool, as operands() returns it. Growing the pool would leave it
  // dangling, so it is then copied by index.
  const ConstId* data = operands.data();
  if (data >= pool_.data() && data < pool_.data() + pool_.size()) {
    const size_t from = static_cast<size_t>(data - pool_.data());
    pool_.resize(pool_.size() + operands.size());
    std::copy_n(pool_.begin() + static_cast<std::ptrdiff_t>(from), operands.size(),
                pool_.begin() + stored.first);
  } else {
    pool_.insert(pool_.end(), operands.begin(), operands.end());
  }
  const ConstId id = nodes_.add(stored);
  table_[slot] = id.index() + 1;
  if (nodes_.size() * 2 > table_.size())
    growInterned(table_, [&](uint32_t i) {
      const Constant& c = nodes_[ConstId(i)];
      return hashConstant(c, {pool_.data() + c.first, c.count});
    });
  return id;
}

}  // namespace coopc::frontend
