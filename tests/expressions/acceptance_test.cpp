// Every operator, conversion and constructor on every pair of types, compared with the reference compiler:
// both accept a statement or both reject it. Each line of a generated shader has one statement. Both
// compilers report all errors of a shader, so a line with an error is a rejected statement.
//
// Statements that the reference accepts although the specification forbids them are in `kReferenceFaults`.
#include <algorithm>
#include <cstdlib>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "frontend/parse/parser.hpp"
#include "frontend/preprocess/preprocessor.hpp"
#include "tests/support/reference_target.hpp"

namespace {

using namespace coopc::frontend;
using Lines = std::set<uint32_t>;

constexpr size_t kBatch = 500;  // statements in a shader

Lines rejectedByReference(const std::string& text) {
  glslang::TShader shader(EShLangCompute);
  const char* source = text.c_str();
  coopc::tests::setReference(shader, source);
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules | EShMsgCascadingErrors);
  shader.parse(GetDefaultResources(), 450, false, messages);
  Lines lines;
  const std::string log = shader.getInfoLog();
  const std::string mark = "ERROR: 0:";
  for (size_t at = log.find(mark); at != std::string::npos; at = log.find(mark, at + 1))
    lines.insert(static_cast<uint32_t>(std::strtoul(log.c_str() + at + mark.size(), nullptr, 10)));
  return lines;
}

Lines rejectedByUs(const std::string& text) {
  SourceManager sources;
  DiagOptions diagOptions;
  diagOptions.maxErrors = 1u << 20;
  Diagnostics diagnostics(sources, diagOptions);
  Names names;
  Program program;
  CompileOptions options;
  options.env = TargetEnv::Vulkan1_3;
  options.spirvVersion = 0x00010600;
  options.limits.errors = 1u << 20;
  const FileId file = sources.addFile("generated.comp", text);
  const PreprocessedSource source = preprocess(options, sources, diagnostics, names, file);
  parseProgram(options, source, diagnostics, names, program);
  Lines lines;
  for (const Diagnostic& d : diagnostics.all())
    if (d.severity >= Severity::Error) lines.insert(sources.resolve(d.loc).line);
  return lines;
}

// Unary plus is an arithmetic operator (5.9): it takes neither bools nor aggregates.
bool isReferenceFault(const std::string& statement) {
  static const char* const kReferenceFaults[] = {"+g_bool;", "+g_bvec2;", "+g_S;", "+g_A2;", "+g_A3;"};
  return std::any_of(std::begin(kReferenceFaults), std::end(kReferenceFaults),
                     [&](const char* s) { return statement == s; });
}

void compare(const std::string& before, const std::vector<std::string>& statements) {
  const std::string head = before + "void main() {\n";
  const auto first = static_cast<uint32_t>(std::count(head.begin(), head.end(), '\n')) + 1;
  uint32_t accepted = 0, rejected = 0;
  for (size_t from = 0; from < statements.size(); from += kBatch) {
    const size_t to = std::min(statements.size(), from + kBatch);
    std::string text = head;
    for (size_t i = from; i < to; ++i) text += "  { " + statements[i] + " }\n";
    text += "}\n";
    const Lines ours = rejectedByUs(text), reference = rejectedByReference(text);
    for (size_t i = from; i < to; ++i) {
      if (isReferenceFault(statements[i])) continue;
      const uint32_t line = first + static_cast<uint32_t>(i - from);
      const bool weReject = ours.count(line) != 0, itRejects = reference.count(line) != 0;
      ++(weReject ? rejected : accepted);
      if (weReject != itRejects) {
        CAPTURE(statements[i], weReject, itRejects);
        CHECK(weReject == itRejects);
      }
    }
  }
  CHECK(accepted > 100);  // both outcomes occurred
  CHECK(rejected > 100);
}

struct Reference {
  Reference() { glslang::InitializeProcess(); }
  ~Reference() { glslang::FinalizeProcess(); }
};

std::string declarations(const std::vector<std::string>& types) {
  std::string text;
  for (const std::string& t : types) {
    if (t == "A2" || t == "A3")
      text += "float g_" + t + "[" + t.substr(1) + "];\n";
    else
      text += t + " g_" + t + ";\n";
  }
  return text;
}

const std::vector<std::string> kCore = {"bool",   "int",    "uint",  "float", "double", "bvec2", "ivec2",
                                        "ivec3",  "uvec2",  "vec2",  "vec3",  "dvec2",  "mat2",  "mat3",
                                        "mat2x3", "mat3x2", "dmat2", "S",     "A2",     "A3"};
const std::string kCoreHead = "#version 460\nlayout(local_size_x = 1) in;\nstruct S { int a; };\n";

}  // namespace

TEST_CASE("binary operators accept what the reference compiler accepts") {
  Reference process;
  std::vector<std::string> statements;
  for (const std::string& a : kCore)
    for (const std::string& b : kCore)
      for (const char* op : {"+",  "-",  "*",  "/", "%", "<<", ">>", "<",  ">",  "<=",
                             ">=", "==", "!=", "&", "^", "|",  "&&", "^^", "||", ","})
        statements.push_back("g_" + a + " " + op + " g_" + b + ";");
  compare(kCoreHead + declarations(kCore), statements);
}

TEST_CASE("assignments, selections and indices accept what the reference compiler accepts") {
  Reference process;
  std::vector<std::string> statements;
  for (const std::string& a : kCore)
    for (const std::string& b : kCore) {
      for (const char* op : {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="})
        statements.push_back("g_" + a + " " + op + " g_" + b + ";");
      statements.push_back("g_bool ? g_" + a + " : g_" + b + ";");
      statements.push_back("g_" + a + "[g_" + b + "];");
    }
  compare(kCoreHead + declarations(kCore), statements);
}

TEST_CASE("unary operators and components accept what the reference compiler accepts") {
  Reference process;
  std::vector<std::string> statements;
  for (const std::string& a : kCore) {
    const std::string g = "g_" + a;
    for (const char* op : {"-", "+", "~", "!", "++", "--"}) statements.push_back(op + g + ";");
    for (const char* rest :
         {"++",           "--",      ".x",     ".xy",  ".z",       ".length()", ".a",     ".xx",
          "[0]",          "[1]",     "[2]",    "[3]",  "[-1]",     ".rgx",      ".xyxyx", ".xy = g_vec2",
          ".xx = g_vec2", "[0] = 1", ".x = 1", ".x++", ".yx *= 2", ".xy.x = 1", ".q",     ".foo"})
      statements.push_back(g + rest + ";");
    statements.push_back("if (" + g + ") ;");
    statements.push_back("while (" + g + ") break;");
  }
  compare(kCoreHead + declarations(kCore), statements);
}

TEST_CASE("constructors accept what the reference compiler accepts") {
  Reference process;
  std::vector<std::string> statements;
  for (const char* type : {"bool",  "int",  "uint",     "float",   "double", "bvec2",  "ivec3",    "uvec2",
                           "vec2",  "vec3", "vec4",     "dvec2",   "mat2",   "mat3",   "mat2x3",   "mat4",
                           "dmat2", "S",    "float[2]", "float[]", "S[1]",   "vec2[]", "sampler2D"}) {
    const std::string t = type;
    statements.push_back(t + "();");
    for (const std::string& a : kCore) {
      statements.push_back(t + "(g_" + a + ");");
      for (const char* b : {"int", "vec2", "vec3", "mat2", "S", "bool", "A2", "double"}) {
        const std::string second = std::string("g_") + b;
        statements.push_back(t + "(g_" + a + ", " + second + ");");
        statements.push_back(t + "(g_" + a + ", " + second + ", 1);");
        statements.push_back(t + "(1, g_" + a + ", " + second + ");");
      }
    }
  }
  compare(kCoreHead + declarations(kCore), statements);
}

TEST_CASE("explicit arithmetic types convert as in the reference compiler") {
  Reference process;
  const std::vector<std::string> types = {"bool",    "int8_t", "uint8_t", "int16_t",  "uint16_t",
                                          "int",     "uint",   "int64_t", "uint64_t", "float16_t",
                                          "float",   "double", "i16vec2", "u8vec2",   "f16vec2",
                                          "i64vec2", "vec2",   "f16vec3", "f16mat2",  "mat2"};
  std::vector<std::string> statements;
  for (const std::string& a : types)
    for (const std::string& b : types) {
      for (const char* op : {"+", "*", "%", "<<", "<", "==", "&", "&&", "=", "+=", "<<=", "&="})
        statements.push_back("g_" + a + " " + op + " g_" + b + ";");
      statements.push_back("g_bool ? g_" + a + " : g_" + b + ";");
      statements.push_back(a + "(g_" + b + ");");
      statements.push_back(a + "(g_" + b + ", 1);");
    }
  for (const std::string& a : types)
    for (const char* form : {"-@;", "~@;", "@++;", "g_vec2[@];", "@.x;", "@.xy;", "if (@) ;"}) {
      std::string s = form;
      s.replace(s.find('@'), 1, "g_" + a);
      statements.push_back(s);
    }
  compare(
      "#version 460\n#extension GL_EXT_shader_explicit_arithmetic_types : require\nlayout(local_size_x = 1) "
      "in;\n" +
          declarations(types),
      statements);
}

TEST_CASE("GLSL ES accepts what the reference compiler accepts") {
  Reference process;
  const std::vector<std::string> types = {"bool",  "int",  "uint", "float", "bvec2",  "ivec2", "ivec3",
                                          "uvec2", "vec2", "vec3", "mat2",  "mat2x3", "S",     "A2"};
  std::vector<std::string> statements;
  for (const std::string& a : types) {
    for (const std::string& b : types) {
      for (const char* op : {"+", "*", "%", "<<", "<", "==", "&", "&&", "=", "+=", "<<=", ","})
        statements.push_back("g_" + a + " " + op + " g_" + b + ";");
      statements.push_back("g_bool ? g_" + a + " : g_" + b + ";");
    }
    for (const char* form : {"@.x;", "@.xy;", "@.length();", "@[0];", "-@;", "vec2(@);", "float(@);",
                             "mat2(@);", "ivec2(@, 1);"}) {
      std::string s = form;
      s.replace(s.find('@'), 1, "g_" + a);
      statements.push_back(s);
    }
  }
  compare("#version 320 es\nprecision highp float;\nlayout(local_size_x = 1) in;\nstruct S { int a; };\n" +
              declarations(types),
          statements);
}
