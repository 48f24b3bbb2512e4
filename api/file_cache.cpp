// Files read once for many compiles.
//
// An entry is made under the map's lock and filled under its own, so that threads that want the same file wait for the one
// that reads it, and other files go on meanwhile. Entries stay until the cache goes, so references to them may leave the
// lock.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>

#include "api/shared_text.hpp"
#include "coopc/coopc.hpp"

namespace coopc {
namespace {

// More than a compile takes (frontend/options.hpp, sourceBytes): reading endless files ends.
constexpr size_t kMaxBytes = (size_t{512} << 20) + 1;

bool readAll(int file, std::string& text) {
  struct stat info {};
  if (fstat(file, &info) != 0) return false;
  if (S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    return false;
  }
  size_t size = 0;
  const bool regular = S_ISREG(info.st_mode) && info.st_size > 0;
  text.resize(regular ? std::min(static_cast<size_t>(info.st_size) + 1, kMaxBytes) : 16 * 1024);
  while (size < kMaxBytes) {
    if (size == text.size()) text.resize(std::min(text.size() * 2, kMaxBytes));
    const ssize_t n = ::read(file, text.data() + size, text.size() - size);
    if (n < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (n == 0) break;
    size += static_cast<size_t>(n);
  }
  text.resize(size);
  return true;
}

struct Entry {
  std::mutex lock;
  bool tried = false;
  int error = 0;
  SharedText text;
};

std::string_view folderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash + 1);
}

}  // namespace

SharedText::SharedText(std::string_view text) : size_(text.size()) {
  std::shared_ptr<char[]> chars(new char[text.size() + frontend::kTextPadding]);
  if (!text.empty()) std::memcpy(chars.get(), text.data(), text.size());
  std::memset(chars.get() + text.size(), 0, frontend::kTextPadding);
  chars_ = std::move(chars);
}

struct FileCache::Impl {
  mutable std::mutex lock;
  std::unordered_map<std::string, std::unique_ptr<Entry>> entries;

  Entry& entry(const std::string& path) {
    const std::lock_guard<std::mutex> hold(lock);
    std::unique_ptr<Entry>& slot = entries[path];
    if (slot == nullptr) slot = std::make_unique<Entry>();
    return *slot;
  }
};

FileCache::FileCache() : impl_(std::make_unique<Impl>()) {}
FileCache::~FileCache() = default;

SharedText FileCache::read(const std::string& path, int* error) {
  Entry& entry = impl_->entry(path);
  const std::lock_guard<std::mutex> hold(entry.lock);
  if (!entry.tried) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    entry.error = file < 0 ? errno : 0;
    if (file >= 0) {
      std::string text;
      if (readAll(file, text))
        entry.text = SharedText(text);
      else
        entry.error = errno;
      close(file);
    }
    entry.tried = true;
  }
  if (error != nullptr) *error = entry.error;
  return entry.text;
}

uint64_t FileCache::opened() const {
  const std::lock_guard<std::mutex> hold(impl_->lock);
  return impl_->entries.size();
}

IncludeResolver FileCache::resolver(std::vector<std::string> folders, std::string directory) {
  for (std::string& folder : folders)
    if (!folder.empty() && folder.back() != '/') folder += '/';
  if (!directory.empty() && directory.back() != '/') directory += '/';
  return [this, folders = std::move(folders), directory = std::move(directory)](
             std::string_view name, bool angled, std::string_view from, uint32_t) -> std::optional<Include> {
    Include found;
    auto tryPath = [&](std::string path) {
      found.shared = read(path.front() == '/' ? path : directory + path);
      if (!found.shared) return false;
      found.name = std::move(path);
      return true;
    };
    if (name.empty() || name.find('\0') != std::string_view::npos || name == "-") return std::nullopt;
    if (name.front() == '/') {
      if (tryPath(std::string(name))) return found;
      return std::nullopt;
    }
    if (!angled && tryPath(std::string(folderOf(from)) + std::string(name))) return found;
    for (const std::string& folder : folders)
      if (tryPath(folder + std::string(name))) return found;
    return std::nullopt;
  };
}

}  // namespace coopc
