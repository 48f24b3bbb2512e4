// Inputs under which llama.cpp's shaders do work and stay within their buffers: small sizes, matching strides, numbers whose
// sums are exact. The same for every compiler.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/case.hpp"
#include "tests/llama/reflection.hpp"

namespace coopc::tests::llama {

constexpr uint64_t kBufferBytes = uint64_t{1} << 18;

// The push constants of a variant of `file`. Addresses of buffers are left 0.
std::vector<uint8_t> pushConstants(const std::string& file, const Reflection& reflection);

// The first contents of a buffer; the same for the same binding.
std::vector<uint8_t> contents(const std::string& file, const BoundBuffer& buffer);

// Workgroups to dispatch.
std::array<uint32_t, 3> groups(const std::string& file);

// Specialization constants of `file` that get other values than their defaults.
std::vector<coopc::harness::Specialization> specializations(const std::string& file,
                                                            const Reflection& reflection);

}  // namespace coopc::tests::llama
