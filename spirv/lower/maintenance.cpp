// Rewrites the operations that SPV_NV_cooperative_matrix2 and SPV_EXT_cooperative_matrix_maintenance1 both
// have, for devices that have only the latter. The opcodes are the same, and so are all capabilities except
// one:
//
//   CooperativeMatrixConversionsNV         CooperativeMatrixConversionsEXT
//   OpCooperativeMatrixTransposeNV         OpCooperativeMatrixConvertUseEXT, decorated
//                                          CooperativeMatrixTransposeEXT
//
// A device that only has the NV extension accepts the EXT one's reductions and per-element operations under
// their NV names. Conversions have been lowered before.
#include "base/spirv_version.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {
namespace {

constexpr std::string_view kNv = "SPV_NV_cooperative_matrix2";
constexpr std::string_view kPromoted = "SPV_EXT_cooperative_matrix_maintenance1";

class MaintenancePass {
 public:
  MaintenancePass(Module& module, const MaintenanceOptions& options, Report& report)
      : m_(module), o_(options), report_(report) {}

  void run() {
    if (o_.none) return rename();
    bool any = false, others = false;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      const auto declaration = as<op::Capability>(m_, i);
      if (!declaration) continue;
      switch (declaration.capability()) {
        case enums::CapabilityCooperativeMatrixReductionsEXT: (o_.reductions ? any : others) = true; break;
        case enums::CapabilityCooperativeMatrixPerElementOperationsEXT:
          (o_.perElement ? any : others) = true;
          break;
        case spv::Capability::CooperativeMatrixConversionsNV:
          (o_.conversions ? any : others) = true;
          if (o_.conversions) i = m_.make<op::Capability>({enums::CapabilityCooperativeMatrixConversionsEXT});
          break;
        case enums::CapabilityCooperativeMatrixConversionsEXT: any = any || o_.conversions; break;
        case spv::Capability::CooperativeMatrixTensorAddressingNV:
        case spv::Capability::CooperativeMatrixBlockLoadsNV: others = true; break;
        default: break;
      }
    }
    if (!any) return;
    const bool replaces = !others && drop(kNv);
    Code code(m_);
    code.preamble.extension(kPromoted);
    if (o_.conversions) decorateTransposes(code);
    code.finish();
    if (replaces || others) report_.rewrites.push_back({std::string(kNv), std::string(kPromoted)});
  }

 private:
  void rename() {
    if (!drop(kPromoted)) return;
    bool any = false;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto declaration = as<op::Capability>(m_, i);
      if (!declaration) continue;
      const spv::Capability capability = declaration.capability();
      any = any || capability == spv::Capability::CooperativeMatrixReductionsNV ||
            capability == spv::Capability::CooperativeMatrixPerElementOperationsNV;
    }
    if (!any) return;
    if (m_.version < kSpirv16)
      return report_.refuse(Refusal::Unsupported, std::string(kNv) + ", which the device has in place of " +
                                                      std::string(kPromoted) +
                                                      ", needs a module of SPIR-V 1.6");
    Code code(m_);
    code.preamble.extension(kNv);
    code.finish();
    report_.rewrites.push_back({std::string(kPromoted), std::string(kNv)});
  }

  bool drop(std::string_view extension) {
    bool any = false;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      const auto declaration = as<op::Extension>(m_, i);
      if (!declaration || declaration.name() != extension) continue;
      i.opcode = uint16_t(spv::Op::OpNop);
      any = true;
    }
    if (any) m_.compact();
    return any;
  }

  Module& m_;
  const MaintenanceOptions& o_;
  Report& report_;
};

}  // namespace

void decorateTransposes(Code& code) {
  Module& m = code.module();
  for (uint32_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction i = m.instructions[n];
    const auto transpose = as<op::CooperativeMatrixTransposeNV>(m, i);
    if (!transpose) continue;
    m.instructions[n] =
        m.make(enums::OpCooperativeMatrixConvertUseEXT, i.type, i.result, {transpose.matrix()});
    code.annotations.decorate(i.result, enums::DecorationCooperativeMatrixTransposeEXT);
  }
}

void lowerToMaintenance(Module& module, const MaintenanceOptions& options, Report& report) {
  MaintenancePass(module, options, report).run();
}

}  // namespace coopc::spirv::lower
