// Compares cooperative vectors with VkPhysicalDeviceCooperativeVectorPropertiesNV and
// VkCooperativeVectorPropertiesNV (VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10089,
// -cooperativeVectorSupportedStages-10091, -OpCooperativeVectorOuterProductAccumulateNV-10093,
// -maxCooperativeVectorComponents-10094). The validator reports every misfit (validator/profile_vectors.cpp);
// lowering only needs to know whether there is one.
#include "spirv/lower/cooperative_vector/fit.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "spirv/component_type.hpp"
#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/number_type.hpp"
#include "spirv/stages.hpp"

namespace coopc::spirv::lower::vectors {

namespace {

class Fit {
 public:
  Fit(const Module& module, const DeviceVectors& device) : m_(module), d_(device), constants_(module) {}

  std::string run() {
    for (const Instruction& i : m_.instructions) {
      switch (i.op()) {
        case spv::Op::OpEntryPoint: stage(i); break;
        case spv::Op::OpTypeCooperativeVectorNV: checkType(i); break;
        case spv::Op::OpCooperativeVectorMatrixMulNV:
        case spv::Op::OpCooperativeVectorMatrixMulAddNV: checkProduct(i); break;
        case spv::Op::OpCooperativeVectorOuterProductAccumulateNV:
          checkAccumulation(
              interpretation(op::CooperativeVectorOuterProductAccumulateNV(m_, i).matrixInterpretation()));
          break;
        case spv::Op::OpCooperativeVectorReduceSumAccumulateNV:
          checkAccumulation(componentTypeOf(
              m_, componentOf(m_.typeOf(op::CooperativeVectorReduceSumAccumulateNV(m_, i).v()))));
          break;
        default: break;
      }
    }
    return std::move(first_);
  }

 private:
  void add(std::string what) {
    if (first_.empty()) first_ = std::move(what);
  }

  void stage(const Instruction& i) {
    const std::string_view name = stageName(uint32_t(op::EntryPoint(m_, i).executionModel()));
    if (d_.stages && !name.empty() && !d_.stages->contains(std::string(name)))
      add("cooperative vectors in the stage " + std::string(name));
  }

  void checkType(const Instruction& i) {
    const ConstantValue count = constants_.value(op::TypeCooperativeVectorNV(m_, i).componentCount());
    if (d_.maxComponents && count.known && count.bits > *d_.maxComponents)
      add("a cooperative vector of " + std::to_string(count.bits) + " components");
  }

  std::optional<spv::ComponentType> interpretation(Id operand) const {
    const ConstantValue value = constants_.value(operand);
    const auto type = spv::ComponentType(value.bits);
    return value.known && value.bits <= UINT32_MAX && !componentTypeName(type).empty() ? std::optional(type)
                                                                                       : std::nullopt;
  }
  static std::string nameOf(std::optional<spv::ComponentType> type) {
    return type ? std::string(componentTypeName(*type)) : std::string();
  }
  // None if the type is not a cooperative vector.
  Id componentOf(Id type) const {
    const auto vector = as<op::TypeCooperativeVectorNV>(m_, type);
    return vector ? vector.componentType() : Id();
  }

  void checkProduct(const Instruction& i) {
    if (!d_.combinations) return;
    const op::VectorProduct view(m_, i);
    const auto flags = uint32_t(view.cooperativeMatrixOperands());
    using Mask = spv::CooperativeMatrixOperandsMask;
    const auto isListed = [&](Id component, Mask isSigned, std::optional<spv::ComponentType> listed) {
      return isListedAs(m_, component, (flags & uint32_t(isSigned)) != 0, listed);
    };
    const Id input = componentOf(m_.typeOf(view.input())), result = componentOf(i.type);
    const auto inputAs = interpretation(view.inputInterpretation()),
               matrixAs = interpretation(view.matrixInterpretation()),
               biasAs = view.hasBias() ? interpretation(view.biasInterpretation()) : std::nullopt;
    const bool transposes = constants_.value(view.transpose()).is(1);
    const bool listed = std::ranges::any_of(*d_.combinations, [&](const DeviceVectorTypes& c) {
      return inputAs && matrixAs && c.inputInterpretation == inputAs && c.matrixInterpretation == matrixAs &&
             (!biasAs || c.biasInterpretation == biasAs) && (c.transpose || !transposes) &&
             isListed(input, Mask::MatrixBSignedComponentsKHR, c.input) &&
             isListed(result, Mask::MatrixResultSignedComponentsKHR, c.result);
    });
    if (!listed)
      add("a product of a matrix of " + nameOf(matrixAs) + " and a cooperative vector of " +
          numberTypeName(m_, input) + " as " + nameOf(inputAs) +
          (biasAs ? ", plus a bias of " + nameOf(biasAs) : "") + ", to " + numberTypeName(m_, result));
  }

  void checkAccumulation(std::optional<spv::ComponentType> type) {
    if ((type == spv::ComponentType::Float16NV && !d_.trainingFloat16.value_or(true)) ||
        (type == spv::ComponentType::Float32NV && !d_.trainingFloat32.value_or(true)))
      add("a sum of " + nameOf(type) + " in memory");
  }

  const Module& m_;
  const DeviceVectors& d_;
  const ConstantEvaluator constants_;
  std::string first_;
};

}  // namespace

std::string misfit(const Module& module, const DeviceVectors& device) { return Fit(module, device).run(); }

}  // namespace coopc::spirv::lower::vectors
