// Compiles the layer's declarations as on 32-bit systems. There, all handles that are not dispatchable have
// one 64-bit integer type, so functions cannot be overloaded on them. There is nothing to run.
#include "layer/state.hpp"
#include "layer/vectors/device.hpp"
#ifdef VK_ARM_tensors
#include "layer/tensors/device.hpp"
#endif

static_assert(std::is_same_v<VkPipeline, VkShaderEXT>);
