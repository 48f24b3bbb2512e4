// Operators on integers, as in GLSL and its preprocessor's conditions.
#pragma once

#include <cstdint>
#include <string_view>

namespace coopc::cooplayout {

struct Operator {
  std::string_view text;
  int precedence;  ///< higher binds more tightly
};

/// The longest binary operator with which `text` begins; null if there is none.
const Operator* operatorAt(std::string_view text);

/// 64-bit arithmetic that wraps round. Division by zero gives 0.
int64_t applied(const Operator& op, int64_t a, int64_t b);

}  // namespace coopc::cooplayout
