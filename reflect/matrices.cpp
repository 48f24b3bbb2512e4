// Reflects how the module uses cooperative matrices, cooperative vectors and tensors: products by their
// types, and decode functions by the blocks that they decode.
#include <algorithm>
#include <tuple>

#include "reflect/reflector.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::reflecting {

using spv::Op;
namespace enums = spirv::enums;

namespace {

auto key(const ReflectedNumber& n) { return std::tie(n.known, n.value, n.specialized, n.specId); }

bool same(const ReflectedNumber& a, const ReflectedNumber& b) { return key(a) == key(b); }

bool same(const std::vector<ReflectedNumber>& a, const std::vector<ReflectedNumber>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ReflectedNumber& x, const ReflectedNumber& y) { return same(x, y); });
}

// A limit on the kinds that are kept, for hostile modules; llama.cpp's shaders have at most a few dozen.
constexpr size_t kMaxKinds = 4096;

// Adds an item to `all`, or increments the count of the equal one.
template <class T, class Same>
void count(std::vector<T>& all, T one, Same&& equal) {
  for (T& other : all) {
    if (!equal(other, one)) continue;
    ++other.instructions;
    return;
  }
  one.instructions = 1;
  if (all.size() < kMaxKinds) all.push_back(std::move(one));
}

}  // namespace

void Reflector::reflectMatrices() {
  collectLayoutSources();
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    switch (i.op()) {
      case Op::OpCooperativeMatrixMulAddKHR:
      case Op::OpCooperativeMatrixMulAddNV: multiplyAdd(i); break;
      case Op::OpCooperativeVectorMatrixMulNV:
      case Op::OpCooperativeVectorMatrixMulAddNV: vectorMultiply(i); break;
      case Op::OpCooperativeMatrixLoadTensorNV: {
        const auto addressing = op::CooperativeMatrixLoadTensorNV(m_, i).tensorAddressingOperands();
        if (addressing.decodeFunction) decode(i, addressing.decodeFunction, false);
        if (addressing.decodeVectorFunction) decode(i, addressing.decodeVectorFunction, true);
        break;
      }
      default: break;
    }
  }
}

void Reflector::multiplyAdd(const Instruction& i) {
  const op::AnyMulAdd mulAdd(m_, i);
  const ReflectedType *a = typeOf(mulAdd.a()), *b = typeOf(mulAdd.b()), *c = typeOf(mulAdd.c()),
                      *r = type(typeIndex(i.type));
  for (const ReflectedType* t : {a, b, c, r}) {
    if (t == nullptr || t->kind != ReflectedTypeKind::CooperativeMatrix) return;
  }
  ReflectedMultiplyAdd x;
  x.m = a->rows;
  x.k = a->columns;
  x.n = b->columns;
  x.scope = r->scope;
  x.a = componentName(a->element);
  x.b = componentName(b->element);
  x.c = componentName(c->element);
  x.result = componentName(r->element);
  x.operands = uint32_t(mulAdd.cooperativeMatrixOperands());
  count(out_.multiplyAdds, std::move(x), [](const auto& p, const auto& q) {
    return same(p.m, q.m) && same(p.n, q.n) && same(p.k, q.k) && same(p.scope, q.scope) &&
           std::tie(p.a, p.b, p.c, p.result, p.operands) == std::tie(q.a, q.b, q.c, q.result, q.operands);
  });
}

void Reflector::vectorMultiply(const Instruction& i) {
  const op::VectorProduct product(m_, i);
  ReflectedVectorMultiply x;
  x.input = componentName(typeIndex(m_.typeOf(product.input())));
  x.result = componentName(typeIndex(i.type));
  x.inputInterpretation = number(product.inputInterpretation());
  x.matrixInterpretation = number(product.matrixInterpretation());
  if (product.hasBias()) x.biasInterpretation = number(product.biasInterpretation());
  x.m = number(product.m());
  x.k = number(product.k());
  x.layout = number(product.memoryLayout());
  x.transpose = number(product.transpose());
  count(out_.vectorMultiplies, std::move(x), [](const auto& p, const auto& q) {
    return p.input == q.input && p.result == q.result && same(p.inputInterpretation, q.inputInterpretation) &&
           same(p.matrixInterpretation, q.matrixInterpretation) &&
           same(p.biasInterpretation, q.biasInterpretation) && same(p.m, q.m) && same(p.k, q.k) &&
           same(p.layout, q.layout) && same(p.transpose, q.transpose);
  });
}

void Reflector::decode(const Instruction& i, Id function, bool vector) {
  ReflectedDecode x;
  x.function = function.index();
  x.name = name(function);
  x.vector = vector;
  x.matrix = typeIndex(i.type);
  x.blockSizes = blockSizes(op::CooperativeMatrixLoadTensorNV(m_, i).tensorLayout());
  count(out_.decodes, std::move(x), [](const auto& p, const auto& q) {
    return p.function == q.function && p.vector == q.vector && p.matrix == q.matrix &&
           std::equal(p.blockSizes.begin(), p.blockSizes.end(), q.blockSizes.begin(), q.blockSizes.end(),
                      [](const auto& u, const auto& v) { return same(u, v); });
  });
}

// Finds the sources of tensor layouts besides the operands of their own instruction: stores for variables,
// call arguments for parameters, return statements for calls.
void Reflector::collectLayoutSources() {
  const auto isLayout = [&](Id id) {
    const ReflectedType* t = typeOf(id);
    return t != nullptr && t->kind == ReflectedTypeKind::TensorLayout;
  };
  std::unordered_map<Id, std::vector<Id>> parameters;  // by function
  Id function;
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() == Op::OpFunction) function = i.result;
    if (i.op() == Op::OpFunctionParameter) parameters[function].push_back(i.result);
  }
  const auto add = [&](Id to, Id from) {
    if (to != from) layoutSources_[to].push_back(from);
  };
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() == Op::OpFunction) function = i.result;
    if (const auto store = as<op::Store>(m_, i); store && isLayout(store.object()))
      add(store.pointer(), store.object());
    if (const auto returned = as<op::ReturnValue>(m_, i); returned && isLayout(returned.value()))
      add(function, returned.value());
    const auto call = as<op::FunctionCall>(m_, i);
    if (!call) continue;
    const std::vector<Id>& to = parameters[call.function()];
    const spirv::IdRange arguments = call.arguments();
    for (uint32_t k = 0; k < to.size() && k < arguments.size(); ++k) {
      // A pointer passes on the layout that it points to.
      const ReflectedType* t = typeOf(arguments[k]);
      const bool pointer = t != nullptr && t->kind == ReflectedTypeKind::Pointer;
      if (!pointer && !isLayout(arguments[k])) continue;
      add(to[k], arguments[k]);
      if (pointer) add(arguments[k], to[k]);  // the callee may store through it
    }
  }
}

void Reflector::layoutSources(const Instruction& i, std::vector<Id>& next) const {
  switch (i.op()) {
    case Op::OpTensorLayoutSetDimensionNV:
    case Op::OpTensorLayoutSetStrideNV:
    case Op::OpTensorLayoutSliceNV:
    case Op::OpTensorLayoutSetClampValueNV: next.push_back(op::TensorOperation(m_, i).tensor()); break;
    case Op::OpCopyObject: next.push_back(op::CopyObject(m_, i).operand()); break;
    case Op::OpLoad: next.push_back(op::Load(m_, i).pointer()); break;
    case Op::OpFunctionCall: next.push_back(op::FunctionCall(m_, i).function()); break;
    case Op::OpPhi:
      for (const auto [value, block] : op::Phi(m_, i).incoming()) next.push_back(value);
      break;
    case Op::OpSelect: {
      const op::Select select(m_, i);
      next.push_back(select.object1());
      next.push_back(select.object2());
      break;
    }
    default: break;
  }
  const auto more = layoutSources_.find(i.result);
  if (more != layoutSources_.end()) next.insert(next.end(), more->second.begin(), more->second.end());
}

std::vector<std::vector<ReflectedNumber>> Reflector::blockSizes(Id layout) const {
  constexpr size_t kMaxVisited = 1000, kMaxSizes = 64;  // limits for hostile modules
  std::vector<std::vector<ReflectedNumber>> sizes;
  const auto add = [&](std::vector<ReflectedNumber> one) {
    for (const auto& other : sizes) {
      if (same(other, one)) return;
    }
    sizes.push_back(std::move(one));
  };
  IdSet visited;
  std::vector<Id> pending{layout};
  while (!pending.empty()) {
    const Id id = pending.back();
    pending.pop_back();
    if (!visited.insert(id).second) continue;
    const Instruction* i = m_.def(id);
    if (i == nullptr || visited.size() > kMaxVisited || sizes.size() > kMaxSizes) return {};
    if (const auto set = as<op::TensorLayoutSetBlockSizeNV>(m_, *i)) {
      std::vector<ReflectedNumber> one;
      for (const Id size : set.blockSize()) one.push_back(number(size));
      add(std::move(one));
    } else if (i->op() == Op::OpCreateTensorLayoutNV) {
      // Without a block size, a layout has blocks of one element (SPV_NV_tensor_addressing).
      const ReflectedType* t = typeOf(id);
      const uint64_t dimensions =
          t != nullptr && t->dimensions.known ? std::min<uint64_t>(t->dimensions.value, 5) : 0;
      add(std::vector<ReflectedNumber>(dimensions, ReflectedNumber{true, false, 1, kNotReflected}));
    } else {
      layoutSources(*i, pending);
    }
  }
  return sizes;
}

}  // namespace coopc::reflecting
