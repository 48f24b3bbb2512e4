// Which functions are emitted, in which order, and how their parameters are passed.
#pragma once

#include "emit/module_state.hpp"

namespace coopc::emit {

/// A flag of FunctionInstance::formats.
constexpr uint32_t kFromHeap = 1u << 31;

/// An instance of a function. A function is emitted once, or once for each set of argument properties that
/// SPIR-V's types express and GLSL's parameters do not. For a storage image the number is its format, which
/// is part of the image's type in SPIR-V but not of a parameter's declaration in GLSL. kFromHeap is set for
/// an element of a descriptor heap, whose pointer is untyped. For a parameter of a spirv_type the number is
/// the storage class of the passed variable.
struct FunctionInstance {
  FnId function;
  Id id;
  std::vector<uint32_t> formats;  ///< indexed by parameter; empty if as declared
};

/// Functions are emitted if an emitted function calls them, in the order of the first calls.
class FunctionQueue : public Part {
 public:
  explicit FunctionQueue(ModuleState& m);

  /// The id of a function, which is put on the list of those to emit. Also for callbacks of built-ins.
  Id idOf(FnId f);
  Id idOf(FnId f, std::span<const uint32_t> formats);

  bool empty() const { return next_ == instances_.size(); }
  /// The next function to emit; valid until idOf() is called.
  const FunctionInstance& front() const { return instances_[next_]; }
  void pop() { ++next_; }
  /// Records that an instance of the function is emitted. True if another instance was emitted before.
  bool begin(FnId f);

 private:
  IdVector<FnId, Id> ids_;
  std::vector<FunctionInstance> instances_;
  size_t next_ = 0;
  IdVector<FnId, uint8_t> begun_;
};

/// Whether a parameter is passed as a pointer: `out`, `inout`, resources, and types that cannot be values.
bool passedByPointer(const frontend::Program& program, const frontend::Variable& parameter);
/// Whether a parameter is only ever used whole and never written: it needs no variable.
bool usedAsValue(const frontend::Program& program, const frontend::Variable& parameter);
/// The storage class of the object that a parameter of an opaque type points to.
spv::StorageClass opaqueStorage(const frontend::Program& program, TypeId t);
/// A type of GL_EXT_spirv_intrinsics, or an array of them.
bool isIntrinsicType(const frontend::Program& program, TypeId t);

}  // namespace coopc::emit
