// Each option is the argument of one of the functions of GL_NV_cooperative_matrix2 that make layouts and
// views. The functions are applied in the order in which a program calls them.
#include "tools/cooplayout/tensor_description.hpp"

#include <algorithm>

#include "layout/clamp_mode_names.hpp"
#include "tools/cooplayout/commands.hpp"

namespace coopc::cooplayout {
namespace {

using layout::Coord;

// The numbers of an option as `count` coordinates. No value if the option is missing or wrong.
std::optional<Coord> coordinates(Arguments& arguments, std::string_view name, uint32_t count) {
  const std::optional<std::vector<int64_t>> numbers = arguments.list(name);
  if (!numbers) return std::nullopt;
  if (numbers->size() != count) {
    arguments.fail(std::string(name) + " needs " + std::to_string(count) + " numbers, not " +
                   std::to_string(numbers->size()));
    return std::nullopt;
  }
  Coord result{};
  for (uint32_t i = 0; i < count; ++i) {
    const int64_t number = (*numbers)[i];
    if (number < INT32_MIN || number > UINT32_MAX) {
      arguments.fail("'" + std::to_string(number) + "' is not a number of 32 bits for " + std::string(name));
      return std::nullopt;
    }
    result[i] = static_cast<uint32_t>(number);
  }
  return result;
}

// How many numbers a list has; 0: the option is missing or wrong.
uint32_t countOf(Arguments& arguments, std::string_view name) {
  const std::optional<std::vector<int64_t>> numbers = arguments.list(name);
  return numbers ? static_cast<uint32_t>(std::min<size_t>(numbers->size(), UINT32_MAX)) : 0;
}

std::optional<layout::TensorLayout> layoutOf(Arguments& arguments) {
  std::vector<std::string_view> modes;
  for (const layout::ClampModeName& mode : layout::kClampModeNames) modes.push_back(mode.name);
  const auto clampMode = static_cast<layout::ClampMode>(arguments.choice("--clamp", modes, 0));
  const uint32_t dim = countOf(arguments, "--dimensions");
  if (!arguments.error().empty()) return std::nullopt;
  const layout::Answer<layout::TensorLayout> made = layout::createTensorLayout(dim, clampMode);
  if (!made) {
    arguments.refuse(made.broken());
    return std::nullopt;
  }
  layout::TensorLayout t = *made;
  if (const auto block = coordinates(arguments, "--block-size", dim)) t = layout::setBlockSize(t, *block);
  const std::optional<Coord> dimensions = coordinates(arguments, "--dimensions", dim);
  if (dimensions) t = layout::setDimension(t, *dimensions);
  if (const auto strides = coordinates(arguments, "--strides", dim)) t = layout::setStride(t, *strides);
  const std::optional<Coord> offsets = coordinates(arguments, "--offsets", dim);
  const std::optional<Coord> spans = coordinates(arguments, "--spans", dim);
  if (offsets || spans) {
    layout::SignedCoord start{};
    for (uint32_t i = 0; offsets && i < dim; ++i) start[i] = static_cast<int32_t>((*offsets)[i]);
    t = layout::slice(t, start, spans ? *spans : t.span);
  }
  if (arguments.has("--clamp-value")) {
    if (clampMode != layout::ClampMode::Constant)
      arguments.fail("--clamp-value has an effect only with --clamp constant");
    const uint64_t value = arguments.number("--clamp-value", 0);
    t = layout::setClampValue(t, static_cast<uint32_t>(value));
  }
  return t;
}

// The view that --view, --view-dimensions and --clip describe. No value if all three are missing.
std::optional<layout::TensorView> viewOf(Arguments& arguments, uint32_t tensorDim) {
  const bool permutes = arguments.has("--view");
  const bool hasDimensions = arguments.has("--view-dimensions");
  if (!permutes && !hasDimensions && !arguments.has("--clip")) return std::nullopt;
  const uint32_t dim = permutes        ? countOf(arguments, "--view")
                       : hasDimensions ? countOf(arguments, "--view-dimensions")
                                       : tensorDim;
  Coord permutation{0, 1, 2, 3, 4};
  if (permutes && dim <= layout::kMaxDim)
    permutation = coordinates(arguments, "--view", dim).value_or(permutation);
  if (!arguments.error().empty()) return std::nullopt;
  const layout::Answer<layout::TensorView> made = layout::createTensorView(dim, hasDimensions, permutation);
  if (!made) {
    arguments.refuse(made.broken());
    return std::nullopt;
  }
  layout::TensorView v = *made;
  if (const auto dimensions = coordinates(arguments, "--view-dimensions", dim))
    v = layout::setViewDimension(v, *dimensions);
  if (const auto strides = coordinates(arguments, "--view-strides", dim))
    v = layout::setViewStride(v, *strides);
  if (const auto clip = coordinates(arguments, "--clip", 4))
    v = layout::setViewClip(v, (*clip)[0], (*clip)[1], (*clip)[2], (*clip)[3]);
  return v;
}

}  // namespace

std::optional<TensorProgram> readTensorDescription(Arguments& arguments) {
  TensorProgram program;
  program.layout = layoutOf(arguments);
  if (!program.layout || !arguments.error().empty()) return std::nullopt;
  program.view = viewOf(arguments, program.layout->dim);
  program.elementOffset = arguments.number("--element-offset", 0);
  if (arguments.has("--use")) program.use = static_cast<layout::Use>(arguments.choice("--use", kUseNames, 0));
  if (!arguments.error().empty()) return std::nullopt;
  return program;
}

}  // namespace coopc::cooplayout
