// References of pictures: images, and targets of drawings.
#include <utility>

#include "harness/reference/arguments.hpp"

namespace coopc::harness {
namespace {

constexpr const char* kNoPicture = "the target is not an image";

// A number, or a formula.
Result<ExpectedValue> valueOf(const Arguments& arguments, const Value& value, const Variables* extra,
                              double scale) {
  double number = 0;
  if (const auto* direct = std::get_if<double>(&value.data)) {
    number = *direct;
  } else {
    const Result<int64_t> whole = arguments.evaluate(value, extra);
    if (!whole) return whole.error();
    number = static_cast<double>(*whole);
  }
  ExpectedValue expected = ExpectedValue::ofNumber(number * scale);
  expected.integer = truncate(expected.number);
  return expected;
}

}  // namespace

Result<Reference> makeLetters(const ReferenceInput& input) {
  Arguments arguments(input);
  const List* rows = arguments.list("rows");
  const Table* colors = arguments.table("colors");
  if (input.width == 0) arguments.fail(kNoPicture);
  if (rows == nullptr || colors == nullptr) arguments.fail("'rows' and 'colors' are needed");
  if (const Status error = arguments.error()) return *error;

  std::map<char, std::vector<ExpectedValue>> known;
  for (const auto& [letter, color] : *colors) {
    std::vector<ExpectedValue>& values = known[letter.empty() ? ' ' : letter[0]];
    if (color.string() != nullptr && *color.string() == "anything") {
      values.assign(input.channels, ExpectedValue::anything());
      continue;
    }
    const List one{color};
    for (const Value& channel : color.list() != nullptr ? *color.list() : one) {
      const Result<ExpectedValue> value = valueOf(arguments, channel, nullptr, 1);
      if (!value) return value.error();
      values.push_back(*value);
    }
    if (letter.size() != 1 || values.size() != input.channels)
      return Error{"the color of '" + letter + "' must have a number for each of the target's " +
                   std::to_string(input.channels) + " channels, and a letter of one byte"};
  }
  std::string pixels;
  for (const Value& row : *rows) {
    if (row.string() == nullptr || row.string()->size() != input.width)
      return Error{"each of 'rows' must have a letter for each of " + std::to_string(input.width) +
                   " pixels"};
    pixels += *row.string();
  }
  for (const char letter : pixels) {
    if (known.count(letter) == 0) return Error{std::string("the letter '") + letter + "' has no color"};
  }
  const uint32_t channels = input.channels;
  arguments.needTarget(uint64_t{pixels.size()} * channels);
  if (const Status error = arguments.finish()) return *error;
  return Reference{[pixels = std::move(pixels), known = std::move(known), channels](uint64_t index) {
    return known.at(pixels[index / channels])[index % channels];
  }};
}

Result<Reference> makeFormula(const ReferenceInput& input) {
  Arguments arguments(input);
  const List* list = arguments.list("channels");
  const double scale = arguments.number("scale", 1);
  if (input.width == 0) arguments.fail(kNoPicture);
  if (list == nullptr || list->size() != input.channels)
    arguments.fail("'channels' must hold a formula for each of the target's channels");
  if (const Status error = arguments.finish()) return *error;
  const uint64_t width = input.width, height = input.height, channels = input.channels;
  std::vector<ExpectedValue> values;
  for (uint64_t i = 0; i < input.targetCount; ++i) {
    const uint64_t pixel = i / channels;
    const Variables place{{"x", static_cast<int64_t>(pixel % width)},
                          {"y", static_cast<int64_t>(pixel / width % height)},
                          {"layer", static_cast<int64_t>(pixel / width / height)}};
    const Result<ExpectedValue> value = valueOf(arguments, (*list)[i % channels], &place, scale);
    if (!value) return value.error();
    values.push_back(*value);
  }
  if (const Status error = arguments.finish()) return *error;
  return Reference{[values = std::move(values)](uint64_t index) { return values[index]; }};
}

}  // namespace coopc::harness
