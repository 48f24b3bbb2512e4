// --cache. A result's file is named by a hash of its key, and contains the whole key, so that two keys with
// the same hash never give a wrong result. It lists the sizes and hashes of the files that the compile read.
// A few results for one key, which differ in these files, are kept side by side (slots).
#include "tools/coopc/result_cache.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <unistd.h>

#include "base/binary_entry.hpp"
#include "base/file_path.hpp"
#include "base/file_stamp.hpp"
#include "base/folder_limit.hpp"
#include "base/whole_file.hpp"

namespace coopc::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "coopc result 2\n";
constexpr size_t kMostBytes = size_t{1} << 30;  // of one result
constexpr uint32_t kTrimEvery = 64;             // new results between two checks of the folder's size
constexpr uint32_t kSlots = 4;
constexpr const char* kExtension = ".coopc-result";

std::string hexadecimal(uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

// The contents between the magic and the checksum, if the file is complete.
std::optional<std::string_view> contentsOf(std::string_view bytes) {
  uint64_t checksum = 0;
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + sizeof checksum) return std::nullopt;
  const std::string_view all = bytes.substr(0, bytes.size() - sizeof checksum);
  std::memcpy(&checksum, bytes.data() + all.size(), sizeof checksum);
  if (checksum != entryHash(all)) return std::nullopt;
  return all.substr(kMagic.size());
}

// Checks that the files that a compile read, beginning with the one that is part of the key, are unchanged,
// and that the files that it did not find are still missing. Adds all of them to `result`.
bool sameFiles(EntryReader& in, const DependencyReader& read, coopc::Result& result) {
  uint64_t count = 0, size = 0, hash = 0;
  std::string_view name;
  if (!in.raw(count)) return false;
  for (uint64_t n = 0; n < count; ++n) {
    if (!in.block(name) || !in.raw(size) || !in.raw(hash)) return false;
    result.dependencies.emplace_back(name);
    if (n == 0) continue;
    const coopc::SharedText text = read(result.dependencies.back());
    if (!text || text.view().size() != size || entryHash(text.view()) != hash) return false;
  }
  if (!in.raw(count)) return false;
  for (uint64_t n = 0; n < count; ++n) {
    if (!in.block(name)) return false;
    result.missing.emplace_back(name);
    if (read(result.missing.back())) return false;
  }
  return true;
}

}  // namespace

std::optional<coopc::Result> readResultEntry(std::string_view bytes, std::string_view key,
                                             const DependencyReader& read) {
  const std::optional<std::string_view> contents = contentsOf(bytes);
  if (!contents) return std::nullopt;
  EntryReader in(*contents);
  coopc::Result result;
  std::string_view theirs, messages, json, text, words;
  if (!in.block(theirs) || theirs != key || !sameFiles(in, read, result) || !in.raw(result.warningCount) ||
      !in.block(messages) || !in.block(json) || !in.block(text) || !in.block(words) || !in.atEnd() ||
      words.size() % sizeof(uint32_t) != 0)
    return std::nullopt;
  result.ok = true;
  result.status = coopc::Status::Ok;
  result.messages = messages;
  result.json = json;
  result.text = text;
  result.words.resize(words.size() / sizeof(uint32_t));
  std::memcpy(result.words.data(), words.data(), words.size());
  return result;
}

std::string resultEntry(std::string_view key, const coopc::Result& result, const DependencyReader& read) {
  std::string bytes(kMagic);
  addBlock(bytes, key);
  addRaw(bytes, uint64_t(result.dependencies.size()));
  for (size_t n = 0; n < result.dependencies.size(); ++n) {
    const std::string& name = result.dependencies[n];
    const coopc::SharedText text = n == 0 ? coopc::SharedText() : read(name);
    if (n != 0 && !text) return {};  // it was not read by this name, or it is gone
    addBlock(bytes, name);
    addRaw(bytes, uint64_t(text.view().size()));
    addRaw(bytes, entryHash(text.view()));
  }
  addRaw(bytes, uint64_t(result.missing.size()));
  for (const std::string& name : result.missing) addBlock(bytes, name);
  addRaw(bytes, result.warningCount);
  addBlock(bytes, result.messages);
  addBlock(bytes, result.json);
  addBlock(bytes, result.text);
  addBlock(bytes, result.words.data(), result.words.size() * sizeof(uint32_t));
  addRaw(bytes, entryHash(bytes));
  return bytes;
}

std::string ResultCache::fileOf(std::string_view key, uint32_t slot) const {
  return folder_ + "/" + hexadecimal(entryHash(key)) + "-" + std::to_string(slot) + kExtension;
}

std::optional<coopc::Result> ResultCache::find(std::string_view key, const Reader& read) const {
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    const std::string name = fileOf(key, slot);
    std::string bytes;
    if (!readFile(name, bytes, kMostBytes).empty()) continue;
    std::optional<coopc::Result> result = readResultEntry(bytes, key, read);
    if (!result) continue;
    std::error_code failed;
    fs::last_write_time(filePath(name), fs::file_time_type::clock::now(), failed);
    return result;
  }
  return std::nullopt;
}

void ResultCache::keep(std::string_view key, const coopc::Result& result, const Reader& read) const {
  const std::string bytes = resultEntry(key, result, read);
  if (bytes.empty()) return;

  // An empty slot, or else the slot that was not used for the longest time.
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
  // The key's hash spreads the checks over processes that each keep one result.
  if ((entryHash(key) + number) % kTrimEvery == 0) keepFolderBelow(filePath(folder_), kExtension, maxBytes_);
}

std::string stampOf(const std::string& path) {
  const FileStamp stamp = fileStamp(path);
  return path + " " + std::to_string(stamp.size) + " " + std::to_string(stamp.seconds) + "." +
         std::to_string(stamp.fraction);
}

}  // namespace coopc::tool
