// Capabilities, extensions and versions: everything that is used must be declared, and everything that is
// declared should be used.
#include <algorithm>

#include "base/spirv_version.hpp"
#include "spirv/conversions.hpp"
#include "spirv/grammar_names.hpp"
#include "spirv/tensors.hpp"
#include "validator/context.hpp"

namespace coopc::validator {

using spirv::isBetween;
using spv::Capability;
using spv::Op;

namespace {

namespace enums = spirv::enums;

// Instructions of the extensions that this validator checks.
bool ours(Op op) {
  return isBetween(op, Op::OpTypeCooperativeMatrixKHR, Op::OpCooperativeMatrixLengthKHR) ||
         isBetween(op, enums::OpTypeVectorIdEXT, enums::OpCooperativeMatrixConvertUseEXT) ||
         op == Op::OpCooperativeVectorLoadNV || op == Op::OpCooperativeVectorStoreNV ||
         op == enums::OpCooperativeMatrixGetCoordinateEXT ||
         isBetween(op, enums::OpCooperativeMatrixReduceEXT, Op::OpTensorViewSetStrideNV) ||
         op == Op::OpTensorViewSetClipNV || op == Op::OpTensorLayoutSetBlockSizeNV ||
         op == enums::OpCooperativeMatrixTransposeNV || op == enums::OpBitCastArrayQCOM ||
         op == enums::OpControlBarrierArriveEXT || op == enums::OpControlBarrierWaitEXT ||
         op == enums::OpBFloat16MulAddQCOM || op == enums::OpTypeBufferEXT ||
         op == enums::OpBufferPointerEXT || op == enums::OpMemberDecorateIdEXT ||
         op == enums::OpUntypedImageTexelPointerEXT || op == enums::OpConstantSizeOfEXT ||
         isBetween(op, enums::OpTypeTensorARM, enums::OpTensorQuerySizeARM) ||
         isBetween(op, enums::OpCompositeConstructCoopMatQCOM, enums::OpExtractSubArrayQCOM);
}

struct Known {
  spv::Capability capability;
  const char* what;  // a use, as messages describe it
};
constexpr Known kCapabilities[] = {
    {Capability::CooperativeMatrixKHR, "cooperative matrix type"},
    {Capability::CooperativeMatrixLayoutsARM, "blocked layout"},
    {enums::CapabilityCooperativeMatrixConversionQCOM, "conversion between an array and a matrix or array"},
    {enums::CapabilityCooperativeMatrixReductionsEXT, "reduction"},
    {Capability::CooperativeMatrixConversionsNV, "change of use or transposition"},
    {enums::CapabilityCooperativeMatrixConversionsEXT, "change of use"},
    {enums::CapabilityCooperativeMatrixPerElementOperationsEXT, "per-element operation"},
    {Capability::CooperativeMatrixTensorAddressingNV, "tensor load or store"},
    {Capability::CooperativeMatrixBlockLoadsNV, "decode function"},
    {enums::CapabilityCooperativeMatrixGetCoordinateEXT, "coordinate"},
    {Capability::TensorAddressingNV, "tensor layout or view"},
    {enums::CapabilityCooperativeMatrixDecodeVectorNV, "vector decode function"},
    {enums::CapabilityBFloat16TypeKHR, "bfloat16 type"},
    {enums::CapabilityBFloat16DotProductKHR, "dot product of bfloat16 vectors"},
    {enums::CapabilityBFloat16CooperativeMatrixKHR, "cooperative matrix of bfloat16"},
    {enums::CapabilityFloat8EXT, "8-bit float type"},
    {enums::CapabilityFloat8CooperativeMatrixEXT, "cooperative matrix of 8-bit floats"},
    {enums::CapabilityCooperativeVectorNV, "cooperative vector"},
    {Capability::CooperativeVectorTrainingNV, "cooperative vector training instruction"},
    {enums::CapabilitySplitBarrierEXT, "barrier in two parts"},
    {enums::CapabilityDescriptorHeapEXT, "descriptor heap"},
    {enums::CapabilityTensorsARM, "tensor"},
    {enums::CapabilityStorageTensorArrayDynamicIndexingARM,
     "array of tensors with an index that is not constant"},
    {enums::CapabilityStorageTensorArrayNonUniformIndexingARM,
     "array of tensors with an index that is not uniform"},
    {enums::CapabilityBFloat16MulAddQCOM, "multiply-add of bfloat16"},
    {enums::CapabilityBFloat16ArithmeticEXT, "arithmetic of bfloat16"},
    {enums::CapabilityDotProductFloat16AccFloat32VALVE, "dot product of 16-bit floats with a 32-bit sum"},
    {enums::CapabilityDotProductFloat16AccFloat16VALVE, "dot product of 16-bit floats with a 16-bit sum"},
    {enums::CapabilityDotProductBFloat16AccVALVE, "dot product of bfloat16 with a sum"},
    {enums::CapabilityDotProductFloat8AccFloat32VALVE, "dot product of 8-bit floats"},
};
constexpr size_t kCount = sizeof kCapabilities / sizeof kCapabilities[0];

struct Version {
  std::string_view extension;
  uint32_t least;
};
constexpr Version kVersions[] = {
    {"SPV_KHR_cooperative_matrix", kSpirv13},
    {"SPV_NV_cooperative_matrix2", kSpirv16},
    {"SPV_NV_tensor_addressing", kSpirv16},
    {"SPV_NV_cooperative_matrix_decode_vector", kSpirv16},
    {"SPV_NV_cooperative_vector", kSpirv16},
    {"SPV_ARM_cooperative_matrix_layouts", kSpirv16},
    {"SPV_EXT_cooperative_matrix_maintenance1", kSpirv13},
};

std::string capabilityName(Capability capability) {
  const auto value = uint32_t(capability);
  const std::string_view name = spirv::capabilityName(value);
  return name.empty() ? std::to_string(value) : std::string(name);
}

bool isHeap(spv::BuiltIn builtIn) {
  return builtIn == enums::BuiltInResourceHeapEXT || builtIn == enums::BuiltInSamplerHeapEXT;
}

class Capabilities {
 public:
  explicit Capabilities(Context& c) : c_(c) {}

  void run() {
    for (const Instruction& i : c_.m.instructions) use(i);
    checkDeclared();
    extensions();
  }

 private:
  void mark(Capability capability) {
    for (size_t n = 0; n < kCount; ++n) {
      if (kCapabilities[n].capability == capability) used_[n] = true;
    }
  }

  // Reports unless one of these is declared.
  void need(const Instruction& i, std::initializer_list<Capability> any, const std::string& what) {
    bool have = false;
    for (Capability capability : any) {
      have = have || c_.declares(capability);
      mark(capability);
    }
    if (!have && missing_.insert(*any.begin()).second) {
      c_.report(Rule::CapabilityMissing, &i, what + " needs capability " + capabilityName(*any.begin()));
    }
  }

  void use(const Instruction& i) {
    if (ours(i.op())) {
      const spirv::OpInfo* info = spirv::opInfo(i.opcode);
      const auto capabilities = spirv::grammarCapabilities(info->capabilityList);
      bool have = capabilities.empty();
      for (uint16_t capability : capabilities) {
        have = have || c_.declares(Capability(capability));
        mark(Capability(capability));
      }
      if (!have) {
        // Where two capabilities enable it, the message names the one whose extension is declared.
        auto named = Capability(capabilities[0]);
        for (uint16_t capability : capabilities) {
          const bool nv = capabilityName(Capability(capability)).find("NV") != std::string::npos;
          if (nv && c_.hasExtension("SPV_NV_cooperative_matrix2")) named = Capability(capability);
        }
        // Once each, at the first use.
        if (missing_.insert(named).second) {
          c_.report(Rule::CapabilityMissing, &i,
                    std::string(spirv::opName(i.opcode)) + " needs capability " + capabilityName(named));
        }
      }
    }
    switch (i.op()) {
      case Op::OpTypeFloat:
        if (c_.isBfloat16(i.result)) mark(enums::CapabilityBFloat16TypeKHR);
        if (c_.isFloat8(i.result)) mark(enums::CapabilityFloat8EXT);
        break;
      case Op::OpTypeCooperativeMatrixKHR: {
        const Id component = op::TypeCooperativeMatrixKHR(c_.m, i).componentType();
        if (c_.isBfloat16(component)) mark(enums::CapabilityBFloat16CooperativeMatrixKHR);
        if (c_.isFloat8(component)) mark(enums::CapabilityFloat8CooperativeMatrixEXT);
        break;
      }
      case Op::OpDot: {
        const auto vector = as<op::TypeVector>(c_.m, c_.m.typeOf(op::Dot(c_.m, i).vector1()));
        if (c_.isBfloat16(vector.componentType())) mark(enums::CapabilityBFloat16DotProductKHR);
        break;
      }
      case enums::OpFDot2MixAcc32VALVE:
      case enums::OpFDot2MixAcc16VALVE:
      case enums::OpFDot4MixAcc32VALVE:
        need(i, {mixedDotCapability(c_, i)}, std::string(spirv::opName(i.opcode)));
        break;
      case enums::OpTensorReadARM:
      case enums::OpTensorWriteARM: {
        const auto access = spirv::tensorAccessOf(c_.m.wordsOf(i));
        constexpr std::pair<uint32_t, const char*> kOfMemoryModel[] = {
            {enums::TensorOperandsMakeElementAvailableARM, "MakeElementAvailableARM"},
            {enums::TensorOperandsMakeElementVisibleARM, "MakeElementVisibleARM"},
            {enums::TensorOperandsNonPrivateElementARM, "NonPrivateElementARM"}};
        for (const auto& [bit, name] : kOfMemoryModel) {
          if (access.has(bit)) need(i, {Capability::VulkanMemoryModel}, name);
        }
        break;
      }
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain: tensorIndex(i); break;
      case Op::OpCooperativeMatrixLoadKHR:
      case Op::OpCooperativeMatrixStoreKHR: {
        const Value layout = c_.value(op::LoadOrStoreMatrix(c_.m, i).memoryLayout());
        if (layout.known && spirv::isBlockedLayout(layout.bits))
          need(i, {Capability::CooperativeMatrixLayoutsARM}, "a blocked layout");
        break;
      }
      case Op::OpCooperativeMatrixLoadTensorNV:
      case Op::OpCooperativeMatrixStoreTensorNV: {
        const auto addressing = spirv::tensorAddressingOperandsOf(c_.m.wordsOf(i));
        if (addressing.has(spv::TensorAddressingOperandsMask::DecodeFunc))
          need(i, {Capability::CooperativeMatrixBlockLoadsNV}, "DecodeFunc");
        if (addressing.has(enums::TensorAddressingOperandsDecodeVectorFunc))
          need(i, {enums::CapabilityCooperativeMatrixDecodeVectorNV}, "DecodeVectorFunc");
        break;
      }
      case Op::OpDecorate: {
        const op::Decorate decorate(c_.m, i);
        if (decorate.decoration() == enums::DecorationSaturatedToLargestFloat8NormalConversionEXT) {
          checkSaturation(i, decorate.target());
        } else if (decorate.decoration() == enums::DecorationCooperativeMatrixTransposeEXT) {
          need(i, {enums::CapabilityCooperativeMatrixConversionsEXT}, "CooperativeMatrixTransposeEXT");
          transposes(i, decorate.target());
        } else if (decorate.decoration() == spv::Decoration::BuiltIn &&
                   isHeap(spv::BuiltIn(decorate.parameters()[0]))) {
          need(i, {enums::CapabilityDescriptorHeapEXT}, "a descriptor heap");
        }
        break;
      }
      case Op::OpDecorateId:
        if (op::DecorateId(c_.m, i).decoration() == enums::DecorationArrayStrideIdEXT)
          need(i, {enums::CapabilityDescriptorHeapEXT}, "ArrayStrideIdEXT");
        break;
      default:
        if (isBfloat16Arithmetic(c_, i)) mark(enums::CapabilityBFloat16ArithmeticEXT);
        if (spirv::convertsNumbers(i.op())) {
          const auto to = c_.matrix(i.type), from = c_.matrixOf(op::Unary(c_.m, i).operand());
          if (to && from && to->use != from->use) {
            mark(Capability::CooperativeMatrixConversionsNV);
            mark(enums::CapabilityCooperativeMatrixConversionsEXT);
          }
        }
    }
  }

  // The capability for an index into an array of tensors (SPV_ARM_tensors 3.31).
  void tensorIndex(const Instruction& i) {
    const op::AnyAccessChain chain(c_.m, i);
    const auto base = c_.pointer(c_.m.typeOf(chain.base()));
    if (chain.indexes().empty() || !base) return;
    const Id index = chain.indexes()[0];
    const Instruction* array = c_.type(base->pointee);
    if (array == nullptr || (array->op() != Op::OpTypeArray && array->op() != Op::OpTypeRuntimeArray) ||
        c_.typeOp(op::TypeOfElements(c_.m, *array).elementType()) != enums::OpTypeTensorARM ||
        c_.isConstant(index))
      return;
    constexpr auto kDynamic = enums::CapabilityStorageTensorArrayDynamicIndexingARM;
    constexpr auto kNonUniform = enums::CapabilityStorageTensorArrayNonUniformIndexingARM;
    // The value that is loaded through the pointer may be decorated instead.
    const bool decorated = c_.isDecorated(i.result, spv::Decoration::NonUniform) ||
                           c_.isDecorated(index, spv::Decoration::NonUniform);
    if (decorated || (c_.declares(kNonUniform) && !c_.declares(kDynamic)))
      need(i, {kNonUniform}, "an index into an array of tensors that is not uniform");
    else
      need(i, {kDynamic}, "an index into an array of tensors that is not constant");
  }

  // SPV_EXT_float8 allows the decoration only on conversions to 8-bit floats.
  void checkSaturation(const Instruction& i, Id decorated) {
    const Instruction* target = c_.m.def(decorated);
    const Op op = target == nullptr ? Op::OpNop : target->op();
    bool fits = op == Op::OpFConvert || op == Op::OpConvertSToF || op == Op::OpConvertUToF;
    if (fits) {
      Id t = target->type;
      if (const auto matrix = c_.matrix(t)) t = matrix->component;
      if (const auto vector = c_.coopVec(t)) t = vector->component;
      if (const auto vector = as<op::TypeVector>(c_.m, t)) t = vector.componentType();
      fits = c_.isFloat8(t);
    }
    if (!fits) {
      c_.report(Rule::SaturatedConversion, &i,
                "decorates " + std::string(spirv::opName(uint32_t(op))) +
                    ", which is not a conversion to an 8-bit float");
    }
  }

  // SPV_EXT_cooperative_matrix_maintenance1 3.2.19 and 3.49.11: "the restriction on OpBitcast is not
  // relaxed".
  void transposes(const Instruction& i, Id decorated) {
    const Instruction* target = c_.m.def(decorated);
    const Op op = target == nullptr ? Op::OpNop : target->op();
    const bool converts = op == enums::OpCooperativeMatrixConvertUseEXT || spirv::convertsNumbers(op);
    if (converts && c_.matrix(target->type).has_value()) return;
    c_.report(Rule::TransposeDecoration, &i,
              "decorates " + std::string(spirv::opName(uint32_t(op))) +
                  (converts ? " of " + c_.describe(target->type) : "") +
                  ", which is not a conversion of a cooperative matrix");
  }

  void checkDeclared() {
    for (const Context::Declared& d : c_.capabilities()) {
      const auto capability = Capability(d.capability);
      const auto known = std::find_if(std::begin(kCapabilities), std::end(kCapabilities),
                                      [&](const Known& k) { return k.capability == capability; });
      if (known == std::end(kCapabilities)) continue;
      const spirv::EnumerantInfo* info = spirv::enumerantInfo(spirv::OperandKind::Capability, d.capability);
      if (info != nullptr && info->extensionList.count != 0) {
        bool have = false;
        std::string names;
        for (uint32_t at : spirv::grammarExtensions(info->extensionList)) {
          have = have || c_.hasExtension(spirv::extensionName(at));
          names += (names.empty() ? "" : " or ") + std::string(spirv::extensionName(at));
        }
        if (!have) {
          c_.report(Rule::ExtensionMissing, d.at,
                    "capability " + capabilityName(capability) + " needs " + names);
        }
      }
      if (!used_[size_t(known - std::begin(kCapabilities))]) {
        c_.report(
            Rule::CapabilityUnused, d.at,
            "capability " + capabilityName(capability) + " is declared, but no " + known->what + " is used");
      }
      smallFloatExtensions(d);
      const bool matrices = capability == Capability::CooperativeMatrixKHR;
      if (matrices || capability == enums::CapabilityCooperativeVectorNV) {
        if (c_.shader() && !c_.declares(spv::Capability::VulkanMemoryModel)) {
          c_.report(matrices ? Rule::MatrixMemoryModel : Rule::CoopVecMemoryModel, d.at,
                    capabilityName(capability) + " is declared, but VulkanMemoryModel is not");
        }
      }
      if (capability == Capability::CooperativeMatrixTensorAddressingNV &&
          !c_.hasExtension("SPV_NV_tensor_addressing")) {
        c_.report(Rule::ExtensionRequires, d.at,
                  "capability " + capabilityName(capability) + " needs SPV_NV_tensor_addressing");
      }
    }
  }

  // Checks requirements that the grammar's tables lack: some products of small floats need the extension of
  // their type.
  void smallFloatExtensions(const Context::Declared& d) {
    const auto requires_ = [&](std::string_view extension) {
      if (c_.hasExtension(extension)) return;
      c_.report(
          Rule::ExtensionRequires, d.at,
          "capability " + capabilityName(Capability(d.capability)) + " needs " + std::string(extension));
    };
    const auto capability = Capability(d.capability);
    if (capability == enums::CapabilityDotProductBFloat16AccVALVE) requires_("SPV_KHR_bfloat16");
    if (capability == enums::CapabilityDotProductFloat8AccFloat32VALVE) requires_("SPV_EXT_float8");
  }

  void extensions() {
    const struct {
      std::string_view extension, needs;
    } requires_[] = {{"SPV_NV_cooperative_matrix2", "SPV_KHR_cooperative_matrix"},
                     {"SPV_NV_cooperative_matrix_decode_vector", "SPV_NV_cooperative_matrix2"},
                     {"SPV_EXT_cooperative_matrix_maintenance1", "SPV_KHR_cooperative_matrix"},
                     {"SPV_ARM_cooperative_matrix_layouts", "SPV_KHR_cooperative_matrix"},
                     {"SPV_QCOM_bfloat16_muladd", "SPV_KHR_bfloat16"},
                     {"SPV_EXT_bfloat16_arithmetic", "SPV_KHR_bfloat16"},
                     {"SPV_EXT_descriptor_heap", "SPV_KHR_untyped_pointers"}};
    for (const Context::Extension& e : c_.extensions()) {
      for (const Version& v : kVersions) {
        if (v.extension == e.name && c_.m.version < v.least) {
          c_.report(Rule::ExtensionVersion, e.at,
                    std::string(e.name) + " needs SPIR-V " + spirvVersionText(v.least) +
                        ", but the module is " + spirvVersionText(c_.m.version));
        }
      }
      for (const auto& r : requires_) {
        if (r.extension == e.name && !c_.hasExtension(r.needs)) {
          c_.report(Rule::ExtensionRequires, e.at, std::string(e.name) + " needs " + std::string(r.needs));
        }
      }
      if (e.name == "SPV_KHR_cooperative_matrix" && c_.shader() && c_.m.version >= kSpirv13 &&
          c_.m.version < kSpirv15 && !c_.hasExtension("SPV_KHR_vulkan_memory_model")) {
        c_.report(Rule::ExtensionRequires, e.at,
                  "SPV_KHR_cooperative_matrix needs SPV_KHR_vulkan_memory_model below SPIR-V 1.5");
      }
      // An extension is used if a capability that it provides is declared, or if another declared extension
      // requires it.
      bool known = false, used = false;
      for (const Known& k : kCapabilities) {
        const spirv::EnumerantInfo* info =
            spirv::enumerantInfo(spirv::OperandKind::Capability, uint32_t(k.capability));
        if (info == nullptr) continue;
        for (uint32_t at : spirv::grammarExtensions(info->extensionList)) {
          if (spirv::extensionName(at) != e.name) continue;
          known = true;
          used = used || c_.declaresItself(k.capability) || c_.declares(k.capability);
        }
      }
      for (const auto& r : requires_) used = used || (r.needs == e.name && c_.hasExtension(r.extension));
      if (known && !used) {
        c_.report(Rule::ExtensionUnused, e.at,
                  std::string(e.name) + " is declared, but none of its capabilities is");
      }
    }
  }

  Context& c_;
  bool used_[kCount] = {};
  std::set<Capability> missing_;
};

}  // namespace

void checkCapabilities(Context& c) { Capabilities(c).run(); }

}  // namespace coopc::validator
