// A value or an error message, as the functions of the executor and the harness return it.
#pragma once

#include "vulkan/device/result.hpp"

namespace coopc::harness {

using vk::Error;
using vk::Result;
using vk::Status;

}  // namespace coopc::harness
