// What all parts of one emission share: the program that goes in, the module that comes out, what it declares and what went
// wrong. The parts are Types, Constants, Variables and Intrinsics (declarations.hpp), and the Emitter itself; each has a state
// of its own.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "frontend/base/diagnostics.hpp"
#include "frontend/base/options.hpp"
#include "frontend/base/source.hpp"
#include "frontend/program/program.hpp"
#include "spirv/builder.hpp"

namespace coopc::emit {

using frontend::ConstId;
using frontend::FnId;
using frontend::Scalar;
using frontend::SourceLoc;
using frontend::TypeId;
using frontend::TypeInfo;
using frontend::TypeKind;
using frontend::VarId;
using spirv::Id;
using spirv::NamedId;
using spirv::Word;
using Words = std::span<const Word>;

class DebugInfo;

class ModuleState {
 public:
  ModuleState(const frontend::CompileOptions& options, const frontend::Program& program,
              const frontend::Names& names, const frontend::SourceManager& sources,
              frontend::Diagnostics& diagnostics);

  const frontend::CompileOptions& options;
  const frontend::Program& program;
  const frontend::Names& names;
  const frontend::SourceManager& sources;
  frontend::Diagnostics& diagnostics;
  spirv::Builder b;
  const uint32_t version;   ///< of SPIR-V, as in the module header
  const bool vulkanMemory;  ///< the Vulkan memory model
  const bool bufferBlocks;  ///< storage buffers are BufferBlocks of class Uniform, as SPIR-V 1.0 has them
  bool physicalAddressing = false;  ///< there are pointers of PhysicalStorageBuffer
  DebugInfo* debug = nullptr;       ///< where debuggers are to step through the source
  SourceLoc currentLoc;             ///< of the statement being emitted, for messages that know none
  std::vector<Word> scratch;        ///< operand lists under construction; users keep a mark and truncate

  /// Declares an extension that SPIR-V `coreVersion` made part of itself, where the target is older.
  void extensionBelow(uint32_t coreVersion, std::string_view name) {
    if (version < coreVersion) b.extension(name);
  }
  /// The storage class that the module names for one that emission works with.
  spv::StorageClass named(spv::StorageClass storage) const {
    return bufferBlocks && storage == spv::StorageClass::StorageBuffer ? spv::StorageClass::Uniform : storage;
  }
  /// Arithmetic, constants or variables of the scalar types of a mask: 8, 16 and 64-bit ones need a capability each. Loads,
  /// stores and width conversions of 8 and 16-bit types in buffers do without it and do not call this.
  void useScalars(uint32_t mask) { scalarsUsed_ |= mask; }
  bool usesScalar(Scalar s) const { return (scalarsUsed_ & (1u << static_cast<uint32_t>(s))) != 0; }

  /// Something that the emitter cannot express; the module is not used then. `what` is a phrase in plain words.
  void unsupported(SourceLoc loc, std::string_view what);
  /// What must not happen, whatever the program is.
  void internalError(std::string_view what);
  void fail() { failed_ = true; }  ///< for what was reported
  bool failed() const { return failed_; }
  /// Reports, once, what the builder could not write (SPIR-V 2.17).
  void checkLimits(SourceLoc loc);
  /// Constructs of control flow inside each other are too many; reported once, with the limits.
  void reportControlDepth(uint32_t limit);

 private:
  uint32_t scalarsUsed_ = 0;
  bool failed_ = false;
  bool limitReported_ = false;
};

/// One of the objects that an emission consists of. What every part needs has its short name here.
class Part {
 public:
  ModuleState& module;
  const frontend::Program& program;
  const frontend::Names& names;
  spirv::Builder& b;

  void capability(spv::Capability c) { b.capability(c); }
  void extensionBelow(uint32_t coreVersion, std::string_view name) {
    module.extensionBelow(coreVersion, name);
  }
  void useScalar(Scalar s) { module.useScalars(1u << static_cast<uint32_t>(s)); }
  void unsupported(SourceLoc loc, std::string_view what) { module.unsupported(loc, what); }

  TypeInfo info(TypeId t) const { return program.types[t]; }
  TypeKind kind(TypeId t) const { return program.types.kind(t); }
  /// The component type of a basic, matrix or vector-like type.
  Scalar scalarOf(TypeId t) const { return frontend::isBasic(t) ? frontend::basicScalar(t) : info(t).scalar; }

 protected:
  explicit Part(ModuleState& m) : module(m), program(m.program), names(m.names), b(m.b) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;
};

}  // namespace coopc::emit
