// Random declarations of blocks: uniform, buffer, push-constant and buffer-reference blocks in all layouts,
// with structures, arrays of arrays, matrices of both major orders, small and 64-bit types, long vectors, and
// explicit offsets and alignments. Also a second implementation of the layout rules (OpenGL 4.6, 7.6.2.2
// "Standard Uniform Block Layout"; GLSL 4.60, 4.4.5; GL_EXT_scalar_block_layout), written from the
// specifications. It gives the offset of each number of a block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coopc::tests {

enum class BlockKind { Buffer, Uniform, PushConstant, Reference };
enum class BlockPacking { Std140, Std430, Scalar };

struct BlockScalar {
  const char* name;
  const char* vector;  ///< the prefix of its vectors' names
  const char* matrix;  ///< likewise; null: it has none
  uint32_t bytes;
  enum class Form { Bool, Integer, Float } form;
  bool newest = false;  ///< only the newest reference compiler knows it
};
/// All scalar types; bool is the first.
const std::vector<BlockScalar>& blockScalars();

struct BlockType {
  enum class Kind { Scalar, Vector, LongVector, Matrix, Array, Struct } kind = Kind::Scalar;
  uint32_t scalar = 0;   ///< index into blockScalars()
  uint32_t rows = 1;     ///< of vectors and matrices
  uint32_t columns = 1;  ///< of matrices
  uint32_t count = 0;    ///< of arrays; 0: runtime-sized
  uint32_t inner = 0;    ///< of arrays: index of the element's type; of structures: index of the structure
};

enum class BlockMajor { Inherited, Column, Row };

struct BlockMember {
  std::string name;
  uint32_t type = 0;
  BlockMajor major = BlockMajor::Inherited;  ///< of blocks' members only
  int64_t offset = -1;                       ///< as declared; -1: not
  uint32_t align = 0;                        ///< as declared; 0: not
};

struct Block {
  std::string name;
  BlockKind kind = BlockKind::Buffer;
  BlockPacking packing = BlockPacking::Std430;
  bool packingWritten = true;  ///< in the block's own declaration; otherwise it is the default
  BlockMajor major = BlockMajor::Inherited;
  uint32_t align = 0;  ///< as declared; 0: not
  std::vector<BlockMember> members;
};

/// One number of a block.
struct BlockLeaf {
  std::string path;  ///< from the block's member on: `a[1].m0[2][0]`
  uint64_t offset = 0;
  uint32_t scalar = 0;
};

class BlockDeclarations {
 public:
  struct Options {
    uint32_t blocks = 20;
    bool newest = false;       ///< with what only the newest reference compiler knows
    bool narrow = false;       ///< no components of eight bytes
    bool executable = false;   ///< sized arrays only, blocks of at most 64 KiB, no packing by default
    uint32_t pushBytes = 128;  ///< the size of a push-constant block at most, where executable
  };
  BlockDeclarations(uint64_t seed, const Options& options);

  const std::vector<Block>& blocks() const { return blocks_; }
  /// The first lines, structures and blocks. Block number i is at binding i, and its instance is called like
  /// it, in lower case. The buffer block `References`, the last binding, holds a reference `rI` to each
  /// reference block.
  std::string text() const;
  /// The part of text() that declares structures, with the first lines.
  std::string structsText() const;
  std::string blockText(const Block& block, uint32_t binding) const;

  /// By the rules of the specifications: the offset of each member, and the size up to the last byte of the
  /// last member.
  std::vector<uint64_t> memberOffsets(const Block& block) const;
  uint64_t size(const Block& block) const;
  /// All numbers of a block whose arrays have sizes.
  std::vector<BlockLeaf> leaves(const Block& block) const;
  const BlockType& type(uint32_t index) const { return types_[index]; }

 private:
  struct Extent {
    uint64_t size = 0, align = 1, stride = 0;
  };
  Extent extent(uint32_t type, BlockPacking packing, bool rowMajor) const;
  bool rowMajor(const Block& block, const BlockMember& member) const;
  void addLeaves(std::vector<BlockLeaf>& leaves, uint32_t type, BlockPacking packing, bool rowMajor,
                 const std::string& path, uint64_t offset) const;
  std::string typeName(uint32_t type) const;
  std::string dimensions(uint32_t type) const;

  uint32_t below(uint32_t bound);
  bool chance(uint32_t percent) { return below(100) < percent; }
  uint32_t addType(const BlockType& type);
  uint32_t anyType(bool nested, uint32_t depth);
  void makeStructs();
  Block makeBlock(uint32_t number);
  void placeMembers(Block& block);

  Options options_;
  uint64_t state_;
  bool pushConstants_ = false;
  std::vector<BlockType> types_;
  std::vector<std::vector<BlockMember>> structs_;
  std::vector<uint32_t> structDepths_;
  std::vector<Block> blocks_;
  BlockPacking uniformDefault_ = BlockPacking::Std140, bufferDefault_ = BlockPacking::Std430;
  BlockMajor uniformMajor_ = BlockMajor::Column, bufferMajor_ = BlockMajor::Column;
};

}  // namespace coopc::tests
