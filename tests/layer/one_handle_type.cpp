// The layer's declarations, compiled as on 32-bit systems, where all handles that are not dispatchable are
// 64-bit numbers of one type: functions cannot be overloaded on them. There is nothing to run.
#include "layer/state.hpp"
#include "layer/vectors/device.hpp"
#ifdef VK_ARM_tensors
#include "layer/tensors/device.hpp"
#endif

static_assert(std::is_same_v<VkPipeline, VkShaderEXT>);
