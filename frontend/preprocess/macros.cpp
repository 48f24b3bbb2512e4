// Macro expansion: reading from runs of tokens, arguments, substitution, pasting.
#include <algorithm>
#include <utility>

#include "base/memory_budget.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/language/stages.hpp"
#include "frontend/preprocess/engine.hpp"

namespace coopc::frontend::preprocessing {
namespace {

// Nested arguments are expanded recursively; this bounds the depth of the stack.
constexpr uint32_t kMaxArgumentDepth = 200;
constexpr size_t kFirstChunk = 1024;

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

// ------------------------------------------------------------------------------------------------ predefined

uint32_t Engine::macroOf(NameId name) {
  const uint32_t macro = names_[name].macro;
  return macro == kMaybeMacro ? definePredefined(name) : macro;
}

// Defines a predefined macro if `name` is one. Called once for each name, because these macros are defined at
// their first use.
uint32_t Engine::definePredefined(NameId name) {
  const std::string_view text = names_.text(name);
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
    defined = es_;
  } else if (text == "GL_es_profile") {
    value = 1;
    defined = es_;
  } else if (text == "GL_core_profile") {
    value = 1;
    defined = !es_;
  } else if (text == "GL_FRAGMENT_PRECISION_HIGH") {
    value = 1;
  } else if (isStageMacro(text)) {
    value = 1;
    defined = text == stageInfo(options_.stage).macro && !mode_.anyStage;
    out_.stageDependent = true;
  } else {
    const ExtensionId id = findExtension(text);
    defined = false;
    if (id != kAllExtensions && !kAlwaysEnabled.has(id)) {
      const ExtensionInfo& info = extensionInfo(id);
      value = 1;
      const uint32_t minimum = es_ ? info.minEsVersion : info.minVersion;
      defined = minimum != 0 && minimum <= out_.version &&
                !(info.spirvAtDirective && options_.spirvVersion < info.minSpirv);
    }
    const std::span<const std::string_view> foreign = mode_.foreignExtensions;
    if (!defined && std::find(foreign.begin(), foreign.end(), text) != foreign.end()) {
      value = 1;
      defined = true;
      out_.stageDependent = true;
    }
  }
  if (!defined) {
    names_[name].macro = kNone;
    return kNone;
  }
  if (macro.kind == MacroKind::Object) {
    Token* body = bodies_.allocate(1);
    *body = Token{};
    body->kind = kRawNumber;
    const NameId number = names_.intern(std::to_string(value));
    body->payload = number.index();
    macro.body = body;
    macro.bodySize = 1;
  }
  const auto index = static_cast<uint32_t>(macros_.size());
  names_[name].macro = index;
  macros_.push_back(macro);
  return index;
}

// __LINE__, __FILE__ and __VERSION__ (3.3).
void Engine::defineBuiltinToken(const Macro& macro, Token& token) {
  std::string text;
  token.kind = kRawNumber;
  switch (macro.kind) {
    case MacroKind::Version: text = std::to_string(out_.version); break;
    case MacroKind::Line: text = std::to_string(sources_.resolve(token.loc).line); break;
    default:
      if (!allows(Feature::FileNames)) {
        text = hasLineName_ && lineNameIsNumber_ ? lineName_ : "0";
      } else {
        token.kind = Tok::StringLiteral;
        text = hasLineName_ ? lineName_ : std::string(sources_.name(files_.back().file));
      }
      break;
  }
  token.payload = names_.intern(text).index();
}

// ----------------------------------------------------------------------------------------------------- runs

bool Engine::charge(size_t tokens, SourceLoc loc) {
  macroTokens_ += tokens;
  if (macroTokens_ <= options_.limits.macroTokens) return true;
  diagnostics_.report(DiagKind::MacroExpansionTooLarge, loc, {options_.limits.macroTokens});
  return false;
}

void Engine::pushRun(const Token* first, size_t count, uint32_t macro, SourceLoc invoked, uint8_t flags) {
  if (runs_.size() >= options_.limits.macroDepth) {
    diagnostics_.report(DiagKind::MacroNestingTooDeep, invoked, {options_.limits.macroDepth});
    return;
  }
  if (macro != kNone) macros_[macro].active = true;
  runs_.push_back({first, first + count, macro, invoked, flags, false});
}

void Engine::popRun() {
  const TokenRun& top = runs_.back();
  if (top.macro != kNone) macros_[top.macro].active = false;
  runs_.pop_back();
  if (runs_.empty() && collecting_ == 0 && argumentDepth_ == 0) expanded_.clear();
}

bool Engine::readToken(Token& token) {
  for (;;) {
    if (isStopped()) break;
    if (runs_.empty()) {
      if (inDirective_) {
        reader().lex(token);
        return token.kind != Tok::End;
      }
      return readFileToken(token);
    }
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
      token.loc = sources_.addExpansion(token.loc, top.invoked, macros_[top.macro].name.index());
    return true;
  }
  token.kind = Tok::End;
  return false;
}

bool Engine::nextIsLeftParen() {
  while (!runs_.empty()) {
    const TokenRun& top = runs_.back();
    if (top.next != top.end) return top.next->kind == Tok::LeftParen;
    if (top.barrier) return false;
    // After its last token a macro is no longer active: `f` may get its `(` from what follows.
    popRun();
  }
  return reader().nextIsLeftParen();
}

bool Engine::expand(Token& token) {
  if (!isName(token) || (token.flags & kTokenNoExpand) != 0) return false;
  const uint32_t index = macroOf(token.name());
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
      if (options_.observer != nullptr) [[unlikely]]
        noteMacro(token);
      return expandFunction(index, token);
    case MacroKind::Object: break;
  }
  if (options_.observer != nullptr) [[unlikely]]
    noteMacro(token);
  if (!charge(macro.bodySize + 1, token.loc)) return true;
  if (macro.pastes) {
    substitute(index, token, {});
    return true;
  }
  if (macro.bodySize != 0) pushRun(macro.body, macro.bodySize, index, token.loc, token.flags);
  return true;
}

void Engine::noteMacro(const Token& name) {
  const uint32_t index = macroOf(name.name());
  options_.observer->useMacro(name.name(), name.loc, index == kNone ? SourceLoc() : macros_[index].loc);
}

// ------------------------------------------------------------------------------------------------- functions

bool Engine::expandFunction(uint32_t macro, const Token& name) {
  std::vector<size_t> bounds;
  const size_t mark = arguments_.size();
  if (collectArguments(macro, name, bounds)) substitute(macro, name, bounds);
  arguments_.resize(mark);
  return true;
}

// Reads `( ... )`. bounds: where each argument starts in arguments_, and the end. False after a report.
bool Engine::collectArguments(uint32_t macro, const Token& name, std::vector<size_t>& bounds) {
  ++collecting_;
  Token token;
  readToken(token);  // the parenthesis
  uint32_t depth = 0;
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
      const uint32_t other = names_[token.name()].macro;
      if (other < macros_.size() && macros_[other].active) token.flags |= kTokenNoExpand;
    }
    // New-lines between arguments are blanks.
    if ((token.flags & kTokenLineStart) != 0)
      token.flags = static_cast<uint8_t>((token.flags & ~kTokenLineStart) | kTokenSpaceBefore);
    arguments_.push_back(token);
    if (!charge(1, token.loc)) break;
  }
  --collecting_;
  if (isStopped()) return false;
  const std::string_view text = names_.text(macros_[macro].name);
  const SourceLoc defined = macros_[macro].loc;
  if (!closed) {
    diagnostics_.report(DiagKind::MacroUnterminated, name.loc, {text})
        .note(defined, "the macro is defined here");
    return false;
  }
  bounds.push_back(arguments_.size());
  const size_t expected = macros_[macro].parameterCount;
  size_t given = bounds.size() - 1;
  if (expected == 0 && given == 1 && bounds[0] == bounds[1]) given = 0;
  if (given != expected) {
    diagnostics_
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
bool Engine::expandArgument(size_t first, size_t last, std::vector<Token>& out) {
  const size_t count = last - first;
  if (count == 0) return true;
  // If the stack is small, the nesting limit is lower.
  if (const uint32_t most = std::min(kMaxArgumentDepth, options_.limits.nesting); argumentDepth_ >= most) {
    diagnostics_.report(DiagKind::MacroNestingTooDeep, arguments_[first].loc, {most});
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
  return !isStopped();
}

void Engine::substitute(uint32_t index, const Token& name, const std::vector<size_t>& bounds) {
  const Token* body = macros_[index].body;
  const uint32_t bodySize = macros_[index].bodySize;
  const NameId macroName = macros_[index].name;
  std::vector<Token> result;
  // The range of each parameter's expansion in `expansions`; first > second if not expanded yet.
  std::vector<Token> expansions;
  std::vector<std::pair<size_t, size_t>> ranges(macros_[index].parameterCount, {1, 0});
  bool pasting = false;    // the next token is the right side of `##`
  bool leftEmpty = false;  // and its left side is nothing
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
      token.loc = sources_.addExpansion(item.loc, name.loc, macroName.index());
      add(token, true);
    }
    // With nothing on one side of ##, the other side stays as it is.
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

std::string Engine::spelling(const Token& token) const {
  if (isName(token) || token.kind == kRawNumber || token.kind == kOtherChar)
    return std::string(names_.text(token.name()));
  if (token.kind == Tok::StringLiteral) {
    std::string text = "\"";
    for (char c : names_.text(token.name())) {
      switch (c) {
        case '\n': text += "\\n"; break;
        case '\t': text += "\\t"; break;
        case '\r': text += "\\r"; break;
        case '"': text += "\\\""; break;
        case '\\': text += "\\\\"; break;
        default:
          if (static_cast<unsigned char>(c) < 0x20) {
            text += '\\';
            for (int shift = 6; shift >= 0; shift -= 3) text += static_cast<char>('0' + ((c >> shift) & 7));
          } else {
            text += c;
          }
      }
    }
    return text + '"';
  }
  return std::string(tokenSpelling(token.kind));
}

Token Engine::paste(const Token& left, const Token& right, SourceLoc operatorLoc) {
  const std::string a = spelling(left);
  const std::string b = spelling(right);
  const std::string joined = a + b;
  Token token;
  ++diagnostics_.suppress;
  Lexer scratch(names_, diagnostics_, joined, 0);
  scratch.lex(token);
  --diagnostics_.suppress;
  if (!scratch.atEnd() || token.kind == Tok::End || token.kind == kOtherChar ||
      token.kind == Tok::StringLiteral) {
    diagnostics_.report(DiagKind::PasteInvalid, left.loc.inMacro() ? left.loc : operatorLoc, {a, b});
    return left;
  }
  token.loc = left.loc;
  token.flags = left.flags & (kTokenSpaceBefore | kTokenLineStart);
  return token;
}

}  // namespace coopc::frontend::preprocessing
