// The parts of --disassemble that do not need NVIDIA's driver: the form of its binaries, and how counts are
// reported.
#include "tools/cooprun/disassemble.hpp"

#include <cstring>

#include <catch2/catch_test_macros.hpp>

namespace coopc::cooprun {
namespace {

using Bytes = std::vector<uint8_t>;

void put(Bytes& bytes, size_t at, uint32_t value) { std::memcpy(bytes.data() + at, &value, 4); }

// Two entries. The second one is the code: 16 bytes at 112.
Bytes binary() {
  Bytes bytes(128);
  std::memcpy(bytes.data(), "NVDANVVMNVuc", 12);
  put(bytes, 16, 2);
  put(bytes, 40, 3);
  put(bytes, 72, 1);
  put(bytes, 76, 16);
  put(bytes, 80, 104);
  for (size_t i = 0; i < 16; ++i) bytes[112 + i] = static_cast<uint8_t>(i + 1);
  return bytes;
}

// The output of `zstd` for binary(), preceded by its size.
const Bytes kPacked = {0x80, 0x00, 0x00, 0x00, 0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 0xc5, 0x01, 0x00, 0xe4,
                       0x02, 0x4e, 0x56, 0x44, 0x41, 0x4e, 0x56, 0x56, 0x4d, 0x4e, 0x56, 0x75, 0x63, 0x00,
                       0x00, 0x00, 0x00, 0x02, 0x00, 0x03, 0x00, 0x01, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00,
                       0x00, 0x68, 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b,
                       0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x03, 0x10, 0x00, 0x22, 0x12, 0x31, 0x25, 0x0c};

TEST_CASE("disassemble: the code in a binary of NVIDIA's driver") {
  const Bytes code = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  const auto plain = unpackedNvidiaCode(binary());
  REQUIRE(plain);
  CHECK(*plain == code);
  const auto packed = nvidiaCode(kPacked);
  // If the library is missing, a message says so.
  if (!packed) {
    CHECK(packed.error().message == "libzstd.so.1, which unpacks the driver's binary, is not there");
  } else {
    CHECK(*packed == code);
  }
}

TEST_CASE("disassemble: binaries of another form are refused") {
  size_t refused = 0;
  const auto refuse = [&](const Bytes& bytes) {
    const auto code = nvidiaCode(bytes);
    REQUIRE_FALSE(code);
    CHECK(code.error().message.starts_with("the driver's binary "));
    ++refused;
  };
  refuse({});
  Bytes bytes = binary();
  bytes[0] = 'X';
  refuse(bytes);
  bytes = binary();
  put(bytes, 80, 105);  // one byte beyond the end
  refuse(bytes);
  put(bytes, 80, 0xFFFFFFFF);
  refuse(bytes);
  bytes = binary();
  put(bytes, 72, 2);  // no code
  refuse(bytes);
  put(bytes, 16, 4);  // more entries than there is room for
  refuse(bytes);
  bytes = kPacked;
  bytes.resize(bytes.size() / 2);
  refuse(bytes);
  CHECK(refused == 7);
}

TEST_CASE("disassemble: counts as the report has them") {
  CHECK(describeCounts({{"LDG.E.128", 2}, {"EXIT", 1}}) == "3 instructions: 2 LDG.E.128, 1 EXIT");
  CHECK(describeCounts({}) == "0 instructions");
}

}  // namespace
}  // namespace coopc::cooprun
