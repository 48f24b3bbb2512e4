// Kinds of the language itself: tokens, preprocessing, declarations, expressions, statements, diagnostics.
#include "tests/growth/kinds.hpp"

namespace coopc::tests::growth {
namespace {

std::string times(const char* text, uint32_t n) {
  std::string out;
  for (uint32_t i = 0; i < n; ++i) out += text;
  return out;
}

Input globals(const std::string& text, const std::string& uses = "") { return {shader(text, uses), {}}; }
Input body(const std::string& text) { return {shader("", text), {}}; }

constexpr Kind kKinds[] = {
    // Tokens and preprocessing.
    {"comments", 1000, [](uint32_t n) { return globals(repeated("// line # of many\n/* another */\n", n)); }},
    {"continued lines", 1000,
     [](uint32_t n) { return globals("float joined = 1 \\\n" + times(" + 1 \\\n", n) + ";\n"); }},
    {"digits of a number", 1000,
     [](uint32_t n) { return globals("const float digits = 0." + times("1", n) + ";\n"); }},
    {"characters of a name", 1000,
     [](uint32_t n) {
       return globals("", "float n" + times("a", n) + " = k; k += n" + times("a", n) + ";\n");
     }},
    {"macros", 500,
     [](uint32_t n) { return globals(repeated("#define M# (k + #.0)\n", n), repeated("k = M#;\n", n)); }},
    {"macros defined again", 500,
     [](uint32_t n) { return globals(repeated("#undef M\n#define M #.0\nfloat g# = M;\n", n)); }},
    {"macro arguments", 500,
     [](uint32_t n) { return globals("#define ALL(a) a\n", "k = ALL((" + repeated("# + ", n) + "1));\n"); }},
    {"macro parameters", 60,
     [](uint32_t n) {
       return globals("#define ALL(p" + repeated(", q#", n) + ") p" + repeated(" + q#", n) + "\n",
                      "k = ALL(1" + repeated(", #", n) + ");\n");
     },
     Outcome::Module, true},
    {"macro nesting", 300,
     [](uint32_t n) {
       return globals(
           "#define E0 1\n" +
               [n] {
                 std::string s;
                 for (uint32_t i = 1; i <= n; ++i)
                   s += "#define E" + std::to_string(i) + " E" + std::to_string(i - 1) + "\n";
                 return s;
               }(),
           "k = E" + std::to_string(n) + ";\n");
     },
     Outcome::Module, true},
    {"macro calls nested", 40,
     [](uint32_t n) {
       return globals("#define F(x) (x + 1)\n", "k = " + times("F(", n) + "1" + times(")", n) + ";\n");
     },
     Outcome::Module, true},
    {"macro calls", 500,
     [](uint32_t n) { return globals("#define ADD(a, b) ((a) + (b))\n", repeated("k = ADD(k, #);\n", n)); }},
    {"pasted tokens", 500,
     [](uint32_t n) {
       return globals("#define GLUE(a, b) a##b\n", repeated("float GLUE(v, #) = k; k += v#;\n", n));
     }},
    {"conditions", 500,
     [](uint32_t n) {
       return globals(repeated("#if # >= 0 && defined(__VERSION__)\nfloat g#;\n#else\nwrong;\n#endif\n", n));
     }},
    {"conditions in a row", 500,
     [](uint32_t n) {
       return globals("#if 0\n" + repeated("#elif # == 1000000\nwrong\n", n) + "#else\nfloat g;\n#endif\n");
     }},
    {"conditions nested", 100,
     [](uint32_t n) { return globals(repeated("#if 1\n", n) + "float g;\n" + times("#endif\n", n)); },
     Outcome::Module, true},
    {"lines left out", 1000,
     [](uint32_t n) { return globals("#if 0\n" + repeated("wrong line # 'here'\n", n) + "#endif\n"); }},
    {"terms of a condition", 200,
     [](uint32_t n) { return globals("#if 1" + repeated(" + #", n) + "\nfloat g;\n#endif\n"); }},
    {"included files", 200,
     [](uint32_t n) {
       Input i = globals(repeated("#include \"part#\"\n", n));
       for (uint32_t k = 0; k < n; ++k)
         i.includes.push_back({"part" + std::to_string(k), numbered("float g#;\n", k)});
       return i;
     }},
    {"includes of one file", 500,
     [](uint32_t n) {
       Input i = globals(times("#include \"part\"\n", n));
       i.includes.push_back({"part", "#ifndef PART\n#define PART\nfloat g;\n#endif\n"});
       return i;
     }},
    {"files with #pragma once", 200,
     [](uint32_t n) {
       Input i = globals(repeated("#include \"part#\"\n", n));
       for (uint32_t k = 0; k < n; ++k)
         i.includes.push_back({"part" + std::to_string(k), numbered("#pragma once\nfloat g#;\n", k)});
       return i;
     }},
    {"includes nested", 25,
     [](uint32_t n) {
       Input i = globals("#include \"part0\"\n");
       for (uint32_t k = 0; k < n; ++k)
         i.includes.push_back(
             {"part" + std::to_string(k),
              k + 1 < n ? "#include \"part" + std::to_string(k + 1) + "\"\n" : "float g;\n"});
       return i;
     },
     Outcome::Module, true},
    {"line directives", 500, [](uint32_t n) { return globals(repeated("#line # 3\nfloat g#;\n", n)); }},
    // Declarations.
    {"globals", 500,
     [](uint32_t n) { return globals(repeated("float g# = #;\n", n), repeated("k += g#;\n", n)); }},
    {"unused globals", 500, [](uint32_t n) { return globals(repeated("float g#;\n", n)); }},
    {"shared variables", 500,
     [](uint32_t n) {
       return globals(repeated("shared float s#;\n", n), repeated("s# = k; k += s@;\n", n));
     }},
    {"constants", 500,
     [](uint32_t n) { return globals(repeated("const float c# = #.5;\n", n), repeated("k += c#;\n", n)); }},
    {"constants of constants", 500,
     [](uint32_t n) {
       return globals(
           "const int c0 = 1;\n" +
               [n] {
                 std::string s;
                 for (uint32_t i = 1; i <= n; ++i) s += numbered("const int c# = c@ + 1;\n", i);
                 return s;
               }(),
           "k += c" + std::to_string(n) + ";\n");
     }},
    {"specialization constants", 500,
     [](uint32_t n) {
       return globals(repeated("layout(constant_id = #) const uint c# = #;\n", n),
                      repeated("k += float(c#);\n", n));
     }},
    {"specialization constants of others", 100,
     [](uint32_t n) {
       return globals(
           "layout(constant_id = 0) const uint c0 = 1;\n" +
               [n] {
                 std::string s;
                 for (uint32_t i = 1; i <= n; ++i) s += numbered("const uint c# = c@ + 1;\n", i);
                 return s;
               }(),
           "k += float(c" + std::to_string(n) + ");\n");
     }},
    {"lengths by specialization constants", 200,
     [](uint32_t n) {
       return globals(repeated("layout(constant_id = #) const uint c# = 4;\nshared float s#[c#];\n", n),
                      repeated("s#[1] = k;\n", n));
     }},
    {"locals", 500, [](uint32_t n) { return body(repeated("float v# = k * #; k += v#;\n", n)); }},
    {"locals that are changed", 200,
     [](uint32_t n) {
       return body(repeated("float v# = k;\n", n) + repeated("if (k > #) v# += 1;\n", n) +
                   repeated("k += v#;\n", n));
     }},
    {"locals hidden by others", 500,
     [](uint32_t n) { return body(repeated("{ float v = k; { float v = #; k += v; } k += v; }\n", n)); }},
    {"declarators of one declaration", 500,
     [](uint32_t n) { return body("float v" + repeated(", v# = k", n) + ";\n"); }},
    {"members", 200,
     [](uint32_t n) {
       return globals("struct S {\n" + repeated("float m#;\n", n) + "};\n",
                      "S s;\n" + repeated("s.m# = k; k += s.m#;\n", n));
     }},
    {"structures", 300,
     [](uint32_t n) {
       return globals(repeated("struct S# { float a; vec4 b; };\n", n),
                      repeated("S# s#; s#.a = k; k += s#.a;\n", n));
     }},
    {"structures nested", 50,
     [](uint32_t n) {
       std::string s = "struct S0 { float m; };\n", access = "s";
       for (uint32_t i = 1; i < n; ++i) s += numbered("struct S# { S@ m; };\n", i);
       for (uint32_t i = 0; i < n; ++i) access += ".m";
       return globals(s, numbered("S@ s;\n", n) + access + " = k; k += " + access + ";\n");
     },
     Outcome::Module, true},
    {"structures copied", 200,
     [](uint32_t n) {
       return globals("struct S { float a; vec4 b; };\n", "S a, b;\na.a = k; a.b = vec4(k); b = a;\n" +
                                                              times("a = b; b = a;\n", n) + "k = b.a;\n");
     }},
    {"arrays", 300,
     [](uint32_t n) { return globals("", repeated("float a#[#+1]; a#[#] = k; k += a#[#];\n", n)); }},
    {"dimensions of an array", 20,
     [](uint32_t n) {
       return globals("", "float a" + times("[1]", n) + "; a" + times("[0]", n) + " = k; k += a" +
                              times("[0]", n) + ";\n");
     },
     Outcome::Module, true},
    {"elements of an array", 1000,
     [](uint32_t n) {
       return globals("", "float a[" + std::to_string(n) + "] = float[](1" + repeated(", #", n - 1) +
                              ");\nk += a[int(k)];\n");
     }},
    {"elements of a constant array", 1000,
     [](uint32_t n) {
       return globals("const float a[] = float[](1" + repeated(", #", n - 1) + ");\n",
                      "k += a[int(k)] + a[3];\n");
     }},
    {"constant elements read", 200,
     [](uint32_t n) {
       return globals("const float a[] = float[](1" + repeated(", #", n - 1) + ");\n",
                      repeated("k += a[#];\n", n));
     }},
    {"initializer lists", 300,
     [](uint32_t n) {
       return globals(
           "struct S { float a; vec2 b; };\n",
           "S a[] = {" + repeated("{k + #, {k, #}},\n", n - 1) + "{1, {2, 3}}};\nk += a[int(k)].a;\n");
     }},
    {"members of a block", 300,
     [](uint32_t n) {
       return globals("layout(set = 0, binding = 2, std430) buffer Many {\n" +
                          repeated("float m#; vec4 v#;\n", n) + "} many;\n",
                      repeated("k += many.m#;\n", n));
     }},
    {"members of a uniform block without a name", 300,
     [](uint32_t n) {
       return globals(
           "layout(set = 0, binding = 2, std140) uniform Many {\n" + repeated("vec4 m#;\n", n) + "};\n",
           repeated("k += m#.x;\n", n));
     }},
    {"push constants", 30,
     [](uint32_t n) {
       return globals("layout(push_constant) uniform Push {\n" + repeated("float m#;\n", n) + "};\n",
                      repeated("k += m#;\n", n));
     },
     Outcome::Module, true},
    {"buffers", 300,
     [](uint32_t n) {
       return globals(repeated("layout(set = 1, binding = #, std430) buffer Block# { float x[]; } b#;\n", n),
                      repeated("b#.x[3] = k;\n", n));
     }},
    {"images", 300,
     [](uint32_t n) {
       return globals(repeated("layout(set = 1, binding = #, r32f) uniform image2D i#;\n", n),
                      repeated("imageStore(i#, ivec2(#), vec4(k));\n", n));
     }},
    {"textures", 300,
     [](uint32_t n) {
       return globals(repeated("layout(set = 1, binding = #) uniform sampler2D t#;\n", n),
                      repeated("k += textureLod(t#, vec2(k), 0).x;\n", n));
     }},
    {"buffer references", 200,
     [](uint32_t n) {
       return globals(repeated("layout(buffer_reference, std430) buffer Ref# { float x; };\n", n) +
                          "layout(set = 1, binding = 0) buffer Refs {\n" + repeated("Ref# r#;\n", n) +
                          "} refs;\n",
                      repeated("k += refs.r#.x;\n", n));
     }},
    {"references followed", 30,
     [](uint32_t n) {
       return globals(
           "layout(buffer_reference) buffer Node;\nlayout(buffer_reference, std430) buffer Node { Node next; "
           "float x; };\nlayout(set = 1, binding = 0) buffer Refs { Node first; } refs;\n",
           "k = refs.first" + times(".next", n) + ".x;\n");
     },
     Outcome::Module, true},
    {"coherent buffers", 200,
     [](uint32_t n) {
       return globals(
           repeated("layout(set = 1, binding = #, std430) coherent buffer Block# { float x[]; } b#;\n", n),
           repeated("b#.x[3] += k;\n", n));
     }},
    {"copies between layouts", 100,
     [](uint32_t n) {
       return globals(
           "struct S { float a; vec3 b; float c[3]; };\nlayout(set = 1, binding = 0, std140) uniform From { "
           "S s[8]; } from;\nlayout(set = 1, binding = 1, std430) buffer To { S s[]; } to;\n",
           repeated("to.s[#] = from.s[# & 7];\n", n));
     }},
    // Functions.
    {"functions", 300,
     [](uint32_t n) {
       return globals(repeated("float f#(float x) { return x * # + k; }\n", n), repeated("k += f#(k);\n", n));
     }},
    {"unused functions", 300,
     [](uint32_t n) { return globals(repeated("float f#(float x) { return x * # + k; }\n", n)); }},
    {"calls", 300,
     [](uint32_t n) {
       return globals("float f(float x) { return x * 2 + k; }\n", repeated("k += f(#);\n", n));
     }},
    {"calls of functions that return early", 100,
     [](uint32_t n) {
       return globals(
           "float f(float x) { if (x > 2) return k; for (int i = 0; i < 4; ++i) { x += k; if (x > 9) return "
           "x; } return x * 2; }\n",
           repeated("k += f(#);\n", n));
     }},
    {"calls that nest", 100,
     [](uint32_t n) {
       std::string s = "float f0(float x) { return x; }\n";
       for (uint32_t i = 1; i < n; ++i) s += numbered("float f#(float x) { k += #; return f@(x) + 1; }\n", i);
       return globals(s, numbered("k += f@(k);\n", n));
     }},
    {"overloads", 4,
     [](uint32_t n) {
       static constexpr const char* kTypes[] = {"float", "int",  "uint",  "vec2",
                                                "vec3",  "vec4", "ivec2", "ivec3"};
       std::string s;
       for (uint32_t i = 0; i < 16 * n; ++i) {
         s += "float f(";
         for (uint32_t digit = 0, rest = i; digit < 3; ++digit, rest /= 8)
           s += std::string(digit == 0 ? "" : ", ") + kTypes[rest % 8] + " p" + std::to_string(digit);
         s += ") { return 1; }\n";
       }
       return globals(s, times("k += f(k, 1.0, 2.0);\n", 16));
     },
     Outcome::Module, true},
    {"prototypes", 300,
     [](uint32_t n) {
       return globals(
           repeated("float f#(float x);\n", n) + repeated("float f#(float x) { return x + #; }\n", n),
           repeated("k += f#(k);\n", n));
     }},
    {"parameters", 60,
     [](uint32_t n) {
       return globals(
           "float f(float p" + repeated(", float q#", n) + ") { return p" + repeated(" + q#", n) + "; }\n",
           "k = f(k" + repeated(", #", n) + ");\n");
     },
     Outcome::Module, true},
    {"outputs of calls", 200,
     [](uint32_t n) {
       return globals("void f(inout float x, out vec4 y) { x += 1; y = vec4(x); }\n",
                      repeated("vec4 v#; f(k, v#); k += v#.x;\n", n));
     }},
    // Expressions.
    {"terms", 300, [](uint32_t n) { return body("k = 1" + repeated(" + k * #", n) + ";\n"); }},
    {"parentheses", 50, [](uint32_t n) { return body("k = " + times("(", n) + "k" + times(")", n) + ";\n"); },
     Outcome::Module, true},
    {"operators nested", 50,
     [](uint32_t n) { return body("k = " + times("1 + (", n) + "k" + times(")", n) + ";\n"); },
     Outcome::Module, true},
    {"assignments in a row", 25,
     [](uint32_t n) { return body("float v = 0; v = " + times("k = v = ", n) + "1;\n"); }, Outcome::Module,
     true},
    {"commas", 200, [](uint32_t n) { return body("k = 1" + repeated(", k += #", n) + ";\n"); }},
    {"conjunctions", 100,
     [](uint32_t n) { return body("bool b = k > 0" + repeated(" && k > #", n) + "; if (b) k = 2;\n"); },
     Outcome::Module, true},
    {"selections", 200, [](uint32_t n) { return body(repeated("k = k > # ? k + 1 : k * 2;\n", n)); }},
    {"selections nested", 40, [](uint32_t n) { return body("k = " + repeated("k > # ? # : ", n) + "1;\n"); },
     Outcome::Module, true},
    {"swizzles", 300,
     [](uint32_t n) {
       return body("vec4 v = vec4(k);\n" + repeated("v = v.wzyx; v.xy += v.zw;\n", n) + "k = v.x;\n");
     }},
    {"components", 300,
     [](uint32_t n) {
       return body("vec4 v = vec4(k); mat4 m = mat4(k);\n" +
                   repeated("v[# & 3] = m[1][2]; m[# & 3] = v;\n", n) + "k = v.x;\n");
     }},
    {"indices that are not constant", 300,
     [](uint32_t n) {
       return body("vec4 v = vec4(k); int i = int(k);\n" + repeated("v[(i + #) & 3] += k;\n", n) +
                   "k = v.x;\n");
     }},
    {"built-in functions", 300,
     [](uint32_t n) { return body(repeated("k = max(sin(k), mix(k, #.0, 0.5));\n", n)); }},
    {"atomics", 300,
     [](uint32_t n) {
       return globals("shared uint counter;\n", repeated("k += float(atomicAdd(counter, uint(#)));\n", n));
     }},
    {"subgroup operations", 300, [](uint32_t n) { return body(repeated("k += subgroupAdd(k);\n", n)); }},
    {"barriers", 300,
     [](uint32_t n) {
       return globals("shared float s[32];\n",
                      repeated("s[gl_LocalInvocationIndex] = k; barrier(); k += s[#&31];\n", n));
     }},
    {"loads of a buffer", 300, [](uint32_t n) { return body(repeated("k += data.x[#];\n", n)); }},
    {"stores to a buffer", 300, [](uint32_t n) { return body(repeated("data.x[#] = k;\n", n)); }},
    {"loads of one element", 300, [](uint32_t n) { return body(repeated("k += data.x[4];\n", n)); }},
    {"strings", 100, [](uint32_t n) { return body(repeated("debugPrintfEXT(\"line # %f\\n\", k);\n", n)); }},
    {"characters of a string", 1000,
     [](uint32_t n) { return body("debugPrintfEXT(\"" + times("text", n) + "\");\n"); }},
    {"precise", 300, [](uint32_t n) { return body(repeated("precise float v# = k * # + k; k = v#;\n", n)); }},
    // Statements.
    {"blocks", 300, [](uint32_t n) { return body(repeated("{ k += #; }\n", n)); }},
    {"blocks nested", 50, [](uint32_t n) { return body(times("{", n) + "k += 1;" + times("}", n) + "\n"); },
     Outcome::Module, true},
    {"branches", 300, [](uint32_t n) { return body(repeated("if (k > #) k += 1; else k *= 2;\n", n)); }},
    {"branches nested", 50,
     [](uint32_t n) { return body(repeated("if (k > #) { k += #;\n", n) + times("}", n) + "\n"); },
     Outcome::Module, true},
    {"branches in a row", 40,
     [](uint32_t n) { return body(repeated("if (k == #) k += #; else\n", n) + "k = 0;\n"); }, Outcome::Module,
     true},
    {"loops", 200,
     [](uint32_t n) { return body(repeated("for (int i = 0; i < int(k); ++i) k += #;\n", n)); }},
    {"loops nested", 20,
     [](uint32_t n) {
       return body(repeated("for (int i# = 0; i# < int(k); ++i#) { k += #;\n", n) + times("}", n) + "\n");
     },
     Outcome::Module, true},
    {"variables of a loop", 100,
     [](uint32_t n) {
       return body(repeated("float v# = k;\n", n) + "for (int i = 0; i < int(k); ++i) {\n" +
                   repeated("v# += k * #;\n", n) + "}\n" + repeated("k += v#;\n", n));
     }},
    {"cases", 300,
     [](uint32_t n) {
       return body("switch (int(k)) {\n" + repeated("case #: k += #; break;\n", n) + "default: break;\n}\n");
     }},
    {"cases that fall through", 300,
     [](uint32_t n) {
       return body("switch (int(k)) {\n" + repeated("case #: k += #;\n", n) + "default: break;\n}\n");
     }},
    {"switches", 200,
     [](uint32_t n) {
       return body(repeated("switch (int(k)) { case #: k += #; break; default: k = 1; }\n", n));
     }},
    {"breaks", 200,
     [](uint32_t n) {
       return body("for (int i = 0; i < int(k); ++i) {\n" + repeated("k += 1; if (k > #) break;\n", n) +
                   "}\n");
     }},
    {"continues", 200,
     [](uint32_t n) {
       return body("for (int i = 0; i < int(k); ++i) {\n" + repeated("k += 1; if (k > #) continue;\n", n) +
                   "}\n");
     }},
    {"returns", 200,
     [](uint32_t n) {
       return globals(
           "float f(float x) {\n" + repeated("k += 1; if (x > #) return #;\n", n) + "return 1;\n}\n",
           "k += f(k);\n");
     }},
    {"empty statements", 1000, [](uint32_t n) { return body(times(";\n", n)); }},
    {"lines with debug information", 300,
     [](uint32_t n) {
       Input i = globals(repeated("float f#(float x) {\n  float y = x * #;\n  return y;\n}\n", n),
                         repeated("k += f#(k);\n", n));
       i.debugInfo = true;
       return i;
     }},
    // Diagnostics.
    {"names that are not declared", 200, [](uint32_t n) { return body(repeated("k += missing#;\n", n)); },
     Outcome::Errors},
    {"misspelled names", 100,
     [](uint32_t n) { return globals(repeated("float value#;\n", n), repeated("k += vaule#;\n", n)); },
     Outcome::Errors},
    {"misspelled members", 100,
     [](uint32_t n) {
       return globals("struct S {\n" + repeated("float value#;\n", n) + "};\n",
                      "S s;\n" + repeated("k += s.vaule#;\n", n));
     },
     Outcome::Errors},
    {"misspelled calls", 100,
     [](uint32_t n) {
       return globals(repeated("float value#(float x) { return x; }\n", n), repeated("k += vaule#(k);\n", n));
     },
     Outcome::Errors},
    {"types that are not declared", 200, [](uint32_t n) { return body(repeated("missing# v#;\n", n)); },
     Outcome::Errors},
    {"declared twice", 200, [](uint32_t n) { return globals(repeated("float g#;\nint g#;\n", n)); },
     Outcome::Errors},
    {"wrong types", 200, [](uint32_t n) { return body(repeated("vec2 v# = vec3(#);\n", n)); },
     Outcome::Errors},
    {"wrong arguments", 200, [](uint32_t n) { return body(repeated("k = clamp(vec2(#), ivec3(1));\n", n)); },
     Outcome::Errors},
    {"wrong syntax", 200, [](uint32_t n) { return body(repeated("k = * #;\n", n)); }, Outcome::Errors},
    {"calls that are not closed", 200, [](uint32_t n) { return body(repeated("return vec4(#) vec4(\n", n)); },
     Outcome::Errors},
    {"wrong characters", 200, [](uint32_t n) { return body(repeated("k = $ #;\n", n)); }, Outcome::Errors},
    {"errors in one line", 200, [](uint32_t n) { return body(repeated("k += missing#; ", n)); },
     Outcome::Errors},
    {"errors in macros", 100,
     [](uint32_t n) { return globals("#define WRONG(a) (a + missing)\n", repeated("k = WRONG(#);\n", n)); },
     Outcome::Errors},
    {"errors in included files", 100,
     [](uint32_t n) {
       Input i = globals(repeated("#include \"part#\"\n", n));
       for (uint32_t k = 0; k < n; ++k)
         i.includes.push_back({"part" + std::to_string(k), numbered("float g# = missing;\n", k)});
       return i;
     },
     Outcome::Errors},
    {"errors behind many lines", 1000,
     [](uint32_t n) { return body(repeated("k += 1;\n", n) + repeated("k += missing#;\n", n / 10)); },
     Outcome::Errors},
    {"warnings", 200,
     [](uint32_t n) {
       Input i = body(repeated("float v#; k += v#;\n", n));
       i.warnings = true;
       return i;
     }},
    {"variables checked for values", 50,
     [](uint32_t n) {
       Input i = body(repeated("float v#; if (k > #) v# = 1; else v# = 2;\n", n) + "while (k > 3) {\n" +
                      repeated("k += v#;\n", n) + "}\n");
       i.warnings = true;
       return i;
     }},
};

}  // namespace

std::span<const Kind> textKinds() { return kKinds; }

}  // namespace coopc::tests::growth
