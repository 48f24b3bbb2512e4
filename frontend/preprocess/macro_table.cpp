// The macros of a preprocessing, and the predefined ones, which are defined at their first use.
#include "frontend/preprocess/macro_table.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "base/memory_budget.hpp"
#include "frontend/language/stages.hpp"

namespace coopc::frontend::preprocessing {
namespace {

constexpr size_t kFirstChunk = 128;

bool isStageMacro(std::string_view name) {
  for (unsigned i = 0; i < kStageCount; ++i)
    if (stageInfo(static_cast<Stage>(i)).macro == name) return true;
  return false;
}

}  // namespace

Token* TokenArena::allocate(size_t count) {
  while (chunk_ < chunks_.size() && chunks_[chunk_].size - used_ < count) {
    ++chunk_;
    used_ = 0;
  }
  if (chunk_ == chunks_.size()) {
    const size_t last = chunks_.empty() ? kFirstChunk / 2 : chunks_.back().size;
    const size_t size = std::max(count, std::min<size_t>(last * 2, size_t{1} << 18));
    MemoryBudget::take(size * sizeof(Token));
    chunks_.push_back({std::unique_ptr<Token[]>(new Token[size]), size});
    used_ = 0;
  }
  Token* tokens = chunks_[chunk_].tokens.get() + used_;
  used_ += count;
  return tokens;
}

void TokenArena::clear() {
  chunk_ = 0;
  used_ = 0;
}

void MacroTable::define(const Macro& macro) {
  c_.names[macro.name].macro = static_cast<uint32_t>(macros_.size());
  macros_.push_back(macro);
}

// ------------------------------------------------------------------------------------------------ predefined

uint32_t MacroTable::of(NameId name) {
  const uint32_t macro = c_.names[name].macro;
  return macro == kMaybeMacro ? definePredefined(name) : macro;
}

// Defines a predefined macro if `name` is one. Called once for each name, because these macros are defined at
// their first use.
uint32_t MacroTable::definePredefined(NameId name) {
  const std::string_view text = c_.names.text(name);
  Macro macro;
  macro.name = name;
  uint32_t value = 0;
  bool defined = true;
  if (text == "__LINE__") {
    macro.kind = MacroKind::Line;
  } else if (text == "__FILE__") {
    macro.kind = MacroKind::File;
  } else if (text == "__VERSION__") {
    macro.kind = MacroKind::Version;
  } else if (text == "VULKAN") {
    value = 100;
  } else if (text == "GL_ES") {
    value = 1;
    defined = c_.es;
  } else if (text == "GL_es_profile") {
    value = 1;
    defined = c_.es;
  } else if (text == "GL_core_profile") {
    value = 1;
    defined = !c_.es;
  } else if (text == "GL_FRAGMENT_PRECISION_HIGH") {
    value = 1;
  } else if (isStageMacro(text)) {
    value = 1;
    defined = text == stageInfo(c_.options.stage).macro && !c_.mode.anyStage;
    c_.out.stageDependent = true;
  } else {
    const ExtensionId id = findExtension(text);
    defined = false;
    if (id != kAllExtensions && !kAlwaysEnabled.has(id)) {
      const ExtensionInfo& info = extensionInfo(id);
      value = 1;
      const uint32_t minimum = c_.es ? info.minEsVersion : info.minVersion;
      defined = minimum != 0 && minimum <= c_.out.version &&
                !(info.spirvAtDirective && c_.options.spirvVersion < info.minSpirv);
    }
    const std::span<const std::string_view> foreign = c_.mode.foreignExtensions;
    if (!defined && std::find(foreign.begin(), foreign.end(), text) != foreign.end()) {
      value = 1;
      defined = true;
      c_.out.stageDependent = true;
    }
  }
  if (!defined) {
    c_.names[name].macro = kNone;
    return kNone;
  }
  if (macro.kind == MacroKind::Object) {
    Token* body = bodies_.allocate(1);
    *body = Token{};
    body->kind = kRawNumber;
    const NameId number = c_.names.intern(std::to_string(value));
    body->payload = number.index();
    macro.body = body;
    macro.bodySize = 1;
  }
  const auto index = static_cast<uint32_t>(macros_.size());
  c_.names[name].macro = index;
  macros_.push_back(macro);
  return index;
}

// [cpp.replace]: the same parameters and tokens, with blanks at the same places.
bool isSameMacro(const Macro& a, const Macro& b) {
  if (a.kind != b.kind || a.parameterCount != b.parameterCount || a.bodySize != b.bodySize) return false;
  for (uint32_t i = 0; i < a.parameterCount; ++i)
    if (a.parameters[i].payload != b.parameters[i].payload) return false;
  for (uint32_t i = 0; i < a.bodySize; ++i) {
    const Token& x = a.body[i];
    const Token& y = b.body[i];
    if (x.kind != y.kind || x.payload != y.payload || x.flags != y.flags) return false;
  }
  return true;
}

}  // namespace coopc::frontend::preprocessing
