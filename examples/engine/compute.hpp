// The minimum of Vulkan that runs a compute shader: a device with its features enabled, one buffer, one
// dispatch. The loader is opened at run time, so that the engine also starts without one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shader_cache.hpp"

namespace engine {

class Compute {
 public:
  /// Opens the first device with a compute queue. Null if there is no loader, driver or device; `why` says
  /// which.
  static std::unique_ptr<Compute> open(std::string& why);
  ~Compute();
  Compute(const Compute&) = delete;
  Compute& operator=(const Compute&) = delete;

  const std::string& name() const;     ///< the device's
  const std::string& profile() const;  ///< its device profile, by which the cache chooses and lowers modules
  /// Runs one workgroup of the shader, with `data` in its one storage buffer and push constants of zeros.
  /// False, with the reason in `why`, if Vulkan refuses.
  bool run(const Shader& shader, std::vector<uint16_t>& data, std::string& why);

 private:
  struct Impl;
  explicit Compute(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace engine
