// Tensor loads with a decode function: blocks of four bits with a scale, of eight bits with a scale, of
// four-bit indices into a codebook, in one to three dimensions; and the decode function's own coordinates.
#include "harness/fill.hpp"
#include "harness/suite/tensor.hpp"

namespace coopc::harness::suite {
namespace {

using layout::ClampMode;
using layout::Coord;
using layout::SignedCoord;

enum class Coding { Nibbles, Bytes, Codebook, Coordinates };
constexpr const char* kCodingNames[] = {"q4", "q8", "codebook", "coordinates"};
static_assert(std::size(kCodingNames) == static_cast<size_t>(Coding::Coordinates) + 1);

// In halves of the scale's unit, so that products are exact in every type with 8 bits of precision.
constexpr int kCodebook[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

struct BlockCase {
  Coding coding = Coding::Nibbles;
  Tensor tensor;
  ShaderMatrix matrix;
};

uint32_t elementsOf(const Tensor& tensor) {
  uint32_t n = 1;
  for (uint32_t i = 0; i < tensor.dim; ++i) n *= tensor.block[i];
  return n;
}

// Bytes of a block as the shader's structure has them: a scale first, for the codings with one, at multiples
// of 2.
uint32_t blockBytes(Coding coding, uint32_t elements) {
  switch (coding) {
    case Coding::Nibbles: return 2 + (elements / 2 + 1) / 2 * 2;
    case Coding::Bytes: return 2 + (elements + 1) / 2 * 2;
    case Coding::Codebook: return elements / 2;
    case Coding::Coordinates: return 4;
  }
  return 0;
}

int64_t decode(const BlockCase& x, const uint8_t* block, const layout::Mapping& m) {
  uint32_t inside = 0;
  for (uint32_t i = 0; i < x.tensor.dim; ++i) inside = inside * x.tensor.block[i] + m.coordInBlock[i];
  switch (x.coding) {
    case Coding::Nibbles: {
      const auto scale = static_cast<int64_t>(toDouble(NumberType::F16, loadBits(NumberType::F16, block, 0)));
      const uint32_t byte = block[2 + inside / 2];
      return scale * (static_cast<int64_t>(inside % 2 == 0 ? byte & 15 : byte >> 4) - 8);
    }
    case Coding::Bytes: {
      const auto scale = static_cast<int64_t>(toDouble(NumberType::F16, loadBits(NumberType::F16, block, 0)));
      return scale * static_cast<int8_t>(block[2 + inside]);
    }
    case Coding::Codebook: {
      const uint32_t byte = block[inside / 2];
      return kCodebook[inside % 2 == 0 ? byte & 15 : byte >> 4];
    }
    case Coding::Coordinates: {
      int64_t v = block[0] % 16;
      for (uint32_t i = 0; i < x.tensor.dim; ++i)
        v += (m.blockCoord[i] % 5) * (i + 1) + (m.coordInBlock[i] % 4) * (i + 2);
      return v;
    }
  }
  return 0;
}

std::string decodeText(const BlockCase& x) {
  const uint32_t elements = elementsOf(x.tensor);
  const std::string type(glslName(x.matrix.type));
  const std::string dim = std::to_string(x.tensor.dim);
  std::string text;
  switch (x.coding) {
    case Coding::Nibbles:
      text = "struct Block { float16_t scale; uint8_t values[" + std::to_string((elements / 2 + 1) / 2 * 2) +
             "]; };\n";
      break;
    case Coding::Bytes:
      text = "struct Block { float16_t scale; int8_t values[" + std::to_string((elements + 1) / 2 * 2) +
             "]; };\n";
      break;
    case Coding::Codebook:
      text = "struct Block { uint8_t values[" + std::to_string(elements / 2) +
             "]; };\nconst int kBook[16] = int[16](";
      for (int i = 0; i < 16; ++i) text += (i != 0 ? ", " : "") + std::to_string(kCodebook[i]);
      text += ");\n";
      break;
    case Coding::Coordinates: text = "struct Block { uint8_t values[4]; };\n"; break;
  }
  text +=
      "layout(buffer_reference, std430, buffer_reference_align = 2) readonly buffer Pointer { Block block; "
      "};\n";
  text += type + " decode(const in Pointer pointer, const in uint32_t blockCoord[" + dim +
          "], const in uint32_t coordInBlock[" + dim + "]) {\n  uint inside = 0u;\n";
  for (uint32_t i = 0; i < x.tensor.dim; ++i) {
    text += "  inside = inside * " + std::to_string(x.tensor.block[i]) + "u + coordInBlock[" +
            std::to_string(i) + "];\n";
  }
  switch (x.coding) {
    case Coding::Nibbles:
      text +=
          "  uint byte = uint(pointer.block.values[inside / 2u]);\n"
          "  int q = int(inside % 2u == 0u ? byte & 15u : byte >> 4);\n"
          "  float v = float(pointer.block.scale) * float(q - 8);\n";
      break;
    case Coding::Bytes:
      text += "  float v = float(pointer.block.scale) * float(int(pointer.block.values[inside]));\n";
      break;
    case Coding::Codebook:
      text +=
          "  uint byte = uint(pointer.block.values[inside / 2u]);\n"
          "  float v = float(kBook[inside % 2u == 0u ? byte & 15u : byte >> 4]);\n";
      break;
    case Coding::Coordinates:
      text += "  uint sum = uint(pointer.block.values[0]) % 16u;\n";
      for (uint32_t i = 0; i < x.tensor.dim; ++i) {
        const std::string n = std::to_string(i);
        text += "  sum += blockCoord[" + n + "] % 5u * " + std::to_string(i + 1) + "u + coordInBlock[" + n +
                "] % 4u * " + std::to_string(i + 2) + "u;\n";
      }
      text += "  float v = float(sum);\n";
      break;
  }
  return text + "  return " + type + "(v);\n}";
}

Program blockProgram(const Config& config, const BlockCase& x, Memory memory, Given given, uint64_t seed) {
  Shader shader(config.invocations, given);
  const ShaderMatrix& t = x.matrix;
  const Tensor& tensor = x.tensor;
  const uint32_t elements = elementsOf(tensor);
  const uint32_t bytes = blockBytes(x.coding, elements);
  const uint64_t count = storageCount(tensor, t);
  std::vector<uint8_t> data(count * bytes);
  for (uint64_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(hash(seed, i));
  if (x.coding == Coding::Nibbles || x.coding == Coding::Bytes) {
    // Small scales: all values are exact in every type.
    for (uint64_t i = 0; i < count; ++i) {
      const uint64_t h = hash(seed + 1, i);
      const bool negative =
          (isFloat(t.type) || isSigned(t.type)) && x.coding == Coding::Nibbles && h % 2 != 0;
      double scale = x.coding == Coding::Nibbles ? static_cast<double>(h % 7 + 1) : 1;
      if (x.coding == Coding::Bytes && (t.type == NumberType::F32 || t.type == NumberType::S32))
        scale = static_cast<double>(h % 30 + 1);
      storeBits(NumberType::F16, data.data() + i * bytes, 0,
                fromDouble(NumberType::F16, negative ? -scale : scale));
    }
  }
  shader.useReferences();
  shader.type(decodeText(x));
  const std::string out = denseOutput(shader, config, t);
  std::string in = shader.buffer("Block", memory, data, false);
  writeTensor(shader, "t", tensor, t);
  if (tensor.clips) {
    shader.line(shader.matrix(t) + " m = " + shader.matrix(t) + "(" + std::string(glslName(t.type)) +
                "(77));");
  } else {
    shader.line(shader.matrix(t) + " m;");
  }
  shader.line("coopMatLoadTensorNV(m, " + in + ", " + shader.number(static_cast<int64_t>(tensor.offset)) +
              tensorArguments("t", tensor) + ", decode);");
  storeDense(shader, config, "m", t, out);
  Program program = shader.finish();
  program.expected.push_back(
      denseExpected(0, t, config.tiles, [&](uint32_t, uint32_t r, uint32_t c) -> uint64_t {
        const layout::Mapping m = mapElement(tensor, 0, 0, t, r, c, layout::Access::Load);
        switch (m.outcome) {
          case layout::Outcome::Element:
            if (tensor.offset + m.index < count) {
              return bitsOf(t.type, decode(x, data.data() + (tensor.offset + m.index) * bytes, m));
            }
            program.fault = "a block lies outside the tensor's storage";
            return 0;
          case layout::Outcome::Skipped: return bitsOf(t.type, 77);
          case layout::Outcome::ClampValue: {
            const uint64_t all = tensor.setsClampValue ? tensor.clampValue : 0;
            return byteSize(t.type) == 4 ? all : all & ((uint64_t{1} << 8 * byteSize(t.type)) - 1);
          }
          default: program.fault = "the result is undefined"; return 0;
        }
      }));
  return program;
}

struct Kind {
  const char* name;
  uint32_t dim;
  Coord block;
};
const Kind kKinds[] = {
    {"1d-32", 1, {32, 1, 1, 1, 1}},     {"1d-256", 1, {256, 1, 1, 1, 1}}, {"2d-1x32", 2, {1, 32, 1, 1, 1}},
    {"2d-2x16", 2, {2, 16, 1, 1, 1}},   {"2d-4x4", 2, {4, 4, 1, 1, 1}},   {"2d-8x1", 2, {8, 1, 1, 1, 1}},
    {"3d-1x1x32", 3, {1, 1, 32, 1, 1}}, {"3d-2x2x8", 3, {2, 2, 8, 1, 1}}, {"3d-1x4x4", 3, {1, 4, 4, 1, 1}},
};
// In Ragged and RaggedStrides the tensor's inner dimensions are not multiples of the block's: the last block
// is not full. With implicit strides, a row of blocks then has one more than the quotient.
enum class Extra { Whole, Slice, Clamp, View, Offset, Strides, Clip, ClampEdge, Ragged, RaggedStrides };
constexpr const char* kExtraNames[] = {"whole",   "slice",   "clamp-constant", "permuted", "element-offset",
                                       "strides", "clipped", "clamp-edge",     "ragged",   "ragged-strides"};
static_assert(std::size(kExtraNames) == static_cast<size_t>(Extra::RaggedStrides) + 1);

Tensor tensorOf(const ShaderMatrix& t, const Kind& kind, Coding coding, Extra extra) {
  Tensor tensor;
  tensor.dim = kind.dim;
  tensor.block = kind.block;
  Coord spans{};
  if (kind.dim == 1) spans = {t.rows * t.columns, 0, 0, 0, 0};
  if (kind.dim == 2) spans = {t.rows, t.columns, 0, 0, 0};
  if (kind.dim == 3) spans = {t.rows / 2, 2, t.columns, 0, 0};
  SignedCoord offset{};
  const bool ragged = extra == Extra::Ragged || extra == Extra::RaggedStrides;
  const bool clamps = extra == Extra::Clamp || extra == Extra::ClampEdge;
  for (uint32_t i = 0; i < kind.dim; ++i) {
    const uint32_t block = kind.block[i];
    const auto full = [&](uint32_t n) { return (n + block - 1) / block * block; };
    if (extra == Extra::Whole) {
      tensor.dimension[i] = full(spans[i]);
    } else if (clamps) {
      offset[i] = i % 2 == 0 ? -3 : 2;
      tensor.dimension[i] = std::max(block, (i % 2 == 0 ? spans[i] : spans[i] - 1) / block * block);
    } else {
      // Slices start inside blocks.
      offset[i] = static_cast<int32_t>(block / 2 + i % 2);
      tensor.dimension[i] = ragged ? spans[i] + block + 3 : full(spans[i] + block + 3);
      if (ragged && tensor.dimension[i] % block == 0) tensor.dimension[i] -= 1;
    }
  }
  if (clamps) {
    tensor.mode = extra == Extra::Clamp ? ClampMode::Constant : ClampMode::ClampToEdge;
    tensor.setsClampValue = extra == Extra::Clamp;
    tensor.clampValue = 0x40424244;
  }
  if (extra == Extra::Whole && tensor.dimension == spans) return tensor;
  tensor.slices.push_back({offset, spans});
  if (extra == Extra::Offset) {
    // The offset counts blocks, and must lie at a multiple of 16 bytes.
    const uint32_t bytes = blockBytes(coding, elementsOf(tensor));
    tensor.offset = std::lcm(bytes, 16u) / bytes;
  }
  if (extra == Extra::Strides || extra == Extra::RaggedStrides) {
    tensor.strides = true;
    uint32_t stride = 1;
    for (uint32_t i = kind.dim; i-- > 0;) {
      tensor.stride[i] = stride;
      stride = stride * ((tensor.dimension[i] + kind.block[i] - 1) / kind.block[i]) +
               (extra == Extra::Strides ? 1 : 0);
    }
  }
  if (extra == Extra::View || extra == Extra::Clip) {
    tensor.view = true;
    tensor.viewDim = kind.dim;
    for (uint32_t i = 0; i < kind.dim; ++i) tensor.permutation[i] = kind.dim - 1 - i;
  }
  if (extra == Extra::Clip) {
    tensor.clips = true;
    tensor.clip[0] = 2;
    tensor.clip[1] = t.rows / 2;
    tensor.clip[2] = 3;
    tensor.clip[3] = t.columns - 4;
  }
  return tensor;
}

}  // namespace

void addBlockCases(List& list, const std::vector<Config>& configs) {
  uint32_t turn = 0;
  for (const Config& config : configs) {
    if (config.fixed) continue;
    for (const TypeUse& type : typesOf(config)) {
      const std::vector<Size> sizes = fewSizes(config, list.device(), type);
      for (uint32_t i = 0; i < 12; ++i, ++turn) {
        const Kind& kind = kKinds[turn % std::size(kKinds)];
        auto coding = static_cast<Coding>(turn / 2 % 4);
        const auto extra = static_cast<Extra>((turn * 3 + turn / 9) % 10);
        // A codebook's and a scale's values are negative.
        if (type.type == NumberType::U8 || type.type == NumberType::U32) coding = Coding::Coordinates;
        BlockCase x;
        x.coding = coding;
        const Size size = sizes[(turn + turn / 27) % sizes.size()];
        x.matrix = matrixOf(config, type, size);
        x.tensor = tensorOf(x.matrix, kind, coding, extra);
        const Memory memory = turn / 3 % 3 == 1 ? Memory::Reference : Memory::Buffer;
        const auto given = static_cast<Given>((turn + turn / 9) % 3);
        const uint64_t seed = list.nextSeed();
        list.add("tensor-load-decode", config,
                 {slug(type), sizeName(size), kCodingNames[static_cast<size_t>(coding)], kind.name,
                  kExtraNames[static_cast<size_t>(extra)], std::string(memoryName(memory)),
                  std::string(givenName(given))},
                 {"cooperativeMatrixTensorAddressing", "cooperativeMatrixBlockLoads", "bufferDeviceAddress"},
                 [config, x, memory, given, seed] { return blockProgram(config, x, memory, given, seed); });
        list.traits({config.name, slug(type), size.name, kCodingNames[static_cast<size_t>(coding)], kind.name,
                     kExtraNames[static_cast<size_t>(extra)], std::string(memoryName(memory)),
                     std::string(givenName(given))});
      }
    }
  }
}

void completeBlockCases(List& list, const std::vector<Config>& configs) {
  const TargetDevice& device = list.device();
  const Space space(configs, false, operationClasses(), typeSubjects,
                    [&](const Config& config, const Subject& s) {
                      std::vector<Size> sizes = operationSizes(config, device, s.type, 4);
                      // The same limit as for tensor loads.
                      const uint64_t most = uint64_t{32} * (config.invocations / config.tiles);
                      sizes.erase(std::remove_if(sizes.begin() + 1, sizes.end(),
                                                 [&](const Size& size) {
                                                   return std::string_view(size.name) == "largest" &&
                                                          uint64_t{size.rows} * size.columns > most;
                                                 }),
                                  sizes.end());
                      return sizes;
                    });
  if (space.empty()) return;
  Operation operation = space.operation("tensor-load-decode");
  Axis kinds{"block", {}};
  for (const Kind& kind : kKinds) kinds.values.emplace_back(kind.name);
  operation.axes.push_back({"coding", {std::begin(kCodingNames), std::end(kCodingNames)}});
  operation.axes.push_back(std::move(kinds));
  operation.axes.push_back({"tensor", {std::begin(kExtraNames), std::end(kExtraNames)}});
  operation.axes.push_back(memoryAxis());
  operation.axes.push_back(givenAxis());
  operation.wholes.push_back({0, 1, 2});
  operation.wholes.push_back({0, 1, 3});
  operation.wholes.push_back({0, 1, 6});
  operation.wholes.push_back({3, 4, 5});
  operation.exclusions.push_back(
      {"the values of a codebook and of scales are negative", {0, 1, 3}, [space](const Choice& c) {
         if (!space.has(c)) return false;
         const NumberType type = space.subject(c).type.type;
         return static_cast<Coding>(c[3]) != Coding::Coordinates &&
                (type == NumberType::U8 || type == NumberType::U32);
       }});
  operation.exclusions.push_back({"a decode function reads a storage buffer or a buffer reference",
                                  {6},
                                  [](const Choice& c) { return c[6] == 2; }});
  list.complete(std::move(operation), [&](const Choice& c) {
    const Config& config = space.config(c);
    const auto coding = static_cast<Coding>(c[3]);
    const auto extra = static_cast<Extra>(c[5]);
    BlockCase x;
    x.coding = coding;
    x.matrix = space.matrix(c);
    x.tensor = tensorOf(x.matrix, kKinds[c[4]], coding, extra);
    const auto memory = static_cast<Memory>(c[6]);
    const auto given = static_cast<Given>(c[7]);
    const uint64_t seed = list.nextSeed();
    list.add("tensor-load-decode", config,
             {slug(space.subject(c).type), sizeName(space.size(c)), kCodingNames[c[3]], kKinds[c[4]].name,
              kExtraNames[c[5]], std::string(memoryName(memory)), std::string(givenName(given))},
             {"cooperativeMatrixTensorAddressing", "cooperativeMatrixBlockLoads", "bufferDeviceAddress"},
             [config, x, memory, given, seed] { return blockProgram(config, x, memory, given, seed); });
  });
}

}  // namespace coopc::harness::suite
