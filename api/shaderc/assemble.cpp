// shaderc_assemble_into_spv, by SPIRV-Tools' assembler if the library was built with it. It has a file of its
// own so that programs that do not assemble do not link SPIRV-Tools.
#include <memory>

#include "api/shaderc/handles.hpp"
#include "base/guarded.hpp"
#ifdef COOPC_SHADERC_ASSEMBLES
#include "base/spirv_version.hpp"
#include "coopc/core.hpp"
#endif

namespace {

using namespace coopc::shaderc;

#ifdef COOPC_SHADERC_ASSEMBLES
// As in shaderc: the newest version for the environment, unless a version was requested.
uint32_t versionOf(const shaderc_compile_options* options) {
  if (options == nullptr) return coopc::kSpirv10;
  if (options->value.spirvVersion != 0) return options->value.spirvVersion;
  switch (options->value.targetEnv) {
    case coopc::TargetEnv::Vulkan1_0:
    case coopc::TargetEnv::OpenGL4_5: return coopc::kSpirv10;
    case coopc::TargetEnv::Vulkan1_1: return coopc::kSpirv13;
    case coopc::TargetEnv::Vulkan1_2: return coopc::kSpirv15;
    default: return kNewestSpirv;
  }
}
#endif

}  // namespace

extern "C" COOPC_API shaderc_compilation_result* shaderc_assemble_into_spv(
    const shaderc_compiler*, const char* source, size_t size, const shaderc_compile_options* options) {
  return coopc::guard<shaderc_compilation_result*>(nullptr, [&] {
#ifdef COOPC_SHADERC_ASSEMBLES
    auto result = std::make_unique<shaderc_compilation_result>();
    std::string error;
    result->value.words = coopc::assemble(
        {source, size}, {.spirvVersion = versionOf(options), .preserveNumericIds = false}, &error);
    if (result->value.words.empty()) return failure(Status::InvalidAssembly, "assembly:" + error + "\n");
    result->value.ok = true;
    result->value.status = coopc::Status::Ok;
    return result.release();
#else
    static_cast<void>(source), static_cast<void>(size), static_cast<void>(options);
    return failure(Status::ConfigurationError,
                   "error: not supported: SPIR-V assembly, as this library was built without SPIRV-Tools\n");
#endif
  });
}
