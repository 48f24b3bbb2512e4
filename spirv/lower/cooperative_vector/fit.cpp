// Cooperative vectors against VkPhysicalDeviceCooperativeVectorPropertiesNV and
// VkCooperativeVectorPropertiesNV (VUID-RuntimeSpirv-OpCooperativeVectorMatrixMulNV-10089,
// -cooperativeVectorSupportedStages-10091,
// -OpCooperativeVectorOuterProductAccumulateNV-10093, -maxCooperativeVectorComponents-10094). The validator
// reports all that do not fit (validator/profile_vectors.cpp); lowering needs to know whether one does not.
#include "spirv/lower/cooperative_vector/fit.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/number_type.hpp"
#include "spirv/stages.hpp"

namespace coopc::spirv::lower::vectors {

namespace {

struct ComponentName {
  uint32_t number;
  std::string_view name;
};
constexpr ComponentName kComponentNames[] = {
#define COOPC_COMPONENT_TYPE(number, name) {number, name},
#include "spirv/vulkan/vulkan_names.def"
};

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
              nameOf(op::CooperativeVectorOuterProductAccumulateNV(m_, i).matrixInterpretation()));
          break;
        case spv::Op::OpCooperativeVectorReduceSumAccumulateNV:
          checkAccumulation(componentName(op::CooperativeVectorReduceSumAccumulateNV(m_, i).v()));
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

  std::string nameOf(Id interpretation) const {
    const ConstantValue value = constants_.value(interpretation);
    const auto at = std::ranges::find_if(
        kComponentNames, [&](const ComponentName& row) { return value.known && row.number == value.bits; });
    return at == std::end(kComponentNames) ? std::string() : std::string(at->name);
  }
  std::string componentName(Id vector) const { return componentNameOfType(m_.typeOf(vector)); }
  std::string componentNameOfType(Id type) const {
    const auto vector = as<op::TypeCooperativeVectorNV>(m_, type);
    return vector ? numberTypeName(m_, vector.componentType()) : std::string();
  }

  void checkProduct(const Instruction& i) {
    if (!d_.combinations) return;
    const op::VectorProduct view(m_, i);
    const auto flags = uint32_t(view.cooperativeMatrixOperands());
    using Mask = spv::CooperativeMatrixOperandsMask;
    // Types and flags say whether an integer is signed; that one of them agrees is enough.
    const auto is = [&](std::string type, Mask isSigned, const std::string& listed) {
      if (type == listed) return true;
      if (type.empty() || (type[0] != 's' && type[0] != 'u')) return false;
      type[0] = (flags & uint32_t(isSigned)) != 0 ? 's' : 'u';
      return type == listed;
    };
    const std::string input = componentName(view.input()), result = componentNameOfType(i.type),
                      inputAs = nameOf(view.inputInterpretation()),
                      matrixAs = nameOf(view.matrixInterpretation()),
                      biasAs = view.hasBias() ? nameOf(view.biasInterpretation()) : std::string();
    const bool transposes = constants_.value(view.transpose()).is(1);
    const bool listed = std::ranges::any_of(*d_.combinations, [&](const DeviceVectorTypes& c) {
      return c.inputInterpretation == inputAs && c.matrixInterpretation == matrixAs &&
             (biasAs.empty() || c.biasInterpretation == biasAs) && (c.transpose || !transposes) &&
             is(input, Mask::MatrixBSignedComponentsKHR, c.input) &&
             is(result, Mask::MatrixResultSignedComponentsKHR, c.result);
    });
    if (!listed)
      add("a product of a matrix of " + matrixAs + " and a cooperative vector of " + input + " as " +
          inputAs + (biasAs.empty() ? "" : ", plus a bias of " + biasAs) + ", to " + result);
  }

  void checkAccumulation(const std::string& type) {
    if ((type == "f16" && !d_.trainingFloat16.value_or(true)) ||
        (type == "f32" && !d_.trainingFloat32.value_or(true)))
      add("a sum of " + type + " in memory");
  }

  const Module& m_;
  const DeviceVectors& d_;
  const ConstantEvaluator constants_;
  std::string first_;
};

}  // namespace

std::string misfit(const Module& module, const DeviceVectors& device) { return Fit(module, device).run(); }

}  // namespace coopc::spirv::lower::vectors
