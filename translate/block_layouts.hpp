// Offsets of the members of blocks, compared with the layouts of other shading languages.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/module.hpp"

namespace coopc::translating {

/// The rules by which a language places members: GLSL's layouts (GLSL 4.60, 7.6.2.2,
/// GL_EXT_scalar_block_layout), and HLSL's constant buffers, where a vector does not cross a multiple of 16
/// bytes, and elements, columns and structures begin at one.
enum class Placement : uint8_t { Std140, Std430, Scalar, HlslConstants };

/// Whether the offsets of the top-level members are written in the text.
enum class Offsets : uint8_t { Implied, Written };

/// A block: the structure of a variable with storage class Uniform, StorageBuffer or PushConstant, or the
/// target of a reference.
struct Block {
  spirv::Id type;
  spirv::Id variable;  ///< none for references
  spv::StorageClass storage;
};

class BlockLayouts {
 public:
  explicit BlockLayouts(const spirv::Module& module);

  const std::vector<Block>& blocks() const { return blocks_; }
  /// Whether a structure of the class Uniform is a storage block of SPIR-V before 1.3.
  bool isBufferBlock(spirv::Id structure) const { return bufferBlocks_.contains(structure); }
  /// The first layout of GLSL that the block has; uniform blocks have std140 before others.
  std::optional<Placement> inGlsl(const Block& block, Offsets offsets) const;
  /// Whether offsets, strides of arrays and strides of matrices of this structure are the ones that
  /// `placement` gives.
  bool fits(spirv::Id structure, Placement placement, Offsets offsets) const;

 private:
  struct Extent {
    uint64_t align = 1, size = 0;  ///< bytes
    bool known = false;            ///< all of its decorations are those that the rules give
    bool whole = false;            ///< in HLSL: begins at a multiple of 16 bytes
  };
  struct MatrixPlace {
    uint32_t stride = 0;
    bool rowMajor = false;
  };

  Extent extent(spirv::Id type, Placement placement, MatrixPlace matrix) const;
  Extent vectorExtent(const spirv::Instruction& type, Placement placement) const;
  Extent matrixExtent(const spirv::Instruction& type, Placement placement, MatrixPlace matrix) const;
  Extent arrayExtent(const spirv::Instruction& type, Placement placement, MatrixPlace matrix) const;
  Extent structExtent(const spirv::Instruction& type, Placement placement, Offsets offsets) const;
  std::optional<uint64_t> length(const spirv::Instruction& type) const;

  const spirv::Module& m_;
  spirv::ConstantEvaluator constants_;
  std::vector<Block> blocks_;
  std::unordered_set<spirv::Id> bufferBlocks_;
  std::unordered_map<uint64_t, uint32_t> offsets_;       ///< structure and member
  std::unordered_map<uint64_t, MatrixPlace> matrices_;   ///< structure and member
  std::unordered_map<spirv::Id, uint32_t> strides_;      ///< arrays
  mutable std::unordered_map<uint64_t, Extent> nested_;  ///< structure and placement: each is measured once
};

}  // namespace coopc::translating
