// Reads files, and caches them for many compiles, which read and lex each file once.
//
// An entry is made under the map's lock and filled under its own, so that threads that want the same file
// wait for the one that reads it, while other files are not blocked. A file that changed gets a new entry;
// holders of the old entry keep it.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/shared_text.hpp"
#include "base/file_stamp.hpp"
#include "base/system.hpp"
#include "coopc/coopc.hpp"
#include "frontend/lex/lexed_text.hpp"

namespace coopc {
namespace {

// More than a compile accepts (frontend/base/options.hpp, sourceBytes), so that reading an endless file ends.
constexpr size_t kMaxBytes = (size_t{512} << 20) + 1;
// Limits on the texts that are lexed in advance, and on the memory for their tokens.
constexpr size_t kMaxLexedText = size_t{16} << 20;
constexpr size_t kMaxLexedBytes = size_t{256} << 20;

using Chars = std::shared_ptr<char[]>;
Chars makeChars(size_t size) { return Chars(new char[size + frontend::kTextPadding]); }

SharedText makeSharedText(Chars chars, size_t size) {
  std::memset(chars.get() + size, 0, frontend::kTextPadding);
  return SharedTextAccess::make(std::move(chars), size);
}

// No text, with errno set, if reading fails.
SharedText readAll(int file) {
  struct stat info {};
  if (fstat(file, &info) != 0) return {};
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return {};
  }
  // One byte more than the file's size, so that its end is seen without another buffer.
  const bool known = S_ISREG(info.st_mode) && info.st_size > 0;
  size_t room = known ? std::min(static_cast<size_t>(info.st_size) + 1, kMaxBytes) : 16 * 1024;
  Chars chars = makeChars(room);
  size_t size = 0;
  while (size < kMaxBytes) {
    if (size == room) {
      room = std::min(room * 2, kMaxBytes);
      Chars larger = makeChars(room);
      std::memcpy(larger.get(), chars.get(), size);
      chars = std::move(larger);
    }
    const ssize_t n = ::read(file, chars.get() + size, room - size);
    if (n < 0) {
      if (errno == EINTR) continue;
      return {};
    }
    if (n == 0) break;
    size += static_cast<size_t>(n);
  }
  return makeSharedText(std::move(chars), size);
}

// The tokens of a text. They count toward the cache's limit as long as anything refers to them.
struct CountedTokens {
  CountedTokens(std::shared_ptr<const frontend::LexedText> made, std::shared_ptr<std::atomic<size_t>> sum)
      : tokens(std::move(made)), total(std::move(sum)), bytes(tokens->bytes()) {
    *total += bytes;
  }
  ~CountedTokens() { *total -= bytes; }
  CountedTokens(const CountedTokens&) = delete;
  CountedTokens& operator=(const CountedTokens&) = delete;

  std::shared_ptr<const frontend::LexedText> tokens;
  std::shared_ptr<std::atomic<size_t>> total;  // texts may outlive their cache
  size_t bytes;
};

struct Entry {
  std::mutex lock;
  bool tried = false;
  bool lexed = false;  // or lexing failed; happens when the file is first read
  bool fixed = false;  // added by put()
  int error = 0;
  FileStamp stamp;
  SharedText text;
};

}  // namespace

SharedText::SharedText(std::string_view text) {
  Chars chars = makeChars(text.size());
  if (!text.empty()) std::memcpy(chars.get(), text.data(), text.size());
  *this = makeSharedText(std::move(chars), text.size());
}

SharedText readFile(const std::string& path, int* error) {
  const bool standard = path == "-";
  const int file = standard ? STDIN_FILENO : openFile(path, O_RDONLY);
  SharedText text;
  if (file >= 0) text = readAll(file);
  if (error != nullptr) *error = text ? 0 : errno;
  if (file >= 0 && !standard) close(file);
  return text;
}

struct FileCache::Impl {
  Keep keep;
  std::atomic<uint64_t> lexed = 0;
  std::shared_ptr<std::atomic<size_t>> lexedBytes = std::make_shared<std::atomic<size_t>>(0);
  mutable std::mutex lock;  // of `entries`
  std::unordered_map<std::string, std::shared_ptr<Entry>> entries;

  std::shared_ptr<Entry> entry(const std::string& path) {
    const std::lock_guard<std::mutex> hold(lock);
    std::shared_ptr<Entry>& slot = entries[path];
    if (slot == nullptr) slot = std::make_shared<Entry>();
    return slot;
  }

  void lex(SharedText& text) {
    if (keep != Keep::Tokens || text.view().size() > kMaxLexedText || *lexedBytes >= kMaxLexedBytes) return;
    std::shared_ptr<const frontend::LexedText> tokens = frontend::LexedText::make(text.view());
    if (tokens == nullptr) return;
    ++lexed;
    const auto counted = std::make_shared<const CountedTokens>(std::move(tokens), lexedBytes);
    SharedTextAccess::setLexed(text, {counted, counted->tokens.get()});
  }
};

FileCache::FileCache(Keep keep) : impl_(std::make_unique<Impl>()) { impl_->keep = keep; }
FileCache::~FileCache() = default;

SharedText FileCache::read(const std::string& path, int* error) {
  const std::shared_ptr<Entry> entry = impl_->entry(path);
  const std::lock_guard<std::mutex> hold(entry->lock);
  if (!entry->tried) {
    entry->stamp = fileStamp(path);  // before reading, so that a change in the meantime is noticed
    entry->text = readFile(path, &entry->error);
    entry->tried = true;
  }
  if (entry->text && !entry->lexed) impl_->lex(entry->text);
  entry->lexed = true;
  if (error != nullptr) *error = entry->error;
  return entry->text;
}

void FileCache::put(const std::string& path, std::string_view text) {
  auto entry = std::make_shared<Entry>();
  entry->text = SharedText(text);
  entry->tried = entry->fixed = true;
  const std::lock_guard<std::mutex> hold(impl_->lock);
  impl_->entries[path] = std::move(entry);
}

bool FileCache::invalidate(const std::string& path) {
  const std::lock_guard<std::mutex> hold(impl_->lock);
  return impl_->entries.erase(path) != 0;
}

void FileCache::invalidateAll() {
  const std::lock_guard<std::mutex> hold(impl_->lock);
  impl_->entries.clear();
}

std::vector<std::string> FileCache::refresh() {
  std::vector<std::pair<std::string, std::shared_ptr<Entry>>> known;
  {
    const std::lock_guard<std::mutex> hold(impl_->lock);
    known.assign(impl_->entries.begin(), impl_->entries.end());
  }
  std::vector<std::string> changed;
  for (auto& [path, entry] : known) {
    {
      const std::lock_guard<std::mutex> hold(entry->lock);
      if (!entry->tried || entry->fixed || entry->stamp == fileStamp(path)) continue;
    }
    const std::lock_guard<std::mutex> hold(impl_->lock);
    const auto at = impl_->entries.find(path);
    if (at == impl_->entries.end() || at->second != entry) continue;
    impl_->entries.erase(at);
    changed.push_back(std::move(path));
  }
  std::sort(changed.begin(), changed.end());
  return changed;
}

uint64_t FileCache::countFiles() const {
  const std::lock_guard<std::mutex> hold(impl_->lock);
  return impl_->entries.size();
}

uint64_t FileCache::countLexed() const { return impl_->lexed; }

IncludeResolver FileCache::resolver(std::vector<std::string> folders, std::string directory) {
  for (std::string& folder : folders)
    if (!folder.empty() && !isPathSeparator(folder.back())) folder += '/';
  if (!directory.empty() && !isPathSeparator(directory.back())) directory += '/';
  return [this, folders = std::move(folders), directory = std::move(directory)](
             std::string_view name, bool angled, std::string_view from, uint32_t) -> std::optional<Include> {
    Include found;
    auto tryPath = [&](std::string path) {
      std::string place = isAbsolutePath(path) ? path : directory + path;
      found.shared = read(place);
      if (!found.shared) {
        found.missing.push_back(std::move(place));
        return false;
      }
      found.name = std::move(path);
      return true;
    };
    if (name.empty() || name.find('\0') != std::string_view::npos || name == "-") return std::nullopt;
    // As for the reference compilers, a name that begins with `/` is also a name below a folder; `</name>` is
    // that first.
    const bool isAbsolute = isAbsolutePath(name);
    if (isAbsolute && !angled && tryPath(std::string(name))) return found;
    std::string_view below = name;
    while (!below.empty() && isPathSeparator(below.front())) below.remove_prefix(1);
    if (!below.empty() && !isAbsolutePath(below)) {
      if (!angled && tryPath(std::string(pathFolder(from)) + std::string(below))) return found;
      for (const std::string& folder : folders)
        if (tryPath(folder + std::string(below))) return found;
    }
    if (isAbsolute && angled && tryPath(std::string(name))) return found;
    found.found = false;
    return found;
  };
}

}  // namespace coopc
