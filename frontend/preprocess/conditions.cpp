// Conditional groups (GLSL 4.60, 3.3).
#include "frontend/language/keywords.hpp"
#include "frontend/preprocess/condition_expression.hpp"
#include "frontend/preprocess/engine.hpp"

namespace coopc::frontend::preprocessing {
void Engine::ifDirective(const Token& name, std::string_view word) {
  if (conditionals_.size() >= c_.options.limits.conditionalDepth) {
    c_.diagnostics.report(DiagKind::ConditionalsTooDeep, name.loc, {c_.options.limits.conditionalDepth});
    return;
  }
  bool active = false;
  if (word == "if") {
    active = ConditionExpression(c_, macros_, expander_).evaluate(word, name);
  } else {
    Token macro;
    lexPlain(macro);
    if (!isName(macro)) {
      c_.diagnostics.report(DiagKind::ConditionNameMissing, name.loc, {word});
    } else {
      active = (macros_.of(macro.name()) != kNone) == (word == "ifdef");
      if (c_.options.observer != nullptr) expander_.noteUse(macro);
      expectEnd(word);
    }
  }
  conditionals_.push_back({name.loc, word, active, false});
  if (!active) skipGroup();
}

// In an active group: the following groups are skipped.
void Engine::elseDirective(const Token& name, std::string_view word) {
  if (conditionals_.size() <= files_.outerConditionals()) {
    c_.diagnostics.report(DiagKind::ConditionWithoutIf, name.loc, {word});
    return;
  }
  Conditional& open = conditionals_.back();
  if (open.hadElse)
    c_.diagnostics.report(DiagKind::ConditionAfterElse, name.loc, {word})
        .note(open.loc, "the group starts here");
  if (word == "else") {
    open.hadElse = true;
    expectEnd(word);
  }
  skipGroup();
}

void Engine::endifDirective(const Token& name) {
  if (conditionals_.size() <= files_.outerConditionals()) {
    c_.diagnostics.report(DiagKind::ConditionWithoutIf, name.loc, {"endif"});
    return;
  }
  conditionals_.pop_back();
  expectEnd("endif");
}

// Skips to the #elif, #else or #endif that ends the inactive group of the innermost conditional. Called in a
// directive and returns in one.
void Engine::skipGroup() {
  if (c_.options.observer == nullptr) return skipTokens();
  const SourceLoc begin = reader().here();
  skipTokens();
  c_.options.observer->skip(begin, reader().here());
}

void Engine::skipTokens() {
  uint32_t depth = 0;
  reader().endDirective();
  while (reader().skipToDirective()) {
    reader().beginDirective();
    Token name;
    ++c_.diagnostics.suppress;
    lexPlain(name);
    // By 3.3 a directive has one sign. Shaders have `##else`, which the reference compiler takes for `#else`
    // in groups that are skipped (decision 69).
    bool signs = false;
    for (; name.kind == Tok::Hash || name.kind == Tok::HashHash; signs = true) lexPlain(name);
    --c_.diagnostics.suppress;
    const std::string_view word = isName(name) ? c_.names.text(name.name()) : std::string_view{};
    if (signs && (word.starts_with("if") || word.starts_with("el") || word == "endif"))
      c_.diagnostics.report(DiagKind::DirectiveSigns, name.loc, {word});
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      if (++depth + conditionals_.size() > c_.options.limits.conditionalDepth) {
        c_.diagnostics.report(DiagKind::ConditionalsTooDeep, name.loc, {c_.options.limits.conditionalDepth});
        return;
      }
    } else if (word == "endif") {
      if (depth == 0) {
        conditionals_.pop_back();
        expectEnd("endif");
        return;
      }
      --depth;
    } else if (depth == 0 && (word == "else" || word == "elif")) {
      Conditional& open = conditionals_.back();
      if (open.hadElse)
        c_.diagnostics.report(DiagKind::ConditionAfterElse, name.loc, {word})
            .note(open.loc, "the group starts here");
      bool active = false;
      if (word == "else") {
        open.hadElse = true;
        active = !open.taken;
        expectEnd(word);
      } else if (!open.taken && !open.hadElse) {
        active = ConditionExpression(c_, macros_, expander_).evaluate(word, name);
      }
      if (active) {
        conditionals_.back().taken = true;
        return;
      }
    }
    reader().endDirective();
    if (c_.isStopped()) break;
  }
  // The end of the file: reported there.
  reader().beginDirective();
}

}  // namespace coopc::frontend::preprocessing
