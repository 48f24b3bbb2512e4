// Numeric literals: spelling to kind and value (GLSL 4.60, 4.1.3 and 4.1.4, with the suffixes of
// GL_EXT_shader_explicit_arithmetic_types). Floats are correctly rounded.
#pragma once

#include <optional>
#include <string_view>

#include "frontend/lex/token.hpp"

namespace coopc::frontend {

enum class NumberProblem : uint8_t {
  None,
  HexDigits,   ///< 0x without digits
  OctalDigit,  ///< 8 or 9 in an octal number
  Suffix,      ///< the rest is not a suffix
  Exponent,    ///< an exponent without digits
  NeedsPoint,  ///< 1f: a float needs a point or an exponent
  TooBig,      ///< an integer that does not fit into the bits of its type
};

struct NumberValue {
  Tok kind = Tok::IntLiteral;  ///< the literal kinds
  uint64_t bits = 0;           ///< as Literal::bits
  NumberProblem problem = NumberProblem::None;
  bool overflow = false;  ///< a float too large for its type: infinity
  uint32_t suffixAt = 0;  ///< where the suffix starts, or where the problem is
};

/// `text` is a complete number as the lexer scans it. If there is a problem, the kind and the bits are still
/// usable.
NumberValue convertNumber(std::string_view text);

/// An integer in an #if expression: with any suffix of u, U, l, L. None if the text is not one.
struct ConditionNumber {
  uint64_t bits = 0;
  bool isUnsigned = false;  ///< as in C++
};
std::optional<ConditionNumber> convertConditionNumber(std::string_view text);

}  // namespace coopc::frontend
