// Whether a device can run the module, by the validator's device-level rules, so that there is only one set
// of them.
#include "coopc/validate.hpp"
#include "reflect/reflector.hpp"

namespace coopc::reflecting {

void askDevice(std::span<const uint32_t> words, const ReflectOptions& options, Reflection& out) {
  if (options.profile.empty()) return;
  ValidateOptions validation;
  validation.profile = options.profile;
  validation.advice = false;
  validation.specializations = options.specializations;
  const ValidateResult result = validate(words, validation);
  ReflectedDevice& device = out.device;
  device.error = result.error;
  device.asked = result.error.empty();
  if (!device.asked) return;
  device.runs = result.readable && result.dropped == 0;
  for (const Finding& f : result.findings) {
    if (f.rule->level != RuleLevel::Device) continue;
    device.runs = device.runs && f.severity != FindingSeverity::Error;
    device.obstacles.push_back({std::string(f.rule->id), f.severity, f.message});
  }
}

}  // namespace coopc::reflecting
