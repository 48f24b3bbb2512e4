// Calls SPIRV-Cross with the options of each language. SPIRV-Cross reports refusals by exceptions, which are
// caught here.
#include "translate/cross.hpp"

#include <algorithm>
#include <new>
#include <string_view>
#include <utility>

#include <spirv_glsl.hpp>
#include <spirv_hlsl.hpp>
#include <spirv_msl.hpp>

namespace coopc::translating {

namespace {

namespace sx = SPIRV_CROSS_NAMESPACE;

// The line that declares the block `name`, without its line end: `layout(...) uniform name`; npos, 0 if there
// is none.
std::pair<size_t, size_t> headOf(const std::string& text, const std::string& name) {
  for (size_t at = text.find("\nlayout("); at != std::string::npos; at = text.find("\nlayout(", at + 1)) {
    const std::string_view line = std::string_view(text).substr(at + 1, text.find('\n', at + 1) - at - 1);
    if (line.ends_with(" " + name)) return {at + 1, line.size()};
  }
  return {std::string::npos, 0};
}

// Replaces layouts that SPIRV-Cross chose without considering the strides of matrices. Returns an error if a
// layout cannot be written, or "".
std::string declareLayouts(const sx::CompilerGLSL& compiler, const CrossRequest& request, std::string& text) {
  for (const DeclaredLayout& block : request.layouts) {
    const std::string name =
        block.variable ? compiler.get_remapped_declared_block_name(block.id) : compiler.get_name(block.id);
    const auto [at, size] = headOf(text, name);
    if (at == std::string::npos) continue;  // not used
    const size_t end = text.find("\n}", at);
    const bool written = text.substr(at + size, end - at - size).find("offset = ") != std::string::npos;
    const char* layout = written ? block.written : block.implied;
    if (layout == nullptr)
      return "the members of block `" + name +
             "` lie where neither std140 nor std430 nor scalar layout puts them";
    std::string head = text.substr(at, size);
    for (const char* other : {"std140", "std430", "scalar"}) {
      const size_t word = head.find(other);
      if (word == std::string::npos) continue;
      head.replace(word, std::string_view(other).size(), layout);
      break;
    }
    text.replace(at, size, head);
  }
  return {};
}

TranslateResult glsl(std::vector<uint32_t> words, const CrossRequest& request) {
  sx::CompilerGLSL compiler(std::move(words));
  compiler.set_entry_point(request.entryPoint, spv::ExecutionModel(request.executionModel));
  sx::CompilerGLSL::Options options = compiler.get_common_options();
  options.version = 460;
  options.es = false;  // even if the source was an ES text
  options.vulkan_semantics = true;
  compiler.set_common_options(options);
  for (const std::string& extension : request.extensions) compiler.require_extension(extension);
  TranslateResult result;
  result.text = compiler.compile();
  result.error = declareLayouts(compiler, request, result.text);
  return result;
}

std::string hlsl(std::vector<uint32_t> words, const CrossRequest& request) {
  sx::CompilerHLSL compiler(std::move(words));
  compiler.set_entry_point(request.entryPoint, spv::ExecutionModel(request.executionModel));
  sx::CompilerHLSL::Options options = compiler.get_hlsl_options();
  // With native 16-bit types, loads and stores become templates, which older front ends do not accept.
  const bool sixteenBits = std::ranges::any_of(compiler.get_declared_capabilities(), [](spv::Capability c) {
    return c == spv::CapabilityFloat16 || c == spv::CapabilityInt16 ||
           c == spv::CapabilityStorageBuffer16BitAccess ||
           c == spv::CapabilityUniformAndStorageBuffer16BitAccess;
  });
  const auto needs = [&](spv::Capability wanted) {
    return std::ranges::find(compiler.get_declared_capabilities(), wanted) !=
           compiler.get_declared_capabilities().end();
  };
  options.shader_model = sixteenBits                         ? 66
                         : needs(spv::CapabilityRayQueryKHR) ? 65
                         : needs(spv::CapabilityMultiView) || needs(spv::CapabilityFragmentBarycentricKHR)
                             ? 61
                             : 60;
  options.enable_16bit_types = sixteenBits;
  compiler.set_hlsl_options(options);
  return compiler.compile();
}

std::string msl(std::vector<uint32_t> words, const CrossRequest& request) {
  sx::CompilerMSL compiler(std::move(words));
  compiler.set_entry_point(request.entryPoint, spv::ExecutionModel(request.executionModel));
  sx::CompilerMSL::Options options = compiler.get_msl_options();
  options.set_msl_version(request.metalVersion / 100, request.metalVersion / 10 % 10);
  compiler.set_msl_options(options);
  return compiler.compile();
}

// The first line of an exception's text, in the form of a diagnostic. After an internal error there is no
// reason to give.
std::string reasonOf(const char* what) {
  std::string text = what;
  text.resize(std::min(text.find('\n'), text.size()));
  while (!text.empty() && (text.back() == '.' || text.back() == ' ')) text.pop_back();
  if (text.empty() || text == "nullptr" || text == "Bad cast")
    return "SPIRV-Cross refuses it: it does not support a type or an instruction of the module, and does not "
           "say which";
  return "SPIRV-Cross refuses it: " + text;
}

}  // namespace

TranslateResult cross(std::vector<uint32_t> words, const CrossRequest& request) {
  TranslateResult result;
  try {
    switch (request.language) {
      case ShadingLanguage::Glsl: result = glsl(std::move(words), request); break;
      case ShadingLanguage::Hlsl: result.text = hlsl(std::move(words), request); break;
      case ShadingLanguage::Msl: result.text = msl(std::move(words), request); break;
    }
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& refusal) {
    result.error = reasonOf(refusal.what());
  }
  if (!result.ok()) result.text.clear();
  return result;
}

}  // namespace coopc::translating
