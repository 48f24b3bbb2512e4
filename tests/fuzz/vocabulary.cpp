// The language's words, from the tables of the front end.
#include "frontend/language/builtins/functions.hpp"
#include "frontend/language/builtins/names.hpp"
#include "frontend/language/extension.hpp"
#include "frontend/language/keywords.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace coopc::fuzz {
namespace {

// Words that are not in the tables: directives, and the identifiers of layout qualifiers.
constexpr std::string_view kMore[] = {
    "#version 460\n",
    "#extension all : warn\n",
    "#define A(x, ...) x\n",
    "#if 1\n",
    "#elif defined(A)\n",
    "#else\n",
    "#endif\n",
    "#include \"types.glsl\"\n",
    "#pragma use_vulkan_memory_model\n",
    "#line 7 \"a\"\n",
    "#undef A\n",
    "__VA_ARGS__",
    "__LINE__",
    "##",
    "layout(location = 0) ",
    "layout(set = 0, binding = 1) ",
    "layout(push_constant) ",
    "layout(constant_id = 3) ",
    "layout(local_size_x = 32) in;\n",
    "layout(local_size_x_id = 1) in;\n",
    "layout(std430, buffer_reference) ",
    "layout(scalar) ",
    "std140",
    "row_major",
    "component = 1",
    "xfb_buffer = 0",
    "offset = 16",
    "index = 0",
    "triangles",
    "points",
    "max_vertices = 3",
    "vertices = 3",
    "max_primitives = 1",
    "origin_upper_left",
    "early_fragment_tests",
    "depth_greater",
    "rgba32f",
    "r32ui",
    "input_attachment_index = 0",
    "shaderRecordEXT",
    "nonuniformEXT",
    "gl_ScopeSubgroup",
    "gl_ScopeWorkgroup",
    "gl_MatrixUseA",
    "gl_MatrixUseAccumulator",
};

std::vector<std::string> collect() {
  using namespace frontend;
  std::vector<std::string> words(std::begin(kMore), std::end(kMore));
  for (size_t i = 0; i < size_t(Tok::Count); ++i)
    if (const std::string_view spelling = tokenSpelling(Tok(i)); !spelling.empty())
      words.emplace_back(spelling);
  for (size_t i = 0; i < size_t(ExtensionId::Count); ++i)
    words.push_back("#extension " + std::string(extensionName(ExtensionId(i))) + " : enable\n");
  for (uint16_t i = 0; i < builtins::typeNameCount(); ++i) words.emplace_back(builtinTypeName(i).name);
  for (uint16_t i = 0; i < builtins::symbolCount(); ++i) words.emplace_back(builtinSymbol(i).name);
  for (uint16_t i = 0; i < builtins::functionNameCount(); ++i) words.emplace_back(builtins::functionName(i));
  return words;
}

}  // namespace

const std::vector<std::string>& vocabulary() {
  static const std::vector<std::string> words = collect();
  return words;
}

}  // namespace coopc::fuzz
