// Shared by the files of the generator: a device's matrix types and sizes, and the list of cases.
#include "harness/suite/list.hpp"

#include <map>

namespace coopc::harness::suite {
namespace {

// Shapes for devices that list none.
std::vector<MatrixShape> usualShapes(bool workgroup, uint32_t invocations) {
  std::vector<MatrixShape> shapes;
  for (const NumberType c : {NumberType::F16, NumberType::F32}) {
    shapes.push_back({16, 16, 16, NumberType::F16, NumberType::F16, c, c, workgroup, false, invocations});
  }
  shapes.push_back({16, 16, 32, NumberType::S8, NumberType::S8, NumberType::S32, NumberType::S32, workgroup,
                    false, invocations});
  return shapes;
}

}  // namespace

void List::add(std::string_view feature, const Config& config, std::initializer_list<std::string> parts,
               std::initializer_list<const char*> needs, std::function<Program()> make) {
  SuiteCase subject;
  subject.name = std::string(feature) + "." + config.name;
  for (const std::string& part : parts) subject.name += "." + part;
  subject.feature = feature;
  subject.needs = config.needs;
  subject.needs.insert(subject.needs.end(), needs.begin(), needs.end());
  subject.make = std::move(make);
  cases_.push_back(std::move(subject));
}

namespace {

// Shapes of 8-bit floats, and sums in bfloat16, have no cases.
bool hasCases(const MatrixShape& s) {
  const auto isFloat8 = [](NumberType t) { return t == NumberType::E4M3 || t == NumberType::E5M2; };
  return !isFloat8(s.a) && !isFloat8(s.b) && s.c != NumberType::BF16 && s.result != NumberType::BF16;
}

}  // namespace

std::vector<Config> configsOf(const TargetDevice& device) {
  std::vector<Config> configs;
  const uint32_t subgroup = std::max(device.subgroupSize, 1u);
  for (const uint32_t tiles : {1u, 4u}) {
    Config khr;
    khr.name = "khr" + std::to_string(tiles);
    khr.invocations = subgroup * tiles;
    khr.tiles = tiles;
    khr.fixed = true;
    for (const MatrixShape& shape : device.fixed) {
      if (!shape.workgroup && hasCases(shape)) khr.shapes.push_back(shape);
    }
    if (khr.shapes.empty()) khr.shapes = usualShapes(false, 0);
    khr.needs = {"cooperativeMatrix"};
    configs.push_back(std::move(khr));
  }
  for (const uint32_t tiles : {1u, 4u}) {
    Config flexible;
    flexible.name = "sg" + std::to_string(tiles);
    flexible.invocations = subgroup * tiles;
    flexible.tiles = tiles;
    for (const MatrixShape& shape : device.flexible) {
      if (!shape.workgroup && hasCases(shape)) flexible.shapes.push_back(shape);
    }
    if (flexible.shapes.empty()) flexible.shapes = usualShapes(false, 0);
    flexible.needs = {"cooperativeMatrix", "cooperativeMatrixFlexibleDimensions"};
    configs.push_back(std::move(flexible));
  }
  std::map<uint32_t, std::vector<MatrixShape>> workgroups;
  for (const MatrixShape& shape : device.flexible) {
    if (shape.workgroup && hasCases(shape)) workgroups[shape.invocations].push_back(shape);
  }
  if (workgroups.empty()) {
    for (const uint32_t n : {128u, 256u}) workgroups[n] = usualShapes(true, n);
  }
  for (auto& [invocations, shapes] : workgroups) {
    Config config;
    config.name = "wg" + std::to_string(invocations);
    config.scope = Scope::Workgroup;
    config.invocations = invocations;
    config.shapes = std::move(shapes);
    config.needs = {"cooperativeMatrix", "cooperativeMatrixFlexibleDimensions",
                    "cooperativeMatrixWorkgroupScope"};
    configs.push_back(std::move(config));
  }
  return configs;
}

std::vector<TypeUse> typesOf(const Config& config) {
  std::vector<TypeUse> types;
  const auto add = [&](const TypeUse& type) {
    for (TypeUse& known : types) {
      if (known == type) return;
      // One granularity for each type and use: any of the lines may be met.
      if (!config.fixed && known.type == type.type && known.use == type.use) {
        known.rows = std::min(known.rows, type.rows);
        known.columns = std::min(known.columns, type.columns);
        return;
      }
    }
    types.push_back(type);
  };
  for (const MatrixShape& s : config.shapes) {
    add({s.a, Use::A, s.m, s.k});
    add({s.b, Use::B, s.k, s.n});
    add({s.c, Use::Accumulator, s.m, s.n});
    add({s.result, Use::Accumulator, s.m, s.n});
  }
  return types;
}

namespace {

// The largest size with at most this many elements, as square as possible.
Size squarest(const TypeUse& type, uint64_t most, uint32_t limit) {
  Size largest{type.rows, type.columns, "largest"};
  while (true) {
    Size next = largest;
    (largest.rows <= largest.columns ? next.rows : next.columns) *= 2;
    if (next.rows > limit || next.columns > limit || uint64_t{next.rows} * next.columns > most)
      return largest;
    largest = next;
  }
}

}  // namespace

std::vector<Size> sizesOf(const Config& config, const TargetDevice& device, const TypeUse& type) {
  if (config.fixed) return {{type.rows, type.columns}};
  const uint64_t lanes = config.invocations / config.tiles;
  const uint64_t most = uint64_t{device.registerBytes} * lanes / byteSize(type.type);
  const uint32_t limit = device.flexibleMax == 0 ? 1024 : device.flexibleMax;
  std::vector<Size> sizes;
  const auto add = [&](uint32_t rows, uint32_t columns, const char* name) {
    const Size size{rows * type.rows, columns * type.columns, name};
    if (size.rows > limit || size.columns > limit || uint64_t{size.rows} * size.columns > most) return;
    for (const Size& known : sizes) {
      if (known.rows == size.rows && known.columns == size.columns) return;
    }
    sizes.push_back(size);
  };
  sizes.push_back({type.rows, type.columns});
  add(3, 1, "3x1");
  add(1, 3, "1x3");
  add(5, 3, "5x3");
  const Size largest = squarest(type, most, limit);
  add(largest.rows / type.rows, largest.columns / type.columns, "largest");
  add(limit / type.rows, 1, "tallest");
  add(1, limit / type.columns, "widest");
  return sizes;
}

std::vector<Size> fewSizes(const Config& config, const TargetDevice&, const TypeUse& type) {
  if (config.fixed) return {{type.rows, type.columns}};
  return {{type.rows, type.columns},
          {3 * type.rows, type.columns, "3x1"},
          {2 * type.rows, 3 * type.columns, "2x3"}};
}

std::vector<Size> operationSizes(const Config& config, const TargetDevice& device, const TypeUse& type,
                                 uint32_t matrices) {
  std::vector<Size> sizes = fewSizes(config, device, type);
  if (config.fixed) return sizes;
  const uint64_t most =
      uint64_t{device.registerBytes} * (config.invocations / config.tiles) / byteSize(type.type) / matrices;
  const Size largest = squarest(type, most, device.flexibleMax == 0 ? 1024 : device.flexibleMax);
  const auto count = [](const Size& size) { return uint64_t{size.rows} * size.columns; };
  if (std::all_of(sizes.begin(), sizes.end(), [&](const Size& size) { return count(size) < count(largest); }))
    sizes.push_back(largest);
  return sizes;
}

bool fitsShared(const TargetDevice& device, const Config& config, uint64_t bytes) {
  const uint32_t reserved = config.scope == Scope::Workgroup ? device.reservedSharedMemory : 0;
  return bytes + reserved <= device.sharedMemory;
}

std::vector<std::string> sizeClasses() {
  return {"smallest", "3x1", "1x3", "5x3", "largest", "tallest", "widest"};
}
std::vector<std::string> operationClasses() { return {"smallest", "3x1", "2x3", "largest"}; }
Axis memoryAxis(const char* name) { return {name, {"buffer", "reference", "shared"}}; }
Axis givenAxis() { return {"numbers", {"literal", "spec", "push"}}; }

Operation kindOperation(const Space& space, std::string feature, std::vector<std::string> kinds) {
  Operation operation = space.operation(std::move(feature));
  operation.axes.push_back({"kind", std::move(kinds)});
  operation.axes.push_back(memoryAxis("source"));
  operation.axes.push_back(givenAxis());
  operation.wholes.push_back({0, 1, 2});
  operation.wholes.push_back({0, 1, 3});
  operation.wholes.push_back({0, 1, 4, 5});
  return operation;
}

Exclusion tooLarge(const Space& space, const TargetDevice& device, std::vector<uint32_t> axes,
                   uint32_t memory, std::function<uint64_t(const Choice&)> bytes) {
  return {"the arrays are larger than shared memory", std::move(axes),
          [space, device, memory, bytes = std::move(bytes)](const Choice& c) {
            return c[memory] == 2 && space.exists(c) && !fitsShared(device, space.config(c), bytes(c));
          }};
}

std::string subjectName(const Config& config, const TypeUse& type) {
  return slug(type) + (config.fixed ? "-" + sizeName({type.rows, type.columns}) : "");
}

std::vector<Subject> typeSubjects(const Config& config) {
  std::vector<Subject> subjects;
  for (const TypeUse& type : typesOf(config)) subjects.push_back({subjectName(config, type), type, {}, {}});
  return subjects;
}

Space::Space(const std::vector<Config>& configs, bool fixed, std::vector<std::string> sizeNames,
             const std::function<std::vector<Subject>(const Config&)>& subjects,
             const std::function<std::vector<Size>(const Config&, const Subject&)>& sizes) {
  auto table = std::make_shared<Table>();
  table->fixed = fixed;
  table->types.name = "types";
  if (fixed) sizeNames.resize(1);  // a fixed shape is its own size
  table->sizeNames = {"size", std::move(sizeNames)};
  for (const Config& config : configs) {
    if (config.fixed != fixed) continue;
    const std::vector<Subject> listed = subjects(config);
    if (listed.empty()) continue;
    table->configs.push_back(config);
    for (const Subject& subject : listed) {
      std::vector<std::string>& names = table->types.values;
      if (std::find(names.begin(), names.end(), subject.name) == names.end()) names.push_back(subject.name);
    }
  }
  for (const Config& config : table->configs) {
    std::vector<std::optional<Subject>> row(table->types.values.size());
    std::vector<std::vector<std::optional<Size>>> sizesOfRow(
        row.size(), std::vector<std::optional<Size>>(table->sizeNames.values.size()));
    for (const Subject& subject : subjects(config)) {
      const auto& names = table->types.values;
      const auto at =
          static_cast<size_t>(std::find(names.begin(), names.end(), subject.name) - names.begin());
      row[at] = subject;
      for (const Size& size : sizes(config, subject)) {
        const auto& kinds = table->sizeNames.values;
        const auto kind =
            static_cast<size_t>(std::find(kinds.begin(), kinds.end(), size.name) - kinds.begin());
        if (kind < kinds.size()) sizesOfRow[at][kind] = size;
      }
    }
    table->subjects.push_back(std::move(row));
    table->sizes.push_back(std::move(sizesOfRow));
  }
  table_ = std::move(table);
}

Operation Space::operation(std::string feature) const {
  Operation operation;
  operation.feature = std::move(feature);
  operation.part = table_->fixed ? "fixed" : "flexible";
  Axis scopes{"scope", {}};
  for (const Config& config : table_->configs) scopes.values.push_back(config.name);
  operation.axes = {std::move(scopes), table_->types, table_->sizeNames};
  operation.exclusions.push_back(
      {"the device lists no such types for the scope", {0, 1}, [table = table_](const Choice& c) {
         return !table->subjects[c[0]][c[1]].has_value();
       }});
  operation.exclusions.push_back(
      {"too large for the registers, or no larger than the other sizes",
       {0, 1, 2},
       [table = table_](const Choice& c) { return !table->sizes[c[0]][c[1]][c[2]].has_value(); }});
  return operation;
}

ShaderMatrix Space::matrix(const Choice& choice) const {
  return matrixOf(config(choice), subject(choice).type, size(choice));
}

void List::complete(Operation operation, const std::function<void(const Choice&)>& add) {
  std::vector<Choice> have;
  for (const SuiteCase& subject : cases_) {
    if (subject.feature != operation.feature) continue;
    Choice choice = choiceOf(operation, subject.traits);
    if (!choice.empty()) have.push_back(std::move(choice));
  }
  for (const Choice& choice : missingChoices(operation, have)) {
    add(choice);
    std::vector<std::string> values;
    for (size_t i = 0; i < choice.size(); ++i) values.push_back(operation.axes[i].values[choice[i]]);
    traits(std::move(values));
  }
  operations_.push_back(std::move(operation));
}

std::string sizeName(Size size) { return std::to_string(size.rows) + "x" + std::to_string(size.columns); }

uint32_t denseStride(NumberType type, uint32_t columns) {
  const auto size = static_cast<uint32_t>(byteSize(type));
  const uint32_t bytes = columns * size;
  return bytes < 16 ? columns : (bytes + 15) / 16 * 16 / size;
}

std::string tileOffset(Shader& shader, const Config& config, uint64_t perTile, const std::string& base) {
  if (config.tiles == 1) return base.empty() ? "0" : base;
  shader.useSubgroups();
  return "gl_SubgroupID * " + shader.number(static_cast<int64_t>(perTile)) +
         (base.empty() ? "" : " + " + base);
}

void loadDense(Shader& shader, const Config& config, const std::string& variable, const ShaderMatrix& type,
               const std::string& array) {
  shader.line(shader.matrix(type) + " " + variable + ";");
  shader.line("coopMatLoad(" + variable + ", " + array + ", " + tileOffset(shader, config, denseCount(type)) +
              ", " + shader.number(denseStride(type.type, type.columns)) +
              ", gl_CooperativeMatrixLayoutRowMajor);");
}

void storeDense(Shader& shader, const Config& config, const std::string& variable, const ShaderMatrix& type,
                const std::string& array) {
  shader.line("coopMatStore(" + variable + ", " + array + ", " +
              tileOffset(shader, config, denseCount(type)) + ", " +
              shader.number(denseStride(type.type, type.columns)) + ", gl_CooperativeMatrixLayoutRowMajor);");
}

std::string denseOutput(Shader& shader, const Config& config, const ShaderMatrix& type) {
  return shader.buffer(std::string(glslName(type.type)), Memory::Buffer,
                       poison(type.type, config.tiles * denseCount(type)), true);
}

std::vector<SuiteCase> generate(const TargetDevice& device, uint64_t seed,
                                std::vector<Operation>* operations) {
  std::vector<SuiteCase> cases;
  List list(device, seed, cases);
  const std::vector<Config> configs = configsOf(device);
  addMemoryCases(list, configs);
  addOperationCases(list, configs);
  addArithmeticCases(list, configs);
  addTensorCases(list, configs);
  addBlockCases(list, configs);
  completeMemoryCases(list, configs);
  completeOperationCases(list, configs);
  completeArithmeticCases(list, configs);
  completeTensorCases(list, configs);
  completeBlockCases(list, configs);
  if (operations != nullptr) *operations = list.takeOperations();
  // Names identify cases: variations with equal names get numbers.
  std::map<std::string, uint32_t> seen;
  for (SuiteCase& subject : cases) {
    const uint32_t before = seen[subject.name]++;
    if (before != 0) subject.name += "." + std::to_string(before + 1);
  }
  return cases;
}

std::vector<std::string> listMissing(const SuiteCase& subject, const TargetDevice& device) {
  std::vector<std::string> reasons;
  for (const std::string& feature : subject.needs) {
    if (!device.has(feature)) reasons.push_back("feature " + feature + " is missing");
  }
  if (!subject.skip.empty()) reasons.push_back(subject.skip);
  return reasons;
}

}  // namespace coopc::harness::suite
