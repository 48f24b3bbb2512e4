// The registered kinds and the engine that collects reports.
#include "frontend/base/diagnostics.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/memory_budget.hpp"

namespace coopc::frontend {
namespace {

// The second column of the table.
enum class Registered : uint8_t { Note, Warning, OptionalWarning, Error, Fatal };

constexpr Registered kRegistered[] = {
#define DIAG(name, severity, format, clause) Registered::severity,
#include "frontend/base/kinds.def"
#undef DIAG
    Registered::Note,  // Count
};

// The texts one after the other, without pointers to them, which would take half as much again: of each kind
// the name and the format, and separately the clause.
constexpr char kTexts[] =
#define DIAG(name, severity, format, clause) #name "\0" format "\0"
#include "frontend/base/kinds.def"
#undef DIAG
    "\0";
constexpr char kClauses[] =
#define DIAG(name, severity, format, clause) clause "\0"
#include "frontend/base/kinds.def"
#undef DIAG
    "";
static_assert(sizeof kTexts <= 0x10000 && sizeof kClauses <= 0x10000);

// Where the texts of each kStride-th kind start.
constexpr size_t kStride = 16;
using Starts = std::array<uint16_t, DiagKind::Count / kStride + 1>;
constexpr Starts startsOf(const std::array<size_t, DiagKind::Count>& sizes) {
  Starts starts{};
  size_t at = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (i % kStride == 0) starts[i / kStride] = static_cast<uint16_t>(at);
    at += sizes[i];
  }
  return starts;
}
constexpr Starts kTextStarts = startsOf({
#define DIAG(name, severity, format, clause) sizeof #name + sizeof format,
#include "frontend/base/kinds.def"
#undef DIAG
});
constexpr Starts kClauseStarts = startsOf({
#define DIAG(name, severity, format, clause) sizeof clause,
#include "frontend/base/kinds.def"
#undef DIAG
});

const char* skipped(const char* text, size_t count) {
  for (; count != 0; --count) text += std::strlen(text) + 1;
  return text;
}

// The format with its placeholders replaced by the arguments; other braces stay.
std::string formatMessage(std::string_view format, std::span<const std::string> args) {
  std::string out;
  out.reserve(format.size() + 32);
  while (!format.empty()) {
    const DiagPlaceholder p = placeholderAt(format);
    if (p.length == 0)
      out += format[0];
    else if (p.index < args.size())
      out += args[p.index];
    format.remove_prefix(p.length == 0 ? 1 : p.length);
  }
  return out;
}

}  // namespace

DiagInfo diagInfo(DiagKind kind) {
  const auto number = static_cast<size_t>(kind.number);
  const Registered registered = kRegistered[number];
  DiagInfo info;
  info.severity = registered == Registered::Note    ? Severity::Note
                  : registered == Registered::Error ? Severity::Error
                  : registered == Registered::Fatal ? Severity::Fatal
                                                    : Severity::Warning;
  info.optional = registered == Registered::OptionalWarning;
  info.name = skipped(kTexts + kTextStarts[number / kStride], 2 * (number % kStride));
  info.format = skipped(info.name.data(), 1);
  info.clause = skipped(kClauses + kClauseStarts[number / kStride], number % kStride);
  return info;
}

std::string diagId(DiagKind kind) {
  const std::string_view name = diagInfo(kind).name;
  std::string id;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && i != 0) id += '-';
    id += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return id;
}

std::optional<DiagKind> warningById(std::string_view id) {
  for (size_t i = 0; i < DiagKind::Count; ++i) {
    const DiagKind kind(i);
    if (diagInfo(kind).severity == Severity::Warning && diagId(kind) == id) return kind;
  }
  return {};
}

namespace {

// The kinds that are off by default, collected when coopc itself is built, because every compile needs them.
constexpr size_t kOptionalCount = [] {
  size_t count = 0;
  for (size_t i = 0; i < DiagKind::Count; ++i) count += kRegistered[i] == Registered::OptionalWarning ? 1 : 0;
  return count;
}();
constexpr std::array<uint16_t, kOptionalCount> kOptionalKinds = [] {
  std::array<uint16_t, kOptionalCount> kinds{};
  size_t next = 0;
  for (size_t i = 0; i < DiagKind::Count; ++i)
    if (kRegistered[i] == Registered::OptionalWarning) kinds[next++] = static_cast<uint16_t>(i);
  return kinds;
}();

}  // namespace

std::bitset<DiagKind::Count> DiagOptions::warningsOffByDefault() {
  std::bitset<DiagKind::Count> off;
  for (const uint16_t kind : kOptionalKinds) off.set(kind);
  return off;
}

DiagBuilder& DiagBuilder::note(SourceLoc loc, std::string text) {
  if (engine_ == nullptr) return *this;
  MemoryBudget::take(sizeof(DiagNote) + text.size());
  engine_->list_[index_].notes.push_back({loc, 0, std::move(text)});
  return *this;
}

DiagBuilder& DiagBuilder::suggest(std::string_view replacement) {
  if (engine_ == nullptr) return *this;
  MemoryBudget::take(replacement.size());
  engine_->list_[index_].suggestion = replacement;
  return *this;
}

DiagBuilder& DiagBuilder::length(uint32_t bytes) {
  if (engine_ != nullptr) engine_->list_[index_].length = bytes;
  return *this;
}

DiagBuilder& DiagBuilder::clause(std::string_view text) {
  if (engine_ != nullptr) engine_->list_[index_].clause = text;
  return *this;
}

// Whether an error of the preprocessor drops tokens, or passes on a token that is not a value.
static bool losesTokens(DiagKind kind) {
  constexpr DiagKind kLosing[] = {DiagKind::InvalidCharacter,   DiagKind::StringNeedsExtension,
                                  DiagKind::UnterminatedString, DiagKind::MacroArgumentCount,
                                  DiagKind::MacroUnterminated,  DiagKind::PasteInvalid};
  return std::find(std::begin(kLosing), std::end(kLosing), kind) != std::end(kLosing);
}

void Diagnostics::noteLostToken(SourceLoc loc) {
  if (!loc.valid()) return;
  MemoryBudget::take(sizeof(uint32_t));
  lostPlaces_.push_back(sources_.fileLoc(loc).raw);
}

DiagBuilder Diagnostics::add(DiagKind kind, SourceLoc loc, std::span<const std::string> args,
                             bool asWarning) {
  const DiagBuilder nothing(nullptr, 0);
  // Reports after a limit was hit are consequences of it.
  if (suppress != 0 || fatal_) return nothing;
  const DiagInfo info = diagInfo(kind);
  Severity severity = info.severity;
  if (severity == Severity::Warning) {
    const auto index = static_cast<size_t>(kind.number);
    if (options_.declined[index]) return nothing;
    if (options_.strict && !info.clause.empty())
      severity = Severity::Error;
    else if (options_.off[index] || options_.suppressWarnings)
      return nothing;
    else if (options_.warningsAsErrors)
      severity = Severity::Error;
  }
  if (asWarning && severity == Severity::Error) severity = Severity::Warning;
  Diagnostic d;
  d.kind = kind;
  d.severity = severity;
  d.loc = loc;
  d.message = formatMessage(info.format, args);
  d.clause = info.clause;
  // The same finding at the same place (an expression that is checked twice) is reported once.
  if (!list_.empty()) {
    const Diagnostic& last = counted_.message.empty() ? list_.back() : counted_;
    if (last.kind == kind && last.loc == loc && last.message == d.message) return nothing;
  }
  if (losesTokens(kind)) noteLostToken(loc);
  if (severity == Severity::Warning) ++warnings_;
  if (severity >= Severity::Error) ++errors_;
  if (severity == Severity::Fatal) fatal_ = true;
  const bool shown = severity == Severity::Fatal || list_.size() < kMaxListed;
  if (!shown || (severity == Severity::Error && errors_ > options_.maxErrors)) {
    counted_ = std::move(d);
    return nothing;
  }
  counted_.message.clear();
  size_t size = sizeof(Diagnostic) + d.message.size() + args.size() * sizeof(std::string);
  for (const std::string& arg : args) size += arg.size();
  MemoryBudget::take(size);
  d.arguments.assign(args.begin(), args.end());
  list_.push_back(std::move(d));
  return {this, static_cast<uint32_t>(list_.size() - 1)};
}

void Diagnostics::takeBack(const Mark& mark) {
  if (fatal_ || errors_ + warnings_ == mark.errors + mark.warnings) return;
  list_.resize(mark.listed);
  errors_ = mark.errors;
  warnings_ = mark.warnings;
  counted_ = {};
}

void Diagnostics::sortByPlace(FileId main) {
  // The place in the main file, in the file included there, and so on. Reports without a place stay after
  // the one before them; files that nothing includes (the command line's macros) come first.
  using Path = std::vector<uint32_t>;
  const auto pathOf = [&](SourceLoc loc) {
    Path path;
    while (loc.valid()) {
      const SourceLoc at = sources_.fileLoc(loc);
      path.push_back(at.raw);
      const FileId file = sources_.resolve(at).file;
      loc = sources_.includedFrom(file);
      if (!loc.valid() && file != main) path.push_back(0);
    }
    std::reverse(path.begin(), path.end());
    return path;
  };
  std::vector<std::pair<Path, size_t>> order;
  order.reserve(list_.size());
  for (size_t i = 0; i < list_.size(); ++i) {
    Path path = pathOf(list_[i].loc);
    if (path.empty() && i > 0) path = order.back().first;
    order.emplace_back(std::move(path), i);
  }
  if (std::is_sorted(order.begin(), order.end())) return;
  std::sort(order.begin(), order.end());
  std::vector<Diagnostic> sorted;
  sorted.reserve(list_.size());
  for (const auto& entry : order) sorted.push_back(std::move(list_[entry.second]));
  list_ = std::move(sorted);
}

}  // namespace coopc::frontend
