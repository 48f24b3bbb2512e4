// The meaning of keywords, layout qualifiers, directives, extensions and built-in variables. Their texts are
// tables (word_texts.def, extension_texts.def, variable_texts.def). Formats of images are described from
// their names.
#include <algorithm>

#include "api/query/query.hpp"
#include "base/spirv_version.hpp"
#include "frontend/base/characters.hpp"
#include "frontend/check/qualifiers.hpp"
#include "frontend/language/keywords.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

using fe::Tok;

struct WordText {
  std::string_view word, text;
};
constexpr WordText kKeywordTexts[] = {
#define KEYWORD_TEXT(word, text) {word, text},
#include "api/query/word_texts.def"
};
constexpr WordText kLayoutTexts[] = {
#define LAYOUT_TEXT(word, text) {word, text},
#include "api/query/word_texts.def"
};
constexpr WordText kDirectiveTexts[] = {
#define DIRECTIVE_TEXT(word, text) {word, text},
#include "api/query/word_texts.def"
};
constexpr WordText kVariableTexts[] = {
#define VARIABLE_TEXT(name, text) {name, text},
#include "api/query/variable_texts.def"
};
constexpr WordText kExtensionTexts[] = {
#define EXTENSION_TEXT(name, text) {#name, text},
#include "api/query/extension_texts.def"
};

template <size_t Count>
std::string_view textOf(const WordText (&texts)[Count], std::string_view word) {
  const auto found = std::find_if(std::begin(texts), std::end(texts),
                                  [&](const WordText& entry) { return entry.word == word; });
  return found == std::end(texts) ? std::string_view() : found->text;
}

// 4.4.7: `rgba16f` has four components of floats of 16 bits, `rg8` two that are numbers in [0, 1].
std::string formatText(std::string_view format) {
  if (format == "r11f_g11f_b10f")
    return "Images of three floats, of 11, 11 and 10 bits without a sign (4.4.7).";
  const bool packed = format.starts_with("rgb10_a2");
  std::string_view kind = format;
  constexpr std::string_view kChannels = "rgba";
  size_t channels = 0;
  while (channels < kind.size() && channels < 4 && kind[channels] == kChannels[channels]) ++channels;
  kind.remove_prefix(packed ? 8 : channels);
  size_t digits = 0;
  while (digits < kind.size() && fe::isDigitChar(kind[digits])) ++digits;
  const std::string bits(kind.substr(0, digits));
  kind.remove_prefix(digits);
  constexpr std::string_view kCounts[] = {"", "one component", "two components", "three components",
                                          "four components"};
  std::string text = "Images of ";
  text += packed ? "four components of 10, 10, 10 and 2 bits"
                 : std::string(kCounts[channels]) + " of " + bits + " bits";
  text += kind == "f"        ? ": floats"
          : kind == "i"      ? ": integers"
          : kind == "ui"     ? ": unsigned integers"
          : kind == "_snorm" ? ": numbers in [-1, 1]"
                             : ": numbers in [0, 1]";
  return text + " (4.4.7).";
}

NameInfo made(NameKind kind, std::string_view word, std::string signature, std::string text) {
  NameInfo info;
  info.kind = kind;
  info.name = word;
  info.signature = std::move(signature);
  info.documentation = std::move(text);
  return info;
}

}  // namespace

std::optional<NameInfo> describeKeyword(std::string_view word, Tok keyword) {
  const std::string_view about = textOf(kKeywordTexts, word);
  if (about.empty()) return std::nullopt;
  std::string text(about);
  const fe::KeywordGate gate = fe::keywordGate(keyword);
  if (gate.gated && gate.extension != fe::kAllExtensions)
    text = std::string(fe::extensionName(gate.extension)) + ": " + text;
  return made(NameKind::Keyword, word, std::string(word), std::move(text));
}

std::optional<NameInfo> describeLayoutQualifier(std::string_view word, bool anyCase) {
  const fe::LayoutName* const entry = fe::findLayoutName(word, anyCase);
  if (entry == nullptr) return std::nullopt;
  std::string text(textOf(kLayoutTexts, entry->name));
  if (text.empty() && entry->id == fe::LayoutId::Format) text = formatText(entry->name);
  const std::string value = entry->takesValue ? " = N" : "";
  return made(NameKind::LayoutQualifier, entry->name, "layout(" + std::string(entry->name) + value + ")",
              std::move(text));
}

std::optional<NameInfo> describeDirective(std::string_view word) {
  const std::string_view text = textOf(kDirectiveTexts, word);
  if (text.empty()) return std::nullopt;
  return made(NameKind::Directive, word, "#" + std::string(word), std::string(text));
}

std::optional<NameInfo> describeExtension(std::string_view word) {
  const fe::ExtensionId id = fe::findExtension(word);
  if (id == fe::kAllExtensions) return std::nullopt;
  const fe::ExtensionInfo& needs = fe::extensionInfo(id);
  std::string text(textOf(kExtensionTexts, word)), versions;
  if (needs.minVersion != 0) versions = "#version " + std::to_string(needs.minVersion);
  if (needs.minEsVersion != 0)
    versions += (versions.empty() ? "#version " : " or ") + std::to_string(needs.minEsVersion) + " es";
  if (!versions.empty()) text += "\n\nFrom " + versions;
  if (needs.minSpirv != 0) text += ", SPIR-V " + spirvVersionText(needs.minSpirv);
  std::string implied;
  needs.implies.forEach([&](fe::ExtensionId other) {
    implied += (implied.empty() ? "" : ", ") + std::string(fe::extensionName(other));
  });
  if (!implied.empty()) text += "\n\nAlso enables " + implied;
  return made(NameKind::Extension, word, "#extension " + std::string(word) + " : require", std::move(text));
}

std::optional<NameInfo> Query::Impl::describeWord(fe::FileId file, uint32_t offset) const {
  const FileTokens& list = tokens(file);
  size_t i = list.before(offset);
  if (i >= list.tokens.size()) return std::nullopt;
  if (list.tokens[i].kind == Tok::Hash && i + 1 < list.tokens.size()) ++i;  // on the `#` itself
  if (!fe::isName(list.tokens[i]) && i > 0 && list.end(i - 1) == offset) --i;
  const fe::Token& token = list.tokens[i];
  if (!fe::isName(token) || offset > list.end(i)) return std::nullopt;
  const std::string_view word = nameText(token.name());
  const Tok before = i > 0 ? list.tokens[i - 1].kind : Tok::End;
  if (before == Tok::Hash) return describeDirective(word);
  if (i > 1 && list.tokens[i - 2].kind == Tok::Hash && before == Tok::Identifier &&
      nameText(list.tokens[i - 1].name()) == "extension")
    return describeExtension(word);
  if (before == Tok::Dot) {
    if (word != "length") return std::nullopt;
    NameInfo info = made(NameKind::BuiltinFunction, word, "int length()",
                         "The number of an array's elements, a vector's components, a matrix's columns or a "
                         "cooperative matrix's components of this invocation (4.1.9).");
    info.type = "int";
    return info;
  }
  if (isInLayout(list, i)) return describeLayoutQualifier(word, source.profile != fe::Profile::Es);
  return describeKeyword(word, token.kind);
}

bool Query::Impl::isInLayout(const FileTokens& list, size_t token) {
  uint32_t depth = 0;
  for (size_t i = token; i-- > 0;) {
    switch (list.tokens[i].kind) {
      case Tok::Semicolon:
      case Tok::LeftBrace:
      case Tok::RightBrace: return false;
      case Tok::RightParen: ++depth; break;
      case Tok::LeftParen:
        if (depth-- == 0) return i > 0 && list.tokens[i - 1].kind == Tok::KwLayout;
        break;
      default: break;
    }
  }
  return false;
}

std::string_view builtinVariableText(std::string_view name) {
  // `gl_LaunchIDEXT` and `gl_LaunchIDNV` have one text.
  std::string_view text = textOf(kVariableTexts, name);
  for (std::string_view vendor : {"EXT", "NV", "ARB", "AMD", "ARM", "QCOM"})
    if (text.empty() && name.ends_with(vendor))
      text = textOf(kVariableTexts, name.substr(0, name.size() - vendor.size()));
  return text;
}

std::optional<NameInfo> Query::Impl::describeOfferedWord(std::string_view word) const {
  if (word.starts_with("GL_")) return describeExtension(word);
  const Tok keyword = session->names[session->names.intern(word)].keyword;
  if (keyword != Tok::Identifier)
    if (std::optional<NameInfo> info = describeKeyword(word, keyword)) return info;
  if (std::optional<NameInfo> info = describeLayoutQualifier(word, false)) return info;
  return describeDirective(word);
}

}  // namespace coopc
