// Shared by the parts of the lowering of cooperative vectors: the module's vector types, and vectors as lists
// of components, in values or in variables.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/control_flow.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower::vectors {

struct VectorType {
  Id type;       ///< in the module a cooperative vector, afterwards an array
  Id component;  ///< an integer or a float
  uint32_t bits = 0;
  bool isFloat = false, isSigned = false;
  bool isHalf = false;  ///< a float of 16 bits in the format of IEEE 754
  uint32_t count = 0;
};

/// Operations on up to this many components are unrolled; beyond, they are loops.
constexpr uint32_t kWrittenOut = 64;

/// A part of this lowering: the writer of the code, and the state that all parts share.
class VectorPart {
 public:
  struct Context {
    Code& code;
    const VectorOptions& options;
    Report& report;
    const std::map<Id, VectorType>& types;
    const ConstantEvaluator& constants;
  };
  explicit VectorPart(const Context& c)
      : code_(c.code),
        m_(c.code.module()),
        o_(c.options),
        report_(c.report),
        types_(c.types),
        constants_(c.constants) {}

 protected:
  const VectorType* typeAt(Id type) const {
    const auto found = types_.find(type);
    return found == types_.end() ? nullptr : &found->second;
  }
  const VectorType* vectorOf(Id value) const { return typeAt(code_.globals.typeOf(value)); }

  /// body(index) for each index below `count`: unrolled, or in a loop that stays a loop.
  template <class Body>
  void repeat(uint32_t count, bool writtenOut, Body&& body) {
    lower::repeat(code_, count, writtenOut, Unroll::No, body);
  }

  /// Always returns true, which tells the walk over the module's instructions that this one is done.
  bool refuse(std::string why) {
    report_.refuse(Refusal::Unsupported, std::move(why));
    return true;
  }
  /// The value of a constant operand; refuses if it has none yet.
  std::optional<uint64_t> constant(Id operand, const char* what) {
    const ConstantValue value = constants_.value(operand);
    if (value.known && !value.byDefault) return value.bits;
    report_.refuse(
        value.known ? Refusal::SizeUnknown : Refusal::Unsupported,
        std::string(what) +
            (value.known ? " depends on a specialization constant that has no value" : " is not a constant"));
    return std::nullopt;
  }

  Code& code_;
  Module& m_;
  const VectorOptions& o_;
  Report& report_;
  const std::map<Id, VectorType>& types_;
  const ConstantEvaluator& constants_;
};

/// The components of a value that is an array. With indices that are not constants, they are read from a
/// variable.
class Components {
 public:
  Components(Code& code, Id array, Id component, NamedId value, bool writtenOut)
      : code_(code), component_(component), value_(value) {
    if (writtenOut) return;
    variable_ = code_.localVariable(array);
    variable_.store(value);
  }
  Id at(const UInt& index) const {
    if (!Id(variable_))
      return code_.extract(component_, value_, {code_.globals.constantValue(index).value_or(0)});
    const Id pointer = code_.access(spv::StorageClass::Function, component_, variable_, {index});
    return code_.load(component_, pointer);
  }

 private:
  Code& code_;
  Id component_, value_;
  Pointer variable_;
};

/// The components of an array that is being made, set in the order of their indices.
class NewComponents {
 public:
  NewComponents(Code& code, Id array, Id component, bool writtenOut)
      : code_(code), array_(array), component_(component) {
    if (!writtenOut) variable_ = code_.localVariable(array);
  }
  void set(const UInt& index, NamedId value) {
    if (!Id(variable_)) {
      values_.push_back(value);
      return;
    }
    const Id pointer = code_.access(spv::StorageClass::Function, component_, variable_, {index});
    code_.store(pointer, value);
  }
  /// A component that was set. Not to be called while others are missing, unless components are unrolled.
  Id at(const UInt& index) const {
    if (!Id(variable_)) return values_[code_.globals.constantValue(index).value_or(0)];
    const Id pointer = code_.access(spv::StorageClass::Function, component_, variable_, {index});
    return code_.load(component_, pointer);
  }
  /// The whole array as `result`.
  void finish(NamedId result) {
    if (Id(variable_)) return code_.makeAs<op::Load>(array_, result, {.pointer = variable_});
    const std::vector<Word> words(values_.begin(), values_.end());
    code_.makeAs<op::CompositeConstruct>(array_, result, {.constituents = words});
  }

 private:
  Code& code_;
  Id array_, component_;
  std::vector<Id> values_;
  Pointer variable_;
};

}  // namespace coopc::spirv::lower::vectors
