// Shaders of an engine: compiled by a pool of threads, lowered where the device lacks what they use, reflected to what a pipeline
// layout needs, and compiled again when a file that they are made of changes, or comes to be.
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

/// What a pipeline is made of. Never changes: a shader that is compiled again is another one.
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
  /// `device`: a profile (JSON, as `cooprun --dump-profile` writes it of a device) or the name of one that ships.
  ShaderCache(std::vector<std::string> includeFolders, std::string device, unsigned threads);
  ~ShaderCache();
  ShaderCache(const ShaderCache&) = delete;
  ShaderCache& operator=(const ShaderCache&) = delete;

  /// The newest shader that compiled, at once; none until the first has. Asking for a file starts its compile.
  std::shared_ptr<const Shader> get(const std::string& path);
  /// The same, waiting for a first result, which may be an error: Shader::messages say it.
  std::shared_ptr<const Shader> wait(const std::string& path);
  /// Once a frame, or when the system says that files changed: compiles again what they concern. How many.
  size_t reloadChanged();

 private:
  struct Slot {
    std::shared_ptr<const Shader> good;    ///< the last that compiled
    std::shared_ptr<const Shader> newest;  ///< the last, which may be an error
    std::vector<std::string> watched;      ///< dependencies, and what #include did not find
    uint64_t asked = 0, done = 0;          ///< compiles
  };
  void start(const std::string& path, Slot& slot);  ///< with the lock
  void work();
  Shader make(const std::string& path, std::vector<std::string>& watched);

  coopc::FileCache files_;
  coopc::Options options_;
  std::string device_;
  std::mutex lock_;  ///< of all below
  std::condition_variable changed_;
  std::unordered_map<std::string, Slot> slots_;
  std::queue<std::string> jobs_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace engine
