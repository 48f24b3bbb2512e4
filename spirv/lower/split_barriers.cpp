// Split barriers (SPV_EXT_split_barrier, SPV_INTEL_split_barrier) for devices without them: the second part
// becomes an ordinary barrier, and the first one is removed.
//
//   OpControlBarrierArriveEXT %execution %memory %release
//   OpControlBarrierWaitEXT %execution %memory %acquire       OpControlBarrier %execution %memory
//                                                             %acquireRelease
//
// The barrier comes after everything that invocations do before they arrive, which is ordered as before. It
// also orders their instructions between the two parts, which takes time but is not wrong. Each wait follows
// an arrival of the same execution scope (Vulkan, VUID-RuntimeSpirv-OpControlBarrierWaitEXT-13559). In
// general it is not known which one, so the barrier releases the memory of any arrival of its execution
// scope, and acquires the memory of any wait.
#include <algorithm>
#include <array>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {
namespace {

constexpr auto kOrders = uint32_t(spv::MemorySemanticsMask::Acquire) |
                         uint32_t(spv::MemorySemanticsMask::Release) |
                         uint32_t(spv::MemorySemanticsMask::AcquireRelease) |
                         uint32_t(spv::MemorySemanticsMask::SequentiallyConsistent);

// Scopes from the widest to the narrowest.
constexpr std::array kWidestFirst = {spv::Scope::CrossDevice, spv::Scope::Device,   spv::Scope::QueueFamily,
                                     spv::Scope::Workgroup,   spv::Scope::Subgroup, spv::Scope::Invocation};

class SplitBarriers {
 public:
  SplitBarriers(Module& module, Report& report) : code_(module), m_(module), report_(report) {}

  void run() {
    collect();
    if (report_.isRefused()) return;
    code_.writer.rewrite([&](const Instruction& i) { return rewrite(i); });
    dropDeclarations();
    code_.finish();
    if (!barriers_.empty())
      report_.rewrites.push_back({"barriers in two parts", "barriers, where invocations would wait"});
  }

 private:
  // The memory that the parts of one execution scope order.
  struct Barrier {
    spv::Scope execution;
    spv::Scope memory;
    uint32_t semantics = 0;  // without the order
    bool orders = false;
  };

  static bool isPart(const Instruction& i) {
    return i.op() == enums::OpControlBarrierArriveEXT || i.op() == enums::OpControlBarrierWaitEXT;
  }

  static bool isWider(spv::Scope a, spv::Scope b) {
    return std::ranges::find(kWidestFirst, a) < std::ranges::find(kWidestFirst, b);
  }

  void collect() {
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (!isPart(i)) continue;
      const op::AnyControlBarrier part(m_, i);
      const std::optional<uint32_t> execution = code_.globals.constantValue(part.execution()),
                                    memory = code_.globals.constantValue(part.memory()),
                                    semantics = code_.globals.constantValue(part.semantics());
      if (!execution || !memory || !semantics)
        return report_.refuse(Refusal::Unsupported,
                              "a barrier in two parts whose scopes or semantics are not constants");
      Barrier& b = barrierOf(spv::Scope(*execution), spv::Scope(*memory));
      if (semantics == 0) continue;
      if (isWider(spv::Scope(*memory), b.memory)) b.memory = spv::Scope(*memory);
      b.semantics |= *semantics & ~kOrders;
      b.orders = b.orders || (*semantics & kOrders) != 0;
    }
  }

  Barrier& barrierOf(spv::Scope execution, spv::Scope memory) {
    const auto at = std::ranges::find(barriers_, execution, &Barrier::execution);
    if (at != barriers_.end()) return *at;
    return barriers_.emplace_back(Barrier{execution, memory});
  }

  bool rewrite(const Instruction& i) {
    if (!isPart(i)) return false;
    if (i.op() == enums::OpControlBarrierArriveEXT) return true;
    const uint32_t scope = code_.globals.constantValue(op::AnyControlBarrier(m_, i).execution()).value_or(0);
    const Barrier& b = *std::ranges::find(barriers_, spv::Scope(scope), &Barrier::execution);
    const Id execution = code_.u32(scope), memory = code_.u32(uint32_t(b.memory));
    const Id semantics =
        code_.u32(b.orders ? b.semantics | uint32_t(spv::MemorySemanticsMask::AcquireRelease) : 0);
    code_.make<op::ControlBarrier>({.execution = execution, .memory = memory, .semantics = semantics});
    return true;
  }

  void dropDeclarations() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      const auto capability = as<op::Capability>(m_, i);
      const std::string_view extension = as<op::Extension>(m_, i).name();
      if ((capability && capability.capability() == enums::CapabilitySplitBarrierEXT) ||
          extension == "SPV_EXT_split_barrier" || extension == "SPV_INTEL_split_barrier")
        i.opcode = uint16_t(spv::Op::OpNop);
    }
  }

  Code code_;
  Module& m_;
  Report& report_;
  std::vector<Barrier> barriers_;
};

}  // namespace

void lowerSplitBarriers(Module& module, Report& report) { SplitBarriers(module, report).run(); }

}  // namespace coopc::spirv::lower
