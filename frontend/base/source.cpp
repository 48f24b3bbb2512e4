// Files, positions, macro expansions and #line.
//
// A file owns the positions base .. base + size (its end has a position too); a position is found again by
// binary search over the bases. Line starts are scanned only when a place of the file is shown: a compile
// without diagnostics never counts lines.
#include "frontend/base/source.hpp"

#include <algorithm>
#include <cstring>

#include "base/memory_budget.hpp"

namespace coopc::frontend {
namespace {

constexpr uint32_t kMacroBit = 0x80000000u;
constexpr uint32_t kMaxPosition = 0x7fffffffu;

struct LineDirective {
  uint32_t offset;  // of the directive
  uint32_t line;    // of the line after it
  uint32_t name;    // index into names; kNoName if unchanged
};
constexpr uint32_t kNoName = ~0u;

struct File {
  std::string name;
  std::shared_ptr<const char[]> text;
  std::shared_ptr<const LexedText> lexed;
  uint32_t size = 0;
  uint32_t base = 0;
  SourceLoc includedFrom;
  std::vector<LineDirective> lineDirectives;
  std::vector<uint32_t> lineStarts;  // empty: not scanned yet
};

struct Expansion {
  SourceLoc spelled;
  SourceLoc invoked;
  uint32_t macroName;
};

}  // namespace

struct SourceManager::Impl {
  std::vector<File> files;
  std::vector<Expansion> expansions;
  std::vector<std::string> lineNames;  // names that #line gave
  uint32_t next = 0;

  const File* fileOf(uint32_t position, uint32_t& index) const {
    auto it = std::upper_bound(files.begin(), files.end(), position,
                               [](uint32_t p, const File& f) { return p < f.base; });
    if (it == files.begin()) return nullptr;
    --it;
    index = static_cast<uint32_t>(it - files.begin());
    return &*it;
  }
};

namespace {

// Lines end with CR, LF, CR LF or LF CR (GLSL 4.60, 3.1).
void scanLines(File& file) {
  file.lineStarts.push_back(0);
  const char* text = file.text.get();
  if (std::memchr(text, '\r', file.size) == nullptr) {
    const char* at = text;
    const char* end = text + file.size;
    while (const void* hit = std::memchr(at, '\n', static_cast<size_t>(end - at))) {
      at = static_cast<const char*>(hit) + 1;
      MemoryBudget::growth(file.lineStarts);
      file.lineStarts.push_back(static_cast<uint32_t>(at - text));
    }
    return;
  }
  for (uint32_t i = 0; i < file.size; ++i) {
    const char c = text[i];
    if (c != '\n' && c != '\r') continue;
    const char other = c == '\n' ? '\r' : '\n';
    if (text[i + 1] == other) ++i;
    MemoryBudget::growth(file.lineStarts);
    file.lineStarts.push_back(i + 1);
  }
}

}  // namespace

SourceManager::SourceManager() : impl_(std::make_unique<Impl>()) {}
SourceManager::~SourceManager() = default;

FileId SourceManager::addFile(std::string name, std::string_view text, SourceLoc includedFrom) {
  if (text.size() >= kMaxPosition - 1) return kNoFile;
  MemoryBudget::take(text.size());
  std::shared_ptr<char[]> copy(new char[text.size() + kTextPadding]);
  if (!text.empty()) std::memcpy(copy.get(), text.data(), text.size());
  std::memset(copy.get() + text.size(), 0, kTextPadding);
  return addFile(std::move(name), SharedText{std::move(copy), text.size(), nullptr}, includedFrom);
}

FileId SourceManager::addFile(std::string name, SharedText text, SourceLoc includedFrom) {
  Impl& d = *impl_;
  if (text.size >= kMaxPosition - 1 || d.next >= kMaxPosition - 1 - static_cast<uint32_t>(text.size))
    return kNoFile;
  MemoryBudget::growth(d.files);
  MemoryBudget::take(name.size());
  File file;
  file.name = std::move(name);
  file.size = static_cast<uint32_t>(text.size);
  file.base = d.next;
  file.includedFrom = includedFrom;
  file.text = std::move(text.chars);
  file.lexed = std::move(text.lexed);
  d.next += file.size + 1;
  d.files.push_back(std::move(file));
  return static_cast<FileId>(d.files.size() - 1);
}

std::string_view SourceManager::text(FileId file) const {
  const File& f = impl_->files[file];
  return {f.text.get(), f.size};
}

const LexedText* SourceManager::lexedText(FileId file) const { return impl_->files[file].lexed.get(); }

std::string_view SourceManager::name(FileId file) const { return impl_->files[file].name; }

SourceLoc SourceManager::includedFrom(FileId file) const { return impl_->files[file].includedFrom; }

uint32_t SourceManager::fileCount() const { return static_cast<uint32_t>(impl_->files.size()); }

SourceLoc SourceManager::loc(FileId file, uint32_t offset) const {
  return {1 + impl_->files[file].base + offset};
}

SourceLoc SourceManager::addExpansion(SourceLoc spelled, SourceLoc invoked, uint32_t macroName) {
  std::vector<Expansion>& table = impl_->expansions;
  if (table.size() >= kMaxPosition) return invoked;
  if (spelled.inMacro()) spelled = spellingLoc(spelled);
  MemoryBudget::growth(table);
  table.push_back({spelled, invoked, macroName});
  return {kMacroBit | static_cast<uint32_t>(table.size() - 1)};
}

SourceLoc SourceManager::fileLoc(SourceLoc loc) const {
  // An expansion is registered after the place of its invocation, so this loop ends.
  while (loc.inMacro()) loc = impl_->expansions[loc.raw & ~kMacroBit].invoked;
  return loc;
}

SourceLoc SourceManager::spellingLoc(SourceLoc loc) const {
  return loc.inMacro() ? impl_->expansions[loc.raw & ~kMacroBit].spelled : loc;
}

SourceLoc SourceManager::invocationLoc(SourceLoc loc) const {
  return loc.inMacro() ? impl_->expansions[loc.raw & ~kMacroBit].invoked : SourceLoc{};
}

uint32_t SourceManager::macroName(SourceLoc loc) const {
  return loc.inMacro() ? impl_->expansions[loc.raw & ~kMacroBit].macroName : 0;
}

void SourceManager::addLineDirective(SourceLoc directive, uint32_t line, std::string_view newName,
                                     bool hasName) {
  Impl& d = *impl_;
  directive = fileLoc(directive);
  uint32_t index = 0;
  if (!directive.valid() || d.fileOf(directive.raw - 1, index) == nullptr) return;
  File& file = d.files[index];
  uint32_t name = kNoName;
  if (hasName) {
    MemoryBudget::growth(d.lineNames);
    MemoryBudget::take(newName.size());
    name = static_cast<uint32_t>(d.lineNames.size());
    d.lineNames.emplace_back(newName);
  } else if (!file.lineDirectives.empty()) {
    name = file.lineDirectives.back().name;
  }
  MemoryBudget::growth(file.lineDirectives);
  file.lineDirectives.push_back({directive.raw - 1 - file.base, line, name});
}

ResolvedLoc SourceManager::resolve(SourceLoc loc) const {
  ResolvedLoc r;
  Impl& d = *impl_;
  loc = fileLoc(loc);
  uint32_t index = 0;
  if (!loc.valid() || d.fileOf(loc.raw - 1, index) == nullptr) return r;
  File& file = d.files[index];
  const uint32_t offset = std::min(loc.raw - 1 - file.base, file.size);
  if (file.lineStarts.empty()) scanLines(file);
  auto lineOf = [&](uint32_t at) {
    auto it = std::upper_bound(file.lineStarts.begin(), file.lineStarts.end(), at);
    return static_cast<uint32_t>(it - file.lineStarts.begin());  // 1-based
  };
  r.file = index;
  r.fileName = file.name;
  r.physicalLine = lineOf(offset);
  r.line = r.physicalLine;
  const uint32_t start = file.lineStarts[r.physicalLine - 1];
  r.column = offset - start + 1;
  uint32_t end = r.physicalLine < file.lineStarts.size() ? file.lineStarts[r.physicalLine] : file.size;
  const char* text = file.text.get();
  while (end > start && (text[end - 1] == '\n' || text[end - 1] == '\r')) --end;
  r.lineText = {text + start, end - start};
  // The last #line before this line.
  auto it = std::upper_bound(file.lineDirectives.begin(), file.lineDirectives.end(), offset,
                             [](uint32_t at, const LineDirective& l) { return at < l.offset; });
  while (it != file.lineDirectives.begin()) {
    --it;
    const uint32_t directiveLine = lineOf(it->offset);
    if (directiveLine >= r.physicalLine) continue;
    r.line = it->line + (r.physicalLine - directiveLine - 1);
    if (it->name != kNoName) r.fileName = d.lineNames[it->name];
    break;
  }
  return r;
}

}  // namespace coopc::frontend
