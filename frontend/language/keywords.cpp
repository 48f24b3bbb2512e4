// The keyword table (GLSL 4.60, 3.6, and the extensions' additions), hashed at compile time.
#include "frontend/language/keywords.hpp"

#include <array>

#include "frontend/language/names.hpp"

namespace coopc::frontend {
namespace {

struct Keyword {
  std::string_view text;
  Tok kind;
  StageMask stages = kAnyStage;
};

constexpr Keyword kKeywords[] = {
    {"const", Tok::KwConst},
    {"uniform", Tok::KwUniform},
    {"buffer", Tok::KwBuffer},
    {"shared", Tok::KwShared},
    {"in", Tok::KwIn},
    {"out", Tok::KwOut},
    {"inout", Tok::KwInout},
    {"attribute", Tok::KwAttribute},
    {"varying", Tok::KwVarying},
    {"centroid", Tok::KwCentroid},
    {"flat", Tok::KwFlat},
    {"smooth", Tok::KwSmooth},
    {"noperspective", Tok::KwNoperspective},
    {"patch", Tok::KwPatch, kTessellation},
    {"sample", Tok::KwSample},
    {"invariant", Tok::KwInvariant},
    {"precise", Tok::KwPrecise},
    {"highp", Tok::KwHighp},
    {"mediump", Tok::KwMediump},
    {"lowp", Tok::KwLowp},
    {"precision", Tok::KwPrecision},
    {"layout", Tok::KwLayout},
    {"subroutine", Tok::KwSubroutine},
    {"coherent", Tok::KwCoherent},
    {"volatile", Tok::KwVolatile},
    {"restrict", Tok::KwRestrict},
    {"readonly", Tok::KwReadonly},
    {"writeonly", Tok::KwWriteonly},
    {"struct", Tok::KwStruct},
    {"void", Tok::KwVoid},
    {"true", Tok::KwTrue},
    {"false", Tok::KwFalse},
    {"if", Tok::KwIf},
    {"else", Tok::KwElse},
    {"switch", Tok::KwSwitch},
    {"case", Tok::KwCase},
    {"default", Tok::KwDefault},
    {"while", Tok::KwWhile},
    {"do", Tok::KwDo},
    {"for", Tok::KwFor},
    {"break", Tok::KwBreak},
    {"continue", Tok::KwContinue},
    {"return", Tok::KwReturn},
    {"discard", Tok::KwDiscard, kFragment},
// Keywords of extensions
#define KEYWORD(name, word, token, stages) {#word, Tok::token, stages},
#include "frontend/language/extensions.def"
    // Reserved for future use (3.6)
    {"common", Tok::KwReserved},
    {"partition", Tok::KwReserved},
    {"active", Tok::KwReserved},
    {"asm", Tok::KwReserved},
    {"class", Tok::KwReserved},
    {"union", Tok::KwReserved},
    {"enum", Tok::KwReserved},
    {"typedef", Tok::KwReserved},
    {"template", Tok::KwReserved},
    {"this", Tok::KwReserved},
    {"resource", Tok::KwReserved},
    {"goto", Tok::KwReserved},
    {"inline", Tok::KwReserved},
    {"noinline", Tok::KwReserved},
    {"public", Tok::KwReserved},
    {"static", Tok::KwReserved},
    {"extern", Tok::KwReserved},
    {"external", Tok::KwReserved},
    {"interface", Tok::KwReserved},
    {"long", Tok::KwReserved},
    {"short", Tok::KwReserved},
    {"half", Tok::KwReserved},
    {"fixed", Tok::KwReserved},
    {"unsigned", Tok::KwReserved},
    {"superp", Tok::KwReserved},
    {"input", Tok::KwReserved},
    {"output", Tok::KwReserved},
    {"hvec2", Tok::KwReserved},
    {"hvec3", Tok::KwReserved},
    {"hvec4", Tok::KwReserved},
    {"fvec2", Tok::KwReserved},
    {"fvec3", Tok::KwReserved},
    {"fvec4", Tok::KwReserved},
    {"filter", Tok::KwReserved},
    {"sizeof", Tok::KwReserved},
    {"cast", Tok::KwReserved},
    {"namespace", Tok::KwReserved},
    {"using", Tok::KwReserved},
    {"sampler3DRect", Tok::KwReserved},
};

constexpr size_t kKeywordSlots = 1024;
constexpr size_t kLongest = 23;
static_assert(std::size(kKeywords) * 3 < kKeywordSlots);

// Open addressing: slot -> index + 1 into kKeywords.
constexpr std::array<uint8_t, kKeywordSlots> makeKeywordSlots() {
  std::array<uint8_t, kKeywordSlots> slots{};
  static_assert(std::size(kKeywords) < 255);
  for (size_t i = 0; i < std::size(kKeywords); ++i) {
    if (kKeywords[i].text.size() > kLongest) throw "kLongest is too small";
    size_t at = hashName(kKeywords[i].text) % kKeywordSlots;
    while (slots[at] != 0) at = (at + 1) % kKeywordSlots;
    slots[at] = static_cast<uint8_t>(i + 1);
  }
  return slots;
}
constexpr std::array<uint8_t, kKeywordSlots> kTable = makeKeywordSlots();

}  // namespace

Tok findKeyword(std::string_view text, uint32_t hash) {
  if (text.size() > kLongest) return Tok::Identifier;
  for (size_t at = hash % kKeywordSlots; kTable[at] != 0; at = (at + 1) % kKeywordSlots) {
    const Keyword& keyword = kKeywords[kTable[at] - 1];
    if (keyword.text == text) return keyword.kind;
  }
  return Tok::Identifier;
}

StageMask keywordStages(Tok kind) {
  StageMask mask = kNoStage;
  for (const Keyword& keyword : kKeywords)
    if (keyword.kind == kind) mask |= keyword.stages;
  return mask;
}

std::string_view tokenSpelling(Tok kind) {
  switch (kind) {
    case Tok::LeftParen: return "(";
    case Tok::RightParen: return ")";
    case Tok::LeftBracket: return "[";
    case Tok::RightBracket: return "]";
    case Tok::LeftBrace: return "{";
    case Tok::RightBrace: return "}";
    case Tok::Dot: return ".";
    case Tok::Comma: return ",";
    case Tok::Colon: return ":";
    case Tok::Equal: return "=";
    case Tok::Semicolon: return ";";
    case Tok::Bang: return "!";
    case Tok::Dash: return "-";
    case Tok::Tilde: return "~";
    case Tok::Plus: return "+";
    case Tok::Star: return "*";
    case Tok::Slash: return "/";
    case Tok::Percent: return "%";
    case Tok::LeftAngle: return "<";
    case Tok::RightAngle: return ">";
    case Tok::VerticalBar: return "|";
    case Tok::Caret: return "^";
    case Tok::Ampersand: return "&";
    case Tok::Question: return "?";
    case Tok::LeftOp: return "<<";
    case Tok::RightOp: return ">>";
    case Tok::IncOp: return "++";
    case Tok::DecOp: return "--";
    case Tok::LessEqual: return "<=";
    case Tok::GreaterEqual: return ">=";
    case Tok::EqualEqual: return "==";
    case Tok::NotEqual: return "!=";
    case Tok::AndAnd: return "&&";
    case Tok::OrOr: return "||";
    case Tok::XorXor: return "^^";
    case Tok::MulAssign: return "*=";
    case Tok::DivAssign: return "/=";
    case Tok::AddAssign: return "+=";
    case Tok::SubAssign: return "-=";
    case Tok::ModAssign: return "%=";
    case Tok::LeftAssign: return "<<=";
    case Tok::RightAssign: return ">>=";
    case Tok::AndAssign: return "&=";
    case Tok::XorAssign: return "^=";
    case Tok::OrAssign: return "|=";
    case Tok::Hash: return "#";
    case Tok::HashHash: return "##";
    case Tok::Backslash: return "\\";
    case Tok::At: return "@";
    case Tok::Dollar: return "$";
    case Tok::Backtick: return "`";
    default: break;
  }
  if (kind >= Tok::KwFirst && kind < Tok::Count)
    for (const Keyword& keyword : kKeywords)
      if (keyword.kind == kind) return keyword.text;
  return "";
}

}  // namespace coopc::frontend
