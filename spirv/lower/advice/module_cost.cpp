// Each instruction becomes work by its kind; a block counts as often as it runs in an iteration of the
// outermost loop that multiplies. The optimizations of a driver's compiler are not known here, so the numbers
// compare settings of one module rather than programs.
#include "spirv/lower/advice/module_cost.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "spirv/cfg.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/advice/value_registers.hpp"

namespace coopc::spirv::lower {

void Work::add(const Work& o, double times) {
  products += o.products * times;
  matrixCycles += o.matrixCycles * times;
  matrixInstructions += o.matrixInstructions * times;
  arithmetic += o.arithmetic * times;
  scalar += o.scalar * times;
  sharedLoads += o.sharedLoads * times;
  sharedStores += o.sharedStores * times;
  sharedBytes += o.sharedBytes * times;
  globalAccesses += o.globalAccesses * times;
  globalBytes += o.globalBytes * times;
  privateAccesses += o.privateAccesses * times;
  spilled += o.spilled * times;
  barriers += o.barriers * times;
  waits += o.waits * times;
  globalWaits += o.globalWaits * times;
}

namespace {

// Iterations of a loop inside the one that counts, if their number is not constant.
constexpr double kUnknownTrips = 8;
constexpr double kMostTimes = 1e30;  // of an instruction: counts of hostile loops stay finite
// The share of executions that take one side of a branch.
constexpr double kSide = 0.5;
constexpr uint32_t kMostCalls = 32;  // nested calls; deeper ones cost nothing

class Costs {
 public:
  Costs(const Module& m, const Processor& p, uint32_t subgroupSize, uint32_t workgroup)
      : m_(m),
        p_(p),
        subgroup_(std::max(1u, subgroupSize)),
        active_(std::min(subgroup_, std::max(1u, workgroup))),
        workgroup_(std::max(subgroup_, workgroup)),
        constants_(m),
        sizes_(m, constants_, p, subgroup_, workgroup_),
        turns_(std::max(1.0, double(subgroup_) / p.lanes)) {}

  ModuleCost run() {
    ModuleCost cost;
    Id entry;
    for (uint32_t n = 0; n < m_.functionsAt && !entry; ++n) {
      if (const auto point = as<op::EntryPoint>(m_, m_.instructions[n])) entry = point.entryPoint();
    }
    if (m_.opOf(entry) != spv::Op::OpFunction) return cost;
    Cfg cfg;
    if (!cfg.build(m_, m_.definitions[entry.index()])) return cost;
    cost.known = true;
    const auto first = std::ranges::find_if(m_.instructions, [](const Instruction& i) {
      return i.op() == spv::Op::OpCooperativeMatrixMulAddKHR;
    });
    cost.hasMatrices = hasMatrices_ = first != m_.instructions.end();
    if (hasMatrices_) measure(*first, cost);
    differs_ = differingValues(m_, cfg, sizes_);
    findFolded(cfg);
    const std::vector<Pressure> pressure = pressureOf(m_, cfg, sizes_, differs_, p_);
    for (const Pressure& block : pressure) {
      cost.registers = std::max(cost.registers, block.registers);
      cost.scalars = std::max(cost.scalars, block.scalars);
    }
    chooseLoop(cfg, pressure, cost);
    return cost;
  }

 private:
  // Computes the work of the whole function and of each outermost loop that multiplies, and chooses the one
  // with the most products.
  void chooseLoop(Cfg& cfg, const std::vector<Pressure>& pressure, ModuleCost& cost) {
    std::map<uint32_t, Work> loops;
    Work all, text, outside;
    for (const uint32_t b : cfg.reversePostOrder()) {
      const Place place = placeOf(cfg, b);
      Work work = blockWork(cfg, b, place.outermost != kNone);
      // A block stores and loads at most as many values as it has instructions that use values. Some of these
      // stay in registers anyway.
      const uint32_t needed = pressure[b].registers + p_.ownRegisters;
      if (needed > p_.mostRegisters)
        work.spilled = std::min(needed - p_.mostRegisters, (cfg.blocks[b].last - cfg.blocks[b].first) / 4);
      all.add(work, place.timesOfEight);
      text.add(work, place.copies);
      if (place.outermost != kNone)
        loops[place.outermost].add(work, place.timesInside);
      else
        outside.add(work, place.times);
    }
    cost.work = cost.shader = all;
    cost.text = text;
    const Work* best = nullptr;
    for (const auto& [header, work] : loops) {
      if (work.products > 0 && (best == nullptr || work.products > best->products)) best = &work;
    }
    // Products are mostly outside of loops: a loop over K was unrolled.
    if (best == nullptr || best->products < outside.products) return;
    cost.isLoop = true;
    cost.work = *best;
  }

  bool isUnrolled(const Cfg& cfg, uint32_t header) const {
    const auto loop = as<op::LoopMerge>(m_, m_.instructions[cfg.blocks[header].merge]);
    return loop && (uint32_t(loop.loopControl()) & uint32_t(spv::LoopControlMask::Unroll)) != 0;
  }

  // The outermost loop that a block is in, how often it runs in all, and in an iteration of that loop.
  struct Place {
    uint32_t outermost = kNone;
    double times = 1, timesInside = 1;
    double timesOfEight = 1;  // if each loop that is not unrolled has eight iterations
    double copies = 1;        // of its instructions, where loops are unrolled
  };
  Place placeOf(Cfg& cfg, uint32_t b) {
    Place place;
    const auto isLoop = [&](uint32_t header) {
      return m_.instructions[cfg.blocks[header].merge].op() == spv::Op::OpLoopMerge;
    };
    const auto enter = [&](uint32_t header) {
      if (!isLoop(header)) {
        place.times *= kSide;
        place.timesOfEight *= kSide;
        return;
      }
      place.outermost = header;
      place.timesInside = place.times;
      const std::optional<double> trips = tripsOf(cfg, header);
      place.times = std::min(kMostTimes, place.times * trips.value_or(kUnknownTrips));
      const bool unrolls = trips && isUnrolled(cfg, header);
      if (unrolls) place.copies = std::min(kMostTimes, place.copies * *trips);
      place.timesOfEight = std::min(kMostTimes, place.timesOfEight * (unrolls ? *trips : kUnknownTrips));
    };
    if (cfg.blocks[b].merge != kNone && isLoop(b)) enter(b);
    uint32_t depth = 0;
    for (uint32_t h = cfg.enclosingHeader(b); h != kNone && ++depth < 1024; h = cfg.enclosingHeader(h))
      enter(h);
    return place;
  }

  std::optional<uint64_t> constant(Id id) const {
    const ConstantValue value = constants_.value(id);
    return value.known ? std::optional(value.bits) : std::nullopt;
  }

  // The iterations of a loop that counts from a constant to a constant in constant steps.
  std::optional<double> tripsOf(const Cfg& cfg, uint32_t header) {
    if (const auto known = trips_.find(header); known != trips_.end()) return known->second;
    return trips_[header] = countTrips(cfg, header);
  }

  std::optional<double> countTrips(const Cfg& cfg, uint32_t header) const {
    const uint32_t merge = cfg.blocks[header].mergeBlock;
    for (const uint32_t b : cfg.predecessors(merge)) {
      const auto branch = as<op::BranchConditional>(m_, m_.instructions[cfg.blocks[b].last]);
      if (!branch || !cfg.dominates(header, b)) continue;
      const Instruction* test = m_.def(branch.condition());
      if (test == nullptr || !comparesIntegers(test->op())) continue;
      const op::Binary comparison(m_, *test);
      const std::optional<uint64_t> bound = constant(comparison.operand2());
      const Instruction* counter = m_.def(comparison.operand1());
      if (!bound || counter == nullptr) continue;
      if (counter->op() == spv::Op::OpIAdd) {
        const op::Binary next(m_, *counter);
        counter = m_.def(constant(next.operand1()) ? next.operand2() : next.operand1());
      }
      const auto phi = as<op::Phi>(m_, counter);
      if (!phi) continue;
      std::optional<uint64_t> first, step;
      for (const auto& [value, from] : phi.incoming()) {
        if (const auto start = constant(value)) first = start;
        const auto sum = as<op::IAdd>(m_, value);
        if (sum && sum.operand1() == counter->result) step = constant(sum.operand2());
        if (sum && sum.operand2() == counter->result) step = constant(sum.operand1());
      }
      if (first && step && *step != 0 && *step < (1u << 24) && *bound > *first)
        return double((*bound - *first - 1) / *step + 1);
    }
    return std::nullopt;
  }

  static bool comparesIntegers(spv::Op op) {
    switch (op) {
      case spv::Op::OpULessThan:
      case spv::Op::OpSLessThan:
      case spv::Op::OpUGreaterThanEqual:
      case spv::Op::OpSGreaterThanEqual:
      case spv::Op::OpIEqual:
      case spv::Op::OpINotEqual: return true;
      default: return false;
    }
  }

  // Adjacent loads of a block wait once. Loads of a function in a loop are needed there; other loads from
  // global memory come before their uses.
  Work blockWork(const Cfg& cfg, uint32_t block, bool inLoop) {
    Work sum;
    bool sharedPending = false, globalPending = false;
    for (uint32_t n = cfg.blocks[block].first + 1; n <= cfg.blocks[block].last; ++n) {
      const Instruction& i = m_.instructions[n];
      const Work work = workOf(i);
      sharedPending = sharedPending || work.sharedLoads > 0;
      globalPending = globalPending || work.globalAccesses > 0;
      if (work.products > 0 && sharedPending) {
        sum.waits += 1;
        sharedPending = false;
      }
      sum.add(work, 1);
    }
    if (sharedPending) sum.waits += 1;
    if (globalPending && depth_ > 0 && inLoop) sum.globalWaits += 1;
    return sum;
  }

  // The work of an instruction of the invocations that takes this many machine instructions.
  Work plain(const Instruction& i, double instructions) const {
    Work work;
    const bool scalar = p_.scalarRegisters && i.result && !differs_[i.result.index()];
    (scalar ? work.scalar : work.arithmetic) = scalar ? instructions : instructions * turns_;
    return work;
  }

  uint32_t componentsOf(Id type) const {
    const auto vector = as<op::TypeVector>(m_, type);
    return vector ? vector.componentCount() : 1;
  }
  uint32_t widthOf(Id type) const {
    const auto vector = as<op::TypeVector>(m_, type);
    const Id scalar = vector ? vector.componentType() : type;
    if (const auto real = as<op::TypeFloat>(m_, scalar)) return real.width();
    const auto integer = as<op::TypeInt>(m_, scalar);
    return integer ? integer.width() : 32;
  }
  // Machine instructions for an operation on a type: a pair of 16-bit components takes one.
  double perType(Id type) const {
    const uint32_t components = componentsOf(type), width = widthOf(type);
    if (width == 16 && components % 2 == 0) return components / 2.0;
    return components * (width > 32 ? 2.0 : 1.0);
  }

  Work access(Id pointer, uint32_t bytes, bool isStore) const {
    Work work;
    const auto type = as<op::TypePointer>(m_, m_.typeOf(pointer));
    if (!type) return work;
    const double instructions = std::max(1.0, bytes / 16.0) * turns_;
    switch (type.storageClass()) {
      case spv::StorageClass::Workgroup:
        (isStore ? work.sharedStores : work.sharedLoads) = instructions;
        work.sharedBytes = bytes * turns_;
        return work;
      case spv::StorageClass::Function:
      case spv::StorageClass::Private:
        work.privateAccesses = m_.opOf(pointer) == spv::Op::OpVariable || folded_[pointer.index()] ? 0 : 1;
        return work;
      case spv::StorageClass::StorageBuffer:
      case spv::StorageClass::PhysicalStorageBuffer:
      case spv::StorageClass::Uniform:
        if (pointer.index() < differs_.size() && !differs_[pointer.index()] && !isStore) {
          work.scalar = 1;
          return work;
        }
        work.globalAccesses = instructions;
        work.globalBytes = bytes * turns_;
        return work;
      default: work.scalar = 1; return work;
    }
  }

  uint32_t invocationsOf(const MatrixType& t) const { return t.ofWorkgroup() ? workgroup_ : subgroup_; }

  // A native load or store with a tensor layout.
  Work tensorAccess(Id type) {
    const MatrixType* t = sizes_.matrix(type);
    if (t == nullptr) return {};
    Work work;
    work.globalBytes = double(t->elements()) * t->componentBits / 8 / invocationsOf(*t);
    work.globalAccesses = std::max(1.0, work.globalBytes / 16);
    return work;
  }

  Work matrixAccess(const Instruction& i) {
    const op::LoadOrStoreMatrix access(m_, i);
    const bool isStore = i.op() == spv::Op::OpCooperativeMatrixStoreKHR;
    const MatrixType* t =
        sizes_.matrix(isStore ? m_.typeOf(op::CooperativeMatrixStoreKHR(m_, i).object()) : i.type);
    if (t == nullptr) return {};
    const uint64_t times =
        !isStore && p_.repeatsOperands && t->use != spv::CooperativeMatrixUse::MatrixAccumulatorKHR ? 2 : 1;
    const double bytes = double(t->elements()) * t->componentBits / 8 * double(times) / invocationsOf(*t);
    // Lines along K are loaded as vectors by drivers whose matrices have this layout; other drivers exchange
    // components as they load.
    const bool byColumns = constants_.value(access.memoryLayout()).is(1);
    const bool alongK = t->use == spv::CooperativeMatrixUse::MatrixAKHR ? !byColumns : byColumns;
    const bool whole = isStore || t->use == spv::CooperativeMatrixUse::MatrixAccumulatorKHR ? false : alongK;
    Work work = this->access(access.pointer(), uint32_t(bytes), isStore);
    const bool isShared = work.sharedLoads + work.sharedStores > 0;
    const double pieces = !narrows_ || whole ? std::max(1.0, bytes / 16) : bytes * 8 / t->componentBits;
    double& count = isStore ? (isShared ? work.sharedStores : work.globalAccesses)
                            : (isShared ? work.sharedLoads : work.globalAccesses);
    count = pieces;
    (isShared ? work.sharedBytes : work.globalBytes) = bytes;
    if (narrows_ && !whole && t->componentBits < 32) work.arithmetic += pieces * turns_ / 2;
    return work;
  }

  void measure(const Instruction& multiplyAdd, ModuleCost& cost) {
    const op::CooperativeMatrixMulAddKHR product(m_, multiplyAdd);
    const MatrixType *a = sizes_.matrix(m_.typeOf(product.a())), *d = sizes_.matrix(multiplyAdd.type);
    if (a == nullptr || d == nullptr) return;
    cost.m = d->rows;
    cost.n = d->columns;
    cost.k = a->columns;
  }

  Work multiplyAdd(const Instruction& i) {
    const op::CooperativeMatrixMulAddKHR product(m_, i);
    const MatrixType *a = sizes_.matrix(m_.typeOf(product.a())), *d = sizes_.matrix(i.type);
    if (a == nullptr || d == nullptr) return {};
    Work work;
    work.products = double(d->elements()) * a->columns * subgroup_ / invocationsOf(*d);
    work.matrixInstructions = 1;
    const double rate = p_.matrixProducts == 0 ? 32 : p_.matrixProducts;
    work.matrixCycles = work.products / rate / (a->componentBits == 8 ? p_.bytesGain : 1);
    return work;
  }

  Work callOf(Id function) {
    if (const auto known = calls_.find(function); known != calls_.end()) return known->second;
    calls_[function] = Work();
    const Instruction* at = m_.def(function);
    Cfg cfg;
    if (at == nullptr || at->op() != spv::Op::OpFunction || depth_ >= kMostCalls ||
        !cfg.build(m_, m_.definitions[function.index()]))
      return {};
    ++depth_;
    std::vector<bool> before = differingValues(m_, cfg, sizes_);
    std::map<uint32_t, std::optional<double>> trips;
    std::vector<bool> folded = folded_;
    differs_.swap(before);
    trips_.swap(trips);
    findFolded(cfg);
    Work sum;
    for (const uint32_t b : cfg.reversePostOrder()) {
      const Place place = placeOf(cfg, b);
      sum.add(blockWork(cfg, b, place.outermost != kNone), place.times);
    }
    differs_.swap(before);
    trips_.swap(trips);
    folded_.swap(folded);
    --depth_;
    return calls_[function] = sum;
  }

  Work workOfExtended(const Instruction& i) const {
    // Machine instructions of GLSL.std.450's functions: Fma is one, roots and powers several.
    constexpr uint32_t kFma = 50;
    const uint32_t which = op::ExtInst(m_, i).instruction();
    Work work = plain(i, which == kFma ? perType(i.type) : 2 * perType(i.type));
    if (which == kFma) work.products = componentsOf(i.type) * active_;
    return work;
  }

  // Finds instructions on loop counters: their results are constants if the loop is unrolled.
  void findFolded(const Cfg& cfg) {
    folded_.assign(m_.bound, false);
    const auto isKnown = [&](Id id) { return constant(id).has_value() || folded_[id.index()]; };
    for (const uint32_t b : cfg.reversePostOrder()) {
      const Block& block = cfg.blocks[b];
      const bool unrolls = block.merge != kNone && isUnrolled(cfg, b) && tripsOf(cfg, b).has_value();
      for (uint32_t n = block.first + 1; n <= block.last; ++n) {
        const Instruction& i = m_.instructions[n];
        if (!i.result || i.result.index() >= m_.bound) continue;
        if (i.op() == spv::Op::OpPhi) {
          const auto incoming = op::Phi(m_, i).incoming();
          for (uint32_t k = 0; unrolls && k < incoming.size(); ++k)
            folded_[i.result.index()] = folded_[i.result.index()] || constant(incoming[k].first).has_value();
          continue;
        }
        switch (i.op()) {
          case spv::Op::OpIAdd:
          case spv::Op::OpISub:
          case spv::Op::OpIMul:
          case spv::Op::OpUDiv:
          case spv::Op::OpUMod:
          case spv::Op::OpULessThan:
          case spv::Op::OpShiftLeftLogical:
          case spv::Op::OpShiftRightLogical:
          case spv::Op::OpBitwiseAnd:
            folded_[i.result.index()] =
                isKnown(op::Binary(m_, i).operand1()) && isKnown(op::Binary(m_, i).operand2());
            break;
          case spv::Op::OpAccessChain: {
            const op::AccessChain chain(m_, i);
            bool known = m_.opOf(chain.base()) == spv::Op::OpVariable;
            for (const Id index : chain.indexes()) known = known && isKnown(index);
            folded_[i.result.index()] = known;
            break;
          }
          default: break;
        }
      }
    }
  }

  Work workOf(const Instruction& i) {
    if (i.result && i.result.index() < folded_.size() && folded_[i.result.index()]) return {};
    Work work = kindOf(i);
    // In modules with matrices, other products compute addresses or scales: they do not count.
    if (hasMatrices_ && i.op() != spv::Op::OpCooperativeMatrixMulAddKHR && i.op() != spv::Op::OpFunctionCall)
      work.products = 0;
    return work;
  }

  bool isProduct(Id value) const {
    const spv::Op op = m_.opOf(value);
    return op == spv::Op::OpFMul || op == spv::Op::OpVectorTimesScalar;
  }

  Work kindOf(const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpLabel:
      case spv::Op::OpPhi:
      case spv::Op::OpNop:
      case spv::Op::OpLine:
      case spv::Op::OpNoLine:
      case spv::Op::OpUndef:
      case spv::Op::OpLoopMerge:
      case spv::Op::OpSelectionMerge:
      case spv::Op::OpVariable:
      case spv::Op::OpBitcast:
      case spv::Op::OpCopyObject:
      case spv::Op::OpCopyLogical:
      case spv::Op::OpCompositeExtract:
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpCompositeInsert:
      case spv::Op::OpVectorShuffle: return {};
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain: {
        double indices = 0;
        for (const Id index : op::AccessChain(m_, i).indexes()) indices += constant(index) ? 0 : 1;
        // Addresses of 64 bits take several instructions of 32.
        const auto type = as<op::TypePointer>(m_, i.type);
        const bool wide = type && type.storageClass() == spv::StorageClass::PhysicalStorageBuffer;
        return plain(i, indices * (wide ? 3 : 1));
      }
      case spv::Op::OpLoad: return access(op::Load(m_, i).pointer(), sizes_.bytes(i.type), false);
      case spv::Op::OpStore: {
        const op::Store store(m_, i);
        return access(store.pointer(), sizes_.bytes(m_.typeOf(store.object())), true);
      }
      case spv::Op::OpCooperativeMatrixLoadKHR:
      case spv::Op::OpCooperativeMatrixStoreKHR: return matrixAccess(i);
      case spv::Op::OpCooperativeMatrixLoadTensorNV: return tensorAccess(i.type);
      case spv::Op::OpCooperativeMatrixStoreTensorNV:
        return tensorAccess(m_.typeOf(op::CooperativeMatrixStoreTensorNV(m_, i).object()));
      case spv::Op::OpCooperativeMatrixMulAddKHR: return multiplyAdd(i);
      case spv::Op::OpFunctionCall: return callOf(op::FunctionCall(m_, i).function());
      case spv::Op::OpExtInst: return workOfExtended(i);
      case spv::Op::OpControlBarrier: {
        Work work;
        work.barriers = 1;
        return work;
      }
      case spv::Op::OpSDot:
      case spv::Op::OpUDot:
      case spv::Op::OpSUDot:
      case spv::Op::OpSDotAccSat:
      case spv::Op::OpUDotAccSat:
      case spv::Op::OpSUDotAccSat: {
        Work work = plain(i, 1);
        work.products = 4.0 * active_;
        return work;
      }
      case spv::Op::OpVectorTimesScalar:
      case spv::Op::OpFMul: {
        Work work = plain(i, perType(i.type));
        if (sizes_.matrix(i.type) == nullptr) work.products = double(componentsOf(i.type)) * active_;
        return work;
      }
      case spv::Op::OpFAdd:
        // A product and the sum after it become one instruction.
        if (isProduct(op::Binary(m_, i).operand1()) || isProduct(op::Binary(m_, i).operand2())) return {};
        return plain(i, perType(i.type));
      case spv::Op::OpIMul: {
        const op::Binary product(m_, i);
        Work work = plain(
            i, perType(i.type) *
                   (constant(product.operand1()) || constant(product.operand2()) ? 1 : p_.integerMultiply));
        if (work.arithmetic > 0 && sizes_.bytes(i.type) > 0 && !constant(product.operand1()) &&
            !constant(product.operand2()))
          work.products = double(componentsOf(i.type)) * active_;
        return work;
      }
      case spv::Op::OpUDiv:
      case spv::Op::OpSDiv:
      case spv::Op::OpUMod:
      case spv::Op::OpSRem:
      case spv::Op::OpSMod: return plain(i, constant(op::Binary(m_, i).operand2()) ? 3 : 16);
      default: break;
    }
    if (const MatrixType* t = sizes_.matrix(i.type))
      return plain(i, double(t->elements()) / invocationsOf(*t) / (t->componentBits == 16 ? 2 : 1));
    return plain(i, i.type ? perType(i.type) : 1);
  }

  const Module& m_;
  const Processor& p_;
  // Numbers of invocations; `active_`: in a subgroup, which a small workgroup does not fill.
  const uint32_t subgroup_, active_, workgroup_;
  const ConstantEvaluator constants_;
  ValueSizes sizes_;
  const double turns_;
  const bool narrows_ = p_.repeatsOperands || p_.matrixIsArithmetic;
  bool hasMatrices_ = false;
  std::vector<bool> differs_, folded_;
  std::map<uint32_t, std::optional<double>> trips_;
  std::map<Id, Work> calls_;
  uint32_t depth_ = 0;
};

}  // namespace

ModuleCost costOf(const Module& module, const Processor& processor, uint32_t subgroupSize,
                  uint32_t workgroup) {
  return Costs(module, processor, subgroupSize, workgroup).run();
}

}  // namespace coopc::spirv::lower
