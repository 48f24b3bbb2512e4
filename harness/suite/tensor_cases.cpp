// coopMatLoadTensorNV and coopMatStoreTensorNV: dimensions, slices, strides, views, clip regions, and all
// clamp modes with slices that leave the tensor on each side.
#include <map>

#include "harness/suite/tensor.hpp"

namespace coopc::harness::suite {
namespace {

using layout::ClampMode;
using layout::Coord;
using layout::SignedCoord;

struct TensorCase {
  std::string feature;  // without "load" or "store"
  std::string name;
  Tensor tensor;
};

// Spans of `dim` dimensions with rows * columns elements. Granularities are multiples of 4.
Coord spansOf(const ShaderMatrix& t, uint32_t dim) {
  switch (dim) {
    case 1: return {t.rows * t.columns, 0, 0, 0, 0};
    case 2: return {t.rows, t.columns, 0, 0, 0};
    case 3: return {t.rows / 2, 2, t.columns, 0, 0};
    case 4: return {t.rows / 2, 2, t.columns / 4, 4, 0};
    default: return {2, t.rows / 4, 2, t.columns / 2, 2};
  }
}

// A tensor that is `more` elements larger than the slice in each dimension, with the slice `before` elements
// inside.
Tensor around(const ShaderMatrix& t, uint32_t dim, uint32_t more, int32_t before) {
  Tensor tensor;
  tensor.dim = dim;
  const Coord spans = spansOf(t, dim);
  SignedCoord offset{};
  for (uint32_t i = 0; i < dim; ++i) {
    tensor.dimension[i] = spans[i] + more;
    offset[i] = before;
  }
  tensor.slices.push_back({offset, spans});
  return tensor;
}

Coord rotate(uint32_t dim, uint32_t by) {
  Coord p{0, 1, 2, 3, 4};
  for (uint32_t i = 0; i < dim; ++i) p[i] = (i + by) % dim;
  return p;
}

void addWhole(const ShaderMatrix& t, uint32_t dim, std::vector<TensorCase>& cases) {
  const std::string d = std::to_string(dim) + "d";
  const auto unit = static_cast<uint32_t>(16 / byteSize(t.type));
  Tensor whole;
  whole.dim = dim;
  whole.dimension = spansOf(t, dim);
  cases.push_back({"", d + ".whole", whole});
  whole.offset = 3 * unit;
  cases.push_back({"", d + ".element-offset", whole});
}

void addSlices(const ShaderMatrix& t, uint32_t dim, std::vector<TensorCase>& cases) {
  const std::string d = std::to_string(dim) + "d";
  cases.push_back({"", d + ".slice", around(t, dim, 5, 2)});
  Tensor tensor = around(t, dim, 5, 2);
  // Two slices: offsets add up, spans are replaced.
  tensor.slices.insert(tensor.slices.begin(), tensor.slices[0]);
  for (uint32_t i = 0; i < dim; ++i) {
    tensor.slices[0].second[i] += 1;
    tensor.slices[1].first[i] = i % 2 == 0 ? 1 : -1;
  }
  cases.push_back({"", d + ".two-slices", tensor});
}

void addStrides(const ShaderMatrix& t, uint32_t dim, std::vector<TensorCase>& cases) {
  const std::string d = std::to_string(dim) + "d";
  Tensor tensor = around(t, dim, 3, 1);
  tensor.strides = true;
  uint32_t stride = 1;
  for (uint32_t i = dim; i-- > 0;) {
    if (i + 1 < dim || dim == 1) stride += dim == 1 ? 1 : 1 + i;
    tensor.stride[i] = stride;
    stride *= tensor.dimension[i];
  }
  cases.push_back({"-strides", d, tensor});
}

void addPermutedViews(const ShaderMatrix& t, uint32_t dim, std::vector<TensorCase>& cases) {
  if (dim == 1) return;
  const std::string d = std::to_string(dim) + "d";
  for (uint32_t by = 1; by < dim; ++by) {
    Tensor tensor = around(t, dim, 4, 1);
    tensor.view = true;
    tensor.viewDim = dim;
    tensor.permutation = rotate(dim, by);
    cases.push_back({"-view-permuted", d + ".rotate" + std::to_string(by), tensor});
  }
  Tensor tensor = around(t, dim, 1, 0);
  tensor.view = true;
  tensor.viewDim = dim;
  for (uint32_t i = 0; i < dim; ++i) tensor.permutation[i] = dim - 1 - i;
  cases.push_back({"-view-permuted", d + ".reverse", tensor});
  Tensor identity = around(t, dim, 1, 1);
  identity.view = true;
  identity.viewDim = dim;
  cases.push_back({"-view", d + ".identity", identity});
}

// A view with dimensions of its own, over layouts of other dimension counts.
void addSizedViews(const ShaderMatrix& t, uint32_t dim, std::vector<TensorCase>& cases) {
  const std::string d = std::to_string(dim) + "d";
  for (const uint32_t layoutDim : {dim, dim % 5 + 1}) {
    Tensor tensor = around(t, layoutDim, 2, 1);
    tensor.view = true;
    tensor.viewDim = dim;
    tensor.viewHasDimensions = true;
    tensor.viewDimension = spansOf(t, dim);
    tensor.permutation = rotate(dim, dim > 2 ? 2 : 1);
    cases.push_back({"-view-dimensions", d + ".over" + std::to_string(layoutDim) + "d", tensor});
  }
}

// Explicit view strides: every second element of a slice twice as long.
void addStridedView(const ShaderMatrix& t, uint32_t dim, std::vector<TensorCase>& cases) {
  const std::string d = std::to_string(dim) + "d";
  const Coord spans = spansOf(t, dim);
  Tensor tensor = around(t, dim, 2, 1);
  for (uint32_t i = 0; i < dim; ++i) {
    if (i + 1 != dim) continue;
    tensor.dimension[i] = spans[i] * 2 + 2;
    tensor.slices[0].second[i] = spans[i] * 2;
  }
  tensor.view = true;
  tensor.viewDim = dim;
  tensor.viewHasDimensions = true;
  tensor.viewDimension = spans;
  tensor.viewStrides = true;
  uint32_t stride = 2;
  for (uint32_t i = dim; i-- > 0;) {
    tensor.viewStride[i] = stride;
    stride *= spans[i];
  }
  cases.push_back({"-view-strides", d + ".every-second", tensor});
}

void addClippedViews(const ShaderMatrix& t, uint32_t dim, std::vector<TensorCase>& cases) {
  const std::string d = std::to_string(dim) + "d";
  Tensor tensor = around(t, dim, 3, 2);
  tensor.view = true;
  tensor.viewDim = dim;
  tensor.clips = true;
  tensor.clip[0] = 3;
  tensor.clip[1] = t.rows / 2;
  tensor.clip[2] = 1;
  tensor.clip[3] = t.columns - 3;
  // Only the clipped region maps to the slice, which therefore has fewer elements.
  cases.push_back({"-view-clipped", d + ".both", tensor});
  tensor.clip[0] = 0;
  tensor.clip[1] = 0xFFFFFFFFu;
  tensor.clip[2] = 2;
  tensor.clip[3] = 4;
  if (dim > 1) tensor.permutation = rotate(dim, 1);
  cases.push_back({"-view-clipped", d + ".columns", tensor});
  tensor.clip[0] = t.rows - 1;
  tensor.clip[1] = 1;
  tensor.clip[2] = 0;
  tensor.clip[3] = 0xFFFFFFFFu;
  cases.push_back({"-view-clipped", d + ".last-row", tensor});
}

// 2x2 pixels become one of four times the channels; the tensor is height x width x channels.
void addSpaceToDepth(const ShaderMatrix& t, std::vector<TensorCase>& cases) {
  const uint32_t channels = t.columns / 4;
  const uint32_t width = 4;
  Tensor tensor;
  tensor.dim = 3;
  tensor.dimension = {t.rows / width * 2, width * 2, channels, 0, 0};
  tensor.view = true;
  tensor.viewDim = 5;
  tensor.viewHasDimensions = true;
  tensor.viewDimension = {t.rows / width, 2, width, 2, channels};
  tensor.permutation = {0, 2, 1, 3, 4};
  cases.push_back({"-space-to-depth", "2x2", tensor});
  tensor.strides = true;
  tensor.stride = {tensor.dimension[1] * (channels + 2) + 5, channels + 2, 1, 0, 0};
  cases.push_back({"-space-to-depth", "2x2-strided", tensor});
}

// Each row of the matrix is the same row: a stride of 0. Loads only.
void addBroadcast(const ShaderMatrix& t, std::vector<TensorCase>& cases) {
  Tensor tensor = around(t, 2, 2, 1);
  tensor.view = true;
  tensor.viewHasDimensions = true;
  tensor.viewDimension = {t.rows, t.columns, 0, 0, 0};
  tensor.viewStrides = true;
  tensor.viewStride = {0, 1, 0, 0, 0};
  cases.push_back({"-view-strides", "2d.broadcast", tensor});
}

// An 8 x (rows / 8) patch of an image with channels.
void addPatch(const ShaderMatrix& t, std::vector<TensorCase>& cases) {
  Tensor tensor;
  tensor.dim = 3;
  tensor.dimension = {13, t.rows / 8 + 3, t.columns, 0, 0};
  tensor.slices.push_back({{4, 2, 0, 0, 0}, {8, t.rows / 8, t.columns, 0, 0}});
  cases.push_back({"", "3d.patch", tensor});
}

// Everything but clamping. All stay inside the tensor.
std::vector<TensorCase> plainCases(const ShaderMatrix& t) {
  std::vector<TensorCase> cases;
  for (uint32_t dim = 1; dim <= 5; ++dim) {
    addWhole(t, dim, cases);
    addSlices(t, dim, cases);
    addStrides(t, dim, cases);
    addPermutedViews(t, dim, cases);
    addSizedViews(t, dim, cases);
    addStridedView(t, dim, cases);
    addClippedViews(t, dim, cases);
  }
  addSpaceToDepth(t, cases);
  addBroadcast(t, cases);
  addPatch(t, cases);
  return cases;
}

struct Side {
  const char* name;
  // The values for a dimension with `span` elements in the slice.
  int32_t (*offset)(int32_t span);
  uint32_t (*dimension)(uint32_t span);
};
const Side kSides[] = {
    {"inside", [](int32_t) { return 1; }, [](uint32_t span) { return span + 2; }},
    {"low", [](int32_t) { return -3; }, [](uint32_t span) { return span + 1; }},
    {"high", [](int32_t) { return 2; }, [](uint32_t span) { return span - 1; }},
    {"both", [](int32_t) { return -1; }, [](uint32_t span) { return span < 3 ? 1 : span - 2; }},
    {"far-low", [](int32_t span) { return -2 * span - 1; }, [](uint32_t span) { return span + 1; }},
    {"far-high", [](int32_t span) { return 3 * span + 2; }, [](uint32_t span) { return span + 3; }},
    {"small", [](int32_t) { return -7; }, [](uint32_t) { return 3u; }},
};

std::vector<TensorCase> clampCases(const ShaderMatrix& t) {
  std::vector<TensorCase> cases;
  // Without NaNs, which cannot be distinguished from the poison.
  const uint32_t patterns[] = {0x00000000u, 0x3F803C01u, 0xDEAD4280u, 0x7F7FFB7Fu, 0x12345681u};
  uint32_t turn = t.rows + t.columns;
  for (const ClampMode mode :
       {ClampMode::Constant, ClampMode::ClampToEdge, ClampMode::Repeat, ClampMode::MirrorRepeat}) {
    for (uint32_t dim = 1; dim <= 5; ++dim) {
      const Coord spans = spansOf(t, dim);
      const auto build = [&](const std::string& name, const auto& sideOf) {
        Tensor tensor;
        tensor.dim = dim;
        tensor.mode = mode;
        SignedCoord offset{};
        for (uint32_t i = 0; i < dim; ++i) {
          const Side& side = sideOf(i);
          offset[i] = side.offset(static_cast<int32_t>(spans[i]));
          tensor.dimension[i] = side.dimension(spans[i]);
          // A mirrored dimension of one element is a case of its own (decision 2).
          if (mode == ClampMode::MirrorRepeat) tensor.dimension[i] = std::max(tensor.dimension[i], 2u);
        }
        tensor.slices.push_back({offset, spans});
        if (mode == ClampMode::Constant && turn % 4 != 0) {
          tensor.setsClampValue = true;
          tensor.clampValue = patterns[turn % std::size(patterns)];
        }
        if (turn % 5 == 0 && dim > 1) {
          tensor.view = true;
          tensor.viewDim = dim;
          tensor.permutation = rotate(dim, 1);
        }
        ++turn;
        cases.push_back(
            {"-clamp-" + std::string(clampName(mode)), std::to_string(dim) + "d." + name, tensor});
      };
      for (size_t s = 1; s < std::size(kSides); ++s) {
        // All dimensions at once, and one of them alone.
        build(std::string("all-") + kSides[s].name, [&](uint32_t) -> const Side& { return kSides[s]; });
        if (dim == 1) continue;
        const uint32_t only = (turn + static_cast<uint32_t>(s)) % dim;
        build("only" + std::to_string(only) + "-" + kSides[s].name,
              [&](uint32_t i) -> const Side& { return kSides[i == only ? s : 0]; });
      }
    }
  }
  return cases;
}

// Tiles of a tensor whose size is not a multiple of the tile's.
std::vector<TensorCase> partialCases(const ShaderMatrix& t) {
  std::vector<TensorCase> cases;
  for (const ClampMode mode :
       {ClampMode::Constant, ClampMode::ClampToEdge, ClampMode::Repeat, ClampMode::MirrorRepeat}) {
    Tensor tensor;
    tensor.mode = mode;
    tensor.groupsX = 2;
    tensor.groupsY = 2;
    tensor.dimension = {t.rows + t.rows / 2 + 1, t.columns + 3, 0, 0, 0};
    tensor.slices.push_back({{0, 0, 0, 0, 0}, {t.rows, t.columns, 0, 0, 0}});
    cases.push_back({"-partial", std::string(clampName(mode)), tensor});
    tensor.strides = true;
    tensor.stride = {tensor.dimension[1] + 5, 1, 0, 0, 0};
    tensor.slices[0].first = {-5, -1, 0, 0, 0};
    cases.push_back({"-partial", std::string(clampName(mode)) + "-shifted", tensor});
  }
  return cases;
}

// The element type of the array in memory; the layout counts components all the same.
struct TensorElement {
  const char* glsl = nullptr;  // null: the component type
  uint32_t bytes = 0;
};
constexpr TensorElement kTensorElements[] = {{"uint", 4}, {"uvec4", 16}, {"uint16_t", 2}, {"uvec2", 8}};

std::string elementName(const TensorElement& element, NumberType type) {
  return element.glsl != nullptr ? std::string(element.glsl) : std::string(glslName(type));
}
// elementOffset counts elements of the array; in bytes, it is a multiple of 16.
int64_t elementOffset(const TensorElement& element, NumberType type, uint64_t offset) {
  return static_cast<int64_t>(element.glsl != nullptr ? offset * byteSize(type) / element.bytes : offset);
}
// A multiple of 16 bytes, so that arrays of any element have a whole number of them.
uint64_t arrayCount(const Tensor& tensor, const ShaderMatrix& t) {
  const uint64_t unit = 16 / byteSize(t.type);
  return (storageCount(tensor, t) + unit - 1) / unit * unit;
}

constexpr int64_t kInitial = 77;  // of a matrix whose load is clipped

Program loadProgram(const Config& config, const ShaderMatrix& t, const Tensor& tensor, Memory memory,
                    const TensorElement& element, Given given, uint64_t seed) {
  Shader shader(config.invocations, given);
  const uint64_t count = arrayCount(tensor, t);
  const std::vector<uint8_t> data = dataOf(t.type, count, seed);
  const std::string in = shader.buffer(elementName(element, t.type), memory, data, false);
  const uint32_t groups = tensor.groupsX * tensor.groupsY;
  const std::string out = shader.buffer(std::string(glslName(t.type)), Memory::Buffer,
                                        poison(t.type, groups * config.tiles * denseCount(t)), true);
  writeTensor(shader, "t", tensor, t);
  if (tensor.clips) {
    shader.line(shader.matrix(t) + " m = " + shader.matrix(t) + "(" + std::string(glslName(t.type)) + "(" +
                std::to_string(kInitial) + "));");
  } else {
    shader.line(shader.matrix(t) + " m;");
  }
  shader.line("coopMatLoadTensorNV(m, " + in + ", " +
              shader.number(elementOffset(element, t.type, tensor.offset)) + tensorArguments("t", tensor) +
              ");");
  std::string where = tileOffset(shader, config, denseCount(t));
  if (groups > 1) {
    where += " + (gl_WorkGroupID.y * " + std::to_string(tensor.groupsX) + "u + gl_WorkGroupID.x) * " +
             shader.number(static_cast<int64_t>(config.tiles * denseCount(t)));
  }
  shader.line("coopMatStore(m, " + out + ", " + where + ", " + shader.number(denseStride(t.type, t.columns)) +
              ", gl_CooperativeMatrixLayoutRowMajor);");
  Program program = shader.finish();
  program.groups = {tensor.groupsX, tensor.groupsY, 1};
  program.expected.push_back(
      denseExpected(1, t, groups * config.tiles, [&](uint32_t tile, uint32_t r, uint32_t c) -> uint64_t {
        const uint32_t group = tile / config.tiles;
        const layout::Mapping m =
            mapElement(tensor, group % tensor.groupsX, group / tensor.groupsX, t, r, c, layout::Access::Load);
        switch (m.outcome) {
          case layout::Outcome::Element:
            if (tensor.offset + m.index < count) return at(t.type, data, tensor.offset + m.index);
            program.fault = "an element lies outside the tensor's storage";
            return 0;
          case layout::Outcome::Skipped: return bitsOf(t.type, kInitial);
          case layout::Outcome::ClampValue: {
            const uint64_t all = tensor.setsClampValue ? tensor.clampValue : 0;
            return byteSize(t.type) == 4 ? all : all & ((uint64_t{1} << 8 * byteSize(t.type)) - 1);
          }
          default: program.fault = "the result is undefined"; return 0;
        }
      }));
  return program;
}

Program storeProgram(const Config& config, const ShaderMatrix& t, const Tensor& tensor, Memory memory,
                     const TensorElement& element, Given given, uint64_t seed) {
  Shader shader(config.invocations, given);
  const uint64_t count = arrayCount(tensor, t);
  const uint32_t groups = tensor.groupsX * tensor.groupsY;
  const auto value = [&](uint32_t tile, uint32_t r, uint32_t c) {
    return bitsOf(t.type, datum(t.type, (uint64_t{tile} * t.rows + r) * t.columns + c, seed));
  };
  // Subgroups of a workgroup have a tensor each.
  const std::string in = shader.buffer(std::string(glslName(t.type)), Memory::Buffer,
                                       dense(t, groups * config.tiles, value), false);
  const std::string out =
      shader.buffer(elementName(element, t.type), memory, poison(t.type, config.tiles * count), true);
  writeTensor(shader, "t", tensor, t);
  shader.line(shader.matrix(t) + " m;");
  std::string where = config.tiles == 1 && groups > 1 ? "" : tileOffset(shader, config, denseCount(t));
  if (groups > 1) {
    where += std::string(where.empty() ? "" : " + ") + "(gl_WorkGroupID.y * " +
             std::to_string(tensor.groupsX) + "u + gl_WorkGroupID.x) * " +
             shader.number(static_cast<int64_t>(config.tiles * denseCount(t)));
  }
  shader.line("coopMatLoad(m, " + in + ", " + where + ", " + shader.number(denseStride(t.type, t.columns)) +
              ", gl_CooperativeMatrixLayoutRowMajor);");
  const std::string start = shader.number(elementOffset(element, t.type, tensor.offset));
  shader.line("coopMatStoreTensorNV(m, " + out + ", " +
              (config.tiles == 1
                   ? start
                   : tileOffset(shader, config, static_cast<uint64_t>(elementOffset(element, t.type, count)),
                                start)) +
              tensorArguments("t", tensor) + ");");
  Program program = shader.finish();
  program.groups = {tensor.groupsX, tensor.groupsY, 1};
  Expected expected = keepAll(1, t.type, config.tiles * count);
  for (uint32_t tile = 0; tile < groups * config.tiles; ++tile) {
    const uint32_t group = tile / config.tiles;
    const uint64_t first = tile % config.tiles * count;
    for (uint32_t r = 0; r < t.rows; ++r) {
      for (uint32_t c = 0; c < t.columns; ++c) {
        const layout::Mapping m = mapElement(tensor, group % tensor.groupsX, group / tensor.groupsX, t, r, c,
                                             layout::Access::Store);
        if (m.outcome == layout::Outcome::Undefined) program.fault = "the result is undefined";
        if (m.outcome != layout::Outcome::Element) continue;
        if (tensor.offset + m.index >= count) {
          program.fault = "an element lies outside the tensor's storage";
          continue;
        }
        const uint64_t index = first + tensor.offset + m.index;
        const uint64_t bits = value(tile, r, c);
        // Two elements of the matrix in one place: which one wins is open.
        if (expected.kinds[index] != Expected::kKeep && expected.bits[index] != bits) {
          expected.kinds[index] = Expected::kAny;
        } else if (expected.kinds[index] == Expected::kKeep) {
          put(expected, index, bits);
        }
      }
    }
  }
  program.expected.push_back(std::move(expected));
  return program;
}

// A case's name on the axis of kinds, the same for all sizes: "2d.one-high" for "2d.only1-high".
std::string kindName(const TensorCase& c) {
  std::string name = c.name;
  const size_t only = name.find(".only");
  if (only != std::string::npos) name.replace(only + 1, name.find('-') - only - 1, "one");
  return name;
}

void put(List& list, const Config& config, const TypeUse& type, Size size, const TensorCase& c, Memory memory,
         const TensorElement& element, Given given, bool store) {
  const ShaderMatrix t = matrixOf(config, type, size);
  const Tensor tensor = c.tensor;
  const uint64_t seed = list.nextSeed();
  list.add(
      (store ? "tensor-store" : "tensor-load") + c.feature, config,
      {slug(type), sizeName(size), c.name,
       std::string(memoryName(memory)) + (element.glsl != nullptr ? std::string("-") + element.glsl : ""),
       std::string(givenName(given))},
      {"cooperativeMatrixTensorAddressing"}, [config, t, tensor, memory, element, given, store, seed] {
        return store ? storeProgram(config, t, tensor, memory, element, given, seed)
                     : loadProgram(config, t, tensor, memory, element, given, seed);
      });
}

void add(List& list, const Config& config, const TypeUse& type, Size size, const TensorCase& c, bool store) {
  const ShaderMatrix t = matrixOf(config, type, size);
  const uint32_t turn = list.turn();
  Memory memory = turn % 2 == 0 ? Memory::Buffer : Memory::Reference;
  const Given given = static_cast<Given>(turn / 2 % 3);
  const Tensor tensor = c.tensor;
  const uint64_t bytes = arrayCount(tensor, t) * byteSize(t.type);
  const bool fits = fitsShared(list.device(), config, bytes);
  // Each workgroup has separate shared memory: with several of them, stores would be copied back more than
  // once.
  if (turn % 5 == 4 && fits && (!store || tensor.groupsX * tensor.groupsY == 1)) memory = Memory::Shared;
  TensorElement element;
  if (turn % 7 == 6 && memory != Memory::Shared)
    element = kTensorElements[turn / 7 % std::size(kTensorElements)];
  put(list, config, type, size, c, memory, element, given, store);
  list.traits({config.name, slug(type), size.name, kindName(c), std::string(memoryName(memory)),
               element.glsl != nullptr ? element.glsl : "component", std::string(givenName(given))});
}

// Drivers compute the address of each element separately: with a few hundred elements for each invocation, a
// pipeline takes minutes.
std::vector<Size> tensorSizes(const Config& config, const TargetDevice& device, const TypeUse& type) {
  std::vector<Size> sizes = sizesOf(config, device, type);
  const uint64_t most = uint64_t{32} * (config.invocations / config.tiles);
  sizes.erase(std::remove_if(sizes.begin() + 1, sizes.end(),
                             [&](const Size& size) { return uint64_t{size.rows} * size.columns > most; }),
              sizes.end());
  return sizes;
}

std::vector<TensorCase> allKinds(const ShaderMatrix& t) {
  std::vector<TensorCase> all = plainCases(t);
  for (auto* family : {clampCases, partialCases}) {
    for (TensorCase& c : family(t)) all.push_back(std::move(c));
  }
  return all;
}

// The properties of a kind that a search over many choices needs.
struct KindFacts {
  uint64_t bytes = 0;  // of the array, for one subgroup
  bool severalGroups = false;
};
using FactsTable = std::vector<std::vector<KindFacts>>;  // [(config, type, size)][kind]

}  // namespace

void addTensorCases(List& list, const std::vector<Config>& configs) {
  uint32_t start = 0;
  for (const Config& config : configs) {
    if (config.fixed) continue;
    for (const TypeUse& type : typesOf(config)) {
      const std::vector<Size> sizes = tensorSizes(config, list.device(), type);
      // Every kind comes with every configuration and with every type, not with every pair of these: kinds
      // are taken in turns, the sizes as well.
      struct Family {
        std::vector<TensorCase> (*make)(const ShaderMatrix&);
        uint32_t count;
      };
      for (const Family& family : {Family{plainCases, 24}, Family{clampCases, 18}, Family{partialCases, 2}}) {
        const auto kinds =
            static_cast<uint32_t>(family.make(matrixOf(config, type, Size{type.rows, type.columns})).size());
        for (uint32_t i = 0; i < family.count; ++i) {
          const Size size = sizes[list.turn() % sizes.size()];
          const std::vector<TensorCase> all = family.make(matrixOf(config, type, size));
          // 7 has no factor in common with the counts, so that all are met.
          const TensorCase& c = all[(start + i * (kinds % 7 == 0 ? 5 : 7)) % kinds];
          const bool loadOnly = c.name == "2d.broadcast";
          // Subgroups that store the same place would race.
          add(list, config, type, size, c, !loadOnly && config.tiles == 1 && i % 3 == 2);
        }
        start += family.count * 3 + 1;
      }
    }
  }
}

void completeTensorCases(List& list, const std::vector<Config>& configs) {
  const TargetDevice& device = list.device();
  const Space space(configs, false, sizeClasses(), typeSubjects, [&](const Config& config, const Subject& s) {
    return tensorSizes(config, device, s.type);
  });
  if (space.empty()) return;
  // The kinds are the same for all types and sizes.
  const std::vector<TensorCase> kinds = allKinds({NumberType::F16, Scope::Subgroup, 16, 16, Use::A});
  const Operation any = space.operation("");
  const auto types = static_cast<uint32_t>(any.axes[1].values.size());
  const auto sizes = static_cast<uint32_t>(any.axes[2].values.size());
  const auto rowOf = [types, sizes](const Choice& c) { return (c[0] * types + c[1]) * sizes + c[2]; };
  auto facts = std::make_shared<FactsTable>(any.axes[0].values.size() * types * sizes);
  std::vector<std::vector<TensorCase>> made(facts->size());
  for (uint32_t config = 0; config < any.axes[0].values.size(); ++config) {
    for (uint32_t type = 0; type < types; ++type) {
      for (uint32_t size = 0; size < sizes; ++size) {
        const Choice c{config, type, size};
        if (!space.exists(c)) continue;
        const ShaderMatrix t = space.matrix(c);
        made[rowOf(c)] = allKinds(t);
        for (const TensorCase& kind : made[rowOf(c)]) {
          (*facts)[rowOf(c)].push_back(
              {arrayCount(kind.tensor, t) * byteSize(t.type), kind.tensor.groupsX * kind.tensor.groupsY > 1});
        }
      }
    }
  }
  std::vector<std::string> features;
  for (const TensorCase& kind : kinds) {
    if (std::find(features.begin(), features.end(), kind.feature) == features.end())
      features.push_back(kind.feature);
  }
  for (const std::string& feature : features) {
    for (const bool store : {false, true}) {
      Operation operation = space.operation((store ? "tensor-store" : "tensor-load") + feature);
      Axis kindAxis{"kind", {}};
      std::vector<uint32_t> indices;
      for (uint32_t i = 0; i < kinds.size(); ++i) {
        // A store would write all rows to the same place.
        if (kinds[i].feature != feature || (store && kinds[i].name == "2d.broadcast")) continue;
        indices.push_back(i);
        kindAxis.values.push_back(kindName(kinds[i]));
      }
      Axis elements{"elements", {"component"}};
      for (const TensorElement& element : kTensorElements) elements.values.emplace_back(element.glsl);
      operation.axes.push_back(std::move(kindAxis));
      operation.axes.push_back(memoryAxis());
      operation.axes.push_back(std::move(elements));
      operation.axes.push_back(givenAxis());
      operation.wholes.push_back({0, 1, 2});
      operation.wholes.push_back({0, 1, 4});
      operation.exclusions.push_back({"the array is larger than shared memory",
                                      {0, 1, 2, 3, 4},
                                      [space, device, facts, indices, rowOf, store](const Choice& c) {
                                        if (c[4] != 2 || !space.exists(c)) return false;
                                        const uint64_t copies = store ? space.config(c).tiles : 1;
                                        return !fitsShared(device, space.config(c),
                                                           copies * (*facts)[rowOf(c)][indices[c[3]]].bytes);
                                      }});
      operation.exclusions.push_back({"shared memory of several workgroups is not one tensor",
                                      {0, 1, 2, 3, 4},
                                      [space, facts, indices, rowOf, store](const Choice& c) {
                                        return store && c[4] == 2 && space.exists(c) &&
                                               (*facts)[rowOf(c)][indices[c[3]]].severalGroups;
                                      }});
      list.complete(std::move(operation), [&](const Choice& c) {
        const TensorCase& kind = made[rowOf(c)][indices[c[3]]];
        put(list, space.config(c), space.subject(c).type, space.size(c), kind, static_cast<Memory>(c[4]),
            c[5] == 0 ? TensorElement{} : kTensorElements[c[5] - 1], static_cast<Given>(c[6]), store);
      });
    }
  }
}

}  // namespace coopc::harness::suite
