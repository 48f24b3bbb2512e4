// Translation as a library: SPIR-V words in, the text of another shading language out, by SPIRV-Cross. All
// stages translate to GLSL; vertex, fragment and compute shaders to HLSL and MSL. This is a separate library
// (coopc::translate), so that the compiler does not contain SPIRV-Cross. It takes modules of core SPIR-V:
// lower a module with cooperative matrices or tensor addressing first (coopc::lower() with the target
// "none"). docs/translation.md describes how the results are tested.
//
// Ownership: results belong to the caller and do not refer to the words. TranslateOptions holds a view, whose
// target must stay valid for the call.
// Threads: there is no global state; calls may run in many threads.
// Errors: nothing is printed, and only std::bad_alloc is thrown. If SPIRV-Cross refuses a module, crashes or
// hangs, TranslateResult::error says so: it runs in a separate process (fork), which ends with the call and
// may take 30 seconds and 1 GiB. Where processes cannot be forked (Windows, WebAssembly), it runs in this
// one, and only its exceptions are caught.
// Units: modules are 32-bit words, in either byte order where bytes are taken.
#pragma once

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "coopc's C++ interface needs C++20 (-std=c++20, /std:c++20); older programs can use its C interface"
#endif

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "coopc/export.h"

namespace coopc {

enum class ShadingLanguage : uint8_t {
  Glsl = 0,  ///< 460 for Vulkan: sets, bindings, push constants and specialization constants stay
  /// shader model 6.6 with 16-bit types, else 6.0; specialization constants become macros with their values
  Hlsl = 1,
  /// Metal 3.0, with bfloat16 3.1, with printf 3.2: specialization constants become function constants
  Msl = 2,
};

/// The language with this name in `--emit`: "glsl", "hlsl", "msl". False if there is none.
COOPC_API bool shadingLanguageByName(std::string_view name, ShadingLanguage& language);

struct TranslateOptions {
  ShadingLanguage language = ShadingLanguage::Glsl;
  std::string_view entryPoint;  ///< empty: the module's first one
};

struct TranslateResult {
  std::string text;             ///< the shader; empty if there is an error
  std::string error;            ///< why there is none: lower case, no full stop
  uint32_t executionModel = 0;  ///< of the text's stage, as SPIR-V numbers it (GLCompute is 5)
  bool ok() const { return error.empty(); }
};

/// Translates a module, words in this machine's byte order. The same words and options give the same text.
COOPC_API TranslateResult translate(std::span<const uint32_t> words, const TranslateOptions& options);
/// The same for a file's bytes, in either byte order.
COOPC_API TranslateResult translateBytes(std::span<const unsigned char> bytes,
                                         const TranslateOptions& options);

/// The same, and compiles a text in GLSL again: if that fails, the first message is the error. Programs that
/// call these must also link coopc::coopc, after coopc::translate.
COOPC_API TranslateResult translateChecked(std::span<const uint32_t> words, const TranslateOptions& options);
COOPC_API TranslateResult translateBytesChecked(std::span<const unsigned char> bytes,
                                                const TranslateOptions& options);

}  // namespace coopc
