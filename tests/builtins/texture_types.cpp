// Images with known texels; see texture_types.hpp.
#include "tests/builtins/texture_types.hpp"

#include <algorithm>
#include <cstring>

#include "tests/builtins/device.hpp"

namespace coopc::tests {

using vk::ImageForm;
using vk::ImageSpec;
using vk::RunImage;

bool TextureType::parse(const std::string& name, TextureType& type) {
  type = {};
  type.name = name;
  std::string rest = name;
  const auto take = [&](const char* word) {
    if (rest.rfind(word, 0) != 0) return false;
    rest.erase(0, std::strlen(word));
    return true;
  };
  // "image" begins with the prefix of signed types.
  if (rest.rfind("image", 0) != 0) {
    for (const char* prefix : {"i64", "u64", "i", "u"})
      if (take(prefix)) {
        type.prefix = prefix;
        break;
      }
  }
  if (take("sampler"))
    type.kind = Kind::Combined;
  else if (take("texture"))
    type.kind = Kind::Texture;
  else if (take("image"))
    type.kind = Kind::Image;
  else
    return false;
  if (take("1D"))
    type.dimensions = 1;
  else if (take("2D"))
    type.dimensions = 2;
  else if (take("3D"))
    type.dimensions = 3;
  else if (take("Cube"))
    type.cube = true;
  else if (take("Buffer"))
    type.buffer = true, type.dimensions = 1;
  else
    return false;
  type.multisampled = take("MS");
  type.arrayed = take("Array");
  type.shadow = take("Shadow");
  return rest.empty();
}

std::string TextureType::vector(uint32_t n) const {
  if (n != 1) return prefix + "vec" + std::to_string(n);
  return prefix.empty()    ? "float"
         : prefix == "i"   ? "int"
         : prefix == "u"   ? "uint"
         : prefix == "i64" ? "int64_t"
                           : "uint64_t";
}

TextureShape TextureShape::of(const TextureType& type) {
  TextureShape s{{16, type.dimensions > 1 ? 8u : 1u, type.dimensions > 2 ? 8u : 1u}, 1, 3, 1};
  if (type.cube) s.size = {8, 8, 1};
  if (type.buffer) s.size = {64, 1, 1};
  if (type.arrayed) s.layers = type.cube ? 2 : 3;
  if (type.cube) s.layers *= 6;
  if (type.multisampled) s.samples = 4;
  if (type.multisampled || type.buffer || type.kind == TextureType::Kind::Image) s.levels = 1;
  return s;
}

std::array<int, 3> TextureShape::levelSize(int level) const {
  std::array<int, 3> r{};
  for (size_t i = 0; i < 3; ++i) r[i] = static_cast<int>(std::max(size[i] >> level, 1u));
  return r;
}

int64_t texelValue(const TextureType& type, const Texel& t, int channel) {
  const int64_t v =
      1 + t.x + 16 * t.y + 128 * t.z + 1024 * t.layer + 16384 * (t.level + t.sample) + 65536 * channel;
  return type.prefix[0] != 'u' && (t.x + t.y) % 2 != 0 ? -v : v;
}

double depthValue(const Texel& t) { return ((t.x * 5 + t.y * 3 + t.layer * 7 + t.level * 11) % 32) / 32.0; }

Texel clampToEdge(const TextureShape& shape, Texel t) {
  const std::array<int, 3> size = shape.levelSize(t.level);
  t.x = std::clamp(t.x, 0, size[0] - 1);
  t.y = std::clamp(t.y, 0, size[1] - 1);
  t.z = std::clamp(t.z, 0, size[2] - 1);
  return t;
}

RunImage makeImage(const TextureType& type, uint32_t binding, uint32_t channels) {
  const TextureShape shape = TextureShape::of(type);
  RunImage image;
  ImageSpec& spec = image.spec;
  spec.name = type.name;
  spec.kind = type.kind == TextureType::Kind::Image ? ImageSpec::Kind::Storage : ImageSpec::Kind::Sampled;
  spec.binding = binding;
  spec.size = shape.size;
  spec.dimensions = type.dimensions;
  spec.channels = type.is64() || type.shadow ? 1 : channels;
  spec.written = spec.kind == ImageSpec::Kind::Storage;
  const bool isSigned = type.prefix[0] == 'i';
  if (type.shadow) {
    spec.format = "d32f";
  } else if (type.is64()) {
    spec.format = isSigned ? "r64i" : "r64ui";
    spec.type = isSigned ? NumberType::S64 : NumberType::U64;
  } else {
    spec.format = std::string(channels == 4 ? "rgba32" : "r32") + (type.isFloat() ? "f"
                                                                   : isSigned     ? "i"
                                                                                  : "ui");
    spec.type = type.isFloat() ? NumberType::F32 : isSigned ? NumberType::S32 : NumberType::U32;
  }
  ImageForm& form = image.form;
  form.view = type.cube     ? ImageForm::View::Cube
              : type.buffer ? ImageForm::View::Texels
                            : ImageForm::View::Plain;
  if (type.kind == TextureType::Kind::Texture) form.descriptor = ImageForm::Descriptor::Texture;
  form.arrayed = type.arrayed;
  form.layers = shape.layers;
  form.levels = shape.levels;
  form.samples = shape.samples;
  form.compares = type.shadow;
  if (type.multisampled) return image;
  size_t at = 0;
  Texel t;
  for (t.level = 0; t.level < static_cast<int>(shape.levels); ++t.level) {
    const std::array<int, 3> size = shape.levelSize(t.level);
    for (t.layer = 0; t.layer < static_cast<int>(shape.layers); ++t.layer)
      for (t.z = 0; t.z < size[2]; ++t.z)
        for (t.y = 0; t.y < size[1]; ++t.y)
          for (t.x = 0; t.x < size[0]; ++t.x)
            for (uint32_t c = 0; c < spec.channels; ++c) {
              const int64_t v = texelValue(type, t, static_cast<int>(c));
              if (type.shadow)
                put(image.contents, at++, static_cast<float>(depthValue(t)));
              else if (type.is64())
                put(image.contents, at++, v);
              else if (type.isFloat())
                put(image.contents, at++, static_cast<float>(v));
              else
                put(image.contents, at++, static_cast<int32_t>(v));
            }
  }
  return image;
}

std::array<double, 3> cubeDirection(int face, double s, double t) {
  // Vulkan 1.3, 16.5.3 "Cube Map Face Selection", solved for the direction.
  const double a = 2 * s - 1, b = 2 * t - 1;
  switch (face) {
    case 0: return {1, -b, -a};
    case 1: return {-1, -b, a};
    case 2: return {a, 1, b};
    case 3: return {a, -1, -b};
    case 4: return {a, -b, 1};
    default: return {-a, -b, -1};
  }
}

}  // namespace coopc::tests
