// How the layer's tests ask the loader for it.
#pragma once

#include <cstdlib>

#include "layer/settings.hpp"

namespace coopc::tests {

/// Makes the loader find the layer by the manifests in a folder, by environment variables. The layer then
/// keeps no files and writes no messages. Call it before the first instance is made.
inline bool useLayer(const char* manifests) {
  setenv("VK_LAYER_PATH", manifests, 1);
  setenv("VK_INSTANCE_LAYERS", layer::kLayerName, 1);
  setenv("VK_COOPC_COOPERATIVE_MATRIX_CACHE", "off", 1);
  setenv("VK_COOPC_COOPERATIVE_MATRIX_LOG_LEVEL", "off", 1);
  return true;
}

}  // namespace coopc::tests
