// Macro expansion: reading from runs of tokens, arguments, substitution, pasting.
#include "frontend/preprocess/expander.hpp"

#include <algorithm>
#include <utility>

#include "frontend/language/keywords.hpp"
#include "frontend/preprocess/engine.hpp"

namespace coopc::frontend::preprocessing {
namespace {

// Nested arguments are expanded recursively; this bounds the depth of the stack.
constexpr uint32_t kMaxArgumentDepth = 200;

}  // namespace

// __LINE__, __FILE__ and __VERSION__ (3.3).
void Expander::defineBuiltinToken(const Macro& macro, Token& token) {
  std::string text;
  token.kind = kRawNumber;
  switch (macro.kind) {
    case MacroKind::Version: text = std::to_string(c_.out.version); break;
    case MacroKind::Line: text = std::to_string(c_.sources.resolve(token.loc).line); break;
    default:
      if (!c_.allows(Feature::FileNames)) {
        text = line_.isSet && line_.isNumber ? line_.name : "0";
      } else {
        token.kind = Tok::StringLiteral;
        text = line_.isSet ? line_.name : std::string(c_.sources.name(engine_.file()));
      }
      break;
  }
  token.payload = c_.names.intern(text).index();
}

// ----------------------------------------------------------------------------------------------------- runs

bool Expander::charge(size_t tokens, SourceLoc loc) {
  macroTokens_ += tokens;
  if (macroTokens_ <= c_.options.limits.macroTokens) return true;
  c_.diagnostics.report(DiagKind::MacroExpansionTooLarge, loc, {c_.options.limits.macroTokens});
  return false;
}

void Expander::pushRun(const Token* first, size_t count, uint32_t macro, SourceLoc invoked, uint8_t flags) {
  if (runs_.size() >= c_.options.limits.macroDepth) {
    c_.diagnostics.report(DiagKind::MacroNestingTooDeep, invoked, {c_.options.limits.macroDepth});
    return;
  }
  if (macro != kNone) macros_[macro].active = true;
  runs_.push_back({first, first + count, macro, invoked, flags, false});
}

void Expander::popRun() {
  const TokenRun& top = runs_.back();
  if (top.macro != kNone) macros_[top.macro].active = false;
  runs_.pop_back();
  if (runs_.empty() && collecting_ == 0 && argumentDepth_ == 0) expanded_.clear();
}

void Expander::leaveRuns() {
  while (!runs_.empty()) popRun();
}

bool Expander::readToken(Token& token) {
  for (;;) {
    if (c_.isStopped()) break;
    if (runs_.empty()) return engine_.readFileToken(token);
    TokenRun& top = runs_.back();
    if (top.next == top.end) {
      if (top.barrier) break;
      popRun();
      continue;
    }
    token = *top.next++;
    if (top.firstFlags != 0xff) {
      // The first token takes the place of the macro's name.
      constexpr uint8_t kWhere = kTokenSpaceBefore | kTokenLineStart;
      token.flags = static_cast<uint8_t>((token.flags & ~kWhere) | (top.firstFlags & kWhere));
      top.firstFlags = 0xff;
    }
    if (top.invoked.valid())
      token.loc = c_.sources.addExpansion(token.loc, top.invoked, macros_[top.macro].name.index());
    return true;
  }
  token.kind = Tok::End;
  return false;
}

bool Expander::nextIsLeftParen() {
  while (!runs_.empty()) {
    const TokenRun& top = runs_.back();
    if (top.next != top.end) return top.next->kind == Tok::LeftParen;
    if (top.barrier) return false;
    // A macro whose tokens are all read is no longer active: the `(` of `f` may come from the text after it.
    popRun();
  }
  return engine_.reader().nextIsLeftParen();
}

bool Expander::expand(Token& token) {
  if (!isName(token) || (token.flags & kTokenNoExpand) != 0) return false;
  const uint32_t index = macros_.of(token.name());
  if (index == kNone) return false;
  Macro& macro = macros_[index];
  if (macro.active) {
    token.flags |= kTokenNoExpand;
    return false;
  }
  switch (macro.kind) {
    case MacroKind::Line:
    case MacroKind::File:
    case MacroKind::Version: defineBuiltinToken(macro, token); return false;
    case MacroKind::Function:
      if (!nextIsLeftParen()) return false;
      if (c_.options.observer != nullptr) [[unlikely]]
        noteUse(token);
      return expandFunction(index, token);
    case MacroKind::Object: break;
  }
  if (c_.options.observer != nullptr) [[unlikely]]
    noteUse(token);
  if (!charge(macro.bodySize + 1, token.loc)) return true;
  if (macro.pastes) {
    substitute(index, token, {});
    return true;
  }
  if (macro.bodySize != 0) pushRun(macro.body, macro.bodySize, index, token.loc, token.flags);
  return true;
}

void Expander::noteUse(const Token& name) {
  const uint32_t index = macros_.of(name.name());
  c_.options.observer->useMacro(name.name(), name.loc, index == kNone ? SourceLoc() : macros_[index].loc);
}

// ------------------------------------------------------------------------------------------------- functions

bool Expander::expandFunction(uint32_t macro, const Token& name) {
  std::vector<size_t> bounds;
  const size_t mark = arguments_.size();
  if (collectArguments(macro, name, bounds)) substitute(macro, name, bounds);
  arguments_.resize(mark);
  return true;
}

// Reads `( ... )`. bounds: where each argument starts in arguments_, and the end. False after a report.
bool Expander::collectArguments(uint32_t macro, const Token& name, std::vector<size_t>& bounds) {
  ++collecting_;
  Token token;
  readToken(token);  // the parenthesis
  uint32_t depth = 0;
  bounds.reserve(macros_[macro].parameterCount + 1);
  bounds.push_back(arguments_.size());
  bool closed = false;
  while (readToken(token)) {
    if (token.kind == Tok::LeftParen) {
      ++depth;
    } else if (token.kind == Tok::RightParen) {
      if (depth == 0) {
        closed = true;
        break;
      }
      --depth;
    } else if (token.kind == Tok::Comma && depth == 0) {
      bounds.push_back(arguments_.size());
      continue;
    } else if (isName(token)) {
      if (macros_.isActive(c_.names[token.name()].macro)) token.flags |= kTokenNoExpand;
    }
    // New-lines between arguments are blanks.
    if ((token.flags & kTokenLineStart) != 0)
      token.flags = static_cast<uint8_t>((token.flags & ~kTokenLineStart) | kTokenSpaceBefore);
    arguments_.push_back(token);
    if (!charge(1, token.loc)) break;
  }
  --collecting_;
  if (c_.isStopped()) return false;
  const std::string_view text = c_.names.text(macros_[macro].name);
  const SourceLoc defined = macros_[macro].loc;
  if (!closed) {
    c_.diagnostics.report(DiagKind::MacroUnterminated, name.loc, {text})
        .note(defined, "the macro is defined here");
    return false;
  }
  bounds.push_back(arguments_.size());
  const size_t expected = macros_[macro].parameterCount;
  size_t given = bounds.size() - 1;
  if (expected == 0 && given == 1 && bounds[0] == bounds[1]) given = 0;
  if (given != expected) {
    c_.diagnostics
        .report(
            DiagKind::MacroArgumentCount, name.loc,
            {text, std::to_string(expected) + (expected == 1 ? " argument" : " arguments"), uint64_t{given}})
        .note(defined, "the macro is defined here");
    return false;
  }
  return true;
}

// Expands tokens first .. last of arguments_ on their own, as if they were the rest of the file
// ([cpp.subst]).
bool Expander::expandArgument(size_t first, size_t last, std::vector<Token>& out) {
  const size_t count = last - first;
  if (count == 0) return true;
  // If the stack is small, the nesting limit is lower.
  if (const uint32_t most = std::min(kMaxArgumentDepth, c_.options.limits.nesting); argumentDepth_ >= most) {
    c_.diagnostics.report(DiagKind::MacroNestingTooDeep, arguments_[first].loc, {most});
    return false;
  }
  Token* copy = expanded_.allocate(count);
  std::copy_n(arguments_.data() + first, count, copy);
  ++argumentDepth_;
  const size_t depth = runs_.size();
  pushRun(copy, count, kNone, {}, 0xff);
  if (runs_.size() > depth) {
    runs_.back().barrier = true;
    Token token;
    while (readToken(token)) {
      if (expand(token)) continue;
      out.push_back(token);
      if (!charge(1, token.loc)) break;
    }
    while (runs_.size() > depth) popRun();
  }
  --argumentDepth_;
  return !c_.isStopped();
}

// Room is reserved for arguments of at most this length: nested calls with long ones would take several times
// the memory that they need.
constexpr size_t kUsualArgumentTokens = 64;

void Expander::substitute(uint32_t index, const Token& name, const std::vector<size_t>& bounds) {
  const Token* body = macros_[index].body;
  const uint32_t bodySize = macros_[index].bodySize;
  const NameId macroName = macros_[index].name;
  const size_t argumentTokens =
      bounds.empty() ? 0 : std::min<size_t>(bounds.back() - bounds.front(), kUsualArgumentTokens);
  std::vector<Token> result;
  result.reserve(bodySize + argumentTokens);
  // The range of each parameter's expansion in `expansions`; first > second if not expanded yet.
  std::vector<Token> expansions;
  expansions.reserve(argumentTokens);
  std::vector<std::pair<size_t, size_t>> ranges(macros_[index].parameterCount, {1, 0});
  bool pasting = false;    // the next token is the right side of `##`
  bool leftEmpty = false;  // the left side of that `##` is empty
  for (uint32_t i = 0; i < bodySize; ++i) {
    const Token& item = body[i];
    const bool pasteNext = (item.flags & kPasteNext) != 0;
    size_t added = 0;
    auto add = [&](Token token, bool first) {
      if (first) {
        constexpr uint8_t kWhere = kTokenSpaceBefore | kTokenLineStart;
        token.flags = static_cast<uint8_t>((token.flags & ~kWhere) | (item.flags & kTokenSpaceBefore));
        if (pasting && !leftEmpty && !result.empty()) {
          result.back() = paste(result.back(), token, item.loc);
          ++added;
          return;
        }
      }
      result.push_back(token);
      ++added;
    };
    if (item.kind == kParameter) {
      const size_t p = item.payload;
      if (pasting || pasteNext) {
        // Operands of ## are not expanded.
        for (size_t k = bounds[p]; k < bounds[p + 1]; ++k) add(arguments_[k], k == bounds[p]);
      } else {
        if (ranges[p].first > ranges[p].second) {
          const size_t from = expansions.size();
          if (!expandArgument(bounds[p], bounds[p + 1], expansions)) return;
          ranges[p] = {from, expansions.size()};
        }
        for (size_t k = ranges[p].first; k < ranges[p].second; ++k) add(expansions[k], k == ranges[p].first);
      }
    } else {
      Token token = item;
      token.flags &= kTokenSpaceBefore;
      token.loc = c_.sources.addExpansion(item.loc, name.loc, macroName.index());
      add(token, true);
    }
    // If one side of ## is empty, the other side stays as it is.
    if (pasteNext) leftEmpty = added == 0 && (!pasting || leftEmpty);
    pasting = pasteNext;
    if (!charge(added, name.loc)) return;
  }
  Token* tokens = expanded_.allocate(result.size());
  std::copy(result.begin(), result.end(), tokens);
  if (result.empty()) return;
  tokens[0].flags = static_cast<uint8_t>((tokens[0].flags & kTokenNoExpand) |
                                         (name.flags & (kTokenSpaceBefore | kTokenLineStart)));
  pushRun(tokens, result.size(), index, {}, 0xff);
}

// --------------------------------------------------------------------------------------------------- pasting

Token Expander::paste(const Token& left, const Token& right, SourceLoc operatorLoc) {
  const std::string a = c_.spelling(left);
  const std::string b = c_.spelling(right);
  const std::string joined = a + b;
  Token token;
  ++c_.diagnostics.suppress;
  Lexer scratch(c_.names, c_.diagnostics, joined, 0);
  scratch.lex(token);
  --c_.diagnostics.suppress;
  if (!scratch.atEnd() || token.kind == Tok::End || token.kind == kOtherChar ||
      token.kind == Tok::StringLiteral) {
    c_.diagnostics.report(DiagKind::PasteInvalid, left.loc.inMacro() ? left.loc : operatorLoc, {a, b});
    return left;
  }
  token.loc = left.loc;
  token.flags = left.flags & (kTokenSpaceBefore | kTokenLineStart);
  return token;
}

}  // namespace coopc::frontend::preprocessing
