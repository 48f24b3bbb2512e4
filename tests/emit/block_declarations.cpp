// The generator of block declarations, and the layout rules of the specifications; see
// block_declarations.hpp.
#include "tests/emit/block_declarations.hpp"

#include <algorithm>

namespace coopc::tests {

namespace {

using Form = BlockScalar::Form;
using Kind = BlockType::Kind;

constexpr uint64_t kMaxExecutableBytes = 1u << 14;

uint64_t roundUp(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

const char* packingWord(BlockPacking p) {
  return p == BlockPacking::Std140 ? "std140" : p == BlockPacking::Std430 ? "std430" : "scalar";
}
const char* majorWord(BlockMajor m) { return m == BlockMajor::Row ? "row_major" : "column_major"; }

// A member's `align` overrides that of its block (4.4.5).
uint64_t ownAlign(const Block& block, const BlockMember& member) {
  return member.align != 0 ? member.align : block.align;
}

std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

const std::vector<BlockScalar>& blockScalars() {
  static const std::vector<BlockScalar> scalars = {
      {"bool", "bvec", nullptr, 4, Form::Bool},
      {"int", "ivec", nullptr, 4, Form::Integer},
      {"uint", "uvec", nullptr, 4, Form::Integer},
      {"float", "vec", "mat", 4, Form::Float},
      {"double", "dvec", "dmat", 8, Form::Float},
      {"int64_t", "i64vec", nullptr, 8, Form::Integer},
      {"uint64_t", "u64vec", nullptr, 8, Form::Integer},
      {"int16_t", "i16vec", nullptr, 2, Form::Integer},
      {"uint16_t", "u16vec", nullptr, 2, Form::Integer},
      {"float16_t", "f16vec", "f16mat", 2, Form::Float},
      {"int8_t", "i8vec", nullptr, 1, Form::Integer},
      {"uint8_t", "u8vec", nullptr, 1, Form::Integer},
      {"bfloat16_t", "bf16vec", nullptr, 2, Form::Float, true},
      {"floate4m3_t", "fe4m3vec", nullptr, 1, Form::Float, true},
      {"floate5m2_t", "fe5m2vec", nullptr, 1, Form::Float, true},
  };
  return scalars;
}

BlockDeclarations::BlockDeclarations(uint64_t seed, const Options& options)
    : options_(options), state_(seed * 0x9E3779B97F4A7C15u + 0x2545F491) {
  for (int i = 0; i < 8; ++i) (void)below(2);
  if (!options_.executable) {
    constexpr BlockPacking kPackings[] = {BlockPacking::Std140, BlockPacking::Std430, BlockPacking::Scalar};
    uniformDefault_ = kPackings[below(3)];
    bufferDefault_ = kPackings[below(3)];
    if (chance(30)) uniformMajor_ = BlockMajor::Row;
    if (chance(30)) bufferMajor_ = BlockMajor::Row;
  }
  makeStructs();
  for (uint32_t i = 0; i < options_.blocks; ++i) {
    Block block = makeBlock(i);
    if (options_.executable) {
      // If the block does not fit, a smaller one is made.
      const auto fits = [&] {
        return size(block) <=
               (block.kind == BlockKind::PushConstant ? options_.pushBytes : kMaxExecutableBytes);
      };
      while (!fits()) {
        if (block.members.size() == 1) {
          block.members[0] = {"m0", addType({}), BlockMajor::Inherited, -1, 0};
          block.align = 0;
          break;
        }
        block.members.pop_back();
      }
    }
    blocks_.push_back(std::move(block));
  }
}

uint32_t BlockDeclarations::below(uint32_t bound) {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return static_cast<uint32_t>((state_ >> 11) % bound);
}

uint32_t BlockDeclarations::addType(const BlockType& type) {
  types_.push_back(type);
  return static_cast<uint32_t>(types_.size() - 1);
}

uint32_t BlockDeclarations::anyType(bool nested, uint32_t depth) {
  const auto anyScalar = [&] {
    uint32_t s = 0;
    do {
      s = below(static_cast<uint32_t>(blockScalars().size()));
    } while ((blockScalars()[s].newest && !options_.newest) ||
             (blockScalars()[s].bytes == 8 && options_.narrow));
    return s;
  };
  const uint32_t what = below(100);
  BlockType t;
  if (what < 20) {
    t.scalar = anyScalar();
  } else if (what < 42) {
    t.kind = Kind::Vector;
    t.scalar = anyScalar();
    t.rows = 2 + below(3);
    if (options_.newest && chance(25) && blockScalars()[t.scalar].form != Form::Bool) {
      t.kind = Kind::LongVector;
      t.rows = 5 + below(7);
    }
  } else if (what < 55) {
    t.kind = Kind::Matrix;
    do {
      t.scalar = anyScalar();
    } while (blockScalars()[t.scalar].matrix == nullptr);
    t.rows = 2 + below(3);
    t.columns = 2 + below(3);
  } else if (what < 78 && depth < 3) {
    t.kind = Kind::Array;
    t.count = 1 + below(3);
    t.inner = anyType(nested, depth + 1);
  } else if (nested && !structs_.empty()) {
    t.kind = Kind::Struct;
    t.inner = below(static_cast<uint32_t>(structs_.size()));
  } else {
    t.scalar = anyScalar();
  }
  return addType(t);
}

void BlockDeclarations::makeStructs() {
  for (uint32_t i = 0, n = 2 + below(5); i < n; ++i) {
    std::vector<BlockMember> members;
    uint32_t depth = 1;
    for (uint32_t k = 0, m = 1 + below(4); k < m; ++k) {
      // Structures of structures, but not so deep that they grow out of hand.
      const bool nested = i > 0 && i < 4 && depth < 3;
      members.push_back({"s" + std::to_string(k), anyType(nested, 1), BlockMajor::Inherited, -1, 0});
      uint32_t t = members.back().type;
      while (types_[t].kind == Kind::Array) t = types_[t].inner;
      if (types_[t].kind == Kind::Struct) depth = std::max(depth, structDepths_[types_[t].inner] + 1);
    }
    structs_.push_back(std::move(members));
    structDepths_.push_back(depth);
  }
}

Block BlockDeclarations::makeBlock(uint32_t number) {
  Block b;
  b.name = "Block" + std::to_string(number);
  constexpr BlockPacking kPackings[] = {BlockPacking::Std140, BlockPacking::Std430, BlockPacking::Scalar};
  b.packing = kPackings[below(3)];
  if (const uint32_t kind = below(10); kind < 3)
    b.kind = BlockKind::Uniform;
  else if (kind < 6)
    b.kind = BlockKind::Reference;
  else if (kind < 8 && !pushConstants_)
    b.kind = BlockKind::PushConstant;
  pushConstants_ |= b.kind == BlockKind::PushConstant;
  if (!options_.executable && chance(20)) {
    b.packingWritten = false;
    b.packing = b.kind == BlockKind::PushConstant ? BlockPacking::Std430
                : b.kind == BlockKind::Uniform    ? uniformDefault_
                                                  : bufferDefault_;
  }
  if (chance(30)) b.major = chance(60) ? BlockMajor::Row : BlockMajor::Column;
  // The reference compiler ignores `align` where the block's own declaration has no packing.
  const bool aligned = b.packingWritten && chance(30);
  if (aligned && chance(20)) b.align = 4u << below(4);
  for (uint32_t i = 0, n = 1 + below(6); i < n; ++i) {
    BlockMember m{"m" + std::to_string(i), anyType(true, 0), BlockMajor::Inherited, -1, 0};
    if (chance(15)) m.major = chance(60) ? BlockMajor::Row : BlockMajor::Column;
    if (aligned && chance(40)) m.align = 2u << below(6);
    b.members.push_back(std::move(m));
  }
  if (!options_.executable && (b.kind == BlockKind::Buffer || b.kind == BlockKind::Reference) && chance(20)) {
    BlockType runtime;
    runtime.kind = Kind::Array;
    runtime.inner = anyType(true, 1);
    b.members.push_back({"last", addType(runtime), BlockMajor::Inherited, -1, 0});
  }
  if (chance(30)) placeMembers(b);
  return b;
}

// Chooses explicit offsets: multiples of the member's base alignment (4.4.5), after the preceding members,
// often directly after them. Sometimes all members get offsets, in the reverse order.
void BlockDeclarations::placeMembers(Block& b) {
  if (b.packingWritten && b.members.size() > 1 && chance(15) &&
      types_[b.members.back().type].kind != Kind::Array) {
    uint64_t end = 0;
    for (size_t i = b.members.size(); i-- > 0;) {
      const Extent e = extent(b.members[i].type, b.packing, rowMajor(b, b.members[i]));
      b.members[i].align = 0;
      end = roundUp(end, std::max<uint64_t>(e.align, b.align));
      b.members[i].offset = static_cast<int64_t>(end);
      end += e.size;
    }
    return;
  }
  uint64_t end = 0;
  for (BlockMember& m : b.members) {
    const Extent e = extent(m.type, b.packing, rowMajor(b, m));
    if (chance(50)) m.offset = static_cast<int64_t>(roundUp(end + (chance(50) ? 0 : below(40)), e.align));
    if (m.offset >= 0) end = static_cast<uint64_t>(m.offset);
    end = roundUp(end, std::max(e.align, ownAlign(b, m))) + e.size;
  }
}

// ----------------------------------------------------------------------------------------------------- rules

bool BlockDeclarations::rowMajor(const Block& block, const BlockMember& member) const {
  if (member.major != BlockMajor::Inherited) return member.major == BlockMajor::Row;
  if (block.major != BlockMajor::Inherited) return block.major == BlockMajor::Row;
  return (block.kind == BlockKind::Uniform || block.kind == BlockKind::PushConstant
              ? uniformMajor_
              : bufferMajor_) == BlockMajor::Row;
}

BlockDeclarations::Extent BlockDeclarations::extent(uint32_t index, BlockPacking packing,
                                                    bool rowMajor) const {
  const BlockType& t = types_[index];
  const bool scalar = packing == BlockPacking::Scalar, std140 = packing == BlockPacking::Std140;
  const uint64_t n = t.kind == Kind::Array || t.kind == Kind::Struct ? 0 : blockScalars()[t.scalar].bytes;
  // Rules 2 and 3 of std140; rule 2 of the scalar layout; GL_EXT_long_vector.
  const auto vector = [&](uint64_t components) {
    return Extent{n * components, scalar ? n : components == 2 ? 2 * n : 4 * n, 0};
  };
  // Rule 4: each element is padded up to the array's alignment, which std140 rounds up to that of a vec4. In
  // the scalar layout the last element is not: the next member follows "the last basic machine unit
  // consumed".
  const auto array = [&](const Extent& element, uint64_t count) {
    Extent e;
    e.align = std140 ? std::max<uint64_t>(element.align, 16) : element.align;
    e.stride = roundUp(element.size, e.align);
    e.size = count == 0 ? 0 : e.stride * (count - 1) + (scalar ? element.size : e.stride);
    return e;
  };
  switch (t.kind) {
    case Kind::Scalar: return {n, n, 0};
    case Kind::Vector:
    case Kind::LongVector: return vector(t.rows);
    case Kind::Matrix:  // rules 5 and 7: an array of its columns, or of its rows
      return rowMajor ? array(vector(t.columns), t.rows) : array(vector(t.rows), t.columns);
    case Kind::Array: return array(extent(t.inner, packing, rowMajor), t.count);
    case Kind::Struct: {
      Extent e;
      if (std140) e.align = 16;  // rule 9
      for (const BlockMember& m : structs_[t.inner]) {
        const Extent inner = extent(m.type, packing, rowMajor);
        e.align = std::max(e.align, inner.align);
        e.size = roundUp(e.size, inner.align) + inner.size;
      }
      if (!scalar) e.size = roundUp(e.size, e.align);
      return e;
    }
  }
  return {};
}

std::vector<uint64_t> BlockDeclarations::memberOffsets(const Block& block) const {
  std::vector<uint64_t> offsets;
  uint64_t end = 0;
  for (const BlockMember& m : block.members) {
    const Extent e = extent(m.type, block.packing, rowMajor(block, m));
    if (m.offset >= 0) end = static_cast<uint64_t>(m.offset);
    end = roundUp(end, std::max(e.align, ownAlign(block, m)));
    offsets.push_back(end);
    end += e.size;
  }
  return offsets;
}

uint64_t BlockDeclarations::size(const Block& block) const {
  uint64_t end = 0;
  const std::vector<uint64_t> offsets = memberOffsets(block);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const BlockMember& m = block.members[i];
    end = std::max(end, offsets[i] + extent(m.type, block.packing, rowMajor(block, m)).size);
  }
  return end;
}

void BlockDeclarations::addLeaves(std::vector<BlockLeaf>& leaves, uint32_t index, BlockPacking packing,
                                  bool rowMajor, const std::string& path, uint64_t offset) const {
  const BlockType& t = types_[index];
  const auto subscript = [](uint32_t i) { return "[" + std::to_string(i) + "]"; };
  switch (t.kind) {
    case Kind::Scalar: leaves.push_back({path, offset, t.scalar}); return;
    case Kind::Vector:
    case Kind::LongVector:
      for (uint32_t i = 0; i < t.rows; ++i)
        leaves.push_back(
            {path + subscript(i), offset + uint64_t{i} * blockScalars()[t.scalar].bytes, t.scalar});
      return;
    case Kind::Matrix: {
      const uint64_t stride = extent(index, packing, rowMajor).stride, bytes = blockScalars()[t.scalar].bytes;
      for (uint32_t c = 0; c < t.columns; ++c)
        for (uint32_t r = 0; r < t.rows; ++r)
          leaves.push_back({path + subscript(c) + subscript(r),
                            offset + (rowMajor ? r * stride + c * bytes : c * stride + r * bytes), t.scalar});
      return;
    }
    case Kind::Array: {
      const uint64_t stride = extent(index, packing, rowMajor).stride;
      for (uint32_t i = 0; i < t.count; ++i)
        addLeaves(leaves, t.inner, packing, rowMajor, path + subscript(i), offset + i * stride);
      return;
    }
    case Kind::Struct: {
      uint64_t end = 0;
      for (const BlockMember& m : structs_[t.inner]) {
        const Extent e = extent(m.type, packing, rowMajor);
        end = roundUp(end, e.align);
        addLeaves(leaves, m.type, packing, rowMajor, path + "." + m.name, offset + end);
        end += e.size;
      }
      return;
    }
  }
}

std::vector<BlockLeaf> BlockDeclarations::leaves(const Block& block) const {
  std::vector<BlockLeaf> all;
  const std::vector<uint64_t> offsets = memberOffsets(block);
  for (size_t i = 0; i < offsets.size(); ++i) {
    const BlockMember& m = block.members[i];
    addLeaves(all, m.type, block.packing, rowMajor(block, m), m.name, offsets[i]);
  }
  return all;
}

// ------------------------------------------------------------------------------------------------------ text

std::string BlockDeclarations::typeName(uint32_t index) const {
  const BlockType& t = types_[index];
  const BlockScalar& s = blockScalars()[t.scalar];
  switch (t.kind) {
    case Kind::Scalar: return s.name;
    case Kind::Vector: return s.vector + std::to_string(t.rows);
    case Kind::LongVector: return "vector<" + std::string(s.name) + ", " + std::to_string(t.rows) + ">";
    case Kind::Matrix: return s.matrix + std::to_string(t.columns) + "x" + std::to_string(t.rows);
    case Kind::Array: return typeName(t.inner);
    case Kind::Struct: return "S" + std::to_string(t.inner);
  }
  return "";
}

std::string BlockDeclarations::dimensions(uint32_t index) const {
  std::string text;
  for (; types_[index].kind == Kind::Array; index = types_[index].inner)
    text += "[" + (types_[index].count == 0 ? "" : std::to_string(types_[index].count)) + "]";
  return text;
}

std::string BlockDeclarations::structsText() const {
  std::string text =
      "#version 460\n#extension GL_EXT_scalar_block_layout : require\n"
      "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_buffer_reference : require\n";
  if (options_.newest)
    text +=
        "#extension GL_EXT_long_vector : require\n#extension GL_EXT_bfloat16 : require\n"
        "#extension GL_EXT_float_e4m3 : require\n#extension GL_EXT_float_e5m2 : require\n";
  text += "layout(local_size_x = 1) in;\n";
  for (size_t i = 0; i < structs_.size(); ++i) {
    text += "struct S" + std::to_string(i) + " {";
    for (const BlockMember& m : structs_[i])
      text += " " + typeName(m.type) + " " + m.name + dimensions(m.type) + ";";
    text += " };\n";
  }
  return text;
}

std::string BlockDeclarations::blockText(const Block& b, uint32_t binding) const {
  std::vector<std::string> words;
  if (b.kind == BlockKind::PushConstant)
    words.push_back("push_constant");
  else if (b.kind == BlockKind::Reference)
    words.push_back("buffer_reference");
  else
    words.push_back("binding = " + std::to_string(binding));
  if (b.packingWritten) words.push_back(packingWord(b.packing));
  if (b.major != BlockMajor::Inherited) words.push_back(majorWord(b.major));
  if (b.align != 0) words.push_back("align = " + std::to_string(b.align));
  const auto layout = [](const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& w : all) text += (text.empty() ? "layout(" : ", ") + w;
    return text.empty() ? text : text + ") ";
  };
  std::string text = layout(words);
  text += b.kind == BlockKind::Uniform || b.kind == BlockKind::PushConstant ? "uniform " : "buffer ";
  text += b.name + " {\n";
  for (const BlockMember& m : b.members) {
    std::vector<std::string> of;
    if (m.major != BlockMajor::Inherited) of.push_back(majorWord(m.major));
    if (m.offset >= 0) of.push_back("offset = " + std::to_string(m.offset));
    if (m.align != 0) of.push_back("align = " + std::to_string(m.align));
    text += "  " + layout(of) + typeName(m.type) + " " + m.name + dimensions(m.type) + ";\n";
  }
  return text + (b.kind == BlockKind::Reference ? "};\n" : "} " + lower(b.name) + ";\n");
}

std::string BlockDeclarations::text() const {
  std::string text = structsText();
  if (!options_.executable)
    text += "layout(" + std::string(packingWord(uniformDefault_)) + ", " + majorWord(uniformMajor_) +
            ") uniform;\n" + "layout(" + packingWord(bufferDefault_) + ", " + majorWord(bufferMajor_) +
            ") buffer;\n";
  std::string references;
  for (uint32_t i = 0; i < blocks_.size(); ++i) {
    text += blockText(blocks_[i], i);
    if (blocks_[i].kind == BlockKind::Reference)
      references += " " + blocks_[i].name + " r" + std::to_string(i) + ";";
  }
  if (!references.empty())
    text += "layout(binding = " + std::to_string(blocks_.size()) + ") buffer References {" + references +
            " } references;\n";
  return text;
}

}  // namespace coopc::tests
