// The interpretations of SPV_NV_cooperative_vector (Component Type): numbers of these types, read from memory
// or converted to them. Products are computed in one of two types, 32-bit floats and 32-bit integers.
#pragma once

#include <initializer_list>
#include <optional>
#include <vector>

#include "base/float_format.hpp"
#include "spirv/lower/cooperative_vector/vectors.hpp"

namespace coopc::spirv::lower::vectors {

struct Interpretation {
  bool isFloat = false, isSigned = false;
  bool packed = false;  ///< of an input: several in each 32-bit number
  uint32_t bits = 0;
  FloatFormat format;  ///< of a float
};
std::optional<Interpretation> interpretationOf(uint64_t componentType);

/// The type for computing a product.
enum class Arithmetic : uint8_t { Floats, Integers };

class Numbers : public VectorPart {
 public:
  explicit Numbers(const Context& c) : VectorPart(c) {}

  /// The type by which a number is read from memory.
  Id memoryType(const Interpretation& as);
  /// A number of that type, for the arithmetic. Integers take no floats (callers refuse before).
  Id fromMemory(const Interpretation& as, Arithmetic in, NamedId value);
  /// A component of an input vector, converted to the interpretation, which is not packed.
  Id fromInput(const VectorType& type, bool isSigned, const Interpretation& as, Arithmetic in, NamedId value);
  /// The packed number `part` of a 32-bit one.
  Id fromPacked(const Interpretation& as, Arithmetic in, NamedId word, NamedUInt part);
  /// A result of the arithmetic as a component.
  Id toResult(const VectorType& type, Arithmetic in, NamedId value);

 private:
  Id f32(float value);
  Id glsl(uint32_t function, NamedId type, std::initializer_list<Id> operands);
  Id floatToInteger(const Interpretation& as, NamedId value);
  UInt saturate(bool isSigned, const Interpretation& as, NamedId value);
  struct Function {
    FloatFormat format;
    bool decodes = false;
    Id function;
  };
  Id call(const FloatFormat& format, bool decodes, NamedId value);
  std::vector<Function> functions_;
};

}  // namespace coopc::spirv::lower::vectors
