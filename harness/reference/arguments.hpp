// Reading the arguments of a reference: formulas over the case's variables, names of buffers.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/reference/reference.hpp"
#include "harness/result.hpp"

namespace coopc::harness {

/// A buffer whose elements are all of one type.
struct Source {
  NumberType type = NumberType::F32;
  std::span<const uint8_t> bytes;
  uint64_t count = 0;

  uint64_t bits(uint64_t index) const { return loadBits(type, bytes.data(), index); }
  double number(uint64_t index) const { return toDouble(type, bits(index)); }
  int64_t integer(uint64_t index) const { return toInt64(type, bits(index)); }
};

using Variables = std::map<std::string, int64_t, std::less<>>;

/// After the first error, which error() returns, accessors return a harmless value. finish() reports
/// arguments that no accessor has read.
class Arguments {
 public:
  explicit Arguments(const ReferenceInput& input) : Arguments(input, *input.arguments, "arguments") {}
  Arguments(const ReferenceInput& input, const Table& table, std::string where)
      : input_(input), table_(table), where_(std::move(where)) {}

  bool has(std::string_view name) const { return find(table_, name) != nullptr; }

  /// A number from 0 to 2^40.
  uint64_t count(std::string_view name) {
    return static_cast<uint64_t>(integer(name, 0, int64_t{1} << 40, nullptr));
  }
  uint64_t count(std::string_view name, int64_t fallback) {
    return static_cast<uint64_t>(integer(name, 0, int64_t{1} << 40, &fallback));
  }
  int64_t integer(std::string_view name, int64_t low, int64_t high, const int64_t* fallback) {
    const Value* value = take(name);
    if (value == nullptr) {
      if (fallback != nullptr) return *fallback;
      return fail("'" + std::string(name) + "' is missing"), low;
    }
    return inRange(*value, name, low, high);
  }
  double number(std::string_view name, double fallback) {
    const Value* value = take(name);
    if (value == nullptr) return fallback;
    if (const auto* direct = std::get_if<double>(&value->data)) return *direct;
    return static_cast<double>(inRange(*value, name, INT64_MIN, INT64_MAX));
  }
  std::string text(std::string_view name, std::string fallback) {
    const Value* value = take(name);
    if (value == nullptr) return fallback;
    if (const std::string* found = value->string()) return *found;
    return fail("'" + std::string(name) + "' must be a string"), fallback;
  }
  const Table* table(std::string_view name) {
    const Value* value = take(name);
    if (value == nullptr) return nullptr;
    if (value->table() == nullptr) fail("'" + std::string(name) + "' must be a table");
    return value->table();
  }
  const List* list(std::string_view name) {
    const Value* value = take(name);
    if (value == nullptr) return nullptr;
    if (value->list() == nullptr) fail("'" + std::string(name) + "' must be an array");
    return value->list();
  }
  NamedData data(std::string_view name) {
    const std::string buffer = text(name, {});
    if (buffer.empty()) return fail("'" + std::string(name) + "' must name a buffer"), NamedData{};
    const auto it = input_.buffers.find(buffer);
    if (it == input_.buffers.end()) return fail("there is no buffer called '" + buffer + "'"), NamedData{};
    return it->second;
  }
  Source source(std::string_view name) {
    const NamedData found = data(name);
    if (found.buffer == nullptr) return {};
    if (!found.buffer->isArray())
      return fail("buffer '" + found.buffer->name + "' is not a plain array"), Source{};
    return {found.buffer->fields[0].type, found.bytes, found.buffer->count};
  }
  /// For one evaluation, `extra` variables take precedence over the case's.
  Result<int64_t> evaluate(const Value& value, const Variables* extra) const {
    return evaluateInteger(value, input_.subject->variables, extra);
  }

  /// Reports an error if the named buffer has fewer elements (or bytes) than the reference reads.
  void need(std::string_view name, uint64_t has, uint64_t needs) {
    if (has >= needs) return;
    fail("buffer '" + std::string(name) + "' has " + std::to_string(has) + " elements, " +
         std::to_string(needs) + " are needed");
  }
  /// Reports an error if the target's number of elements is not the reference's.
  void needTarget(uint64_t count) {
    if (input_.targetCount == count) return;
    fail("the target has " + std::to_string(input_.targetCount) + " elements, the reference gives " +
         std::to_string(count));
  }

  void fail(const std::string& message) {
    if (!error_) error_ = Error{where_ + ": " + message};
  }
  const Status& error() const { return error_; }
  /// The first error, or the first unknown name.
  Status finish() {
    for (const auto& [name, value] : table_) {
      if (known_.count(name) == 0) fail("unknown argument '" + name + "'");
    }
    return error_;
  }

 private:
  const Value* take(std::string_view name) {
    known_.insert(std::string(name));
    return find(table_, name);
  }
  int64_t inRange(const Value& value, std::string_view name, int64_t low, int64_t high) {
    const Result<int64_t> result = evaluate(value, nullptr);
    if (!result) return fail("'" + std::string(name) + "': " + result.error().message), low;
    if (*result < low || *result > high) {
      return fail("'" + std::string(name) + "' is " + std::to_string(*result) + ", not in [" +
                  std::to_string(low) + ", " + std::to_string(high) + "]"),
             low;
    }
    return *result;
  }

  const ReferenceInput& input_;
  const Table& table_;
  std::string where_;
  std::set<std::string, std::less<>> known_;
  Status error_;
};

/// The `tensor-copy` reference (tensor.cpp).
Result<Reference> makeTensorCopy(const ReferenceInput& input);

/// D = A * B where A is quantized: blocks of 32 four-bit numbers of a row in `a` (16 bytes each) and their
/// scales in `scales`. An element is scale * (number - 8); networks.cpp describes which bits hold the number.
/// Arguments: a, scales, b, m, n, k, b-columns = 0.
Result<Reference> makeGemmQ4(const ReferenceInput& input);
/// softmax(scale * Q * transpose(K)) * V for each head. Arguments: q, k, v, heads, rows, columns, size (of a
/// head), scale = 1, causal = 0 (1: row i sees columns 0 to i + offset), group = 1 (heads that share a head
/// of K and V), offset = 0.
Result<Reference> makeAttention(const ReferenceInput& input);

/// A picture whose rows of pixels are texts, and the meaning of each letter: the numbers of the channels, or
/// anything. Arguments: rows (of all layers), colors.
Result<Reference> makeLetters(const ReferenceInput& input);
/// A picture by a formula for each channel, of x, y and layer. Arguments: channels, scale = 1 (a factor for
/// the formulas' values).
Result<Reference> makeFormula(const ReferenceInput& input);

/// One block of 32 four-bit values with a shared scale: f16 scale, then 16 bytes with element 2*i in the low
/// half of byte i and element 2*i + 1 in the high half. The value is scale * (q - 8).
inline constexpr uint64_t kQ4Elements = 32;
inline constexpr uint64_t kQ4Bytes = 18;
double decodeQ4(const uint8_t* block, uint64_t element);

}  // namespace coopc::harness
