// The advice of include/coopc/lower.hpp over spirv/lower/advice: settings in, a ranked list and its texts
// out.
#include "spirv/lower/advice/advise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "api/lower/request.hpp"
#include "base/json.hpp"
#include "coopc/lower.hpp"
#include "spirv/reader.hpp"

namespace coopc {

namespace {

namespace spl = spirv::lower;
using spirv::SpecializationValue;

std::string format(const char* form, double value) {
  char text[48];
  std::snprintf(text, sizeof text, form, value);
  return text;
}

// A number with at most three digits after the point, so that texts do not depend on the last bits.
double roundToThousandths(double value) { return std::round(value * 1000) / 1000; }

std::string settingText(const AdviceResult& r, const AdvisedSetting& s) {
  std::string text;
  for (const Specialization& v : s.values) {
    const auto name =
        std::find_if(r.names.begin(), r.names.end(), [&](const auto& n) { return n.first == v.id; });
    text += (text.empty() ? "" : " ") + (name != r.names.end() ? name->second : std::to_string(v.id)) + "=" +
            std::to_string(v.value);
  }
  return text.empty() ? "as it is" : text;
}

}  // namespace

AdviceResult advise(std::span<const uint32_t> words, const AdviceOptions& options) {
  AdviceResult result;
  spl::AdviceRequest request;
  result.error = requestOf(options.lower, request.lower);
  if (!result.error.empty()) return result;
  for (const std::vector<Specialization>& setting : options.settings) {
    request.settings.emplace_back();
    for (const Specialization& s : setting) request.settings.back().push_back({s.id, s.value});
  }
  spl::Advice advice = spl::advise(words, request);
  result.processor = advice.processor;
  result.unit = advice.unit;
  result.names = std::move(advice.names);
  for (spl::AdvisedSetting& from : advice.settings) {
    AdvisedSetting& to = result.settings.emplace_back();
    for (const SpecializationValue& v : from.values) to.values.push_back({v.specId, v.value});
    to.kind = Lowering(int(from.kind));
    to.reason = std::move(from.reason);
    to.invocations = from.invocations;
    to.subgroupSize = from.subgroupSize;
    to.sharedBytes = from.sharedBytes;
    to.registers = from.registers;
    to.spills = from.spills;
    to.waves = from.waves;
    to.wavesByRegisters = from.wavesByRegisters;
    to.wavesByShared = from.wavesByShared;
    to.wavesBySubgroups = from.wavesBySubgroups;
    to.products = from.products;
    to.cycles = from.cycles;
    to.driverFigure = from.driverFigure;
    to.busyMatrix = from.busyMatrix;
    to.busyArithmetic = from.busyArithmetic;
    to.busyShared = from.busyShared;
    to.busyGlobal = from.busyGlobal;
    to.why = std::move(from.why);
  }
  return result;
}

AdviceResult adviseBytes(std::span<const unsigned char> bytes, const AdviceOptions& options) {
  spirv::ReadError error;
  if (const auto words = spirv::wordsFromBytes(bytes, error)) return advise(*words, options);
  AdviceResult result;
  result.settings.emplace_back().reason = describe(error);
  return result;
}

std::string renderText(const AdviceResult& r) {
  if (!r.error.empty()) return r.error + "\n";
  // For a module that could not be read, the only entry is the reason.
  if (r.processor.empty()) return r.settings.empty() ? std::string() : r.settings.front().reason + "\n";
  std::string text = "estimated for " + r.processor + ", the best first; cycles of a " + r.unit +
                     " for 4096 multiply-adds\n\n"
                     "  cycles  registers  spills  subgroups  shared  setting\n";
  for (const AdvisedSetting& s : r.settings) {
    if (s.kind == Lowering::Declined) {
      text += "declined: " + settingText(r, s) + "\n    " + s.reason + "\n";
      continue;
    }
    char line[128];
    std::snprintf(line, sizeof line, "%8s %10u %7u %10s %7u  ",
                  s.cycles == 0 ? "-" : format("%.1f", s.cycles).c_str(), s.registers, s.spills,
                  format("%.3g", s.waves).c_str(), s.sharedBytes);
    text += line + settingText(r, s) + "\n";
    for (const std::string& why : s.why) text += "    " + why + "\n";
  }
  return text;
}

std::string renderJson(const AdviceResult& r) {
  using Json = json::Value;
  constexpr const char* kKinds[] = {"native", "lowered", "declined"};
  Json all{{"processor", r.processor}, {"unit", r.unit}};
  if (!r.error.empty()) all["error"] = r.error;
  all["settings"] = Json::array();
  for (const AdvisedSetting& s : r.settings) {
    Json values = Json::array();
    for (const Specialization& v : s.values) {
      Json value{{"specId", v.id}, {"value", v.value}};
      for (const auto& [id, name] : r.names) {
        if (id == v.id) value["name"] = name;
      }
      values.push_back(std::move(value));
    }
    Json setting{{"values", std::move(values)}, {"result", kKinds[int(s.kind)]}};
    if (s.kind == Lowering::Declined) {
      setting["reason"] = s.reason;
    } else {
      setting["invocations"] = s.invocations;
      setting["subgroupSize"] = s.subgroupSize;
      setting["sharedBytes"] = s.sharedBytes;
      setting["registers"] = s.registers;
      setting["spills"] = s.spills;
      setting["subgroups"] = roundToThousandths(s.waves);
      setting["subgroupsByRegisters"] = roundToThousandths(s.wavesByRegisters);
      setting["subgroupsByShared"] = roundToThousandths(s.wavesByShared);
      setting["subgroupsAtMost"] = roundToThousandths(s.wavesBySubgroups);
      setting["products"] = roundToThousandths(s.products);
      setting["cycles"] = roundToThousandths(s.cycles);
      setting["driverFigure"] = roundToThousandths(s.driverFigure * 4096);
      setting["busy"] = Json{{"matrix", roundToThousandths(s.busyMatrix)},
                             {"arithmetic", roundToThousandths(s.busyArithmetic)},
                             {"shared", roundToThousandths(s.busyShared)},
                             {"global", roundToThousandths(s.busyGlobal)}};
      setting["why"] = s.why;
    }
    all["settings"].push_back(std::move(setting));
  }
  return all.dump() + "\n";
}

}  // namespace coopc
