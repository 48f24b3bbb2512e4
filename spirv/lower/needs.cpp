// Determines what a target lacks: capabilities and extensions by the table of spirv/vulkan.hpp, matrix shapes
// by the target's lists.
#include "spirv/lower/needs.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

#include "base/spirv_version.hpp"
#include "spirv/constants.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/grammar_names.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/cooperative_vector/fit.hpp"
#include "spirv/matrix_type.hpp"
#include "spirv/number_type.hpp"
#include "spirv/tensors.hpp"
#include "spirv/workgroup_memory.hpp"
#include "spirv/workgroup_size.hpp"

namespace coopc::spirv::lower {

using vulkan::Feature;

namespace {

class Analysis {
 public:
  Analysis(const Module& module, const Target& target)
      : m_(module),
        t_(target),
        promoted_(promotedOperations(target)),
        constants_(module),
        invocations_(workgroupInvocations(module)) {}

  MissingFeatures run() {
    MissingFeatures needs;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) examineDeclaration(m_.instructions[n], needs);
    needs.version = needs.version || m_.version > t_.spirvVersion;
    const bool any =
        std::any_of(m_.instructions.begin(), m_.instructions.begin() + m_.functionsAt,
                    [](const Instruction& i) { return i.op() == spv::Op::OpTypeCooperativeMatrixKHR; });
    // These types become integers, so the driver's matrices cannot be used for them.
    const bool integers =
        (needs.bfloat16 && bfloat16Matrices_) ||
        (needs.float8 && float8Matrices_ && needs.matrices < MissingMatrices::Float8Operands);
    if (any && (integers || t_.lacks(Feature::cooperativeMatrix))) needs.lack(MissingMatrices::Components);
    if (any && needs.matrices == MissingMatrices::Nothing && !misfits().empty())
      needs.lack(MissingMatrices::Shapes);
    needs.vectors = needs.vectors || !vectorMisfit().empty();
    // So the driver's vectors cannot be used for them either.
    needs.vectors = needs.vectors || (needs.bfloat16 && hasVectorsOf({NumberType::BF16})) ||
                    (needs.float8 && hasVectorsOf({NumberType::E4M3, NumberType::E5M2}));
    return needs;
  }

  // The first cooperative vector that the module uses and the target does not list, although it has
  // cooperative vectors; or "".
  std::string vectorMisfit() const {
    return m_.declares(spv::Capability::CooperativeVectorNV) && !t_.lacks(Feature::cooperativeVector)
               ? vectors::misfit(m_, t_.device.vectors)
               : std::string();
  }

  // Descriptions of the shapes that the target does not list. If a target's lists are not known, all shapes
  // are accepted.
  std::vector<std::string> misfits() {
    std::vector<std::string> lines;
    if (!t_.device.fixed && !t_.device.flexible) return lines;
    std::set<std::string> known;
    const auto add = [&](std::string line) {
      if (known.insert(line).second) lines.push_back(std::move(line));
    };
    std::set<std::array<Id, 4>> products;  // few combinations of types, in many instructions
    std::set<Id> multiplied;
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      const auto product = as<op::CooperativeMatrixMulAddKHR>(m_, i);
      if (!product) continue;
      const std::array<Id, 4> types = {m_.typeOf(product.a()), m_.typeOf(product.b()), m_.typeOf(product.c()),
                                       i.type};
      if (!products.insert(types).second) continue;
      multiplied.insert(types.begin(), types.end());
      const auto a = sizes(types[0]), b = sizes(types[1]), c = sizes(types[2]), r = sizes(types[3]);
      if (!a || !b || !c || !r) continue;
      if (!a->number || !b->number || !c->number || !r->number) {
        add("a multiply-add of a " + describe(*a) + " and a " + describe(*b) + " to a " + describe(*r));
        continue;
      }
      MatrixShape s;
      s.m = a->rows;
      s.k = a->columns;
      s.n = b->columns;
      s.a = *a->number;
      s.b = *b->number;
      s.c = *c->number;
      s.result = *r->number;
      s.workgroup = a->ofWorkgroup();
      if (!t_.multiplies(s, invocations_)) add("a multiply-add of " + describe(s));
    }
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpTypeCooperativeMatrixKHR || multiplied.contains(i.result)) continue;
      const auto s = sizes(i.result);
      if (s && !t_.lists(*s, invocations_)) add("a " + describe(*s));
    }
    return lines;
  }

 private:
  bool hasVectorsOf(std::initializer_list<NumberType> components) const {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const auto vector = as<op::TypeCooperativeVectorNV>(m_, m_.instructions[n]);
      const std::optional<NumberType> number =
          vector ? numberTypeOf(m_, vector.componentType()) : std::nullopt;
      if (number && std::ranges::find(components, *number) != components.end()) return true;
    }
    return false;
  }

  void examineDeclaration(const Instruction& i, MissingFeatures& needs) {
    if (const auto model = as<op::MemoryModel>(m_, i)) {
      const bool vulkanModel = model.memoryModel() == spv::MemoryModel::Vulkan;
      needs.memoryModel = vulkanModel && t_.lacks(Feature::vulkanMemoryModel);
    }
    if (const auto mode = as<op::ExecutionModeId>(m_, i);
        mode && mode.mode() == spv::ExecutionMode::LocalSizeId)
      needs.version = needs.version || t_.lacks(Feature::maintenance4);
    if (promoted_.none && as<op::Extension>(m_, i).name() == "SPV_EXT_cooperative_matrix_maintenance1")
      needs.maintenance = true;
    const auto declaration = as<op::Capability>(m_, i);
    if (!declaration) return;
    const spv::Capability capability = declaration.capability();
    // These capabilities declare the types too.
    if (capability == enums::CapabilityBFloat16CooperativeMatrixKHR) {
      bfloat16Matrices_ = true;
      needs.bfloat16 = needs.bfloat16 || t_.lacks(enums::CapabilityBFloat16TypeKHR);
    }
    if (capability == enums::CapabilityFloat8CooperativeMatrixEXT) {
      float8Matrices_ = true;
      needs.float8 = needs.float8 || t_.lacks(enums::CapabilityFloat8EXT);
    }
    needs.maintenance = needs.maintenance || isPromoted(capability);
    // The other capabilities of SPV_ARM_tensors imply this one; a device that has tensors keeps them.
    if (capability == enums::CapabilityTensorsARM ||
        capability == enums::CapabilityStorageTensorArrayDynamicIndexingARM ||
        capability == enums::CapabilityStorageTensorArrayNonUniformIndexingARM)
      needs.tensors = needs.tensors || t_.lacks(enums::CapabilityTensorsARM);
    if (!t_.lacks(capability)) return;
    if (isMixedProduct(capability)) examineMixedProduct(capability, needs);
    switch (capability) {
      case enums::CapabilitySplitBarrierEXT: needs.splitBarriers = true; break;
      case enums::CapabilityBFloat16TypeKHR:
      case enums::CapabilityBFloat16DotProductKHR: needs.bfloat16 = true; break;
      case enums::CapabilityFloat8EXT: needs.float8 = true; break;
      case spv::Capability::CooperativeVectorNV:
      case spv::Capability::CooperativeVectorTrainingNV: needs.vectors = true; break;
      case spv::Capability::TensorAddressingNV:
      case spv::Capability::CooperativeMatrixTensorAddressingNV:
      case spv::Capability::CooperativeMatrixBlockLoadsNV: needs.tensorAddressing = true; break;
      case enums::CapabilityCooperativeMatrixDecodeVectorNV:  // implies block loads
        if (t_.lacks(spv::Capability::CooperativeMatrixBlockLoadsNV))
          needs.tensorAddressing = true;
        else
          needs.decodeVectors = true;
        break;
      case spv::Capability::CooperativeMatrixKHR:
      case enums::CapabilityBFloat16CooperativeMatrixKHR: needs.lack(MissingMatrices::Components); break;
      case enums::CapabilityFloat8CooperativeMatrixEXT: needs.lack(MissingMatrices::Float8Operands); break;
      case spv::Capability::CooperativeMatrixConversionsNV:
        if (!isPromoted(capability)) needs.lack(MissingMatrices::Shapes);
        break;
      case enums::CapabilityCooperativeMatrixGetCoordinateEXT:
      case enums::CapabilityCooperativeMatrixConversionsEXT:
      case enums::CapabilityCooperativeMatrixReductionsEXT:
      case enums::CapabilityCooperativeMatrixPerElementOperationsEXT:
        needs.lack(MissingMatrices::Shapes);
        break;
      default: break;
    }
  }

  // These capabilities declare the types too.
  void examineMixedProduct(spv::Capability capability, MissingFeatures& needs) const {
    needs.mixedProducts.push_back(capability);
    if (capability == enums::CapabilityDotProductFloat8AccFloat32VALVE) {
      needs.float8 = needs.float8 || t_.lacks(enums::CapabilityFloat8EXT);
    } else if (capability != enums::CapabilityDotProductFloat16AccFloat32VALVE &&
               capability != enums::CapabilityDotProductFloat16AccFloat16VALVE) {
      needs.bfloat16 = needs.bfloat16 || t_.lacks(enums::CapabilityBFloat16TypeKHR);
    }
  }

  bool isPromoted(spv::Capability capability) const {
    switch (capability) {
      case enums::CapabilityCooperativeMatrixReductionsEXT: return promoted_.reductions;
      case spv::Capability::CooperativeMatrixConversionsNV: return promoted_.conversions;
      case enums::CapabilityCooperativeMatrixPerElementOperationsEXT: return promoted_.perElement;
      default: return false;
    }
  }

  std::optional<MatrixType> sizes(Id type) const {
    const Instruction* i = m_.def(type);
    if (i == nullptr || i->op() != spv::Op::OpTypeCooperativeMatrixKHR) return std::nullopt;
    const MatrixTypeConstants values = matrixTypeConstants(m_, *i, constants_);
    if (!values.known()) return std::nullopt;
    return matrixType(m_, *i, values);
  }

  const Module& m_;
  const Target& t_;
  const MaintenanceOptions promoted_;
  ConstantEvaluator constants_;
  uint64_t invocations_;
  bool bfloat16Matrices_ = false, float8Matrices_ = false;  // the module declares their capabilities
};

// A requirement that a target does not meet, with the capabilities that cause it. Messages name the first of
// several alternatives.
struct Lack {
  std::string what, capabilities;

  std::string line() const {
    if (what.empty()) return capabilities + " is missing";
    return what + " (" + capabilities + ") is missing";
  }
};

std::string describeNeed(uint32_t capability) {
  const vulkan::Alternative& a = vulkan::alternatives(capability).front();
  switch (a.kind) {
    case vulkan::Alternative::Kind::Feature: return "feature " + std::string(vulkan::name(a.feature()));
    case vulkan::Alternative::Kind::Extension: return "extension " + std::string(vulkan::name(a.extension()));
    case vulkan::Alternative::Kind::Version: return "Vulkan " + std::string(vulkan::name(a.version()));
    case vulkan::Alternative::Kind::Property: break;
  }
  return {};
}

void addLack(uint32_t capability, std::vector<Lack>& lacks) {
  std::string what = describeNeed(capability);
  const std::string name = "capability " + std::string(vulkan::capabilityName(capability));
  const auto same = std::find_if(lacks.begin(), lacks.end(),
                                 [&](const Lack& l) { return !what.empty() && l.what == what; });
  if (same != lacks.end()) {
    same->capabilities += ", " + name;
  } else {
    lacks.push_back({std::move(what), name});
  }
}

}  // namespace

MissingFeatures missingFeatures(const Module& module, const Target& target) {
  return Analysis(module, target).run();
}

std::vector<std::string> listMissing(const Module& module, const Target& target) {
  std::vector<std::string> lines, extensions;
  std::vector<Lack> lacks;
  bool matrices = false;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    const auto declaration = as<op::Capability>(module, i);
    if (declaration && target.lacks(declaration.capability())) {
      const auto capability = uint32_t(declaration.capability());
      if (!vulkan::alternatives(capability).empty()) {
        addLack(capability, lacks);
      } else {
        const std::string_view name = capabilityName(capability);
        lines.push_back("Vulkan has no capability " +
                        (name.empty() ? std::to_string(capability) : std::string(name)));
      }
    } else if (const auto extension = as<op::Extension>(module, i)) {
      const std::string_view name = extension.name();
      const vulkan::SpirvExtension* e = vulkan::findSpirvExtension(name);
      if (e != nullptr && vulkan::offers(target, *e) == vulkan::Answer::No)
        extensions.push_back("extension " + std::string(name) + " is missing");
    } else if (i.op() == spv::Op::OpTypeCooperativeMatrixKHR) {
      matrices = true;
    }
  }
  for (const Lack& lack : lacks) lines.push_back(lack.line());
  // Messages about capabilities already name their extensions.
  if (lines.empty()) lines = std::move(extensions);
  if (module.version > target.spirvVersion) {
    lines.push_back("SPIR-V " + spirvVersionText(module.version) + " is missing: the device takes " +
                    spirvVersionText(target.spirvVersion));
  }
  if (const std::string line = Analysis(module, target).vectorMisfit(); !line.empty())
    lines.push_back(line + " is not among what the device lists");
  if (matrices && !target.lacks(Feature::cooperativeMatrix)) {
    for (const std::string& line : Analysis(module, target).misfits())
      lines.push_back(line + " is not among the device's shapes");
  }
  return lines;
}

bool emptyWorkgroup(const Module& module) {
  for (const WorkgroupSize& size : workgroupSizes(module, ConstantEvaluator(module))) {
    for (const ConstantValue& n : size.n) {
      if (n.is(0) && !n.byDefault) return true;
    }
  }
  return false;
}

uint64_t workgroupInvocations(const Module& module) {
  for (const WorkgroupSize& size : workgroupSizes(module, ConstantEvaluator(module))) {
    if (const uint64_t n = size.invocations(); n != 0) return n;
  }
  return 0;
}

uint64_t workgroupBytes(const Module& module) {
  const ConstantEvaluator constants(module);
  WorkgroupMemory memory(module, constants);
  uint64_t sum = 0;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    const auto variable = as<op::Variable>(module, i);
    if (!variable || variable.storageClass() != spv::StorageClass::Workgroup) continue;
    const auto pointer = as<op::TypePointer>(module, i.type);
    if (!pointer) continue;
    // Drivers may start each variable at a multiple of 16 bytes.
    const WorkgroupExtent extent = memory.extent(pointer.type());
    sum = WorkgroupMemory::append(sum, {true, extent.size, 16, {}});
  }
  return WorkgroupMemory::append(sum, {true, 0, 16, {}});
}

}  // namespace coopc::spirv::lower
