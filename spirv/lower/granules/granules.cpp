// Matrices of sizes and scopes that a device lacks become arrays of matrices that it has (granules),
// distributed over subgroups as the granule plan says. A matrix type becomes, in place, an array of the
// granules that one subgroup holds; variables, parameters and structures stay unchanged. Values are lists of
// granules: loads and stores of variables go granule by granule, with constant indices, so that
// spirv/opt/variables.cpp can split such arrays.
//
// A matrix phi becomes a phi of each granule. If one of its values is an array that was made elsewhere, it
// becomes a variable first.
#include "spirv/lower/granules/granules.hpp"

#include <algorithm>
#include <iterator>

#include "spirv/cfg.hpp"
#include "spirv/conversions.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/analysis/elementwise.hpp"
#include "spirv/lower/analysis/equal_columns.hpp"
#include "spirv/lower/analysis/ignored_elements.hpp"
#include "spirv/lower/granules/late_loads.hpp"
#include "spirv/lower/granules/load_ahead.hpp"
#include "spirv/lower/granules/obstacles.hpp"
#include "spirv/lower/granules/prepare.hpp"
#include "spirv/lower/unroll_hints.hpp"
#include "spirv/opt/passes.hpp"

namespace coopc::spirv::lower {

Granules::Granules(Module& module, const GranuleOptions& options, const GranulePlan& plan, Report& report)
    : m_(module),
      options_(options),
      plan_(plan),
      report_(report),
      code_(module),
      context_{m_, code_, options_, plan_, report_},
      values_(context_),
      placement_(context_),
      area_(context_, placement_),
      held_(context_, values_, placement_, area_),
      walk_(context_, values_, placement_, area_, held_),
      coordinates_(context_, values_, placement_, area_, held_),
      checks_(context_, values_, area_, held_),
      exchange_(context_, values_, placement_, area_, held_),
      reduction_(context_, values_, placement_, area_, held_, exchange_, checks_),
      memory_(context_, values_, placement_),
      stream_(context_, placement_, area_, walk_),
      prefetch_(context_, stream_),
      multiplier_(context_, values_, placement_, area_, stream_, prefetch_) {}

// --- The staging area --------------------------------------------------------------------------------------
// Whether an instruction is a reduction for which code is written.
bool Granules::reduces(const Instruction& i) const {
  if (i.op() != spv::Op::OpCooperativeMatrixReduceNV || !fitsOperands(m_, plan_, i)) return false;
  const bool lowered =
      plan_.matrix(i.type)->lowered || isLowered(op::CooperativeMatrixReduceNV(m_, i).matrix());
  return lowered || !options_.reductions;
}

Slices Granules::slicesOf(const Instruction& i) const {
  const PlannedMatrix* to = plan_.matrix(i.type);
  const IdRange operands = op::Value(m_, i).operands();
  const PlannedMatrix* from = matrixOf(operands.front());
  if (to == nullptr || from == nullptr || !fitsOperands(m_, plan_, i)) return {};
  uint32_t bits = to->is.componentBits;
  for (const Id id : operands) {
    if (const PlannedMatrix* operand = matrixOf(id); operand != nullptr)
      bits = std::max(bits, operand->is.componentBits);
  }
  const uint32_t bytes = std::max(area_.sliceBytes(*to, bits), area_.sliceBytes(*from, bits));
  switch (i.op()) {
    case spv::Op::OpCooperativeMatrixPerElementOpNV: return walk_.slicesOf(i, bytes);
    case spv::Op::OpCooperativeMatrixReduceNV:
      return reduces(i) ? Slices{1, reduction_.reductionSlice(i, *from)} : Slices{};
    default: {
      const bool transposed = i.op() == spv::Op::OpCooperativeMatrixTransposeNV;
      const bool converts = transposed || (i.length == 4 && from->is.use != to->is.use);
      return converts ? exchange_.conversionSlices(*from, *to, transposed) : Slices{};
    }
  }
}

uint32_t Granules::scratchBytes(const Instruction& i) const {
  const PlannedMatrix* to = plan_.matrix(i.type);
  const PlannedMatrix* from = matrixOf(op::Value(m_, i).operands().front());
  if (to == nullptr || from == nullptr || !fitsOperands(m_, plan_, i)) return 0;
  if (i.op() == spv::Op::OpCooperativeMatrixReduceNV)
    return reduces(i) ? reduction_.scratchBytes(i, *from) : 0;
  const bool transposed = i.op() == spv::Op::OpCooperativeMatrixTransposeNV;
  if (!transposed && (i.length != 4 || from->is.use == to->is.use)) return 0;
  return exchange_.scratchBytes(*from, *to, transposed);
}

void Granules::planArea() {
  area_.needOperands(plan_.operandBytes(m_));
  Id function;
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    if (i.op() == spv::Op::OpFunction) function = i.result;
    const PlannedMatrix* t = plan_.matrix(i.type);
    if (t == nullptr || i.length < 4) continue;
    area_.needScratch(*t, scratchBytes(i));
    area_.needSlices(*t, slicesOf(i));
    if (reduces(i)) reduction_.askForRows(function, i);
  }
  coordinates_.find();
  area_.placeSlices();
}

// --- Instructions ------------------------------------------------------------------------------------------
void Granules::rewritePhi(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const Id type = values_.heldType(t);
  PhiOfGranules made{i, {}};
  GranuleList result;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    if (const uint32_t source = plan_.sourceOf(i.result, t, n); source != n) {
      result.push_back(result[source]);
      continue;
    }
    made.places.push_back({code_.writer.phiLike(i, type), n});
    result.push_back(made.places.back().place.result);
  }
  phis_.push_back(std::move(made));
  values_.defineHeld(i, std::move(result));
}

// Values from a loop's previous iteration are known at the function's end.
void Granules::setPhiValues() {
  for (const PhiOfGranules& phi : phis_) {
    uint32_t predecessor = 0;
    for (const auto& [value, parent] : op::Phi(m_, phi.instruction).incoming()) {
      if (matrixOf(value) != matrixOf(phi.instruction.result))
        return refuse("a phi of matrices of different types");
      const GranuleList p = values_.heldParts(value);
      for (const PhiOfGranules::Granule& g : phi.places)
        code_.writer.setPhiValue(g.place, predecessor, p[g.number]);
      ++predecessor;
    }
  }
  phis_.clear();
}

// A granule of an operand as a matrix; a number stays one.
Id Granules::takeGranule(Id operand, Id held) {
  const PlannedMatrix* t = matrixOf(operand);
  return t == nullptr ? held : values_.take(*t, held);
}

// Makes one granule of a late value, from granules of the late values that it uses.
Id Granules::makeLate(Id value, uint32_t n) {
  const Instruction i = *m_.def(value);
  if (i.op() == spv::Op::OpCooperativeMatrixPerElementOpNV) return walk_.loadLate(i, n);
  return makeOf(i, n);
}

// Makes one granule of the result of an instruction that works component by component.
Id Granules::makeOf(const Instruction& i, uint32_t n) {
  std::vector<Word> words;
  for (const Id operand : op::Value(m_, i).operands()) {
    if (plan_.isLate(operand))
      words.push_back(makeLate(operand, n));
    else
      words.push_back(matrixOf(operand) != nullptr ? takeGranule(operand, values_.heldParts(operand)[n])
                                                   : operand);
  }
  const Id type = values_.native(*plan_.matrix(i.type));
  return code_.op(i.op(), type, Operands(words));
}

Id Granules::onlySourceOf(const Instruction& i) const {
  Id source;
  std::vector<Id> open{i.result};
  while (!open.empty()) {
    const Instruction& user = *m_.def(open.back());
    open.pop_back();
    if (user.op() == spv::Op::OpCooperativeMatrixPerElementOpNV) continue;
    for (const Id operand : op::Value(m_, user).operands()) {
      if (matrixOf(operand) == nullptr) continue;
      if (plan_.isLate(operand))
        open.push_back(operand);
      else if (!values_.isList(operand) || m_.typeOf(operand) != i.type || (source && source != operand))
        return {};
      else
        source = operand;
    }
  }
  return source;
}

// The results take the places of the source's granules.
void Granules::makeInTurns(const Instruction& i, Id source) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  area_.enterSlices(t);
  const GranuleList all = values_.heldParts(source);
  values_.defineHeld(i, values_.inTurns(t, all, [&](const UInt& row, GranuleList& granules) {
    GranuleList made;
    const auto write = [&] {
      for (uint32_t n = 0; n < t.blockColumns; ++n) made.push_back(values_.hold(t, makeOf(i, n)));
    };
    placement_.fromRow(row, [&] { values_.withParts(source, granules, write); });
    granules = std::move(made);
  }));
}

void Granules::rewriteElementwise(const Instruction& i) {
  const PlannedMatrix& t = *plan_.matrix(i.type);
  const Id type = values_.native(t);
  const IdRange range = op::Value(m_, i).operands();
  if (std::any_of(range.begin(), range.end(), [&](Id operand) { return plan_.isLate(operand); }) &&
      values_.takesTurns(t) && !plan_.hasEqualColumns(i.result)) {
    if (const Id source = onlySourceOf(i)) return makeInTurns(i, source);
  }
  const std::vector<Id> ids(range.begin(), range.end());
  std::vector<GranuleList> operands;
  for (const Id operand : ids) {
    if (plan_.isLate(operand))
      operands.emplace_back();
    else
      operands.push_back(matrixOf(operand) != nullptr ? values_.heldParts(operand)
                                                      : GranuleList(t.granules(), operand));
  }
  GranuleList result;
  std::vector<Word> words, last;
  for (uint32_t n = 0; n < t.granules(); ++n) {
    if (const uint32_t source = plan_.sourceOf(i.result, t, n); source != n) {
      result.push_back(result[source]);
      continue;
    }
    words.clear();
    for (size_t k = 0; k < ids.size(); ++k)
      words.push_back(operands[k].empty() ? makeLate(ids[k], n) : takeGranule(ids[k], operands[k][n]));
    const bool same = n != 0 && std::equal(words.begin(), words.end(), last.begin(), last.end(),
                                           [](Word a, Word b) { return uint32_t(a) == uint32_t(b); });
    result.push_back(same ? result.back() : values_.hold(t, code_.op(i.op(), type, Operands(words))));
    last = words;
  }
  values_.defineHeld(i, std::move(result));
}

// Composite instructions whose operands are or contain matrices.
bool Granules::rewriteComposite(const Instruction& i) {
  const PlannedMatrix* t = plan_.matrix(i.type);
  switch (i.op()) {
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeConstructReplicateEXT: {
      if (t == nullptr || !t->lowered) return false;
      values_.define(
          i, GranuleList(t->granules(), values_.splat(*t, op::AnyComposite(m_, i).constituents().front())));
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
      const Id variable = code_.localVariable(of->is.type), granule = values_.native(*of);
      const GranuleList values = values_.parts(composite);
      const auto part = [&](uint32_t n) {
        const Id index = code_.u32(n);
        return code_.access(spv::StorageClass::Function, granule, variable, {index});
      };
      for (uint32_t n = 0; n < of->granules(); ++n) {
        const Id to = part(n);
        code_.store(to, values[n]);
      }
      const Id pointer =
          memory_.componentPointer(variable, code_.u32(indexes.front()), *of, spv::StorageClass::Function);
      if (!inserts) {
        code_.makeAs<op::Load>(i.type, i.result, {.pointer = pointer});
        return true;
      }
      const Id object = op::CompositeInsert(m_, i).object();
      code_.store(pointer, object);
      GranuleList result;
      for (uint32_t n = 0; n < of->granules(); ++n) {
        const Id from = part(n);
        result.push_back(code_.load(granule, from));
      }
      values_.define(i, std::move(result));
      return true;
    }
    case spv::Op::OpCooperativeMatrixLengthKHR: {
      const PlannedMatrix* of = plan_.matrix(op::CooperativeMatrixLengthKHR(m_, i).type());
      if (of == nullptr || !of->lowered) return false;
      const Id granule = values_.native(*of), count = code_.u32(of->granules());
      const Id length = code_.make<op::CooperativeMatrixLengthKHR>(i.type, {granule});
      code_.makeAs<op::IMul>(i.type, i.result, {length, count});
      return true;
    }
    default: return false;
  }
}

// Operations that the device may lack even for native matrices.
bool Granules::rewriteMatrix(const Instruction& i) {
  const PlannedMatrix* t = plan_.matrix(i.type);
  const bool combines = combinesMatrices(i.op());
  if (combines && !fitsOperands(m_, plan_, i)) {
    refuse(describeMismatch(i));
    return true;
  }
  if (combines && plan_.isLate(i.result)) return true;
  switch (i.op()) {
    case spv::Op::OpCooperativeMatrixPerElementOpNV:
      if (plan_.isStreamed(i.result)) {
        prefetch_.fetchEarly(i);
        return true;
      }
      if (options_.perElement && !t->lowered) return false;
      walk_.rewritePerElement(i);
      return true;
    case spv::Op::OpCooperativeMatrixReduceNV:
      if (!reduces(i)) return false;
      reduction_.reduce(i);
      return true;
    case spv::Op::OpCooperativeMatrixConvertNV:
    case spv::Op::OpCooperativeMatrixTransposeNV:
      if (options_.conversions && !t->lowered && !isLowered(op::Unary(m_, i).operand())) return false;
      exchange_.convertUse(i, i.op() == spv::Op::OpCooperativeMatrixTransposeNV);
      return true;
    case spv::Op::OpCooperativeMatrixMulAddKHR:
      if (const op::CooperativeMatrixMulAddKHR product(m_, i);
          !t->lowered && !isLowered(product.a()) && !isLowered(product.b()))
        return false;
      multiplier_.multiply(i);
      return true;
    case spv::Op::OpCooperativeMatrixLoadTensorNV:
      refuse("a tensor load that no earlier pass made a per-element operation");
      return true;
    case spv::Op::OpCooperativeMatrixLoadNV: refuse("a matrix of another extension"); return true;
    default: break;
  }
  if (!isElementwise(i.op())) return false;
  const PlannedMatrix* from = matrixOf(as<op::Unary>(m_, i).operand());
  if (from != nullptr && from->is.use != t->is.use) {
    if (options_.conversions && !t->lowered && !from->lowered) return false;
    exchange_.convertUse(i, false);
    return true;
  }
  if (!t->lowered) return false;
  rewriteElementwise(i);
  return true;
}

bool Granules::rewrite(const Instruction& i) {
  if (report_.isRefused()) return false;
  const PlannedMatrix* t = plan_.matrix(i.type);
  if (atHead_ && i.op() != spv::Op::OpLabel && i.op() != spv::Op::OpVariable && i.op() != spv::Op::OpLine &&
      i.op() != spv::Op::OpNoLine && i.op() != spv::Op::OpFunctionParameter) {
    atHead_ = false;
    coordinates_.prepare(function_);
    checks_.prepare(function_);
  }
  switch (i.op()) {
    case spv::Op::OpFunction:
      function_ = i.result;
      reduction_.enter(function_);
      atHead_ = coordinates_.any() || checks_.any();
      return false;
    case enums::OpCooperativeMatrixGetCoordinateEXT:
      if (!coordinates_.asks(i)) break;
      coordinates_.answer(i, function_);
      return true;
    case spv::Op::OpLabel:
      area_.forgetUser();
      prefetch_.forget();
      block_ = i.result;
      return false;
    case spv::Op::OpFunctionCall: area_.forgetUser(); break;  // the function may use the area
    case spv::Op::OpBranch: prefetch_.fetchFirst(block_); return false;
    case spv::Op::OpFunctionParameter:
    case spv::Op::OpUndef: return false;
    case spv::Op::OpPhi:
      if (t == nullptr || !t->lowered) break;
      rewritePhi(i);
      return true;
    case spv::Op::OpFunctionEnd: setPhiValues(); return false;
    case spv::Op::OpLoad:
      if (t == nullptr || !t->lowered) return false;
      memory_.loadWhole(i);
      return true;
    case spv::Op::OpStore:
      if (!isLowered(op::Store(m_, i).object())) break;
      memory_.storeWhole(i);
      return true;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      if (memory_.rewriteElementPointer(i)) return true;
      return false;
    case spv::Op::OpCooperativeMatrixLoadKHR:
      if (t == nullptr || !t->lowered) return false;
      memory_.loadMatrix(i);
      return true;
    case spv::Op::OpCooperativeMatrixStoreKHR:
      if (!isLowered(op::CooperativeMatrixStoreKHR(m_, i).object())) return false;
      memory_.storeMatrix(i);
      return true;
    case spv::Op::OpCooperativeMatrixStoreTensorNV:
      refuse("a tensor store that no earlier pass made a per-element operation");
      return true;
    default: break;
  }
  if (rewriteComposite(i)) return true;
  if (t != nullptr && rewriteMatrix(i)) return true;
  if (t != nullptr && t->lowered && i.op() != spv::Op::OpFunctionCall &&
      i.op() != spv::Op::OpCompositeExtract) {
    refuse(describeUnsupported(i));
    return true;
  }
  replaceOperands(i);
  return true;
}

void Granules::replaceOperands(const Instruction& i) {
  std::vector<std::pair<Id, Id>> replaced;
  m_.forEachUse(i, [&](IdWord used) {
    const Id id = used;
    if (values_.isList(id)) replaced.push_back({id, Id()});
  });
  if (replaced.empty()) return code_.writer.append(i);
  for (auto& [from, to] : replaced) to = values_.whole(from);
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
  code_.writer.append(copy);
}

// --- The whole pass ----------------------------------------------------------------------------------------
void Granules::rewriteConstants() {
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction i = m_.instructions[n];
    const PlannedMatrix* t = plan_.matrix(i.type);
    if (t == nullptr || !t->lowered || i.op() == spv::Op::OpConstantNull || i.op() == spv::Op::OpUndef)
      continue;
    const Id part = values_.constantParts(i, *t);
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
    const Id granule = values_.native(t), count = code_.u32(t.granules()), type = t.is.type;
    m_.instructions[m_.definitions[type.index()]] =
        m_.make<op::TypeArray>(type, {.elementType = granule, .length = count});
    report_.rewrites.push_back(
        {describe(t.is),
         std::to_string(t.granules()) + " native matrices of " + std::to_string(t.granuleRows) + "x" +
             std::to_string(t.granuleColumns) + " in each of " +
             (t.ofWorkgroup()
                  ? std::to_string(plan_.subgroups) + " subgroups, which cut it into " +
                        std::to_string(t.spreadRows) + "x" + std::to_string(t.spreadColumns) + " parts"
                  : std::string("all subgroups")) +
             (t.packedWords != 0 ? ", two components in a register" : "")});
  }
}

// Drops the capabilities of the NV extension that are no longer needed.
void Granules::dropCapabilities() {
  std::vector<spv::Capability> gone;
  if (!options_.perElement) gone.push_back(spv::Capability::CooperativeMatrixPerElementOperationsNV);
  if (!options_.reductions) gone.push_back(spv::Capability::CooperativeMatrixReductionsNV);
  if (coordinates_.any() && !options_.coordinates)
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

void Granules::run() {
  values_.begin();
  prefetch_.begin();
  code_.writer.rewrite([&](const Instruction& i) { return rewrite(i); });
  if (report_.isRefused()) return;
  if (code_.writer.fault()) {
    report_.refuse(Refusal::ControlFlow, "an operation on matrices is in a loop header that cannot be split");
    return;
  }
  rewriteConstants();
  rewriteTypes();
  if (options_.conversions && m_.declares(enums::CapabilityCooperativeMatrixConversionsEXT))
    decorateTransposes(code_);
  dropCapabilities();
  code_.finish();
}

void lowerToGranules(Module& module, const GranuleOptions& options, Report& report) {
  if (matrixTypes(module, report).empty()) return;
  transposeByOpcode(module, report);
  if (report.isRefused()) return;
  // Values can be followed back to their loads, variables cannot. If tensors were lowered before, variables
  // are values already.
  if (options.tensors.empty()) {
    Graphs graphs;
    removeUnreachable(module, graphs);
    variablesToValues(module, graphs);
  }
  dropIgnoredElements(module);
  // Equal columns are found while values are phis of each other. An id that becomes a load of a variable
  // keeps its value.
  std::vector<bool> equal;
  if (sparesRegisters(options)) {
    const CalledFunctions functions(module, countUses(module));
    equal = findEqualColumns(module, functions);
  }
  replacePhisByVariables(module);
  GranulePlan plan = GranulePlan::make(module, options, report);
  if (report.isRefused()) return;
  plan.setEqualColumns(std::move(equal));
  planLoadsAhead(module, options, plan);
  if (sparesRegisters(options) && !options.perElement) planLateLoads(module, plan);
  if (sparesRegisters(options)) dropUnrollHints(module, plan.streamed(), InsteadOfUnroll::DontUnroll, report);
  while (true) {
    Granules granules(module, options, plan, report);
    granules.planArea();
    const StagingArea& area = granules.area();
    if (area.bytes() > options.sharedBytes) {
      if (plan.joinParts() || plan.shrinkChunks() || plan.callAllNatively() || plan.saveMemory()) continue;
      return report.refuse(Refusal::SharedMemory, "matrices need " + std::to_string(area.bytes()) +
                                                      " bytes of workgroup memory, and " +
                                                      std::to_string(options.sharedBytes) +
                                                      " are available: " + area.describeUses());
    }
    granules.run();
    if (report.isRefused()) return;
    report.sharedBytes += area.bytes();
    report.needsSubgroupSize = true;
    return;
  }
}

}  // namespace coopc::spirv::lower
