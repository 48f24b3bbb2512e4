// Compares the kinds of diagnostics that the expectations show with all registered kinds.
#include "tests/support/diagnostic_coverage.hpp"

#include <set>

#include "tests/support/process.hpp"
#include "tests/support/shader_test.hpp"

namespace coopc::tests {
namespace {

// The first word of each line; a comment after `#` is ignored.
std::set<std::string> firstWords(const std::string& text) {
  std::set<std::string> words;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    std::string line = text.substr(at, end - at);
    at = end + 1;
    line = line.substr(0, line.find('#'));
    size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    words.insert(line.substr(first, line.find_first_of(" \t\r", first) - first));
  }
  return words;
}

bool isIdentifierCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' ||
         (c >= 'A' && c <= 'Z');
}

// Adds each `[word]` of the text.
void collectBracketed(const std::string& text, std::set<std::string>& words) {
  for (size_t open = text.find('['); open != std::string::npos; open = text.find('[', open + 1)) {
    size_t end = open + 1;
    while (end < text.size() && isIdentifierCharacter(text[end])) ++end;
    if (end > open + 1 && end < text.size() && text[end] == ']')
      words.insert(text.substr(open + 1, end - open - 1));
  }
}

}  // namespace

std::string findUncoveredDiagnostics(const std::string& compiler,
                                     const std::vector<std::string>& expectationFiles,
                                     const std::string& allowFile) {
  ProcessResult list = runProcess({compiler, "--list-diagnostics"}, "", 60);
  if (!list.exited() || list.exitCode != 0) return "`--list-diagnostics` failed: " + list.stderrText + "\n";
  std::set<std::string> kinds = firstWords(list.stdoutText);
  if (kinds.empty()) return "`--list-diagnostics` lists nothing\n";
  std::set<std::string> seen;
  std::string text;
  for (const std::string& file : expectationFiles) {
    if (readFile(file, text)) collectBracketed(text, seen);
  }
  std::set<std::string> allowed;
  if (!allowFile.empty()) {
    if (!readFile(allowFile, text)) return "cannot read " + allowFile + "\n";
    allowed = firstWords(text);
  }
  std::string faults;
  for (const std::string& kind : kinds) {
    if (seen.count(kind) == 0 && allowed.count(kind) == 0) faults += "no test shows [" + kind + "]\n";
  }
  for (const std::string& kind : allowed) {
    if (kinds.count(kind) == 0)
      faults += "the list of exceptions has [" + kind + "], which the compiler does not know\n";
    if (seen.count(kind) != 0) faults += "the list of exceptions has [" + kind + "], which a test shows\n";
  }
  return faults;
}

}  // namespace coopc::tests
