// The common beginning of the commands in this folder: on devices whose tensors are not the layer's, the
// command of the next layer or the driver runs unchanged.
#pragma once

#include "layer/state.hpp"

#ifdef VK_ARM_tensors
#include <type_traits>

namespace coopc::layer::tensors {

template <class Function, class... Arguments>
VkResult resultOf(const Function& function, Arguments&&... arguments) {
  if constexpr (std::is_void_v<std::invoke_result_t<const Function&, Arguments...>>) {
    function(std::forward<Arguments>(arguments)...);
    return VK_SUCCESS;
  } else {
    return function(std::forward<Arguments>(arguments)...);
  }
}

/// Runs `body` with the state of the command's device and the layer's state of its tensors. `next`: the
/// command below, which runs with `handle` and `arguments` instead of `body` if the tensors are not the
/// layer's.
template <class Pfn, class Body, class Handle, class... Arguments>
VkResult run(Pfn Functions::*next, const Body& body, Handle handle, Arguments... arguments) {
  return guard([&]() -> VkResult {
    const std::shared_ptr<DeviceState> state = devices().find(handle);
    if (state == nullptr) return VK_ERROR_INITIALIZATION_FAILED;
    TensorDevice* const tensors = state->tensors();
    return tensors != nullptr ? resultOf(body, *state, *tensors)
                              : resultOf(state->next().*next, handle, arguments...);
  });
}

}  // namespace coopc::layer::tensors
#endif
