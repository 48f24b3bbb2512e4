// The tables of built-in functions against the reference: every overload compiles here to a valid module, and
// the reference compiler accepts the same call. Names resolve to what the tables say.
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <map>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "frontend/language/builtins/functions.hpp"
#include "frontend/language/builtins/names.hpp"
#include "frontend/language/names.hpp"
#include "tests/builtins/overloads.hpp"
#include "tests/support/reference_target.hpp"
#include "tests/support/spirv_checks.hpp"

using namespace coopc;
using namespace coopc::tests;

namespace {

Result compileHere(const std::string& text, Stage stage = Stage::Compute) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.stage = stage;
  options.allowGlslang = false;
  return compile(text, "overload.comp", options);
}

// "" where the reference accepts the text, else its message.
std::string referenceSays(const std::string& text, EShLanguage stage = EShLangCompute) {
  glslang::TShader shader(stage);
  const char* source = text.c_str();
  setReference(shader, source, stage);
  if (shader.parse(GetDefaultResources(), 460, false, kReferenceRules)) return "";
  return shader.getInfoLog();
}

// Calls `each(from, to)` for the runs of overloads of one function.
template <typename F>
void forEachFunction(const std::vector<Overload>& overloads, F&& each) {
  for (size_t from = 0, to = 0; from < overloads.size(); from = to) {
    to = overloadGroupEnd(overloads, from);
    each(from, to);
  }
}

// Extensions that the linked reference and validator (of 2025) do not have; write_overloads serves newer
// programs.
bool unknownToLinkedReference(const std::string& prologue) {
  for (const char* name :
       {"GL_EXT_bfloat16", "GL_EXT_float_e4m3", "GL_EXT_float_e5m2", "GL_EXT_float_e2m1", "GL_EXT_float_e2m3",
        "GL_EXT_float_e3m2", "GL_EXT_float_ue8m0", "GL_EXT_float_mxint8", "GL_EXT_long_vector",
        "GL_EXT_split_barrier", "GL_QCOM_image_processing3", "GL_NV_gpu_shader5"})
    if (prologue.find(name) != std::string::npos) return true;
  return false;
}

// Overloads in the specifications that the reference rejects or compiles to something else, with the reason.
const std::map<std::string, std::string> kRejectedByReference = {
    {"i16vec3 halfBitsToInt16(f16vec3)", "missing from the reference's list"},
};

}  // namespace

TEST_CASE("every overload compiles to a valid module") {
  const std::vector<Overload> overloads = allOverloads();
  REQUIRE(overloads.size() > 3000);
  forEachFunction(overloads, [&](size_t from, size_t to) {
    const std::string prologue = overloadPrologue(overloads[from]);
    const std::string text = overloadShader(overloads, from, to, prologue);
    const Result all = compileHere(text);
    if (!all.ok) {
      for (size_t i = from; i < to; ++i) {
        const Result one = compileHere(overloadShader(overloads, i, i + 1, prologue));
        if (!one.ok) {
          INFO(overloads[i].prototype);
          FAIL_CHECK(one.messages);
        }
      }
      return;
    }
    const std::string verdict =
        unknownToLinkedReference(prologue) ? "" : validateLinked(all.words, {"vulkan1.3", false});
    INFO(overloads[from].function);
    CHECK(verdict == "");
  });
}

TEST_CASE("the reference accepts every overload") {
  glslang::InitializeProcess();
  const std::vector<Overload> overloads = allOverloads();
  std::set<std::string> needless;
  for (const auto& [prototype, reason] : kRejectedByReference) needless.insert(prototype);
  forEachFunction(overloads, [&](size_t from, size_t to) {
    const std::string prologue = overloadPrologue(overloads[from]);
    if (unknownToLinkedReference(prologue)) return;
    if (referenceSays(overloadShader(overloads, from, to, prologue)).empty()) return;
    for (size_t i = from; i < to; ++i) {
      // The reference has footprints of floating-point textures only; GL_NV_shader_texture_footprint has
      // gsampler*.
      const std::string& parameters = overloads[i].parameters;
      if (overloads[i].function.starts_with("textureFootprint") &&
          (parameters.starts_with("isampler") || parameters.starts_with("usampler")))
        continue;
      const std::string says = referenceSays(overloadShader(overloads, i, i + 1, prologue));
      if (says.empty()) continue;
      needless.erase(overloads[i].prototype);
      if (kRejectedByReference.count(overloads[i].prototype)) continue;
      INFO(overloads[i].prototype);
      FAIL_CHECK(says);
    }
  });
  for (const std::string& prototype : needless) FAIL_CHECK("no longer rejected: " << prototype);
  glslang::FinalizeProcess();
}

TEST_CASE("names of built-ins are found by their hash") {
  using namespace coopc::frontend;
  for (uint16_t i = 0; i < builtins::functionNameCount(); ++i) {
    const std::string_view name = builtins::functionName(i);
    CHECK(findBuiltin(name, hashName(name)) == BuiltinMeaning{BuiltinMeaning::Kind::Function, i});
  }
  for (uint16_t i = 0; i < builtins::symbolCount(); ++i) {
    const std::string_view name = builtinSymbol(i).name;
    CHECK(findBuiltin(name, hashName(name)) == BuiltinMeaning{BuiltinMeaning::Kind::Symbol, i});
  }
  for (uint16_t i = 0; i < builtins::typeNameCount(); ++i) {
    const std::string_view name = builtinTypeName(i).name;
    CHECK(findBuiltin(name, hashName(name)) == BuiltinMeaning{BuiltinMeaning::Kind::Type, i});
  }
  for (const std::string_view name : {"", "sinn", "gl_", "vec5", "main", "texture1"})
    CHECK(findBuiltin(name, hashName(name)) == BuiltinMeaning{});
}

TEST_CASE("built-in constants and variables are the reference's") {
  using namespace coopc::frontend;
  glslang::InitializeProcess();
  // Names that the reference lacks, or has under other rules than Vulkan's.
  const std::set<std::string_view> ours = {"gl_MaxInputAttachments"};
  for (uint16_t i = 0; i < builtins::symbolCount(); ++i) {
    const BuiltinSymbol& s = builtinSymbol(i);
    if (ours.count(s.name)) continue;
    std::string prologue = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
    std::string use;
    const std::string name(s.name);
    for (unsigned e = 0; e < static_cast<unsigned>(ExtensionId::Count); ++e)
      if (s.anyOf.has(static_cast<ExtensionId>(e)) &&
          extensionInfo(static_cast<ExtensionId>(e)).minVersion != 0) {
        prologue += "#extension " + std::string(extensionName(static_cast<ExtensionId>(e))) + " : require\n";
        break;
      }
    // Newer than the linked reference.
    const bool younger = prologue.find("maintenance1") != std::string::npos ||
                         prologue.find("GL_ARM_tensors") != std::string::npos ||
                         prologue.find("micromap_ray_query_mode") != std::string::npos ||
                         prologue.find("GL_QCOM_tile_shading") != std::string::npos;
    if (younger) continue;
    if (s.minVersion == 0 && s.anyOf.empty()) continue;
    if (!s.constant && !contains(s.inputs, frontend::Stage::Compute)) continue;  // below
    if (s.constant && (s.type == kInt || s.type == kUint)) {
      use = "int fits[" + name + " == " + std::to_string(s.value) + (s.type == kUint ? "u" : "") +
            " ? 1 : -1];";
    } else if (s.constant && s.type != kErrorType) {
      use = "int fits[" + name + " == ivec3(" + std::to_string(s.value) + ", " + std::to_string(s.more[0]) +
            ", " + std::to_string(s.more[1]) + ") ? 1 : -1];";
    } else {
      Program program;
      Names names;
      use = (s.type == kErrorType ? "uvec3" : typeName(program, names, s.type)) + " v = " + name + ";";
    }
    const std::string text =
        prologue + "layout(local_size_x = 8, local_size_y = 2) in;\nvoid main() {\n  " + use + "\n}\n";
    INFO(text);
    // Limits are left out: the reference's program sets them, and the library used here has others.
    if (name.rfind("gl_Max", 0) != 0 && name.rfind("gl_Min", 0) != 0) CHECK(referenceSays(text) == "");
    CHECK(compileHere(text).messages == "");
  }
  glslang::FinalizeProcess();
}

TEST_CASE("built-in variables of vertex and fragment shaders are the reference's") {
  using namespace coopc::frontend;
  glslang::InitializeProcess();
  int tried = 0;
  const auto compare = [&](const BuiltinSymbol& s, const std::string& use, bool vertex) {
    std::string text = s.spvBuiltIn == kPlainOutput ? "#version 410\n" : "#version 460\n";
    for (unsigned e = 0; e < static_cast<unsigned>(ExtensionId::Count); ++e)
      if (s.anyOf.has(static_cast<ExtensionId>(e)) &&
          extensionInfo(static_cast<ExtensionId>(e)).minVersion != 0) {
        text += "#extension " + std::string(extensionName(static_cast<ExtensionId>(e))) + " : require\n";
        break;
      }
    text += "void main() { " + use + " }\n";
    INFO(text);
    // Newer than the linked reference.
    if (text.find("GL_QCOM_tile_shading") == std::string::npos)
      CHECK(referenceSays(text, vertex ? EShLangVertex : EShLangFragment) == "");
    CHECK(compileHere(text, vertex ? coopc::Stage::Vertex : coopc::Stage::Fragment).messages == "");
    ++tried;
  };
  for (uint16_t i = 0; i < builtins::symbolCount(); ++i) {
    const BuiltinSymbol& s = builtinSymbol(i);
    if (s.constant || s.inputs == kAnyStage) continue;
    Program program;
    Names names;
    const std::string type = typeName(program, names, s.type);
    const bool array =
        s.form == SymbolForm::Array || s.form == SymbolForm::PerVertexArray || s.name.ends_with("PerViewNV");
    const std::string name = std::string(s.name) + (array ? "[0]" : "");
    for (const bool vertex : {false, true}) {
      const StageMask stage = vertex ? kVertex : kFragment;
      if ((s.inputs & stage) != 0) compare(s, type + " v = " + name + ";", vertex);
      if ((s.outputs & stage) != 0) compare(s, name + " = " + type + "(1);", vertex);
    }
  }
  CHECK(tried >= 35);
  glslang::FinalizeProcess();
}

TEST_CASE("names of types are the reference's") {
  using namespace coopc::frontend;
  glslang::InitializeProcess();
  for (uint16_t i = 0; i < builtins::typeNameCount(); ++i) {
    const BuiltinTypeName& t = builtinTypeName(i);
    if (t.minVersion == 0 && t.anyOf.empty()) continue;  // removed by GL_KHR_vulkan_glsl
    std::string text = "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
    for (unsigned e = 0; e < static_cast<unsigned>(ExtensionId::Count); ++e)
      if (const ExtensionInfo& info = extensionInfo(static_cast<ExtensionId>(e));
          t.anyOf.has(static_cast<ExtensionId>(e)) && info.minVersion != 0) {
        text += "#extension " + std::string(extensionName(static_cast<ExtensionId>(e))) + " : require\n";
        break;
      }
    const std::string name(t.name);
    const bool subpass = name.find("subpass") != std::string::npos;
    if (name.find("attachmentEXT") != std::string::npos) {
      text += "layout(location = 0) tileImageEXT " + name + " x;\nvoid main() {}\n";
      INFO(text);
      CHECK(compileHere(text, coopc::Stage::Fragment).messages == "");
      continue;
    }
    text += "layout(local_size_x = 1) in;\n";
    const bool image = name.find("image") != std::string::npos;
    const bool resource = t.basic == kErrorType || t.basic == kAccelerationStructureType;
    if (resource)
      text += std::string("layout(set = 0, binding = 0") + (image ? ", r32f" : "") + ") uniform " + name +
              " x;\n";
    text += "void main() {\n";
    if (!resource) text += "  " + name + " x;\n";
    text += "}\n";
    if (image)
      for (const auto& [prefix, format] :
           {std::pair{"i64", "r64i"}, {"u64", "r64ui"}, {"ii", "r32i"}, {"ui", "r32ui"}})
        if (name.rfind(prefix, 0) == 0) text.replace(text.find("r32f"), 4, format);
    INFO(text);
    if (subpass) {
      CHECK_FALSE(compileHere(text).ok);
      continue;
    }
    if (!contains(t.stages, coopc::frontend::Stage::Compute)) {
      CHECK_FALSE(compileHere(text).ok);
      const std::string_view workgroup = "layout(local_size_x = 1) in;\n";
      text.erase(text.find(workgroup), workgroup.size());
      CHECK(compileHere(text, coopc::Stage::RayGeneration).messages == "");
      continue;
    }
    CHECK(compileHere(text).messages == "");
    if (!unknownToLinkedReference(text)) CHECK(referenceSays(text) == "");
  }
  glslang::FinalizeProcess();
}
