// coopMatLoad and coopMatStore: layouts, strides, offsets, memory, and arrays of other elements than the
// component type.
#include "harness/suite/list.hpp"

namespace coopc::harness::suite {
namespace {

struct Access {
  Memory memory = Memory::Buffer;
  bool columnMajor = false;
  bool padded = false;
  Given given = Given::Literal;

  std::string name() const {
    return std::string(memoryName(memory)) + (columnMajor ? ".column" : ".row") +
           (padded ? ".padded." : ".tight.") + std::string(givenName(given));
  }
};

Access variation(uint32_t number) {
  Access a;
  a.memory = static_cast<Memory>(number % 3);
  a.columnMajor = number / 3 % 2 != 0;
  a.padded = number / 6 % 2 != 0;
  a.given = static_cast<Given>(number / 12 % 3);
  return a;
}
constexpr uint32_t kVariations = 36;

// The positions of a matrix's elements, for a KHR load or store.
struct Place {
  uint32_t stride = 0;
  uint32_t base = 0;  // element of the first tile
  uint32_t perTile = 0;
  uint64_t total = 0;
  bool columnMajor = false;

  uint64_t index(uint32_t tile, uint32_t row, uint32_t column) const {
    return base + uint64_t{tile} * perTile +
           (columnMajor ? uint64_t{column} * stride + row : uint64_t{row} * stride + column);
  }
};

Place placeOf(const ShaderMatrix& t, const Access& access, uint32_t tiles) {
  const auto unit = static_cast<uint32_t>(16 / byteSize(t.type));
  const uint32_t minor = access.columnMajor ? t.rows : t.columns;
  const uint32_t major = access.columnMajor ? t.columns : t.rows;
  Place place;
  place.columnMajor = access.columnMajor;
  place.stride = denseStride(t.type, minor) + (access.padded ? 3 * unit : 0);
  place.base = access.padded ? 5 * unit : 0;
  place.perTile = (major * place.stride + unit - 1) / unit * unit;
  place.total = place.base + uint64_t{tiles} * place.perTile;
  return place;
}

std::string layoutText(Shader& shader, const Access& access) {
  // The layout may also be a specialization constant, because the operand is the id of a constant.
  if (access.given != Given::Literal) return shader.constant(access.columnMajor ? 1 : 0, true);
  return access.columnMajor ? "gl_CooperativeMatrixLayoutColumnMajor" : "gl_CooperativeMatrixLayoutRowMajor";
}

Program loadProgram(const Config& config, const ShaderMatrix& t, const Access& access, uint64_t seed) {
  Shader shader(config.invocations, access.given);
  const Place place = placeOf(t, access, config.tiles);
  const std::vector<uint8_t> data = dataOf(t.type, place.total, seed);
  const std::string in = shader.buffer(std::string(glslName(t.type)), access.memory, data, false);
  const std::string out = denseOutput(shader, config, t);
  shader.line(shader.matrix(t) + " m;");
  shader.line("coopMatLoad(m, " + in + ", " +
              tileOffset(shader, config, place.perTile, shader.number(place.base)) + ", " +
              shader.number(place.stride) + ", " + layoutText(shader, access) + ");");
  storeDense(shader, config, "m", t, out);
  Program program = shader.finish();
  program.expected.push_back(denseExpected(1, t, config.tiles, [&](uint32_t tile, uint32_t r, uint32_t c) {
    return at(t.type, data, place.index(tile, r, c));
  }));
  return program;
}

Program storeProgram(const Config& config, const ShaderMatrix& t, const Access& access, uint64_t seed) {
  Shader shader(config.invocations, access.given);
  const Place place = placeOf(t, access, config.tiles);
  const auto value = [&](uint32_t tile, uint32_t r, uint32_t c) {
    return bitsOf(t.type, datum(t.type, (uint64_t{tile} * t.rows + r) * t.columns + c, seed));
  };
  const std::string in =
      shader.buffer(std::string(glslName(t.type)), Memory::Buffer, dense(t, config.tiles, value), false);
  const std::string out =
      shader.buffer(std::string(glslName(t.type)), access.memory, poison(t.type, place.total), true);
  loadDense(shader, config, "m", t, in);
  shader.line("coopMatStore(m, " + out + ", " +
              tileOffset(shader, config, place.perTile, shader.number(place.base)) + ", " +
              shader.number(place.stride) + ", " + layoutText(shader, access) + ");");
  Program program = shader.finish();
  Expected expected = keepAll(1, t.type, place.total);
  for (uint32_t tile = 0; tile < config.tiles; ++tile) {
    for (uint32_t r = 0; r < t.rows; ++r) {
      for (uint32_t c = 0; c < t.columns; ++c) put(expected, place.index(tile, r, c), value(tile, r, c));
    }
  }
  program.expected.push_back(std::move(expected));
  return program;
}

// Arrays of vectors and of other integers: offset and stride count their elements.
struct ArrayElement {
  const char* glsl;
  uint32_t bytes;
};
constexpr ArrayElement kElements[] = {
    {"uint", 4}, {"uvec2", 8}, {"uvec4", 16}, {"uint16_t", 2}, {"u16vec4", 8}};

// In bytes: padding at the start, rows at multiples of 16.
constexpr uint32_t kElementBase = 48;
uint32_t elementStride(const ShaderMatrix& t) {
  return (t.columns * static_cast<uint32_t>(byteSize(t.type)) + 15) / 16 * 16 + 32;
}
uint64_t elementBytes(const Config& config, const ShaderMatrix& t) {
  return kElementBase + uint64_t{config.tiles} * t.rows * elementStride(t);
}

Program elementProgram(const Config& config, const ShaderMatrix& t, const ArrayElement& element,
                       Memory memory, Given given, bool store, uint64_t seed) {
  Shader shader(config.invocations, given);
  const uint32_t stride = elementStride(t);
  const uint32_t base = kElementBase;
  const uint32_t perTile = t.rows * stride;
  const uint64_t bytes = elementBytes(config, t);
  const auto size = static_cast<uint32_t>(byteSize(t.type));
  const auto value = [&](uint32_t tile, uint32_t r, uint32_t c) {
    return bitsOf(t.type, datum(t.type, (uint64_t{tile} * t.rows + r) * t.columns + c, seed));
  };
  const auto index = [&](uint32_t tile, uint32_t r, uint32_t c) {
    return (base + uint64_t{tile} * perTile + uint64_t{r} * stride) / size + c;
  };
  std::vector<uint8_t> odd = poison(t.type, bytes / size);
  std::vector<uint8_t> plain = poison(t.type, config.tiles * denseCount(t));
  if (store) {
    plain = dense(t, config.tiles, value);
  } else {
    for (uint32_t tile = 0; tile < config.tiles; ++tile) {
      for (uint32_t r = 0; r < t.rows; ++r) {
        for (uint32_t c = 0; c < t.columns; ++c)
          storeBits(t.type, odd.data(), index(tile, r, c), value(tile, r, c));
      }
    }
  }
  const std::string oddArray = shader.buffer(element.glsl, memory, odd, store);
  const std::string plainArray = shader.buffer(std::string(glslName(t.type)), Memory::Buffer, plain, !store);
  const std::string where =
      tileOffset(shader, config, perTile / element.bytes, shader.number(base / element.bytes));
  const std::string tail =
      ", " + where + ", " + shader.number(stride / element.bytes) + ", gl_CooperativeMatrixLayoutRowMajor);";
  if (store) {
    loadDense(shader, config, "m", t, plainArray);
    shader.line("coopMatStore(m, " + oddArray + tail);
  } else {
    shader.line(shader.matrix(t) + " m;");
    shader.line("coopMatLoad(m, " + oddArray + tail);
    storeDense(shader, config, "m", t, plainArray);
  }
  Program program = shader.finish();
  if (store) {
    Expected expected = keepAll(0, t.type, bytes / size);
    for (uint32_t tile = 0; tile < config.tiles; ++tile) {
      for (uint32_t r = 0; r < t.rows; ++r) {
        for (uint32_t c = 0; c < t.columns; ++c) put(expected, index(tile, r, c), value(tile, r, c));
      }
    }
    program.expected.push_back(std::move(expected));
  } else {
    program.expected.push_back(denseExpected(1, t, config.tiles, value));
  }
  return program;
}

std::vector<std::string> traitsOf(const Config& config, const TypeUse& type, const Size& size,
                                  const Access& access) {
  return {config.name,
          subjectName(config, type),
          size.name,
          std::string(memoryName(access.memory)),
          access.columnMajor ? "column" : "row",
          access.padded ? "padded" : "tight",
          std::string(givenName(access.given))};
}

}  // namespace

void addMemoryCases(List& list, const std::vector<Config>& configs) {
  for (const Config& config : configs) {
    for (const TypeUse& type : typesOf(config)) {
      for (const Size& size : sizesOf(config, list.device(), type)) {
        const ShaderMatrix t = matrixOf(config, type, size);
        const uint32_t first = list.turn() * 5;
        for (uint32_t i = 0; i < 6; ++i) {
          Access access = variation((first + i * 7) % kVariations);
          const Place place = placeOf(t, access, config.tiles);
          if (access.memory == Memory::Shared &&
              !fitsShared(list.device(), config, place.total * byteSize(t.type))) {
            access.memory = Memory::Buffer;
          }
          const uint64_t seed = list.nextSeed();
          const bool store = i % 2 != 0;
          list.add(store ? "store" : "load", config, {slug(type), sizeName(size), access.name()}, {},
                   [config, t, access, seed, store] {
                     return store ? storeProgram(config, t, access, seed)
                                  : loadProgram(config, t, access, seed);
                   });
          list.traits(traitsOf(config, type, size, access));
        }
      }
      const Size size{type.rows, type.columns};
      const ShaderMatrix t = matrixOf(config, type, size);
      for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t turn = list.turn();
        const ArrayElement element = kElements[turn % std::size(kElements)];
        const Memory memory = turn % 2 == 0 ? Memory::Buffer : Memory::Reference;
        const Given given = static_cast<Given>(turn % 3);
        const bool store = i != 0;
        const uint64_t seed = list.nextSeed();
        list.add(store ? "store-elements" : "load-elements", config,
                 {slug(type), sizeName(size), element.glsl, std::string(memoryName(memory)),
                  std::string(givenName(given))},
                 {}, [config, t, element, memory, given, store, seed] {
                   return elementProgram(config, t, element, memory, given, store, seed);
                 });
        list.traits({config.name, subjectName(config, type), size.name, element.glsl,
                     std::string(memoryName(memory)), std::string(givenName(given))});
      }
    }
  }
}

void completeMemoryCases(List& list, const std::vector<Config>& configs) {
  const TargetDevice& device = list.device();
  for (const bool fixed : {true, false}) {
    const Space space(
        configs, fixed, sizeClasses(), typeSubjects,
        [&](const Config& config, const Subject& s) { return sizesOf(config, device, s.type); });
    if (space.empty()) continue;
    const auto accessOf = [](const Choice& c) {
      return Access{static_cast<Memory>(c[3]), c[4] != 0, c[5] != 0, static_cast<Given>(c[6])};
    };
    for (const bool store : {false, true}) {
      Operation operation = space.operation(store ? "store" : "load");
      operation.axes.push_back(memoryAxis());
      operation.axes.push_back({"order", {"row", "column"}});
      operation.axes.push_back({"stride", {"tight", "padded"}});
      operation.axes.push_back(givenAxis());
      // All combinations of the axes that every operation has.
      operation.wholes.push_back({0, 1, 2, 3, 6});
      operation.exclusions.push_back({"the array is larger than shared memory",
                                      {0, 1, 2, 3, 4, 5},
                                      [space, device, accessOf](const Choice& c) {
                                        if (c[3] != 2 || !space.exists(c)) return false;
                                        const ShaderMatrix t = space.matrix(c);
                                        Access access = accessOf({c[0], c[1], c[2], c[3], c[4], c[5], 0});
                                        const Place place = placeOf(t, access, space.config(c).tiles);
                                        return !fitsShared(device, space.config(c),
                                                           place.total * byteSize(t.type));
                                      }});
      list.complete(std::move(operation), [&](const Choice& c) {
        const Config& config = space.config(c);
        const ShaderMatrix t = space.matrix(c);
        const Access access = accessOf(c);
        const uint64_t seed = list.nextSeed();
        list.add(store ? "store" : "load", config,
                 {slug(space.subject(c).type), sizeName(space.size(c)), access.name()}, {},
                 [config, t, access, seed, store] {
                   return store ? storeProgram(config, t, access, seed)
                                : loadProgram(config, t, access, seed);
                 });
      });
    }
    for (const bool store : {false, true}) {
      Operation operation = space.operation(store ? "store-elements" : "load-elements");
      Axis elements{"elements", {}};
      for (const ArrayElement& element : kElements) elements.values.emplace_back(element.glsl);
      operation.axes.push_back(std::move(elements));
      operation.axes.push_back(memoryAxis());
      operation.axes.push_back(givenAxis());
      operation.wholes.push_back({0, 1, 2});
      operation.wholes.push_back({0, 1, 4});
      operation.exclusions.push_back(
          {"the array is larger than shared memory", {0, 1, 2, 4}, [space, device](const Choice& c) {
             return c[4] == 2 && space.exists(c) &&
                    !fitsShared(device, space.config(c), elementBytes(space.config(c), space.matrix(c)));
           }});
      list.complete(std::move(operation), [&](const Choice& c) {
        const Config& config = space.config(c);
        const ShaderMatrix t = space.matrix(c);
        const ArrayElement element = kElements[c[3]];
        const auto memory = static_cast<Memory>(c[4]);
        const auto given = static_cast<Given>(c[5]);
        const uint64_t seed = list.nextSeed();
        list.add(store ? "store-elements" : "load-elements", config,
                 {slug(space.subject(c).type), sizeName(space.size(c)), element.glsl,
                  std::string(memoryName(memory)), std::string(givenName(given))},
                 {}, [config, t, element, memory, given, store, seed] {
                   return elementProgram(config, t, element, memory, given, store, seed);
                 });
      });
    }
  }
}

}  // namespace coopc::harness::suite
