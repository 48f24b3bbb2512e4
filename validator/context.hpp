// A module as rules see it, and their reports: types, constants and functions by short queries, so that a
// rule's code reads like its sentence. Built once per module. No recursion goes deeper than kMaxDepth.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "coopc/validate.hpp"
#include "spirv/constants.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/module.hpp"
#include "spirv/workgroup_memory.hpp"
#include "spirv/workgroup_size.hpp"
#include "validator/decorations.hpp"

namespace coopc::validator {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::IdRange;
using spirv::Instruction;

enum class Rule : uint16_t {
#define RULE(name, id, level, severity, sentence, clause, since, source) name,
#include "validator/rules.def"
#undef RULE
};
const RuleDescription& description(Rule rule);

using spirv::Defaults;
using Value = spirv::ConstantValue;  ///< as far as the module and the options determine it

/// The operands of a cooperative matrix type.
struct MatrixOperands {
  Id type, component, scope, rows, columns, use;
};

/// A cooperative vector.
struct VectorType {
  Id type, component, count;
};

/// The operands of a pointer type.
struct PointerType {
  spv::StorageClass storage{};
  Id pointee;  ///< none if the pointer is untyped
};

/// A tensor layout or view.
struct TensorType {
  Id type;
  Id dim;
  Value dimensions;  ///< the Dim operand
};

struct Function {
  Id id;
  uint32_t first = 0, last = 0;                ///< instruction indices: OpFunction and OpFunctionEnd
  Id result;                                   ///< type
  std::vector<Id> parameters;                  ///< their types
  std::vector<std::pair<Id, uint32_t>> calls;  ///< callee, instruction
};

/// Whether two constants have the same value.
enum class Equal : uint8_t { Yes, No, Unknown };

/// SmallFloat: bfloat16 and 8-bit floats. SmallComponents: matrices and cooperative vectors whose components
/// are such floats. SpecVector: vectors whose length is a specialization constant. Tensor: layouts and views
/// of tensors, ArmTensor: tensors of SPV_ARM_tensors.
inline constexpr uint8_t kHoldsMatrix = 1, kHoldsCoopVec = 2, kHoldsTensor = 4, kHoldsSmallFloat = 8,
                         kHoldsSmallComponents = 16, kHoldsSpecVector = 32, kHoldsArmTensor = 64;

class Context {
 public:
  Context(const spirv::Module& module, const ValidateOptions& options, ValidateResult& result);

  const spirv::Module& m;
  const ValidateOptions& options;

  // --- Reporting: `byDefault` lowers an error to a warning, which names the constants.
  void report(Rule rule, const Instruction* i, std::string message, const Defaults& byDefault = {},
              std::vector<std::string> notes = {});
  bool wants(Rule rule) const { return !suppressed_[size_t(rule)]; }
  void finish();  ///< sorts, fills in disassembly and source places

  // --- Module
  bool declares(spv::Capability capability) const;  ///< declared, or implied by a declared one
  bool declaresItself(spv::Capability capability) const;
  bool hasExtension(std::string_view name) const;
  bool shader() const { return shader_; }
  struct Declared {
    uint32_t capability;
    const Instruction* at;
  };
  const std::vector<Declared>& capabilities() const { return capabilities_; }
  struct Extension {
    std::string_view name;
    const Instruction* at;
  };
  const std::vector<Extension>& extensions() const { return extensions_; }
  uint32_t indexOf(const Instruction& i) const { return uint32_t(&i - m.instructions.data()); }

  // --- Types
  const Instruction* type(Id id) const { return m.def(id); }
  spv::Op typeOp(Id typeId) const { return m.opOf(typeId); }
  bool isInt(Id typeId) const { return typeOp(typeId) == spv::Op::OpTypeInt; }
  bool isFloat(Id typeId) const { return typeOp(typeId) == spv::Op::OpTypeFloat; }
  bool isSigned(Id typeId) const { return as<op::TypeInt>(m, typeId).signedness() != 0; }
  uint32_t width(Id typeId) const { return as<op::NumberType>(m, typeId).width(); }
  bool isInt32(Id typeId) const { return isInt(typeId) && width(typeId) == 32; }
  bool isBool(Id typeId) const { return typeOp(typeId) == spv::Op::OpTypeBool; }
  bool isNumerical(Id typeId) const { return isInt(typeId) || isFloat(typeId); }
  /// The FPEncoding operand, or kNone.
  uint32_t encoding(Id typeId) const {
    return as<op::TypeFloat>(m, typeId).floatingPointEncoding().value_or(spirv::kNone);
  }
  bool isBfloat16(Id typeId) const { return encoding(typeId) == spirv::enums::FPEncodingBFloat16KHR; }
  bool isFloat8(Id typeId) const {
    const uint32_t e = encoding(typeId);
    return e == spirv::enums::FPEncodingFloat8E4M3EXT || e == spirv::enums::FPEncodingFloat8E5M2EXT;
  }
  /// Whether two ids denote the same type: equal ids, or equal numerical types.
  bool sameType(Id a, Id b) const;
  std::optional<MatrixOperands> matrix(Id typeId) const;
  std::optional<MatrixOperands> matrixOf(Id value) const { return matrix(m.typeOf(value)); }
  std::optional<VectorType> coopVec(Id typeId) const;
  std::optional<VectorType> coopVecOf(Id value) const { return coopVec(m.typeOf(value)); }
  std::optional<TensorType> layout(Id typeId) const;
  std::optional<TensorType> view(Id typeId) const;
  std::optional<PointerType> pointer(Id typeId) const;
  /// A scalar or a vector. Long vectors (SPV_EXT_long_vector) count, cooperative vectors do not.
  bool isScalarOrVector(Id typeId) const;
  /// Size of a numerical scalar or vector in bytes; 0 for other types, or if it is not known.
  uint32_t byteSize(Id typeId) const;
  /// The kinds of numbers in values of the type: kHolds... bits.
  uint8_t holds(Id typeId) const { return holds_.contains(typeId) ? holds_[typeId] : uint8_t(0); }
  bool anyHolds(uint8_t bits) const { return (held_ & bits) != 0; }
  /// Size in bytes of the largest scalar (or pointer) in values of the type; 0 if there is none.
  uint32_t largestScalar(Id typeId) const { return largest_.contains(typeId) ? largest_[typeId] : 0; }
  /// Descriptions for messages.
  std::string describe(Id typeId) const;
  std::string describe(const Value& value) const;
  std::string describe(const Defaults& defaults) const;

  // --- Constants
  bool isConstant(Id id) const;
  /// A constant instruction of a 32-bit integer type.
  bool isInt32Constant(Id id) const { return isConstant(id) && isInt32(m.typeOf(id)); }
  Value value(Id id) const { return evaluator_.value(id); }
  std::vector<spirv::WorkgroupSize> workgroupSizes() const { return spirv::workgroupSizes(m, evaluator_); }
  spirv::WorkgroupMemory workgroupMemory() const { return {m, evaluator_}; }
  Equal equal(Id a, Id b) const;
  /// The specialization constants whose defaults either value depends on.
  Defaults defaults(Id a, Id b) const { return value(a).byDefault | value(b).byDefault; }

  // --- Functions
  const std::vector<Function>& functions() const { return functions_; }
  const Function* function(Id id) const;
  /// Whether the OpTypeFunction that OpFunction names has the types of the function's parameters and result.
  bool agreesWithType(const Function& f) const;
  /// The name that OpName gives, at most kMaxName bytes of it; empty if there is none.
  std::string_view nameOf(Id id) const;
  std::string functionName(Id id) const;

  /// The byte offset of a pointer from the variable that it points into: every possible offset is `bytes`
  /// plus a multiple of `step` (0: exactly `bytes`).
  struct VariableOffset {
    uint64_t bytes = 0, step = 0;
    Defaults byDefault;

    /// Whether no possible offset is a multiple of this.
    bool misses(uint64_t alignment) const { return step % alignment == 0 && bytes % alignment != 0; }
  };
  /// None if nothing is known.
  std::optional<VariableOffset> offsetInVariable(Id pointer) const;
  /// Whether the access chains from the pointer's variable (or other origin) to `pointer` index an array.
  bool pointsIntoArray(Id pointer) const;
  std::optional<uint32_t> decoration(Id id, spv::Decoration decoration) const {
    return decorations_.find(id, decoration);
  }
  std::optional<uint32_t> memberOffset(Id structType, uint32_t member) const {
    return decorations_.memberOffset(structType, member);
  }
  bool isDecorated(Id id, spv::Decoration decoration) const {
    return decorations_.find(id, decoration).has_value();
  }

  static constexpr uint32_t kMaxDepth = 64;
  static constexpr size_t kMaxName = 256;

 private:
  void suppress();
  void collect();
  void collectType(const Instruction& i);
  void addImplied();

  ValidateResult& result_;
  std::vector<bool> suppressed_;
  std::vector<Declared> capabilities_;
  std::set<uint32_t> implied_;
  std::vector<Extension> extensions_;
  std::vector<Function> functions_;
  IdVector<Id, uint8_t> holds_;
  IdVector<Id, uint8_t> largest_;
  uint8_t held_ = 0;                   ///< all of holds_
  IdVector<Id, uint32_t> functionOf_;  ///< the index into functions_, or kNone
  Decorations decorations_;
  spirv::ConstantEvaluator evaluator_;
  bool shader_ = false;
};

// --- The topics: each checks the whole module or one instruction. ------------------------------------------
void checkTypes(Context& c, const Instruction& i);
void checkStorage(Context& c);
void checkTensorOperation(Context& c, const Instruction& i);
void checkTensorInstructions(Context& c);  ///< other instructions, which must not use layouts and views
void checkLoadStore(Context& c, const Instruction& i);
void checkDecodeFunctions(Context& c, const Instruction& load, Id decode, Id decodeVector, Id layoutType);
void checkOperation(Context& c, const Instruction& i);  ///< reduce, per element, convert, transpose
void checkConversion(Context& c, const Instruction& i);
void checkArithmetic(Context& c, const Instruction& i);
void checkSmallFloats(Context& c);
/// Whether the instruction is arithmetic of bfloat16 that SPV_EXT_bfloat16_arithmetic adds.
bool isBfloat16Arithmetic(const Context& c, const Instruction& i);
void checkMixedProduct(Context& c, const Instruction& i);
/// The capability that a dot product of SPV_VALVE_mixed_float_dot_product needs for the components of its
/// vectors.
spv::Capability mixedDotCapability(const Context& c, const Instruction& i);
void checkSplitBarriers(Context& c);
void checkDescriptorHeaps(Context& c);
void checkArmTensors(Context& c);
void checkAttachments(Context& c);
void checkComposite(Context& c, const Instruction& i);
void checkMultiplyAdd(Context& c, const Instruction& i);
void checkCooperativeVector(Context& c, const Instruction& i);
void checkCallbacks(Context& c);
void checkCapabilities(Context& c);
void checkTensorState(Context& c);  ///< what constants tell about layouts and views at their uses
void checkShapes(Context& c);       ///< advice on shapes
void checkLoopsOfOneStep(Context& c);

/// The largest power of two that certainly divides the value, whatever memory contains. It follows from
/// constants, masks, shifts, products and sums, as a compiler can see it as well. kLargestFactor if the value
/// cannot be followed.
inline constexpr uint32_t kLargestFactor = 1u << 16;
uint32_t visibleFactor(const Context& c, Id id);

/// The device level. False, with the reason in `error`, if the text is not a profile.
bool checkProfile(Context& c, std::string_view text, std::string& error);

/// The scope of an operand that makes memory available or visible.
void checkMemoryScope(Context& c, const Instruction& i, Id scope);

/// The memory operands of a load or store of any kind.
void checkMemoryOperands(Context& c, const Instruction& i, bool load, Id pointer);

}  // namespace coopc::validator
