// validate(): reads the module, then runs the checks of each topic. One pass over the instructions serves the
// checks of single instructions; checks of the whole module are called once.
#include <set>

#include "spirv/conversions.hpp"
#include "spirv/reader.hpp"
#include "validator/context.hpp"

namespace coopc {

namespace {

void unreadable(ValidateResult& result, const std::string& message, size_t word) {
  Finding f;
  f.rule = &validator::description(validator::Rule::ModuleUnreadable);
  f.severity = f.rule->severity;
  f.message = message;
  f.clause = f.rule->clause;
  f.instruction = kNoInstruction;
  f.word = uint32_t(word);
  result.findings.push_back(std::move(f));
}

// Values for SpecIds that the module does not have: probably they were meant for another constant.
void findUnknownSpecIds(const spirv::Module& module, const ValidateOptions& options, ValidateResult& result) {
  if (options.specializations.empty()) return;
  std::set<uint32_t> known;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const auto decorate = spirv::as<spirv::op::Decorate>(module, module.instructions[n]);
    if (decorate && decorate.decoration() == spv::Decoration::SpecId) known.insert(decorate.parameters()[0]);
  }
  for (const Specialization& s : options.specializations) {
    if (known.insert(s.id).second) result.unknownSpecIds.push_back(s.id);
  }
}

}  // namespace

ValidateResult validate(std::span<const uint32_t> words, const ValidateOptions& options) {
  using namespace validator;
  ValidateResult result;
  for (std::string_view id : options.suppress) {
    if (findRule(id) == nullptr) {
      result.error = "there is no rule `" + std::string(id) + "`";
      return result;
    }
  }
  spirv::ReadError error;
  const std::optional<spirv::Module> read = spirv::readModule(words, error, true);
  if (!read) {
    unreadable(result, error.message, error.word);
    return result;
  }
  const spirv::Module& module = *read;
  result.readable = true;
  findUnknownSpecIds(module, options, result);
  Context c(module, options, result);
  for (const Instruction& i : module.instructions) {
    switch (i.op()) {
      case spv::Op::OpTypeCooperativeMatrixKHR:
      case spv::Op::OpTypeTensorLayoutNV:
      case spv::Op::OpTypeTensorViewNV:
      case spv::Op::OpTypeFloat:
      case spv::Op::OpTypeVector:
      case spirv::enums::OpTypeVectorIdEXT: checkTypes(c, i); break;
      case spv::Op::OpCreateTensorLayoutNV:
      case spv::Op::OpTensorLayoutSetBlockSizeNV:
      case spv::Op::OpTensorLayoutSetDimensionNV:
      case spv::Op::OpTensorLayoutSetStrideNV:
      case spv::Op::OpTensorLayoutSliceNV:
      case spv::Op::OpTensorLayoutSetClampValueNV:
      case spv::Op::OpCreateTensorViewNV:
      case spv::Op::OpTensorViewSetDimensionNV:
      case spv::Op::OpTensorViewSetStrideNV:
      case spv::Op::OpTensorViewSetClipNV: checkTensorOperation(c, i); break;
      case spv::Op::OpCooperativeMatrixLoadKHR:
      case spv::Op::OpCooperativeMatrixStoreKHR:
      case spv::Op::OpCooperativeMatrixLoadTensorNV:
      case spv::Op::OpCooperativeMatrixStoreTensorNV: checkLoadStore(c, i); break;
      case spv::Op::OpCooperativeMatrixMulAddKHR: checkMultiplyAdd(c, i); break;
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpConstantComposite:
      case spv::Op::OpSpecConstantComposite:
      case spv::Op::OpConstantCompositeReplicateEXT:
      case spv::Op::OpSpecConstantCompositeReplicateEXT:
      case spv::Op::OpCompositeConstructReplicateEXT:
      case spv::Op::OpSpecConstantOp:
      case spv::Op::OpCooperativeMatrixLengthKHR: checkComposite(c, i); break;
      case spirv::enums::OpCooperativeMatrixConvertUseEXT:
      case spirv::enums::OpCooperativeMatrixGetCoordinateEXT:
      case spirv::enums::OpCooperativeMatrixReduceEXT:
      case spirv::enums::OpCooperativeMatrixPerElementOpEXT:
      case spirv::enums::OpCooperativeMatrixTransposeNV: checkOperation(c, i); break;
      case spirv::enums::OpBFloat16MulAddQCOM:
      case spirv::enums::OpFDot2MixAcc32VALVE:
      case spirv::enums::OpFDot2MixAcc16VALVE:
      case spirv::enums::OpFDot4MixAcc32VALVE: checkMixedProduct(c, i); break;
      case spv::Op::OpCooperativeVectorMatrixMulNV:
      case spv::Op::OpCooperativeVectorOuterProductAccumulateNV:
      case spv::Op::OpCooperativeVectorReduceSumAccumulateNV:
      case spv::Op::OpCooperativeVectorMatrixMulAddNV:
      case spv::Op::OpCooperativeVectorLoadNV:
      case spv::Op::OpCooperativeVectorStoreNV: checkCooperativeVector(c, i); break;
      default:
        if (spirv::convertsComponents(i.op()))
          checkConversion(c, i);
        else
          checkArithmetic(c, i);
    }
  }
  checkSmallFloats(c);
  checkSplitBarriers(c);
  checkDescriptorHeaps(c);
  checkArmTensors(c);
  checkAttachments(c);
  checkTensorInstructions(c);
  checkStorage(c);
  checkCallbacks(c);
  checkCapabilities(c);
  checkTensorState(c);
  checkShapes(c);
  checkLoopsOfOneStep(c);
  if (!options.profile.empty() && !checkProfile(c, options.profile, result.error)) result.findings.clear();
  c.finish();
  return result;
}

ValidateResult validateBytes(std::span<const unsigned char> bytes, const ValidateOptions& options) {
  spirv::ReadError error;
  if (const auto words = spirv::wordsFromBytes(bytes, error)) return validate(*words, options);
  ValidateResult result;
  unreadable(result, error.message, error.word);
  return result;
}

}  // namespace coopc
