// Findings as text for people, JSON, SARIF 2.1.0 and JUnit XML, in the order of the findings. Plain string
// building: the output is small.
#include <algorithm>

#include "coopc/validate.hpp"
#include "validator/names.hpp"

namespace coopc {

namespace {

// Length of the UTF-8 sequence at `at`, or 0 where there is none.
size_t sequence(std::string_view text, size_t at) {
  const auto byte = [&](size_t n) { return at + n < text.size() ? uint8_t(text[at + n]) : uint8_t(0); };
  const uint8_t b = byte(0);
  const auto more = [&](size_t n) { return (byte(n) & 0xC0) == 0x80; };
  if (b < 0x80) return 1;
  if (b >= 0xC2 && b < 0xE0) return more(1) ? 2 : 0;
  if (b >= 0xE0 && b < 0xF0) {
    const bool ok = more(1) && more(2) && !(b == 0xE0 && byte(1) < 0xA0) && !(b == 0xED && byte(1) >= 0xA0);
    return ok ? 3 : 0;
  }
  if (b >= 0xF0 && b < 0xF5) {
    const bool ok =
        more(1) && more(2) && more(3) && !(b == 0xF0 && byte(1) < 0x90) && !(b == 0xF4 && byte(1) >= 0x90);
    return ok ? 4 : 0;
  }
  return 0;
}

// Names and strings of modules may hold any bytes; what is not UTF-8 becomes U+FFFD.
template <class Special>
void escape(std::string& out, std::string_view text, Special&& special) {
  for (size_t at = 0; at < text.size();) {
    const size_t n = sequence(text, at);
    if (n == 0) {
      out += "\xEF\xBF\xBD";
      ++at;
    } else {
      if (n != 1 || !special(out, text[at])) out.append(text, at, n);
      at += n;
    }
  }
}

std::string json(std::string_view text) {
  std::string out = "\"";
  escape(out, text, [](std::string& o, char c) {
    switch (c) {
      case '"': o += "\\\""; return true;
      case '\\': o += "\\\\"; return true;
      case '\n': o += "\\n"; return true;
      case '\r': o += "\\r"; return true;
      case '\t': o += "\\t"; return true;
      default: break;
    }
    if (uint8_t(c) >= 0x20) return false;
    constexpr char kHex[] = "0123456789abcdef";
    o += "\\u00";
    o += kHex[uint8_t(c) >> 4];
    o += kHex[uint8_t(c) & 15];
    return true;
  });
  return out + '"';
}

std::string xml(std::string_view text) {
  std::string out;
  escape(out, text, [](std::string& o, char c) {
    switch (c) {
      case '&': o += "&amp;"; return true;
      case '<': o += "&lt;"; return true;
      case '>': o += "&gt;"; return true;
      case '"': o += "&quot;"; return true;
      case '\n': o += "&#10;"; return true;
      default: break;
    }
    // XML 1.0 has no other control characters.
    if (uint8_t(c) >= 0x20 || c == '\t') return false;
    o += "?";
    return true;
  });
  return out;
}

// Text for a terminal, with control characters removed.
std::string plain(std::string_view text) {
  std::string out;
  escape(out, text, [](std::string& o, char c) {
    if ((uint8_t(c) >= 0x20 && c != 0x7F) || c == '\t') return false;
    o += '?';
    return true;
  });
  return out;
}

// A path as the URI of a SARIF artifact: relative, '/' between folders.
std::string uri(std::string_view path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (char c : path) {
    const bool unreserved = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                            c == '-' || c == '.' || c == '_' || c == '~' || c == '/';
    if (unreserved) {
      out += c;
    } else {
      out += '%';
      out += kHex[uint8_t(c) >> 4];
      out += kHex[uint8_t(c) & 15];
    }
  }
  if (!out.empty() && out[0] == '/') out = "file://" + out;
  return out;
}

std::string number(uint64_t n) { return std::to_string(n); }

// Converts a column in bytes to one in UTF-16 code units, if the line's text is known.
uint64_t utf16Column(const SourcePlace& place) {
  if (place.text.empty()) return place.column;
  const uint64_t before = std::max<uint64_t>(place.column, 1) - 1;
  uint64_t column = 1;
  size_t at = 0;
  while (at < std::min<uint64_t>(before, place.text.size())) {
    const size_t n = std::max<size_t>(sequence(place.text, at), 1);
    column += n == 4 ? 2 : 1;
    at += n;
  }
  // Past the end of the line, where the module's number may be anything.
  return before > at ? column + (before - at) : column;
}

}  // namespace

std::string renderText(const CheckedFile& file) {
  std::string out;
  const ValidateResult& r = file.result;
  if (!r.error.empty()) return plain(file.name) + ": error: " + plain(r.error) + "\n";
  for (const Finding& f : r.findings) {
    const bool source = f.source.line != 0 && !f.source.file.empty();
    if (source) {
      out += plain(f.source.file) + ":" + number(f.source.line);
      if (f.source.column != 0) out += ":" + number(f.source.column);
    } else {
      out += plain(file.name);
      if (f.instruction != kNoInstruction || f.word != 0) out += ":word " + number(f.word);
    }
    out += std::string(": ") + nameOf(f.severity) + ": " + plain(f.message) + " [" + std::string(f.rule->id) +
           "]\n";
    if (source && !f.source.text.empty()) {
      const std::string lead = number(f.source.line);
      const std::string line = plain(f.source.text);
      out += "  " + lead + " | " + line + "\n";
      // Some compilers (glslang) record no column: the caret then points at the first character of the line's
      // text.
      const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
      const size_t before = f.source.column != 0 ? f.source.column - 1 : first;
      out += "  " + std::string(lead.size(), ' ') + " | ";
      for (size_t n = 0; n < before && n < line.size(); ++n) out += line[n] == '\t' ? '\t' : ' ';
      out += "^\n";
    }
    if (!f.disassembly.empty()) {
      out += "    " + plain(f.disassembly);
      if (source) out += "    ; " + plain(file.name) + ", word " + number(f.word);
      out += "\n";
    }
    for (const std::string& note : f.notes) out += "    note: " + plain(note) + "\n";
    out += "    " + f.clause + "\n";
  }
  if (r.dropped != 0) out += plain(file.name) + ": " + number(r.dropped) + " more findings are not shown\n";
  return out;
}

std::string renderJson(std::span<const CheckedFile> files) {
  std::string out = "{\n  \"version\": 1,\n  \"files\": [";
  for (size_t n = 0; n < files.size(); ++n) {
    const ValidateResult& r = files[n].result;
    out += std::string(n == 0 ? "\n" : ",\n") + "    {\"file\": " + json(files[n].name) +
           ", \"readable\": " + (r.readable ? "true" : "false");
    if (!r.error.empty()) out += ", \"error\": " + json(r.error);
    if (!r.unknownSpecIds.empty()) {
      out += ", \"unknownSpecIds\": [";
      for (size_t k = 0; k < r.unknownSpecIds.size(); ++k) {
        out += (k == 0 ? "" : ", ") + number(r.unknownSpecIds[k]);
      }
      out += "]";
    }
    out += ", \"dropped\": " + number(r.dropped) + ", \"findings\": [";
    for (size_t k = 0; k < r.findings.size(); ++k) {
      const Finding& f = r.findings[k];
      out += std::string(k == 0 ? "\n" : ",\n") + "      {\"rule\": " + json(f.rule->id) +
             ", \"level\": " + json(nameOf(f.rule->level)) + ", \"severity\": " + json(nameOf(f.severity)) +
             ", \"message\": " + json(f.message) + ", \"clause\": " + json(f.clause) +
             ", \"word\": " + number(f.word);
      if (f.instruction != kNoInstruction) {
        out += ", \"instruction\": " + number(f.instruction) + ", \"disassembly\": " + json(f.disassembly);
      }
      if (f.source.line != 0) {
        out += ", \"source\": {\"file\": " + json(f.source.file) + ", \"line\": " + number(f.source.line) +
               ", \"column\": " + number(f.source.column) + "}";
      }
      if (!f.notes.empty()) {
        out += ", \"notes\": [";
        for (size_t j = 0; j < f.notes.size(); ++j) out += (j == 0 ? "" : ", ") + json(f.notes[j]);
        out += "]";
      }
      out += "}";
    }
    out += r.findings.empty() ? "]}" : "\n    ]}";
  }
  return out + (files.empty() ? "]\n}\n" : "\n  ]\n}\n");
}

std::string renderSarif(std::span<const CheckedFile> files) {
  std::string out =
      "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n"
      "  \"runs\": [{\n    \"tool\": {\"driver\": {\"name\": \"coopval\", \"rules\": [";
  const std::span<const RuleDescription> table = rules();
  for (size_t n = 0; n < table.size(); ++n) {
    const RuleDescription& rule = table[n];
    out += std::string(n == 0 ? "\n" : ",\n") + "      {\"id\": " + json(rule.id) +
           ", \"shortDescription\": {\"text\": " + json(rule.sentence) +
           "}, \"help\": {\"text\": " + json(rule.clause) +
           "}, \"defaultConfiguration\": {\"level\": " + json(nameOf(rule.severity)) +
           "}, \"properties\": {\"level\": " + json(nameOf(rule.level)) + "}}";
  }
  out += "\n    ]}},\n    \"columnKind\": \"utf16CodeUnits\",\n    \"results\": [";
  bool first = true;
  for (const CheckedFile& file : files) {
    for (const Finding& f : file.result.findings) {
      out += first ? "\n" : ",\n";
      first = false;
      std::string text = f.message;
      if (!f.disassembly.empty()) text += "\n" + f.disassembly;
      for (const std::string& note : f.notes) text += "\n" + note;
      text += "\n" + f.clause;
      const bool source = f.source.line != 0 && !f.source.file.empty();
      out += "      {\"ruleId\": " + json(f.rule->id) +
             ", \"ruleIndex\": " + number(size_t(f.rule - table.data())) +
             ", \"level\": " + json(nameOf(f.severity)) + ", \"message\": {\"text\": " + json(text) +
             "}, \"locations\": [{\"physicalLocation\": {\"artifactLocation\": {\"uri\": " +
             json(uri(source ? f.source.file : file.name)) + "}";
      if (source) {
        out += ", \"region\": {\"startLine\": " + number(f.source.line);
        if (f.source.column != 0) out += ", \"startColumn\": " + number(utf16Column(f.source));
        out += "}";
      } else {
        out += ", \"region\": {\"byteOffset\": " + number(uint64_t(f.word) * 4) + ", \"byteLength\": 4}";
      }
      out += "}}]}";
    }
  }
  out += first ? "],\n" : "\n    ],\n";
  bool errors = false;
  std::string notifications;
  for (const CheckedFile& file : files) {
    if (file.result.error.empty()) continue;
    notifications += (errors ? ", " : "") + std::string("{\"level\": \"error\", \"message\": {\"text\": ") +
                     json(file.name + ": " + file.result.error) + "}}";
    errors = true;
  }
  out += std::string("    \"invocations\": [{\"executionSuccessful\": ") + (errors ? "false" : "true") +
         (errors ? ", \"toolExecutionNotifications\": [" + notifications + "]" : std::string()) +
         "}]\n  }]\n}\n";
  return out;
}

std::string renderJunit(std::span<const CheckedFile> files) {
  size_t failures = 0, errors = 0;
  for (const CheckedFile& file : files) {
    if (!file.result.error.empty()) {
      ++errors;
    } else if (file.result.count(FindingSeverity::Error) != 0) {
      ++failures;
    }
  }
  const std::string counts = "tests=\"" + number(files.size()) + "\" failures=\"" + number(failures) +
                             "\" errors=\"" + number(errors) + "\"";
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites " + counts +
                    ">\n  <testsuite name=\"coopval\" " + counts + ">\n";
  for (const CheckedFile& file : files) {
    out += "    <testcase classname=\"coopval\" name=\"" + xml(file.name) + "\"";
    const std::string text = renderText(file);
    if (text.empty()) {
      out += "/>\n";
      continue;
    }
    const uint32_t n = file.result.count(FindingSeverity::Error);
    if (!file.result.error.empty()) {
      out += ">\n      <error message=\"" + xml(file.result.error) + "\"/>\n    </testcase>\n";
    } else if (n != 0) {
      out += ">\n      <failure message=\"" + number(n) + (n == 1 ? " error" : " errors") + "\">" +
             xml(text) + "</failure>\n    </testcase>\n";
    } else {
      out += ">\n      <system-out>" + xml(text) + "</system-out>\n    </testcase>\n";
    }
  }
  return out + "  </testsuite>\n</testsuites>\n";
}

}  // namespace coopc
