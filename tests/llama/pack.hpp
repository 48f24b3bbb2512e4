// A folder with the modules of many variants and everything needed to run them, for machines that have a
// device and neither compilers nor shaders: index.json (names, bindings, and the places of the words) and
// modules.bin (words).
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "harness/result.hpp"
#include "tests/llama/execution.hpp"

namespace coopc::tests::llama {

struct PackedVariant {
  Subject subject;
  Reflection reflection;
  /// In words, in modules.bin.
  std::array<uint64_t, kModules> offset{};
  std::array<uint64_t, kModules> length{};
};

/// Writes a pack, variant by variant, without the modules' names. Equal modules are stored once.
class PackWriter {
 public:
  explicit PackWriter(const std::string& folder) : folder_(folder) {}
  ~PackWriter();
  PackWriter(const PackWriter&) = delete;
  PackWriter& operator=(const PackWriter&) = delete;

  /// Creates the folder.
  coopc::harness::Status begin();
  /// `reflection` is of the reference's module, with its names.
  coopc::harness::Status add(const Subject& subject, const Reflection& reflection, Modules modules);
  coopc::harness::Status end();
  uint64_t bytes() const { return written_ * 4; }

 private:
  std::string folder_;
  std::FILE* words_ = nullptr;
  uint64_t written_ = 0;
  std::vector<PackedVariant> variants_;
  std::map<std::vector<uint32_t>, uint64_t> stored_;
};

class Pack {
 public:
  static coopc::harness::Result<Pack> open(const std::string& folder);
  const std::vector<PackedVariant>& variants() const { return variants_; }
  coopc::harness::Result<Modules> modules(const PackedVariant& variant) const;

 private:
  std::string words_;  ///< path
  std::vector<PackedVariant> variants_;
};

}  // namespace coopc::tests::llama
