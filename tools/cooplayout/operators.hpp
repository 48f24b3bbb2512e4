// Operators on whole numbers, as GLSL and the conditions of its preprocessor have them.
#pragma once

#include <cstdint>
#include <string_view>

namespace coopc::cooplayout {

struct Operator {
  std::string_view text;
  int precedence;  ///< higher binds more tightly
};

/// The operator between two operands that `text` begins with, the longest; null where there is none.
const Operator* operatorAt(std::string_view text);

/// On 64 bits, which wrap round. A quotient by zero is 0.
int64_t applied(const Operator& op, int64_t a, int64_t b);

}  // namespace coopc::cooplayout
