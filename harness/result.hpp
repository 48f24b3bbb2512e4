// A value or an error message, as the executor's functions return it: the harness's do likewise.
#pragma once

#include "vulkan/device/result.hpp"

namespace coopc::harness {

using vk::Error;
using vk::Result;
using vk::Status;

}  // namespace coopc::harness
