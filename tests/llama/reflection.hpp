// Bindings of a compute module: buffers with the kind of their elements, and its push constants member by
// member.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coopc::tests::llama {

/// The type of a number in a buffer. Packed: a structure of quantized weights, or 8- and 16-bit integers that
/// are parts of one.
enum class Element { F16, F32, F64, I32, I64, Packed };

struct BoundBuffer {
  uint32_t set = 0;
  uint32_t binding = 0;
  bool uniform = false;
  /// For all blocks that share the binding; numbers take precedence over structures that alias them.
  Element element = Element::Packed;
  bool written = false;  ///< a block of the binding is not declared readonly
};

struct PushMember {
  std::string name;  ///< "ne00", of nested structures "rope.ne00", of array elements "nb[0][1]"
  uint32_t offset = 0;
  uint32_t bytes = 4;
  bool isFloat = false;
};

struct SpecConstant {
  uint32_t id = 0;  ///< its SpecId
  std::string name;
  bool localSize = false;  ///< of dimension x
};

struct Reflection {
  std::vector<BoundBuffer> buffers;         ///< one for each set and binding
  bool otherBindings = false;               ///< images and samplers, which no shader of llama.cpp has
  std::vector<SpecConstant> specConstants;  ///< one for each SpecId
  std::vector<PushMember> push;
  uint32_t pushBytes = 0;
};

/// For a module with names (not optimized, not stripped). Returns an empty string, or why it cannot be read.
std::string reflect(std::span<const uint32_t> words, Reflection& result);

}  // namespace coopc::tests::llama
