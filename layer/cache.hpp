// Lowered modules, kept in memory and in a folder. A key names all that an answer depends on, and is compared as a whole, in memory
// as in files: no hash decides.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "layer/module.hpp"
#include "layer/settings.hpp"
#include "spirv/lower/lower.hpp"

namespace coopc::layer {

/// What pipelines need of a LowerAnswer.
struct Lowered {
  spirv::lower::LowerAnswer::Kind kind = spirv::lower::LowerAnswer::Kind::Declined;
  std::vector<uint32_t> words;  ///< Lowered
  uint32_t subgroupSize = 0;    ///< as LowerAnswer's
  std::string reasons;          ///< Declined, in one line
};

struct CacheKey {
  std::string device;  ///< Offer::key
  std::shared_ptr<const KeptModule> module;
  std::vector<spirv::SpecializationValue> values;  ///< by SpecId
  uint32_t subgroupSize = 0;                       ///< that the pipeline asks for

  /// As bytes, the module's words at the end.
  std::string text() const;
};

class Cache {
 public:
  /// `folder`: made where it is not there; empty: nothing is kept in files. `limit`: bytes that the files have together at most;
  /// where they have more, those that were used the longest time ago are deleted.
  explicit Cache(std::string folder, uint64_t limit = Settings().cacheBytes)
      : folder_(std::move(folder)), limit_(limit) {}

  /// Null where it was never put in, and where a file is not what was written.
  std::shared_ptr<const Lowered> find(const CacheKey& key);
  void put(const CacheKey& key, std::shared_ptr<const Lowered> lowered);

 private:
  std::string fileOf(const std::string& text) const;
  void writeFile(const std::string& text, const Lowered& lowered);
  void keepBelowLimit(uint64_t written);

  std::string folder_;
  uint64_t limit_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Lowered>> entries_;
  std::mutex filesMutex_;
  std::optional<uint64_t> bytes_;  ///< of the folder's files, as far as it is known
};

}  // namespace coopc::layer
