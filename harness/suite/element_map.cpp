// The program has one load for each digit of a row or column number, one after the other from the same
// buffer.
#include "harness/suite/element_map.hpp"

#include <algorithm>

namespace coopc::harness::suite {
namespace {

constexpr uint32_t kBase = 8;
enum Buffer : uint32_t { kNumberBuffer, kComponentBuffer, kLengthBuffer };

// One load: the digit of this weight of an element's row or column.
struct Pass {
  bool ofColumn = false;
  uint32_t weight = 1;
};

std::vector<Pass> passesOf(const ShaderMatrix& matrix) {
  std::vector<Pass> passes;
  for (uint32_t weight = 1; weight < matrix.rows; weight *= kBase) passes.push_back({false, weight});
  for (uint32_t weight = 1; weight < matrix.columns; weight *= kBase) passes.push_back({true, weight});
  return passes;
}

int64_t digit(const Pass& pass, uint32_t row, uint32_t column) {
  return 1 + (pass.ofColumn ? column : row) / pass.weight % kBase;
}

// Space for the components of an invocation: elements may be held more than once.
uint32_t capacity(const MapProbe& probe) { return 4 * probe.matrix.count() / probe.invocations + 16; }

// The loop over the loads; `m` has the result of each.
void loadNumbers(Shader& shader, const MapProbe& probe, const std::string& numbers, const std::string& type) {
  const ShaderMatrix& t = probe.matrix;
  const std::string stride = shader.constant(denseStride(t.type, t.columns));
  shader.line(type + " m;");
  shader.line("coopMatLoad(m, " + numbers + ", pass * " +
              shader.constant(static_cast<int64_t>(denseCount(t))) + ", " + stride +
              ", gl_CooperativeMatrixLayoutRowMajor);");
}

void computeNumbers(Shader& shader, const MapProbe& probe, const std::string& type) {
  const ShaderMatrix& t = probe.matrix;
  const std::string component(glslName(t.type));
  const std::string wide = isFloat(t.type) ? "float" : "int";
  shader.global(
      "uint base8(uint place) { uint weight = 1u; while (place-- > 0u) weight *= 8u; return weight; }");
  shader.global(component + " digit(const in uint row, const in uint column, const in " + component +
                " before, const in uint ofColumn, const in uint weight) {\n  return " + component + "(" +
                wide + "(1u + (ofColumn != 0u ? column : row) / weight % 8u));\n}");
  uint32_t rowDigits = 0;
  for (const Pass& pass : passesOf(t)) rowDigits += pass.ofColumn ? 0 : 1;
  const std::string count = shader.constant(rowDigits);
  shader.line(type + " m = " + type + "(" + component + "(" + wide + "(0)));");
  shader.line("uint ofColumn = pass < " + count + " ? 0u : 1u;");
  shader.line("uint weight = base8(pass - ofColumn * " + count + ");");
  shader.line("coopMatPerElementNV(m, m, digit, ofColumn, weight);");
}

}  // namespace

std::vector<MapProbe> mapProbes(const TargetDevice& device) {
  std::vector<MapProbe> probes;
  if (device.fixed.empty() && device.flexible.empty()) return probes;
  for (const Config& config : configsOf(device)) {
    // If a device lists no shapes, configurations have another device's shapes.
    const bool listed = config.fixed ? !device.fixed.empty() : !device.flexible.empty();
    if (config.tiles != 1 || !listed) continue;
    bool lacking = false;
    for (const std::string& feature : config.needs) lacking = lacking || !device.has(feature);
    if (lacking) continue;
    for (const TypeUse& type : typesOf(config)) {
      const MapProbe probe{matrixOf(config, type, {type.rows, type.columns}), config.invocations, false};
      // Flexible shapes as small as fixed ones are the same types.
      const bool known = std::any_of(probes.begin(), probes.end(), [&](const MapProbe& other) {
        return other.matrix.type == probe.matrix.type && other.matrix.use == probe.matrix.use &&
               other.matrix.scope == probe.matrix.scope && other.matrix.rows == probe.matrix.rows &&
               other.matrix.columns == probe.matrix.columns && other.invocations == probe.invocations;
      });
      if (!known) probes.push_back(probe);
    }
  }
  return probes;
}

Program mapProgram(const MapProbe& probe) {
  const ShaderMatrix& t = probe.matrix;
  const std::vector<Pass> passes = passesOf(t);
  Shader shader(probe.invocations, Given::Literal);
  const std::string type = shader.matrix(t);
  const std::string component(glslName(t.type));
  const auto passCount = static_cast<uint32_t>(passes.size());
  const std::string numbers = shader.buffer(
      component, Memory::Buffer,
      dense(t, passCount,
            [&](uint32_t pass, uint32_t r, uint32_t c) { return bitsOf(t.type, digit(passes[pass], r, c)); }),
      false);
  const uint64_t components = uint64_t{passCount} * probe.invocations * capacity(probe);
  const std::string out =
      shader.buffer(component, Memory::Buffer, poison(t.type, (components + 7) / 8 * 8), true);
  const std::string lengths =
      shader.buffer("uint", Memory::Buffer, poison(NumberType::U32, probe.invocations), true);

  shader.line("for (uint pass = 0u; pass < " + shader.constant(passCount) + "; ++pass) {");
  if (probe.perElement) {
    shader.useTensors();
    computeNumbers(shader, probe, type);
  } else {
    loadNumbers(shader, probe, numbers, type);
  }
  const std::string most = shader.constant(capacity(probe));
  shader.line("uint start = (pass * " + shader.constant(probe.invocations) +
              " + gl_LocalInvocationIndex) * " + most + ";");
  shader.line("for (uint i = 0u; i < min(uint(m.length()), " + most + "); ++i) " + out +
              "[start + i] = m[i];");
  shader.line(lengths + "[gl_LocalInvocationIndex] = uint(m.length());");
  shader.line("}");
  return shader.finish();
}

Result<layout::MeasuredMatrix> elementMap(const MapProbe& probe,
                                          std::span<const std::vector<uint8_t>> buffers) {
  const ShaderMatrix& t = probe.matrix;
  const std::vector<Pass> passes = passesOf(t);
  layout::MeasuredMatrix map;
  map.type = numberName(t.type);
  map.use = useName(t.use);
  map.scope = t.scope == Scope::Workgroup ? "workgroup" : "subgroup";
  map.rows = t.rows;
  map.columns = t.columns;
  map.invocations = probe.invocations;
  map.owners.resize(t.count());
  for (uint32_t invocation = 0; invocation < probe.invocations; ++invocation) {
    const uint64_t length = at(NumberType::U32, buffers[kLengthBuffer], invocation);
    if (length > capacity(probe))
      return Error{map.name() + ": invocation " + std::to_string(invocation) + " has " +
                   std::to_string(length) + " components"};
    for (uint32_t i = 0; i < length; ++i) {
      uint32_t row = 0;
      uint32_t column = 0;
      bool good = true;
      for (size_t pass = 0; pass < passes.size(); ++pass) {
        const uint64_t index = (pass * probe.invocations + invocation) * capacity(probe) + i;
        const uint64_t bits = at(t.type, buffers[kComponentBuffer], index);
        uint32_t found = 0;
        while (found < kBase && bitsOf(t.type, 1 + found) != bits) ++found;
        good = good && found < kBase;
        (passes[pass].ofColumn ? column : row) += found * passes[pass].weight;
      }
      if (!good || row >= t.rows || column >= t.columns)
        return Error{map.name() + ": component " + std::to_string(i) + " of invocation " +
                     std::to_string(invocation) + " holds no element"};
      map.owners[row * t.columns + column].push_back({invocation, i});
    }
  }
  for (uint32_t element = 0; element < t.count(); ++element) {
    if (map.owners[element].empty())
      return Error{map.name() + ": nobody holds element (" + std::to_string(element / t.columns) + ", " +
                   std::to_string(element % t.columns) + ")"};
  }
  return map;
}

}  // namespace coopc::harness::suite
