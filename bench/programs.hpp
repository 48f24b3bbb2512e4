// Generates programs for the speed measurements: plain compute shaders with a given number of lines and the
// usual mix of declarations, arithmetic, control flow, buffer accesses, built-in calls and macros. The same
// size gives the same text.
#pragma once

#include <cstdint>
#include <string>

namespace coopc::bench {

/// A shader of about `lines` lines that the reference compiler accepts as well. Each function has
/// `perFunction` lines.
inline std::string generateProgram(uint32_t lines, uint32_t perFunction = 40) {
  std::string s =
      "#version 450\n"
      "layout(local_size_x = 64) in;\n"
      "layout(set = 0, binding = 0) buffer Data { vec4 v[]; } data;\n"
      "layout(set = 0, binding = 1) readonly buffer Table { uint t[]; } table;\n"
      "layout(push_constant) uniform Push { uint count; float scale; } push;\n"
      "#define BLEND(a, b, k) ((a) * (1.0 - (k)) + (b) * (k))\n"
      "shared float partial[64];\n";
  uint32_t line = 7;
  uint32_t fn = 0;
  uint32_t seed = 1;
  const auto next = [&](uint32_t n) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % n;
  };
  while (line + 12 < lines) {
    const std::string f = std::to_string(fn);
    s += "// step " + f + " of the chain\n";
    s += "vec4 step" + f + "(const vec4 x, uint i) {\n  vec4 y = x;\n  float k = push.scale;\n";
    line += 4;
    for (uint32_t i = 0; i < perFunction && line + 12 < lines; ++i) {
      const std::string n = std::to_string(i);
      switch (next(8)) {
        case 0:
          s += "  float a" + n + " = dot(y, x) * k + " + n + ".5;\n  k += a" + n + ";\n";
          line += 2;
          break;
        case 1:
          s += "  y.xy += vec2(table.t[(i + " + n + "u) & 255u]);\n";
          ++line;
          break;
        case 2:
          s += "  if (k > " + n + ".0) {\n    y = mix(y, x, 0.25);\n  } else {\n    y *= k;\n  }\n";
          line += 5;
          break;
        case 3:
          s += "  for (int j = 0; j < 4; ++j) y[j] = max(y[j], float(j) + k);\n";
          ++line;
          break;
        case 4:
          s += "  k = BLEND(k, y.z, 0.125) + clamp(y.w, 0.0, 1.0);\n";
          ++line;
          break;
        case 5:
          s += "  uint b" + n + " = (i << 2) ^ 0x" + n + "u;\n  y.z += float(b" + n + " & 15u);\n";
          line += 2;
          break;
        case 6:
          s += "  partial[i & 63u] = length(y.xyz) + sqrt(abs(k));\n";
          ++line;
          break;
        default:
          s += "  y = y.wzyx + vec4(k, 1.0, x.xy); /* turn */\n";
          ++line;
          break;
      }
    }
    s += "  return y * k;\n}\n\n";
    line += 3;
    ++fn;
  }
  s += "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  if (i >= push.count) return;\n  vec4 v = "
       "data.v[i];\n";
  // Calls each function, so that none is removed as unreachable.
  for (uint32_t f = 0; f < fn; ++f) s += "  v = step" + std::to_string(f) + "(v, i);\n";
  s += "  data.v[i] = v;\n}\n";
  return s;
}

}  // namespace coopc::bench
