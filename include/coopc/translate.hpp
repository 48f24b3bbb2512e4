// Translation as a library: SPIR-V words in, the text of another shading language out, by SPIRV-Cross. It is a library of its own
// (coopc::translate), so that the compiler does not carry it. It takes modules of core SPIR-V: one with cooperative matrices or tensor
// addressing is lowered first, coopc::lower() with the target "none". docs/translation.md says
// what was checked of the texts.
//
// Ownership: results are the caller's and keep nothing of the words. TranslateOptions holds a view: what it names must stay for the call.
// Threads: nothing is global: calls may run in many threads.
// Errors: nothing is printed, nothing throws but std::bad_alloc; what SPIRV-Cross refuses ends in TranslateResult::error.
// Units: modules are 32-bit words, in either byte order where bytes are taken.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "coopc/export.h"

namespace coopc {

enum class ShadingLanguage : uint8_t {
  Glsl = 0,  ///< 460 for Vulkan: sets, bindings, push constants and specialization constants stay
  Hlsl =
      1,  ///< shader model 6.6 with 16-bit types, else 6.0; specialization constants become macros with their values
  Msl = 2,  ///< Metal 3.0: specialization constants become function constants
};

/// The language that `--emit` calls so: "glsl", "hlsl", "msl". False: there is none.
COOPC_API bool shadingLanguageByName(std::string_view name, ShadingLanguage& language);

struct TranslateOptions {
  ShadingLanguage language = ShadingLanguage::Glsl;
  std::string_view entryPoint;  ///< empty: the module's first one
};

struct TranslateResult {
  std::string text;   ///< the shader; empty where there is an error
  std::string error;  ///< why there is none: lower case, no full stop
  bool ok() const { return error.empty(); }
};

/// Translates a module, words in this machine's byte order. The same words and options give the same text.
COOPC_API TranslateResult translate(std::span<const uint32_t> words, const TranslateOptions& options);
/// The same for a file's bytes, in either byte order.
COOPC_API TranslateResult translateBytes(std::span<const unsigned char> bytes,
                                         const TranslateOptions& options);

}  // namespace coopc
