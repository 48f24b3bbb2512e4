// Inputs with which llama.cpp's shaders compute something and stay within their buffers: small sizes,
// matching strides, and numbers with exact sums. They are the same for every compiler.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/cases/case.hpp"
#include "tests/llama/reflection.hpp"

namespace coopc::tests::llama {

constexpr uint64_t kBufferBytes = uint64_t{1} << 18;

/// The output channels of the convolutions, which are not a multiple of the tile sizes.
constexpr uint32_t kConv2dRows = 80;
constexpr uint32_t kConv3dRows = 40;

/// The properties of a device on which inputs depend.
struct Target {
  uint32_t subgroupSize = 8;
  uint32_t matrixSize = 8;  ///< M, N and K of f16 matrices in subgroup scope
};

/// A compiled shader by its names: "matmul_f16_cm1" of "mul_mm.comp".
struct Subject {
  std::string name;
  std::string file;

  bool khrMatrices() const { return name.find("_cm1") != std::string::npos; }
  bool nvMatrices() const { return name.find("_cm2") != std::string::npos; }
  bool usesMatrices() const { return khrMatrices() || nvMatrices(); }
};

/// One configuration of a shader from which llama.cpp's host code makes a pipeline: tile sizes, types of
/// quantized blocks, aligned or not. Values that it does not name follow from the rules for names.
struct Setting {
  std::string name;  ///< "" if there is only one
  /// Push constants and specialization constants. "local size" is the workgroup size in x, whatever its
  /// constant's name.
  std::vector<std::pair<std::string, double>> values;
  std::array<uint32_t, 3> groups{4, 4, 2};
  std::vector<coopc::spirv::MatrixShape> matrices;  ///< that the device must list
};

/// The shader's settings: at least one, the most important one first.
std::vector<Setting> settings(const Subject& subject, const Reflection& reflection, const Target& target);

/// The bytes of the push constants, in which addresses of buffers are 0.
std::vector<uint8_t> pushConstants(const Subject& subject, const Reflection& reflection,
                                   const Setting& setting);

/// The initial contents of a buffer. They are the same for the same binding.
std::vector<uint8_t> contents(const Subject& subject, const BoundBuffer& buffer);

/// Specialization constants with values other than their defaults.
std::vector<coopc::vk::Specialization> specializations(const Subject& subject, const Reflection& reflection,
                                                       const Target& target, const Setting& setting);

}  // namespace coopc::tests::llama
