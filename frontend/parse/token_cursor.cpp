// The token stream with its events, and questions about the tokens around the current one.
#include "frontend/parse/token_cursor.hpp"

#include <algorithm>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/target.hpp"
#include "frontend/language/keywords.hpp"
#include "frontend/parse/parser.hpp"

namespace coopc::frontend {

// The first desktop version in which a qualifier is a keyword: 0 for those of all versions.
static uint32_t firstVersion(Tok keyword) {
  switch (keyword) {
    case Tok::KwPatch:
    case Tok::KwPrecise:
    case Tok::KwSample:
    case Tok::KwSubroutine: return 400;
    case Tok::KwCoherent:
    case Tok::KwReadonly:
    case Tok::KwRestrict:
    case Tok::KwWriteonly: return 420;
    case Tok::KwBuffer: return 430;
    default: return 0;
  }
}

// Whether the token after a qualifier can belong to the same declaration.
static bool continuesDeclaration(Tok next) {
  return next == Tok::Identifier || next == Tok::TypeName || next >= Tok::KwFirst;
}

// Whether a word that a later version has is a name in this one: `vec4 sample = ...;` in `#version 330` (GLSL
// 4.60, 3.3: the text is written for that version). GLSL for Vulkan has the qualifiers in all versions, so a
// word is one where another word of a declaration follows.
static bool isNameInVersion(const Checker& c, const Token& t, Tok before, Tok next) {
  // `layout(std430) buffer;` has the defaults of all blocks (4.4.5).
  if (t.kind == Tok::KwBuffer && before == Tok::RightParen && next == Tok::Semicolon) return false;
  if (t.kind == Tok::KwReserved) return c.version < 420 && c.names.text(t.name()) == "resource";
  return firstVersion(t.kind) > c.version && !continuesDeclaration(next);
}

Tok TokenCursor::classify(uint32_t at) const {
  const Token& t = source.tokens[at];
  if (t.kind >= Tok::KwFirst) {
    if (c.version < 430 && !c.es) {
      uint32_t next = at + 1;
      while (source.tokens[next].kind == Tok::ExtensionEvent || source.tokens[next].kind == Tok::PragmaEvent)
        ++next;
      const Tok before = at != 0 ? source.tokens[at - 1].kind : Tok::End;
      if (isNameInVersion(c, t, before, source.tokens[next].kind)) return Tok::Identifier;
    }
    if (takenAsNames[static_cast<size_t>(t.kind)] && !continuesDeclaration(source.tokens[at + 1].kind))
      return Tok::Identifier;
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
  if (event.extension == kAllExtensions || event.extension == ExtensionId::GL_KHR_cooperative_matrix)
    c.matrixDisabled = event.behavior == ExtensionBehavior::Disable;
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

void TokenCursor::handleEvent(const Token& t) {
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
  // 3.3: unrecognized pragmas are ignored.
}

void TokenCursor::start() {
  pos = 0;
  tok = source.tokens.empty() ? Token{} : source.tokens[0];
  if (dependsOnPlace(tok.kind)) readByPlace();
}

void TokenCursor::advance() {
  if (tok.kind == Tok::End) return;
  tok = source.tokens[++pos];
  if (dependsOnPlace(tok.kind)) readByPlace();
}

void TokenCursor::readByPlace() {
  while (tok.kind == Tok::ExtensionEvent || tok.kind == Tok::PragmaEvent) {
    handleEvent(tok);
    tok = source.tokens[++pos];
  }
  tok.kind = classify(pos);
}

const Token& TokenCursor::peekToken(uint32_t n) const {
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

Tok TokenCursor::peek(uint32_t n) const {
  const Token& t = peekToken(n);
  return t.kind == Tok::End ? Tok::End : classify(static_cast<uint32_t>(&t - source.tokens.data()));
}

std::string TokenCursor::tokenText(const Token& t) const {
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
SourceLoc TokenCursor::afterPrevious() const {
  const Token* previous = previousToken();
  if (previous == nullptr) return tok.loc;
  const SourceManager& sources = c.diagnostics.sources();
  if (previous->loc.inMacro() || tok.loc.inMacro() ||
      sources.resolve(previous->loc).file != sources.resolve(tok.loc).file)
    return tok.loc;
  return {previous->loc.raw + previous->length};
}

bool TokenCursor::isAfterLostToken() const {
  if (lostPlaces.empty()) return false;
  const SourceManager& sources = c.diagnostics.sources();
  const uint32_t end = sources.fileLoc(tok.loc).raw;
  uint32_t begin = 0;
  if (const Token* previous = previousToken()) begin = std::min(end, sources.fileLoc(previous->loc).raw + 1);
  const auto found = std::lower_bound(lostPlaces.begin(), lostPlaces.end(), begin);
  return found != lostPlaces.end() && *found <= end;
}

// Goes back to a token; extensions that are enabled in between are enabled twice.
void TokenCursor::goTo(uint32_t index) {
  pos = index;
  tok = source.tokens[pos];
  tok.kind = classify(pos);
}

void TokenCursor::skipToken() {
  if (at(Tok::Identifier)) c.skipName(nameOf(tok));
  advance();
}

const Token* TokenCursor::previousToken() const {
  for (uint32_t i = pos; i > 0; --i) {
    const Token& previous = source.tokens[i - 1];
    if (previous.kind != Tok::ExtensionEvent && previous.kind != Tok::PragmaEvent) return &previous;
  }
  return nullptr;
}

bool TokenCursor::onLaterLine() const {
  const Token* previous = previousToken();
  return previous == nullptr || isOnLaterLine(*previous, tok);
}

bool TokenCursor::isOnLaterLine(const Token& first, const Token& second) const {
  const SourceManager& sources = c.diagnostics.sources();
  const ResolvedLoc before = sources.resolve(sources.fileLoc(first.loc));
  const ResolvedLoc here = sources.resolve(sources.fileLoc(second.loc));
  return before.file != here.file || before.line < here.line;
}

}  // namespace coopc::frontend
