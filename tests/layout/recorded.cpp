// Reads and writes recordings, and computes the expected results.
#include "tests/layout/recorded.hpp"

#include <algorithm>
#include <sstream>

namespace coopc::tests {
namespace {

using layout::Coord;

constexpr const char* kKinds[] = {"load", "store", "decode"};

Coord coordOf(const std::vector<uint32_t>& numbers) {
  Coord coord{};
  std::copy_n(numbers.begin(), std::min(numbers.size(), coord.size()), coord.begin());
  return coord;
}

// Writes FIRST+STEP*COUNT for runs of three or more numbers with equal steps, and other numbers one by one.
std::string runsOf(const std::vector<uint32_t>& values) {
  std::string text;
  for (size_t i = 0; i < values.size();) {
    size_t end = i + 1;
    const int64_t step = end < values.size() ? int64_t{values[end]} - values[i] : 0;
    while (end < values.size() && int64_t{values[end]} - values[end - 1] == step) ++end;
    text += " " + std::to_string(values[i]);
    if (end - i < 3) {
      ++i;
      continue;
    }
    text += "+" + std::to_string(step) + "*" + std::to_string(end - i);
    i = end;
  }
  return text;
}

bool readRun(const std::string& word, std::vector<uint32_t>& values) {
  std::istringstream in(word);
  int64_t first = 0;
  int64_t step = 0;
  int64_t count = 1;
  char plus = '+';
  char star = '*';
  in >> first;
  if (in && !in.eof()) in >> plus >> step >> star >> count;
  if (!in || plus != '+' || star != '*' || count < 1 || count > 1 << 20) return false;
  for (int64_t i = 0; i < count; ++i) values.push_back(static_cast<uint32_t>(first + step * i));
  return true;
}

template <class T>
std::string joinNumbers(const std::vector<T>& numbers) {
  std::string text;
  for (const T n : numbers) text += " " + std::to_string(n);
  return text;
}

template <class T>
bool readAll(std::istringstream& words, std::vector<T>& numbers, size_t count) {
  for (int64_t n = 0; words >> n;) numbers.push_back(static_cast<T>(n));
  return numbers.size() == count;
}

// One line of a case after its first word.
bool readLine(const std::string& key, std::istringstream& words, RecordedCase& c) {
  if (key == "layout") {
    uint32_t mode = 0;
    words >> c.dim >> mode;
    c.mode = static_cast<layout::ClampMode>(mode);
    return words && layout::createTensorLayout(c.dim, c.mode);
  }
  if (key == "block") return readAll(words, c.block, c.dim);
  if (key == "dimension") return readAll(words, c.dimension, c.dim);
  if (key == "stride") return readAll(words, c.stride, c.dim);
  if (key == "slice") return readAll(words, c.slices.emplace_back(), 2 * size_t{c.dim});
  if (key == "offset") return static_cast<bool>(words >> c.offset);
  if (key == "clamp-value") {
    uint32_t value = 0;
    words >> value;
    c.clampValue = value;
    return static_cast<bool>(words);
  }
  if (key == "view") {
    words >> c.viewDim >> c.viewHasDimensions;
    return words && readAll(words, c.permutation, c.viewDim) &&
           layout::createTensorView(c.viewDim, c.viewHasDimensions, coordOf(c.permutation));
  }
  if (key == "view-dimension") return readAll(words, c.viewDimension, c.viewDim);
  if (key == "view-stride") return readAll(words, c.viewStride, c.viewDim);
  if (key == "clip") return readAll(words, c.clip, 4);
  if (key == "got") {
    for (std::string word; words >> word;) {
      if (!readRun(word, c.got)) return false;
    }
    return true;
  }
  return false;
}

}  // namespace

layout::TensorLayout layoutOf(const RecordedCase& c) {
  layout::TensorLayout t = *layout::createTensorLayout(c.dim, c.mode);
  if (!c.block.empty()) t = layout::setBlockSize(t, coordOf(c.block));
  t = layout::setDimension(t, coordOf(c.dimension));
  if (!c.stride.empty()) t = layout::setStride(t, coordOf(c.stride));
  for (const std::vector<int64_t>& numbers : c.slices) {
    layout::SignedCoord offset{};
    Coord span{};
    for (uint32_t i = 0; i < c.dim; ++i) {
      offset[i] = static_cast<int32_t>(numbers[2 * i]);
      span[i] = static_cast<uint32_t>(numbers[2 * i + 1]);
    }
    t = layout::slice(t, offset, span);
  }
  if (c.clampValue) t = layout::setClampValue(t, *c.clampValue);
  return t;
}

layout::TensorView viewOf(const RecordedCase& c) {
  layout::TensorView v = *layout::createTensorView(c.viewDim, c.viewHasDimensions, coordOf(c.permutation));
  if (!c.viewDimension.empty()) v = layout::setViewDimension(v, coordOf(c.viewDimension));
  if (!c.viewStride.empty()) v = layout::setViewStride(v, coordOf(c.viewStride));
  if (!c.clip.empty()) v = layout::setViewClip(v, c.clip[0], c.clip[1], c.clip[2], c.clip[3]);
  return v;
}

uint32_t storageOf(const RecordedCase& c) {
  const uint32_t unit = c.kind == RecordedKind::Decode ? 4 : 16 / c.bytes;
  const auto count = static_cast<uint32_t>(c.offset + layout::storageExtent(layoutOf(c)));
  return (count + unit - 1) / unit * unit;
}

std::optional<std::vector<uint32_t>> expectedOf(const RecordedCase& c) {
  const layout::TensorLayout t = layoutOf(c);
  const layout::TensorView v = c.viewDim != 0 ? viewOf(c) : layout::TensorView{};
  const layout::TensorView* view = c.viewDim != 0 ? &v : nullptr;
  const bool store = c.kind == RecordedKind::Store;
  const uint32_t storage = storageOf(c);
  std::vector<uint32_t> result(store ? storage : c.rows * c.columns,
                               store ? untouchedOf(c.bytes) : initialOf(c.bytes));
  const uint32_t mask = untouchedOf(c.bytes);
  for (uint32_t element = 0; element < c.rows * c.columns; ++element) {
    const layout::Mapping m = layout::mapElement(t, view, element / c.columns, element % c.columns, c.columns,
                                                 store ? layout::Access::Store : layout::Access::Load);
    switch (m.outcome) {
      case layout::Outcome::Element: {
        const uint32_t at = c.offset + m.index;
        if (at >= storage) return std::nullopt;
        if (c.kind == RecordedKind::Decode) {
          result[element] = decodedValue(contentAt(4, at), c.dim, m.blockCoord, m.coordInBlock);
        } else if (store) {
          // Two elements are stored to one place, so the result is undefined.
          if (result[at] != untouchedOf(c.bytes)) return std::nullopt;
          result[at] = contentAt(c.bytes, element);
        } else {
          result[element] = contentAt(c.bytes, at);
        }
        break;
      }
      case layout::Outcome::ClampValue: result[element] = c.clampValue.value_or(0) & mask; break;
      case layout::Outcome::Skipped:
      case layout::Outcome::Discarded: break;
      case layout::Outcome::Undefined: return std::nullopt;
    }
  }
  return result;
}

std::string print(const RecordedCase& c) {
  std::string text = "case " + c.name + " " + kKinds[static_cast<size_t>(c.kind)] + " " +
                     std::to_string(c.bytes) + " " + std::to_string(c.rows) + " " +
                     std::to_string(c.columns) + "\nlayout " + std::to_string(c.dim) + " " +
                     std::to_string(static_cast<uint32_t>(c.mode)) + "\n";
  const auto line = [&](const char* key, const auto& numbers) {
    if (!numbers.empty()) text += key + joinNumbers(numbers) + "\n";
  };
  line("block", c.block);
  line("dimension", c.dimension);
  line("stride", c.stride);
  for (const std::vector<int64_t>& numbers : c.slices) line("slice", numbers);
  if (c.clampValue) text += "clamp-value " + std::to_string(*c.clampValue) + "\n";
  if (c.offset != 0) text += "offset " + std::to_string(c.offset) + "\n";
  if (c.viewDim != 0) {
    text += "view " + std::to_string(c.viewDim) + (c.viewHasDimensions ? " 1" : " 0") +
            joinNumbers(c.permutation) + "\n";
    line("view-dimension", c.viewDimension);
    line("view-stride", c.viewStride);
    line("clip", c.clip);
  }
  return text + "got" + runsOf(c.got) + "\nend\n";
}

std::vector<RecordedCase> readRecording(std::string_view text, std::string& error) {
  std::vector<RecordedCase> cases;
  std::istringstream lines{std::string(text)};
  bool open = false;
  uint32_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string key;
    words >> key;
    bool good = open;
    if (key == "case") {
      good = !open;
      open = true;
      RecordedCase& c = cases.emplace_back();
      std::string kind;
      words >> c.name >> kind >> c.bytes >> c.rows >> c.columns;
      const auto* found = std::find(std::begin(kKinds), std::end(kKinds), kind);
      good = good && words && found != std::end(kKinds) && (c.bytes == 1 || c.bytes == 2 || c.bytes == 4);
      c.kind = static_cast<RecordedKind>(found - std::begin(kKinds));
    } else if (key == "end") {
      open = false;
    } else {
      good = good && readLine(key, words, cases.back());
    }
    if (!good) {
      error = "line " + std::to_string(number) + ": " + line;
      return {};
    }
  }
  if (open) error = "the last case has no end";
  return open ? std::vector<RecordedCase>() : cases;
}

}  // namespace coopc::tests
