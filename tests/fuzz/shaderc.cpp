// shaderc's interface: options, kinds and outputs that the bytes after the text choose.
#include <cstring>
#include <shaderc/shaderc.h>
#include <string_view>

#include "tests/fuzz/fuzz.hpp"

using coopc::fuzz::Choices;
using coopc::fuzz::require;

namespace {

constexpr size_t kChoices = 32;

shaderc_include_result* resolve(void*, const char* name, int, const char*, size_t depth) {
  static char text[] = "#define INCLUDED\n";
  return new shaderc_include_result{depth > 3 ? "" : name, depth > 3 ? 0 : std::strlen(name), text,
                                    sizeof text - 1, nullptr};
}
void release(void*, shaderc_include_result* result) { delete result; }

void setOption(shaderc_compile_options_t o, Choices& c) {
  constexpr const char* kTexts[] = {"a", "", "F(x)", "1 2", "\xff", "450", "310es"};
  const char* text = kTexts[c.below(std::size(kTexts))];
  switch (c.below(16)) {
    case 0:
      shaderc_compile_options_add_macro_definition(o, text, std::strlen(text), c.flag() ? nullptr : text,
                                                   c.below(2));
      break;
    case 1: shaderc_compile_options_set_generate_debug_info(o); break;
    case 2: shaderc_compile_options_set_optimization_level(o, shaderc_optimization_level(c.below(4))); break;
    case 3:
      shaderc_compile_options_set_forced_version_profile(o, c.flag() ? 460 : int(c.word()),
                                                         shaderc_profile(c.below(5)));
      break;
    case 4: shaderc_compile_options_set_include_callbacks(o, resolve, release, nullptr); break;
    case 5: shaderc_compile_options_set_suppress_warnings(o); break;
    case 6:
      shaderc_compile_options_set_target_env(o, shaderc_target_env(c.below(4)),
                                             (1u << 22) | (c.below(6) << 12));
      break;
    case 7:
      shaderc_compile_options_set_target_spirv(o, shaderc_spirv_version(0x10000 | c.below(8) << 8));
      break;
    case 8: shaderc_compile_options_set_warnings_as_errors(o); break;
    case 9: shaderc_compile_options_set_limit(o, shaderc_limit(c.below(100)), int(c.word())); break;
    case 10: shaderc_compile_options_set_auto_bind_uniforms(o, c.flag()); break;
    case 11: shaderc_compile_options_set_binding_base(o, shaderc_uniform_kind(c.below(8)), c.word()); break;
    case 12: shaderc_compile_options_set_preserve_bindings(o, c.flag()); break;
    case 13: shaderc_compile_options_set_auto_map_locations(o, c.flag()); break;
    case 14: shaderc_compile_options_set_hlsl_offsets(o, c.flag()); break;
    default: shaderc_compile_options_set_nan_clamp(o, c.flag()); break;
  }
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateText(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const size_t behind = std::min(size, kChoices);
  const char* text = reinterpret_cast<const char*>(data);
  const size_t length = size - behind;
  Choices c(data + length, behind);
  const uint32_t output = c.below(4);
  const auto kind = c.flag() ? shaderc_compute_shader : shaderc_shader_kind(c.below(30));
  shaderc_compiler_t compiler = shaderc_compiler_initialize();
  shaderc_compile_options_t options = shaderc_compile_options_initialize();
  for (uint32_t n = c.below(8); n > 0; --n) setOption(options, c);
  if (c.flag()) {
    shaderc_compile_options_t copy = shaderc_compile_options_clone(options);
    shaderc_compile_options_release(options);
    options = copy;
  }
  shaderc_compilation_result_t result =
      output == 0 ? shaderc_compile_into_spv_assembly(compiler, text, length, kind, "a", "main", options)
      : output == 1
          ? shaderc_compile_into_preprocessed_text(compiler, text, length, kind, "a", "main", options)
          : shaderc_compile_into_spv(compiler, text, length, kind, "a", "main", options);
  require(result != nullptr, "no result");
  const shaderc_compilation_status status = shaderc_result_get_compilation_status(result);
  const size_t bytes = shaderc_result_get_length(result);
  require(status != shaderc_compilation_status_internal_error, shaderc_result_get_error_message(result));
  if (status == shaderc_compilation_status_success) {
    if (output >= 2 && shaderc_result_get_num_warnings(result) == 0 &&
        std::string_view(text, length).find("spirv_") == std::string_view::npos) {
      const char* at = shaderc_result_get_bytes(result);
      require(bytes != 0 && bytes % 4 == 0, "no module");
      const std::string fault =
          coopc::fuzz::faultOf(coopc::fuzz::wordsOf({reinterpret_cast<const uint8_t*>(at), bytes}), true);
      require(fault.empty(), fault);
    }
  } else {
    require(shaderc_result_get_num_errors(result) != 0 && shaderc_result_get_error_message(result)[0] != 0,
            "a refusal without a message");
  }
  shaderc_result_release(result);
  shaderc_compile_options_release(options);
  shaderc_compiler_release(compiler);
  int version = 0;
  shaderc_profile profile{};
  shaderc_parse_version_profile("450core", &version, &profile);
  return 0;
}
