// Initial contents of buffers and images. Every component depends on its index and the seed only, so contents
// are the same on every machine and in any order of filling them.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/cases/case.hpp"

namespace coopc::harness {

/// The byte that Fill::Pattern::Poison repeats: a NaN in f16, bf16, f32 and f64, an implausible integer.
inline constexpr uint8_t kPoisonByte = 0xFF;

/// The bits of component `index`.
uint64_t fillBits(const Fill& fill, NumberType type, uint64_t index);

/// All records of a buffer. Addresses are left as zeros.
std::vector<uint8_t> fillBuffer(const BufferSpec& buffer);
std::vector<uint8_t> fillImage(const CaseImage& image);
/// One record: the members of push constants. `bytes` is its size.
std::vector<uint8_t> fillRecord(const std::vector<Field>& fields, uint64_t bytes);

/// A number in [0, 2^64) that is a function of its arguments alone (SplitMix64).
uint64_t hash(uint64_t seed, uint64_t index);

}  // namespace coopc::harness
