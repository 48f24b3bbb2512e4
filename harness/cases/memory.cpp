// Buffers, images and push constants of case files: their layouts in memory, and their initial contents.
#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/cases/parts.hpp"
#include "vulkan/executor/image_format.hpp"

namespace coopc::harness {
namespace {

constexpr uint64_t kMaxElements = uint64_t{1} << 33;

// Whether `low` is at most `high`, and not too far below it.
bool isRange(const Number& low, const Number& high) {
  constexpr double kLongest = 1e15;
  if (low.whole() != nullptr && high.whole() != nullptr && *low.whole() > *high.whole()) return false;
  return std::isfinite(low.real()) && std::isfinite(high.real()) && low.real() <= high.real() &&
         high.real() - low.real() <= kLongest;
}

Fill readFill(const toml::table& table, const std::string& where, CaseReading& reading) {
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
  TableReader reader(table, where, reading);
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

// The `fill` of a table; memory without one is poisoned.
Fill fillOrPoison(TableReader& reader, const std::string& where, CaseReading& reading) {
  if (const toml::table* fill = reader.table("fill")) return readFill(*fill, where + ".fill", reading);
  Fill fill;
  fill.pattern = Fill::Pattern::Poison;
  return fill;
}

}  // namespace

Field readField(const toml::table& table, const std::string& where, CaseReading& reading, uint64_t& end,
                bool natural) {
  TableReader reader(table, where, reading);
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
      field.fill = readFill(*fill, where + ".fill", reading);
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

BufferSpec readBuffer(const toml::table& table, const std::string& where, CaseReading& reading) {
  TableReader reader(table, where, reading);
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
          *item, where + ".record[" + std::to_string(buffer.fields.size()) + "]", reading, end, false));
      if (reading.error) return buffer;
    }
    if (buffer.fields.empty()) reader.fail("'record' must hold at least one member");
    buffer.recordBytes = static_cast<uint64_t>(
        reader.integer("record-bytes", static_cast<int64_t>(end), static_cast<int64_t>(end), 1 << 30));
  } else {
    Field field;
    field.type = reader.type("type");
    buffer.count =
        static_cast<uint64_t>(reader.integer("count", 1, 1, static_cast<int64_t>(kMaxElements), true));
    field.fill = fillOrPoison(reader, where, reading);
    buffer.recordBytes = byteSize(field.type);
    buffer.fields.push_back(std::move(field));
  }
  reader.finish();
  if (!reading.error && buffer.recordBytes != 0 && buffer.count > kMaxBufferBytes / buffer.recordBytes) {
    reader.fail("the buffer is larger than 4 GiB");
  }
  return buffer;
}

BufferSpec readTensor(const toml::table& table, const std::string& where, CaseReading& reading) {
  TableReader reader(table, where, reading);
  BufferSpec buffer;
  buffer.name = reader.string("name", {}, true);
  buffer.set = static_cast<uint32_t>(reader.integer("set", 0, 0, 31));
  buffer.binding = static_cast<uint32_t>(reader.integer("binding", 0, 0, 4095, true));
  buffer.written = reader.boolean("written", false);
  Field field;
  field.type = reader.type("type");
  const auto numbers = [&](std::string_view key, int64_t low, std::vector<uint32_t>& to) {
    const toml::array* list = reader.array(key);
    for (size_t i = 0; list != nullptr && i < list->size(); ++i)
      to.push_back(static_cast<uint32_t>(
          reader.integerOf(*list->get(i), key, 1, low, std::numeric_limits<uint32_t>::max())));
  };
  std::vector<uint32_t>&sizes = buffer.tensor.sizes, &strides = buffer.tensor.strides;
  numbers("shape", 1, sizes);
  if (sizes.empty()) reader.fail("'shape' must hold at least one size");
  if (reader.has("strides")) {
    numbers("strides", 0, strides);
    if (strides.size() != sizes.size()) reader.fail("'strides' must hold one stride for each size");
  } else {
    uint64_t stride = 1;
    for (size_t i = sizes.size(); i-- > 0; stride = std::min(stride * sizes[i], kMaxElements)) {
      if (stride > std::numeric_limits<uint32_t>::max()) reader.fail("the tensor is larger than 4 GiB");
      strides.insert(strides.begin(), static_cast<uint32_t>(stride));
    }
  }
  field.fill = fillOrPoison(reader, where, reading);
  buffer.recordBytes = byteSize(field.type);
  buffer.fields.push_back(std::move(field));
  reader.finish();
  if (reading.error) return buffer;
  buffer.count = 1;
  for (size_t i = 0; i < sizes.size(); ++i)
    buffer.count = std::min(buffer.count + uint64_t{sizes[i] - 1} * strides[i], kMaxElements);
  if (buffer.count > kMaxBufferBytes / buffer.recordBytes) reader.fail("the tensor is larger than 4 GiB");
  return buffer;
}

CaseImage readImage(const toml::table& table, const std::string& where, CaseReading& reading) {
  TableReader reader(table, where, reading);
  CaseImage image;
  image.name = reader.string("name", {}, true);
  const std::string kind = reader.string("kind", "storage");
  if (kind != "storage" && kind != "sampled") reader.fail("unknown kind '" + kind + "'");
  image.kind = kind == "sampled" ? vk::ImageSpec::Kind::Sampled : vk::ImageSpec::Kind::Storage;
  image.set = static_cast<uint32_t>(reader.integer("set", 0, 0, 31));
  image.binding = static_cast<uint32_t>(reader.integer("binding", 0, 0, 4095, true));
  image.format = reader.string("format", {}, true);
  const vk::ImageFormat* format = vk::findImageFormat(image.format);
  if (format == nullptr) {
    reader.fail("unknown image format '" + image.format + "'");
    return image;
  }
  if (format->channels == 3) reader.fail("the format '" + image.format + "' is for vertex attributes only");
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
  if (const toml::table* fill = reader.table("fill")) image.fill = readFill(*fill, where + ".fill", reading);
  const std::string filter = reader.string("filter", "nearest");
  if (filter != "nearest" && filter != "linear") reader.fail("unknown filter '" + filter + "'");
  image.linear = filter == "linear";
  const std::string wrap = reader.string("wrap", "clamp");
  if (wrap != "clamp" && wrap != "repeat") reader.fail("unknown wrap '" + wrap + "'");
  image.repeat = wrap == "repeat";
  image.written = reader.boolean("written", false);
  image.levels = static_cast<uint32_t>(reader.integer("levels", 1, 1, 13));
  const uint32_t longest = std::max({image.size[0], image.size[1], image.size[2]});
  if (longest >> (image.levels - 1) == 0) reader.fail("'levels' are more than the image can have");
  reader.finish();
  if (!reading.error && image.bytes() > kMaxBufferBytes) reader.fail("the image is larger than 4 GiB");
  return image;
}

}  // namespace coopc::harness
