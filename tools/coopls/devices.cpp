// Code lenses and commands: what lowering does to a matrix shader's module for each shipped device, computed
// when a lens is shown; and the variants of a file.
#include <algorithm>

#include "coopc/lower.hpp"
#include "coopc/reflect.hpp"
#include "tools/coopls/server.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

// Whether a module has the features in which these devices differ: matrices, vectors and tensors of the
// extensions.
bool hasMatrices(std::span<const uint32_t> words) {
  const Reflection module = reflect(words);
  return std::ranges::any_of(module.capabilities, [](const ReflectedRequirement& r) {
    return r.name.starts_with("Cooperative") || r.name.starts_with("Tensor");
  });
}

void addName(std::string& names, std::string_view name, const std::string& more) {
  if (!names.empty()) names += ", ";
  names += name;
  if (!more.empty()) names += " (" + more + ")";
}

// The cost of a lowered module: "16 KiB shared, 24 components per invocation".
std::string costOf(const LowerResult& lowered) {
  std::string text;
  if (lowered.sharedBytes >= 1024)
    text = std::to_string(lowered.sharedBytes / 1024) + " KiB shared";
  else if (lowered.sharedBytes > 0)
    text = std::to_string(lowered.sharedBytes) + " bytes shared";
  if (lowered.components > 0)
    text += (text.empty() ? "" : ", ") + std::to_string(lowered.components) + " components per invocation";
  return text;
}

// Whether a module was declined because of a size that specialization constants may decide. Lowering then
// stops looking.
bool lacksSizes(const LowerResult& result) {
  return result.kind == Lowering::Declined && std::ranges::any_of(result.reasons, [](const std::string& why) {
           return why.find("is not known") != std::string::npos ||
                  why.find("specialization constant that has no value") != std::string::npos;
         });
}

}  // namespace

std::string Server::devices(const std::string& path, bool all) {
  const std::optional<Asked> asked = workspace_->ask(path);
  if (!asked || workspace_->moduleOf(*asked).empty()) return {};
  const std::vector<uint32_t>& words = workspace_->moduleOf(*asked);
  const bool specializes = !reflect(words).specConstants.empty();
  std::string native, lowered, declined, undecided, details;
  for (const ShippedProfile& profile : shippedProfiles()) {
    LowerOptions options;
    options.profile = profile.name;
    LowerResult result = lower(words, options);
    const bool again = specializes && result.kind == Lowering::Declined;
    if (again) {
      options.specDefaults = true;
      result = lower(words, options);
    }
    if (all) details += (details.empty() ? "" : "\n") + std::string(profile.name) + ": " + renderText(result);
    if (result.kind == Lowering::Native)
      addName(native, profile.name, {});
    else if (result.kind == Lowering::Lowered)
      addName(lowered, profile.name, costOf(result));
    else
      addName(again && lacksSizes(result) ? undecided : declined, profile.name, {});
  }
  if (all) return details;
  std::string title;
  const auto part = [&](const char* what, const std::string& names) {
    if (!names.empty()) title += (title.empty() ? "" : " | ") + std::string(what) + names;
  };
  part("runs on: ", native);
  part("lowered on: ", lowered);
  part("not on: ", declined);
  part("not decided: ", undecided);
  return title;
}

// The message if no device can be listed.
std::string Server::whyNoDevices(const std::string& path) {
  const std::optional<Asked> asked = workspace_->ask(path);
  if (!asked) return "The document is not open.";
  if (asked->query->result().ok) return "The shader has no cooperative matrices, vectors or tensors.";
  return "The shader does not compile.";
}

Json Server::lenses(const Place& place) {
  Json all = Json::array();
  const Query& query = *place.asked.query;
  if (place.asked.file != query.main()) return all;
  const std::string path = query.files()[query.main()];
  const auto lens = [&](const TextRange& at, const char* what) {
    all.push_back({{"range", range(query, at)}, {"data", {{"uri", uriOf(path)}, {"what", what}}}});
  };
  if (workspace_->variantsOf(path).size() > 1) lens({query.main(), 0, 0}, "variants");
  if (const std::vector<uint32_t>& words = workspace_->moduleOf(place.asked);
      !words.empty() && hasMatrices(words))
    for (const OutlineItem& item : query.outline(query.main()))
      if (item.info.kind == NameKind::Function && item.info.name == "main")
        lens(item.info.declaration, "devices");
  return all;
}

Json Server::resolveLens(const Json& lens) {
  Json answer = lens;
  const std::string uri = lens.at("data").at("uri"), what = lens.at("data").at("what");
  const std::string path = pathOf(uri);
  std::string title;
  if (what == "variants") {
    const std::vector<Variant>& variants = workspace_->variantsOf(path);
    const std::optional<size_t> chosen = workspace_->chosenOf(path);
    title = chosen && *chosen < variants.size()
                ? "variant: " + variants[*chosen].name
                : "diagnostics of all " + std::to_string(variants.size()) + " variants";
  } else {
    title = devices(path, false);
  }
  answer["command"] = {{"title", title},
                       {"command", what == "variants" ? "coopls.variants" : "coopls.devices"},
                       {"arguments", {uri}}};
  return answer;
}

Json Server::chooseVariant(const std::string& path, const Json& which) {
  std::optional<size_t> variant;
  const std::vector<Variant>& variants = workspace_->variantsOf(path);
  if (which.is_number_unsigned()) {
    variant = which.get<size_t>();
  } else if (which.is_string()) {
    const auto found = std::ranges::find_if(variants, [&](const Variant& v) { return v.name == which; });
    variant = static_cast<size_t>(found - variants.begin());
  }
  if (!workspace_->choose(path, variant)) throw Failed{"there is no such variant"};
  diagnostics_.demand();
  return variant ? Json(variants[*variant].name) : Json(nullptr);
}

// Executes the command of a code lens and shows its answer, because some clients ignore the answer. A client
// that requests the variants to choose from passes `false`.
Json Server::command(const Json& params) {
  const std::string name = params.at("command");
  const Json arguments = params.value("arguments", Json::array());
  const std::string path = pathOf(arguments.at(0).get<std::string>());
  if (name == "coopls.chooseVariant")
    return chooseVariant(path, arguments.size() > 1 ? arguments[1] : Json());
  std::string text;
  Json answer;
  bool shown = true;
  if (name == "coopls.devices") {
    text = devices(path, true);
    answer = text;
    if (text.empty()) text = whyNoDevices(path);
  } else if (name == "coopls.variants") {
    shown = arguments.size() < 2 || arguments[1] != false;
    answer = Json::array();
    for (const Variant& variant : workspace_->variantsOf(path)) {
      answer.push_back(variant.name);
      text += (text.empty() ? "" : "\n") + variant.name;
    }
    if (text.empty()) text = "The file is in no compile list (`compileList` in coopc.json).";
  } else {
    throw Failed{"there is no command " + name};
  }
  if (shown) client_.show(text, MessageType::Info);
  return answer;
}

}  // namespace coopc::ls
