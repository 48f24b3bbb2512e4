// --cache. A result's file is named by a hash of its key, and has the whole key inside: two keys with one
// hash give no wrong result. Of the files that the compile read, it has the sizes and hashes. A few results
// for one key, which differ in the files that they read, are kept side by side (slots).
#include "tools/coopc/result_cache.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>

#include "base/file_path.hpp"
#include "base/file_stamp.hpp"
#include "base/folder_limit.hpp"
#include "base/whole_file.hpp"

namespace coopc::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "coopc result 1\n";
constexpr size_t kMostBytes = size_t{1} << 30;  // of one result
constexpr uint32_t kTrimEvery = 64;  // results that are kept between two looks at the folder's size
constexpr uint32_t kSlots = 4;
constexpr const char* kExtension = ".coopc-result";

// FNV-1a, 64 bits: for accidental differences, not against forged ones. Who can write to the folder can
// replace results anyway.
uint64_t hashOf(std::string_view text) {
  uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

std::string hexadecimal(uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

class Writer {
 public:
  void number(uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view text) {
    number(text.size());
    bytes_.append(text);
  }
  // With a checksum at its end.
  std::string finish() {
    number(hashOf(bytes_));
    return std::move(bytes_);
  }

 private:
  std::string bytes_{kMagic};
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  // The magic and the checksum, which a file has that was written to its end.
  bool isWhole() {
    if (!bytes_.starts_with(kMagic) || bytes_.size() < kMagic.size() + sizeof(uint64_t)) return false;
    const std::string_view all = bytes_.substr(0, bytes_.size() - sizeof(uint64_t));
    bytes_.remove_prefix(all.size());
    const bool same = number() == hashOf(all);
    bytes_ = all.substr(kMagic.size());
    return same;
  }
  uint64_t number() {
    uint64_t value = 0;
    if (bytes_.size() < sizeof value) {
      failed_ = true;
      return 0;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  std::string_view text() {
    const uint64_t size = number();
    if (size > bytes_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view text = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return text;
  }
  bool failed() const { return failed_; }

 private:
  std::string_view bytes_;
  bool failed_ = false;
};

// The files that a compile read, beginning with the one that is part of the key, and those that it did not
// find: whether they are as they were. They go to `result`.
bool sameFiles(Reader& in, const ResultCache::Reader& read, coopc::Result& result) {
  const uint64_t count = in.number();
  for (uint64_t n = 0; n < count && !in.failed(); ++n) {
    std::string name(in.text());
    const uint64_t size = in.number(), hash = in.number();
    if (in.failed()) return false;
    if (n != 0) {
      const coopc::SharedText text = read(name);
      if (!text || text.view().size() != size || hashOf(text.view()) != hash) return false;
    }
    result.dependencies.push_back(std::move(name));
  }
  const uint64_t missing = in.number();
  for (uint64_t n = 0; n < missing && !in.failed(); ++n) {
    std::string name(in.text());
    if (in.failed() || read(name)) return false;
    result.missing.push_back(std::move(name));
  }
  return !in.failed();
}

std::optional<coopc::Result> readResult(std::string_view bytes, std::string_view key,
                                        const ResultCache::Reader& read) {
  Reader in(bytes);
  coopc::Result result;
  if (!in.isWhole() || in.text() != key || !sameFiles(in, read, result)) return std::nullopt;
  result.ok = true;
  result.status = coopc::Status::Ok;
  result.warningCount = static_cast<uint32_t>(in.number());
  result.messages = in.text();
  result.json = in.text();
  result.text = in.text();
  const std::string_view words = in.text();
  if (in.failed() || words.size() % sizeof(uint32_t) != 0) return std::nullopt;
  result.words.resize(words.size() / sizeof(uint32_t));
  std::memcpy(result.words.data(), words.data(), words.size());
  return result;
}

}  // namespace

std::string ResultCache::fileOf(std::string_view key, uint32_t slot) const {
  return folder_ + "/" + hexadecimal(hashOf(key)) + "-" + std::to_string(slot) + kExtension;
}

std::optional<coopc::Result> ResultCache::find(std::string_view key, const Reader& read) const {
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    const std::string name = fileOf(key, slot);
    std::string bytes;
    if (!readFile(name, bytes, kMostBytes).empty()) continue;
    std::optional<coopc::Result> result = readResult(bytes, key, read);
    if (!result) continue;
    std::error_code failed;
    fs::last_write_time(filePath(name), fs::file_time_type::clock::now(), failed);
    return result;
  }
  return std::nullopt;
}

void ResultCache::keep(std::string_view key, const coopc::Result& result, const Reader& read) const {
  Writer out;
  out.text(key);
  out.number(result.dependencies.size());
  for (size_t n = 0; n < result.dependencies.size(); ++n) {
    const std::string& name = result.dependencies[n];
    const coopc::SharedText text = n == 0 ? coopc::SharedText() : read(name);
    if (n != 0 && !text) return;  // read otherwise than by name, or gone meanwhile
    out.text(name);
    out.number(text.view().size());
    out.number(hashOf(text.view()));
  }
  out.number(result.missing.size());
  for (const std::string& name : result.missing) out.text(name);
  out.number(result.warningCount);
  out.text(result.messages);
  out.text(result.json);
  out.text(result.text);
  out.text({reinterpret_cast<const char*>(result.words.data()), result.words.size() * sizeof(uint32_t)});
  const std::string bytes = out.finish();

  // An empty slot, or else the one that was not used for the longest time.
  std::string name;
  fs::file_time_type oldest = fs::file_time_type::max();
  std::error_code failed;
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    const std::string candidate = fileOf(key, slot);
    const fs::file_time_type used = fs::last_write_time(filePath(candidate), failed);
    if (failed || used < oldest) name = candidate;
    if (failed) break;
    oldest = std::min(oldest, used);
  }

  static std::atomic<uint32_t> kept{0};
  const uint32_t number = kept++;
  const std::string unfinished = name + "." + std::to_string(getpid()) + "." + std::to_string(number);
  fs::create_directories(filePath(folder_), failed);
  if (failed || !writeFile(unfinished, bytes.data(), bytes.size()).empty()) {
    fs::remove(filePath(unfinished), failed);
    return;
  }
  fs::rename(filePath(unfinished), filePath(name), failed);
  if (failed) fs::remove(filePath(unfinished), failed);
  // The key's hash spreads this over processes that keep one result each.
  if ((hashOf(key) + number) % kTrimEvery == 0) keepFolderBelow(filePath(folder_), kExtension, maxBytes_);
}

std::string stampOf(const std::string& path) {
  const FileStamp stamp = fileStamp(path);
  return path + " " + std::to_string(stamp.size) + " " + std::to_string(stamp.seconds) + "." +
         std::to_string(stamp.fraction);
}

}  // namespace coopc::tool
