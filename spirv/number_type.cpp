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

std::optional<NumberType> numberTypeOf(const Module& module, Id type) {
  if (const auto integer = as<op::TypeInt>(module, type)) {
    const bool isSigned = integer.signedness() != 0;
    switch (integer.width()) {
      case 8: return isSigned ? NumberType::S8 : NumberType::U8;
      case 16: return isSigned ? NumberType::S16 : NumberType::U16;
      case 32: return isSigned ? NumberType::S32 : NumberType::U32;
      case 64: return isSigned ? NumberType::S64 : NumberType::U64;
      default: return std::nullopt;
    }
  }
  const auto real = as<op::TypeFloat>(module, type);
  if (!real) return std::nullopt;
  if (const auto encoding = real.floatingPointEncoding()) {
    switch (*encoding) {
      case enums::FPEncodingBFloat16KHR: return NumberType::BF16;
      case enums::FPEncodingFloat8E4M3EXT: return NumberType::E4M3;
      case enums::FPEncodingFloat8E5M2EXT: return NumberType::E5M2;
      default: return std::nullopt;
    }
  }
  switch (real.width()) {
    case 16: return NumberType::F16;
    case 32: return NumberType::F32;
    case 64: return NumberType::F64;
    default: return std::nullopt;
  }
}

}  // namespace coopc::spirv
