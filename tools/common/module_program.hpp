// Shared by the command lines of programs that read modules (cooplower, coopval).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/system.hpp"
#include "tools/common/numbers.hpp"
#include "tools/common/options.hpp"

namespace coopc::tool {

/// Files are read up to this size, which is larger than any module in practice: SPIR-V's universal limits
/// allow 2^22 ids.
constexpr size_t kMaxModuleFile = size_t(1) << 30;

/// The value of --spec: adds it to the list. "", or what is wrong with it.
template <class Specialization>
std::string addSpecialization(const std::string& value, std::vector<Specialization>& specializations) {
  const std::optional<SpecializedValue> given = parseSpecialization(value);
  if (!given) return "--spec takes ID=VALUE, not `" + value + "`";
  Specialization s;
  s.id = given->id;
  s.value = given->value;
  specializations.push_back(s);
  return {};
}

/// walkArguments() for a program's arguments. An option with an empty value is refused: a script's variable
/// is probably not set, and doing less than requested would be wrong.
template <class OnFile, class Shows, class OnOption>
Walked walkProgram(std::span<const Option> options, int argc, char** argv, std::string& fault,
                   OnFile&& onFile, Shows&& shows, OnOption&& onOption) {
  std::vector<std::string> arguments = startProgram(argc, argv);
  arguments.erase(arguments.begin());
  return walkArguments(options, arguments, fault, onFile, shows,
                       [&](size_t row, std::string_view value) { return onOption(row, std::string(value)); });
}

}  // namespace coopc::tool
