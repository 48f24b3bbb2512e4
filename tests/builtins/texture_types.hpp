// The image types of GLSL by their names, the images that the value tests bind for them, and what a lookup in
// them gives: plain arithmetic that shares nothing with the compiler's tables.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vulkan/executor/runner.hpp"

namespace coopc::tests {

/// A type's name, such as "isampler2DMSArray", in parts.
struct TextureType {
  enum class Kind { Combined, Texture, Image };
  std::string name;
  std::string prefix;  ///< "", "i", "u", "i64", "u64"
  Kind kind = Kind::Combined;
  uint32_t dimensions = 2;  ///< of one layer; a cube's faces have 2
  bool cube = false, buffer = false, multisampled = false, arrayed = false, shadow = false;

  /// Returns false for names of other types.
  static bool parse(const std::string& name, TextureType& type);
  std::string vector(uint32_t n) const;  ///< of the sampled type: "ivec4", "float"
  bool is64() const { return prefix.size() == 3; }
  bool isFloat() const { return prefix.empty(); }
};

/// Sizes and counts of an image of the type: the same for every test.
struct TextureShape {
  std::array<uint32_t, 3> size;
  uint32_t layers, levels, samples;  ///< layers: faces counted

  static TextureShape of(const TextureType& type);
  std::array<int, 3> levelSize(int level) const;
};

struct Texel {
  int x = 0, y = 0, z = 0;
  int layer = 0;  ///< of a cube: 6 * layer + face
  int level = 0, sample = 0;
};

/// A channel of a texel: an integer, exact in every format. Every other one is negative if the type is
/// signed.
int64_t texelValue(const TextureType& type, const Texel& t, int channel);
/// A texel of a depth image: a multiple of 1/32.
double depthValue(const Texel& t);
/// The texel with its coordinates clamped to the level's edges.
Texel clampToEdge(const TextureShape& shape, Texel t);

/// The image; `channels` is 4 or 1. Storage images (and multisampled ones) have kind Image.
vk::RunImage makeImage(const TextureType& type, uint32_t binding, uint32_t channels);

/// The direction of the point (s, t), with coordinates in [0, 1], on a cube's face.
std::array<double, 3> cubeDirection(int face, double s, double t);

}  // namespace coopc::tests
