// The shaders of an engine: compiled by a pool of threads, lowered if the device lacks features that they
// use, reflected for the pipeline layout, and compiled again when a file that they depend on changes or
// appears.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "coopc/coopc.hpp"

namespace engine {

/// As VkDescriptorSetLayoutBinding; the kind is coopc::ReflectedBindingKind.
struct Binding {
  uint32_t set = 0, binding = 0, count = 1;
  int kind = 0;
};

/// The source of a pipeline. Immutable: recompiling makes a new object.
struct Shader {
  std::vector<uint32_t> words;
  std::vector<Binding> bindings;
  uint64_t pushConstantBytes = 0;
  uint32_t requiredSubgroupSize = 0;  ///< 0: any
  bool lowered = false;
  std::string messages;
  bool ok() const { return !words.empty(); }
};

class ShaderCache {
 public:
  /// `device`: a profile (JSON, as `cooprun --dump-profile` writes it) or the name of a shipped one.
  ShaderCache(std::vector<std::string> includeFolders, std::string device, unsigned threads);
  ~ShaderCache();
  ShaderCache(const ShaderCache&) = delete;
  ShaderCache& operator=(const ShaderCache&) = delete;

  /// The newest shader that compiled, without waiting; null until the first has. The first request for a file
  /// starts its compile.
  std::shared_ptr<const Shader> get(const std::string& path);
  /// Waits for the first result, which may be an error, described by Shader::messages.
  std::shared_ptr<const Shader> wait(const std::string& path);
  /// Call once per frame, or when the system reports changed files: recompiles the shaders concerned, and
  /// returns how many.
  size_t reloadChanged();

 private:
  struct Slot {
    std::shared_ptr<const Shader> good;    ///< the last one that compiled
    std::shared_ptr<const Shader> newest;  ///< the last one, which may be an error
    std::vector<std::string> watched;      ///< dependencies, and files that #include did not find
    uint64_t asked = 0, done = 0;          ///< numbers of compiles
  };
  void start(const std::string& path, Slot& slot);  ///< call with the lock held
  void work();
  Shader make(const std::string& path, std::vector<std::string>& watched);

  coopc::FileCache files_;
  coopc::Options options_;
  std::string device_;
  std::mutex lock_;  ///< guards all members below
  std::condition_variable changed_;
  std::unordered_map<std::string, Slot> slots_;
  std::queue<std::string> jobs_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace engine
