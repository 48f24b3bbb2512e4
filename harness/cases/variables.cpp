// Variables of case files, and integers that are formulas over them.
#include <cmath>
#include <functional>

#include "harness/cases/parts.hpp"
#include "harness/formula.hpp"

namespace coopc::harness {
namespace {

using Variables = std::map<std::string, int64_t, std::less<>>;

constexpr int kMaxVariableDepth = 32;

Result<int64_t> integralDouble(double value) {
  if (std::floor(value) != value || std::fabs(value) > 9e15) return Error{"a whole number expected"};
  return static_cast<int64_t>(value);
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

void readVariables(const toml::table* table, const Overrides& overrides, CaseReading& reading) {
  std::map<std::string, Value, std::less<>> pending;
  if (table != nullptr) {
    for (const auto& [key, item] : *table) pending[std::string(key.str())] = toValue(item, reading);
  }
  for (const auto& [name, value] : overrides) {
    if (pending.count(name) == 0) return reading.fail("--set " + name + ": the case has no such variable");
    pending[name] = Value{value};
  }
  auto& done = reading.variables;
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
    if (!result) return reading.fail("variable '" + name + "': " + result.error().message);
  }
}

}  // namespace coopc::harness
