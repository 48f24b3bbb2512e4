// The sequence of passes, each of which runs only if the target lacks what it rewrites, and the checks of the
// result: after each pass it is a well-formed module, and in the end it needs nothing that the target lacks.
#include "spirv/lower/lower.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "spirv/cfg.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/needs.hpp"
#include "spirv/lower/reasons.hpp"
#include "spirv/lower/route.hpp"
#include "spirv/lower/specialize.hpp"
#include "spirv/opt/optimize.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"
#include "spirv/writer.hpp"

namespace coopc::spirv::lower {
namespace {

using vulkan::Feature;

class Lowering {
 public:
  Lowering(std::span<const uint32_t> words, const LowerRequest& request) : words_(words), r_(request) {}

  LowerAnswer run() {
    ReadError error;
    if (std::optional<Module> module = readModule(words_, error)) return run(std::move(*module));
    return decline(Refusal::Unsupported, {describe(error)});
  }

  LowerAnswer run(Module module) {
    m_ = std::move(module);
    return lowerModule();
  }

 private:
  LowerAnswer lowerModule() {
    frozen_ = specialize(m_, r_.values, r_.specDefaults);
    needs_ = missingFeatures(m_, r_.target);
    answer_.lacking = listMissing(m_, r_.target);
    if (!needs_.any()) {
      if (!answer_.lacking.empty()) return declineFor(Refusal::Unsupported, answer_.lacking);
      answer_.kind = LowerAnswer::Kind::Native;
      answer_.words.assign(words_.begin(), words_.end());
      return std::move(answer_);
    }
    // With names, each pass would have to remove the names of ids that it removed.
    if (r_.optimize && !r_.keepDebug) stripDebug(m_);
    // Passes rely on a module's structure, and would give wrong results for a malformed one.
    Graphs graphs;
    if (const std::string fault = structureFault(m_, FunctionWords::AsRead, graphs); !fault.empty())
      return decline(Refusal::Unsupported, {"not a valid module: " + fault});
    if (const Reason fault = callFault(m_); !fault.text.empty())
      return decline(Refusal::Unsupported, Reason{"not a valid module: " + fault.text, fault.subject});
    if (emptyWorkgroup(m_)) return decline(Refusal::Unsupported, {"a dimension of the workgroup is 0"});
    answer_.components = componentsPerInvocation();
    route_ = chooseRoute(needs_, r_.target);
    fillsRegisters_ = fillsRegisters(m_, r_.target.device.compiler.registers);
    if (route_.route != LoweringRoute::Unchanged || needs_.tensors) prepare(graphs);
    runPassesBeforeMatrices();
    if (!isStopped()) {
      if (route_.route == LoweringRoute::HalfOperands) simplifyTensors();
      if (const std::optional<std::string> why = obstacleToRoute()) route_ = plainCode(route_, *why);
      const bool has = findExtensionOfCalls() != nullptr;
      lowerMatrices();
      if (!has) dropExtensionOfCalls();
    }
    runPassesAfterMatrices();
    return finish();
  }

  void runPassesBeforeMatrices() {
    // Runs before the passes of small floats, because vectors may consist of these.
    if (needs_.vectors) {
      runPass("cooperative_vector", [&](Module& m, Report& report) {
        lowerCooperativeVectors(m, {.unroll = r_.target.unroll}, report);
      });
    }
    // Runs before the pass that may change the scopes of barriers.
    if (needs_.splitBarriers) runPass("split_barriers", lowerSplitBarriers);
    if (!needs_.mixedProducts.empty()) {
      runPass("mixed_products", [&](Module& m, Report& report) {
        lowerMixedProducts(m, {.missing = needs_.mixedProducts}, report);
      });
    }
  }

  void runPassesAfterMatrices() {
    if (needs_.tensors) {
      runPass("tensors", [&](Module& m, Report& report) {
        lowerTensors(m, {.descriptions = r_.tensorDescriptions}, report);
      });
    }
    // Runs after the passes for matrices, because tensor addressing becomes per-element operations.
    useMaintenance();
    if (needs_.bfloat16 || needs_.float8) {
      runPass("small_floats", [&](Module& m, Report& report) {
        lowerSmallFloats(m, {.bfloat16 = needs_.bfloat16, .float8 = needs_.float8}, report);
      });
    }
    if (needs_.memoryModel) runPass("memory_model", lowerMemoryModel);
    if (needs_.version) {
      runPass("version", [&](Module& m, Report& report) {
        VersionOptions o;
        o.version = r_.target.spirvVersion;
        o.localSizeId = !r_.target.lacks(Feature::maintenance4);
        lowerVersion(m, o, report);
      });
    }
  }

  std::optional<std::string> obstacleToRoute() {
    switch (route_.route) {
      case LoweringRoute::Granules: return obstacleToGranules(m_, granuleOptions());
      case LoweringRoute::HalfOperands:
        if (std::optional<std::string> why = obstacleToHalfOperands(m_)) return why;
        return obstacleToGranules(m_, granuleOptions(), Float8Operands::BecomeHalves);
      default: return std::nullopt;
    }
  }

  void lowerMatrices() {
    switch (route_.route) {
      case LoweringRoute::Unchanged:
        if (needs_.decodeVectors) runPass("decode_vectors", dropDecodeVectors);
        break;
      case LoweringRoute::ElementCalls: lowerTensorAccesses({}); break;
      case LoweringRoute::Granules:
        lowerTensorAccesses({.wideLoads = true});
        useGranules();
        break;
      case LoweringRoute::HalfOperands: useHalfOperands(); break;
      case LoweringRoute::PlainCode:
        lowerTensorAccessesForPlainCode();
        if (!route_.notHalves.empty())
          note("operands of 8-bit floats", "not 16-bit floats: " + route_.notHalves);
        if (!route_.reason.empty()) note("matrices", "plain code, as " + route_.reason);
        usePlainCode();
        break;
    }
  }

  // While tensor accesses are lowered, they are per-element operations, whose extension is declared. If those
  // were lowered as well, the declaration must go: devices without the extension refuse it.
  Instruction* findExtensionOfCalls() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      if (as<op::Extension>(m_, m_.instructions[n]).name() == "SPV_NV_cooperative_matrix2")
        return &m_.instructions[n];
    }
    return nullptr;
  }
  void dropExtensionOfCalls() {
    Instruction* extension = findExtensionOfCalls();
    if (extension == nullptr || m_.declares(spv::Capability::CooperativeMatrixPerElementOperationsNV) ||
        m_.declares(spv::Capability::CooperativeMatrixReductionsNV) ||
        m_.declares(spv::Capability::CooperativeMatrixConversionsNV))
      return;
    extension->opcode = uint16_t(spv::Op::OpNop);
    m_.compact();
  }

  void useHalfOperands() {
    runPass("small_operands", loadSmallByTensors);
    lowerTensorAccesses({.wideLoads = true});
    runPass("small_operands", smallOperandsAsHalves);
    useGranules();
  }

  void lowerTensorAccesses(const TensorOptions& options) {
    runPass("tensor_addressing", [&](Module& m, Report& report) {
      const std::vector<TensorFunction> made = lowerTensorAddressing(m, options, report);
      tensors_.insert(tensors_.end(), made.begin(), made.end());
    });
  }

  void simplifyTensors() {
    runPass("tensor_values", [](Module& m, Report&) { simplifyTensorValues(m); });
  }

  // A 16-byte load needs a second variable for the same buffer, and both must be decorated Aliased. So these
  // functions are written only if operands will be held in pieces.
  void lowerTensorAccessesForPlainCode() {
    if (isStopped() || !usesTensorAddressing(m_)) return;
    std::vector<Id> types = typesForPieces(m_, softwareOptions());
    const bool mayBe = !types.empty();
    if (mayBe) {
      simplifyTensors();
      if (isStopped()) return;
      if (!holdsInPieces(m_, softwareOptions())) types.clear();
    }
    lowerTensorAccesses({.wideLoads = !types.empty(), .wideTypes = types, .isSimplified = mayBe});
  }

  void useGranules() {
    runPass("granules", [&](Module& m, Report& report) { lowerToGranules(m, granuleOptions(), report); });
  }

  void usePlainCode() {
    runPass("narrow_stores", storeNarrowByTensors);
    lowerTensorAccesses({});
    runPass("software_matrix",
            [&](Module& m, Report& report) { lowerToSoftwareMatrices(m, softwareOptions(), report); });
  }

  void note(std::string what, std::string into) {
    if (!isStopped()) report_.rewrites.push_back({std::move(what), std::move(into)});
  }

  SoftwareOptions softwareOptions() const {
    SoftwareOptions o;
    o.subgroupSize = subgroupSize();
    // A device that does not report its sizes is assumed to have the requested one.
    o.hasSize =
        r_.target.device.maxSubgroupSize == 0 || (o.subgroupSize >= r_.target.device.minSubgroupSize &&
                                                  o.subgroupSize <= r_.target.device.maxSubgroupSize);
    o.sharedBytes = sharedLeft();
    o.shuffles = r_.target.shuffles;
    o.dotProducts = r_.target.trusts(Feature::shaderIntegerDotProduct);
    constexpr auto kHalfDot = Feature::shaderMixedFloatDotProductFloat16AccFloat32;
    o.halfDotProducts = r_.target.has(kHalfDot) == vulkan::Answer::Yes && r_.target.trusts(kHalfDot);
    o.tensors = tensors_;
    o.unroll = r_.target.unroll;
    const DeviceCompiler& compiler = r_.target.device.compiler;
    // For NVIDIA's own compiler, modules stay as they were measured on it.
    if (compiler.family != DeviceCompiler::Family::Nvidia) o.registers = compiler.registers;
    return o;
  }

  // Folds branches on specialization constants, which are frozen now, so that untaken branches are neither
  // copied nor lowered; then inlines functions that take or return matrices or tensors.
  void prepare(Graphs& graphs) {
    runPass("control_flow", [&](Module& m, Report&) { foldBranches(m, graphs); });
    runPass("merge_returns", [&](Module& m, Report&) { mergeReturns(m, graphs); });
    runPass("inline", [&](Module& m, Report&) { inlineFunctions(m, graphs); });
    runPass("dead_code", [&](Module& m, Report&) { eliminateDeadCode(m, true, graphs); });
  }

  void useMaintenance() {
    if (isStopped()) return;
    const MaintenanceOptions o = promotedOperations(r_.target);
    if (!o.reductions && !o.conversions && !o.perElement && !o.none) return;
    runPass("maintenance", [&](Module& m, Report& report) { lowerToMaintenance(m, o, report); });
  }

  GranuleOptions granuleOptions() const {
    GranuleOptions o;
    o.shapes = granuleShapes(r_.target);
    o.subgroupSize = subgroupSize();
    o.compiler = r_.target.device.compiler;
    o.shuffles = r_.target.shuffles;
    // NVIDIA's matrix instructions have eight rows of an accumulator at a time: in each register, four
    // neighboring invocations of 32 hold a row. The driver gives a row's components consecutive numbers.
    if (o.compiler.family == DeviceCompiler::Family::Nvidia && o.shuffles)
      o.rowInvocations = o.subgroupSize / 8;
    o.sharedBytes = sharedLeft();
    const auto trusts = [&](Feature nv, Feature promoted) {
      return r_.target.trusts(nv) || r_.target.trusts(promoted);
    };
    o.perElement = trusts(Feature::cooperativeMatrixPerElementOperations,
                          Feature::maintenance1_cooperativeMatrixPerElementOperations);
    o.reductions =
        trusts(Feature::cooperativeMatrixReductions, Feature::maintenance1_cooperativeMatrixReductions);
    // The NV extension lacks some of the conversions of the EXT one.
    const bool declaresPromoted = m_.declares(enums::CapabilityCooperativeMatrixConversionsEXT);
    o.conversions = r_.target.trusts(Feature::maintenance1_cooperativeMatrixConversions) ||
                    (r_.target.trusts(Feature::cooperativeMatrixConversions) && !declaresPromoted);
    o.coordinates = r_.target.trusts(Feature::maintenance1_cooperativeMatrixGetCoordinate);
    o.unroll = r_.target.unroll;
    o.splitBarriers = r_.target.has(Feature::shaderSplitBarrier) == vulkan::Answer::Yes &&
                      r_.target.trusts(Feature::shaderSplitBarrier) &&
                      !m_.declares(enums::CapabilitySplitBarrierEXT);
    o.tensors = tensors_;
    return o;
  }

  // The subgroup size of the pipeline. If the caller leaves it to lowering, and the module's behavior does
  // not depend on it, it is the size in which the device's matrices take the fewest registers, if registers
  // are short.
  uint32_t subgroupSize() const {
    const DeviceProfile& d = r_.target.device;
    const uint64_t size = d.compiler.matrixSubgroupSize;
    const bool free = r_.subgroupSize == 0 && route_.route != LoweringRoute::PlainCode &&
                      r_.target.subgroupSizeRequired && size != 0 && size >= d.minSubgroupSize &&
                      size <= d.maxSubgroupSize && fillsRegisters_;
    return free ? uint32_t(size) : r_.target.subgroupSize(r_.subgroupSize);
  }

  // Whether the accumulators of a module, one of each type, take more than a quarter of the registers; false
  // if it depends on the size of subgroups in any way.
  static bool fillsRegisters(const Module& m, uint64_t registers) {
    for (uint32_t n = 0; n < m.functionsAt; ++n) {
      const auto declaration = as<op::Capability>(m, m.instructions[n]);
      if (declaration && usesSubgroups(declaration.capability())) return false;
    }
    Report ignored;
    const uint64_t workgroup = std::max<uint64_t>(1, workgroupInvocations(m));
    uint64_t components = 0;
    for (const MatrixType& t : matrixTypes(m, ignored)) {
      if (!t.ofWorkgroup()) return false;
      if (t.use == spv::CooperativeMatrixUse::MatrixAccumulatorKHR)
        components += uint64_t(t.rows) * t.columns;
    }
    return components / workgroup > registers / 4;
  }

  static bool usesSubgroups(spv::Capability capability) {
    switch (capability) {
      case spv::Capability::Groups:
      case spv::Capability::SubgroupBallotKHR:
      case spv::Capability::SubgroupVoteKHR:
      case spv::Capability::GroupNonUniformRotateKHR:
      case spv::Capability::GroupNonUniformPartitionedNV: return true;
      default:
        return capability >= spv::Capability::GroupNonUniform &&
               capability <= spv::Capability::GroupNonUniformQuad;
    }
  }

  // The workgroup memory that the module itself does not use.
  uint32_t sharedLeft() const {
    const uint64_t all = r_.sharedBytes != 0 ? r_.sharedBytes : r_.target.device.sharedMemory;
    const uint64_t used = workgroupBytes(m_);
    return uint32_t(std::min<uint64_t>(all > used ? all - used : 0, UINT32_MAX));
  }

  bool isStopped() const { return report_.isRefused() || !fault_.empty() || m_.overflow(); }

  template <class Pass>
  void runPass(const char* name, Pass&& run) {
    if (isStopped()) return;
    run(m_, report_);
    if (!r_.checkPasses || isStopped()) return;
    if (const std::string fault = structureFault(m_); !fault.empty())
      fault_ = std::string("internal error: ") + name + ": " + fault;
  }

  LowerAnswer finish() {
    if (!r_.optimize) removeLeftovers();
    if (!fault_.empty()) return decline(Refusal::Unsupported, {fault_, {}});
    if (report_.isRefused()) return decline(report_.refusal, Reason{report_.reason, report_.subject});
    // The optimizer would take words of what passes have removed for ids.
    m_.compact();
    // If the optimizer runs, leftovers are only removed here if something is wrong with them: its passes
    // remove them anyway.
    Graphs graphs;
    std::string fault = m_.overflow() ? "" : structureFault(m_, FunctionWords::Any, graphs);
    if (!fault.empty() && r_.optimize) {
      removeLeftovers();
      if (std::vector<std::string> left = listMissing(m_, r_.target); !left.empty())
        return declineFor(Refusal::Unsupported, std::move(left));
      graphs.forget();
      fault = structureFault(m_, FunctionWords::Any, graphs);
    }
    // listMissing() does not detect mismatched types, which may be left after lowering.
    if (!fault.empty())
      return decline(Refusal::Unsupported, {"the lowered module would be invalid: " + fault});
    if (r_.optimize && !m_.overflow()) {
      std::string error;
      if (!optimizeResult(graphs, error)) return decline(Refusal::Unsupported, {std::move(error), {}});
      if (!m_.overflow()) arrangeVariables();
      if (m_.overflow()) return lowerUnoptimized();
    }
    if (m_.overflow()) {
      return decline(Refusal::Limit, {"the lowered module would exceed a universal limit of SPIR-V"});
    }
    if (std::vector<std::string> left = listMissing(m_, r_.target); !left.empty())
      return declineFor(Refusal::Unsupported, std::move(left));
    answer_.kind = LowerAnswer::Kind::Lowered;
    answer_.words = writeModule(m_);
    answer_.rewrites = std::move(report_.rewrites);
    answer_.frozen = std::move(frozen_);
    answer_.tensors = std::move(report_.tensors);
    answer_.sharedBytes = report_.sharedBytes;
    if (report_.needsSubgroupSize) answer_.subgroupSize = subgroupSize();
    noteSpeed();
    if (!r_.target.measured)
      answer_.notes.push_back("this target was written from documents, not measured on a device");
    return std::move(answer_);
  }

  // Removes functions that lowering has inlined or replaced, and declarations that lowered code no longer
  // needs.
  void removeLeftovers() {
    runPass("trim_capabilities", [&](Module& m, Report&) {
      eliminateDeadCode(m, true);
      trimCapabilities(m, words_);
    });
  }

  bool optimizeResult(Graphs& graphs, std::string& error) {
    OptOptions options;
    options.keepDebug = r_.keepDebug;
    options.keepBindings = true;
    options.quick = true;
    options.checkPasses = r_.checkPasses;
    return optimize(m_, words_, options, graphs, &error);
  }

  // For NVIDIA's own compiler, modules stay as they were measured on it.
  void arrangeVariables() {
    const DeviceCompiler& compiler = r_.target.device.compiler;
    if (compiler.registers == 0 || compiler.family == DeviceCompiler::Family::Nvidia) return;
    runPass("carried_values", carryInVariables);
    runPass("settled_matrices", settleMatrices);
  }

  // Lowers again without the optimizer, for a result that is at SPIR-V's limits: the optimizer's passes would
  // have no ids left.
  LowerAnswer lowerUnoptimized() const {
    LowerRequest request = r_;
    request.optimize = false;
    return Lowering(words_, request).run();
  }

  // Notes the expected speed, because callers may have a shader without matrices that they prefer.
  void noteSpeed() {
    answer_.scalarShare = report_.scalarShare;
    if (report_.scalarShare <= 0 || report_.scalarShare >= 1) return;
    const int percent = int(report_.scalarShare * 100 + 0.5);
    answer_.notes.push_back("slower than a scalar shader: products in plain code are expected to reach " +
                            std::to_string(percent) +
                            " % of the speed of one that is written for shared memory and registers");
  }

  LowerAnswer decline(Refusal refusal, const Reason& reason) {
    std::vector<std::string> reasons{renderReason(words_, reason)};
    // The reasons do not show that a size is a default, so that cause is added.
    if (r_.specDefaults)
      if (std::string cause = smallByDefault(words_, r_); !cause.empty()) reasons.push_back(std::move(cause));
    return declineFor(refusal, std::move(reasons));
  }

  LowerAnswer declineFor(Refusal refusal, std::vector<std::string> reasons) {
    answer_.kind = LowerAnswer::Kind::Declined;
    answer_.refusal = refusal;
    answer_.reasons = std::move(reasons);
    return std::move(answer_);
  }

  uint32_t componentsPerInvocation() const {
    Report ignored;
    const uint64_t subgroup = std::max(1u, r_.target.subgroupSize(r_.subgroupSize));
    const uint64_t workgroup = std::max<uint64_t>(1, workgroupInvocations(m_));
    uint64_t sum = 0;
    for (const MatrixType& t : matrixTypes(m_, ignored)) {
      const uint64_t invocations = t.scope == spv::Scope::Workgroup ? workgroup : subgroup;
      const uint64_t share = (t.elements() + invocations - 1) / invocations;
      sum += (share * t.componentBits + 31) / 32;
    }
    return uint32_t(std::min<uint64_t>(sum, UINT32_MAX));
  }

  std::span<const uint32_t> words_;
  const LowerRequest& r_;
  Module m_;
  MissingFeatures needs_;
  RouteDecision route_;
  bool fillsRegisters_ = false;
  Report report_;
  std::vector<TensorFunction> tensors_;
  LowerAnswer answer_;
  std::vector<SpecializationValue> frozen_;
  std::string fault_;
};

}  // namespace

LowerAnswer lower(std::span<const uint32_t> words, const LowerRequest& request) {
  return Lowering(words, request).run();
}

LowerAnswer lower(std::span<const uint32_t> words, Module module, const LowerRequest& request) {
  return Lowering(words, request).run(std::move(module));
}

}  // namespace coopc::spirv::lower
