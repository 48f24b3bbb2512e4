// Names by width, signedness and encoding (SPIR-V 3.2, FP Encoding).
#include "spirv/number_type.hpp"

#include <string_view>

#include "base/number_type.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"

namespace coopc::spirv {

std::string numberTypeName(const Module& module, Id type) {
  struct Row {
    uint32_t encoding;
    std::string_view name;
  };
  static constexpr Row kRows[] = {
      {enums::FPEncodingBFloat16KHR, numberName(NumberType::BF16)},
      {enums::FPEncodingFloat8E4M3EXT, numberName(NumberType::E4M3)},
      {enums::FPEncodingFloat8E5M2EXT, numberName(NumberType::E5M2)},
      // Formats that no matrix has.
      {enums::FPEncodingFloat6E2M3EXT, "e2m3"},
      {enums::FPEncodingFloat6E3M2EXT, "e3m2"},
      {enums::FPEncodingFloat4E2M1EXT, "e2m1"},
      {enums::FPEncodingFloat8UnsignedE8M0EXT, "ue8m0"},
      {enums::FPEncodingMXInt8EXT, "mxint8"},
  };
  if (const auto integer = as<op::TypeInt>(module, type))
    return (integer.signedness() != 0 ? "s" : "u") + std::to_string(integer.width());
  const auto real = as<op::TypeFloat>(module, type);
  if (!real) return {};
  const std::string width = std::to_string(real.width());
  if (const auto encoding = real.floatingPointEncoding()) {
    for (const Row& row : kRows) {
      if (row.encoding == *encoding) return std::string(row.name);
    }
  }
  return "f" + width;
}

}  // namespace coopc::spirv
