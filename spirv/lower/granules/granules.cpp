// Matrices of sizes and scopes that a device lacks become arrays of matrices that it has (granules), spread over subgroups as
// the granule plan says. A matrix type becomes, in place, an array of the granules that one subgroup holds; variables,
// parameters and structures stay as they are. Values are lists of granules: loads and stores of variables go granule by
// granule, with constant indices, so that spirv/opt/variables.cpp can take such arrays apart.
//
// A matrix phi becomes a phi of each granule. If one of its values is an array that was made elsewhere, it becomes a variable first.
#include "spirv/lower/granules/granules.hpp"

#include <algorithm>
#include <iterator>

#include "spirv/conversions.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/opt/cfg.hpp"
#include "spirv/opt/passes.hpp"

namespace coopc::spirv::lower {

namespace {

// Removes phis of matrices that only phis use. (Dead code as a whole is not removed here, because functions
// without a caller are what other passes have left for this one.)
void removeDeadPhis(Module& m) {
  std::vector<bool> live(m.bound);
  std::vector<Id> open;
  const auto use = [&](Id id) {
    if (id.index() >= live.size() || live[id.index()] || m.opOf(id) != spv::Op::OpPhi) return;
    live[id.index()] = true;
    open.push_back(id);
  };
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (i.op() != spv::Op::OpPhi) m.forEachUse(i, [&](Id id) { use(id); });
  }
  while (!open.empty()) {
    const Instruction& phi = *m.def(open.back());
    open.pop_back();
    m.forEachUse(phi, [&](Id id) { use(id); });
  }
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    Instruction& i = m.instructions[n];
    if (i.op() == spv::Op::OpPhi && !live[i.result.index()] &&
        m.opOf(i.type) == spv::Op::OpTypeCooperativeMatrixKHR)
      i.opcode = uint16_t(spv::Op::OpNop);
  }
  m.compact();
}

// Per-element operations whose functions ignore the element get an undefined matrix. Otherwise a matrix that
// such a function loads in a loop would depend on its value in the previous iteration.
void dropIgnoredElements(Module& m) {
  std::vector<bool> called(m.bound), ignores(m.bound);  // by function
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto call = as<op::CooperativeMatrixPerElementOpNV>(m, i)) called[call.func().index()] = true;
  }
  Id function, element;
  uint32_t parameters = 0;
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    if (i.op() == spv::Op::OpFunction) {
      function = i.result;
      element = {};
      parameters = 0;
    }
    if (!function || !called[function.index()]) continue;
    if (i.op() == spv::Op::OpFunctionParameter) {
      if (++parameters != 3) continue;
      element = i.result;
      ignores[function.index()] = true;
    } else if (element) {
      m.forEachUse(i, [&](IdWord id) {
        if (Id(id) == element) ignores[function.index()] = false;
      });
    }
  }
  ConstantPool pool(m);
  bool changed = false;
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction i = m.instructions[n];
    const auto call = as<op::CooperativeMatrixPerElementOpNV>(m, i);
    if (!call || !ignores[call.func().index()]) continue;
    const Id nothing = pool.undef(i.type);
    if (!nothing) return;
    m.setIdAt(m.instructions[n], 3, nothing);
    changed = true;
  }
  if (!changed) return;
  pool.flushAndCompact();
  removeDeadPhis(m);
}

// Whether a matrix is not known by its granules: what a function returns or gets, and what a structure contains.
bool isMadeElsewhere(const Module& m, Id matrix) {
  switch (m.opOf(matrix)) {
    case spv::Op::OpPhi:
    case spv::Op::OpLoad:
    case spv::Op::OpUndef:
    case spv::Op::OpConstantNull:
    case spv::Op::OpConstantComposite:
    case spv::Op::OpCooperativeMatrixLoadKHR:
    case spv::Op::OpCooperativeMatrixMulAddKHR:
    case spv::Op::OpCooperativeMatrixPerElementOpNV: return false;
    default: return true;
  }
}

// Turns phis of matrices that are made elsewhere into variables: stored at the end of each predecessor, and loaded in place of the
// phi.
void phisToVariables(Module& m) {
  struct Stored {
    Id block, variable, value;
  };
  const auto isMatrixPhi = [&](const Instruction& i) {
    if (i.op() != spv::Op::OpPhi || m.opOf(i.type) != spv::Op::OpTypeCooperativeMatrixKHR) return false;
    for (const auto [value, parent] : op::Phi(m, i).incoming()) {
      if (isMadeElsewhere(m, value)) return true;
    }
    return false;
  };
  if (std::none_of(m.instructions.begin() + m.functionsAt, m.instructions.end(), isMatrixPhi)) return;
  ConstantPool pool(m);
  std::vector<Instruction> out(m.instructions.begin(), m.instructions.begin() + m.functionsAt);
  for (uint32_t begin = m.functionsAt; begin < m.instructions.size();) {
    uint32_t end = begin + 1;
    while (end < m.instructions.size() && m.instructions[end - 1].op() != spv::Op::OpFunctionEnd) ++end;
    std::vector<Stored> stores;
    std::vector<Instruction> variables;
    std::vector<std::pair<Id, Id>> byPhi;
    for (uint32_t n = begin; n < end; ++n) {
      const Instruction i = m.instructions[n];
      if (!isMatrixPhi(i)) continue;
      const Id pointer = pool.typePointer(spv::StorageClass::Function, i.type), variable = m.newId();
      variables.push_back(m.make(spv::Op::OpVariable, pointer, variable, {spv::StorageClass::Function}));
      byPhi.push_back({i.result, variable});
      for (const auto [value, parent] : op::Phi(m, i).incoming()) stores.push_back({parent, variable, value});
    }
    Id block;
    bool first = true;
    std::vector<Instruction> loads;
    for (uint32_t n = begin; n < end; ++n) {
      const Instruction i = m.instructions[n];
      if (isMatrixPhi(i)) {
        const auto v =
            std::find_if(byPhi.begin(), byPhi.end(), [&](const auto& p) { return p.first == i.result; });
        const Id type = i.type, result = i.result, variable = v->second;
        loads.push_back(m.make(spv::Op::OpLoad, type, result, {variable}));
        continue;
      }
      const bool atHead = i.op() == spv::Op::OpPhi || i.op() == spv::Op::OpLine ||
                          i.op() == spv::Op::OpNoLine || i.op() == spv::Op::OpLabel;
      if (!atHead && !loads.empty()) {
        out.insert(out.end(), loads.begin(), loads.end());
        loads.clear();
      }
      const bool merges = i.op() == spv::Op::OpSelectionMerge || i.op() == spv::Op::OpLoopMerge;
      const spv::Op before = out.back().op();
      if (merges ||
          (isTerminator(i.op()) && before != spv::Op::OpSelectionMerge && before != spv::Op::OpLoopMerge)) {
        for (const Stored& s : stores) {
          if (s.block == block) out.push_back(m.make(spv::Op::OpStore, {s.variable, s.value}));
        }
      }
      out.push_back(i);
      if (i.op() != spv::Op::OpLabel) continue;
      block = i.result;
      if (first) out.insert(out.end(), variables.begin(), variables.end());
      first = false;
    }
    begin = end;
  }
  m.instructions.swap(out);
  m.reindex();
  pool.flushAndCompact();
}

// SPV_EXT_cooperative_matrix_maintenance1 transposes by a decoration of the conversion. This becomes the
// transposing opcode, which is what this pass handles; transposeByDecoration() and, for modules of
// SPV_NV_cooperative_matrix2, maintenance.cpp restore those that stay native.
void transposeByOpcode(Module& m, Report& report) {
  bool any = false;
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    Instruction& decoration = m.instructions[n];
    const auto decorate = as<op::Decorate>(m, decoration);
    if (!decorate || decorate.decoration() != enums::DecorationCooperativeMatrixTransposeEXT) continue;
    const Id result = decorate.target();
    decoration.opcode = uint16_t(spv::Op::OpNop);
    any = true;
    const Instruction* found = m.def(result);
    if (found == nullptr) continue;
    const Instruction i = *found;
    if (i.op() != enums::OpCooperativeMatrixConvertUseEXT)
      return report.refuse(Refusal::Unsupported, "a conversion of components that transposes");
    m.instructions[m.definitions[result.index()]] =
        m.make(enums::OpCooperativeMatrixTransposeNV, i.type, result,
               {op::CooperativeMatrixConvertUseEXT(m, i).matrix()});
  }
  if (any) m.compact();
}

}  // namespace

// --- Values -------------------------------------------------------------------------------------------------------------
Id Granules::native(const PlannedMatrix& type, Id component) {
  if (!type.lowered && component == type.is.component) return type.is.type;
  const Id scope = code_.u32(uint32_t(spv::Scope::Subgroup)), rows = code_.u32(type.granuleRows),
           columns = code_.u32(type.granuleColumns), use = code_.u32(uint32_t(type.is.use));
  // A matrix type of the module that stays unchanged is the same type, whichever constants it names.
  for (const PlannedMatrix& t : plan_.types) {
    if (!t.lowered && t.is.component == component && t.is.use == type.is.use &&
        t.is.rows == type.granuleRows && t.is.columns == type.granuleColumns)
      return t.is.type;
  }
  return code_.type(spv::Op::OpTypeCooperativeMatrixKHR, {component, scope, rows, columns, use});
}

Id Granules::splat(const PlannedMatrix& type, Id scalar) {
  const Id of = native(type), value = scalar;
  const Instruction* constant = code_.global(value);
  if (constant != nullptr && isConstantOp(constant->op())) {
    const Word word = value;
    return code_.constant(spv::Op::OpConstantComposite, of, Operands(&word, 1));
  }
  return code_.op(spv::Op::OpCompositeConstruct, of, {value});
}

// One granule of a constant matrix, or none.
Id Granules::constantParts(const Instruction& constant, const PlannedMatrix& type) {
  const Id of = native(type);
  switch (constant.op()) {
    case spv::Op::OpConstantNull: return code_.null(of);
    case spv::Op::OpUndef: return code_.undef(of);
    case spv::Op::OpConstantComposite:
    case spv::Op::OpConstantCompositeReplicateEXT:
      return splat(type, op::AnyComposite(m_, constant).constituents().front());
    case spv::Op::OpSpecConstantComposite:
    case spv::Op::OpSpecConstantCompositeReplicateEXT: {
      const Word word = op::AnyComposite(m_, constant).constituents().front();
      return code_.constant(spv::Op::OpSpecConstantComposite, of, Operands(&word, 1));
    }
    default: return {};
  }
}

Granules::Parts Granules::parts(Id value) {
  const PlannedMatrix& t = *matrixOf(value);
  if (!t.lowered) return {value};
  if (value.index() < values_.size() && !values_[value.index()].empty()) return values_[value.index()];
  const Instruction* i = m_.def(value);
  if (const Id constant = constantParts(*i, t)) return Parts(t.granules(), constant);
  // An array that was made elsewhere: a parameter, a call's result, a structure's member.
  const Id type = native(t);
  Parts result;
  for (uint32_t n = 0; n < t.granules(); ++n) result.push_back(code_.extract(type, value, {n}));
  return result;
}

Id Granules::whole(Id value) {
  if (value.index() >= values_.size() || values_[value.index()].empty()) return value;
  const Parts& p = values_[value.index()];
  const std::vector<Word> words(p.begin(), p.end());
  const Id type = m_.typeOf(value);
  return code_.op(spv::Op::OpCompositeConstruct, type, Operands(words));
}

void Granules::define(const Instruction& i, Parts parts) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  if (!t.lowered) return code_.opAs(spv::Op::OpCopyObject, i.type, i.result, {parts[0]});
  values_[i.result.index()] = std::move(parts);
}

// --- Instructions -------------------------------------------------------------------------------------------------------
// Instructions that take matrices component by component (SPV_KHR_cooperative_matrix, 3.42.11 and 3.42.13).
bool Granules::isElementwise(spv::Op op) const {
  return convertsComponents(op) || isBetween(op, spv::Op::OpSNegate, spv::Op::OpFDiv) ||
         op == spv::Op::OpMatrixTimesScalar || op == spv::Op::OpSelect || op == spv::Op::OpCopyObject;
}

// Whether the matrices that an instruction combines have the sizes, uses and scope that its rules require, as
// they do in a valid module.
bool Granules::fitsOperands(const Instruction& i) const {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const auto use = t.is.use;
  const auto is = [&](Id operand, uint32_t rows, uint32_t columns, spv::CooperativeMatrixUse wanted) {
    const PlannedMatrix* m = matrixOf(operand);
    return m != nullptr && m->is.scope == t.is.scope && m->is.rows == rows && m->is.columns == columns &&
           m->is.use == wanted;
  };
  const IdRange operands = op::Value(m_, i).operands();
  const PlannedMatrix* first = matrixOf(operands.front());
  switch (i.op()) {
    case spv::Op::OpCooperativeMatrixMulAddKHR: {
      const op::CooperativeMatrixMulAddKHR product(m_, i);
      return first != nullptr && use == spv::CooperativeMatrixUse::MatrixAccumulatorKHR &&
             is(product.a(), t.is.rows, first->is.columns, spv::CooperativeMatrixUse::MatrixAKHR) &&
             is(product.b(), first->is.columns, t.is.columns, spv::CooperativeMatrixUse::MatrixBKHR) &&
             is(product.c(), t.is.rows, t.is.columns, use);
    }
    case spv::Op::OpCooperativeMatrixReduceNV: {
      if (first == nullptr || first->is.scope != t.is.scope || first->is.use != use) return false;
      const auto mask = uint32_t(op::CooperativeMatrixReduceNV(m_, i).reduce());
      return mask == 1   ? first->is.rows == t.is.rows
             : mask == 2 ? first->is.columns == t.is.columns
             : mask == 4 ? first->is.rows == 2 * t.is.rows && first->is.columns == 2 * t.is.columns
                         : true;
    }
    case spv::Op::OpCooperativeMatrixTransposeNV:
      return first != nullptr &&
             is(op::CooperativeMatrixTransposeNV(m_, i).matrix(), t.is.columns, t.is.rows, first->is.use);
    default: break;
  }
  // An instruction with a single operand is a conversion, and its operand may have another use.
  for (const Id operand : operands) {
    const PlannedMatrix* m = matrixOf(operand);
    if (m != nullptr && !is(operand, t.is.rows, t.is.columns, operands.size() == 1 ? m->is.use : use))
      return false;
  }
  return i.op() != spv::Op::OpCooperativeMatrixPerElementOpNV || first != nullptr;
}

void Granules::phi(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const Id type = native(t);
  PhiOfGranules made{i, {}};
  Parts result;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    made.places.push_back(code_.phiLike(i, type));
    result.push_back(made.places.back().result);
  }
  phis_.push_back(std::move(made));
  define(i, std::move(result));
}

// Values that come from further back in a loop are known at the function's end.
void Granules::setPhiValues() {
  for (const PhiOfGranules& phi : phis_) {
    uint32_t predecessor = 0;
    for (const auto& [value, parent] : op::Phi(m_, phi.instruction).incoming()) {
      if (matrixOf(value) != matrixOf(phi.instruction.result))
        return refuse("a phi of matrices of different types");
      const Parts p = parts(value);
      for (uint32_t n = 0; n < phi.places.size(); ++n) code_.setPhiValue(phi.places[n], predecessor, p[n]);
      ++predecessor;
    }
  }
  phis_.clear();
}

void Granules::elementwise(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const Id type = native(t);
  std::vector<Parts> operands;
  for (const Id operand : op::Value(m_, i).operands())
    operands.push_back(matrixOf(operand) != nullptr ? parts(operand) : Parts(t.granules(), operand));
  Parts result;
  std::vector<Word> words, last;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    words.clear();
    for (const Parts& p : operands) words.push_back(p[n]);
    const bool same = n != 0 && std::equal(words.begin(), words.end(), last.begin(), last.end(),
                                           [](Word a, Word b) { return uint32_t(a) == uint32_t(b); });
    result.push_back(same ? result.back() : code_.op(i.op(), type, Operands(words)));
    last = words;
  }
  define(i, std::move(result));
}

// Composite instructions whose operands are or contain matrices.
bool Granules::rewriteComposite(const Instruction& i) {
  const PlannedMatrix* t = plan_.matrix(i.type);
  switch (i.op()) {
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeConstructReplicateEXT: {
      if (t == nullptr || !t->lowered) return false;
      define(i, Parts(t->granules(), splat(*t, op::AnyComposite(m_, i).constituents().front())));
      return true;
    }
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeInsert: {
      const bool inserts = i.op() == spv::Op::OpCompositeInsert;
      const Id composite =
          inserts ? op::CompositeInsert(m_, i).composite() : op::CompositeExtract(m_, i).composite();
      const LiteralRange indexes =
          inserts ? op::CompositeInsert(m_, i).indexes() : op::CompositeExtract(m_, i).indexes();
      const PlannedMatrix* of = matrixOf(composite);
      if (of == nullptr || !of->lowered) return false;
      // Through a variable, because only the driver knows which granule contains the component.
      const Id variable = code_.localVariable(of->is.type), granule = native(*of);
      const Parts values = parts(composite);
      const auto part = [&](uint32_t n) {
        const Id index = code_.u32(n);
        return code_.access(spv::StorageClass::Function, granule, variable, {index});
      };
      for (uint32_t n = 0; n < of->granules(); ++n) {
        const Id to = part(n);
        code_.store(to, values[n]);
      }
      const Id pointer =
          componentPointer(variable, code_.u32(indexes.front()), *of, spv::StorageClass::Function);
      if (!inserts) {
        code_.opAs(spv::Op::OpLoad, i.type, i.result, {pointer});
        return true;
      }
      const Id object = op::CompositeInsert(m_, i).object();
      code_.store(pointer, object);
      Parts result;
      for (uint32_t n = 0; n < of->granules(); ++n) {
        const Id from = part(n);
        result.push_back(code_.load(granule, from));
      }
      define(i, std::move(result));
      return true;
    }
    case spv::Op::OpCooperativeMatrixLengthKHR: {
      const PlannedMatrix* of = plan_.matrix(op::CooperativeMatrixLengthKHR(m_, i).type());
      if (of == nullptr || !of->lowered) return false;
      const Id granule = native(*of), count = code_.u32(of->granules());
      const Id length = code_.op(spv::Op::OpCooperativeMatrixLengthKHR, i.type, {granule});
      code_.opAs(spv::Op::OpIMul, i.type, i.result, {length, count});
      return true;
    }
    default: return false;
  }
}

// Operations that the device may lack even for matrices that stay as they are.
bool Granules::rewriteMatrix(const Instruction& i) {
  const PlannedMatrix* t = plan_.matrix(i.type);
  const bool combines =
      isElementwise(i.op()) || i.op() == spv::Op::OpCooperativeMatrixPerElementOpNV ||
      i.op() == spv::Op::OpCooperativeMatrixReduceNV || i.op() == spv::Op::OpCooperativeMatrixConvertNV ||
      i.op() == spv::Op::OpCooperativeMatrixTransposeNV || i.op() == spv::Op::OpCooperativeMatrixMulAddKHR;
  if (combines && !fitsOperands(i)) {
    refuse("an instruction whose matrices have shapes that do not match, opcode " + std::to_string(i.opcode));
    return true;
  }
  switch (i.op()) {
    case spv::Op::OpCooperativeMatrixPerElementOpNV:
      if (plan_.isStreamed(i.result)) return true;
      if (options_.perElement && !t->lowered) return false;
      perElement(i);
      return true;
    case spv::Op::OpCooperativeMatrixReduceNV:
      if (options_.reductions && !t->lowered && !isLowered(op::CooperativeMatrixReduceNV(m_, i).matrix()))
        return false;
      reduce(i);
      return true;
    case spv::Op::OpCooperativeMatrixConvertNV:
    case spv::Op::OpCooperativeMatrixTransposeNV:
      if (options_.conversions && !t->lowered && !isLowered(op::Unary(m_, i).operand())) return false;
      convertUse(i, i.op() == spv::Op::OpCooperativeMatrixTransposeNV);
      return true;
    case spv::Op::OpCooperativeMatrixMulAddKHR:
      if (const op::CooperativeMatrixMulAddKHR product(m_, i);
          !t->lowered && !isLowered(product.a()) && !isLowered(product.b()))
        return false;
      multiply(i);
      return true;
    case spv::Op::OpCooperativeMatrixLoadTensorNV:
      refuse("a tensor load that was not made a per-element operation first");
      return true;
    case spv::Op::OpCooperativeMatrixLoadNV: refuse("a matrix of another extension"); return true;
    default: break;
  }
  if (!isElementwise(i.op())) return false;
  const PlannedMatrix* from = matrixOf(as<op::Unary>(m_, i).operand());
  if (from != nullptr && from->is.use != t->is.use) {
    if (options_.conversions && !t->lowered && !from->lowered) return false;
    convertUse(i, false);
    return true;
  }
  if (!t->lowered) return false;
  elementwise(i);
  return true;
}

bool Granules::rewrite(const Instruction& i) {
  if (report_.refused()) return false;
  const PlannedMatrix* t = plan_.matrix(i.type);
  if (atHead_ && i.op() != spv::Op::OpLabel && i.op() != spv::Op::OpVariable && i.op() != spv::Op::OpLine &&
      i.op() != spv::Op::OpNoLine && i.op() != spv::Op::OpFunctionParameter) {
    atHead_ = false;
    askCoordinates(function_);
  }
  switch (i.op()) {
    case spv::Op::OpFunction:
      function_ = i.result;
      atHead_ = !coordinates_.empty();
      return false;
    case enums::OpCooperativeMatrixGetCoordinateEXT:
      if (!asksCoordinates(i)) break;
      coordinate(i);
      return true;
    case spv::Op::OpLabel:
      used_ = Use::Unknown;
      ahead_ = kNone;
      block_ = i.result;
      return false;
    case spv::Op::OpBranch: fetchFirst(block_); return false;
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpUndef: return false;
    case spv::Op::OpPhi:
      if (t == nullptr || !t->lowered) break;
      phi(i);
      return true;
    case spv::Op::OpFunctionEnd: setPhiValues(); return false;
    case spv::Op::OpLoad:
      if (t == nullptr || !t->lowered) return false;
      loadWhole(i);
      return true;
    case spv::Op::OpStore:
      if (!isLowered(op::Store(m_, i).object())) break;
      storeWhole(i);
      return true;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (elementPointer(i)) return true;
      return false;
    case spv::Op::OpCooperativeMatrixLoadKHR:
      if (t == nullptr || !t->lowered) return false;
      loadMatrix(i);
      return true;
    case spv::Op::OpCooperativeMatrixStoreKHR:
      if (!isLowered(op::CooperativeMatrixStoreKHR(m_, i).object())) return false;
      storeMatrix(i);
      return true;
    case spv::Op::OpCooperativeMatrixStoreTensorNV:
      refuse("a tensor store that was not made a per-element operation first");
      return true;
    default: break;
  }
  if (rewriteComposite(i)) return true;
  if (t != nullptr && rewriteMatrix(i)) return true;
  if (t != nullptr && t->lowered && i.op() != spv::Op::OpFunctionCall &&
      i.op() != spv::Op::OpCompositeExtract) {
    refuse("an instruction on matrices that lowering does not support, opcode " + std::to_string(i.opcode));
    return true;
  }
  replaceOperands(i);
  return true;
}

void Granules::replaceOperands(const Instruction& i) {
  std::vector<std::pair<Id, Id>> replaced;
  m_.forEachUse(i, [&](IdWord used) {
    const Id id = used;
    if (id.index() < values_.size() && !values_[id.index()].empty()) replaced.push_back({id, Id()});
  });
  if (replaced.empty()) return code_.append(i);
  for (auto& [from, to] : replaced) to = whole(from);
  // Works on a copy, so that the module's own instruction stays unchanged.
  std::vector<Word> words;
  for (uint32_t k = 1; k < i.length; ++k) words.push_back(m_.word(i, k));
  Instruction copy = m_.make(i.op(), Operands(words));
  copy.type = i.type;
  copy.result = i.result;
  m_.forEachUse(copy, [&](IdWord used) {
    for (const auto& [from, to] : replaced) {
      if (Id(used) == from) used = to;
    }
  });
  code_.append(copy);
}

// --- The whole pass -----------------------------------------------------------------------------------------------------
void Granules::rewriteConstants() {
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction i = m_.instructions[n];
    const PlannedMatrix* t = plan_.matrix(i.type);
    if (t == nullptr || !t->lowered || i.op() == spv::Op::OpConstantNull || i.op() == spv::Op::OpUndef)
      continue;
    const Id part = constantParts(i, *t);
    if (!part) continue;
    const std::vector<Word> words(t->granules(), Word(part));
    const Id type = i.type, result = i.result;
    const bool frozen =
        i.op() == spv::Op::OpConstantComposite || i.op() == spv::Op::OpConstantCompositeReplicateEXT;
    m_.instructions[n] = m_.make(frozen ? spv::Op::OpConstantComposite : spv::Op::OpSpecConstantComposite,
                                 type, result, Operands(words));
  }
}

void Granules::rewriteTypes() {
  for (const PlannedMatrix& t : plan_.types) {
    if (!t.lowered) continue;
    const Id granule = native(t), count = code_.u32(t.granules()), type = t.is.type;
    m_.instructions[m_.definitions[type.index()]] =
        m_.make(spv::Op::OpTypeArray, kNoId, type, {granule, count});
    report_.rewrites.push_back(
        {describe(t.is),
         std::to_string(t.granules()) + " native matrices of " + std::to_string(t.granuleRows) + "x" +
             std::to_string(t.granuleColumns) + " in each of " +
             (t.ofWorkgroup()
                  ? std::to_string(plan_.subgroups) + " subgroups, which cut it into " +
                        std::to_string(t.spreadRows) + "x" + std::to_string(t.spreadColumns) + " parts"
                  : std::string("all subgroups"))});
  }
}

// Drops the capabilities of the NV extension that are no longer needed.
void Granules::dropCapabilities() {
  std::vector<spv::Capability> gone;
  if (!options_.perElement) gone.push_back(spv::Capability::CooperativeMatrixPerElementOperationsNV);
  if (!options_.reductions) gone.push_back(spv::Capability::CooperativeMatrixReductionsNV);
  if (!coordinates_.empty() && !options_.coordinates)
    gone.push_back(enums::CapabilityCooperativeMatrixGetCoordinateEXT);
  if (!options_.conversions) {
    gone.push_back(spv::Capability::CooperativeMatrixConversionsNV);
    gone.push_back(enums::CapabilityCooperativeMatrixConversionsEXT);
  }
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    Instruction& i = m_.instructions[n];
    const auto declaration = as<op::Capability>(m_, i);
    if (declaration && std::ranges::find(gone, declaration.capability()) != gone.end())
      i.opcode = uint16_t(spv::Op::OpNop);
  }
}

// SPV_NV_cooperative_matrix2 transposes to B only, and keeps the components.
void Granules::transposeByDecoration() {
  if (!options_.conversions || !m_.declares(enums::CapabilityCooperativeMatrixConversionsEXT)) return;
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction i = m_.instructions[n];
    const auto transpose = as<op::CooperativeMatrixTransposeNV>(m_, i);
    if (!transpose) continue;
    m_.instructions[n] =
        m_.make(enums::OpCooperativeMatrixConvertUseEXT, i.type, i.result, {transpose.matrix()});
    code_.decorate(i.result, enums::DecorationCooperativeMatrixTransposeEXT);
  }
}

void Granules::run() {
  values_.assign(m_.bound, {});
  carried_.assign(plan_.loops.size(), {});
  code_.rewrite([&](const Instruction& i) { return rewrite(i); });
  if (report_.refused()) return;
  if (code_.fault()) {
    report_.refuse(Refusal::ControlFlow, "a loop whose header has to be cut branches to two of its blocks");
    return;
  }
  rewriteConstants();
  rewriteTypes();
  transposeByDecoration();
  dropCapabilities();
  code_.finish();
}

void lowerToGranules(Module& module, const GranuleOptions& options, Report& report) {
  if (matrixTypes(module, report).empty()) return;
  transposeByOpcode(module, report);
  if (report.refused()) return;
  // Only values, not variables, can be followed back to their loads. Where tensors were lowered before, this is done.
  if (options.tensors.empty()) {
    Graphs graphs;
    removeUnreachable(module, graphs);
    variablesToValues(module, graphs);
  }
  dropIgnoredElements(module);
  phisToVariables(module);
  GranulePlan plan = GranulePlan::make(module, options, report);
  if (report.refused()) return;
  while (true) {
    Granules granules(module, options, plan, report);
    granules.planArea();
    if (granules.sharedBytes() > options.sharedBytes) {
      if (plan.shrinkChunks() || plan.callAllNatively() || plan.saveMemory()) continue;
      return report.refuse(Refusal::SharedMemory, "matrices need " + std::to_string(granules.sharedBytes()) +
                                                      " bytes of workgroup memory, and " +
                                                      std::to_string(options.sharedBytes) +
                                                      " are available: " + granules.sharedText());
    }
    granules.run();
    if (report.refused()) return;
    report.sharedBytes += granules.sharedBytes();
    report.needsSubgroupSize = true;
    return;
  }
}

}  // namespace coopc::spirv::lower
