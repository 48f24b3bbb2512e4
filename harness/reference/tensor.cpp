// The reference `tensor-copy`: loads matrices through a tensor layout and view and stores them through
// another one, tile by tile, with the arithmetic of `layout`. It covers the addressing of coopMatLoadTensorNV
// and coopMatStoreTensorNV: clamp modes, blocks, strides, slices, views, clips.
#include "layout/tensor.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>

#include "harness/reference/arguments.hpp"
#include "layout/clamp_mode_names.hpp"

namespace coopc::harness {
namespace {

constexpr uint64_t kMaxMatrixElements = uint64_t{1} << 24;
constexpr uint64_t kMaxTiles = uint64_t{1} << 16;

// A tensor layout and view as tables of formulas, evaluated for each tile.
class LayoutTable {
 public:
  // layout = { dim, clamp, clamp-value, block, dimensions, strides, slices }; view = { dim, permutation,
  // dimensions, strides, clip }. Lists of `dim` formulas; `slices` is a list of lists offset0, span0,
  // offset1, ...
  Status read(Arguments& arguments, const std::string& key) {
    layout_ = arguments.table(key);
    view_ = arguments.table(key + "-view");
    if (layout_ == nullptr) arguments.fail("'" + key + "' is missing");
    return arguments.error();
  }

  Result<layout::TensorLayout> layoutFor(const ReferenceInput& input, const Variables& tile) const {
    Arguments arguments(input, *layout_, "layout");
    const Evaluator evaluate{arguments, tile};
    const int64_t dim = arguments.integer("dim", 1, layout::kMaxDim, nullptr);
    const std::string clamp = arguments.text("clamp", "undefined");
    const int64_t zero = 0;
    const auto clampValue = static_cast<uint32_t>(arguments.integer("clamp-value", 0, 0xFFFFFFFF, &zero));
    const auto mode = std::ranges::find(layout::kClampModeNames, clamp, &layout::ClampModeName::name);
    if (mode == std::end(layout::kClampModeNames)) arguments.fail("unknown clamp mode '" + clamp + "'");
    if (arguments.error()) return *arguments.error();
    const auto made = layout::createTensorLayout(static_cast<uint32_t>(dim), mode->mode);
    if (!made) return Error{"no such layout"};
    layout::TensorLayout t = layout::setClampValue(*made, clampValue);
    if (const List* list = arguments.list("block")) t = layout::setBlockSize(t, evaluate.coord(*list, t.dim));
    if (const List* list = arguments.list("dimensions")) {
      t = layout::setDimension(t, evaluate.coord(*list, t.dim));
    } else {
      arguments.fail("'dimensions' is missing");
    }
    if (const List* list = arguments.list("strides")) t = layout::setStride(t, evaluate.coord(*list, t.dim));
    if (const List* slices = arguments.list("slices")) {
      for (const Value& slice : *slices) {
        const List* numbers = slice.list();
        if (numbers == nullptr || numbers->size() != 2 * t.dim) {
          arguments.fail("each of 'slices' must hold an offset and a span for each dimension");
          break;
        }
        layout::SignedCoord offset{};
        layout::Coord span{};
        for (uint32_t i = 0; i < t.dim; ++i) {
          offset[i] = static_cast<int32_t>(evaluate.word((*numbers)[2 * i]));
          span[i] = evaluate.word((*numbers)[2 * i + 1]);
        }
        t = layout::slice(t, offset, span);
      }
    }
    if (const Status error = arguments.finish()) return *error;
    return t;
  }

  // No value if there is no view.
  Result<std::optional<layout::TensorView>> viewFor(const ReferenceInput& input,
                                                    const Variables& tile) const {
    if (view_ == nullptr) return std::optional<layout::TensorView>();
    Arguments arguments(input, *view_, "view");
    const Evaluator evaluate{arguments, tile};
    const auto dim = static_cast<uint32_t>(arguments.integer("dim", 1, layout::kMaxDim, nullptr));
    layout::Coord permutation{0, 1, 2, 3, 4};
    if (const List* list = arguments.list("permutation")) permutation = evaluate.coord(*list, dim);
    const List* dimensions = arguments.list("dimensions");
    const auto made = layout::createTensorView(dim, dimensions != nullptr, permutation);
    if (!made) arguments.fail("'permutation' is not a permutation");
    if (arguments.error()) return *arguments.error();
    layout::TensorView v = *made;
    if (dimensions != nullptr) v = layout::setViewDimension(v, evaluate.coord(*dimensions, dim));
    if (const List* list = arguments.list("strides"))
      v = layout::setViewStride(v, evaluate.coord(*list, dim));
    if (const List* clip = arguments.list("clip")) {
      if (clip->size() != 4) {
        arguments.fail("'clip' must hold row offset, row span, column offset, column span");
      } else {
        v = layout::setViewClip(v, evaluate.word((*clip)[0]), evaluate.word((*clip)[1]),
                                evaluate.word((*clip)[2]), evaluate.word((*clip)[3]));
      }
    }
    if (const Status error = arguments.finish()) return *error;
    return std::optional<layout::TensorView>(v);
  }

 private:
  struct Evaluator {
    Arguments& arguments;
    const Variables& tile;

    // 32 bits; negative numbers by two's complement.
    uint32_t word(const Value& value) const {
      const Result<int64_t> result = arguments.evaluate(value, &tile);
      if (!result) return arguments.fail(result.error().message), 0;
      if (*result < INT32_MIN || *result > int64_t{0xFFFFFFFF}) {
        return arguments.fail(std::to_string(*result) + " does not fit 32 bits"), 0;
      }
      return static_cast<uint32_t>(*result);
    }
    layout::Coord coord(const List& list, uint32_t dim) const {
      layout::Coord result{};
      if (list.size() != dim) {
        arguments.fail("a list must hold " + std::to_string(dim) + " numbers");
        return result;
      }
      for (uint32_t i = 0; i < dim; ++i) result[i] = word(list[i]);
      return result;
    }
  };

  const Table* layout_ = nullptr;
  const Table* view_ = nullptr;
};

// The origin of an element of a loaded matrix.
struct Loaded {
  enum class Kind { Bits, Number, Anything };
  Kind kind = Kind::Anything;
  uint64_t bits = 0;
  double number = 0;
};

// The arguments of `tensor-copy`, and the copy itself.
class TensorCopy {
 public:
  explicit TensorCopy(const ReferenceInput& input) : input_(input) {}

  Status read(Arguments& arguments) {
    source_ = arguments.data("source");
    sourceOffset_ = arguments.count("source-offset", 0);
    targetOffset_ = arguments.count("target-offset", 0);
    rows_ = arguments.count("rows");
    columns_ = arguments.count("columns");
    initial_ = arguments.number("initial", 0);
    const std::string decode = arguments.text("decode", "");
    decodes_ = !decode.empty();
    readTiles(arguments);
    if (decodes_ && decode != "q4") arguments.fail("unknown decode function '" + decode + "'");
    if (rows_ == 0 || columns_ == 0 || rows_ > kMaxMatrixElements || columns_ > kMaxMatrixElements ||
        rows_ * columns_ > kMaxMatrixElements) {
      arguments.fail("'rows' and 'columns' do not make a matrix");
    }
    if (tileCount() > kMaxTiles) arguments.fail("there are more than 65536 tiles");
    if (Status error = load_.read(arguments, "load")) return error;
    if (Status error = store_.read(arguments, "store")) return error;
    if (Status error = arguments.finish()) return error;
    if (!decodes_ && !source_.buffer->isArray()) return Error{"the source is not a plain array"};
    type_ = decodes_ ? input_.targetType : source_.buffer->fields[0].type;
    sourceCount_ = source_.bytes.size() / (decodes_ ? kQ4Bytes : byteSize(type_));
    if (type_ != input_.targetType) return Error{"source and target must have one type"};
    return std::nullopt;
  }

  uint64_t tileCount() const { return tiles_[0] * tiles_[1] * tiles_[2]; }

  Status copyTile(uint64_t tile, std::vector<ExpectedValue>& target) const {
    const Variables variables{{"tile_x", static_cast<int64_t>(tile % tiles_[0])},
                              {"tile_y", static_cast<int64_t>(tile / tiles_[0] % tiles_[1])},
                              {"tile_z", static_cast<int64_t>(tile / tiles_[0] / tiles_[1])}};
    const Result<layout::TensorLayout> from = load_.layoutFor(input_, variables);
    if (!from) return from.error();
    const Result<std::optional<layout::TensorView>> fromView = load_.viewFor(input_, variables);
    if (!fromView) return fromView.error();
    const Result<layout::TensorLayout> to = store_.layoutFor(input_, variables);
    if (!to) return to.error();
    const Result<std::optional<layout::TensorView>> toView = store_.viewFor(input_, variables);
    if (!toView) return toView.error();

    const auto width = static_cast<uint32_t>(columns_);
    for (uint32_t row = 0; row < rows_; ++row) {
      for (uint32_t column = 0; column < columns_; ++column) {
        const Result<Loaded> value =
            load(*from, layout::mapElement(*from, *fromView ? &**fromView : nullptr, row, column, width,
                                           layout::Access::Load));
        if (!value) return value.error();
        const layout::Mapping write =
            layout::mapElement(*to, *toView ? &**toView : nullptr, row, column, width, layout::Access::Store);
        if (Status error = store(*value, write, target)) return error;
      }
    }
    return std::nullopt;
  }

 private:
  void readTiles(Arguments& arguments) {
    const List* list = arguments.list("tiles");
    if (list == nullptr) return;
    if (list->empty() || list->size() > 3) arguments.fail("'tiles' must hold one to three numbers");
    for (size_t i = 0; i < std::min<size_t>(list->size(), 3); ++i) {
      const Result<int64_t> count = arguments.evaluate((*list)[i], nullptr);
      if (!count || *count < 1 || *count > static_cast<int64_t>(kMaxTiles)) {
        arguments.fail("'tiles' must hold numbers from 1 to 65536");
      } else {
        tiles_[i] = static_cast<uint64_t>(*count);
      }
    }
  }

  Result<Loaded> load(const layout::TensorLayout& from, const layout::Mapping& read) const {
    switch (read.outcome) {
      case layout::Outcome::Element: return element(from, read);
      case layout::Outcome::ClampValue: {
        uint64_t bits = fromInt64(NumberType::U64, from.clampValue);
        // "the bit pattern in the LSBs"
        if (byteSize(type_) < 8) bits &= (uint64_t{1} << (8 * byteSize(type_))) - 1;
        return Loaded{Loaded::Kind::Bits, bits, 0};
      }
      case layout::Outcome::Skipped: return Loaded{Loaded::Kind::Number, 0, initial_};
      case layout::Outcome::Discarded:
      case layout::Outcome::Undefined: break;
    }
    return Loaded{};
  }

  Result<Loaded> element(const layout::TensorLayout& from, const layout::Mapping& read) const {
    const uint64_t index = sourceOffset_ + read.index;
    if (index >= sourceCount_) {
      return Error{"the load reads element " + std::to_string(index) + " of a source with " +
                   std::to_string(sourceCount_)};
    }
    if (!decodes_) return Loaded{Loaded::Kind::Bits, loadBits(type_, source_.bytes.data(), index), 0};
    // The innermost dimension of the block gives its number of elements.
    uint64_t inBlock = 0;
    for (uint32_t i = 0; i < from.dim; ++i) inBlock = inBlock * from.blockSize[i] + read.coordInBlock[i];
    if (inBlock >= kQ4Elements) return Error{"a q4 block holds 32 elements"};
    return Loaded{Loaded::Kind::Number, 0, decodeQ4(source_.bytes.data() + index * kQ4Bytes, inBlock)};
  }

  Status store(const Loaded& value, const layout::Mapping& write, std::vector<ExpectedValue>& target) const {
    if (write.outcome == layout::Outcome::Undefined) return Error{"the store's target is undefined"};
    if (write.outcome != layout::Outcome::Element) return std::nullopt;
    const uint64_t index = targetOffset_ + write.index;
    if (index >= target.size()) {
      return Error{"the store writes element " + std::to_string(index) + " of a target with " +
                   std::to_string(target.size())};
    }
    ExpectedValue& slot = target[index];
    switch (value.kind) {
      case Loaded::Kind::Bits: slot = ExpectedValue::ofBits(value.bits); break;
      case Loaded::Kind::Number:
        slot = ExpectedValue::ofNumber(value.number);
        slot.integer = truncate(value.number);
        break;
      case Loaded::Kind::Anything: slot = ExpectedValue::anything(); break;
    }
    return std::nullopt;
  }

  const ReferenceInput& input_;
  NamedData source_;
  uint64_t sourceOffset_ = 0;
  uint64_t targetOffset_ = 0;
  uint64_t rows_ = 0;
  uint64_t columns_ = 0;
  double initial_ = 0;
  bool decodes_ = false;  // by q4 blocks
  uint64_t tiles_[3] = {1, 1, 1};
  LayoutTable load_;
  LayoutTable store_;
  NumberType type_ = NumberType::F32;
  uint64_t sourceCount_ = 0;  // elements, or blocks
};

}  // namespace

Result<Reference> makeTensorCopy(const ReferenceInput& input) {
  Arguments arguments(input);
  TensorCopy copy(input);
  if (const Status error = copy.read(arguments)) return *error;
  // Shared, because references are copied.
  auto expected =
      std::make_shared<std::vector<ExpectedValue>>(input.targetCount, ExpectedValue::makeUntouched());
  for (uint64_t tile = 0; tile < copy.tileCount(); ++tile) {
    if (const Status error = copy.copyTile(tile, *expected)) return *error;
  }
  return Reference{[expected](uint64_t index) { return (*expected)[index]; }};
}

}  // namespace coopc::harness
