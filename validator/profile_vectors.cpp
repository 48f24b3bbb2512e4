// Cooperative vectors against a device profile (VUIDs 10089, 10091 to 10095).
#include <algorithm>

#include "spirv/component_type.hpp"
#include "validator/profile.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

namespace enums = spirv::enums;

constexpr auto kMatrixBSigned = uint32_t(spv::CooperativeMatrixOperandsMask::MatrixBSignedComponentsKHR);
constexpr auto kMatrixResultSigned =
    uint32_t(spv::CooperativeMatrixOperandsMask::MatrixResultSignedComponentsKHR);

class VectorDevice {
 public:
  VectorDevice(Context& c, const Profile& p) : c_(c), p_(p) {}

  void run() {
    for (const Instruction& i : c_.m.instructions) {
      switch (i.op()) {
        case enums::OpTypeVectorIdEXT: type(i); break;
        case Op::OpCooperativeVectorMatrixMulNV:
        case Op::OpCooperativeVectorMatrixMulAddNV: product(i); break;
        case Op::OpCooperativeVectorOuterProductAccumulateNV: outerProduct(i); break;
        case Op::OpCooperativeVectorReduceSumAccumulateNV: reduceSum(i); break;
        default: break;
      }
    }
    stages();
  }

 private:
  const VectorProfile& vectors() const { return p_.vectors; }

  void type(const Instruction& i) {
    // SPV_EXT_long_vector uses the same opcode for its vectors.
    if ((c_.holds(i.result) & kHoldsCoopVec) == 0) return;
    const VectorType t = *c_.coopVec(i.result);
    const Value count = c_.value(t.count);
    if (vectors().maxComponents && count.known && count.bits > *vectors().maxComponents) {
      c_.report(Rule::DeviceCoopVecComponents, &i,
                "the vector has " + c_.describe(count) + " components, " + p_.name + " allows " +
                    std::to_string(*vectors().maxComponents),
                count.byDefault);
    }
    if (!vectors().combinations || !c_.isNumerical(t.component)) return;
    // The specification says "any supported type reported", but not by which member, so all of them count.
    const std::optional<spv::ComponentType> type = spirv::componentTypeOf(c_.m, t.component);
    const auto reports = [&](const Combination& k) {
      return type && (type == k.input || type == k.inputInterpretation || type == k.matrixInterpretation ||
                      type == k.biasInterpretation || type == k.result);
    };
    if (std::none_of(vectors().combinations->begin(), vectors().combinations->end(), reports)) {
      c_.report(Rule::DeviceCoopVecType, &i,
                p_.name + " has no cooperative vectors of " + c_.describe(t.component));
    }
  }

  void product(const Instruction& i) {
    const op::VectorProduct view(c_.m, i);
    const bool add = view.hasBias();
    const auto result = c_.coopVec(i.type), input = c_.coopVecOf(view.input());
    if (!vectors().combinations || !result || !input || !c_.isNumerical(result->component) ||
        !c_.isNumerical(input->component)) {
      return;
    }
    const Value inputAs = c_.value(view.inputInterpretation());
    const Value matrixAs = c_.value(view.matrixInterpretation());
    const Value biasAs = add ? c_.value(view.biasInterpretation()) : Value();
    const Value transpose = c_.value(view.transpose());
    if (!inputAs.known || !matrixAs.known || (add && !biasAs.known)) return;
    if ((inputAs.bits | matrixAs.bits | biasAs.bits) > UINT32_MAX) return;  // coopvec-enumerant
    const auto flags = uint32_t(view.cooperativeMatrixOperands());
    const spv::ComponentType given[] = {spv::ComponentType(inputAs.bits), spv::ComponentType(matrixAs.bits),
                                        spv::ComponentType(biasAs.bits)};
    const std::string_view names[] = {spirv::componentTypeName(given[0]), spirv::componentTypeName(given[1]),
                                      spirv::componentTypeName(given[2])};
    if (names[0].empty() || names[1].empty() || (add && names[2].empty()))
      return;  // reported by coopvec-enumerant
    bool types = false, turned = false;
    for (const Combination& k : *vectors().combinations) {
      if (k.inputInterpretation != given[0] || k.matrixInterpretation != given[1] ||
          (add && k.biasInterpretation != given[2]) ||
          !spirv::isListedAs(c_.m, input->component, (flags & kMatrixBSigned) != 0, k.input) ||
          !spirv::isListedAs(c_.m, result->component, (flags & kMatrixResultSigned) != 0, k.result)) {
        continue;
      }
      types = true;
      turned = turned || k.transpose;
    }
    const bool turns = transpose.is(1);
    if (types && (turned || !turns)) return;
    c_.report(Rule::DeviceCoopVecProduct, &i,
              p_.name + " offers no product of " + spirv::numberTypeName(c_.m, input->component) + " as " +
                  std::string(names[0]) + " and a matrix of " + std::string(names[1]) +
                  (types ? ", transposed" : "") + (add ? ", bias of " + std::string(names[2]) : "") + " to " +
                  spirv::numberTypeName(c_.m, result->component),
              inputAs.byDefault | matrixAs.byDefault | biasAs.byDefault |
                  (types ? transpose.byDefault : Defaults()));
  }

  void training(const Instruction& i, bool half, const Defaults& byDefault) {
    const std::optional<bool>& supported = half ? vectors().trainingFloat16 : vectors().trainingFloat32;
    if (supported.value_or(true)) return;
    c_.report(Rule::DeviceCoopVecTraining, &i,
              p_.name + " does not accumulate " + (half ? "16" : "32") + "-bit floats", byDefault);
  }

  void outerProduct(const Instruction& i) {
    const op::CooperativeVectorOuterProductAccumulateNV view(c_.m, i);
    const Value interpretation = c_.value(view.matrixInterpretation());
    if (interpretation.is(0) || interpretation.is(1))
      training(i, interpretation.is(0), interpretation.byDefault);
  }

  void reduceSum(const Instruction& i) {
    const auto v = c_.coopVecOf(op::CooperativeVectorReduceSumAccumulateNV(c_.m, i).v());
    if (!v || !c_.isFloat(v->component) || c_.encoding(v->component) != spirv::kNone) return;
    const uint32_t width = c_.width(v->component);
    if (width == 16 || width == 32) training(i, width == 16, {});
  }

  void stages() {
    if (!vectors().stages) return;
    checkStages(c_, p_, *vectors().stages, {kHoldsCoopVec, Rule::DeviceCoopVecStage, "cooperative vectors"});
  }

  Context& c_;
  const Profile& p_;
};

}  // namespace

void checkVectorProfile(Context& c, const Profile& profile) {
  if (!c.anyHolds(kHoldsCoopVec)) return;
  VectorDevice(c, profile).run();
}

}  // namespace coopc::validator
