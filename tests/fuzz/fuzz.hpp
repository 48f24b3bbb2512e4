// Declarations that all fuzz targets share. A target defines libFuzzer's two functions:
// LLVMFuzzerTestOneInput and LLVMFuzzerCustomMutator. It is linked with libFuzzer, or, where the compiler has
// none, with standalone.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed);
/// libFuzzer's own mutation of bytes, or the one in standalone.cpp: returns the new size.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t capacity);

namespace coopc::fuzz {

/// Reports a fault of coopc, and aborts, so that the fuzzer keeps the input.
[[noreturn]] void fail(std::string_view what);
/// fail() unless `holds`.
inline void require(bool holds, std::string_view what) {
  if (!holds) fail(what);
}

/// Takes choices from the end of an input, so that the bytes before them stay a text or a module: 0 after the
/// last byte.
class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : bytes_(data, size) {}
  uint8_t byte();
  bool flag() { return (byte() & 1) != 0; }
  uint32_t below(uint32_t count) { return byte() % count; }
  /// Two bytes, the first of which is the more significant.
  uint32_t two() {
    const uint32_t high = byte();
    return high << 8 | byte();
  }
  uint32_t word();
  /// The bytes that no choice has taken.
  std::span<const uint8_t> rest() const { return bytes_; }
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

 private:
  std::span<const uint8_t> bytes_;
};

/// The bytes as words. A remainder of less than four bytes is left out.
std::vector<uint32_t> wordsOf(std::span<const uint8_t> bytes);

/// The first fault of a module by coopc's rules or those of core SPIR-V, or "". `ofProgram`: the module was
/// compiled, and faults of the program itself, such as wrong values, do not count.
std::string faultOf(std::span<const uint32_t> words, bool ofProgram = false);

/// All words, operators and names of the language, from the compiler's own tables.
const std::vector<std::string>& vocabulary();

/// LLVMFuzzerCustomMutator for GLSL text with `choices` bytes after it.
size_t mutateText(uint8_t* data, size_t size, size_t capacity, unsigned seed, size_t choices);
/// The same for a module.
size_t mutateModule(uint8_t* data, size_t size, size_t capacity, unsigned seed, size_t choices);

}  // namespace coopc::fuzz
