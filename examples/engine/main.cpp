// engine FOLDER: writes a shader into FOLDER, asks a cache for it on behalf of a device that supports its
// matrices and of one that does not, changes what it includes, and checks that the cache follows. Exit code 0
// if everything is as expected.
//
// engine FOLDER --run: runs shaders on a Vulkan device, each as its native or its lowered module, whichever
// the device needs, and compares the results.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "shader_cache.hpp"
#ifdef ENGINE_RUNS
#include "compute.hpp"
#endif

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

#ifdef ENGINE_RUNS
// Squares a matrix, SIZE rows of SIZE.
constexpr char kSquare[] = R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#include "size.glsl"
layout(local_size_x = 32) in;
layout(set = 0, binding = 2) buffer Values { float16_t values[]; };
void main() {
  coopmat<float16_t, gl_ScopeSubgroup, SIZE, SIZE, gl_MatrixUseA> a;
  coopmat<float16_t, gl_ScopeSubgroup, SIZE, SIZE, gl_MatrixUseB> b;
  coopMatLoad(a, values, 0, SIZE, gl_CooperativeMatrixLayoutRowMajor);
  coopMatLoad(b, values, 0, SIZE, gl_CooperativeMatrixLayoutRowMajor);
  coopmat<float16_t, gl_ScopeSubgroup, SIZE, SIZE, gl_MatrixUseAccumulator> c =
      coopmat<float16_t, gl_ScopeSubgroup, SIZE, SIZE, gl_MatrixUseAccumulator>(0.0);
  c = coopMatMulAdd(a, b, c);
  if (gl_SubgroupID == 0) coopMatStore(c, values, SIZE * SIZE, SIZE, gl_CooperativeMatrixLayoutRowMajor);
}
)";

// Whole numbers to 16-bit floats, exactly up to 2048.
uint16_t half(uint32_t value) {
  if (value == 0) return 0;
  uint32_t exponent = 0;
  while (value >> (exponent + 1) != 0) ++exponent;
  return static_cast<uint16_t>((exponent + 15) << 10 | ((value << 10 >> exponent) & 0x3FF));
}

// The input is a matrix with the entries 0, 1 and 2; the expected result is its square.
bool squared(engine::Compute& device, const engine::Shader& shader, uint32_t size) {
  std::vector<uint32_t> numbers(size * size);
  for (uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = (i * 7 + i / size) % 3;
  std::vector<uint16_t> data(2 * numbers.size());
  for (uint32_t i = 0; i < numbers.size(); ++i) data[i] = half(numbers[i]);
  std::string why;
  if (!device.run(shader, data, why)) {
    std::printf("%u: Vulkan refuses %s\n", size, why.c_str());
    return false;
  }
  uint32_t wrong = 0;
  for (uint32_t row = 0; row < size; ++row)
    for (uint32_t column = 0; column < size; ++column) {
      uint32_t sum = 0;
      for (uint32_t k = 0; k < size; ++k) sum += numbers[row * size + k] * numbers[k * size + column];
      wrong += data[size * size + row * size + column] != half(sum) ? 1 : 0;
    }
  if (wrong != 0) std::printf("%u: %u of %u results are wrong\n", size, wrong, size * size);
  return wrong == 0;
}

int runOnDevice(const std::filesystem::path& folder) {
  std::string why;
  const std::unique_ptr<engine::Compute> device = engine::Compute::open(why);
  if (device == nullptr) {
    std::printf("SKIPPED: %s\n", why.c_str());
    return 0;
  }
  std::printf("%s\n", device->name().c_str());
  std::filesystem::create_directories(folder);
  write(folder / "profile.json", device->profile().c_str());
  bool good = true;
  for (const uint32_t size : {8u, 16u}) {
    const std::filesystem::path place = folder / std::to_string(size);
    std::filesystem::create_directories(place);
    write(place / "square.comp", kSquare);
    write(place / "size.glsl", ("#define SIZE " + std::to_string(size) + "\n").c_str());
    engine::ShaderCache cache({place.string()}, device->profile(), 1);
    const auto shader = cache.wait((place / "square.comp").string());
    good &= check(shader->ok() && squared(*device, *shader, size),
                  shader->lowered ? "the lowered module's square" : "the native module's square", *shader);
    std::printf("%ux%u: %s\n", size, size, shader->lowered ? "lowered" : "native");
  }
  return good ? 0 : 1;
}
#endif

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && (argc != 3 || std::string_view(argv[2]) != "--run")) return 2;
  const std::filesystem::path folder(argv[1]);
  std::filesystem::remove_all(folder);
  if (argc == 3) {
#ifdef ENGINE_RUNS
    return runOnDevice(folder);
#else
    std::printf("SKIPPED: built without Vulkan's headers\n");
    return 0;
#endif
  }
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
