// The least of Vulkan that runs a compute shader: a device with what it has enabled, one buffer, one dispatch. The loader is opened at run
// time, so that the engine starts where there is none.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shader_cache.hpp"

namespace engine {

class Compute {
 public:
  /// On the first device with a compute queue; none where there is no loader, driver or device: `why` says it.
  static std::unique_ptr<Compute> open(std::string& why);
  ~Compute();
  Compute(const Compute&) = delete;
  Compute& operator=(const Compute&) = delete;

  const std::string& name() const;     ///< the device's
  const std::string& profile() const;  ///< what it answers: the cache chooses and lowers by it
  /// One workgroup of the shader with `data` at its one storage buffer, and push constants of zeros. False, and `why`, where
  /// Vulkan refuses.
  bool run(const Shader& shader, std::vector<uint16_t>& data, std::string& why);

 private:
  struct Impl;
  explicit Compute(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace engine
