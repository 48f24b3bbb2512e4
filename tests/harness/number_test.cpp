// Number formats against values computed by hand and against the host's conversions; all values of the
// formats with up to 16 bits.
#include "harness/number.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <catch2/catch_test_macros.hpp>

using namespace coopc::harness;

TEST_CASE("types have names, sizes and kinds") {
  for (const char* name :
       {"f16", "bf16", "f32", "f64", "e4m3", "e5m2", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64"}) {
    const auto type = parseNumberType(name);
    REQUIRE(type);
    CHECK(numberName(*type) == name);
  }
  CHECK_FALSE(parseNumberType("f8"));
  CHECK_FALSE(parseNumberType(""));
  CHECK(byteSize(NumberType::BF16) == 2);
  CHECK(byteSize(NumberType::E4M3) == 1);
  CHECK(byteSize(NumberType::S64) == 8);
  CHECK(isFloat(NumberType::E5M2));
  CHECK_FALSE(isFloat(NumberType::U8));
  CHECK(isSigned(NumberType::S8));
  CHECK_FALSE(isSigned(NumberType::U64));
}

TEST_CASE("f16 by hand") {
  const auto encode = [](double value) { return fromDouble(NumberType::F16, value); };
  CHECK(encode(1.0) == 0x3C00);
  CHECK(encode(-2.0) == 0xC000);
  CHECK(encode(0.1) == 0x2E66);
  CHECK(encode(-0.0) == 0x8000);
  CHECK(encode(65504.0) == 0x7BFF);
  CHECK(encode(65519.99) == 0x7BFF);
  CHECK(encode(65520.0) == 0x7C00);  // the tie goes to the even neighbor, which is infinity
  CHECK(encode(std::ldexp(1, -24)) == 0x0001);
  CHECK(encode(std::ldexp(1, -25)) == 0x0000);  // tie to even
  CHECK(encode(std::ldexp(1.5, -25)) == 0x0001);
  CHECK(encode(std::ldexp(3, -25)) == 0x0002);  // tie to even
  CHECK(encode(1 + std::ldexp(1, -11)) == 0x3C00);
  CHECK(encode(1 + std::ldexp(3, -11)) == 0x3C02);
  // Just above a tie: a conversion by way of f32 would round twice and lose the difference.
  CHECK(encode(1 + std::ldexp(1, -11) + std::ldexp(1, -40)) == 0x3C01);
  CHECK(encode(std::ldexp(1, -14) - std::ldexp(1, -26)) == 0x0400);  // rounds up into the normal numbers
  CHECK(encode(std::numeric_limits<double>::infinity()) == 0x7C00);
  CHECK(encode(1e300) == 0x7C00);
  CHECK(encode(1e-300) == 0);
  CHECK(isNan(NumberType::F16, encode(std::nan(""))));
}

TEST_CASE("bf16 and 8-bit floats by hand") {
  CHECK(fromDouble(NumberType::BF16, 1.0) == 0x3F80);
  CHECK(fromDouble(NumberType::BF16, 3.14159265) == 0x4049);
  CHECK(fromDouble(NumberType::BF16, -1e39) == 0xFF80);
  CHECK(fromDouble(NumberType::E4M3, 448) == 0x7E);
  CHECK(fromDouble(NumberType::E4M3, 464) == 0x7E);  // tie to even
  CHECK(fromDouble(NumberType::E4M3, 465) == 0x7F);  // no infinity: NaN
  CHECK(fromDouble(NumberType::E4M3, std::ldexp(1, -9)) == 0x01);
  CHECK(fromDouble(NumberType::E4M3, -1.125) == 0xB9);
  CHECK(toDouble(NumberType::E4M3, 0x78) == 256);  // the top exponent holds numbers
  CHECK(std::isnan(toDouble(NumberType::E4M3, 0xFF)));
  CHECK(fromDouble(NumberType::E5M2, 57344) == 0x7B);
  CHECK(fromDouble(NumberType::E5M2, 61440) == 0x7C);
  CHECK(std::isinf(toDouble(NumberType::E5M2, 0xFC)));
  CHECK(toDouble(NumberType::E5M2, 0x01) == std::ldexp(1, -16));
}

TEST_CASE("every value of the small formats survives a round trip, and halves go to the even neighbor") {
  for (const NumberType type : {NumberType::F16, NumberType::BF16, NumberType::E4M3, NumberType::E5M2}) {
    const uint32_t count = byteSize(type) == 1 ? 256 : 65536;
    for (uint32_t bits = 0; bits < count; ++bits) {
      const double value = toDouble(type, bits);
      if (std::isnan(value)) continue;
      REQUIRE(fromDouble(type, value) == bits);
      // The next number away from zero, if there is one.
      if (std::isinf(value) || isNan(type, bits + 1)) continue;
      const double next = toDouble(type, bits + 1);
      if (!std::isfinite(next) || std::signbit(next) != std::signbit(value)) continue;
      const double middle = value + (next - value) / 2;
      REQUIRE(fromDouble(type, middle) == (bits % 2 == 0 ? bits : bits + 1));
      REQUIRE(fromDouble(type, std::nextafter(middle, value)) == bits);
      REQUIRE(fromDouble(type, std::nextafter(middle, next)) == bits + 1);
    }
  }
}

TEST_CASE("f32 and f64 agree with the host") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (std::isnan(value)) continue;
    REQUIRE(fromDouble(NumberType::F64, value) == std::bit_cast<uint64_t>(value));
    REQUIRE(toDouble(NumberType::F64, std::bit_cast<uint64_t>(value)) == value);
    // Scaled to about the range of f32, including subnormals and overflow.
    int exponent = 0;
    const double fraction = std::isinf(value) ? value : std::frexp(value, &exponent);
    const double scaled = std::ldexp(fraction, static_cast<int>(random() % 320) - 165);
    REQUIRE(fromDouble(NumberType::F32, scaled) == std::bit_cast<uint32_t>(static_cast<float>(scaled)));
    const auto bits = static_cast<uint32_t>(random());
    const auto single = std::bit_cast<float>(bits);
    if (!std::isnan(single)) REQUIRE(toDouble(NumberType::F32, bits) == static_cast<double>(single));
  }
}

TEST_CASE("integers: extension, truncation, clamping") {
  CHECK(toInt64(NumberType::S8, 0xFF) == -1);
  CHECK(toInt64(NumberType::U8, 0xFF) == 255);
  CHECK(toInt64(NumberType::S32, 0x80000000u) == INT32_MIN);
  CHECK(fromInt64(NumberType::S16, -2) == 0xFFFE);
  CHECK(fromInt64(NumberType::U8, 0x1FF) == 0xFF);
  CHECK(fromDouble(NumberType::S8, 127.9) == 127);
  CHECK(fromDouble(NumberType::S8, 200) == 127);
  CHECK(fromDouble(NumberType::S8, -200) == 0x80);
  CHECK(fromDouble(NumberType::U8, -1) == 0);
  CHECK(fromDouble(NumberType::U64, 1e30) == ~uint64_t{0});
  CHECK(fromDouble(NumberType::S64, 1e30) == uint64_t{INT64_MAX});
  CHECK(fromDouble(NumberType::S64, -1e30) == uint64_t{1} << 63);
  CHECK(fromDouble(NumberType::U32, std::nan("")) == 0);
  CHECK(toDouble(NumberType::U64, ~uint64_t{0}) == std::ldexp(1, 64));
  CHECK(truncate(-2.9) == -2);
  CHECK(truncate(1e300) == INT64_MAX);
}

TEST_CASE("distances in units in the last place") {
  CHECK(ulpDistance(NumberType::F16, 0x3C00, 0x3C03) == 3);
  CHECK(ulpDistance(NumberType::F16, 0x0000, 0x8000) == 0);
  CHECK(ulpDistance(NumberType::F16, 0x0001, 0x8001) == 2);
  CHECK(ulpDistance(NumberType::F16, 0x7BFF, 0x7C00) == 1);
  CHECK(ulpDistance(NumberType::F16, 0x7E00, 0xFE01) == 0);
  CHECK(ulpDistance(NumberType::F16, 0x7E00, 0x3C00) == ~uint64_t{0});
  CHECK(ulpDistance(NumberType::F64, std::bit_cast<uint64_t>(-1e308), std::bit_cast<uint64_t>(1e308)) >
        uint64_t{1} << 62);
  CHECK(ulpDistance(NumberType::S8, 0x80, 0x7F) == 255);
  CHECK(ulpDistance(NumberType::U8, 0x80, 0x7F) == 1);
  CHECK(ulpDistance(NumberType::S64, uint64_t{1} << 63, uint64_t{INT64_MAX}) == ~uint64_t{0});
}

TEST_CASE("components of arrays") {
  unsigned char bytes[16] = {};
  storeBits(NumberType::U16, bytes, 3, 0x1234);
  CHECK(bytes[6] == 0x34);
  CHECK(bytes[7] == 0x12);
  CHECK(loadBits(NumberType::U16, bytes, 3) == 0x1234);
  // An unaligned address.
  storeBits(NumberType::U64, bytes + 1, 0, 0x1122334455667788u);
  CHECK(loadBits(NumberType::U64, bytes + 1, 0) == 0x1122334455667788u);
}
