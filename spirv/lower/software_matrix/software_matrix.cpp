// Matrices as plain compute code. In place, each matrix type becomes the array of the components that an
// invocation holds, so that instructions which only move matrices (variables, phis, parameters, access to
// components) stay unchanged. Every operation on matrices becomes code. plan.hpp describes the distribution
// of elements.
#include "spirv/lower/software_matrix/software_matrix.hpp"

#include <algorithm>

#include "spirv/composites.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/analysis/called_functions.hpp"
#include "spirv/lower/analysis/equal_columns.hpp"
#include "spirv/lower/analysis/ignored_elements.hpp"
#include "spirv/lower/software_matrix/late_operands.hpp"
#include "spirv/lower/unroll_hints.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower {

namespace {

constexpr auto kConvertUse = enums::OpCooperativeMatrixConvertUseEXT;

// Capabilities that only modules with matrices need, and that this pass removes. The list of layer/module.cpp
// says which modules the layer lowers; it also has TensorAddressingNV, which the pass for tensor addressing
// removes.
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

// Whether the scopes of an instruction are scopes of memory: barriers, atomic operations and accesses.
bool ordersMemory(spv::Op op) {
  if (op == spv::Op::OpControlBarrier || op == spv::Op::OpMemoryBarrier ||
      op == enums::OpControlBarrierArriveEXT || op == enums::OpControlBarrierWaitEXT ||
      memoryOperandsPosition(op) != 0)
    return true;
  const std::string_view name = opName(uint32_t(op));
  return name.starts_with("OpAtomic") || name.starts_with("OpImage");
}

}  // namespace

SoftwareMatrices::SoftwareMatrices(const SoftwareContext& c)
    : SoftwarePart(c),
      walk_(c),
      buffer_(c),
      moves_(c, walk_, buffer_),
      elements_(c, walk_, moves_),
      access_(c, walk_),
      sums_(c),
      staging_(c, walk_, buffer_, sums_),
      pieces_(c, walk_, buffer_, sums_),
      products_(c, walk_, buffer_, sums_, staging_, pieces_, elements_) {
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

// --- The walk ----------------------------------------------------------------------------------------------
bool SoftwareMatrices::rewrite(const Instruction& i) {
  if (report_.isRefused() || m_.overflow()) return false;
  switch (i.op()) {
    case spv::Op::OpCooperativeMatrixLoadKHR: return access_.load(i);
    case spv::Op::OpCooperativeMatrixStoreKHR: return access_.store(i);
    case spv::Op::OpCooperativeMatrixMulAddKHR: return products_.multiplyAdd(i);
    case spv::Op::OpCooperativeMatrixReduceNV: return moves_.reduce(i);
    case enums::OpCooperativeMatrixTransposeNV: return moves_.transpose(i);
    case spv::Op::OpCooperativeMatrixPerElementOpNV: {
      const SoftwareLayout* l = plan_.of(i.type);
      if (plan_.late.contains(i.result)) return elements_.leaveToStaging(i);
      return l != nullptr && l->pieces ? pieces_.load(i) : elements_.lowerPerElement(i);
    }
    case enums::OpCooperativeMatrixGetCoordinateEXT: return elements_.lowerCoordinate(i);
    case spv::Op::OpCooperativeMatrixLengthKHR: {
      const SoftwareLayout* l = plan_.of(op::CooperativeMatrixLengthKHR(m_, i).type());
      if (l == nullptr) return false;
      const Id length = code_.u32(l->components());
      code_.makeAs<op::CopyObject>(i.type, i.result, {length});
      return true;
    }
    case spv::Op::OpCooperativeMatrixLoadTensorNV:
    case spv::Op::OpCooperativeMatrixStoreTensorNV:
      return refuse(Refusal::Unsupported,
                    "a load or store with a tensor layout, which an earlier pass lowers");
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeConstructReplicateEXT: return elements_.lowerConstruct(i);
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpCompositeInsert: return elements_.lowerComponentAccess(i);
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpPtrAccessChain:
    case spv::Op::OpInBoundsPtrAccessChain: return elements_.lowerAccessChain(i);
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
  if (result && elements_.lowerElementwise(i)) return true;
  return refuse(Refusal::Unsupported, std::string(opName(i.opcode)) + " with a cooperative matrix");
}

// If a workgroup takes the place of a subgroup, it also does in the module's barriers, and as the scope of
// atomic operations and of memory that accesses make available or visible. Operations of the subgroup itself
// stay, because a workgroup has no such operations.
void SoftwareMatrices::widenScopes() {
  if (!plan_.wholeWorkgroup) return;
  const Id workgroup = code_.u32(uint32_t(spv::Scope::Workgroup));
  for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
    const Instruction& i = m_.instructions[n];
    const OpInfo* info = opInfo(i.opcode);
    if (info == nullptr || !ordersMemory(i.op())) continue;
    visitOperands(*info, m_.at(i), i.length, m_.switchWords(i), [&](OperandKind kind, uint32_t at, uint32_t) {
      if (kind == OperandKind::IdScope &&
          code_.globals.constantValue(m_.idAt(i, at)) == uint32_t(spv::Scope::Subgroup))
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
    element = code_.globals.declare(op, type, Operands(parts));
  }
  const std::vector<Word> words(l.elements(), element);
  return m_.make(op, i.type, i.result, Operands(words));
}

// Rewrites a constant operation: the length of a matrix, or access to a component by number, which takes two
// indices if elements of the array have several components. A number beyond the components, whose result is
// undefined, is replaced by one that exists.
void SoftwareMatrices::changeSpecOp(uint32_t n) {
  const Instruction i = m_.instructions[n];
  const op::SpecConstantOp computation(m_, i);
  const spv::Op op = computation.opcode();
  const IdRange operands = computation.operands();
  if (op == spv::Op::OpCooperativeMatrixLengthKHR) {
    const SoftwareLayout* l = plan_.of(operands.front());
    if (l != nullptr)
      m_.instructions[n] = m_.make<op::Constant>(i.type, i.result, {.value = {l->components()}});
    return;
  }
  if (op != spv::Op::OpCompositeExtract && op != spv::Op::OpCompositeInsert) return;
  const uint32_t composite = op == spv::Op::OpCompositeInsert ? 1 : 0;
  Id type = code_.globals.typeOf(operands[composite]);
  for (uint32_t k = composite + 1; k < operands.size() && type; ++k) {
    const SoftwareLayout* l = plan_.of(type);
    if (l == nullptr) {
      type = partType(m_, code_.globals.definition(type), operands[k].index());
      continue;
    }
    std::vector<Word> words;
    for (uint32_t at = 0; at < k; ++at) words.push_back(operands[at]);
    const uint32_t index = operands[k].index() % l->components();
    words.push_back(index / l->packed);
    if (l->packed != 1) words.push_back(index % l->packed);
    m_.instructions[n] = m_.make<op::SpecConstantOp>(i.type, i.result, {.opcode = op, .operands = words});
    return;
  }
}

void SoftwareMatrices::changeGlobals() {
  for (const uint32_t n : computed_) m_.instructions[n] = m_.make<op::Nop>();
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction i = m_.instructions[n];
    const SoftwareLayout* l = nullptr;
    switch (i.op()) {
      case spv::Op::OpCapability:
        if (isOfMatrices(op::Capability(m_, i).capability())) m_.instructions[n] = m_.make<op::Nop>();
        break;
      case spv::Op::OpExtension:
        if (isOfMatrices(op::Extension(m_, i).name())) m_.instructions[n] = m_.make<op::Nop>();
        break;
      case spv::Op::OpTypeCooperativeMatrixKHR: {
        l = plan_.of(i.result);
        if (l == nullptr) break;
        const Id element = typeOfElement(*l), length = code_.u32(l->elements());
        m_.instructions[n] = m_.make<op::TypeArray>(i.result, {.elementType = element, .length = length});
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

namespace {

// The positions of multiply-adds of workgroup scope, in order.
std::vector<uint32_t> productsOf(const Module& m, const SoftwarePlan& plan) {
  std::vector<uint32_t> products;
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    const SoftwareLayout* result =
        i.op() == spv::Op::OpCooperativeMatrixMulAddKHR ? plan.of(i.type) : nullptr;
    if (result != nullptr && result->of.scope == spv::Scope::Workgroup) products.push_back(n);
  }
  return products;
}

}  // namespace

void lowerToSoftwareMatrices(Module& module, const SoftwareOptions& options, Report& report) {
  if (options.registers != 0) dropIgnoredElements(module);
  SoftwarePlan plan = planSoftwareMatrices(module, options, report);
  if (report.isRefused() || plan.layouts.empty()) return;
  if (options.registers != 0) {
    plan.equalColumns = findEqualColumns(module, CalledFunctions(module, countUses(module, DebugUses::No)));
    plan.late = findLateOperands(module, plan, options.registers);
  }
  if (options.unroll == Unroll::Yes)
    dropUnrollHints(module, productsOf(module, plan), InsteadOfUnroll::Nothing, report);
  Code code(module);
  SoftwareMatrices matrices({code, options, plan, report});
  matrices.widenScopes();
  code.writer.rewrite([&](const Instruction& i) { return matrices.rewrite(i); });
  if (code.writer.fault())
    report.refuse(Refusal::ControlFlow, "an operation on matrices is in a loop header that cannot be split");
  if (report.isRefused()) return;
  for (const SoftwareLayout& l : plan.layouts) {
    if (l.of.scope == spv::Scope::Subgroup && !plan.wholeWorkgroup) report.needsSubgroupSize = true;
    matrices.useSmallType(l.of.component);
    if (l.pieces) {
      report.rewrites.push_back(
          {describe(l.of), "an array of " + std::to_string(l.elements()) +
                               " pieces of 16 bytes in each invocation, along the inner dimension"});
      continue;
    }
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
