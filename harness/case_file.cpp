// Reads case files (TOML). Every key must be known and every number must fit where it goes: a mistyped case must not turn
// into a case that tests something else. The first error ends the reading.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>

#include "harness/case.hpp"
#include "harness/formula.hpp"
#include "harness/image_format.hpp"
#include "harness/toml.hpp"

namespace coopc::harness {
namespace {

using Variables = std::map<std::string, int64_t, std::less<>>;

constexpr uint64_t kMaxElements = uint64_t{1} << 33;
constexpr int kMaxVariableDepth = 32;
constexpr int kMaxValueDepth = 16;

Result<int64_t> integralDouble(double value) {
  if (std::floor(value) != value || std::fabs(value) > 9e15) return Error{"a whole number expected"};
  return static_cast<int64_t>(value);
}

// What all readers of one file share: the variables, and the first error.
struct Context {
  Variables variables;
  std::optional<Error> error;

  void fail(std::string message) {
    if (!error) error = Error{std::move(message)};
  }
};

std::string lineOf(const toml::node& node) {
  const auto line = node.source().begin.line;
  return line == 0 ? std::string() : " (line " + std::to_string(line) + ")";
}

Value toValue(const toml::node& node, Context& context, int depth = 0) {
  if (depth > kMaxValueDepth) {
    context.fail("tables and arrays are nested more than 16 deep" + lineOf(node));
    return Value{int64_t{0}};
  }
  if (const auto* value = node.as_boolean()) return Value{value->get()};
  if (const auto* value = node.as_integer()) return Value{value->get()};
  if (const auto* value = node.as_floating_point()) return Value{value->get()};
  if (const auto* value = node.as_string()) return Value{value->get()};
  if (const auto* array = node.as_array()) {
    List list;
    for (const toml::node& item : *array) list.push_back(toValue(item, context, depth + 1));
    return Value{std::move(list)};
  }
  if (const auto* table = node.as_table()) {
    Table result;
    for (const auto& [key, item] : *table) result[std::string(key.str())] = toValue(item, context, depth + 1);
    return Value{std::move(result)};
  }
  context.fail("dates and times have no meaning here" + lineOf(node));
  return Value{int64_t{0}};
}

// One table of the file. Each accessor marks its key as known; finish() complains about the others.
class Reader {
 public:
  Reader(const toml::table& table, std::string where, Context& context)
      : table_(table), where_(std::move(where)), context_(context) {}

  const toml::node* node(std::string_view key) {
    known_.insert(std::string(key));
    return table_.get(key);
  }

  bool has(std::string_view key) const { return table_.contains(key); }

  std::string string(std::string_view key, std::string fallback = {}, bool required = false) {
    const toml::node* found = node(key);
    if (found == nullptr) {
      if (required) fail("'" + std::string(key) + "' is missing");
      return fallback;
    }
    const auto* value = found->as_string();
    if (value == nullptr) return fail("'" + std::string(key) + "' must be a string", found), fallback;
    return value->get();
  }

  bool boolean(std::string_view key, bool fallback) {
    const toml::node* found = node(key);
    if (found == nullptr) return fallback;
    const auto* value = found->as_boolean();
    if (value == nullptr) return fail("'" + std::string(key) + "' must be true or false", found), fallback;
    return value->get();
  }

  // An integer or a formula.
  int64_t integer(std::string_view key, int64_t fallback, int64_t low, int64_t high, bool required = false) {
    const toml::node* found = node(key);
    if (found == nullptr) {
      if (required) fail("'" + std::string(key) + "' is missing");
      return fallback;
    }
    return integerOf(*found, key, fallback, low, high);
  }

  uint32_t u32(std::string_view key, uint32_t fallback, bool required = false) {
    return static_cast<uint32_t>(integer(key, fallback, 0, std::numeric_limits<uint32_t>::max(), required));
  }

  int64_t integerOf(const toml::node& found, std::string_view key, int64_t fallback, int64_t low,
                    int64_t high) {
    const Result<int64_t> value = evaluateInteger(toValue(found, context_), context_.variables);
    if (!value) return fail("'" + std::string(key) + "': " + value.error().message, &found), fallback;
    if (*value < low || *value > high) {
      fail("'" + std::string(key) + "' is " + std::to_string(*value) + ", not in [" + std::to_string(low) +
               ", " + std::to_string(high) + "]",
           &found);
      return fallback;
    }
    return *value;
  }

  // A number or a formula.
  Number number(std::string_view key, int64_t fallback) {
    const toml::node* found = node(key);
    if (found == nullptr) return Number(fallback);
    return numberOf(*found, key);
  }

  Number numberOf(const toml::node& found, std::string_view key) {
    if (const auto* value = found.as_floating_point()) return Number(value->get());
    const Result<int64_t> value = evaluateInteger(toValue(found, context_), context_.variables);
    if (!value) return fail("'" + std::string(key) + "': " + value.error().message, &found), Number();
    return Number(*value);
  }

  NumberType type(std::string_view key, std::optional<NumberType> fallback = std::nullopt) {
    const std::string name = string(key, {}, !fallback);
    if (name.empty()) return fallback.value_or(NumberType::U32);
    const auto found = parseNumberType(name);
    if (!found) fail("'" + std::string(key) + "': unknown type '" + name + "'", table_.get(key));
    return found.value_or(NumberType::U32);
  }

  const toml::table* table(std::string_view key) {
    const toml::node* found = node(key);
    if (found == nullptr) return nullptr;
    if (!found->is_table()) fail("'" + std::string(key) + "' must be a table", found);
    return found->as_table();
  }

  const toml::array* array(std::string_view key) {
    const toml::node* found = node(key);
    if (found == nullptr) return nullptr;
    if (!found->is_array()) fail("'" + std::string(key) + "' must be an array", found);
    return found->as_array();
  }

  // The tables of an array of tables.
  std::vector<const toml::table*> tables(std::string_view key) {
    std::vector<const toml::table*> result;
    const toml::array* items = array(key);
    if (items == nullptr) return result;
    for (const toml::node& item : *items) {
      if (item.is_table()) {
        result.push_back(item.as_table());
      } else {
        fail("'" + std::string(key) + "' must hold tables only", &item);
      }
    }
    return result;
  }

  void fail(const std::string& message, const toml::node* at = nullptr) {
    context_.fail(where_ + ": " + message + (at != nullptr ? lineOf(*at) : lineOf(table_)));
  }

  void finish() {
    for (const auto& [key, item] : table_) {
      if (known_.count(std::string(key.str())) == 0)
        fail("unknown key '" + std::string(key.str()) + "'", &item);
    }
  }

  Context& context() { return context_; }
  const std::string& where() const { return where_; }

 private:
  const toml::table& table_;
  std::string where_;
  Context& context_;
  std::set<std::string, std::less<>> known_;
};

// [variables]: integers and formulas over one another, in any order.
void readVariables(const toml::table* table, const Overrides& overrides, Context& context) {
  std::map<std::string, Value, std::less<>> pending;
  if (table != nullptr) {
    for (const auto& [key, item] : *table) pending[std::string(key.str())] = toValue(item, context);
  }
  for (const auto& [name, value] : overrides) {
    if (pending.count(name) == 0) return context.fail("--set " + name + ": the case has no such variable");
    pending[name] = Value{value};
  }
  Variables& done = context.variables;
  std::function<Result<int64_t>(std::string_view, int)> resolve = [&](std::string_view name,
                                                                      int depth) -> Result<int64_t> {
    if (const auto it = done.find(name); it != done.end()) return it->second;
    const auto it = pending.find(name);
    if (it == pending.end()) return Error{"unknown variable '" + std::string(name) + "'"};
    if (depth > kMaxVariableDepth) return Error{"variable '" + std::string(name) + "' depends on itself"};
    Result<int64_t> value = Error{"a number or a formula expected"};
    if (const std::string* text = it->second.string()) {
      value = evaluateFormula(*text, [&](std::string_view other) { return resolve(other, depth + 1); });
    } else {
      value = evaluateInteger(it->second, done);
    }
    if (value) done[std::string(name)] = *value;
    return value;
  };
  for (const auto& [name, value] : pending) {
    const Result<int64_t> result = resolve(name, 0);
    if (!result) return context.fail("variable '" + name + "': " + result.error().message);
  }
}

// Whether `low` is not above `high`, nor far below it.
bool isRange(const Number& low, const Number& high) {
  constexpr double kLongest = 1e15;
  if (low.whole() != nullptr && high.whole() != nullptr && *low.whole() > *high.whole()) return false;
  return std::isfinite(low.real()) && std::isfinite(high.real()) && low.real() <= high.real() &&
         high.real() - low.real() <= kLongest;
}

Fill readFill(const toml::table& table, const std::string& where, Context& context) {
  struct Name {
    const char* name;
    Fill::Pattern pattern;
  };
  constexpr Name kNames[] = {{"zero", Fill::Pattern::Zero},
                             {"poison", Fill::Pattern::Poison},
                             {"constant", Fill::Pattern::Constant},
                             {"ramp", Fill::Pattern::Ramp},
                             {"integers", Fill::Pattern::Integers},
                             {"random", Fill::Pattern::Random},
                             {"choice", Fill::Pattern::Choice},
                             {"values", Fill::Pattern::Values},
                             {"hex", Fill::Pattern::Hex}};
  Reader reader(table, where, context);
  Fill fill;
  const std::string pattern = reader.string("pattern", "zero", true);
  const auto* found =
      std::find_if(std::begin(kNames), std::end(kNames), [&](const Name& n) { return pattern == n.name; });
  if (found == std::end(kNames)) {
    reader.fail("unknown fill pattern '" + pattern + "'");
    return fill;
  }
  fill.pattern = found->pattern;
  switch (fill.pattern) {
    case Fill::Pattern::Zero:
    case Fill::Pattern::Poison: break;
    case Fill::Pattern::Constant:
      if (!reader.has("value")) reader.fail("'value' is missing");
      fill.low = reader.number("value", 0);
      break;
    case Fill::Pattern::Ramp:
      fill.low = reader.number("start", 0);
      fill.step = reader.number("step", 1);
      fill.modulo =
          static_cast<uint64_t>(reader.integer("modulo", 0, 0, std::numeric_limits<int64_t>::max()));
      break;
    case Fill::Pattern::Integers:
    case Fill::Pattern::Random:
      fill.low = reader.number("min", fill.pattern == Fill::Pattern::Integers ? -4 : -1);
      fill.high = reader.number("max", fill.pattern == Fill::Pattern::Integers ? 4 : 1);
      fill.seed = static_cast<uint64_t>(reader.integer("seed", 1, 0, std::numeric_limits<int64_t>::max()));
      if (!isRange(fill.low, fill.high)) reader.fail("'min' and 'max' do not make a range");
      break;
    case Fill::Pattern::Choice:
    case Fill::Pattern::Values: {
      const toml::array* values = reader.array("values");
      if (values != nullptr) {
        for (const toml::node& item : *values) fill.values.push_back(reader.numberOf(item, "values"));
      }
      if (fill.values.empty()) reader.fail("'values' must hold at least one number");
      if (fill.pattern == Fill::Pattern::Choice) {
        fill.seed = static_cast<uint64_t>(reader.integer("seed", 1, 0, std::numeric_limits<int64_t>::max()));
      }
      break;
    }
    case Fill::Pattern::Hex: {
      std::string digits;
      for (const char c : reader.string("bytes", {}, true)) {
        if (c != ' ') digits += c;
      }
      const auto value = [](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        if (c >= 'A' && c <= 'F') return c - 'A' + 10;
        return -1;
      };
      if (digits.empty() || digits.size() % 2 != 0)
        reader.fail("'bytes' must hold pairs of hexadecimal digits");
      for (size_t i = 0; i + 1 < digits.size(); i += 2) {
        if (value(digits[i]) < 0 || value(digits[i + 1]) < 0) {
          reader.fail("'bytes' must hold pairs of hexadecimal digits");
          break;
        }
        fill.bytes.push_back(static_cast<uint8_t>(value(digits[i]) * 16 + value(digits[i + 1])));
      }
      break;
    }
  }
  reader.finish();
  return fill;
}

// One member of a record or of the push constants. `end` is where the previous one ended.
Field readField(const toml::table& table, const std::string& where, Context& context, uint64_t& end,
                bool natural) {
  Reader reader(table, where, context);
  Field field;
  if (reader.has("address")) {
    field.type = reader.type("type", NumberType::U64);
    if (field.type != NumberType::U64) reader.fail("an address has type 'u64'");
    field.address = reader.string("address");
    if (field.address.empty()) reader.fail("'address' must name a buffer");
    field.addressOffset = static_cast<uint64_t>(reader.integer("address-offset", 0, 0, int64_t{1} << 40));
  } else {
    field.type = reader.type("type");
    field.count = static_cast<uint64_t>(reader.integer("count", 1, 1, int64_t{1} << 32));
    if (const toml::table* fill = reader.table("fill")) {
      if (reader.has("value")) reader.fail("'value' and 'fill' exclude one another");
      field.fill = readFill(*fill, where + ".fill", context);
    } else {
      field.fill.pattern = Fill::Pattern::Constant;
      field.fill.low = reader.number("value", 0);
    }
  }
  // Push constants and structs place members at multiples of their size; records of packed data do not.
  const uint64_t alignment = natural || !field.address.empty() ? byteSize(field.type) : 1;
  const uint64_t packed = (end + alignment - 1) / alignment * alignment;
  field.offset =
      static_cast<uint64_t>(reader.integer("offset", static_cast<int64_t>(packed), 0, int64_t{1} << 40));
  if (field.offset < end) reader.fail("'offset' lies inside the member before");
  end = field.offset + field.count * byteSize(field.type);
  reader.finish();
  return field;
}

BufferSpec readBuffer(const toml::table& table, const std::string& where, Context& context) {
  Reader reader(table, where, context);
  BufferSpec buffer;
  buffer.name = reader.string("name", {}, true);
  const std::string kind = reader.string("kind", reader.has("binding") ? "storage" : "address");
  if (kind == "storage") {
    buffer.kind = BufferSpec::Kind::Storage;
  } else if (kind == "uniform") {
    buffer.kind = BufferSpec::Kind::Uniform;
  } else if (kind == "address") {
    buffer.kind = BufferSpec::Kind::AddressOnly;
  } else {
    reader.fail("unknown kind '" + kind + "'");
  }
  if (buffer.kind != BufferSpec::Kind::AddressOnly) {
    buffer.set = static_cast<uint32_t>(reader.integer("set", 0, 0, 31));
    buffer.binding = static_cast<uint32_t>(reader.integer("binding", 0, 0, 4095, true));
  }
  buffer.written = reader.boolean("written", false);

  if (reader.has("record")) {
    buffer.count = static_cast<uint64_t>(reader.integer("count", 1, 1, static_cast<int64_t>(kMaxElements)));
    uint64_t end = 0;
    for (const toml::table* item : reader.tables("record")) {
      buffer.fields.push_back(readField(
          *item, where + ".record[" + std::to_string(buffer.fields.size()) + "]", context, end, false));
      if (context.error) return buffer;
    }
    if (buffer.fields.empty()) reader.fail("'record' must hold at least one member");
    buffer.recordBytes = static_cast<uint64_t>(
        reader.integer("record-bytes", static_cast<int64_t>(end), static_cast<int64_t>(end), 1 << 30));
  } else {
    Field field;
    field.type = reader.type("type");
    buffer.count =
        static_cast<uint64_t>(reader.integer("count", 1, 1, static_cast<int64_t>(kMaxElements), true));
    if (const toml::table* fill = reader.table("fill")) {
      field.fill = readFill(*fill, where + ".fill", context);
    } else {
      field.fill.pattern = Fill::Pattern::Poison;
    }
    buffer.recordBytes = byteSize(field.type);
    buffer.fields.push_back(std::move(field));
  }
  reader.finish();
  if (!context.error && buffer.recordBytes != 0 && buffer.count > kMaxBufferBytes / buffer.recordBytes) {
    reader.fail("the buffer is larger than 4 GiB");
  }
  return buffer;
}

ImageSpec readImage(const toml::table& table, const std::string& where, Context& context) {
  Reader reader(table, where, context);
  ImageSpec image;
  image.name = reader.string("name", {}, true);
  const std::string kind = reader.string("kind", "storage");
  if (kind != "storage" && kind != "sampled") reader.fail("unknown kind '" + kind + "'");
  image.kind = kind == "sampled" ? ImageSpec::Kind::Sampled : ImageSpec::Kind::Storage;
  image.set = static_cast<uint32_t>(reader.integer("set", 0, 0, 31));
  image.binding = static_cast<uint32_t>(reader.integer("binding", 0, 0, 4095, true));
  image.format = reader.string("format", {}, true);
  const ImageFormat* format = findImageFormat(image.format);
  if (format == nullptr) {
    reader.fail("unknown image format '" + image.format + "'");
    return image;
  }
  image.type = format->type;
  image.channels = format->channels;
  if (const toml::array* size = reader.array("size")) {
    image.dimensions = static_cast<uint32_t>(size->size());
    if (size->empty() || size->size() > 3) {
      reader.fail("'size' must hold one to three numbers");
      return image;
    }
    for (size_t i = 0; i < size->size(); ++i) {
      image.size[i] = static_cast<uint32_t>(reader.integerOf(*size->get(i), "size", 1, 1, 4096));
    }
  } else {
    reader.fail("'size' is missing");
  }
  if (const toml::table* fill = reader.table("fill")) image.fill = readFill(*fill, where + ".fill", context);
  const std::string filter = reader.string("filter", "nearest");
  if (filter != "nearest" && filter != "linear") reader.fail("unknown filter '" + filter + "'");
  image.linear = filter == "linear";
  const std::string wrap = reader.string("wrap", "clamp");
  if (wrap != "clamp" && wrap != "repeat") reader.fail("unknown wrap '" + wrap + "'");
  image.repeat = wrap == "repeat";
  image.written = reader.boolean("written", false);
  reader.finish();
  if (!context.error && image.bytes() > kMaxBufferBytes) reader.fail("the image is larger than 4 GiB");
  return image;
}

Expectation readExpectation(const toml::table& table, const std::string& where, Context& context) {
  Reader reader(table, where, context);
  Expectation expectation;
  expectation.target = reader.string("buffer", {}, !reader.has("image"));
  if (reader.has("image")) {
    if (!expectation.target.empty()) reader.fail("'buffer' and 'image' exclude one another");
    expectation.target = reader.string("image");
  }
  expectation.reference = reader.string("reference", {}, true);
  if (const toml::table* arguments = reader.table("arguments")) {
    Value value = toValue(*arguments, context);
    expectation.arguments = std::move(std::get<Table>(value.data));
  }
  expectation.samples = static_cast<uint64_t>(reader.integer("samples", 0, 0, int64_t{1} << 32));
  if (const toml::table* tolerance = reader.table("tolerance")) {
    Reader inner(*tolerance, where + ".tolerance", context);
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

MatrixShape readMatrix(const toml::table& table, const std::string& where, Context& context) {
  Reader reader(table, where, context);
  MatrixShape shape;
  const std::string scope = reader.string("scope", {}, true);
  if (scope != "subgroup" && scope != "workgroup") reader.fail("unknown scope '" + scope + "'");
  shape.workgroupScope = scope == "workgroup";
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

Specialization readSpecialization(const toml::table& table, const std::string& where, Context& context) {
  Reader reader(table, where, context);
  Specialization result;
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
std::string macroText(const toml::node& node, Reader& reader, std::string_view name) {
  if (const auto* text = node.as_string()) {
    const std::string& value = text->get();
    if (value.empty() || value[0] != '=') return value;
    const Result<int64_t> number = evaluateInteger(Value{value.substr(1)}, reader.context().variables);
    if (number) return std::to_string(*number);
    reader.fail("macro '" + std::string(name) + "': " + number.error().message, &node);
    return {};
  }
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  reader.fail("macro '" + std::string(name) + "' must be a string or an integer", &node);
  return {};
}

void readShader(const toml::table* table, Case& result, Context& context) {
  if (table == nullptr) return context.fail("[shader] is missing");
  Reader reader(*table, "[shader]", context);
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
  reader.finish();
}

void readTuning(const toml::table& table, Case& result, Context& context) {
  Reader reader(table, "[tune]", context);
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
      if (context.variables.count(name) == 0) reader.fail("there is no variable '" + name + "'", &item);
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

void checkNames(const Case& c, Context& context) {
  std::set<std::string> buffers;
  std::set<std::string> all;
  std::set<std::pair<uint32_t, uint32_t>> bindings;
  uint64_t total = 0;
  for (const BufferSpec& buffer : c.buffers) {
    if (!all.insert(buffer.name).second)
      context.fail("two buffers or images are called '" + buffer.name + "'");
    buffers.insert(buffer.name);
    total += buffer.bytes();
    if (buffer.kind != BufferSpec::Kind::AddressOnly &&
        !bindings.insert({buffer.set, buffer.binding}).second) {
      context.fail("buffer '" + buffer.name + "': its set and binding are taken");
    }
  }
  for (const ImageSpec& image : c.images) {
    if (!all.insert(image.name).second) context.fail("two buffers or images are called '" + image.name + "'");
    total += image.bytes();
    if (!bindings.insert({image.set, image.binding}).second) {
      context.fail("image '" + image.name + "': its set and binding are taken");
    }
  }
  if (total > kMaxTotalBytes) context.fail("the buffers and images together are larger than 16 GiB");
  const auto checkAddress = [&](const Field& field) {
    if (!field.address.empty() && buffers.count(field.address) == 0) {
      context.fail("address of an unknown buffer '" + field.address + "'");
    }
  };
  for (const BufferSpec& buffer : c.buffers)
    std::for_each(buffer.fields.begin(), buffer.fields.end(), checkAddress);
  std::for_each(c.pushConstants.begin(), c.pushConstants.end(), checkAddress);
  for (const Expectation& expectation : c.expectations) {
    if (all.count(expectation.target) == 0) {
      context.fail("[[expect]]: there is no buffer or image called '" + expectation.target + "'");
    }
  }
}

}  // namespace

Result<int64_t> evaluateInteger(const Value& value, const Variables& variables, const Variables* extra) {
  if (const auto* number = std::get_if<int64_t>(&value.data)) return *number;
  if (const auto* number = std::get_if<double>(&value.data)) return integralDouble(*number);
  const std::string* text = value.string();
  if (text == nullptr) return Error{"a number or a formula expected"};
  return evaluateFormula(*text, [&](std::string_view name) -> Result<int64_t> {
    if (extra != nullptr) {
      if (const auto it = extra->find(name); it != extra->end()) return it->second;
    }
    if (const auto it = variables.find(name); it != variables.end()) return it->second;
    return Error{"unknown variable '" + std::string(name) + "'"};
  });
}

Result<Case> parseCase(std::string_view text, const std::string& file, const Overrides& overrides) {
  const auto inFile = [&](const std::string& message) { return Error{file + ": " + message}; };
  if (text.size() > kMaxCaseFileBytes) return inFile("the file is larger than 4 MiB");
  const Result<toml::table> parsed = parseToml(text);
  if (!parsed) return inFile(parsed.error().message);
  Context context;
  Reader reader(*parsed, "case", context);
  Case result;
  result.file = file;
  result.name = reader.string("name", {}, true);
  result.description = reader.string("description");
  readVariables(reader.table("variables"), overrides, context);
  if (context.error) return inFile(context.error->message);
  result.variables = context.variables;
  readShader(reader.table("shader"), result, context);

  const auto each = [&](std::string_view key, auto&& read) {
    size_t index = 0;
    for (const toml::table* table : reader.tables(key)) {
      if (context.error) return;
      read(*table, "[[" + std::string(key) + "]] " + std::to_string(++index));
    }
  };
  each("specialization", [&](const toml::table& table, const std::string& where) {
    result.specializations.push_back(readSpecialization(table, where, context));
  });
  each("buffer", [&](const toml::table& table, const std::string& where) {
    result.buffers.push_back(readBuffer(table, where, context));
  });
  each("image", [&](const toml::table& table, const std::string& where) {
    result.images.push_back(readImage(table, where, context));
  });
  each("push-constant", [&](const toml::table& table, const std::string& where) {
    result.pushConstants.push_back(readField(table, where, context, result.pushConstantBytes, true));
    if (result.pushConstantBytes > 4096) context.fail(where + ": push constants larger than 4096 bytes");
  });
  each("matrix", [&](const toml::table& table, const std::string& where) {
    result.matrices.push_back(readMatrix(table, where, context));
  });
  each("expect", [&](const toml::table& table, const std::string& where) {
    result.expectations.push_back(readExpectation(table, where, context));
  });

  if (const toml::table* dispatch = reader.table("dispatch")) {
    Reader inner(*dispatch, "[dispatch]", context);
    if (const toml::array* groups = inner.array("groups")) {
      if (groups->empty() || groups->size() > 3) inner.fail("'groups' must hold one to three numbers");
      for (size_t i = 0; i < std::min<size_t>(groups->size(), 3); ++i) {
        result.groups[i] = static_cast<uint32_t>(
            inner.integerOf(*groups->get(i), "groups", 1, 0, std::numeric_limits<uint32_t>::max()));
      }
    }
    result.subgroupSize = static_cast<uint32_t>(inner.integer("subgroup-size", 0, 0, 128));
    result.fullSubgroups = inner.boolean("full-subgroups", false);
    result.timeoutSeconds = static_cast<uint32_t>(inner.integer("timeout-seconds", 60, 1, 3600));
    inner.finish();
  }
  if (const toml::table* time = reader.table("time")) {
    Reader inner(*time, "[time]", context);
    result.timing.warmups = static_cast<int>(inner.integer("warmups", 3, 0, 1000));
    result.timing.runs = static_cast<int>(inner.integer("runs", 10, 1, 1000));
    result.timing.repeat = static_cast<int>(inner.integer("repeat", 1, 1, 1000));
    result.timing.flops =
        static_cast<uint64_t>(inner.integer("flops", 0, 0, std::numeric_limits<int64_t>::max()));
    result.timing.bytes =
        static_cast<uint64_t>(inner.integer("bytes", 0, 0, std::numeric_limits<int64_t>::max()));
    inner.finish();
  }
  if (const toml::table* tune = reader.table("tune")) readTuning(*tune, result, context);
  reader.finish();
  if (!context.error) checkNames(result, context);
  if (context.error) return inFile(context.error->message);
  return result;
}

Result<Case> readCase(const std::string& path, const Overrides& overrides) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return Error{path + ": cannot be opened"};
  std::string text;
  char block[65536];
  size_t got;
  while ((got = std::fread(block, 1, sizeof block, file)) > 0 && text.size() <= kMaxCaseFileBytes)
    text.append(block, got);
  const bool bad = std::ferror(file) != 0;
  std::fclose(file);
  if (bad) return Error{path + ": cannot be read"};
  return parseCase(text, path, overrides);
}

}  // namespace coopc::harness
