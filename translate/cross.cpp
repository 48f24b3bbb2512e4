// Calls SPIRV-Cross with the options of each language. SPIRV-Cross reports refusals by exceptions, which are
// caught here.
#include "translate/cross.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <spirv_glsl.hpp>
#include <spirv_hlsl.hpp>
#include <spirv_msl.hpp>

namespace coopc::translating {

namespace {

namespace sx = SPIRV_CROSS_NAMESPACE;

std::string glsl(std::vector<uint32_t> words, const std::string& entryPoint) {
  sx::CompilerGLSL compiler(std::move(words));
  compiler.set_entry_point(entryPoint, spv::ExecutionModelGLCompute);
  sx::CompilerGLSL::Options options = compiler.get_common_options();
  options.version = 460;
  options.vulkan_semantics = true;
  compiler.set_common_options(options);
  return compiler.compile();
}

std::string hlsl(std::vector<uint32_t> words, const std::string& entryPoint) {
  sx::CompilerHLSL compiler(std::move(words));
  compiler.set_entry_point(entryPoint, spv::ExecutionModelGLCompute);
  sx::CompilerHLSL::Options options = compiler.get_hlsl_options();
  // With native 16-bit types, loads and stores become templates, which older front ends do not accept.
  const bool sixteenBits = std::ranges::any_of(compiler.get_declared_capabilities(), [](spv::Capability c) {
    return c == spv::CapabilityFloat16 || c == spv::CapabilityInt16 ||
           c == spv::CapabilityStorageBuffer16BitAccess ||
           c == spv::CapabilityUniformAndStorageBuffer16BitAccess;
  });
  options.shader_model = sixteenBits ? 66 : 60;
  options.enable_16bit_types = sixteenBits;
  compiler.set_hlsl_options(options);
  return compiler.compile();
}

std::string msl(std::vector<uint32_t> words, const std::string& entryPoint) {
  sx::CompilerMSL compiler(std::move(words));
  compiler.set_entry_point(entryPoint, spv::ExecutionModelGLCompute);
  sx::CompilerMSL::Options options = compiler.get_msl_options();
  options.set_msl_version(3, 0);
  compiler.set_msl_options(options);
  return compiler.compile();
}

// Of an exception's text: its first line, as diagnostics begin.
std::string reasonOf(const char* what) {
  std::string text = what;
  text.resize(std::min(text.find('\n'), text.size()));
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  return "SPIRV-Cross refuses it: " + (text.empty() ? "no reason is given" : text);
}

}  // namespace

TranslateResult cross(std::vector<uint32_t> words, ShadingLanguage language, const std::string& entryPoint) {
  TranslateResult result;
  try {
    switch (language) {
      case ShadingLanguage::Glsl: result.text = glsl(std::move(words), entryPoint); break;
      case ShadingLanguage::Hlsl: result.text = hlsl(std::move(words), entryPoint); break;
      case ShadingLanguage::Msl: result.text = msl(std::move(words), entryPoint); break;
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& refusal) {
    result.error = reasonOf(refusal.what());
  }
  return result;
}

}  // namespace coopc::translating
