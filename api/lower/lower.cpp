// include/coopc/lower.hpp over spirv/lower: converts profiles to targets, and results to texts.
#include "coopc/lower.hpp"

#include <algorithm>
#include <array>

#include "api/lower/request.hpp"
#include "base/json.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/lower.hpp"
#include "spirv/reader.hpp"
#include "spirv/targets/read_target.hpp"

namespace coopc {

std::string requestOf(const LowerOptions& options, spirv::lower::LowerRequest& request) {
  std::string error = spirv::lower::readTarget(options.profile, request.target);
  if (error.empty()) error = spirv::lower::removeFeatures(request.target, options.without);
  for (const Specialization& s : options.specializations) request.values.push_back({s.id, s.value});
  request.specDefaults = options.specDefaults;
  request.subgroupSize = options.subgroupSize;
  request.tensorDescriptions = options.tensorDescriptions;
  request.optimize = options.optimize;
  request.keepDebug = options.keepDebug;
  return error;
}

namespace {

namespace spl = spirv::lower;

static_assert(int(Lowering::Native) == int(spl::LowerAnswer::Kind::Native) &&
              int(Lowering::Lowered) == int(spl::LowerAnswer::Kind::Lowered) &&
              int(Lowering::Declined) == int(spl::LowerAnswer::Kind::Declined));

std::vector<std::pair<std::string, std::string>> facts(const LowerResult& r) {
  std::vector<std::pair<std::string, std::string>> lines;
  if (r.kind != Lowering::Lowered) return lines;
  if (r.subgroupSize != 0)
    lines.push_back({"required subgroup size", std::to_string(r.subgroupSize) + ", full subgroups"});
  lines.push_back({"shared memory added", std::to_string(r.sharedBytes) + " bytes"});
  lines.push_back(
      {"matrices", std::to_string(r.components) + " 32-bit components per invocation, one of each type"});
  std::string frozen;
  for (const Specialization& s : r.frozen)
    frozen += (frozen.empty() ? "" : ", ") + std::to_string(s.id) + "=" + std::to_string(s.value);
  if (!frozen.empty()) lines.push_back({"frozen SpecIds", frozen});
  for (const LoweredTensor& t : r.tensors)
    lines.push_back({"tensor at set " + std::to_string(t.set) + ", binding " + std::to_string(t.binding),
                     "described at binding " + std::to_string(t.description)});
  return lines;
}

// SpecIds of the options that the module does not have: most likely a mistake.
std::vector<uint32_t> unknownSpecIds(std::span<const uint32_t> words, const LowerOptions& options) {
  std::vector<uint32_t> unknown;
  if (options.specializations.empty()) return unknown;
  spirv::ReadError error;
  const std::optional<spirv::Module> read = spirv::readModule(words, error);
  if (!read) return unknown;
  const spirv::Module& module = *read;
  std::vector<uint32_t> known;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const auto decorate = spirv::as<spirv::op::Decorate>(module, module.instructions[n]);
    if (decorate && decorate.decoration() == spv::Decoration::SpecId && !decorate.parameters().empty())
      known.push_back(decorate.parameters()[0]);
  }
  for (const Specialization& s : options.specializations) {
    const auto lacks = [&](const std::vector<uint32_t>& ids) {
      return std::find(ids.begin(), ids.end(), s.id) == ids.end();
    };
    if (lacks(known) && lacks(unknown)) unknown.push_back(s.id);
  }
  return unknown;
}

constexpr const char* kKinds[] = {"native", "lowered", "declined"};
static_assert(std::size(kKinds) == size_t(Lowering::Declined) + 1);

}  // namespace

LowerResult lower(std::span<const uint32_t> words, const LowerOptions& options) {
  LowerResult result;
  spl::LowerRequest request;
  result.error = requestOf(options, request);
  if (!result.error.empty()) return result;
  result.unknownSpecIds = unknownSpecIds(words, options);
  spl::LowerAnswer answer = spl::lower(words, request);
  result.kind = Lowering(int(answer.kind));
  result.words = std::move(answer.words);
  result.reasons = std::move(answer.reasons);
  result.lacking = std::move(answer.lacking);
  for (spl::Report::Rewrite& r : answer.rewrites)
    result.rewrites.push_back({std::move(r.what), std::move(r.into)});
  result.notes = std::move(answer.notes);
  result.scalarShare = answer.scalarShare;
  for (const spirv::SpecializationValue& v : answer.frozen) result.frozen.push_back({v.specId, v.value});
  for (const spl::TensorBuffer& t : answer.tensors)
    result.tensors.push_back({t.set, t.binding, t.description, t.rank});
  result.subgroupSize = answer.subgroupSize;
  result.sharedBytes = answer.sharedBytes;
  result.components = answer.components;
  return result;
}

LowerResult lowerBytes(std::span<const unsigned char> bytes, const LowerOptions& options) {
  spirv::ReadError error;
  if (const auto words = spirv::wordsFromBytes(bytes, error)) return lower(*words, options);
  LowerResult result;
  result.reasons.push_back(describe(error));
  return result;
}

bool isLoweringProfile(std::string_view name) { return spl::isTargetName(name); }

std::span<const LoweringTarget> loweringTargets() {
  static constexpr auto kTargets = [] {
    std::array<LoweringTarget, spl::kNamedTargets.size()> targets{};
    for (size_t n = 0; n < targets.size(); ++n)
      targets[n] = {spl::kNamedTargets[n].name, spl::kNamedTargets[n].what};
    return targets;
  }();
  return kTargets;
}

std::string renderText(const LowerResult& r) {
  if (!r.error.empty()) return r.error + "\n";
  std::string text = std::string(kKinds[int(r.kind)]) + "\n";
  for (const std::string& line : r.reasons) text += "  because " + line + "\n";
  if (r.kind == Lowering::Lowered) {
    for (const std::string& line : r.lacking) text += "  lacking: " + line + "\n";
  }
  for (const auto& [what, into] : r.rewrites) text += "  " + what + "\n    -> " + into + "\n";
  for (const auto& [what, value] : facts(r)) text += "  " + what + ": " + value + "\n";
  for (const std::string& line : r.notes) text += "  note: " + line + "\n";
  return text;
}

std::string renderJson(const LowerResult& r) {
  using Json = json::Value;
  Json json{{"result", kKinds[int(r.kind)]}, {"reasons", r.reasons}, {"lacking", r.lacking}};
  if (!r.error.empty()) json["error"] = r.error;
  json["rewrites"] = Json::array();
  for (const auto& [what, into] : r.rewrites)
    json["rewrites"].push_back(Json{{"what", what}, {"into", into}});
  json["notes"] = r.notes;
  json["scalarShare"] = r.scalarShare;
  json["frozen"] = Json::array();
  for (const Specialization& s : r.frozen)
    json["frozen"].push_back(Json{{"specId", s.id}, {"value", s.value}});
  json["tensors"] = Json::array();
  for (const LoweredTensor& t : r.tensors)
    json["tensors"].push_back(
        Json{{"set", t.set}, {"binding", t.binding}, {"description", t.description}, {"rank", t.rank}});
  json["subgroupSize"] = r.subgroupSize;
  json["sharedBytes"] = r.sharedBytes;
  json["componentsPerInvocation"] = r.components;
  return json.dump() + "\n";
}

}  // namespace coopc
