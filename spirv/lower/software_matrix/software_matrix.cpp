// Matrices as plain compute code. In place, each matrix type becomes the array of the components that an
// invocation holds, so that everything that only moves matrices (variables, phis, parameters, access to
// components) stays as it is. Every operation on matrices becomes code. software_matrix.hpp describes where
// elements are.
#include "spirv/lower/software_matrix/software_matrix.hpp"

#include <algorithm>

#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr auto kConvertUse = enums::OpCooperativeMatrixConvertUseEXT;

// Capabilities that only modules with matrices need.
bool isOfMatrices(spv::Capability capability) {
  switch (capability) {
    case spv::Capability::CooperativeMatrixKHR:
    case spv::Capability::CooperativeMatrixReductionsNV:
    case spv::Capability::CooperativeMatrixConversionsNV:
    case spv::Capability::CooperativeMatrixPerElementOperationsNV:
    case spv::Capability::CooperativeMatrixTensorAddressingNV:
    case spv::Capability::CooperativeMatrixBlockLoadsNV:
    case enums::CapabilityCooperativeMatrixConversionsEXT:
    case enums::CapabilityCooperativeMatrixGetCoordinateEXT:
    case enums::CapabilityCooperativeMatrixDecodeVectorNV:
    case enums::CapabilityBFloat16CooperativeMatrixKHR:
    case enums::CapabilityFloat8CooperativeMatrixEXT: return true;
    default: return false;
  }
}

bool isOfMatrices(std::string_view extension) {
  return extension == "SPV_KHR_cooperative_matrix" || extension == "SPV_NV_cooperative_matrix2" ||
         extension == "SPV_EXT_cooperative_matrix_maintenance1" ||
         extension == "SPV_NV_cooperative_matrix_decode_vector";
}

// Barriers, atomic operations and accesses: their scopes are those of memory.
bool ordersMemory(spv::Op op) {
  if (op == spv::Op::OpControlBarrier || op == spv::Op::OpMemoryBarrier ||
      op == enums::OpControlBarrierArriveEXT || op == enums::OpControlBarrierWaitEXT ||
      memoryOperandsPosition(op) != 0)
    return true;
  const std::string_view name = opName(uint32_t(op));
  return name.starts_with("OpAtomic") || name.starts_with("OpImage");
}

}  // namespace

SoftwareMatrices::SoftwareMatrices(Code& code, const SoftwareOptions& options, const SoftwarePlan& plan,
                                   Report& report)
    : code_(code), m_(code.module()), options_(options), plan_(plan), report_(report) {
  // Decorations of operations on matrices. They will apply to the operations on components.
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    const auto decorate = as<op::Decorate>(m_, i);
    if (!decorate) continue;
    const Id target = decorate.target();
    const Instruction* decorated = m_.def(target);
    if (decorated != nullptr && plan_.of(decorated->type) != nullptr &&
        m_.definitions[target.index()] >= m_.functionsAt)
      computed_.push_back(n);
  }
}

// --- What all parts use -----------------------------------------------------------------------------------------------
Id SoftwareMatrices::invocation(const SoftwareLayout& l) {
  const Id u32 = code_.typeU32();
  if (l.of.scope == spv::Scope::Workgroup || plan_.wholeWorkgroup)
    return code_.builtIn(spv::BuiltIn::LocalInvocationIndex, u32);
  code_.capability(spv::Capability::GroupNonUniform);
  return code_.builtIn(spv::BuiltIn::SubgroupLocalInvocationId, u32);
}

SoftwareMatrices::Lane SoftwareMatrices::lane(const SoftwareLayout& l) {
  const Id p = invocation(l), zero = code_.u32(0);
  const uint32_t fast = l.columnsFirst ? l.gridColumns : l.gridRows;
  const uint32_t slow = l.columnsFirst ? l.gridRows : l.gridColumns;
  const Id step = code_.u32(fast);
  const Id low = slow == 1 ? p : code_.mod(p, step);
  const Id high = slow == 1 ? zero : code_.div(p, step);
  Lane at = l.columnsFirst ? Lane{high, low} : Lane{low, high};
  if (l.whole) (l.byColumns() ? at.row : at.column) = zero;
  return at;
}

Id SoftwareMatrices::inside(const SoftwareLayout& l, const Place& place) {
  const Id columns = code_.u32(l.of.columns);
  return code_.less(place.column, columns);
}

SoftwareMatrices::Source::Source(Code& code, const SoftwareLayout& layout, Id value, bool indexed)
    : code_(code), layout_(layout), value_(value) {
  if (!indexed) return;
  const Id type = code.typeOf(value);
  variable_ = code.localVariable(type);
  code.store(variable_, value);
}

Id SoftwareMatrices::Source::at(Id index) const {
  if (layout_.packed > 1) {
    const Id size = code_.u32(layout_.packed), number = code_.div(index, size), part = code_.mod(index, size);
    return at(number, part);
  }
  const Id component = layout_.of.component;
  uint32_t known = 0;
  if (code_.constantValue(index, known)) return code_.extract(component, value_, {known});
  const Id pointer = code_.access(spv::StorageClass::Function, component, variable_, {index});
  return code_.load(component, pointer);
}

Id SoftwareMatrices::Source::at(Id number, Id part) const {
  const Id component = layout_.of.component;
  uint32_t knownNumber = 0, knownPart = 0;
  if (code_.constantValue(number, knownNumber) && code_.constantValue(part, knownPart))
    return code_.extract(component, value_, {knownNumber, knownPart});
  const Id pointer = code_.access(spv::StorageClass::Function, component, variable_, {number, part});
  return code_.load(component, pointer);
}

Id SoftwareMatrices::Source::element(Id number) const {
  const Id type = code_.typeNumbers(layout_.of.component, layout_.packed);
  uint32_t known = 0;
  if (code_.constantValue(number, known)) return code_.extract(type, value_, {known});
  const Id pointer = code_.access(spv::StorageClass::Function, type, variable_, {number});
  return code_.load(type, pointer);
}

SoftwareMatrices::Result::Result(Code& code, const SoftwareLayout& layout, bool indexed)
    : code_(code), layout_(layout) {
  if (indexed) {
    variable_ = code.localVariable(layout.of.type);
    return;
  }
  components_.resize(layout.components());
  elements_.resize(layout.elements());
}

void SoftwareMatrices::Result::set(Id index, Id value) {
  uint32_t known = 0;
  if (!variable_) {
    if (code_.constantValue(index, known) && known < components_.size()) components_[known] = value;
    return;
  }
  const Id component = layout_.of.component;
  if (layout_.packed == 1) {
    const Id pointer = code_.access(spv::StorageClass::Function, component, variable_, {index});
    code_.store(pointer, value);
    return;
  }
  const Id size = code_.u32(layout_.packed), number = code_.div(index, size), part = code_.mod(index, size);
  const Id pointer = code_.access(spv::StorageClass::Function, component, variable_, {number, part});
  code_.store(pointer, value);
}

void SoftwareMatrices::Result::setElement(Id number, Id value) {
  uint32_t known = 0;
  if (!variable_) {
    if (code_.constantValue(number, known) && known < elements_.size()) elements_[known] = value;
    return;
  }
  const Id type = code_.typeNumbers(layout_.of.component, layout_.packed);
  const Id pointer = code_.access(spv::StorageClass::Function, type, variable_, {number});
  code_.store(pointer, value);
}

void SoftwareMatrices::Result::finish(Id result) {
  if (variable_) {
    code_.opAs(spv::Op::OpLoad, layout_.of.type, result, {variable_});
    return;
  }
  const uint32_t packed = layout_.packed;
  std::vector<Word> words;
  for (uint32_t n = 0; n < layout_.elements(); ++n) {
    Id element = elements_[n];
    if (!element && packed == 1) element = components_[n];
    if (!element) {
      const std::vector<Word> parts(components_.begin() + n * packed, components_.begin() + (n + 1) * packed);
      const Id type = code_.typeVector(layout_.of.component, packed);
      element = code_.op(spv::Op::OpCompositeConstruct, type, Operands(parts));
    }
    words.push_back(element);
  }
  code_.opAs(spv::Op::OpCompositeConstruct, layout_.of.type, result, Operands(words));
}

// An element of the array whose components all are `value`.
Id SoftwareMatrices::replicated(const SoftwareLayout& l, Id value) {
  if (l.packed == 1) return value;
  const Id type = typeOfElement(l);
  const std::vector<Word> parts(l.packed, value);
  return code_.op(spv::Op::OpCompositeConstruct, type, Operands(parts));
}

void SoftwareMatrices::note(std::string what, std::string into) {
  for (Report::Rewrite& r : report_.rewrites) {
    if (r.what == what && r.into == into) return;
  }
  report_.rewrites.push_back({std::move(what), std::move(into)});
}

void SoftwareMatrices::useSmallType(Id scalar) {
  const Instruction* type = code_.global(scalar);
  if (type == nullptr) return;
  const uint32_t bits = op::NumberType(m_, *type).width();
  if (type->op() == spv::Op::OpTypeInt) {
    if (bits == 8) code_.capability(spv::Capability::Int8);
    if (bits == 16) code_.capability(spv::Capability::Int16);
  } else if (const auto encoding = as<op::TypeFloat>(m_, type).floatingPointEncoding()) {
    // So far, the capability of their matrices has declared these types.
    if (encoding == enums::FPEncodingBFloat16KHR) code_.capability(enums::CapabilityBFloat16TypeKHR);
    if (encoding == enums::FPEncodingFloat8E4M3EXT || encoding == enums::FPEncodingFloat8E5M2EXT)
      code_.capability(enums::CapabilityFloat8EXT);
  } else if (bits == 16) {
    code_.capability(spv::Capability::Float16);
  }
}

// Decorations of an operation apply to the operation on each component.
void SoftwareMatrices::copyDecorations(Id from, Id to) {
  code_.copyDecorations(from, to, [](spv::Decoration decoration) {
    return decoration == spv::Decoration::FPFastMathMode || decoration == spv::Decoration::NoContraction ||
           decoration == enums::DecorationSaturatedToLargestFloat8NormalConversionEXT;
  });
}

bool SoftwareMatrices::constant32(Id id, uint32_t& value) const {
  value = 0;
  const Instruction* i = code_.global(id);
  if (i != nullptr && i->op() == spv::Op::OpConstantNull) return true;
  return code_.constantValue(id, value);
}

// --- Workgroup memory -------------------------------------------------------------------------------------------------
// Slices of subgroups first, the area for operations of workgroup scope behind them: a slice may be in use while the workgroup's
// operation begins.
Id SoftwareMatrices::sharedVariable() {
  if (!shared_) {
    const Id words = typeWords();
    const Id array = code_.typeArray(words, (plan_.sliceWords * plan_.subgroups + plan_.groupWords) / 4);
    shared_ = code_.variable(spv::StorageClass::Workgroup, array);
    code_.name(shared_, "matrix_staging");
    report_.sharedBytes += (plan_.sliceWords * plan_.subgroups + plan_.groupWords) * 4;
  }
  return shared_;
}

Id SoftwareMatrices::sharedBase(const SoftwareLayout& l, uint32_t words) {
  if (l.of.scope == spv::Scope::Workgroup) return code_.u32(plan_.sliceWords * plan_.subgroups / words);
  if (plan_.subgroups == 1) return code_.u32(0);
  code_.capability(spv::Capability::GroupNonUniform);
  const Id u32 = code_.typeU32();
  const Id subgroup = code_.builtIn(spv::BuiltIn::SubgroupId, u32);
  const Id slice = code_.u32(plan_.sliceWords / words);
  return code_.mul(subgroup, slice);
}

Id SoftwareMatrices::loadWord(Id at) {
  const Id four = code_.u32(4), vector = code_.div(at, four), part = code_.mod(at, four);
  return loadWord(vector, part);
}

Id SoftwareMatrices::loadWord(Id vector, Id part) {
  const Id u32 = code_.typeU32(), variable = sharedVariable();
  const Id pointer = code_.access(spv::StorageClass::Workgroup, u32, variable, {vector, part});
  return code_.loadShared(u32, pointer);
}

void SoftwareMatrices::storeWord(Id at, Id value) {
  const Id four = code_.u32(4), vector = code_.div(at, four), part = code_.mod(at, four);
  const Id u32 = code_.typeU32(), variable = sharedVariable();
  const Id pointer = code_.access(spv::StorageClass::Workgroup, u32, variable, {vector, part});
  code_.storeShared(pointer, value);
}

Id SoftwareMatrices::loadVector(Id vector) {
  const Id words = typeWords(), variable = sharedVariable();
  const Id pointer = code_.access(spv::StorageClass::Workgroup, words, variable, {vector});
  return code_.loadShared(words, pointer);
}

void SoftwareMatrices::storeVector(Id vector, Id value) {
  const Id words = typeWords(), variable = sharedVariable();
  const Id pointer = code_.access(spv::StorageClass::Workgroup, words, variable, {vector});
  code_.storeShared(pointer, value);
}

// As bits, so that values do not change. A small component is the first one of a vector of 32 bits.
void SoftwareMatrices::storeComponent(const SoftwareLayout& l, Id at, Id value) {
  const Id u32 = code_.typeU32();
  if (l.of.componentBits == 64) {
    const Id pair = code_.typeVector(u32, 2), bits = code_.op(spv::Op::OpBitcast, pair, {value});
    const Id one = code_.u32(1), next = code_.add(at, one);
    const Id low = code_.extract(u32, bits, {0}), high = code_.extract(u32, bits, {1});
    storeWord(at, low);
    storeWord(next, high);
    return;
  }
  if (l.of.componentBits < 32) {
    const uint32_t parts = 32 / l.of.componentBits;
    const Id vector = code_.typeVector(l.of.component, parts), zero = code_.null(l.of.component);
    std::vector<Word> words(parts, zero);
    words[0] = value;
    value = code_.op(spv::Op::OpCompositeConstruct, vector, Operands(words));
  }
  const Id bits = l.of.component == u32 ? value : code_.op(spv::Op::OpBitcast, u32, {value});
  storeWord(at, bits);
}

Id SoftwareMatrices::loadComponent(const SoftwareLayout& l, Id at) {
  const Id u32 = code_.typeU32();
  const Id word = loadWord(at);
  if (l.of.component == u32) return word;
  if (l.of.componentBits == 64) {
    const Id one = code_.u32(1), next = code_.add(at, one), high = loadWord(next);
    const Id pair = code_.typeVector(u32, 2);
    const Id both = code_.op(spv::Op::OpCompositeConstruct, pair, {word, high});
    return code_.op(spv::Op::OpBitcast, l.of.component, {both});
  }
  if (l.of.componentBits == 32) return code_.op(spv::Op::OpBitcast, l.of.component, {word});
  const Id vector = code_.typeVector(l.of.component, 32 / l.of.componentBits);
  const Id parts = code_.op(spv::Op::OpBitcast, vector, {word});
  return code_.extract(l.of.component, parts, {0});
}

// --- The walk ---------------------------------------------------------------------------------------------------------
bool SoftwareMatrices::rewrite(const Instruction& i) {
  if (report_.refused() || m_.overflow()) return false;
  switch (i.op()) {
    case spv::Op::OpCooperativeMatrixLoadKHR: return load(i);
    case spv::Op::OpCooperativeMatrixStoreKHR: return store(i);
    case spv::Op::OpCooperativeMatrixMulAddKHR: return multiplyAdd(i);
    case spv::Op::OpCooperativeMatrixReduceNV: return reduce(i);
    case enums::OpCooperativeMatrixTransposeNV: return transpose(i);
    case spv::Op::OpCooperativeMatrixPerElementOpNV: return perElement(i);
    case enums::OpCooperativeMatrixGetCoordinateEXT: return coordinate(i);
    case spv::Op::OpCooperativeMatrixLengthKHR: {
      const SoftwareLayout* l = plan_.of(op::CooperativeMatrixLengthKHR(m_, i).type());
      if (l == nullptr) return false;
      const Id length = code_.u32(l->components());
      code_.opAs(spv::Op::OpCopyObject, i.type, i.result, {length});
      return true;
    }
    case spv::Op::OpCooperativeMatrixLoadTensorNV:
    case spv::Op::OpCooperativeMatrixStoreTensorNV:
      return refuse(Refusal::Unsupported, "a load or store with a tensor layout: these are lowered before");
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeConstructReplicateEXT: return construct(i);
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeInsert: return componentAccess(i);
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain: return accessChain(i);
    case kConvertUse: break;
    default:
      if (movesValues(i.op())) return false;
      break;
  }
  const bool result = plan_.of(i.type) != nullptr;
  bool operand = false;
  const Module& view = m_;
  if (!result) view.forEachUse(i, [&](Id id) { operand = operand || layoutOf(id) != nullptr; });
  if (!result && !operand) return false;
  if (result && elementWise(i)) return true;
  return refuse(Refusal::Unsupported, std::string(opName(i.opcode)) + " with a cooperative matrix");
}

// Where a workgroup takes the place of a subgroup, it does so in the module's barriers, and as the scope of its atomic operations and
// of what accesses make available or visible. Operations of the subgroup itself stay: there are none of a workgroup.
void SoftwareMatrices::widenScopes() {
  if (!plan_.wholeWorkgroup) return;
  const Id workgroup = code_.u32(uint32_t(spv::Scope::Workgroup));
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    const OpInfo* info = opInfo(i.opcode);
    if (info == nullptr || !ordersMemory(i.op())) continue;
    visitOperands(*info, m_.at(i), i.length, m_.switchWords(i), [&](OperandKind kind, uint32_t at, uint32_t) {
      uint32_t scope = 0;
      if (kind == OperandKind::IdScope && code_.constantValue(m_.idAt(i, at), scope) &&
          spv::Scope(scope) == spv::Scope::Subgroup)
        m_.setIdAt(i, at, workgroup);
    });
  }
}

// A constant of a matrix type has one constituent, which is the value of all components.
Instruction SoftwareMatrices::constantMatrix(const Instruction& i, const SoftwareLayout& l) {
  const bool spec =
      i.op() == spv::Op::OpSpecConstantComposite || i.op() == spv::Op::OpSpecConstantCompositeReplicateEXT;
  const spv::Op op = spec ? spv::Op::OpSpecConstantComposite : spv::Op::OpConstantComposite;
  Id element = op::AnyComposite(m_, i).constituents().front();
  if (l.packed != 1) {
    const Id type = typeOfElement(l);
    const std::vector<Word> parts(l.packed, element);
    element = code_.declare(op, type, Operands(parts));
  }
  const std::vector<Word> words(l.elements(), element);
  return m_.make(op, i.type, i.result, Operands(words));
}

// The length of a matrix, or access to a component by number, which takes two indices where elements of the array have several. A number
// that there is not, which is undefined, is taken as one that there is.
void SoftwareMatrices::changeSpecOp(uint32_t n) {
  const Instruction i = m_.instructions[n];
  const op::SpecConstantOp computation(m_, i);
  const spv::Op op = computation.opcode();
  const IdRange operands = computation.operands();
  if (op == spv::Op::OpCooperativeMatrixLengthKHR) {
    const SoftwareLayout* l = plan_.of(operands.front());
    if (l != nullptr) m_.instructions[n] = m_.make(spv::Op::OpConstant, i.type, i.result, {l->components()});
    return;
  }
  if (op != spv::Op::OpCompositeExtract && op != spv::Op::OpCompositeInsert) return;
  const uint32_t composite = op == spv::Op::OpCompositeInsert ? 1 : 0;
  Id type = code_.typeOf(operands[composite]);
  for (uint32_t k = composite + 1; k < operands.size() && type; ++k) {
    const SoftwareLayout* l = plan_.of(type);
    if (l == nullptr) {
      type = partOf(type, operands[k].index());
      continue;
    }
    std::vector<Word> words{op};
    for (uint32_t at = 0; at < k; ++at) words.push_back(operands[at]);
    const uint32_t index = operands[k].index() % l->components();
    words.push_back(index / l->packed);
    if (l->packed != 1) words.push_back(index % l->packed);
    m_.instructions[n] = m_.make(spv::Op::OpSpecConstantOp, i.type, i.result, Operands(words));
    return;
  }
}

void SoftwareMatrices::changeGlobals() {
  for (const uint32_t n : computed_) m_.instructions[n] = m_.make(spv::Op::OpNop, {});
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction i = m_.instructions[n];
    const SoftwareLayout* l = nullptr;
    switch (i.op()) {
      case spv::Op::OpCapability:
        if (isOfMatrices(op::Capability(m_, i).capability()))
          m_.instructions[n] = m_.make(spv::Op::OpNop, {});
        break;
      case spv::Op::OpExtension:
        if (isOfMatrices(op::Extension(m_, i).name())) m_.instructions[n] = m_.make(spv::Op::OpNop, {});
        break;
      case spv::Op::OpTypeCooperativeMatrixKHR: {
        l = plan_.of(i.result);
        if (l == nullptr) break;
        const Id element = typeOfElement(*l), length = code_.u32(l->elements());
        m_.instructions[n] = m_.make(spv::Op::OpTypeArray, kNoId, i.result, {element, length});
        break;
      }
      case spv::Op::OpConstantComposite:
      case spv::Op::OpSpecConstantComposite:
      case spv::Op::OpConstantCompositeReplicateEXT:
      case spv::Op::OpSpecConstantCompositeReplicateEXT:
        l = plan_.of(i.type);
        if (l != nullptr) m_.instructions[n] = constantMatrix(i, *l);
        break;
      case spv::Op::OpSpecConstantOp: changeSpecOp(n); break;
      default: break;
    }
  }
}

void lowerToSoftwareMatrices(Module& module, const SoftwareOptions& options, Report& report) {
  const SoftwarePlan plan = planSoftwareMatrices(module, options, report);
  if (report.refused() || plan.layouts.empty()) return;
  if (options.unroll == Unroll::Yes) dropUnrollHints(module, plan, report);
  Code code(module);
  SoftwareMatrices matrices(code, options, plan, report);
  matrices.widenScopes();
  code.rewrite([&](const Instruction& i) { return matrices.rewrite(i); });
  if (code.fault())
    report.refuse(Refusal::ControlFlow,
                  "an operation on matrices stands in the header of a loop that cannot be cut");
  if (report.refused()) return;
  for (const SoftwareLayout& l : plan.layouts) {
    if (l.of.scope == spv::Scope::Subgroup && !plan.wholeWorkgroup) report.needsSubgroupSize = true;
    matrices.useSmallType(l.of.component);
    const std::string packed = l.packed == 1 ? "" : l.packed == 2 ? ", in pairs," : ", in fours,";
    const auto lines = [](uint32_t count, const char* what, uint32_t apart) {
      return std::to_string(count) + what + std::to_string(apart) + " apart";
    };
    const std::string rows = lines(l.rowsHeld, l.whole ? " whole rows " : " rows ", l.rowLanes);
    const std::string columns =
        lines(l.columnsHeld, l.whole ? " whole columns " : " columns ", l.columnLanes);
    report.rewrites.push_back({describe(l.of), "an array of " + std::to_string(l.components()) + packed +
                                                   " in each invocation: " +
                                                   (!l.whole        ? rows + ", " + columns
                                                    : l.byColumns() ? columns
                                                                    : rows)});
  }
  matrices.changeGlobals();
  code.finish();
  if (module.overflow()) report.refuse(Refusal::Limit, "the lowered module has more ids than SPIR-V allows");
}

}  // namespace coopc::spirv::lower
