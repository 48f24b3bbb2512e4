// Text and JSON of diagnostics.
#include "frontend/base/render.hpp"

#include <algorithm>

#include "base/counted_text.hpp"

namespace coopc::frontend {
namespace {

constexpr uint32_t kLineWidth = 160;  // the largest number of bytes shown of a source line
constexpr uint32_t kMaxMacroNotes = 6;
constexpr size_t kFixed = 256;  // more bytes than a line has besides those of the source

std::string_view severityText(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
    case Severity::Fatal: return "fatal error";
  }
  return "";
}

bool isWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool isContinuationByte(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

// The length in bytes of the well-formed UTF-8 sequence that starts here; 0 if there is none.
size_t utf8Length(std::string_view text, size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  size_t length = c < 0x80                ? 1
                  : c >= 0xc2 && c < 0xe0 ? 2
                  : (c & 0xf0) == 0xe0    ? 3
                  : c >= 0xf0 && c < 0xf5 ? 4
                                          : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if (!isContinuationByte(text[at + i])) return 0;
  if (length > 1) {
    const auto d = static_cast<unsigned char>(text[at + 1]);
    if ((c == 0xe0 && d < 0xa0) || (c == 0xed && d >= 0xa0) || (c == 0xf0 && d < 0x90) ||
        (c == 0xf4 && d >= 0x90))
      return 0;
  }
  return length;
}

// The compiled file's name, for diagnostics about the file as a whole; "" if the file could not be added.
std::string_view mainFile(const SourceManager& sources) {
  return sources.fileCount() != 0 ? sources.name(0) : std::string_view{};
}

// Control sequences for the parts of a message (ECMA-48, 8.3.117); all empty without colors.
struct Colors {
  std::string_view place, note, warning, error, text, caret, off;

  std::string_view of(Severity severity) const {
    return severity == Severity::Note ? note : severity == Severity::Warning ? warning : error;
  }
};
constexpr Colors kPlain;
constexpr Colors kColored = {"\x1b[1m", "\x1b[1;36m", "\x1b[1;35m", "\x1b[1;31m",
                             "\x1b[1m", "\x1b[1;32m", "\x1b[m"};

// `file:line:col: severity: text`, without the line end. `file`: the name shown if there is no place, or "".
void appendHead(std::string& out, const Colors& colors, const ResolvedLoc& at, bool placed,
                std::string_view file, Severity severity, std::string_view text) {
  makeRoom(out, at.fileName.size() + file.size() + text.size() + kFixed);
  if (placed || !file.empty()) {
    out += colors.place;
    out += placed ? at.fileName : file;
    if (placed) {
      out += ':';
      out += std::to_string(at.line);
      out += ':';
      out += std::to_string(at.column);
    }
    out += ": ";
    out += colors.off;
  }
  out += colors.of(severity);
  out += severityText(severity);
  out += ": ";
  out += colors.off;
  out += colors.text;
  out += text;
  out += colors.off;
}

// Where the character that contains the byte at `at` begins. `at` itself if the byte begins a character, or
// is not part of well-formed UTF-8.
uint32_t characterBegin(std::string_view line, uint32_t at) {
  constexpr uint32_t kMostContinuationBytes = 3;
  for (uint32_t back = 0; back <= std::min(at, kMostContinuationBytes); ++back)
    if (utf8Length(line, at - back) > back) return at - back;
  return at;
}

// The source line and the line with the caret. Control characters and bytes that are not UTF-8 become '?',
// tabs stay in both lines, and a long line is cut to a window around the place.
void appendCaret(std::string& out, const Colors& colors, const ResolvedLoc& at, uint32_t length) {
  const std::string_view line = at.lineText;
  const uint32_t column = std::min(at.column - 1, static_cast<uint32_t>(line.size()));
  if (length == 0) length = tokenLengthAt(line, column);
  uint32_t first = 0;
  uint32_t last = static_cast<uint32_t>(line.size());
  if (last > kLineWidth) {
    first = column > kLineWidth / 2 ? column - kLineWidth / 2 : 0;
    last = std::min(last, first + kLineWidth);
    first = characterBegin(line, first);
    if (last < line.size()) last = characterBegin(line, last);
  }
  makeRoom(out, 2 * size_t{last - first} + kFixed);
  const std::string number = std::to_string(at.line);
  if (number.size() < 5) out.append(5 - number.size(), ' ');
  out += number;
  out += " | ";
  if (first > 0) out += "...";
  for (uint32_t i = first; i < last;) {
    const char c = line[i];
    const auto bytes = static_cast<uint32_t>(utf8Length(line, i));
    if (bytes == 0 || (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f)
      out += '?';
    else
      out.append(line, i, bytes);
    i += std::max(bytes, 1u);
  }
  if (last < line.size()) out += "...";
  out += '\n';
  out.append(std::max<size_t>(number.size(), 5), ' ');
  out += " | ";
  if (first > 0) out += "   ";
  auto columns = [&](uint32_t from, uint32_t to, char mark) {
    for (uint32_t i = from; i < to;) {
      out += line[i] == '\t' && mark == ' ' ? '\t' : mark;
      i += std::max(static_cast<uint32_t>(utf8Length(line, i)), 1u);
    }
  };
  columns(first, column, ' ');
  out += colors.caret;
  out += '^';
  const uint32_t width =
      column < line.size() ? std::max(static_cast<uint32_t>(utf8Length(line, column)), 1u) : 1;
  columns(column + width, std::min(column + length, last), '~');
  out += colors.off;
  out += '\n';
}

// The macros whose expansion produced a place, innermost first.
void appendMacros(std::string& out, const Colors& colors, const Diagnostics& diagnostics, SourceLoc loc,
                  const NameLookup& names) {
  const SourceManager& sources = diagnostics.sources();
  uint32_t count = 0;
  while (loc.inMacro() && count++ < kMaxMacroNotes) {
    const SourceLoc spelled = sources.spellingLoc(loc);
    if (spelled.valid()) {
      const ResolvedLoc at = sources.resolve(spelled);
      std::string text = "in the expansion of macro";
      const std::string_view name = names ? names(sources.macroName(loc)) : std::string_view{};
      if (!name.empty()) {
        text += " `";
        text += name;
        text += '`';
      }
      appendHead(out, colors, at, true, {}, Severity::Note, text);
      out += '\n';
      appendCaret(out, colors, at, 0);
    }
    loc = sources.invocationLoc(loc);
  }
}

// The chain of includes that led to the file.
void appendIncludes(std::string& out, const Colors& colors, const SourceManager& sources, FileId file) {
  constexpr uint32_t kMaxIncludeNotes = 8;
  SourceLoc from = sources.includedFrom(file);
  for (uint32_t i = 0; from.valid() && i < kMaxIncludeNotes; ++i) {
    const ResolvedLoc at = sources.resolve(from);
    appendHead(out, colors, at, true, {}, Severity::Note, "included from here");
    out += '\n';
    from = sources.includedFrom(at.file);
  }
}

// ------------------------------------------------------------------------------------------------------ JSON

void appendJsonString(std::string& out, std::string_view text) {
  constexpr size_t kEscape = 6;
  makeRoom(out, text.size() + 2);
  out += '"';
  for (size_t i = 0; i < text.size();) {
    makeRoom(out, kEscape + 1);
    const char c = text[i];
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
      ++i;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view kHex = "0123456789abcdef";
      out += "\\u00";
      out += kHex[static_cast<size_t>(c) >> 4];
      out += kHex[c & 15];
      ++i;
    } else if (const size_t length = utf8Length(text, i); length != 0) {
      out.append(text, i, length);
      i += length;
    } else {
      out += "\\ufffd";
      ++i;
    }
  }
  out += '"';
}

void appendJsonPlace(std::string& out, const SourceManager& sources, SourceLoc loc, uint32_t length) {
  if (!loc.valid()) return;
  const ResolvedLoc at = sources.resolve(loc);
  if (length == 0) length = tokenLengthAt(at.lineText, at.column - 1);
  out += ",\"file\":";
  appendJsonString(out, at.fileName);
  out += ",\"line\":" + std::to_string(at.line);
  out += ",\"column\":" + std::to_string(at.column);
  out += ",\"length\":" + std::to_string(length);
}

}  // namespace

uint32_t tokenLengthAt(std::string_view line, uint32_t column) {
  if (column >= line.size()) return 1;
  uint32_t end = column;
  if (isWord(line[end])) {
    // The fraction of a number is part of the token.
    const bool number = line[end] >= '0' && line[end] <= '9';
    while (end < line.size() && (isWord(line[end]) || (number && line[end] == '.'))) ++end;
    return end - column;
  }
  if (line[end] == '"') {
    ++end;
    while (end < line.size() && line[end] != '"') ++end;
    return std::min(end + 1, static_cast<uint32_t>(line.size())) - column;
  }
  static constexpr std::string_view kPairs[] = {
      "<<=", ">>=", "<<", ">>", "++", "--", "<=", ">=", "==", "!=", "&&",
      "||",  "^^",  "*=", "/=", "+=", "-=", "%=", "&=", "^=", "|=", "##"};
  for (std::string_view pair : kPairs)
    if (line.substr(column, pair.size()) == pair) return static_cast<uint32_t>(pair.size());
  while (end + 1 < line.size() && isContinuationByte(line[end + 1])) ++end;
  return end + 1 - column;
}

std::string renderText(const Diagnostics& diagnostics, const NameLookup& names, bool colored) {
  std::string out;
  const Colors& colors = colored ? kColored : kPlain;
  const SourceManager& sources = diagnostics.sources();
  for (const Diagnostic& d : diagnostics.all()) {
    const bool placed = d.loc.valid();
    const ResolvedLoc at = placed ? sources.resolve(d.loc) : ResolvedLoc{};
    appendHead(out, colors, at, placed, mainFile(sources), d.severity, d.message);
    makeRoom(out, diagId(d.kind).size() + d.clause.size() + d.suggestion.size() + kFixed);
    out += " [";
    out += diagId(d.kind);
    out += "]\n";
    if (placed) appendCaret(out, colors, at, d.length);
    if (!d.clause.empty()) {
      out += placed ? "      = " : "  = ";
      out += d.clause;
      out += '\n';
    }
    if (!d.suggestion.empty()) {
      out += placed ? "      = " : "  = ";
      out += "did you mean `";
      out += d.suggestion;
      out += "`?\n";
    }
    appendMacros(out, colors, diagnostics, d.loc, names);
    if (placed) appendIncludes(out, colors, sources, at.file);
    for (const DiagNote& note : d.notes) {
      // A note without a place is shown at the place of its diagnostic, whose line has been shown already.
      const bool own = note.loc.valid();
      const ResolvedLoc noteAt = own ? sources.resolve(note.loc) : at;
      appendHead(out, colors, noteAt, own || placed, mainFile(sources), Severity::Note, note.text);
      out += '\n';
      if (own && note.loc != d.loc) appendCaret(out, colors, noteAt, note.length);
    }
  }
  return out;
}

std::string renderAsGlslc(const Diagnostics& diagnostics) {
  std::string out;
  const SourceManager& sources = diagnostics.sources();
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity == Severity::Note) continue;
    const bool placed = d.loc.valid();
    const ResolvedLoc at = placed ? sources.resolve(d.loc) : ResolvedLoc{};
    const std::string_view file = placed ? at.fileName : mainFile(sources);
    makeRoom(out, file.size() + d.message.size() + kFixed);
    if (!file.empty()) out += file;
    if (placed) out += ":" + std::to_string(at.line);
    if (!file.empty()) out += ": ";
    out += d.severity == Severity::Warning ? "warning: " : "error: ";
    out += d.message;
    out += '\n';
  }
  return out;
}

std::string renderSummary(uint32_t errors, uint32_t warnings) {
  std::string out;
  auto count = [&](uint32_t n, std::string_view what) {
    out += std::to_string(n);
    out += ' ';
    out += what;
    if (n != 1) out += 's';
  };
  if (warnings != 0) count(warnings, "warning");
  if (errors != 0) {
    if (warnings != 0) out += " and ";
    count(errors, "error");
  }
  if (!out.empty()) out += " generated.\n";
  return out;
}

std::string renderJson(const Diagnostics& diagnostics) {
  std::string out = "[";
  const SourceManager& sources = diagnostics.sources();
  bool first = true;
  for (const Diagnostic& d : diagnostics.all()) {
    makeRoom(out, kFixed);
    if (!first) out += ',';
    first = false;
    out += "\n{\"id\":";
    appendJsonString(out, diagId(d.kind));
    out += ",\"severity\":";
    appendJsonString(out, severityText(d.severity));
    out += ",\"message\":";
    appendJsonString(out, d.message);
    if (const std::string_view file = mainFile(sources); !d.loc.valid() && !file.empty()) {
      out += ",\"file\":";
      appendJsonString(out, file);
    }
    appendJsonPlace(out, sources, d.loc, d.length);
    if (!d.clause.empty()) {
      out += ",\"clause\":";
      appendJsonString(out, d.clause);
    }
    if (!d.suggestion.empty()) {
      out += ",\"suggestion\":";
      appendJsonString(out, d.suggestion);
    }
    out += ",\"notes\":[";
    for (size_t i = 0; i < d.notes.size(); ++i) {
      makeRoom(out, kFixed);
      if (i != 0) out += ',';
      out += "{\"message\":";
      appendJsonString(out, d.notes[i].text);
      const bool own = d.notes[i].loc.valid();
      appendJsonPlace(out, sources, own ? d.notes[i].loc : d.loc, own ? d.notes[i].length : d.length);
      out += '}';
    }
    out += "]}";
  }
  out += first ? "]\n" : "\n]\n";
  return out;
}

}  // namespace coopc::frontend
