// Makes the granule plan: one granule size for all accumulators of a module, a grid of subgroups that gives
// each the same amount of work and as few operands to load as possible, and the operands that are streamed.
#include "spirv/lower/granules/plan.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "spirv/cfg.hpp"
#include "spirv/conversions.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/analysis/elementwise.hpp"
#include "spirv/lower/needs.hpp"

namespace coopc::spirv::lower {

namespace {

// A limit on machine instructions for inlined functions of one per-element operation. The H200's driver
// (580.159.04) took 1 s for a pipeline with an estimated 10,000, 16 s with 21,000 and 53 s with 31,000.
constexpr uint64_t kInlinedInstructions = 10'000;

// A larger workgroup than any device has.
constexpr uint32_t kMostInvocations = 4096;

// Matrices of a workgroup that fit into a device's registers do not have more rows of granules.
constexpr uint32_t kMostStrips = 64;

// Whether both sides of an operand are multiples of 16 bytes, so that pieces of 16 bytes can be transposed
// and stored along K.
bool canTranspose(const MatrixType& t, bool isB) {
  const uint32_t across = isB ? t.columns : t.rows, depth = isB ? t.rows : t.columns;
  return (t.componentBits == 8 || t.componentBits == 16) && across * t.componentBits % 128 == 0 &&
         depth * t.componentBits % 128 == 0;
}

std::string name(NumberType type) { return std::string(numberName(type)); }

}  // namespace

bool GranulePlan::hasAccumulator(std::optional<NumberType> component) const {
  return std::any_of(shapes_.begin(), shapes_.end(), [&](const MatrixShape& s) {
    return s.m == granule_.m && s.n == granule_.n && (s.c == component || s.result == component);
  });
}

const PlannedMatrix* GranulePlan::matrix(Id type) const {
  if (type.index() >= byId_.size() || byId_[type.index()] == kNone) return nullptr;
  return &types[byId_[type.index()]];
}

const PlannedMultiply* GranulePlan::multiply(uint32_t instruction) const {
  const auto found = std::ranges::lower_bound(multiplies, instruction, {}, &PlannedMultiply::instruction);
  return found == multiplies.end() || found->instruction != instruction ? nullptr : &*found;
}

std::vector<uint32_t> GranulePlan::streamed() const {
  std::vector<uint32_t> found;
  for (const PlannedMultiply& p : multiplies) {
    if (p.streamA || p.streamB) found.push_back(p.instruction);
  }
  return found;
}

// --- The workgroup -----------------------------------------------------------------------------------------
bool GranulePlan::readWorkgroup(const Module& module, const GranuleOptions& options, Report& report) {
  subgroupSize = options.subgroupSize;
  invocations = uint32_t(std::min<uint64_t>(workgroupInvocations(module), UINT32_MAX));
  if (subgroupSize == 0 || invocations == 0) {
    report.refuse(Refusal::SizeUnknown, "the size of the workgroup or of its subgroups is not known");
    return false;
  }
  if (invocations > kMostInvocations || invocations % subgroupSize != 0) {
    report.refuse(Refusal::Unsupported, "a workgroup of " + std::to_string(invocations) +
                                            " invocations is not made of full subgroups of " +
                                            std::to_string(subgroupSize));
    return false;
  }
  subgroups = invocations / subgroupSize;
  return true;
}

// --- Granules ----------------------------------------------------------------------------------------------
std::optional<std::string> GranulePlan::divideMultiply(const Module& module, const GranuleOptions& options,
                                                       Pair pair, PlannedMultiply& multiply) {
  const Instruction& i = module.instructions[multiply.instruction];
  const op::CooperativeMatrixMulAddKHR product(module, i);
  const PlannedMatrix *result = matrix(i.type), *a = matrix(module.typeOf(product.a())),
                      *b = matrix(module.typeOf(product.b())), *c = matrix(module.typeOf(product.c()));
  if (result == nullptr || a == nullptr || b == nullptr || c == nullptr || !a->is.number || !b->is.number ||
      !c->is.number || !result->is.number) {
    return "a multiply-add has operands that are not matrices of known components";
  }
  const NumberType ca = *a->is.number, cb = *b->is.number, cc = *c->is.number, cr = *result->is.number;
  const uint32_t depth = a->is.columns;
  uint32_t k = 0;
  for (const MatrixShape& s : options.shapes) {
    if (s.m == pair.m && s.n == pair.n && s.a == ca && s.b == cb && s.c == cc && s.result == cr && s.k != 0 &&
        depth % s.k == 0 && result->is.rows % s.m == 0 && result->is.columns % s.n == 0)
      k = std::max(k, s.k);
  }
  // Operands of one component type are divided in the same way everywhere.
  for (const auto& [component, chosen] : ks_) {
    if ((component == ca || component == cb) && chosen != k && depth % chosen == 0) k = k == 0 ? 0 : chosen;
  }
  if (k == 0) {
    return "no native shape of the device makes up the multiply-add of " + name(ca) + " and " + name(cb) +
           " to " + name(cr) + " of " + sizeText(result->is.rows, result->is.columns) + "x" +
           std::to_string(depth);
  }
  multiply.k = k;
  for (const NumberType component : {ca, cb}) {
    const auto known =
        std::find_if(ks_.begin(), ks_.end(), [&](const auto& entry) { return entry.first == component; });
    if (known == ks_.end()) ks_.push_back({component, k});
  }
  return std::nullopt;
}

std::optional<std::string> GranulePlan::divideType(const GranuleOptions& options, Pair pair,
                                                   PlannedMatrix& type) const {
  const std::optional<NumberType> component = type.is.number;
  uint32_t k = 0;
  bool accumulator = false;
  for (const MatrixShape& s : options.shapes) {
    if (s.m != pair.m || s.n != pair.n || !component) continue;
    accumulator = accumulator || s.c == component || s.result == component;
    if ((type.is.use == spv::CooperativeMatrixUse::MatrixAKHR && s.a == component) ||
        (type.is.use == spv::CooperativeMatrixUse::MatrixBKHR && s.b == component))
      k = std::max(k, s.k);
  }
  for (const auto& [c, chosen] : ks_) {
    if (c == component && k != 0) k = chosen;
  }
  switch (type.is.use) {
    case spv::CooperativeMatrixUse::MatrixAKHR:
      type.granuleRows = pair.m;
      type.granuleColumns = k;
      break;
    case spv::CooperativeMatrixUse::MatrixBKHR:
      type.granuleRows = k;
      type.granuleColumns = pair.n;
      break;
    default:
      type.granuleRows = accumulator ? pair.m : 0;
      type.granuleColumns = pair.n;
      break;
  }
  if (type.granuleRows == 0 || type.granuleColumns == 0) {
    return "the device has no native " + (component ? name(*component) : "such") + " matrix for a " +
           describe(type.is);
  }
  if (type.is.rows % type.granuleRows != 0 || type.is.columns % type.granuleColumns != 0) {
    return "a " + describe(type.is) + " is not made of native ones of " +
           sizeText(type.granuleRows, type.granuleColumns);
  }
  return std::nullopt;
}

// Components are converted in place, so both matrices must be divided in the same way. Matrices for operands
// need not be: a native A or B of 8-bit components often has more columns or rows than one of 16-bit
// components.
std::optional<std::string> GranulePlan::obstacleInConversions(const Module& module) const {
  for (const Instruction& i : module.instructions) {
    if (!convertsComponents(i.op())) continue;
    const PlannedMatrix* to = matrix(i.type);
    const PlannedMatrix* from =
        to == nullptr ? nullptr : matrix(module.typeOf(op::Unary(module, i).operand()));
    if (from == nullptr || from->is.use != to->is.use ||
        (from->granuleRows == to->granuleRows && from->granuleColumns == to->granuleColumns))
      continue;
    return "a " + describe(from->is) + ", made of native ones of " +
           sizeText(from->granuleRows, from->granuleColumns) + ", becomes a " + describe(to->is) +
           ", made of native ones of " + sizeText(to->granuleRows, to->granuleColumns);
  }
  return std::nullopt;
}

std::optional<std::string> GranulePlan::divide(const Module& module, const GranuleOptions& options,
                                               Pair pair) {
  ks_.clear();
  for (PlannedMultiply& p : multiplies) {
    if (auto why = divideMultiply(module, options, pair, p)) return why;
  }
  for (PlannedMatrix& t : types) {
    if (auto why = divideType(options, pair, t)) return why;
  }
  return obstacleInConversions(module);
}

bool GranulePlan::chooseGranules(const Module& module, const GranuleOptions& options, Report& report) {
  std::vector<Pair> pairs;
  for (const MatrixShape& s : options.shapes) {
    if (s.m == 0 || s.n == 0 || s.k == 0) continue;
    if (std::none_of(pairs.begin(), pairs.end(), [&](Pair p) { return p.m == s.m && p.n == s.n; }))
      pairs.push_back({s.m, s.n});
  }
  // Largest first: fewer instructions for the same work.
  std::stable_sort(pairs.begin(), pairs.end(), [](Pair a, Pair b) { return a.m * a.n > b.m * b.n; });
  std::string first = "the device lists no native shape";
  for (size_t n = 0; n < pairs.size(); ++n) {
    const std::optional<std::string> why = divide(module, options, pairs[n]);
    if (!why) {
      granule_ = pairs[n];
      return true;
    }
    if (n == 0) first = *why;
  }
  report.refuse(Refusal::Unsupported, first);
  return false;
}

// --- The grid of subgroups ---------------------------------------------------------------------------------
void GranulePlan::distribute(uint32_t rows, uint32_t columns) {
  gridRows = rows;
  gridColumns = columns;
  // Without a multiply-add no subgroup needs whole rows of A or whole columns of B.
  const bool whole = !multiplies.empty();
  for (PlannedMatrix& t : types) {
    const uint32_t down = t.is.rows / t.granuleRows, across = t.is.columns / t.granuleColumns;
    t.spreadRows = t.spreadColumns = 1;
    if (t.ofWorkgroup()) {
      const bool wholeColumns = whole && t.is.use == spv::CooperativeMatrixUse::MatrixBKHR;
      const bool wholeRows = whole && t.is.use == spv::CooperativeMatrixUse::MatrixAKHR;
      if (!wholeColumns) t.spreadRows = std::gcd(rows, down);
      if (!wholeRows) t.spreadColumns = std::gcd(columns, across);
    }
    t.blockRows = down / t.spreadRows;
    t.blockColumns = across / t.spreadColumns;
    t.lowered = t.ofWorkgroup() || t.granules() > 1;
  }
}

// Prefers the least work per subgroup, then the fewest operands to load. If rows are reduced, or accumulators
// become operands A, whole rows in one subgroup avoid a copy through memory.
void GranulePlan::chooseGrid(const Module& module) {
  uint64_t best = UINT64_MAX;
  uint32_t bestRows = subgroups;
  bool rowsTogether = false;
  for (const Instruction& i : module.instructions) {
    rowsTogether = rowsTogether || i.op() == spv::Op::OpCooperativeMatrixReduceNV ||
                   (i.op() == spv::Op::OpCooperativeMatrixConvertNV && !transposes_.contains(i.result));
  }
  for (uint32_t rows = 1; rows <= subgroups; ++rows) {
    if (subgroups % rows != 0) continue;
    distribute(rows, subgroups / rows);
    uint64_t work = 0, loads = 0;
    for (const PlannedMultiply& p : multiplies) {
      const Instruction& i = module.instructions[p.instruction];
      const PlannedMatrix *d = matrix(i.type),
                          *a = matrix(module.typeOf(op::CooperativeMatrixMulAddKHR(module, i).a()));
      const uint64_t steps = a->is.columns / p.k;
      work += d->granules() * steps;
      loads += (d->blockRows + d->blockColumns) * steps;
    }
    if (multiplies.empty()) {
      for (const PlannedMatrix& t : types) work += t.granules();
    }
    const uint64_t cost = (work << 24) + (rowsTogether ? subgroups / rows : loads);
    if (cost < best) {
      best = cost;
      bestRows = rows;
    }
  }
  distribute(bestRows, subgroups / bestRows);
}

// --- Operands that are streamed ---------------------------------------------------------------------------
// An operand of a multiply-add is streamed if a function without side effects loads it, nothing else uses it,
// and no memory is written between the load and the multiply-add, so that it can be loaded at the
// multiply-add instead.
bool GranulePlan::streams(const Module& module, ReadOnlyPaths* paths, uint32_t multiply, Id operand) const {
  const Instruction* load = module.def(operand);
  if (load == nullptr || uses(operand) != 1 || !isMovableLoad(module, *load, functions)) return false;
  const PlannedMatrix* type = matrix(load->type);
  if (type == nullptr || !type->ofWorkgroup()) return false;
  const uint32_t after = module.definitions[operand.index()] + 1;
  return after >= multiply || (blockOf(after - 1) == blockOf(multiply) && isReadOnly(after, multiply)) ||
         (paths != nullptr && paths->isReadOnlyBetween(after - 1, multiply));
}

bool GranulePlan::callsNatively(const PlannedMatrix& type, Id called) const {
  if (allNatively_) return true;
  const uint64_t elements = uint64_t(type.granuleRows) * type.granuleColumns;
  const uint64_t calls = (elements + subgroupSize - 1) / subgroupSize * type.granules();
  return calls * functions[called].size <= kInlinedInstructions;
}

bool GranulePlan::callAllNatively() { return !std::exchange(allNatively_, true); }

void GranulePlan::findWrites(const Module& module) {
  const size_t count = module.instructions.size();
  writesBefore_.assign(count + 1, 0);
  blockOf_.assign(count, kNone);
  uint32_t label = kNone, writes = 0;
  for (uint32_t n = module.functionsAt; n < count; ++n) {
    const Instruction& i = module.instructions[n];
    if (i.op() == spv::Op::OpLabel) label = n;
    blockOf_[n] = label;
    if (functions.mayWrite(module, i)) ++writes;
    writesBefore_[n + 1] = writes;
  }
}

void GranulePlan::chooseStreams(const Module& module, const GranuleOptions& options) {
  std::set<Id> byColumns;  // functions that load lines which lie along columns
  for (const TensorFunction& t : options.tensors) {
    if (t.wide && !t.wideAlongRows) byColumns.insert(t.function);
  }
  const auto liesByColumns = [&](Id operand) {
    return byColumns.contains(as<op::CooperativeMatrixPerElementOpNV>(module, operand).func());
  };
  if (!multiplies.empty()) findWrites(module);
  // If registers are counted, an operand that is loaded in another block, long before its use, is streamed
  // too, because it would take registers meanwhile. On an H200, attention of workgroup scope is 2.8 to 3.2
  // times as fast for it.
  ReadOnlyPaths paths(module, writesBefore_);
  ReadOnlyPaths* across = options.compiler.registers != 0 ? &paths : nullptr;
  streamed_.assign(module.bound, false);
  for (PlannedMultiply& p : multiplies) {
    const op::CooperativeMatrixMulAddKHR product(module, module.instructions[p.instruction]);
    const Id a = product.a(), b = product.b();
    p.chunk = matrix(module.typeOf(a))->is.columns;
    p.streamA = streams(module, across, p.instruction, a);
    p.streamB = streams(module, across, p.instruction, b);
    p.columnsA = p.streamA && liesByColumns(a);
    p.columnsB = p.streamB && liesByColumns(b);
    if (options.compiler.operandsAlongK) {
      p.transposesA = p.streamA && p.columnsA && canTranspose(matrix(module.typeOf(a))->is, false);
      p.transposesB = p.streamB && !p.columnsB && canTranspose(matrix(module.typeOf(b))->is, true);
    }
    if (p.streamA) streamed_[a.index()] = true;
    if (p.streamB) streamed_[b.index()] = true;
  }
}

uint32_t GranulePlan::streamedBytes(const Module& module, const PlannedMultiply& p, bool ofB) const {
  if (!(ofB ? p.streamB : p.streamA)) return 0;
  const op::CooperativeMatrixMulAddKHR product(module, module.instructions[p.instruction]);
  const MatrixType& t = matrix(module.typeOf(ofB ? product.b() : product.a()))->is;
  const uint32_t rows = ofB ? p.chunk : t.rows, columns = ofB ? t.columns : p.chunk;
  const bool byColumns = ofB ? p.columnsB != p.transposesB : p.columnsA != p.transposesA;
  return (byColumns ? columns : rows) * rowBytes(byColumns ? rows : columns, t.componentBits);
}

bool GranulePlan::packs(PlannedMatrix& t) const {
  const uint32_t components = t.granuleRows * t.granuleColumns / subgroupSize;
  if (!t.lowered || t.is.use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR || t.is.componentBits != 16 ||
      (components != 4 && components != 8))
    return false;
  t.packedWords = components / 2;
  return true;
}

bool GranulePlan::pack(const Module& module, Id type) {
  PlannedMatrix packed = types[byId_[type.index()]];
  if (packed.packedWords != 0) return true;
  if (!packs(packed)) return false;
  for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n) {
    const Instruction& i = module.instructions[n];
    bool takes = i.type == type;
    module.forEachUse(i, [&](Id id) { takes = takes || module.typeOf(id) == type; });
    if (!takes) continue;
    switch (i.op()) {
      case spv::Op::OpPhi:
      case spv::Op::OpUndef:
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpCompositeConstructReplicateEXT:
      case spv::Op::OpCooperativeMatrixPerElementOpNV:
      case spv::Op::OpCooperativeMatrixLoadKHR:
      case spv::Op::OpCooperativeMatrixStoreKHR: break;
      case spv::Op::OpCooperativeMatrixMulAddKHR:
        if (i.type != module.typeOf(op::CooperativeMatrixMulAddKHR(module, i).c())) return false;
        break;
      default:
        if (!isElementwise(i.op())) return false;
    }
  }
  types[byId_[type.index()]] = packed;
  return true;
}

uint32_t GranulePlan::operandBytesBefore(const Module& module, const PlannedMultiply* multiply) const {
  uint32_t shared = 0, own = 0;
  if (multiply != nullptr && !multiply->ownPart) return 0;
  for (const PlannedMultiply& p : multiplies) {
    const uint32_t bytes = streamedBytes(module, p, false) + streamedBytes(module, p, true);
    if (!p.ownPart)
      shared = std::max(shared, bytes);
    else if (multiply == nullptr || &p < multiply)
      own += bytes;
  }
  return shared + own;
}

// The function that contains all multiply-adds that stream operands. kNone if there is no such function, if
// another one calls it, or if the multiply-adds are fewer than two or too many for a set of bits.
uint32_t GranulePlan::functionOfStreams(const Module& module) const {
  uint32_t function = kNone, count = 0;
  if (multiplies.size() > 32) return kNone;
  for (const PlannedMultiply& p : multiplies) {
    if (!p.streamA && !p.streamB) continue;
    uint32_t at = p.instruction;
    while (at > module.functionsAt && module.instructions[at].op() != spv::Op::OpFunction) --at;
    if (count++ != 0 && at != function) return kNone;
    function = at;
  }
  if (count < 2) return kNone;
  for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n) {
    const auto call = as<op::FunctionCall>(module, module.instructions[n]);
    if (call && call.function() == module.instructions[function].result) return kNone;
  }
  return function;
}

// Attention multiplies twice in an iteration, by K and by V. If each multiply-add has its own part of the
// staging area, one barrier between the stores and the loads of an operand suffices: the other operand's
// barrier lies between these loads and the next stores. This looks for the multiply-adds that can come last
// before each one.
void GranulePlan::chooseParts(const Module& module) {
  const uint32_t function = functionOfStreams(module);
  Cfg cfg;
  if (function == kNone || !cfg.build(module, function)) return;
  std::vector<uint32_t> after(cfg.blocks.size()), last(multiplies.size());  // bits of multiply-adds
  const auto walk = [&](uint32_t block, uint32_t now) {
    for (uint32_t n = 0; n < multiplies.size(); ++n) {
      const PlannedMultiply& p = multiplies[n];
      if ((!p.streamA && !p.streamB) || p.instruction < cfg.blocks[block].first ||
          p.instruction > cfg.blocks[block].last)
        continue;
      last[n] = now;
      now = 1u << n;
    }
    return now;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t block : cfg.reversePostOrder()) {
      uint32_t before = 0;
      for (const uint32_t from : cfg.predecessors(block)) before |= after[from];
      const uint32_t now = walk(block, before);
      changed = changed || now != after[block];
      after[block] = now;
    }
  }
  for (uint32_t n = 0; n < multiplies.size(); ++n) {
    multiplies[n].ownPart = last[n] != 0 && (last[n] & 1u << n) == 0;
    parts_ = parts_ || multiplies[n].ownPart;
  }
}

bool GranulePlan::shrinkChunks() {
  uint32_t most = 0;
  for (const PlannedMultiply& p : multiplies) {
    if ((p.streamA || p.streamB) && p.chunk % (2 * p.k) == 0) most = std::max(most, p.chunk);
  }
  if (most == 0) return false;
  for (PlannedMultiply& p : multiplies) {
    if (p.chunk == most && p.chunk % (2 * p.k) == 0) p.chunk /= 2;
  }
  return true;
}

bool GranulePlan::saveMemory() {
  if (padding_ != 0) {
    padding_ = 0;
    return true;
  }
  if (strips_ == kMostStrips) return false;
  strips_ *= 2;
  return true;
}

bool AheadLoop::contains(uint32_t instruction) const {
  return std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) {
    return instruction >= block.first && instruction < block.second;
  });
}

bool GranulePlan::divideMatrices(const Module& module, const std::vector<MatrixType>& matrices,
                                 const GranuleOptions& options, Report& report) {
  shapes_ = options.shapes;
  transposes_ = findDecoratedTransposes(module);
  byId_.assign(module.bound, kNone);
  for (const MatrixType& t : matrices) {
    if (t.scope != spv::Scope::Subgroup && t.scope != spv::Scope::Workgroup) {
      report.refuse(Refusal::Unsupported, "a matrix has a scope other than subgroup and workgroup");
      return false;
    }
    byId_[t.type.index()] = uint32_t(types.size());
    types.push_back({.is = t});
  }
  if (types.empty() || !readWorkgroup(module, options, report)) return false;
  for (uint32_t n = module.functionsAt; n < module.instructions.size(); ++n) {
    if (module.instructions[n].op() == spv::Op::OpCooperativeMatrixMulAddKHR)
      multiplies.push_back({.instruction = n});
  }
  if (!chooseGranules(module, options, report)) return false;
  chooseGrid(module);
  return true;
}

GranulePlan GranulePlan::make(const Module& module, const GranuleOptions& options, Report& report) {
  GranulePlan plan;
  const std::vector<MatrixType> matrices = matrixTypes(module, report);
  if (report.isRefused() || !plan.divideMatrices(module, matrices, options, report)) return plan;
  plan.uses_ = countUses(module);
  plan.functions = CalledFunctions(module, plan.uses_);
  plan.chooseStreams(module, options);
  plan.chooseParts(module);
  return plan;
}

}  // namespace coopc::spirv::lower
