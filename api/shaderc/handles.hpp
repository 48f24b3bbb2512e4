// The objects that shaderc's opaque handles point to.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "api/shaderc/numbers.hpp"
#include "base/spirv_version.hpp"
#include "coopc/coopc.hpp"

struct shaderc_compiler {};

struct shaderc_compile_options {
  coopc::Options value;
  std::string unsupported;  ///< what was asked for and cannot be done; "": nothing
};

struct shaderc_compilation_result {
  coopc::Result value;
  coopc::shaderc::Status status = coopc::shaderc::Status::Success;
  bool text = false;  ///< the output is Result::text
};

namespace coopc::shaderc {

inline constexpr uint32_t kNewestSpirv = kSpirv16;  ///< the newest version that is written

inline shaderc_compilation_result* failure(Status status, const std::string& message) {
  auto result = std::make_unique<shaderc_compilation_result>();
  result->status = status;
  result->value.messages = message;
  result->value.errorCount = 1;
  return result.release();
}

}  // namespace coopc::shaderc
