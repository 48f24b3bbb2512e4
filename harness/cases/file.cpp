// Reads case files (TOML). Every key must be known and every number must be in range: a mistyped case must
// not become a case that tests something else. Reading stops at the first error. Contents of memory are read
// by memory.cpp.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/whole_file.hpp"
#include "harness/cases/case.hpp"
#include "harness/cases/parts.hpp"

namespace coopc::harness {
namespace {

Expectation readExpectation(const toml::table& table, const std::string& where, CaseReading& reading) {
  TableReader reader(table, where, reading);
  Expectation expectation;
  expectation.target = reader.string("buffer", {}, !reader.has("image") && !reader.has("tensor"));
  for (const char* other : {"image", "tensor"}) {
    if (!reader.has(other)) continue;
    if (!expectation.target.empty()) reader.fail("'buffer', 'image' and 'tensor' exclude one another");
    expectation.target = reader.string(other);
  }
  expectation.reference = reader.string("reference", {}, true);
  if (const toml::table* arguments = reader.table("arguments")) {
    Value value = toValue(*arguments, reading);
    expectation.arguments = std::move(std::get<Table>(value.data));
  }
  expectation.samples = static_cast<uint64_t>(reader.integer("samples", 0, 0, int64_t{1} << 32));
  if (const toml::table* tolerance = reader.table("tolerance")) {
    TableReader inner(*tolerance, where + ".tolerance", reading);
    Tolerance& t = expectation.tolerance;
    t.ulp = static_cast<uint64_t>(inner.integer("ulp", 0, 0, int64_t{1} << 52));
    t.absolute = inner.number("absolute", 0).real();
    t.relative = inner.number("relative", 0).real();
    t.magnitude = inner.number("magnitude", 0).real();
    for (const double part : {t.absolute, t.relative, t.magnitude}) {
      if (!(part >= 0) || std::isinf(part))
        inner.fail("a tolerance must be a finite number that is not negative");
    }
    t.exact = t.ulp == 0 && t.absolute == 0 && t.relative == 0 && t.magnitude == 0;
    inner.finish();
  }
  reader.finish();
  return expectation;
}

spirv::MatrixShape readMatrix(const toml::table& table, const std::string& where, CaseReading& reading) {
  TableReader reader(table, where, reading);
  spirv::MatrixShape shape;
  const std::string scope = reader.string("scope", {}, true);
  if (scope != "subgroup" && scope != "workgroup") reader.fail("unknown scope '" + scope + "'");
  shape.workgroup = scope == "workgroup";
  shape.m = reader.u32("m", 0, true);
  shape.n = reader.u32("n", 0, true);
  shape.k = reader.u32("k", 0, true);
  shape.a = reader.type("a");
  shape.b = reader.type("b", shape.a);
  shape.c = reader.type("c");
  shape.result = reader.type("result", shape.c);
  reader.finish();
  return shape;
}

vk::Specialization readSpecialization(const toml::table& table, const std::string& where,
                                      CaseReading& reading) {
  TableReader reader(table, where, reading);
  vk::Specialization result;
  result.id = reader.u32("id", 0, true);
  if (!reader.has("value")) reader.fail("'value' is missing");
  if (reader.string("type", "u32") == "bool") {
    // VkBool32, as VkSpecializationMapEntry demands.
    result.bits = reader.boolean("value", false) ? 1 : 0;
  } else {
    const NumberType type = reader.type("type", NumberType::U32);
    const Number value = reader.number("value", 0);
    result.bits = fromNumber(type, value);
    result.bytes = static_cast<uint32_t>(byteSize(type));
    if (!isFloat(type) && !represents(type, value)) reader.fail("'value' does not fit its type");
  }
  reader.finish();
  return result;
}

// A macro's value: text, a number, or "=FORMULA".
std::string macroText(const toml::node& node, TableReader& reader, std::string_view name) {
  if (const auto* text = node.as_string()) {
    const std::string& value = text->get();
    if (value.empty() || value[0] != '=') return value;
    const Result<int64_t> number = evaluateInteger(Value{value.substr(1)}, reader.reading().variables);
    if (number) return std::to_string(*number);
    reader.fail("macro '" + std::string(name) + "': " + number.error().message, &node);
    return {};
  }
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  reader.fail("macro '" + std::string(name) + "' must be a string or an integer", &node);
  return {};
}

ShaderSpec readShader(const toml::table& table, const std::string& where, CaseReading& reading) {
  TableReader reader(table, where, reading);
  ShaderSpec result;
  result.source = reader.string("source");
  result.module = reader.string("module");
  if (result.source.empty() == result.module.empty())
    reader.fail("exactly one of 'source' and 'module' is needed");
  result.entry = reader.string("entry", "main");
  result.targetEnv = reader.string("target-env", "vulkan1.3");
  if (const toml::table* macros = reader.table("macros")) {
    for (const auto& [key, item] : *macros) {
      result.macros.emplace_back(std::string(key.str()), macroText(item, reader, key.str()));
    }
  }
  if (const toml::array* options = reader.array("options")) {
    for (const toml::node& item : *options) {
      if (const auto* option = item.as_string()) {
        result.options.push_back(option->get());
      } else {
        reader.fail("'options' must hold strings", &item);
      }
    }
  }
  if (where != "[shader]") readStage(reader, result);
  reader.finish();
  return result;
}

void readDispatch(const toml::table& dispatch, Case& result, CaseReading& reading) {
  TableReader reader(dispatch, "[dispatch]", reading);
  if (const toml::array* groups = reader.array("groups")) {
    if (groups->empty() || groups->size() > 3) reader.fail("'groups' must hold one to three numbers");
    for (size_t i = 0; i < std::min<size_t>(groups->size(), 3); ++i) {
      result.groups[i] = static_cast<uint32_t>(
          reader.integerOf(*groups->get(i), "groups", 1, 0, std::numeric_limits<uint32_t>::max()));
    }
  }
  result.subgroupSize = static_cast<uint32_t>(reader.integer("subgroup-size", 0, 0, 128));
  result.fullSubgroups = reader.boolean("full-subgroups", false);
  result.timeoutSeconds = static_cast<uint32_t>(reader.integer("timeout-seconds", 60, 1, 3600));
  reader.finish();
}

void readTiming(const toml::table& time, Case& result, CaseReading& reading) {
  TableReader reader(time, "[time]", reading);
  result.timing.warmups = static_cast<int>(reader.integer("warmups", 3, 0, 1000));
  result.timing.runs = static_cast<int>(reader.integer("runs", 10, 1, 1000));
  result.timing.repeat = static_cast<int>(reader.integer("repeat", 1, 1, 1000));
  result.timing.flops =
      static_cast<uint64_t>(reader.integer("flops", 0, 0, std::numeric_limits<int64_t>::max()));
  result.timing.bytes =
      static_cast<uint64_t>(reader.integer("bytes", 0, 0, std::numeric_limits<int64_t>::max()));
  reader.finish();
}

void readTuning(const toml::table& table, Case& result, CaseReading& reading) {
  TableReader reader(table, "[tune]", reading);
  if (const toml::array* require = reader.array("require")) {
    for (const toml::node& item : *require) {
      if (const auto* formula = item.as_string()) {
        result.tuning.require.push_back(formula->get());
      } else {
        reader.fail("'require' must hold formulas", &item);
      }
    }
  }
  if (const toml::table* values = reader.table("values")) {
    for (const auto& [key, item] : *values) {
      const std::string name(key.str());
      if (reading.variables.count(name) == 0) reader.fail("there is no variable '" + name + "'", &item);
      const toml::array* list = item.as_array();
      if (list == nullptr || list->empty()) {
        reader.fail("'" + name + "' must be a list of numbers", &item);
        continue;
      }
      std::vector<int64_t> numbers;
      for (const toml::node& number : *list) {
        numbers.push_back(reader.integerOf(number, name, 0, std::numeric_limits<int64_t>::min(),
                                           std::numeric_limits<int64_t>::max()));
      }
      result.tuning.values.emplace_back(name, std::move(numbers));
    }
  }
  reader.finish();
}

void checkNames(const Case& c, CaseReading& reading) {
  std::set<std::string> buffers;
  std::set<std::string> all;
  std::set<std::pair<uint32_t, uint32_t>> bindings;
  uint64_t total = 0;
  for (const BufferSpec& buffer : c.buffers) {
    if (!all.insert(buffer.name).second)
      reading.fail("two buffers, tensors or images are called '" + buffer.name + "'");
    buffers.insert(buffer.name);
    total += buffer.bytes();
    if (buffer.kind != BufferSpec::Kind::AddressOnly &&
        !bindings.insert({buffer.set, buffer.binding}).second) {
      reading.fail((buffer.isTensor() ? "tensor '" : "buffer '") + buffer.name +
                   "': its set and binding are taken");
    }
  }
  for (const CaseImage& image : c.images) {
    if (!all.insert(image.name).second)
      reading.fail("two buffers, tensors or images are called '" + image.name + "'");
    total += image.bytes();
    if (!bindings.insert({image.set, image.binding}).second) {
      reading.fail("image '" + image.name + "': its set and binding are taken");
    }
  }
  const auto addTarget = [&](const vk::RenderTarget& target) {
    if (!all.insert(target.name).second)
      reading.fail("two buffers, images or targets are called '" + target.name + "'");
  };
  if (c.drawing) std::for_each(c.drawing->targets.begin(), c.drawing->targets.end(), addTarget);
  if (c.drawing && c.drawing->depth) addTarget(*c.drawing->depth);
  if (total > kMaxTotalBytes) reading.fail("the buffers and images together are larger than 16 GiB");
  const auto checkAddress = [&](const Field& field) {
    if (!field.address.empty() && buffers.count(field.address) == 0) {
      reading.fail("address of an unknown buffer '" + field.address + "'");
    }
  };
  for (const BufferSpec& buffer : c.buffers)
    std::for_each(buffer.fields.begin(), buffer.fields.end(), checkAddress);
  std::for_each(c.pushConstants.begin(), c.pushConstants.end(), checkAddress);
  for (const Expectation& expectation : c.expectations) {
    if (all.count(expectation.target) == 0) {
      reading.fail("[[expect]]: there is no buffer, tensor, image or target called '" + expectation.target +
                   "'");
    }
  }
}

}  // namespace

Result<Case> parseCase(std::string_view text, const std::string& file, const Overrides& overrides) {
  const auto inFile = [&](const std::string& message) { return Error{file + ": " + message}; };
  if (text.size() > kMaxCaseFileBytes) return inFile("the file is larger than 4 MiB");
  const Result<toml::table> parsed = parseToml(text);
  if (!parsed) return inFile(parsed.error().message);
  CaseReading reading;
  TableReader reader(*parsed, "case", reading);
  Case result;
  result.file = file;
  result.name = reader.string("name", {}, true);
  result.description = reader.string("description");
  readVariables(reader.table("variables"), overrides, reading);
  if (reading.error) return inFile(reading.error->message);
  result.variables = reading.variables;

  const auto each = [&](std::string_view key, auto&& read) {
    size_t index = 0;
    for (const toml::table* table : reader.tables(key)) {
      if (reading.error) return;
      read(*table, "[[" + std::string(key) + "]] " + std::to_string(++index));
    }
  };
  if (const toml::table* shader = reader.table("shader"))
    result.shaders.push_back(readShader(*shader, "[shader]", reading));
  each("stage", [&](const toml::table& table, const std::string& where) {
    result.shaders.push_back(readShader(table, where, reading));
  });
  each("specialization", [&](const toml::table& table, const std::string& where) {
    result.specializations.push_back(readSpecialization(table, where, reading));
  });
  each("buffer", [&](const toml::table& table, const std::string& where) {
    result.buffers.push_back(readBuffer(table, where, reading));
  });
  each("tensor", [&](const toml::table& table, const std::string& where) {
    result.buffers.push_back(readTensor(table, where, reading));
  });
  each("image", [&](const toml::table& table, const std::string& where) {
    result.images.push_back(readImage(table, where, reading));
  });
  each("push-constant", [&](const toml::table& table, const std::string& where) {
    result.pushConstants.push_back(readField(table, where, reading, result.pushConstantBytes, true));
    if (result.pushConstantBytes > 4096) reading.fail(where + ": push constants larger than 4096 bytes");
  });
  each("matrix", [&](const toml::table& table, const std::string& where) {
    result.matrices.push_back(readMatrix(table, where, reading));
  });
  each("expect", [&](const toml::table& table, const std::string& where) {
    result.expectations.push_back(readExpectation(table, where, reading));
  });

  readWork(reader, result, reading);
  if (const toml::table* dispatch = reader.table("dispatch")) readDispatch(*dispatch, result, reading);
  if (const toml::table* time = reader.table("time")) readTiming(*time, result, reading);
  if (const toml::table* tune = reader.table("tune")) readTuning(*tune, result, reading);
  reader.finish();
  if (!reading.error) checkNames(result, reading);
  if (reading.error) return inFile(reading.error->message);
  return result;
}

Result<Case> readCase(const std::string& path, const Overrides& overrides) {
  std::string text;
  if (const std::string why = readFile(path, text, kMaxCaseFileBytes); !why.empty())
    return Error{path + ": cannot be read: " + why};
  return parseCase(text, path, overrides);
}

}  // namespace coopc::harness
