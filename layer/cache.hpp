// Lowered modules, and what the model finds for workgroups (advice/), kept in memory and in a folder. A key
// has everything that an answer depends on, and keys are compared as a whole, in memory and in files; a hash
// alone is never trusted.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "layer/advice/workgroup_fit.hpp"
#include "layer/module.hpp"
#include "layer/settings.hpp"
#include "spirv/lower/lower.hpp"

namespace coopc::layer {

/// The parts of a LowerAnswer that pipelines need, or, for a key with workgroups, the answer for these.
struct Lowered {
  spirv::lower::LowerAnswer::Kind kind = spirv::lower::LowerAnswer::Kind::Declined;
  std::vector<uint32_t> words;     ///< Lowered
  uint32_t subgroupSize = 0;       ///< as LowerAnswer's
  std::string reasons;             ///< Declined, in one line
  std::vector<WorkgroupFit> fits;  ///< advice
};

struct CacheKey {
  std::string device;  ///< Offer::key
  std::shared_ptr<const KeptModule> module;
  std::vector<spirv::SpecializationValue> values;  ///< by SpecId
  uint32_t subgroupSize = 0;                       ///< that the pipeline requires
  /// Numbers of invocations for which the module is a sample product, and the answer is advice; none: the
  /// answer is a lowered module.
  std::vector<uint32_t> workgroups{};

  /// Compares everything, the module's words too.
  bool operator==(const CacheKey& other) const;
  /// Hashes everything. The module is included by its own digest, which is known already, so that its words
  /// are not read again.
  Digest digest() const;
  /// The key as bytes, with the module's words last.
  std::string text() const;
};

class Cache {
 public:
  /// `folder` is created if it does not exist; if it is empty, nothing is kept in files. `limit`: the total
  /// size of the files in bytes. Beyond it, the least recently used files are deleted.
  explicit Cache(std::string folder, uint64_t limit = Settings().cacheBytes)
      : folder_(std::move(folder)), limit_(limit) {}

  /// Null if it was never added, or if a file does not have the contents that were written.
  std::shared_ptr<const Lowered> find(const CacheKey& key);
  void put(const CacheKey& key, std::shared_ptr<const Lowered> lowered);

 private:
  struct Entry {
    CacheKey key;
    std::shared_ptr<const Lowered> lowered;
  };
  struct DigestHash {
    size_t operator()(const Digest& digest) const { return size_t(digest.parts[0]); }
  };

  std::string fileOf(const Digest& digest) const;
  void writeFile(const Digest& digest, const CacheKey& key, const Lowered& lowered);
  void keepBelowLimit(uint64_t written);
  /// The entry for this key, which may be older than `lowered`.
  std::shared_ptr<const Lowered> add(const Digest& digest, const CacheKey& key,
                                     std::shared_ptr<const Lowered> lowered);
  /// Called with the mutex held.
  std::shared_ptr<const Lowered> findInMemory(const Digest& digest, const CacheKey& key) const;

  std::string folder_;
  uint64_t limit_;
  std::mutex mutex_;
  std::unordered_multimap<Digest, Entry, DigestHash> entries_;
  std::mutex filesMutex_;
  std::optional<uint64_t> bytes_;  ///< total size of the folder's files, as far as it is known
};

}  // namespace coopc::layer
