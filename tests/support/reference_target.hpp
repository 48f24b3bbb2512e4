// The target of the reference compiler, in tests that run it inside their own process: Vulkan 1.3's GLSL and
// SPIR-V 1.6.
#pragma once

#include <glslang/Public/ShaderLang.h>

namespace coopc::tests {

inline constexpr EShMessages kReferenceRules = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);

/// Sets the text and the target. `source` must live as long as the shader.
inline void setReference(glslang::TShader& shader, const char* const& source,
                         EShLanguage stage = EShLangCompute) {
  shader.setStrings(&source, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, stage, glslang::EShClientVulkan, 100);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_3);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_6);
}

}  // namespace coopc::tests
