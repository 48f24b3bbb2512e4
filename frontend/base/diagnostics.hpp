// Diagnostics as data: registered kinds with typed arguments, a primary place, labeled notes and a clause.
// Renderings (text with carets, JSON) are made from the same data; see render.hpp.
//
// A kind is one line of a file under kinds/: DIAG(Name, severity, "format with {0} {1:d}", "clause"). The
// severity is Note, Warning, OptionalWarning, Error or Fatal.
// `{0}` takes a text and `{0:d}` an integer; the same number has the same kind wherever it occurs in a
// format. The identifier shown to users is the name in kebab-case (`UndeclaredName` -> `undeclared-name`).
// Format: lower case, no full stop, describes the situation, code between back quotes, no semicolon.
#pragma once

#include <bitset>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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

enum class DiagArgKind : uint8_t { Text, Integer };

/// A placeholder of a format.
struct DiagPlaceholder {
  size_t index = 0;
  DiagArgKind kind = DiagArgKind::Text;
  size_t length = 0;  ///< 0 if there is none
};

/// The placeholder at the start of a text.
constexpr DiagPlaceholder placeholderAt(std::string_view text) {
  if (text.size() < 3 || text[0] != '{' || text[1] < '0' || text[1] > '9') return {};
  const auto index = static_cast<size_t>(text[1] - '0');
  if (text[2] == '}') return {index, DiagArgKind::Text, 3};
  return text.substr(2).starts_with(":d}") ? DiagPlaceholder{index, DiagArgKind::Integer, 5}
                                           : DiagPlaceholder{};
}

/// The arguments that a format takes.
struct DiagSignature {
  size_t count = 0;       ///< one more than the largest index of its placeholders
  uint32_t integers = 0;  ///< a bit for each placeholder that takes an integer
};
constexpr DiagSignature signatureOf(std::string_view format) {
  DiagSignature signature;
  for (; !format.empty(); format.remove_prefix(1)) {
    const DiagPlaceholder p = placeholderAt(format);
    if (p.length == 0) continue;
    if (p.index >= signature.count) signature.count = p.index + 1;
    if (p.kind == DiagArgKind::Integer) signature.integers |= 1u << p.index;
  }
  return signature;
}

/// A kind with the kinds of its arguments: reporting it with others does not compile.
template <DiagArgKind... Kinds>
struct DiagKindOf {
  DiagNumber number;
};

namespace detail {
template <uint32_t Integers, size_t... Index>
DiagKindOf<(Integers >> Index & 1 ? DiagArgKind::Integer : DiagArgKind::Text)...> diagKindOf(
    std::index_sequence<Index...>);
template <size_t Count, uint32_t Integers>
using DiagKindWith = decltype(diagKindOf<Integers>(std::make_index_sequence<Count>()));
}  // namespace detail

/// Any kind. Its members are the registered kinds, each a DiagKindOf the kinds of its arguments.
struct DiagKind {
  DiagNumber number{};

  constexpr DiagKind() = default;
  constexpr explicit DiagKind(size_t index) : number(static_cast<DiagNumber>(index)) {}
  template <DiagArgKind... Kinds>
  constexpr DiagKind(DiagKindOf<Kinds...> kind) : number(kind.number) {}
  friend constexpr bool operator==(DiagKind, DiagKind) = default;

// `name` is declared here, so it cannot be in parentheses. NOLINTBEGIN(bugprone-macro-parentheses)
#define DIAG(name, severity, format, clause)                                                           \
  static constexpr detail::DiagKindWith<signatureOf(format).count, signatureOf(format).integers> name{ \
      DiagNumber::name};
// NOLINTEND(bugprone-macro-parentheses)
#include "frontend/base/kinds.def"
#undef DIAG
  static constexpr auto Count = static_cast<size_t>(DiagNumber::Count);
};

struct DiagInfo {
  std::string_view name;  ///< PascalCase, as registered
  Severity severity;
  bool optional;  ///< a warning that is off by default
  std::string_view format;
  std::string_view clause;  ///< "" if none applies
};
DiagInfo diagInfo(DiagKind kind);
std::string diagId(DiagKind kind);  ///< kebab-case
/// The warning with that identifier.
std::optional<DiagKind> warningById(std::string_view id);

/// Integer types, without bool and character types, which would be shown as numbers.
template <class T>
concept DiagIntegral =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
    !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

// Most shaders report nothing. The functions that take reports are cold, so that compilers move the calls,
// with the texts that are made for them, out of the code that every shader runs.

/// One argument of a message, converted to text at once, since reporting is not time-critical.
template <DiagArgKind Kind>
struct DiagArg;
template <>
struct DiagArg<DiagArgKind::Text> {
  std::string text;
  [[gnu::cold]] DiagArg(std::string_view s) : text(s) {}
  [[gnu::cold]] DiagArg(const char* s) : text(s) {}
  [[gnu::cold]] DiagArg(std::string s) : text(std::move(s)) {}
  DiagArg(std::nullptr_t) = delete;
  /// Numbers; also the literal 0, which would be a null pointer.
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  DiagArg(T) = delete;
};
template <>
struct DiagArg<DiagArgKind::Integer> {
  std::string text;
  template <DiagIntegral T>
  [[gnu::cold]] DiagArg(T v) : text(std::to_string(v)) {}
};

/// The arguments of a message, as a braced list.
template <DiagArgKind... Kinds>
struct DiagArgs {
  std::string texts[sizeof...(Kinds)];
  [[gnu::cold]] DiagArgs(DiagArg<Kinds>... args) : texts{std::move(args.text)...} {}
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
  std::vector<std::string> arguments;  ///< of the kind's format, in its numbering
  std::string_view clause;  ///< the kind's, or the one that DiagBuilder::clause() names; "" if none applies
  std::vector<DiagNote> notes;
  std::string suggestion;  ///< a replacement for the token at loc, or ""
};

class Diagnostics;

/// Adds notes to a diagnostic that was just reported; does nothing if the diagnostic was suppressed.
class DiagBuilder {
 public:
  DiagBuilder(Diagnostics* engine, uint32_t index) : engine_(engine), index_(index) {}
  [[gnu::cold]] DiagBuilder& note(SourceLoc loc, std::string text);
  [[gnu::cold]] DiagBuilder& suggest(std::string_view replacement);
  [[gnu::cold]] DiagBuilder& length(uint32_t bytes);
  /// Replaces the clause, for rules that several extensions state: `text` cites the extension that applies.
  /// The text must live as long as the program.
  [[gnu::cold]] DiagBuilder& clause(std::string_view text);

 private:
  Diagnostics* engine_;
  uint32_t index_;
};

struct DiagOptions {
  bool suppressWarnings = false;  ///< -w
  bool warningsAsErrors = false;  ///< -Werror: enabled warnings are errors
  bool strict = false;            ///< -fstrict: warnings that cite a clause are enabled, and are errors
  uint32_t maxErrors = 100;       ///< beyond these, diagnostics are only counted
  std::bitset<DiagKind::Count> off = warningsOffByDefault();  ///< -W, -Wall, -Wno-: warnings that are off
  std::bitset<DiagKind::Count> declined{};                    ///< -Wno-NAME: off whatever `strict` says

  /// The warnings of -Wall. The reference compiler silently accepts the code that they report, and builds
  /// that use coopc in its place may treat warnings as errors, or any message as a failure.
  static std::bitset<DiagKind::Count> warningsOffByDefault();
};

class Diagnostics {
 public:
  explicit Diagnostics(const SourceManager& sources, DiagOptions options = {})
      : sources_(sources), options_(options) {}

  /// `asWarning`: an error is reported as a warning, whatever the options say (CompileOptions::checksOff).
  template <DiagArgKind... Kinds>
  [[gnu::cold]] DiagBuilder report(DiagKindOf<Kinds...> kind, SourceLoc loc, const DiagArgs<Kinds...>& args,
                                   bool asWarning = false) {
    return add(kind, loc, args.texts, asWarning);
  }
  [[gnu::cold]] DiagBuilder report(DiagKindOf<> kind, SourceLoc loc, bool asWarning = false) {
    return add(kind, loc, {}, asWarning);
  }

  uint32_t errorCount() const { return errors_; }
  uint32_t warningCount() const { return warnings_; }
  bool fatal() const { return fatal_; }  ///< a limit was hit: stop as soon as possible
  const std::vector<Diagnostic>& all() const { return list_; }
  /// Where errors of the preprocessor dropped tokens, or passed on a token that is not a value. Includes
  /// errors that are only counted. Places in files (SourceManager::fileLoc), in the order of the reports.
  const std::vector<uint32_t>& lostPlaces() const { return lostPlaces_; }
  void noteLostToken(SourceLoc loc);  ///< one that the preprocessor dropped, for which a report exists
  const SourceManager& sources() const { return sources_; }

  /// A point in the sequence of reports, to which takeBack() returns: later reports are dropped, unless a
  /// limit was hit.
  struct Mark {
    size_t listed = 0;
    uint32_t errors = 0, warnings = 0;
  };
  Mark mark() const { return {list_.size(), errors_, warnings_}; }
  void takeBack(const Mark& mark);

  /// Puts the list into the order of the text that starts in `main`: preprocessing, parsing and the checks at
  /// the end report one after the other. Reports of an included file come where it is included. Invalidates
  /// all builders.
  void sortByPlace(FileId main);

  /// The largest number of warnings and errors that are kept; further ones are only counted.
  static constexpr size_t kMaxListed = 10000;

  /// While held, reports are dropped (speculative parsing and checks).
  uint32_t suppress = 0;

 private:
  friend class DiagBuilder;
  [[gnu::cold]] DiagBuilder add(DiagKind kind, SourceLoc loc, std::span<const std::string> args,
                                bool asWarning);

  const SourceManager& sources_;
  DiagOptions options_;
  std::vector<Diagnostic> list_;
  Diagnostic counted_;  ///< the last report, if it is not in the list
  std::vector<uint32_t> lostPlaces_;
  uint32_t errors_ = 0;
  uint32_t warnings_ = 0;
  bool fatal_ = false;
};

}  // namespace coopc::frontend
