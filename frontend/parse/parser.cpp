// The token stream with its events, error recovery, and the translation unit.
#include "frontend/parse/parser.hpp"

#include <algorithm>
#include <iterator>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/suggest.hpp"
#include "frontend/check/target.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/parse/parse.hpp"
#include "frontend/parse/program_memory.hpp"

namespace coopc::frontend {
std::string_view keywordExtension(Tok keyword) {
  const ExtensionId extension = keywordGate(keyword).extension;
  return extension == kAllExtensions ? std::string_view{} : extensionName(extension);
}

Tok GlslParser::classify(const Token& t) const {
  if (t.kind >= Tok::KwFirst) {
    const KeywordGate gate = keywordGate(t.kind);
    return gate.gated && !(gate.extension != kAllExtensions && c.has(gate.extension)) ? Tok::Identifier
                                                                                      : t.kind;
  }
  if (t.kind == Tok::TypeName) {
    const uint16_t index = c.names[t.name()].builtinType;
    return index != 0 && builtinTypeAvailable(c, builtinTypeName(static_cast<uint16_t>(index - 1)))
               ? Tok::TypeName
               : Tok::Identifier;
  }
  return t.kind;
}

void applyExtension(Checker& c, const ExtensionEvent& event) {
  if (event.extension != kAllExtensions) {
    const bool on = event.behavior != ExtensionBehavior::Disable;
    c.enabled.set(event.extension, on);
    c.warnOn.set(event.extension, event.behavior == ExtensionBehavior::Warn);
    if (!on) return;
    c.program.extensionsSeen.set(event.extension);
    c.enabled.add(extensionInfo(event.extension).implies);
    return;
  }
  c.enabled = kAlwaysEnabled;
  c.warnOn = {};
  if (event.behavior == ExtensionBehavior::Disable) return;
  // `all : warn` only causes warnings about uses (3.3); it names no extension, so none is added to the
  // module's list.
  c.warnOn = extensionsOf(c.es, c.version, c.options.spirvVersion);
  c.enabled.add(c.warnOn);
}

void GlslParser::handleEvent(const Token& t) {
  if (t.kind == Tok::ExtensionEvent) {
    applyExtension(c, source.extensions[t.payload]);
    return;
  }
  const PragmaEvent& event = source.pragmas[t.payload];
  const std::string_view text = event.text;
  if (text == "use_vulkan_memory_model")
    useVulkanMemoryModel(c, "#pragma use_vulkan_memory_model", t.loc);
  else if (text == "use_storage_buffer")
    c.program.useStorageBuffer = true;
  else if (text == "use_variable_pointers")
    c.program.useVariablePointers = true;
  else if (text == "shader_64bit_indexing")
    c.program.use64BitIndexing = true;
  else if (text == "promote_uint32_indices")
    c.program.promoteUintIndices = true;
  else if (text == kInvariantPragma)
    c.program.invariantOutputs = true;
  // 3.3: unrecognised ones are ignored.
}

void GlslParser::start() {
  pos = 0;
  tok = source.tokens.empty() ? Token{} : source.tokens[0];
  while (tok.kind == Tok::ExtensionEvent || tok.kind == Tok::PragmaEvent) {
    handleEvent(tok);
    tok = source.tokens[++pos];
  }
  tok.kind = classify(tok);
}

void GlslParser::advance() {
  if (tok.kind == Tok::End) return;
  tok = source.tokens[++pos];
  while (tok.kind == Tok::ExtensionEvent || tok.kind == Tok::PragmaEvent) {
    handleEvent(tok);
    tok = source.tokens[++pos];
  }
  tok.kind = classify(tok);
}

const Token& GlslParser::peekToken(uint32_t n) const {
  if (tok.kind == Tok::End) return tok;
  uint32_t i = pos;
  while (n > 0 && i + 1 < source.tokens.size()) {
    ++i;
    const Tok kind = source.tokens[i].kind;
    if (kind == Tok::End) break;
    if (kind != Tok::ExtensionEvent && kind != Tok::PragmaEvent) --n;
  }
  return source.tokens[i];
}

Tok GlslParser::peek(uint32_t n) const {
  const Token& t = peekToken(n);
  return t.kind == Tok::End ? Tok::End : classify(t);
}

bool GlslParser::accept(Tok kind) {
  if (tok.kind != kind || panic) return false;
  advance();
  return true;
}

std::string GlslParser::tokenText(const Token& t) const {
  if (isNumberLiteral(t.kind)) return "a number";
  switch (t.kind) {
    case Tok::End: return "the end of the text";
    case Tok::Identifier:
    case Tok::TypeName:
    case Tok::KwReserved: return "`" + std::string(c.names.text(t.name())) + "`";
    case Tok::StringLiteral: return "a string";
    default: return "`" + std::string(tokenSpelling(t.kind)) + "`";
  }
}

// If the previous token came from a macro or another file, only the current one can be shown.
SourceLoc GlslParser::behindPrevious() const {
  const Token* previous = previousToken();
  if (previous == nullptr) return tok.loc;
  const SourceManager& sources = c.diagnostics.sources();
  if (previous->loc.inMacro() || tok.loc.inMacro() ||
      sources.resolve(previous->loc).file != sources.resolve(tok.loc).file)
    return tok.loc;
  return {previous->loc.raw + previous->length};
}

// The end of a token. Unlike behindPrevious() this is not a place for messages: what follows may be in
// another file, after the last declaration of a header, or come from a macro.
static SourceLoc endOf(const Token* token, const SourceManager& sources) {
  if (token == nullptr) return {};
  const SourceLoc at = sources.fileLoc(token->loc);
  return token->loc.inMacro() ? at : SourceLoc{at.raw + token->length};
}

bool GlslParser::isBehindLostToken() const {
  if (lostPlaces.empty()) return false;
  const SourceManager& sources = c.diagnostics.sources();
  const uint32_t end = sources.fileLoc(tok.loc).raw;
  uint32_t begin = end;
  if (const Token* previous = previousToken()) begin = std::min(end, sources.fileLoc(previous->loc).raw + 1);
  const auto found = std::lower_bound(lostPlaces.begin(), lostPlaces.end(), begin);
  return found != lostPlaces.end() && *found <= end;
}

void GlslParser::expected(std::string_view what, SourceLoc loc, SourceLoc opened) {
  if (panic) return;
  if (tok.kind == Tok::KwReserved) {
    syntaxError(DiagKind::ReservedKeyword);
    return;
  }
  panic = true;
  if (isBehindLostToken() || wasReportedHere()) return;
  brackets.reportSyntax([&] {
    DiagBuilder report =
        c.report(DiagKind::ExpectedToken, loc.valid() ? loc : tok.loc, {what, tokenText(tok)});
    if (opened.valid()) report.note(opened, "it is opened here");
  });
}

void GlslParser::syntaxError(DiagKindOf<DiagArgKind::Text> kind) {
  if (panic) return;
  panic = true;
  earlyEnd = kind.number == DiagNumber::ExpectedDeclaration && !isBehindLostToken() && isBehindEarlyEnd();
  if (tok.kind == Tok::KwReserved) {
    brackets.reportSyntax([&] {
      const std::string_view name = c.names.text(tok.name());
      DiagBuilder report = c.report(DiagKind::ReservedKeyword, tok.loc, {name});
      if (isHlslName(name)) suggestFor(c, report, tok.loc, name);
    });
  } else if (tok.kind == Tok::KwSubroutine || tok.kind == Tok::KwAttribute || tok.kind == Tok::KwVarying) {
    brackets.reportSyntax([&] { c.report(DiagKind::RemovedKeyword, tok.loc, {tokenSpelling(tok.kind)}); });
  } else if (!isBehindLostToken() && !wasReportedHere()) {
    brackets.reportSyntax([&] { c.report(kind, tok.loc, {tokenText(tok)}); });
  }
}

// Whether an error of syntax that stays was reported at this token: another one would follow from it.
// Otherwise the next one is the first.
bool GlslParser::wasReportedHere() {
  if (pos == reportedAt) return true;
  if (!brackets.isInDoubt() && c.diagnostics.suppress == 0) reportedAt = pos;
  return false;
}

bool GlslParser::expect(Tok kind, std::string_view before, SourceLoc opened) {
  if (panic) return false;
  if (tok.kind == kind) {
    advance();
    return true;
  }
  std::string what =
      kind == Tok::Identifier ? std::string("a name") : "`" + std::string(tokenSpelling(kind)) + "`";
  if (!before.empty()) what += " before " + std::string(before);
  expected(what, {}, opened);
  return false;
}

void GlslParser::closeAngle() {
  if (panic) return;
  if (tok.kind == Tok::RightOp) {
    // `>>` closes two lists: the current token becomes its second half, the position stays.
    tok.kind = Tok::RightAngle;
    tok.length = 1;
    return;
  }
  expect(Tok::RightAngle, "the end of the type parameters");
}

void GlslParser::recover(bool statements) {
  if (unwinding) return;
  brackets.endDoubt();
  // Words whose statements read them first, so that recovery makes progress; `else` and labels belong to what
  // may have been skipped.
  const auto atStatement = [&] {
    return at(Tok::KwFor) || at(Tok::KwIf) || at(Tok::KwSwitch) || at(Tok::KwDo) || at(Tok::KwReturn);
  };
  uint32_t depth = 0;
  while (!atEnd()) {
    if (statements && depth == 0 && atStatement()) break;
    if (at(Tok::Semicolon) && depth == 0) {
      advance();
      break;
    }
    if (at(Tok::LeftBrace) && !(depth == 0 && isLeftBraceTooMany())) ++depth;
    if (at(Tok::RightBrace)) {
      if (depth == 0) break;  // the enclosing block's
      if (--depth == 0) {
        advance();
        // `} name;` and `} name[4];` of a struct or block are skipped as well.
        if (at(Tok::Identifier) && peek() == Tok::LeftBracket && c.scopes.depth() == 0) continue;
        if (at(Tok::Identifier) && peek() == Tok::Semicolon) skipToken();
        if (at(Tok::Semicolon)) advance();
        break;
      }
    }
    skipToken();
  }
  panic = false;
}

// Goes back to a token; extensions that are enabled in between are enabled twice.
void GlslParser::goTo(uint32_t index) {
  pos = index;
  tok = source.tokens[pos];
  tok.kind = classify(tok);
}

void GlslParser::fatalStop() {
  panic = true;
  pos = static_cast<uint32_t>(source.tokens.size() - 1);
  tok = source.tokens[pos];
}

bool GlslParser::nestingError() {
  c.report(DiagKind::NestingLimit, tok.loc, {c.options.limits.nesting});
  fatalStop();
  return false;
}

void GlslParser::pushScope() {
  c.scopes.push();
  precisionMarks.push_back({c.defaultInt, c.defaultFloat, static_cast<uint32_t>(opaquePrecisions.size())});
  if (c.options.observer != nullptr) [[unlikely]]
    c.options.observer->openScope(tok.loc);
}

void GlslParser::popScope() {
  c.scopes.pop();
  c.defaultInt = precisionMarks.back().defaultInt;
  c.defaultFloat = precisionMarks.back().defaultFloat;
  opaquePrecisions.resize(precisionMarks.back().opaque);
  precisionMarks.pop_back();
  if (c.options.observer != nullptr) [[unlikely]]
    c.options.observer->closeScope(at(Tok::RightBrace) ? tok.loc : behindPrevious());
}

void GlslParser::skipToken() {
  if (at(Tok::Identifier)) c.skipName(nameOf(tok));
  advance();
}

// translation_unit : external_declaration | translation_unit external_declaration
void GlslParser::run() {
  lostPlaces = c.diagnostics.lostPlaces();
  std::sort(lostPlaces.begin(), lostPlaces.end());
  brackets.count();
  // The names of a missing file are not declared; most of what is wrong with the text follows from that.
  if (source.includeMissing) ++c.diagnostics.suppress;
  start();
  while (!atEnd() && !c.diagnostics.fatal()) {
    measureProgram(c.program);
    const SourceLoc begin = tok.loc;
    beginConstruct();
    parseExternalDeclaration();
    if (unwinding) {
      unwinding = panic = false;
    } else if (panic && earlyEnd) {
      skipRestOfFunction();
    } else if (panic) {
      recover();
      // At global scope, a `}` has no matching brace.
      if (at(Tok::RightBrace)) {
        advance();
        accept(Tok::Semicolon);
      }
    }
    if (c.options.observer != nullptr) [[unlikely]]
      c.options.observer->external(begin, endOf(previousToken(), c.diagnostics.sources()));
  }
  brackets.endDoubt();
}

void parseProgram(const CompileOptions& options, const PreprocessedSource& source, Diagnostics& diagnostics,
                  Names& names, Program& program) {
  Checker c(options, diagnostics, names, program);
  c.version = program.version = source.version;
  c.es = program.es = source.profile == Profile::Es;
  program.hlslOffsets = options.hlslOffsets;
  const StageInfo& stage = stageInfo(options.stage);
  program.stage = options.stage;
  if (options.stage == Stage::Fragment)
    program.entry = FragmentEntry{};
  else if (contains(kTessellation | kGeometry, options.stage))
    program.entry = PrimitiveEntry{};
  else if (options.stage == Stage::Mesh)
    program.entry = MeshEntry{};
  else if (!stage.has(kHasWorkgroup))
    program.entry = PlainEntry{};
  if (c.es) {
    // ESSL 4.7.4: the predeclared statements of the stage.
    const bool fragment = options.stage == Stage::Fragment;
    c.defaultInt = fragment ? Precision::Medium : Precision::High;
    c.defaultFloat = fragment ? Precision::None : Precision::High;
  }
  if (source.tokens.empty()) return;
  GlslParser parser(source, c);
  if (options.observer != nullptr) options.observer->here = &parser.tok.loc;
  parser.run();
  program.extensionsEnabled = c.enabled;
  if (options.observer != nullptr) options.observer->here = nullptr;
  if (!diagnostics.fatal()) finishProgram(c);
}

}  // namespace coopc::frontend
