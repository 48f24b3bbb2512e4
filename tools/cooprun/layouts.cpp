// Compiles and runs a small program of harness/suite/element_map.hpp for each matrix.
#include "tools/cooprun/layouts.hpp"

#include <utility>

#include "coopc/coopc.hpp"
#include "harness/suite/element_map.hpp"
#include "harness/suite/session.hpp"
#include "tools/cooprun/report.hpp"

namespace coopc::cooprun {
namespace {

namespace suite = harness::suite;

constexpr uint32_t kTimeoutSeconds = 60;
constexpr const char* kPerElement = "cooperativeMatrixPerElementOperations";

harness::Result<layout::MeasuredMatrix> measure(suite::Session& session, const suite::MapProbe& probe) {
  const suite::Program program = suite::mapProgram(probe);
  coopc::Options compile;
  compile.targetEnv = TargetEnv::Vulkan1_3;
  const coopc::Result module = coopc::compile(program.source, "layouts.comp", compile);
  if (!module.ok) return harness::Error{module.messages};
  const suite::Execution execution = session.execute(program, module.words);
  std::string reasons;
  for (const std::string& reason : execution.reasons) reasons += (reasons.empty() ? "" : "; ") + reason;
  if (execution.kind != suite::Execution::Kind::Done) return harness::Error{reasons};
  if (!execution.strayWrites.empty()) return harness::Error{execution.strayWrites[0]};
  return suite::elementMap(probe, execution.buffers);
}

}  // namespace

MeasuredLayouts measureLayouts(const vk::Instance& instance, const vk::PhysicalDevice& device) {
  MeasuredLayouts result;
  result.device.device = device.name;
  result.device.driver = device.driverName + " " + device.driverInfo;
  const harness::Result<suite::TargetDevice> target = suite::readTarget(deviceAsJson(device));
  if (!target) {
    result.problems.push_back(target.error().message);
    return result;
  }
  suite::Session session(instance, device, kTimeoutSeconds, false);
  for (suite::MapProbe probe : suite::mapProbes(*target)) {
    harness::Result<layout::MeasuredMatrix> loaded = measure(session, probe);
    if (!loaded) {
      result.problems.push_back(loaded.error().message);
      continue;
    }
    loaded->verified = "cooprun --layouts (components of loaded matrices)";
    if (target->has(kPerElement)) {
      probe.perElement = true;
      const harness::Result<layout::MeasuredMatrix> computed = measure(session, probe);
      if (!computed) {
        result.problems.push_back("per-element operations: " + computed.error().message);
      } else if (computed->owners != loaded->owners) {
        result.problems.push_back(loaded->name() + ": per-element operations see other rows and columns");
      } else {
        loaded->verified =
            "cooprun --layouts (components of loaded matrices; rows and columns of per-element operations "
            "agree)";
      }
    }
    result.device.matrices.push_back(std::move(*loaded));
  }
  return result;
}

}  // namespace coopc::cooprun
