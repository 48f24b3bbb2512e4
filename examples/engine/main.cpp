// engine FOLDER: writes a shader into FOLDER, asks a cache for it as a device that has its matrices and as one that has none, changes
// what it includes, and looks that the cache follows. Exit code 0 where all is as it should be.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "shader_cache.hpp"

namespace {

void write(const std::filesystem::path& path, const char* text) { std::ofstream(path) << text; }

bool check(bool good, const char* what, const engine::Shader& shader) {
  std::printf("%s: %s\n", good ? "good" : "WRONG", what);
  if (!good) std::printf("%s", shader.messages.c_str());
  return good;
}

constexpr char kShader[] = R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#include "scale.glsl"
layout(local_size_x = 32) in;
layout(set = 0, binding = 1) buffer Values { float16_t values[]; };
layout(push_constant) uniform Push { uint at; };
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m;
  coopMatLoad(m, values, at, 16, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m * float16_t(SCALE), values, at, 16, gl_CooperativeMatrixLayoutRowMajor);
}
)";

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path folder(argv[1]);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "override");
  std::filesystem::create_directories(folder / "common");
  write(folder / "scale.comp", kShader);
  write(folder / "common" / "scale.glsl", "#define SCALE 2.0\n");
  const std::string path = (folder / "scale.comp").string();
  const std::vector<std::string> folders = {(folder / "override").string(), (folder / "common").string()};

  engine::ShaderCache native(folders, "h200", 2);
  const auto first = native.wait(path);
  bool good =
      check(first->ok() && !first->lowered, "a device with matrices takes the module as it is", *first);
  good &=
      check(first->bindings.size() == 1 && first->bindings[0].binding == 1 && first->pushConstantBytes == 4,
            "its pipeline layout", *first);
  good &= check(native.reloadChanged() == 0, "nothing changed", *first);

  engine::ShaderCache without(folders, "none", 1);
  const auto lowered = without.wait(path);
  good &= check(lowered->ok() && lowered->lowered, "a device without matrices gets it lowered", *lowered);

  write(folder / "common" / "scale.glsl", "#define SCALE 3.0 // changed\n");
  good &= check(native.reloadChanged() == 1, "an included file changed", *first);
  const auto second = native.wait(path);
  good &= check(second->ok() && second->words != first->words, "the shader is another one", *second);

  write(folder / "override" / "scale.glsl", "#error not yet\n");
  good &= check(native.reloadChanged() == 1, "a file that was looked for before came to be", *second);
  const auto third = native.wait(path);
  good &= check(!third->ok() && !third->messages.empty() && native.get(path) == second,
                "it has an error: the last good one stays", *third);
  return good ? 0 : 1;
}
