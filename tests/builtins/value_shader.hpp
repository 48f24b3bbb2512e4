// The GLSL that value tests of scalar and vector functions share: three inputs and an output for each
// invocation. T is the component type and V the vector's, as macros of the test's own.
#pragma once

#include <string>

namespace coopc::tests {

/// "vec3"; of one component, the scalar itself.
inline std::string vectorName(const char* prefix, const char* scalar, int n) {
  return n == 1 ? scalar : prefix + std::to_string(n);
}

/// Blocks a, b, c and o at bindings 0 to 3, and the start of main: x, y and z are invocation i's, s is z's
/// first component, r waits for the result.
inline std::string inputsOfInvocation(int n) {
  const std::string size = std::to_string(n);
  std::string text;
  const char* names[] = {"a", "b", "c", "o"};
  for (int i = 0; i < 4; ++i)
    text += "layout(set = 0, binding = " + std::to_string(i) + ", std430) buffer Block" + names[i] + " { T " +
            names[i] + "[]; };\n";
  const auto load = [&](const char* array) {
    std::string s = "V(";
    for (int i = 0; i < n; ++i)
      s += (i ? ", " : "") + std::string(array) + "[i * " + size + " + " + std::to_string(i) + "]";
    return s + ")";
  };
  return text + "void main() {\n  uint i = gl_GlobalInvocationID.x;\n  V x = " + load("a") +
         ", y = " + load("b") + ", z = " + load("c") + ", r;\n  T s = z" + (n == 1 ? "" : ".x") + ";\n";
}

/// Stores r; results of the first invocation start at element `start`.
inline std::string storeOfResult(int n, size_t start) {
  std::string text;
  for (int i = 0; i < n; ++i)
    text += "  o[" + std::to_string(start) + " + i * " + std::to_string(n) + " + " + std::to_string(i) +
            "] = r" + (n == 1 ? "" : "[" + std::to_string(i) + "]") + ";\n";
  return text;
}

}  // namespace coopc::tests
