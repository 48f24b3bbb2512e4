// Cooperative vectors (SPV_NV_cooperative_vector) as plain code, for every stage. Each invocation holds
// complete vectors, so nothing is exchanged. In place, each vector type becomes the array of its components,
// so that instructions which only move vectors (variables, phis, parameters, access to components) stay
// unchanged. Every operation becomes code: operations on components (elements.cpp), on memory (memory.cpp),
// and products of matrices in memory and vectors (product.cpp).
//
//   %v = OpTypeCooperativeVectorNV %half %uint_16       %v = OpTypeArray %half %uint_16
//
// Matrices in the layouts InferencingOptimalNV and TrainingOptimalNV, which the implementation defines, are
// stored by rows, each of which begins at a multiple of 16 bytes.
#include <algorithm>

#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/cooperative_vector/elements.hpp"
#include "spirv/lower/cooperative_vector/product.hpp"
#include "spirv/number_type.hpp"

namespace coopc::spirv::lower {
namespace {

// Composites of longer vectors would exceed the length of an instruction.
constexpr uint64_t kMostComponents = 16384;
// The most components of all constants that repeat one component. In the module they have a few words each;
// afterwards they are as long as their vectors.
constexpr uint64_t kMostReplicated = uint64_t{1} << 20;

class CooperativeVectors {
 public:
  CooperativeVectors(Module& module, const VectorOptions& options, Report& report)
      : m_(module),
        report_(report),
        constants_(module),
        code_(module),
        context_{code_, options, report, types_, constants_},
        elements_(context_),
        memory_(context_),
        products_(context_, memory_) {}

  void run() {
    findTypes();
    if (report_.isRefused()) return;
    findDecorations();
    code_.writer.rewrite([&](const Instruction& i) { return rewrite(i); });
    if (code_.writer.fault())
      report_.refuse(Refusal::ControlFlow,
                     "an operation on cooperative vectors is in a loop header that cannot be split");
    if (report_.isRefused()) return;
    changeGlobals();
    code_.finish();
    if (m_.overflow()) report_.refuse(Refusal::Limit, "the lowered module has more ids than SPIR-V allows");
  }

 private:
  // --- Types
  void findTypes() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const auto vector = as<op::TypeCooperativeVectorNV>(m_, m_.instructions[n]);
      if (!vector) continue;
      const Id id = m_.instructions[n].result;
      const ConstantValue count = constants_.value(vector.componentCount());
      if (!count.known || count.byDefault)
        return report_.refuseUnknown("the number of components of a cooperative vector", count);
      const Instruction* component = m_.def(vector.componentType());
      if (count.bits == 0 || component == nullptr || numberType(m_, component->result) != component)
        return report_.refuse(
            Refusal::Unsupported,
            "a cooperative vector without components, or with components that are not numbers");
      if (count.bits > kMostComponents)
        return report_.refuse(Refusal::Limit, "a cooperative vector of more than " +
                                                  std::to_string(kMostComponents) + " components");
      vectors::VectorType type;
      type.type = id;
      type.component = component->result;
      type.bits = op::NumberType(m_, *component).width();
      if (!isNumberWidth(type.bits))
        return report_.refuse(Refusal::Unsupported,
                              "a cooperative vector of numbers of " + std::to_string(type.bits) + " bits");
      type.isFloat = component->op() == spv::Op::OpTypeFloat;
      type.isHalf = type.isFloat && type.bits == 16 && !op::TypeFloat(m_, *component).floatingPointEncoding();
      type.isSigned = !type.isFloat && op::TypeInt(m_, *component).signedness() != 0;
      type.count = count.u32();
      declareNumbers(type);
      report_.rewrites.push_back(
          {"a cooperative vector of " + std::to_string(type.count) + " " + numberTypeName(m_, type.component),
           "an array in each invocation"});
      types_[id] = type;
    }
  }

  // The capabilities that local variables of the components need.
  void declareNumbers(const vectors::VectorType& type) {
    if (type.isFloat) {
      if (op::TypeFloat(m_, *m_.def(type.component)).floatingPointEncoding()) return;
      if (type.bits == 16) code_.preamble.capability(spv::Capability::Float16);
    } else if (type.bits == 8) {
      code_.preamble.capability(spv::Capability::Int8);
    } else if (type.bits == 16) {
      code_.preamble.capability(spv::Capability::Int16);
    }
  }

  // Finds decorations of operations on vectors; the operations on components get them instead.
  void findDecorations() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const auto decorate = as<op::Decorate>(m_, m_.instructions[n]);
      if (!decorate) continue;
      const Instruction* decorated = m_.def(decorate.target());
      if (decorated != nullptr && types_.contains(decorated->type) &&
          m_.definitions[decorated->result.index()] >= m_.functionsAt && !movesOnly(decorated->op()))
        decorations_.push_back(n);
    }
  }
  static bool movesOnly(spv::Op op) { return op != spv::Op::OpExtInst && movesValues(op); }

  // --- Instructions
  bool rewrite(const Instruction& i) {
    if (report_.isRefused() || m_.overflow()) return false;
    switch (i.op()) {
      case spv::Op::OpCooperativeVectorLoadNV: return memory_.load(i);
      case spv::Op::OpCooperativeVectorStoreNV: return memory_.store(i);
      case spv::Op::OpCooperativeVectorReduceSumAccumulateNV: return memory_.reduceSum(i);
      case spv::Op::OpCooperativeVectorOuterProductAccumulateNV: return memory_.lowerOuterProduct(i);
      case spv::Op::OpCooperativeVectorMatrixMulNV:
      case spv::Op::OpCooperativeVectorMatrixMulAddNV: return products_.multiply(i);
      case spv::Op::OpVectorExtractDynamic: return elements_.lowerExtractDynamic(i);
      case spv::Op::OpVectorInsertDynamic: return elements_.insertDynamic(i);
      case spv::Op::OpCompositeConstructReplicateEXT: return elements_.replicate(i);
      case spv::Op::OpExtInst: return elements_.lowerExtended(i);
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpCompositeExtract:
      case spv::Op::OpCompositeInsert: return false;
      default:
        if (isAccessChain(i.op()) || movesValues(i.op())) return false;
        break;
    }
    if (elements_.lowerComponentwise(i)) return true;
    bool used = types_.contains(i.type);
    const Module& view = m_;
    view.forEachUse(i, [&](Id id) { used = used || types_.contains(code_.globals.typeOf(id)); });
    if (used)
      report_.refuse(Refusal::Unsupported, std::string(opName(i.opcode)) + " with a cooperative vector");
    return false;
  }

  // --- Declarations
  void changeGlobals() {
    for (const uint32_t n : decorations_) m_.instructions[n].opcode = uint16_t(spv::Op::OpNop);
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      switch (i.op()) {
        case spv::Op::OpCapability: {
          const spv::Capability capability = op::Capability(m_, i).capability();
          if (capability == spv::Capability::CooperativeVectorNV ||
              capability == spv::Capability::CooperativeVectorTrainingNV)
            i.opcode = uint16_t(spv::Op::OpNop);
          break;
        }
        case spv::Op::OpExtension:
          if (op::Extension(m_, i).name() == "SPV_NV_cooperative_vector") i.opcode = uint16_t(spv::Op::OpNop);
          break;
        case spv::Op::OpTypeCooperativeVectorNV: {
          const op::TypeCooperativeVectorNV vector(m_, i);
          const Id component = vector.componentType(), count = vector.componentCount();
          m_.instructions[n] = m_.make<op::TypeArray>(i.result, {.elementType = component, .length = count});
          break;
        }
        case spv::Op::OpConstantCompositeReplicateEXT:
        case spv::Op::OpSpecConstantCompositeReplicateEXT: replicate(n); break;
        default: break;
      }
    }
  }

  void replicate(uint32_t n) {
    const Instruction i = m_.instructions[n];
    const auto type = types_.find(i.type);
    const IdRange constituents = op::AnyComposite(m_, i).constituents();
    if (type == types_.end() || constituents.empty()) return;
    replicated_ += type->second.count;
    if (replicated_ > kMostReplicated)
      return report_.refuse(Refusal::Limit, "constants of cooperative vectors that have more than " +
                                                std::to_string(kMostReplicated) + " components together");
    const std::vector<Word> words(type->second.count, constituents.front());
    const bool spec = i.op() == spv::Op::OpSpecConstantCompositeReplicateEXT;
    m_.instructions[n] = m_.make(spec ? spv::Op::OpSpecConstantComposite : spv::Op::OpConstantComposite,
                                 i.type, i.result, Operands(words));
  }

  Module& m_;
  Report& report_;
  const ConstantEvaluator constants_;
  Code code_;
  std::map<Id, vectors::VectorType> types_;
  const vectors::VectorPart::Context context_;
  vectors::ElementOperations elements_;
  vectors::VectorMemory memory_;
  vectors::Products products_;
  uint64_t replicated_ = 0;            // components of constants that repeat one
  std::vector<uint32_t> decorations_;  // instructions
};

}  // namespace

void lowerCooperativeVectors(Module& module, const VectorOptions& options, Report& report) {
  CooperativeVectors(module, options, report).run();
}

}  // namespace coopc::spirv::lower
