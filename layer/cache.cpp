// A file consists of a line with the format's name and coopc's version, sizes, the key, the answer, and a
// digest of everything before it. It is written under another name and then renamed, so that other processes
// never see a partial file. Its modification time is the time of its last use.
#include "layer/cache.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "base/binary_entry.hpp"
#include "base/folder_limit.hpp"
#include "base/whole_file.hpp"

namespace coopc::layer {
namespace {

using Kind = spirv::lower::LowerAnswer::Kind;

constexpr const char* kExtension = ".lowered";

std::span<const std::byte> bytesOf(const std::string& text) { return std::as_bytes(std::span(text)); }

std::string head() { return "coopc lowered module 2 " COOPC_VERSION "\n"; }

void addFit(std::string& text, const WorkgroupFit& f) {
  addRaw(text, uint32_t(f.fits));
  for (const uint32_t number :
       {f.invocations, f.rows, f.columns, f.registers, f.spills, f.excess, f.m, f.n, f.k})
    addRaw(text, number);
}

bool readFit(EntryReader& reader, WorkgroupFit& f) {
  uint32_t fits = 0;
  if (!reader.raw(fits)) return false;
  f.fits = fits != 0;
  for (uint32_t* number :
       {&f.invocations, &f.rows, &f.columns, &f.registers, &f.spills, &f.excess, &f.m, &f.n, &f.k})
    if (!reader.raw(*number)) return false;
  return true;
}

std::string write(const CacheKey& ofEntry, const Lowered& lowered) {
  const std::string key = ofEntry.text();
  std::string text = head();
  text.reserve(text.size() + key.size() + lowered.reasons.size() + lowered.words.size() * sizeof(uint32_t) +
               64);
  addBlock(text, key.data(), key.size());
  addRaw(text, uint32_t(lowered.kind));
  addRaw(text, lowered.subgroupSize);
  addBlock(text, lowered.reasons.data(), lowered.reasons.size());
  addBlock(text, lowered.words.data(), lowered.words.size() * sizeof(uint32_t));
  addRaw(text, uint64_t(lowered.fits.size()));
  for (const WorkgroupFit& fit : lowered.fits) addFit(text, fit);
  const Digest digest = digestOf(bytesOf(text));
  addRaw(text, digest.parts);
  return text;
}

std::shared_ptr<const Lowered> read(std::string_view text, const std::string& key) {
  const std::string start = head();
  Digest wanted;
  if (text.size() < start.size() + sizeof wanted.parts || text.substr(0, start.size()) != start)
    return nullptr;
  const std::string_view body = text.substr(0, text.size() - sizeof wanted.parts);
  std::memcpy(&wanted.parts, text.data() + body.size(), sizeof wanted.parts);
  if (digestOf(std::as_bytes(std::span(body))) != wanted) return nullptr;
  EntryReader reader(body.substr(start.size()));
  auto lowered = std::make_shared<Lowered>();
  std::string_view theirs, reasons, words;
  uint32_t kind = 0;
  if (!reader.block(theirs) || theirs != key || !reader.raw(kind) || kind > uint32_t(Kind::Declined) ||
      !reader.raw(lowered->subgroupSize) || !reader.block(reasons) || !reader.block(words) ||
      words.size() % sizeof(uint32_t) != 0)
    return nullptr;
  uint64_t fits = 0;
  if (!reader.raw(fits)) return nullptr;
  for (uint64_t n = 0; n < fits; ++n)
    if (!readFit(reader, lowered->fits.emplace_back())) return nullptr;
  if (!reader.atEnd()) return nullptr;
  lowered->kind = Kind(kind);
  lowered->reasons = std::string(reasons);
  lowered->words.resize(words.size() / sizeof(uint32_t));
  std::memcpy(lowered->words.data(), words.data(), words.size());
  return lowered;
}

}  // namespace

bool CacheKey::operator==(const CacheKey& other) const {
  const auto sameValue = [](const spirv::SpecializationValue& a, const spirv::SpecializationValue& b) {
    return a.specId == b.specId && a.value == b.value;
  };
  return subgroupSize == other.subgroupSize && workgroups == other.workgroups && device == other.device &&
         std::equal(values.begin(), values.end(), other.values.begin(), other.values.end(), sameValue) &&
         (module == other.module || module->words == other.module->words);
}

Digest CacheKey::digest() const {
  std::string text = device;
  addRaw(text, module->digest.parts);
  addRaw(text, subgroupSize);
  for (const spirv::SpecializationValue& v : values) {
    addRaw(text, v.specId);
    addRaw(text, v.value);
  }
  for (const uint32_t invocations : workgroups) addRaw(text, invocations);
  return digestOf(bytesOf(text));
}

std::string CacheKey::text() const {
  std::string text;
  text.reserve(device.size() + values.size() * 12 + module->words.size() * sizeof(uint32_t) + 32);
  addBlock(text, device.data(), device.size());
  addRaw(text, subgroupSize);
  addRaw(text, uint64_t(values.size()));
  for (const spirv::SpecializationValue& v : values) {
    addRaw(text, v.specId);
    addRaw(text, v.value);
  }
  addBlock(text, workgroups.data(), workgroups.size() * sizeof(uint32_t));
  text.append(reinterpret_cast<const char*>(module->words.data()), module->words.size() * sizeof(uint32_t));
  return text;
}

std::string Cache::fileOf(const Digest& digest) const { return folder_ + "/" + digest.hex() + kExtension; }

std::shared_ptr<const Lowered> Cache::findInMemory(const Digest& digest, const CacheKey& key) const {
  const auto [first, end] = entries_.equal_range(digest);
  for (auto at = first; at != end; ++at) {
    if (at->second.key == key) return at->second.lowered;
  }
  return nullptr;
}

std::shared_ptr<const Lowered> Cache::add(const Digest& digest, const CacheKey& key,
                                          std::shared_ptr<const Lowered> lowered) {
  const std::lock_guard<std::mutex> lock(mutex_);
  // Another thread may have lowered the same module in the meantime.
  if (std::shared_ptr<const Lowered> earlier = findInMemory(digest, key)) return earlier;
  entries_.emplace(digest, Entry{key, lowered});
  return lowered;
}

std::shared_ptr<const Lowered> Cache::find(const CacheKey& key) {
  const Digest digest = key.digest();
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (std::shared_ptr<const Lowered> known = findInMemory(digest, key)) return known;
  }
  if (folder_.empty()) return nullptr;
  const std::string name = fileOf(digest);
  std::string contents;
  if (!readFile(name, contents).empty()) return nullptr;
  std::shared_ptr<const Lowered> lowered = read(contents, key.text());
  if (lowered == nullptr) return nullptr;
  std::error_code ignored;
  std::filesystem::last_write_time(name, std::filesystem::file_time_type::clock::now(), ignored);
  return add(digest, key, std::move(lowered));
}

void Cache::put(const CacheKey& key, std::shared_ptr<const Lowered> lowered) {
  const Digest digest = key.digest();
  if (!folder_.empty()) writeFile(digest, key, *lowered);
  add(digest, key, std::move(lowered));
}

void Cache::writeFile(const Digest& digest, const CacheKey& key, const Lowered& lowered) {
  const std::string contents = write(key, lowered);
  if (contents.size() > limit_) return;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  const std::string name = fileOf(digest);
  const auto thread = std::hash<std::thread::id>()(std::this_thread::get_id());
  const std::string part = name + "." + std::to_string(getpid()) + "." + std::to_string(thread);
  // A folder that cannot be written to is not a reason to fail.
  if (!coopc::writeFile(part, contents.data(), contents.size()).empty()) {
    std::filesystem::remove(part, ignored);
    return;
  }
  std::filesystem::rename(part, name, ignored);
  keepBelowLimit(contents.size());
}

// Each process scans the folder once, and again whenever there may be too many files, because other processes
// write there too. It deletes more than necessary, so that not every new file causes a scan.
void Cache::keepBelowLimit(uint64_t written) {
  const std::lock_guard<std::mutex> lock(filesMutex_);
  if (bytes_ && *bytes_ + written <= limit_) {
    *bytes_ += written;
    return;
  }
  bytes_ = keepFolderBelow(folder_, kExtension, limit_);
}

}  // namespace coopc::layer
