// Integer formulas in case files: "M*K/32", "ceil(N, TN)", "TN <= 256". Variables come from the case's
// [variables].
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "harness/result.hpp"

namespace coopc::harness {

/// Returns a variable's value, or an error for an unknown name.
using Lookup = std::function<Result<int64_t>(std::string_view name)>;

/// Grammar:
///   formula := sum (("<=" | "<" | ">=" | ">" | "==" | "!=") sum)?      1 where it holds, else 0
///   sum     := product (("+" | "-") product)*
///   product := unary (("*" | "/" | "%") unary)*
///   unary   := "-"* primary
///   primary := decimal | "0x" hexadecimal | name | "(" sum ")"
///              | ("ceil" | "min" | "max") "(" sum "," sum ")"
/// ceil(a, b) is a / b rounded up, for a >= 0 and b > 0. 64-bit arithmetic; an overflow or a division by zero
/// is an error, and so is nesting deeper than 64.
Result<int64_t> evaluateFormula(std::string_view text, const Lookup& lookup);

}  // namespace coopc::harness
