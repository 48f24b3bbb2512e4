// Conversions of component type and use, transposes, reductions, per-element operations.
#include <cmath>
#include <cstdlib>

#include "harness/fill.hpp"
#include "harness/suite/list.hpp"

namespace coopc::harness::suite {
namespace {

// --- conversions

struct Conversion {
  ShaderMatrix from;
  ShaderMatrix to;
  enum Data { Exact, Fractions, Random } data = Exact;
};

double conversionValue(const Conversion& c, uint64_t place, uint64_t seed) {
  const uint64_t h = hash(seed, place);
  const bool negative =
      (isFloat(c.from.type) || isSigned(c.from.type)) && (isFloat(c.to.type) || isSigned(c.to.type));
  if (c.data == Conversion::Random) {
    return static_cast<double>(h >> 11) * 0x1p-53 * 8 - (negative ? 4 : 0);
  }
  const double value = static_cast<double>(h % 126);
  // Halves: the conversion to integers truncates.
  return (negative && h % 2 != 0 ? -value : value) * (c.data == Conversion::Fractions ? 0.5 : 1.0);
}

uint64_t convert(const Conversion& c, uint64_t bits) {
  if (!isFloat(c.from.type) && !isFloat(c.to.type)) return fromInt64(c.to.type, toInt64(c.from.type, bits));
  const double value =
      isFloat(c.from.type) ? toDouble(c.from.type, bits) : static_cast<double>(toInt64(c.from.type, bits));
  return fromDouble(c.to.type, value);  // truncates for integers
}

Program conversionProgram(const Config& config, const Conversion& c, Memory memory, Given given,
                          uint64_t seed) {
  Shader shader(config.invocations, given);
  if (c.from.use != c.to.use) shader.useTensors();
  const auto source = [&](uint32_t tile, uint32_t row, uint32_t column) {
    const uint64_t place = (uint64_t{tile} * c.from.rows + row) * c.from.columns + column;
    return fromDouble(c.from.type, conversionValue(c, place, seed));
  };
  const std::string in =
      shader.buffer(std::string(glslName(c.from.type)), memory, dense(c.from, config.tiles, source), false);
  const std::string out = denseOutput(shader, config, c.to);
  loadDense(shader, config, "m", c.from, in);
  shader.line(shader.matrix(c.to) + " converted = " + shader.matrix(c.to) + "(m);");
  storeDense(shader, config, "converted", c.to, out);
  Program program = shader.finish();
  program.expected.push_back(denseExpected(
      1, c.to, config.tiles,
      [&](uint32_t tile, uint32_t row, uint32_t column) { return convert(c, source(tile, row, column)); }));
  if (c.data == Conversion::Random && isFloat(c.to.type)) {
    // Vulkan leaves the rounding direction open.
    program.expected.back().tolerance.exact = false;
    program.expected.back().tolerance.ulp = 1;
  }
  return program;
}

std::string conversionName(const Config& config, const TypeUse& from, const TypeUse& to) {
  return subjectName(config, from) + "-to-" + slug(to);
}

void addConversions(List& list, const Config& config) {
  const std::vector<TypeUse> types = typesOf(config);
  for (const TypeUse& from : types) {
    for (const TypeUse& to : types) {
      const bool sameUse = from.use == to.use;
      if (from.type == to.type && sameUse) continue;
      if (!sameUse && (config.fixed || from.use != Use::Accumulator)) continue;
      const Size size{std::lcm(from.rows, to.rows), std::lcm(from.columns, to.columns)};
      if (config.fixed && (from.rows != to.rows || from.columns != to.columns)) continue;
      for (const Conversion::Data data : {Conversion::Exact, Conversion::Fractions, Conversion::Random}) {
        if (data != Conversion::Exact && !isFloat(from.type)) continue;
        const Size big =
            data == Conversion::Exact && !config.fixed ? Size{3 * size.rows, size.columns} : size;
        const Conversion c{matrixOf(config, from, big), matrixOf(config, to, big), data};
        const Given given = list.turnGiven();
        const uint64_t seed = list.nextSeed();
        const char* dataName = data == Conversion::Exact       ? "exact"
                               : data == Conversion::Fractions ? "half"
                                                               : "random";
        const auto make = [config, c, given, seed] {
          return conversionProgram(config, c, Memory::Buffer, given, seed);
        };
        if (sameUse) {
          list.add("convert-type", config, {slug(from), slug(to), sizeName(big), dataName}, {}, make);
        } else {
          list.add("convert-use", config, {slug(from), slug(to), sizeName(big), dataName},
                   {"cooperativeMatrixConversions"}, make);
        }
        list.traits({config.name, conversionName(config, from, to),
                     big.rows == size.rows ? "smallest" : "3x1", dataName, "buffer",
                     std::string(givenName(given))});
      }
    }
  }
}

// --- transposes

Program transposeProgram(const Config& config, const ShaderMatrix& from, const ShaderMatrix& to,
                         Memory memory, Given given, uint64_t seed) {
  Shader shader(config.invocations, given);
  shader.useTensors();
  const auto source = [&](uint32_t tile, uint32_t row, uint32_t column) {
    return bitsOf(from.type,
                  datum(from.type, (uint64_t{tile} * from.rows + row) * from.columns + column, seed));
  };
  const std::string in =
      shader.buffer(std::string(glslName(from.type)), memory, dense(from, config.tiles, source), false);
  const std::string out = denseOutput(shader, config, to);
  loadDense(shader, config, "m", from, in);
  shader.line(shader.matrix(to) + " transposed;");
  shader.line("coopMatTransposeNV(transposed, m);");
  storeDense(shader, config, "transposed", to, out);
  Program program = shader.finish();
  program.expected.push_back(
      denseExpected(1, to, config.tiles,
                    [&](uint32_t tile, uint32_t row, uint32_t column) { return source(tile, column, row); }));
  return program;
}

constexpr Size kTransposed[] = {{1, 1}, {3, 1, "3x1"}, {1, 3, "1x3"}, {2, 4, "2x4"}};

void addTransposes(List& list, const Config& config) {
  if (config.fixed) return;
  const std::vector<TypeUse> types = typesOf(config);
  for (const TypeUse& from : types) {
    for (const TypeUse& to : types) {
      if (from.use != Use::Accumulator || to.use != Use::B || from.type != to.type) continue;
      const uint32_t rows = std::lcm(from.rows, to.columns);
      const uint32_t columns = std::lcm(from.columns, to.rows);
      for (const Size factor : kTransposed) {
        const Size size{rows * factor.rows, columns * factor.columns, factor.name};
        const ShaderMatrix m = matrixOf(config, from, size);
        const ShaderMatrix result = matrixOf(config, to, {size.columns, size.rows});
        for (int i = 0; i < 3; ++i) {
          const Given given = list.turnGiven();
          const uint64_t seed = list.nextSeed();
          list.add("transpose", config, {slug(from), sizeName(size), std::string(givenName(given))},
                   {"cooperativeMatrixConversions"}, [config, m, result, given, seed] {
                     return transposeProgram(config, m, result, Memory::Buffer, given, seed);
                   });
          list.traits({config.name, slug(from), size.name, "buffer", std::string(givenName(given))});
        }
      }
    }
  }
}

// --- reductions

// Each is associative and commutative over the data that it is used with.
struct Combine {
  const char* name;
  const char* floats;    // of a and b, for floating-point types
  const char* integers;  // for integers
  double (*value)(double, double);
};
const Combine kCombines[] = {
    {"sum", "a + b", "a + b", [](double a, double b) { return a + b; }},
    {"max", "max(a, b)", "max(a, b)", [](double a, double b) { return std::max(a, b); }},
    {"min", "min(a, b)", "min(a, b)", [](double a, double b) { return std::min(a, b); }},
    // The value of larger magnitude, or the positive one if they are equal: branches and a call.
    {"farther", "farther(a, b)", "farther(a, b)",
     [](double a, double b) {
       return std::abs(a) > std::abs(b) ? a : std::abs(b) > std::abs(a) ? b : std::max(a, b);
     }},
};

struct Reduction {
  uint32_t mask = 1;  // 1 row, 2 column, 3 both, 4 2x2
  const Combine* combine = nullptr;
  ShaderMatrix from;
  ShaderMatrix to;
};

Program reductionProgram(const Config& config, const Reduction& r, Memory memory, Given given,
                         uint64_t seed) {
  Shader shader(config.invocations, given);
  shader.useTensors();
  const NumberType type = r.from.type;
  const bool sum = std::string_view(r.combine->name) == "sum";
  // Sums must be exact in f16 in any order: the magnitudes of all terms add up to at most 2048.
  const uint64_t terms = r.mask == 1   ? r.from.columns
                         : r.mask == 2 ? r.from.rows
                         : r.mask == 3 ? r.from.count()
                                       : 4;
  const uint64_t largest = sum ? std::min<uint64_t>(100, 2048 / terms) : 1000;
  const auto source = [&](uint32_t tile, uint32_t row, uint32_t column) -> double {
    const uint64_t place = (uint64_t{tile} * r.from.rows + row) * r.from.columns + column;
    const uint64_t h = hash(seed, place);
    // Too many terms for numbers of at least 1: a few ones among zeros.
    if (largest == 0)
      return row * r.from.columns + column < 2048 * 8 && place % 8 == h % 64 % 8 && h % 3 == 0 ? 1 : 0;
    const auto value = static_cast<double>(h % (largest + 1));
    return (isFloat(type) || isSigned(type)) && (h >> 32) % 2 != 0 ? -value : value;
  };
  const std::string in = shader.buffer(
      std::string(glslName(type)), memory,
      dense(r.from, config.tiles,
            [&](uint32_t t, uint32_t i, uint32_t j) { return fromDouble(type, source(t, i, j)); }),
      false);
  const std::string out = denseOutput(shader, config, r.to);
  const std::string name(glslName(type));
  shader.global(name + " farther(" + name + " a, " + name + " b) {\n" +
                (isFloat(type) || isSigned(type)
                     ? "  if (abs(a) > abs(b)) return a;\n  if (abs(b) > abs(a)) return b;\n"
                     : "  if (a > b) return a;\n  if (b > a) return b;\n") +
                "  return max(a, b);\n}");
  shader.global(name + " combine(const in " + name + " a, const in " + name + " b) { return " +
                (isFloat(type) ? r.combine->floats : r.combine->integers) + "; }");
  loadDense(shader, config, "m", r.from, in);
  shader.line(shader.matrix(r.to) + " reduced;");
  const char* masks[] = {"", "gl_CooperativeMatrixReduceRowNV", "gl_CooperativeMatrixReduceColumnNV",
                         "gl_CooperativeMatrixReduceRowAndColumnNV", "gl_CooperativeMatrixReduce2x2NV"};
  shader.line(std::string("coopMatReduceNV(reduced, m, ") + masks[r.mask] + ", combine);");
  storeDense(shader, config, "reduced", r.to, out);
  Program program = shader.finish();

  std::vector<double> rows;
  std::vector<double> columns;
  std::vector<double> all;
  const uint64_t perTile = r.from.count();
  rows.resize(uint64_t{config.tiles} * r.from.rows);
  columns.resize(uint64_t{config.tiles} * r.from.columns);
  all.resize(config.tiles);
  std::vector<double> values(config.tiles * perTile);
  for (uint32_t t = 0; t < config.tiles; ++t) {
    for (uint32_t i = 0; i < r.from.rows; ++i) {
      for (uint32_t j = 0; j < r.from.columns; ++j) {
        const double v = source(t, i, j);
        values[t * perTile + uint64_t{i} * r.from.columns + j] = v;
        double& row = rows[t * r.from.rows + i];
        row = j == 0 ? v : r.combine->value(row, v);
        double& column = columns[t * r.from.columns + j];
        column = i == 0 ? v : r.combine->value(column, v);
        all[t] = i == 0 && j == 0 ? v : r.combine->value(all[t], v);
      }
    }
  }
  program.expected.push_back(denseExpected(1, r.to, config.tiles, [&](uint32_t t, uint32_t i, uint32_t j) {
    double v = 0;
    if (r.mask == 1) v = rows[t * r.from.rows + i];
    if (r.mask == 2) v = columns[t * r.from.columns + j];
    if (r.mask == 3) v = all[t];
    if (r.mask == 4) {
      const auto part = [&](uint32_t di, uint32_t dj) {
        return values[t * perTile + uint64_t{2 * i + di} * r.from.columns + 2 * j + dj];
      };
      v = r.combine->value(r.combine->value(part(0, 0), part(0, 1)),
                           r.combine->value(part(1, 0), part(1, 1)));
    }
    return fromDouble(type, v);
  }));
  return program;
}

constexpr const char* kMaskNames[] = {"", "row", "column", "both", "2x2"};

// Factors of the granularity: the matrix, the result.
struct ReducedSizes {
  Size from;
  Size to;
  const char* name;
};
std::vector<ReducedSizes> reducedSizes(uint32_t mask) {
  if (mask == 1) {
    return {{{1, 1}, {1, 1}, "smallest"},
            {{3, 2}, {3, 2}, "3x2"},
            {{2, 3}, {2, 1}, "2x3-to-2x1"},
            {{1, 2}, {1, 5}, "1x2-to-1x5"}};
  }
  if (mask == 2) {
    return {{{1, 1}, {1, 1}, "smallest"},
            {{2, 3}, {2, 3}, "2x3"},
            {{3, 2}, {1, 2}, "3x2-to-1x2"},
            {{2, 1}, {5, 1}, "2x1-to-5x1"}};
  }
  if (mask == 3) {
    return {{{1, 1}, {1, 1}, "smallest"},
            {{3, 2}, {3, 2}, "3x2"},
            {{2, 2}, {1, 1}, "2x2-to-1x1"},
            {{1, 2}, {3, 1}, "1x2-to-3x1"}};
  }
  return {{{2, 2}, {1, 1}, "smallest"}, {{4, 2}, {2, 1}, "4x2"}, {{2, 6}, {1, 3}, "2x6"}};
}

void addReductions(List& list, const Config& config) {
  if (config.fixed) return;
  for (const TypeUse& type : typesOf(config)) {
    if (type.use != Use::Accumulator) continue;
    for (const Combine& combine : kCombines) {
      for (uint32_t mask = 1; mask <= 4; ++mask) {
        const std::vector<ReducedSizes> sizes = reducedSizes(mask);
        for (const ReducedSizes& s : sizes) {
          Reduction r;
          r.mask = mask;
          r.combine = &combine;
          r.from = matrixOf(config, type, {s.from.rows * type.rows, s.from.columns * type.columns});
          r.to = matrixOf(config, type, {s.to.rows * type.rows, s.to.columns * type.columns});
          const Given given = list.turnGiven();
          const uint64_t seed = list.nextSeed();
          list.add(std::string("reduce-") + kMaskNames[mask], config,
                   {slug(type), combine.name, sizeName({r.from.rows, r.from.columns}),
                    sizeName({r.to.rows, r.to.columns}), std::string(givenName(given))},
                   {"cooperativeMatrixReductions"}, [config, r, given, seed] {
                     return reductionProgram(config, r, Memory::Buffer, given, seed);
                   });
          list.traits(
              {config.name, slug(type), s.name, combine.name, "buffer", std::string(givenName(given))});
        }
      }
    }
  }
}

// --- per-element operations

enum class ElementCallback { Plain, Scalar, Matrix, MatricesAndScalars, InPlace, Mask };
constexpr ElementCallback kElementKinds[] = {ElementCallback::Plain,
                                             ElementCallback::Scalar,
                                             ElementCallback::Matrix,
                                             ElementCallback::InPlace,
                                             ElementCallback::MatricesAndScalars,
                                             ElementCallback::Mask};
const char* elementName(ElementCallback e) {
  switch (e) {
    case ElementCallback::Plain: return "row-column";
    case ElementCallback::Scalar: return "scalar";
    case ElementCallback::Matrix: return "matrix";
    case ElementCallback::MatricesAndScalars: return "matrices-scalars";
    case ElementCallback::InPlace: return "in-place";
    case ElementCallback::Mask: return "triangle";
  }
  return "";
}

Program elementProgram(const Config& config, const ShaderMatrix& t, ElementCallback kind, Memory memory,
                       Given given, uint64_t seed) {
  Shader shader(config.invocations, given);
  shader.useTensors();
  const std::string name(glslName(t.type));
  const std::string wide = isFloat(t.type) ? "float" : "int";
  const auto datumAt = [&](int which, uint32_t tile, uint32_t r, uint32_t c) {
    const uint64_t place = (uint64_t{tile} * t.rows + r) * t.columns + c;
    return static_cast<int64_t>(hash(seed + static_cast<uint64_t>(which), place) % 21);
  };
  const auto input = [&](int which) {
    return shader.buffer(name, memory,
                         dense(t, config.tiles,
                               [&](uint32_t tile, uint32_t r, uint32_t c) {
                                 return bitsOf(t.type, datumAt(which, tile, r, c));
                               }),
                         false);
  };
  const bool second = kind == ElementCallback::Matrix || kind == ElementCallback::MatricesAndScalars;
  const bool third = kind == ElementCallback::MatricesAndScalars;
  const std::string out = denseOutput(shader, config, t);
  loadDense(shader, config, "m", t, input(0));
  if (second) loadDense(shader, config, "m2", t, input(1));
  if (third) loadDense(shader, config, "m3", t, input(2));

  std::string parameters = "const in uint32_t row, const in uint32_t column, const in " + name + " x";
  std::string arguments = "m, op";
  std::string expression;
  const std::string places = wide + "(row % 5u * 7u + column % 7u)";
  switch (kind) {
    case ElementCallback::Plain:
    case ElementCallback::InPlace: expression = wide + "(x) + " + places; break;
    case ElementCallback::Scalar:
      parameters += ", const in " + name + " s, const in uint u";
      arguments += ", " + name + "(3), " + shader.number(11);
      expression = wide + "(x) * " + wide + "(s) + " + places + " - " + wide + "(u)";
      break;
    case ElementCallback::Matrix:
      parameters += ", const in " + name + " y";
      arguments += ", m2";
      expression = wide + "(x) * " + wide + "(2) + " + wide + "(y) + " + places;
      break;
    case ElementCallback::MatricesAndScalars:
      parameters += ", const in float f, const in " + name + " y, const in int i, const in " + name + " z";
      arguments += ", 2.0, m2, " + shader.number(-9, true) + ", m3";
      expression = wide + "(x) + " + wide + "(y) * " + wide + "(f) - " + wide + "(z) + " + wide + "(i) + " +
                   wide + "(20) + " + places;
      break;
    case ElementCallback::Mask: expression = "column > row ? " + wide + "(0) : " + wide + "(x)"; break;
  }
  shader.global(name + " op(" + parameters + ") { return " + name + "(" + expression + "); }");
  if (kind == ElementCallback::InPlace) {
    shader.line("coopMatPerElementNV(m, " + arguments + ");");
    storeDense(shader, config, "m", t, out);
  } else {
    shader.line(shader.matrix(t) + " result;");
    shader.line("coopMatPerElementNV(result, " + arguments + ");");
    storeDense(shader, config, "result", t, out);
  }
  Program program = shader.finish();
  program.expected.push_back(denseExpected(0, t, config.tiles, [&](uint32_t tile, uint32_t r, uint32_t c) {
    const int64_t x = datumAt(0, tile, r, c);
    const auto where = static_cast<int64_t>(r % 5 * 7 + c % 7);
    int64_t v = 0;
    switch (kind) {
      case ElementCallback::Plain:
      case ElementCallback::InPlace: v = x + where; break;
      case ElementCallback::Scalar: v = x * 3 + where - 11; break;
      case ElementCallback::Matrix: v = x * 2 + datumAt(1, tile, r, c) + where; break;
      case ElementCallback::MatricesAndScalars:
        v = x + datumAt(1, tile, r, c) * 2 - datumAt(2, tile, r, c) - 9 + 20 + where;
        break;
      case ElementCallback::Mask: v = c > r ? 0 : x; break;
    }
    return bitsOf(t.type, v);
  }));
  return program;
}

void addElements(List& list, const Config& config) {
  if (config.fixed) return;
  for (const TypeUse& type : typesOf(config)) {
    const std::vector<Size> sizes = fewSizes(config, list.device(), type);
    for (const ElementCallback kind : kElementKinds) {
      for (uint32_t i = 0; i < 2; ++i) {
        const Given given = list.turnGiven();
        const Size size = sizes[list.turn() % sizes.size()];
        const ShaderMatrix t = matrixOf(config, type, size);
        const uint64_t seed = list.nextSeed();
        list.add("per-element", config,
                 {slug(type), elementName(kind), sizeName(size), std::string(givenName(given))},
                 {"cooperativeMatrixPerElementOperations"}, [config, t, kind, given, seed] {
                   return elementProgram(config, t, kind, Memory::Buffer, given, seed);
                 });
        list.traits(
            {config.name, slug(type), size.name, elementName(kind), "buffer", std::string(givenName(given))});
      }
    }
  }
}

// --- what the first part leaves out

const char* kDataNames[] = {"exact", "half", "random"};

void completeConversions(List& list, const std::vector<Config>& configs, bool fixed, bool sameUse) {
  if (fixed && !sameUse) return;
  const TargetDevice& device = list.device();
  const auto granule = [](const Subject& s) {
    TypeUse both = byteSize(s.type.type) >= byteSize(s.other.type) ? s.type : s.other;
    both.rows = std::lcm(s.type.rows, s.other.rows);
    both.columns = std::lcm(s.type.columns, s.other.columns);
    return both;
  };
  const Space space(
      configs, fixed, operationClasses(),
      [&](const Config& config) {
        std::vector<Subject> subjects;
        const std::vector<TypeUse> types = typesOf(config);
        for (const TypeUse& from : types) {
          for (const TypeUse& to : types) {
            if ((from.use == to.use) != sameUse || (sameUse && from.type == to.type)) continue;
            if (!sameUse && from.use != Use::Accumulator) continue;
            if (fixed && (from.rows != to.rows || from.columns != to.columns)) continue;
            subjects.push_back({conversionName(config, from, to), from, to, {}});
          }
        }
        return subjects;
      },
      [&](const Config& config, const Subject& s) { return operationSizes(config, device, granule(s), 3); });
  if (space.empty()) return;
  Operation operation = space.operation(sameUse ? "convert-type" : "convert-use");
  operation.axes.push_back({"data", {std::begin(kDataNames), std::end(kDataNames)}});
  operation.axes.push_back(memoryAxis("source"));
  operation.axes.push_back(givenAxis());
  operation.wholes.push_back({0, 1, 2});
  operation.wholes.push_back({0, 1, 4});
  operation.exclusions.push_back({"integers have no fractions", {0, 1, 3}, [space](const Choice& c) {
                                    // The types are excluded already for scopes that lack them.
                                    return c[3] != 0 && space.has(c) && !isFloat(space.subject(c).type.type);
                                  }});
  operation.exclusions.push_back(tooLarge(space, device, {0, 1, 2, 4}, 4, [space](const Choice& c) {
    return denseBytes(space.matrix(c), space.config(c).tiles);
  }));
  list.complete(std::move(operation), [&](const Choice& c) {
    const Config& config = space.config(c);
    const Subject& s = space.subject(c);
    const Size size = space.size(c);
    const Conversion conversion{matrixOf(config, s.type, size), matrixOf(config, s.other, size),
                                static_cast<Conversion::Data>(c[3])};
    const auto memory = static_cast<Memory>(c[4]);
    const auto given = static_cast<Given>(c[5]);
    const uint64_t seed = list.nextSeed();
    const auto make = [config, conversion, memory, given, seed] {
      return conversionProgram(config, conversion, memory, given, seed);
    };
    const auto add = [&](std::initializer_list<const char*> needs) {
      list.add(sameUse ? "convert-type" : "convert-use", config,
               {slug(s.type), slug(s.other), sizeName(size), kDataNames[c[3]],
                std::string(memoryName(memory)), std::string(givenName(given))},
               needs, make);
    };
    if (sameUse) {
      add({});
    } else {
      add({"cooperativeMatrixConversions"});
    }
  });
}

void completeTransposes(List& list, const std::vector<Config>& configs) {
  const TargetDevice& device = list.device();
  std::vector<std::string> names;
  for (const Size& factor : kTransposed) names.emplace_back(factor.name);
  names.emplace_back("largest");
  const auto granule = [](const Subject& s) {
    TypeUse both = s.type;
    both.rows = std::lcm(s.type.rows, s.other.columns);
    both.columns = std::lcm(s.type.columns, s.other.rows);
    return both;
  };
  const Space space(
      configs, false, names,
      [](const Config& config) {
        std::vector<Subject> subjects;
        const std::vector<TypeUse> types = typesOf(config);
        for (const TypeUse& from : types) {
          for (const TypeUse& to : types) {
            if (from.use == Use::Accumulator && to.use == Use::B && from.type == to.type)
              subjects.push_back({slug(from), from, to, {}});
          }
        }
        return subjects;
      },
      [&](const Config& config, const Subject& s) {
        const TypeUse both = granule(s);
        std::vector<Size> sizes;
        for (const Size& factor : kTransposed)
          sizes.push_back({both.rows * factor.rows, both.columns * factor.columns, factor.name});
        const Size largest = operationSizes(config, device, both, 2).back();
        if (std::string_view(largest.name) == "largest" &&
            largest.rows * largest.columns > 8 * both.rows * both.columns)
          sizes.push_back(largest);
        return sizes;
      });
  if (space.empty()) return;
  Operation operation = space.operation("transpose");
  operation.axes.push_back(memoryAxis("source"));
  operation.axes.push_back(givenAxis());
  operation.wholes.push_back({0, 1, 2, 3, 4});
  operation.exclusions.push_back(tooLarge(space, device, {0, 1, 2, 3}, 3, [space](const Choice& c) {
    return denseBytes(space.matrix(c), space.config(c).tiles);
  }));
  list.complete(std::move(operation), [&](const Choice& c) {
    const Config& config = space.config(c);
    const Subject& s = space.subject(c);
    const Size size = space.size(c);
    const ShaderMatrix from = matrixOf(config, s.type, size);
    const ShaderMatrix to = matrixOf(config, s.other, {size.columns, size.rows});
    const auto memory = static_cast<Memory>(c[3]);
    const auto given = static_cast<Given>(c[4]);
    const uint64_t seed = list.nextSeed();
    list.add("transpose", config,
             {slug(s.type), sizeName(size), std::string(memoryName(memory)), std::string(givenName(given))},
             {"cooperativeMatrixConversions"}, [config, from, to, memory, given, seed] {
               return transposeProgram(config, from, to, memory, given, seed);
             });
  });
}

void completeReductions(List& list, const std::vector<Config>& configs, uint32_t mask) {
  const TargetDevice& device = list.device();
  std::vector<ReducedSizes> table = reducedSizes(mask);
  std::vector<std::string> names;
  for (const ReducedSizes& s : table) names.emplace_back(s.name);
  names.emplace_back("largest");
  const Space space(
      configs, false, names,
      [](const Config& config) {
        std::vector<Subject> subjects;
        for (const TypeUse& type : typesOf(config)) {
          if (type.use == Use::Accumulator) subjects.push_back({slug(type), type, {}, {}});
        }
        return subjects;
      },
      [&](const Config& config, const Subject& s) {
        std::vector<Size> sizes;
        uint32_t most = 0;
        for (const ReducedSizes& entry : table) {
          sizes.push_back({s.type.rows * entry.from.rows, s.type.columns * entry.from.columns, entry.name});
          most = std::max(most, sizes.back().rows * sizes.back().columns);
        }
        // The largest size at which the matrix and a result of the same size fit.
        const Size largest = operationSizes(config, device, s.type, 2).back();
        if (std::string_view(largest.name) == "largest" && largest.rows * largest.columns > most)
          sizes.push_back(largest);
        return sizes;
      });
  if (space.empty()) return;
  Operation operation = space.operation(std::string("reduce-") + kMaskNames[mask]);
  Axis combines{"combine", {}};
  for (const Combine& combine : kCombines) combines.values.emplace_back(combine.name);
  operation.axes.push_back(std::move(combines));
  operation.axes.push_back(memoryAxis("source"));
  operation.axes.push_back(givenAxis());
  operation.wholes.push_back({0, 1, 2, 3});
  operation.wholes.push_back({0, 1, 4, 5});
  operation.wholes.push_back({0, 2, 4});
  operation.exclusions.push_back(tooLarge(space, device, {0, 1, 2, 4}, 4, [space](const Choice& c) {
    return denseBytes(space.matrix(c), space.config(c).tiles);
  }));
  list.complete(std::move(operation), [&](const Choice& c) {
    const Config& config = space.config(c);
    const TypeUse& type = space.subject(c).type;
    Reduction r;
    r.mask = mask;
    r.combine = &kCombines[c[3]];
    r.from = space.matrix(c);
    if (c[2] < table.size()) {
      r.to = matrixOf(config, type, {type.rows * table[c[2]].to.rows, type.columns * table[c[2]].to.columns});
    } else {
      const uint32_t by = mask == 4 ? 2 : 1;
      r.to = matrixOf(config, type, {r.from.rows / by, r.from.columns / by});
    }
    const auto memory = static_cast<Memory>(c[4]);
    const auto given = static_cast<Given>(c[5]);
    const uint64_t seed = list.nextSeed();
    list.add(
        std::string("reduce-") + kMaskNames[mask], config,
        {slug(type), r.combine->name, sizeName({r.from.rows, r.from.columns}),
         sizeName({r.to.rows, r.to.columns}), std::string(memoryName(memory)), std::string(givenName(given))},
        {"cooperativeMatrixReductions"},
        [config, r, memory, given, seed] { return reductionProgram(config, r, memory, given, seed); });
  });
}

uint32_t matricesOf(ElementCallback kind) {
  return kind == ElementCallback::Matrix ? 2 : kind == ElementCallback::MatricesAndScalars ? 3 : 1;
}

void completeElements(List& list, const std::vector<Config>& configs) {
  const TargetDevice& device = list.device();
  const Space space(
      configs, false, operationClasses(), typeSubjects,
      [&](const Config& config, const Subject& s) { return operationSizes(config, device, s.type, 4); });
  if (space.empty()) return;
  std::vector<std::string> kinds;
  for (const ElementCallback kind : kElementKinds) kinds.emplace_back(elementName(kind));
  Operation operation = kindOperation(space, "per-element", std::move(kinds));
  operation.exclusions.push_back(tooLarge(space, device, {0, 1, 2, 3, 4}, 4, [space](const Choice& c) {
    return matricesOf(kElementKinds[c[3]]) * denseBytes(space.matrix(c), space.config(c).tiles);
  }));
  list.complete(std::move(operation), [&](const Choice& c) {
    const Config& config = space.config(c);
    const ShaderMatrix t = space.matrix(c);
    const ElementCallback kind = kElementKinds[c[3]];
    const auto memory = static_cast<Memory>(c[4]);
    const auto given = static_cast<Given>(c[5]);
    const uint64_t seed = list.nextSeed();
    list.add("per-element", config,
             {slug(space.subject(c).type), elementName(kind), sizeName(space.size(c)),
              std::string(memoryName(memory)), std::string(givenName(given))},
             {"cooperativeMatrixPerElementOperations"}, [config, t, kind, memory, given, seed] {
               return elementProgram(config, t, kind, memory, given, seed);
             });
  });
}

}  // namespace

void addOperationCases(List& list, const std::vector<Config>& configs) {
  for (const Config& config : configs) addConversions(list, config);
  for (const Config& config : configs) addTransposes(list, config);
  for (const Config& config : configs) addReductions(list, config);
  for (const Config& config : configs) addElements(list, config);
}

void completeOperationCases(List& list, const std::vector<Config>& configs) {
  for (const bool fixed : {true, false}) {
    for (const bool sameUse : {true, false}) completeConversions(list, configs, fixed, sameUse);
  }
  completeTransposes(list, configs);
  for (uint32_t mask = 1; mask <= 4; ++mask) completeReductions(list, configs, mask);
  completeElements(list, configs);
}

}  // namespace coopc::harness::suite
