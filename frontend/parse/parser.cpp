// Error recovery and the translation unit.
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

bool GlslParser::accept(Tok kind) {
  if (tok.kind != kind || panic) return false;
  advance();
  return true;
}

// The end of a token. Unlike afterPrevious(), this is not a place for messages: the next token may be in
// another file, after the last declaration of a header, or come from a macro.
static SourceLoc endOf(const Token* token, const SourceManager& sources) {
  if (token == nullptr) return {};
  const SourceLoc at = sources.fileLoc(token->loc);
  return token->loc.inMacro() ? at : SourceLoc{at.raw + token->length};
}

void GlslParser::expected(std::string_view what, SourceLoc loc, SourceLoc opened) {
  if (panic) return;
  if (tok.kind == Tok::KwReserved) {
    syntaxError(DiagKind::ReservedKeyword);
    return;
  }
  panic = true;
  if (isAfterLostToken() || wasReportedHere()) return;
  brackets.reportSyntax([&] {
    DiagBuilder report =
        c.report(DiagKind::ExpectedToken, loc.valid() ? loc : tok.loc, {what, tokenText(tok)});
    if (opened.valid()) report.note(opened, "it is opened here");
    if (const std::string_view note = habitNote(what); !note.empty()) report.note(tok.loc, std::string(note));
  });
}

void GlslParser::syntaxError(DiagKindOf<DiagArgKind::Text> kind) {
  if (panic) return;
  panic = true;
  earlyEnd = kind.number == DiagNumber::ExpectedDeclaration && !isAfterLostToken() && isAfterEarlyEnd();
  if (tok.kind == Tok::KwReserved) {
    brackets.reportSyntax([&] {
      const std::string_view name = c.names.text(tok.name());
      DiagBuilder report = c.report(DiagKind::ReservedKeyword, tok.loc, {name});
      if (!isUsedAsName() && isForeignName(name)) suggestFor(c, report, tok.loc, name, NamePlace::Type);
    });
  } else if (tok.kind == Tok::KwSubroutine || tok.kind == Tok::KwAttribute || tok.kind == Tok::KwVarying) {
    brackets.reportSyntax([&] { c.report(DiagKind::RemovedKeyword, tok.loc, {tokenSpelling(tok.kind)}); });
  } else if (!isAfterLostToken() && !wasReportedHere()) {
    brackets.reportSyntax([&] {
      DiagBuilder report = c.report(kind, tok.loc, {tokenText(tok)});
      const bool expression = kind.number == DiagNumber::ExpectedExpression;
      if (const std::string_view note = habitNote(expression ? "an expression" : ""); !note.empty())
        report.note(tok.loc, std::string(note));
      if (!expression && at(Tok::Identifier) && isForeignName(c.names.text(nameOf(tok))))
        suggestFor(c, report, tok.loc, c.names.text(nameOf(tok)), NamePlace::Type);
    });
  }
}

// Whether a syntax error that stays was reported at this token already: another one would follow from it. If
// not, remembers the token, because the caller is about to report one.
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
  // Words that their statements consume first, so that recovery makes progress. `else` and labels are not
  // among them, because they may belong to skipped text.
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
    c.options.observer->closeScope(at(Tok::RightBrace) ? tok.loc : afterPrevious());
}

// translation_unit : external_declaration | translation_unit external_declaration
void GlslParser::run() {
  lostPlaces = c.diagnostics.lostPlaces();
  std::sort(lostPlaces.begin(), lostPlaces.end());
  brackets.count();
  // The names of a missing file are not declared; most errors in the text follow from that.
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
