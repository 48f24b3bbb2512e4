// Liveness by the usual backward data flow, over the parts of a function's values.
#include "spirv/lower/advice/value_registers.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "spirv/instructions.hpp"

namespace coopc::spirv::lower {
namespace {

constexpr uint32_t kMostDepth = 16;       // of nested types; deeper ones count as nothing
constexpr uint64_t kMostBits = 1u << 24;  // sizes saturate here

// Built-in inputs that are the same in a subgroup.
bool isUniformInput(spv::BuiltIn builtIn) {
  switch (builtIn) {
    case spv::BuiltIn::NumWorkgroups:
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::WorkgroupSize:
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::NumSubgroups:
    case spv::BuiltIn::SubgroupId: return true;
    default: return false;
  }
}

}  // namespace

uint64_t ValueSizes::bits(Id type, uint32_t depth) const {
  const Instruction* t = m_.def(type);
  if (t == nullptr || depth > kMostDepth) return 0;
  // Each type is measured once: a structure may hold another one many times, which may hold a third.
  if (const auto known = bits_.find(type); known != bits_.end()) return known->second;
  return bits_[type] = measureBits(*t, depth);
}

uint64_t ValueSizes::measureBits(const Instruction& t, uint32_t depth) const {
  switch (t.op()) {
    case spv::Op::OpTypeBool: return 32;
    case spv::Op::OpTypeInt: return op::TypeInt(m_, t).width();
    case spv::Op::OpTypeFloat: return op::TypeFloat(m_, t).width();
    case spv::Op::OpTypePointer:
      return op::TypePointer(m_, t).storageClass() == spv::StorageClass::PhysicalStorageBuffer ? 64 : 32;
    case spv::Op::OpTypeVector: {
      const op::TypeVector v(m_, t);
      return std::min(kMostBits, bits(v.componentType(), depth + 1) * v.componentCount());
    }
    case spv::Op::OpTypeArray: {
      const op::TypeArray a(m_, t);
      const uint64_t count = constants_.value(a.length()).bits;
      return std::min(kMostBits, bits(a.elementType(), depth + 1) * std::min<uint64_t>(count, 1u << 16));
    }
    case spv::Op::OpTypeStruct: {
      uint64_t sum = 0;
      for (const Id member : op::TypeStruct(m_, t).memberTypes())
        sum = std::min(kMostBits, sum + bits(member, depth + 1));
      return sum;
    }
    default: return 0;
  }
}

uint32_t ValueSizes::bytes(Id type) const { return uint32_t(bits(type, 0) / 8); }

const MatrixType* ValueSizes::matrix(Id type) {
  if (const auto known = matrices_.find(type); known != matrices_.end()) return &known->second;
  const Instruction* t = m_.def(type);
  if (t == nullptr || t->op() != spv::Op::OpTypeCooperativeMatrixKHR) return nullptr;
  const MatrixTypeConstants sizes = matrixTypeConstants(m_, *t, constants_);
  if (!sizes.known()) return nullptr;
  return &matrices_.emplace(type, matrixType(m_, *t, sizes)).first->second;
}

uint32_t ValueSizes::matrixRegisters(const MatrixType& t) const {
  const bool sums = t.use == spv::CooperativeMatrixUse::MatrixAccumulatorKHR;
  const uint64_t bitsOfComponent =
      sums && processor_.widensSums ? std::max(32u, t.componentBits) : t.componentBits;
  const uint64_t times = !sums && processor_.repeatsOperands ? 2 : 1;
  const uint64_t lanes = t.ofWorkgroup() ? workgroup_ : subgroupSize_;
  const uint64_t all = uint64_t{t.rows} * t.columns * bitsOfComponent * times;
  return uint32_t(std::min<uint64_t>((all + 32 * lanes - 1) / (32 * lanes), kMostBits));
}

uint32_t ValueSizes::measure(Id type, uint32_t depth) {
  const Instruction* t = m_.def(type);
  if (t == nullptr || depth > kMostDepth) return 0;
  if (const auto known = registers_.find(type); known != registers_.end()) return known->second;
  if (const MatrixType* is = matrix(type)) return matrixRegisters(*is);
  return registers_[type] = measureParts(type, *t, depth);
}

uint32_t ValueSizes::measureParts(Id type, const Instruction& t, uint32_t depth) {
  switch (t.op()) {
    case spv::Op::OpTypeArray: {
      const op::TypeArray a(m_, t);
      const uint64_t count = std::min<uint64_t>(constants_.value(a.length()).bits, 1u << 16);
      return uint32_t(std::min<uint64_t>(measure(a.elementType(), depth + 1) * count, kMostBits));
    }
    case spv::Op::OpTypeStruct: {
      uint64_t sum = 0;
      for (const Id member : op::TypeStruct(m_, t).memberTypes()) sum += measure(member, depth + 1);
      return uint32_t(std::min(sum, kMostBits));
    }
    default: return uint32_t((bits(type, depth) + 31) / 32);
  }
}

uint32_t ValueSizes::registers(Id type) { return measure(type, 0); }

std::vector<bool> differingValues(const Module& m, const Cfg& function, ValueSizes& sizes) {
  std::vector<bool> differs(m.bound, false);
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto variable = as<op::Variable>(m, i))
      differs[i.result.index()] = variable.storageClass() == spv::StorageClass::Input;
  }
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const auto decorate = as<op::Decorate>(m, m.instructions[n]);
    if (decorate && decorate.decoration() == spv::Decoration::BuiltIn &&
        isUniformInput(spv::BuiltIn(decorate.parameters()[0])) && decorate.target().index() < m.bound)
      differs[decorate.target().index()] = false;
  }
  const auto isDifferent = [&](const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpFunctionParameter:
      case spv::Op::OpFunctionCall: return true;
      case spv::Op::OpLoad: {
        const auto type = as<op::TypePointer>(m, m.typeOf(op::Load(m, i).pointer()));
        if (type && (type.storageClass() == spv::StorageClass::Workgroup ||
                     type.storageClass() == spv::StorageClass::Function ||
                     type.storageClass() == spv::StorageClass::Private))
          return true;
        break;
      }
      default: break;
    }
    if (sizes.matrix(i.type) != nullptr) return true;
    bool any = false;
    m.forEachOperandId(i, [&](Id id) { any = any || (id.index() < m.bound && differs[id.index()]); });
    return any;
  };
  // A pass settles all values except those that depend on loops. If that takes long, the rest counts as
  // different.
  constexpr uint32_t kMostPasses = 16;
  uint32_t passes = 0;
  for (bool changed = true; changed;) {
    changed = false;
    ++passes;
    for (uint32_t n = function.functionBegin; n < function.functionEnd; ++n) {
      const Instruction& i = m.instructions[n];
      if (!i.result || i.op() == spv::Op::OpLabel || i.op() == spv::Op::OpFunction ||
          i.op() == spv::Op::OpVariable || differs[i.result.index()] ||
          (passes <= kMostPasses && !isDifferent(i)))
        continue;
      differs[i.result.index()] = changed = true;
    }
  }
  return differs;
}

namespace {

// The values of a function as parts: scalars and matrices. Composed and extracted values refer to parts of
// other values, as in drivers' compilers.
class Parts {
 public:
  struct Part {
    uint32_t size = 0;  // in 16 bits
    bool scalar = false;
  };

  Parts(const Module& m, const Cfg& f, ValueSizes& sizes, const std::vector<bool>& differs,
        const Processor& p)
      : m_(m), sizes_(sizes), differs_(differs), hasScalars_(p.scalarRegisters) {
    of_.assign(m.bound, {});
    for (uint32_t n = f.functionBegin; n < f.functionEnd; ++n) read(m.instructions[n]);
    placeVariables(f);
  }

  const std::vector<Part>& all() const { return parts_; }
  // The numbers of an id's parts; kNone if a part is a constant.
  std::span<const uint32_t> of(Id id) const {
    if (id.index() >= of_.size()) return {};
    return {numbers_.data() + of_[id.index()].first, of_[id.index()].count};
  }
  // Whether the instruction makes its parts, or refers to parts of other values.
  bool isNew(const Instruction& i) const {
    const Range range = i.result.index() < of_.size() ? of_[i.result.index()] : Range();
    return range.count != 0 && range.isNew;
  }
  // Registers of the function's variables at an instruction.
  uint32_t variablesAt(uint32_t instruction) const { return variablesAt_[instruction - begin_]; }

 private:
  struct Range {
    uint32_t first = 0, count = 0;
    bool isNew = false;
  };
  static constexpr uint32_t kMostParts = 8192;  // of a value; a larger one is one part
  // The limit for all values together, because a value that refers to parts of others stores their numbers.
  // Beyond the limit, values have their own parts.
  static constexpr size_t kMostNumbers = size_t(1) << 22;

  // The leaves of a type in order, as sizes in 16 bits; false if there are too many.
  bool flatten(Id type, std::vector<uint32_t>& leaves, uint32_t depth) {
    const Instruction* t = m_.def(type);
    if (t == nullptr || depth > kMostDepth || leaves.size() > kMostParts) return false;
    switch (t->op()) {
      case spv::Op::OpTypeVector: {
        const op::TypeVector v(m_, *t);
        if (v.componentCount() > kMostParts) return false;
        const uint32_t size = (sizes_.bytes(v.componentType()) + 1) / 2;
        // Two components of 8 bits count as one of 16, so that four are a register.
        const bool bytes = sizes_.bytes(v.componentType()) == 1;
        for (uint32_t n = 0; n < v.componentCount(); ++n) leaves.push_back(bytes ? n % 2 : size);
        return true;
      }
      case spv::Op::OpTypeArray: {
        const op::TypeArray a(m_, *t);
        const uint64_t count = sizes_.count(a.length());
        if (sizes_.registers(type) == 0) return true;  // it has no leaves, however long it is
        if (count > kMostParts) return false;
        for (uint64_t n = 0; n < count; ++n) {
          if (!flatten(a.elementType(), leaves, depth + 1)) return false;
        }
        return true;
      }
      case spv::Op::OpTypeStruct:
        if (sizes_.registers(type) == 0) return true;
        for (const Id member : op::TypeStruct(m_, *t).memberTypes()) {
          if (!flatten(member, leaves, depth + 1)) return false;
        }
        return true;
      default: leaves.push_back(2 * sizes_.registers(type)); return true;
    }
  }

  uint32_t leavesOf(Id type) {
    if (const auto known = counts_.find(type); known != counts_.end()) return known->second;
    std::vector<uint32_t> leaves;
    return counts_[type] = flatten(type, leaves, 0) ? uint32_t(leaves.size()) : 1;
  }

  void make(const Instruction& i) {
    std::vector<uint32_t> leaves;
    if (numbers_.size() > kMostNumbers || !flatten(i.type, leaves, 0))
      leaves.assign(1, 2 * sizes_.registers(i.type));
    of_[i.result.index()] = {uint32_t(numbers_.size()), uint32_t(leaves.size()), true};
    const bool scalar = hasScalars_ && !differs_[i.result.index()];
    for (const uint32_t size : leaves) {
      numbers_.push_back(uint32_t(parts_.size()));
      parts_.push_back({size, scalar});
    }
  }

  void name(const Instruction& i, const std::vector<uint32_t>& numbers) {
    of_[i.result.index()] = {uint32_t(numbers_.size()), uint32_t(numbers.size()), false};
    numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
  }

  // Appends the numbers of a value's parts; for a constant, kNone for each part.
  void append(std::vector<uint32_t>& numbers, Id value) {
    const std::span<const uint32_t> own = of(value);
    if (own.empty())
      numbers.insert(numbers.end(), leavesOf(m_.typeOf(value)), kNone);
    else
      numbers.insert(numbers.end(), own.begin(), own.end());
  }

  // Finds where a member of a composite begins, and its type. False if there is no such member.
  bool member(Id& type, uint32_t index, uint32_t& first) {
    const Instruction* t = m_.def(type);
    if (t == nullptr) return false;
    if (const auto structure = as<op::TypeStruct>(m_, *t)) {
      if (index >= structure.memberTypes().size()) return false;
      for (uint32_t n = 0; n < index; ++n) first += leavesOf(structure.memberTypes()[n]);
      type = structure.memberTypes()[index];
      return true;
    }
    if (const auto vector = as<op::TypeVector>(m_, *t))
      type = vector.componentType();
    else if (const auto array = as<op::TypeArray>(m_, *t))
      type = array.elementType();
    else
      return false;
    first += index * leavesOf(type);
    return true;
  }

  template <class Indexes>
  bool locate(Id composite, const Indexes& indexes, uint32_t& first, uint32_t& count) {
    Id type = m_.typeOf(composite);
    first = 0;
    for (const uint32_t index : indexes) {
      if (!member(type, index, first)) return false;
    }
    count = leavesOf(type);
    return uint64_t{first} + count <= leavesOf(m_.typeOf(composite));
  }

  // Reads an instruction whose parts are parts of other values; false if it is another instruction.
  bool readAlias(const Instruction& i) {
    if (numbers_.size() > kMostNumbers) return false;
    std::vector<uint32_t> numbers, source;
    uint32_t first = 0, count = 0;
    switch (i.op()) {
      case spv::Op::OpCopyObject:
      case spv::Op::OpCopyLogical:
      case spv::Op::OpBitcast:
        append(numbers, op::Value(m_, i).operands().front());
        if (numbers.size() != leavesOf(i.type)) return false;
        break;
      case spv::Op::OpCompositeConstruct:
        if (sizes_.matrix(i.type) != nullptr)
          return false;  // all components of one value, in registers of their own
        for (const Id part : op::CompositeConstruct(m_, i).constituents()) append(numbers, part);
        if (numbers.size() != leavesOf(i.type)) return false;
        break;
      case spv::Op::OpCompositeExtract: {
        const op::CompositeExtract extract(m_, i);
        append(source, extract.composite());
        if (!locate(extract.composite(), extract.indexes(), first, count) || first + count > source.size())
          return false;
        numbers.assign(source.begin() + first, source.begin() + first + count);
        break;
      }
      case spv::Op::OpCompositeInsert: {
        const op::CompositeInsert insert(m_, i);
        append(numbers, insert.composite());
        append(source, insert.object());
        if (!locate(insert.composite(), insert.indexes(), first, count) || count != source.size() ||
            first + count > numbers.size())
          return false;
        std::copy(source.begin(), source.end(), numbers.begin() + first);
        break;
      }
      case spv::Op::OpVectorShuffle: {
        const op::VectorShuffle shuffle(m_, i);
        append(source, shuffle.vector1());
        append(source, shuffle.vector2());
        for (const uint32_t component : shuffle.components())
          numbers.push_back(component < source.size() ? source[component] : kNone);
        break;
      }
      default: return false;
    }
    name(i, numbers);
    return true;
  }

  void read(const Instruction& i) {
    if (!i.result || !i.type || i.op() == spv::Op::OpFunction || i.op() == spv::Op::OpUndef) return;
    if (i.op() == spv::Op::OpVariable) return;
    if (!readAlias(i) && sizes_.registers(i.type) != 0) make(i);
  }

  // A variable is held from its first use to its last, and in all of a loop that uses it and does not contain
  // it.
  void placeVariables(const Cfg& f) {
    begin_ = f.functionBegin;
    std::vector<int64_t> change(f.functionEnd - begin_ + 1, 0);
    std::map<Id, std::pair<uint32_t, uint32_t>> uses;
    for (uint32_t n = f.functionBegin; n < f.functionEnd; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpVariable) {
        uses[i.result] = {kNone, 0};
        continue;
      }
      m_.forEachOperandId(i, [&](Id id) {
        const auto variable = uses.find(id);
        if (variable == uses.end()) return;
        variable->second.first = std::min(variable->second.first, n);
        variable->second.second = n;
      });
    }
    for (auto& [variable, range] : uses) {
      if (range.first == kNone) continue;
      for (const Block& block : f.blocks) {
        if (block.continueBlock == kNone || block.mergeBlock >= f.blocks.size()) continue;
        const uint32_t from = block.first, to = f.blocks[block.mergeBlock].first;
        const bool begins = range.first >= from && range.first < to,
                   ends = range.second >= from && range.second < to;
        if (begins && !ends && range.second >= to) range.first = from;
        if (ends && !begins && range.first < from) range.second = to;
      }
      const auto type = as<op::TypePointer>(m_, m_.typeOf(variable));
      const uint32_t size = type ? sizes_.registers(type.type()) : 0;
      change[range.first - begin_] += size;
      change[range.second - begin_ + 1] -= size;
    }
    variablesAt_.resize(change.size());
    int64_t now = 0;
    for (size_t n = 0; n < change.size(); ++n) variablesAt_[n] = uint32_t(now += change[n]);
  }

  const Module& m_;
  ValueSizes& sizes_;
  const std::vector<bool>& differs_;
  const bool hasScalars_;
  std::vector<Range> of_;
  std::vector<uint32_t> numbers_;
  std::vector<Part> parts_;
  std::unordered_map<Id, uint32_t> counts_;
  uint32_t begin_ = 0;
  std::vector<uint32_t> variablesAt_;
};

class Liveness {
 public:
  Liveness(const Module& m, const Cfg& function, const Parts& parts)
      : m_(m), f_(function), parts_(parts), words_((parts.all().size() + 63) / 64) {}

  std::vector<Pressure> run() {
    const auto& order = f_.reversePostOrder();
    in_.assign(f_.blocks.size(), {});
    for (const uint32_t b : order) in_[b].assign(words_, 0);
    // Structured programs settle after one pass for each level of loops, and one more; the bound is for other
    // programs.
    constexpr uint32_t kMostPasses = 32;
    bool changed = true;
    for (uint32_t pass = 0; changed && pass < kMostPasses; ++pass) {
      changed = false;
      for (size_t n = order.size(); n-- > 0;) {
        Set live = liveOut(order[n]);
        walk(order[n], live);
        if (live != in_[order[n]]) {
          in_[order[n]] = std::move(live);
          changed = true;
        }
      }
    }
    counts_ = true;
    std::vector<Pressure> pressure(f_.blocks.size());
    for (const uint32_t b : order) {
      Set live = liveOut(b);
      count(live);
      halves_[0] = halves_[1] = 0;
      walk(b, live);
      pressure[b] = {(halves_[0] + 1) / 2, (halves_[1] + 1) / 2};
    }
    return pressure;
  }

 private:
  using Set = std::vector<uint64_t>;

  bool has(const Set& set, uint32_t n) const { return (set[n / 64] >> (n % 64) & 1) != 0; }
  void put(Set& set, uint32_t n) {
    if (n == kNone || has(set, n)) return;
    set[n / 64] |= uint64_t{1} << (n % 64);
    now_[parts_.all()[n].scalar] += parts_.all()[n].size;
  }
  void drop(Set& set, uint32_t n) {
    if (n == kNone || !has(set, n)) return;
    set[n / 64] &= ~(uint64_t{1} << (n % 64));
    now_[parts_.all()[n].scalar] -= parts_.all()[n].size;
  }
  void note(uint32_t instruction) {
    if (!counts_) return;
    halves_[0] = std::max(halves_[0], now_[0] + 2 * parts_.variablesAt(instruction));
    halves_[1] = std::max(halves_[1], now_[1]);
  }
  void count(const Set& live) {
    now_[0] = now_[1] = 0;
    for (uint32_t n = 0; n < parts_.all().size(); ++n) {
      if (has(live, n)) now_[parts_.all()[n].scalar] += parts_.all()[n].size;
    }
  }

  // Values that are live after a block: those at the beginning of its successors, and the operands of their
  // phis.
  Set liveOut(uint32_t block) const {
    Set live(words_, 0);
    for (const uint32_t next : f_.successors(block)) {
      if (in_[next].empty()) continue;
      for (size_t w = 0; w < words_; ++w) live[w] |= in_[next][w];
    }
    for (const uint32_t next : f_.successors(block)) {
      for (uint32_t n = f_.blocks[next].first + 1; n <= f_.blocks[next].last; ++n) {
        const Instruction& i = m_.instructions[n];
        if (i.op() == spv::Op::OpNop || i.op() == spv::Op::OpLine || i.op() == spv::Op::OpNoLine) continue;
        const auto phi = as<op::Phi>(m_, i);
        if (!phi) break;
        for (const auto& [value, from] : phi.incoming()) {
          if (f_.blockOf(from) != block) continue;
          for (const uint32_t part : parts_.of(value)) {
            if (part != kNone) live[part / 64] |= uint64_t{1} << (part % 64);
          }
        }
      }
    }
    return live;
  }

  // Walks from the end of a block to its beginning. Results of phis are live at the beginning, and are not
  // written there.
  void walk(uint32_t block, Set& live) {
    note(f_.blocks[block].last);
    for (uint32_t n = f_.blocks[block].last + 1; n-- > f_.blocks[block].first;) {
      const Instruction& i = m_.instructions[n];
      if (i.result && parts_.isNew(i)) {
        if (i.op() != spv::Op::OpPhi) {
          for (const uint32_t part : parts_.of(i.result)) put(live, part);  // also one that nobody reads
          note(n);
        }
        for (const uint32_t part : parts_.of(i.result)) drop(live, part);
      }
      if (i.op() == spv::Op::OpPhi || (i.result && !parts_.isNew(i) && !parts_.of(i.result).empty()))
        continue;
      m_.forEachOperandId(i, [&](Id id) {
        for (const uint32_t part : parts_.of(id)) put(live, part);
      });
      note(n);
    }
  }

  const Module& m_;
  const Cfg& f_;
  const Parts& parts_;
  const size_t words_;
  std::vector<Set> in_;
  bool counts_ = false;
  uint32_t now_[2] = {0, 0}, halves_[2] = {0, 0};  // in 16 bits: registers, and scalar ones
};

}  // namespace

std::vector<Pressure> pressureOf(const Module& m, const Cfg& function, ValueSizes& sizes,
                                 const std::vector<bool>& differs, const Processor& processor) {
  const Parts parts(m, function, sizes, differs, processor);
  return Liveness(m, function, parts).run();
}

}  // namespace coopc::spirv::lower
