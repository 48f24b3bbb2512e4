// Diagnostics as data: registered kinds with typed arguments, a primary place, labelled notes and a clause.
// Renderings (text with carets, JSON) are made of the same data; see render.hpp.
//
// A kind is one line of a file under kinds/: DIAG(Name, severity, "format with {0} {1}", "clause").
// The identifier shown to people is the name in kebab-case (`UndeclaredName` -> `undeclared-name`).
// Format: lower case, no full stop, describes the situation, code between back quotes, no semicolon.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/base/source.hpp"

namespace coopc::frontend {

enum class Severity : uint8_t { Note, Warning, Error, Fatal };

enum class DiagNumber : uint16_t {
#define DIAG(name, severity, format, clause) name,
#include "frontend/base/kinds.def"
#undef DIAG
  Count
};

/// The arguments that a format takes: one more than the largest of its placeholders, `{0}` to `{9}`.
constexpr size_t argumentCount(std::string_view format) {
  size_t count = 0;
  for (size_t i = 0; i + 2 < format.size(); ++i) {
    if (format[i] != '{' || format[i + 2] != '}' || format[i + 1] < '0' || format[i + 1] > '9') continue;
    const auto needed = static_cast<size_t>(format[i + 1] - '0') + 1;
    if (needed > count) count = needed;
  }
  return count;
}

/// A kind whose format takes N arguments: reporting it with another number of them does not compile.
template <size_t N>
struct DiagKindOf {
  DiagNumber number;
};

/// Any kind. Its members are the registered kinds, each a DiagKindOf its number of arguments.
struct DiagKind {
  DiagNumber number{};

  constexpr DiagKind() = default;
  constexpr explicit DiagKind(size_t index) : number(static_cast<DiagNumber>(index)) {}
  template <size_t N>
  constexpr DiagKind(DiagKindOf<N> kind) : number(kind.number) {}
  friend constexpr bool operator==(DiagKind, DiagKind) = default;

#define DIAG(name, severity, format, clause) \
  static constexpr DiagKindOf<argumentCount(format)> name{DiagNumber::name};
#include "frontend/base/kinds.def"
#undef DIAG
  static constexpr auto Count = static_cast<size_t>(DiagNumber::Count);
};

struct DiagInfo {
  std::string_view name;  ///< PascalCase, as registered
  Severity severity;
  std::string_view format;
  std::string_view clause;  ///< "" where none applies
};
const DiagInfo& diagInfo(DiagKind kind);
std::string diagId(DiagKind kind);  ///< kebab-case
/// The warning of that identifier; false where it names none.
bool warningById(std::string_view id, DiagKind& kind);

/// One argument of a message, made text at once: diagnostics are the slow path.
struct DiagArg {
  std::string text;
  DiagArg(std::string_view s) : text(s) {}
  DiagArg(const char* s) : text(s) {}
  DiagArg(std::string s) : text(std::move(s)) {}
  DiagArg(int64_t v) : text(std::to_string(v)) {}
  DiagArg(uint64_t v) : text(std::to_string(v)) {}
  DiagArg(int v) : text(std::to_string(v)) {}
  DiagArg(unsigned v) : text(std::to_string(v)) {}
};

struct DiagNote {
  SourceLoc loc;  ///< invalid: a note without a place
  uint32_t length = 0;
  std::string text;
};

struct Diagnostic {
  DiagKind kind{};
  Severity severity = Severity::Error;  ///< after -w, -Werror and the strict flag
  SourceLoc loc;
  uint32_t length = 0;  ///< bytes to underline; 0: the token at loc
  std::string message;
  std::vector<DiagNote> notes;
  std::string suggestion;  ///< a replacement for the token at loc, or ""
};

class Diagnostics;

/// Adds notes to a diagnostic just reported; does nothing when that was suppressed.
class DiagBuilder {
 public:
  DiagBuilder(Diagnostics* engine, uint32_t index) : engine_(engine), index_(index) {}
  DiagBuilder& note(SourceLoc loc, std::string text);
  DiagBuilder& suggest(std::string_view replacement);
  DiagBuilder& length(uint32_t bytes);

 private:
  Diagnostics* engine_;
  uint32_t index_;
};

struct DiagOptions {
  bool suppressWarnings = false;                              ///< -w
  bool warningsAsErrors = false;                              ///< -Werror
  bool strict = false;                                        ///< warnings that cite a clause become errors
  uint32_t maxErrors = 100;                                   ///< after these only the counts go on
  std::bitset<DiagKind::Count> off = warningsOffByDefault();  ///< -W, -Wno-: warnings that are not given

  static std::bitset<DiagKind::Count> warningsOffByDefault();
};

class Diagnostics {
 public:
  explicit Diagnostics(const SourceManager& sources, DiagOptions options = {})
      : sources_(sources), options_(options) {}

  /// `asWarning`: an error is reported as a warning, whatever the options say (CompileOptions::checksOff).
  template <size_t N>
  DiagBuilder report(DiagKindOf<N> kind, SourceLoc loc, const DiagArg (&args)[N], bool asWarning = false) {
    return add(kind, loc, args, asWarning);
  }
  DiagBuilder report(DiagKindOf<0> kind, SourceLoc loc, bool asWarning = false) {
    return add(kind, loc, {}, asWarning);
  }

  uint32_t errorCount() const { return errors_; }
  uint32_t warningCount() const { return warnings_; }
  bool fatal() const { return fatal_; }  ///< a limit was hit: stop as soon as possible
  const std::vector<Diagnostic>& all() const { return list_; }
  const SourceManager& sources() const { return sources_; }

  /// Warnings and errors kept at most; beyond that only the counts go on.
  static constexpr size_t kMaxListed = 10000;

  /// While held, reports are dropped (speculative parsing and checks).
  uint32_t suppress = 0;

 private:
  friend class DiagBuilder;
  DiagBuilder add(DiagKind kind, SourceLoc loc, std::span<const DiagArg> args, bool asWarning);

  const SourceManager& sources_;
  DiagOptions options_;
  std::vector<Diagnostic> list_;
  uint32_t errors_ = 0;
  uint32_t warnings_ = 0;
  bool fatal_ = false;
};

}  // namespace coopc::frontend
