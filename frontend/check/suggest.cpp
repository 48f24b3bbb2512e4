// The names with which a misspelled one is compared: names in scope, built-in names and keywords. A name in
// scope that differs only in upper and lower case comes first, then words of other languages: programmers who
// are used to HLSL, Metal, WGSL or C++ write them out of habit, and none is spelled like a name of GLSL.
#include "frontend/check/suggest.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "frontend/base/characters.hpp"
#include "frontend/base/suggestion.hpp"
#include "frontend/check/builtins/availability.hpp"

namespace coopc::frontend {
namespace {

constexpr size_t kMaxCompared = 20000;

constexpr std::string_view kKeywords[] = {
    "const",    "uniform",        "buffer",       "shared",    "inout",   "flat",      "smooth",   "centroid",
    "precise",  "invariant",      "highp",        "mediump",   "lowp",    "precision", "layout",   "coherent",
    "volatile", "restrict",       "readonly",     "writeonly", "struct",  "void",      "true",     "false",
    "else",     "switch",         "case",         "default",   "while",   "break",     "continue", "return",
    "coopmat",  "tensorLayoutNV", "tensorViewNV", "tensorARM", "discard",
};

// Names of HLSL, and some of Metal, WGSL, C++, CUDA, OpenCL and older GLSL.
struct ForeignName {
  std::string_view name;
  std::string_view glsl;  // its replacement, or
  std::string_view note;  // how to express it
  // It is a word of declarations, and a usual name of variables: in expressions it is not from that language.
  bool onlyAsType = false;
};
constexpr ForeignName kForeignNames[] = {
    {"asfloat", "uintBitsToFloat", ""},
    {"asint", "floatBitsToInt", ""},
    {"asuint", "floatBitsToUint", ""},
    {"asdouble", "", "GLSL has `packDouble2x32(uvec2(low, high))`"},
    {"atan2", "atan", ""},
    {"auto", "", "GLSL declares a variable with its type: `float x = ...;`", true},
    {"cbuffer", "", "GLSL has uniform blocks: `layout(binding = N) uniform NAME { ... };`", true},
    {"clip", "", "GLSL has `discard`, in fragment shaders"},
    {"countbits", "bitCount", ""},
    {"ddx", "dFdx", ""},
    {"ddy", "dFdy", ""},
    {"ddx_coarse", "dFdxCoarse", ""},
    {"ddx_fine", "dFdxFine", ""},
    {"ddy_coarse", "dFdyCoarse", ""},
    {"ddy_fine", "dFdyFine", ""},
    {"f16", "float16_t", ""},
    {"f16tof32", "", "GLSL has `unpackHalf2x16(x).x`"},
    {"f32", "float", ""},
    {"f32tof16", "", "GLSL has `packHalf2x16(vec2(x, 0.0))`"},
    {"firstbithigh", "findMSB", ""},
    {"firstbitlow", "findLSB", ""},
    {"fn", "", "GLSL starts a function with the type of its result: `void main()`", true},
    {"fmod", "", "GLSL has `mod(x, y)`, which rounds the quotient down; HLSL's `fmod` rounds it to zero"},
    {"frac", "fract", ""},
    {"groupshared", "shared", "", true},
    {"half", "float16_t", ""},
    {"i32", "int", ""},
    {"isfinite", "", "GLSL has `!(isnan(x) || isinf(x))`"},
    {"kernel", "", "GLSL has no word before a shader's `void main()`: the compiler is told the stage", true},
    {"lerp", "mix", ""},
    {"let", "", "GLSL declares a variable with its type: `const float x = ...;`", true},
    {"log10", "", "GLSL has `log2(x) * 0.30103`"},
    {"mad", "fma", ""},
    {"mul", "", "GLSL multiplies matrices and vectors by the operator `*`"},
    {"rcp", "", "GLSL has `1.0 / x`"},
    {"reversebits", "bitfieldReverse", ""},
    {"rsqrt", "inversesqrt", ""},
    {"saturate", "", "GLSL has `clamp(x, 0.0, 1.0)`"},
    {"sincos", "", "GLSL has `sin` and `cos`"},
    {"static", "", "GLSL has no `static`: leave it out", true},
    {"tex1D", "texture", ""},
    {"tex1Dlod", "", "GLSL has `textureLod(sampler, t.x, t.w)`"},
    {"tex2D", "texture", ""},
    {"tex2Dbias", "", "GLSL has `texture(sampler, t.xy, t.w)`"},
    {"tex2Dgrad", "textureGrad", ""},
    {"tex2Dlod", "", "GLSL has `textureLod(sampler, t.xy, t.w)`"},
    {"tex2Dproj", "textureProj", ""},
    {"tex3D", "texture", ""},
    {"tex3Dlod", "", "GLSL has `textureLod(sampler, t.xyz, t.w)`"},
    {"texCUBE", "texture", ""},
    {"texCUBElod", "", "GLSL has `textureLod(sampler, t.xyz, t.w)`"},
    {"threadgroup", "shared", "", true},
    {"u32", "uint", ""},
    {"var", "", "GLSL declares a variable with its type: `float x = ...;`", true},
    {"AllMemoryBarrier", "memoryBarrier", ""},
    {"AllMemoryBarrierWithGroupSync", "", "GLSL has `memoryBarrier(); barrier();`"},
    {"DeviceMemoryBarrier", "memoryBarrier", ""},
    {"DeviceMemoryBarrierWithGroupSync", "",
     "GLSL has `memoryBarrierBuffer(); memoryBarrierImage(); barrier();`"},
    {"EvaluateAttributeAtSample", "interpolateAtSample", ""},
    {"EvaluateAttributeCentroid", "interpolateAtCentroid", ""},
    {"GroupMemoryBarrier", "memoryBarrierShared", ""},
    {"GroupMemoryBarrierWithGroupSync", "barrier", ""},
    {"InterlockedAdd", "atomicAdd", ""},
    {"InterlockedAnd", "atomicAnd", ""},
    {"InterlockedCompareExchange", "atomicCompSwap", ""},
    {"InterlockedCompareStore", "atomicCompSwap", ""},
    {"InterlockedExchange", "atomicExchange", ""},
    {"InterlockedMax", "atomicMax", ""},
    {"InterlockedMin", "atomicMin", ""},
    {"InterlockedOr", "atomicOr", ""},
    {"InterlockedXor", "atomicXor", ""},
    {"NonUniformResourceIndex", "nonuniformEXT", ""},
    {"QuadReadAcrossDiagonal", "subgroupQuadSwapDiagonal", ""},
    {"QuadReadAcrossX", "subgroupQuadSwapHorizontal", ""},
    {"QuadReadAcrossY", "subgroupQuadSwapVertical", ""},
    {"QuadReadLaneAt", "subgroupQuadBroadcast", ""},
    {"WaveActiveAllEqual", "subgroupAllEqual", ""},
    {"WaveActiveAllTrue", "subgroupAll", ""},
    {"WaveActiveAnyTrue", "subgroupAny", ""},
    {"WaveActiveBallot", "subgroupBallot", ""},
    {"WaveActiveBitAnd", "subgroupAnd", ""},
    {"WaveActiveBitOr", "subgroupOr", ""},
    {"WaveActiveBitXor", "subgroupXor", ""},
    {"WaveActiveMax", "subgroupMax", ""},
    {"WaveActiveMin", "subgroupMin", ""},
    {"WaveActiveProduct", "subgroupMul", ""},
    {"WaveActiveSum", "subgroupAdd", ""},
    {"WaveGetLaneCount", "", "GLSL has `gl_SubgroupSize`"},
    {"WaveGetLaneIndex", "", "GLSL has `gl_SubgroupInvocationID`"},
    {"WaveIsFirstLane", "subgroupElect", ""},
    {"WavePrefixProduct", "subgroupExclusiveMul", ""},
    {"WavePrefixSum", "subgroupExclusiveAdd", ""},
    {"WaveReadLaneAt", "subgroupShuffle", ""},
    {"WaveReadLaneFirst", "subgroupBroadcastFirst", ""},
    {"ByteAddressBuffer", "",
     "GLSL has buffer blocks: `layout(binding = N) readonly buffer NAME { uint data[]; };`"},
    {"RWByteAddressBuffer", "",
     "GLSL has buffer blocks: `layout(binding = N) buffer NAME { uint data[]; };`"},
    {"RWStructuredBuffer", "", "GLSL has buffer blocks: `layout(binding = N) buffer NAME { TYPE data[]; };`"},
    {"RWTexture2D", "", "GLSL has `layout(binding = N, rgba8) uniform image2D NAME;`"},
    {"SamplerComparisonState", "samplerShadow", ""},
    {"SamplerState", "sampler", ""},
    {"StructuredBuffer", "",
     "GLSL has buffer blocks: `layout(binding = N) readonly buffer NAME { TYPE data[]; };`"},
    {"Texture1D", "texture1D", ""},
    {"Texture2D", "texture2D", ""},
    {"Texture2DArray", "texture2DArray", ""},
    {"Texture3D", "texture3D", ""},
    {"TextureCube", "textureCube", ""},
    {"TextureCubeArray", "textureCubeArray", ""},
    {"nointerpolation", "flat", ""},
    {"FLT_EPSILON", "", "GLSL has no name for it: write `1.192092896e-7`"},
    {"FLT_MAX", "", "GLSL has no name for it: write `3.402823466e+38`"},
    {"FLT_MIN", "", "GLSL has no name for it: write `1.175494351e-38`"},
    {"INFINITY", "", "GLSL has no name for it: write `uintBitsToFloat(0x7F800000u)`"},
    {"INT_MAX", "", "GLSL has no name for it: write `0x7FFFFFFF`"},
    {"M_PI", "", "GLSL has no name for it: declare `const float PI = 3.14159265358979;`"},
    {"NAN", "", "GLSL has no name for it: write `uintBitsToFloat(0x7FC00000u)`"},
    {"NULL", "", "GLSL has no pointers"},
    {"PI", "", "GLSL has no name for it: declare `const float PI = 3.14159265358979;`"},
    {"UINT_MAX", "", "GLSL has no name for it: write `0xFFFFFFFFu`"},
    {"nullptr", "", "GLSL has no pointers"},
    {"const_cast", "", "GLSL converts by a constructor: `float(x)`"},
    {"reinterpret_cast", "", "GLSL has `floatBitsToUint`, `uintBitsToFloat` and the like"},
    {"static_cast", "", "GLSL converts by a constructor: `float(x)`"},
    {"std", "", "GLSL has no namespaces: write `max(x, y)` for `std::max(x, y)`"},
    {"printf", "",
     "with `#extension GL_EXT_debug_printf : require`, GLSL has `debugPrintfEXT(\"format\", ...)`"},
    {"size_t", "uint", "", true},
    {"string", "", "GLSL has no strings", true},
    {"class", "", "GLSL has structures without functions: `struct NAME { float x; };`", true},
    {"enum", "", "GLSL has constants: `const int A = 0, B = 1;`", true},
    {"extern", "", "GLSL has no `extern`: leave it out", true},
    {"goto", "", "GLSL has `break`, `continue` and `return`", true},
    {"inline", "", "GLSL has no `inline`: leave it out", true},
    {"long", "",
     "with `#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require`, GLSL has `int64_t`", true},
    {"namespace", "", "GLSL has no namespaces", true},
    {"public", "", "GLSL has no `public`: leave it out", true},
    {"short", "",
     "with `#extension GL_EXT_shader_explicit_arithmetic_types_int16 : require`, GLSL has `int16_t`", true},
    {"sizeof", "", "GLSL has no sizes of types: write the number of bytes", true},
    {"template", "", "GLSL has no templates: functions may have the same name and other parameters", true},
    {"this", "", "GLSL has no functions in structures: pass the structure to a function", true},
    {"typedef", "", "GLSL has no names for types: use a macro, `#define NAME TYPE`", true},
    {"union", "", "GLSL has `floatBitsToUint`, `uintBitsToFloat` and the like", true},
    {"unsigned", "uint", "", true},
    {"using", "", "GLSL has no names for types and no namespaces: use a macro, `#define NAME TYPE`", true},
    {"__global__", "", "GLSL has no word before a shader's `void main()`: the compiler is told the stage",
     true},
    {"__kernel", "", "GLSL has no word before a shader's `void main()`: the compiler is told the stage",
     true},
    {"tensorLayout", "tensorLayoutNV", ""},
    {"tensorView", "tensorViewNV", ""},
    {"ColumnMajor", "gl_CooperativeMatrixLayoutColumnMajor", ""},
    {"RowMajor", "gl_CooperativeMatrixLayoutRowMajor", ""},
    {"atomicCounter", "", "GLSL for Vulkan has no atomic counters: read a `uint` of a buffer block"},
    {"atomicCounterDecrement", "",
     "GLSL for Vulkan has no atomic counters: `atomicAdd(x, -1u)` on a buffer's `uint`"},
    {"atomicCounterIncrement", "",
     "GLSL for Vulkan has no atomic counters: `atomicAdd(x, 1u)` on a buffer's `uint`"},
    {"atomic_uint", "",
     "GLSL for Vulkan has no atomic counters: `atomicAdd` changes a `uint` of a buffer block"},
    {"ftransform", "",
     "GLSL for Vulkan has no built-in matrices: pass them in a uniform or push constant block"},
    {"shadow1D", "texture", ""},
    {"shadow2D", "texture", ""},
    {"shadow2DProj", "textureProj", ""},
    {"texture1DLod", "textureLod", ""},
    {"texture2DGrad", "textureGrad", ""},
    {"texture2DLod", "textureLod", ""},
    {"texture2DLodEXT", "textureLod", ""},
    {"texture2DProj", "textureProj", ""},
    {"texture3DLod", "textureLod", ""},
    {"textureCubeLod", "textureLod", ""},
    {"textureCubeLodEXT", "textureLod", ""},
    {"gl_ModelViewMatrix", "",
     "GLSL for Vulkan has no built-in matrices: pass them in a uniform or push constant block"},
    {"gl_ModelViewProjectionMatrix", "",
     "GLSL for Vulkan has no built-in matrices: pass them in a uniform or push constant block"},
    {"gl_NormalMatrix", "",
     "GLSL for Vulkan has no built-in matrices: pass them in a uniform or push constant block"},
    {"gl_ProjectionMatrix", "",
     "GLSL for Vulkan has no built-in matrices: pass them in a uniform or push constant block"},
    {"gl_TextureMatrix", "",
     "GLSL for Vulkan has no built-in matrices: pass them in a uniform or push constant block"},
    {"gl_Color", "", "GLSL for Vulkan has no built-in attributes: declare `layout(location = N) in`"},
    {"gl_MultiTexCoord0", "",
     "GLSL for Vulkan has no built-in attributes: declare `layout(location = N) in`"},
    {"gl_Normal", "", "GLSL for Vulkan has no built-in attributes: declare `layout(location = N) in`"},
    {"gl_Vertex", "", "GLSL for Vulkan has no built-in attributes: declare `layout(location = N) in`"},
    {"gl_FrontColor", "", "GLSL for Vulkan has no built-in varyings: declare `layout(location = N) out`"},
    {"gl_TexCoord", "", "GLSL for Vulkan has no built-in varyings: declare `layout(location = N) out`"},
};

// The GLSL name of a vector or matrix type of HLSL (`float3`, `half4x4`); "" for other names. HLSL gives rows
// first.
std::string glslTypeName(std::string_view name) {
  struct Base {
    std::string_view name, vector, matrix;
  };
  constexpr Base kBases[] = {{"float", "vec", "mat"},
                             {"half", "f16vec", "f16mat"},
                             {"double", "dvec", "dmat"},
                             {"int", "ivec", ""},
                             {"uint", "uvec", ""},
                             {"bool", "bvec", ""},
                             {"float16_t", "f16vec", "f16mat"}};
  const auto isSize = [](char digit) { return digit >= '2' && digit <= '4'; };
  for (const Base& base : kBases) {
    if (!name.starts_with(base.name)) continue;
    const std::string_view size = name.substr(base.name.size());
    if (size.size() == 1 && isSize(size[0])) return std::string(base.vector) += size;
    if (size.size() != 3 || base.matrix.empty() || !isSize(size[0]) || size[1] != 'x' || !isSize(size[2]))
      continue;
    std::string type(base.matrix);
    type += size[2];
    if (size[0] != size[2]) (type += 'x') += size[0];
    return type;
  }
  return {};
}

// Whether `wrong` is a word of another language where it stands; if so, adds what GLSL has to `report`.
bool suggestForForeign(DiagBuilder& report, SourceLoc loc, std::string_view wrong, NamePlace place) {
  if (const std::string type = glslTypeName(wrong); !type.empty()) {
    report.suggest(type);
    return true;
  }
  for (const ForeignName& f : kForeignNames) {
    if (f.name != wrong || (f.onlyAsType && place != NamePlace::Type)) continue;
    if (!f.glsl.empty()) report.suggest(f.glsl);
    if (!f.note.empty()) report.note(loc, std::string(f.note));
    return true;
  }
  return false;
}

}  // namespace

bool isForeignName(std::string_view name) {
  return !glslTypeName(name).empty() ||
         std::ranges::find(kForeignNames, name, &ForeignName::name) != std::end(kForeignNames);
}

void suggestFor(const Checker& c, DiagBuilder& report, SourceLoc loc, std::string_view wrong,
                NamePlace place) {
  if (c.diagnostics.suppress > 0 || c.diagnostics.errorCount() > c.options.limits.errors) return;
  const std::vector<Symbol>& symbols = c.scopes.all();
  // A declared name comes before a built-in one, which may need an extension.
  const size_t first = symbols.size() > kMaxCompared ? symbols.size() - kMaxCompared : 0;
  for (size_t i = symbols.size(); i-- > first;)
    if (symbols[i].kind != SymbolKind::BlockName && wrong != c.names.text(symbols[i].name) &&
        equalsIgnoringCase(wrong, c.names.text(symbols[i].name))) {
      report.suggest(c.names.text(symbols[i].name));
      return;
    }
  if (suggestForForeign(report, loc, wrong, place)) return;
  std::string needs;
  if (const std::string_view name = builtinNameInOtherCase(c, wrong, needs); !name.empty() && name != wrong) {
    report.suggest(name);
    if (!needs.empty()) report.note({}, "`" + std::string(name) + "` needs extension " + needs);
    return;
  }
  for (const std::string_view vendor : {"EXT", "KHR", "NV", "ARB"}) {  // `traceRay`
    const std::string whole = std::string(wrong).append(vendor);
    if (const std::string_view name = builtinNameInOtherCase(c, whole, needs); name == whole) {
      report.suggest(name);
      if (!needs.empty()) report.note({}, "`" + whole + "` needs extension " + needs);
      return;
    }
  }
  Suggestion s(wrong);
  // The innermost declarations, limited to what can be compared without a noticeable delay.
  for (size_t i = symbols.size(); i-- > first;)
    if (symbols[i].kind != SymbolKind::BlockName) s.offer(c.names.text(symbols[i].name));
  forEachBuiltinName(
      c, [](void* context, std::string_view name) { static_cast<Suggestion*>(context)->offer(name); }, &s);
  for (std::string_view keyword : kKeywords) s.offer(keyword);
  if (!s.best().empty() && s.best() != wrong) report.suggest(s.best());
}

}  // namespace coopc::frontend
