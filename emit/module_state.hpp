// State that all parts of an emission share: the program, the module, its declarations, and errors. The parts
// are Types, Constants, Variables and Intrinsics (declarations.hpp), and the Emitter itself; each has its own
// state.
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
#include "spirv/grammar.hpp"

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
  bool physicalAddressing = false;  ///< whether there are pointers of class PhysicalStorageBuffer
  DebugInfo* debug = nullptr;       ///< for stepping through the source in debuggers
  SourceLoc currentLoc;       ///< of the statement being emitted, for messages that have no other location
  std::vector<Word> scratch;  ///< operand lists under construction; users keep a mark and truncate
  Words scratchFrom(size_t mark) const { return Words(scratch).subspan(mark); }

  // Required capabilities and extensions are read from the tables of SPIR-V's grammar; emission only names
  // what it uses.

  /// Declares the capability and, if this version of SPIR-V lacks it, the extension that provides it. If
  /// several extensions do: the one of `vendor` ("NV"), KHR's, or the first.
  void capability(spv::Capability c, std::string_view vendor = {}) {
    if (!b.hasCapability(c) || foreignCapabilities_) declare(c, vendor);
  }
  /// The same for an instruction or another enumerant: its capability, if the grammar leaves no choice, and
  /// the extension.
  void declareFor(spv::Op opcode);
  void declareFor(spirv::OperandKind kind, uint32_t enumerant);
  /// Declares the extension alone, for changes that need no capability.
  void declareExtensionOf(spv::Capability c);
  /// Declares a capability that the program itself names, as it does its extensions
  /// (GL_EXT_spirv_intrinsics).
  void foreignCapability(spv::Capability c) {
    b.capability(c);
    foreignCapabilities_ = true;
  }
  /// An instruction set that devices may ignore. The grammar does not list what it needs
  /// (SPV_KHR_non_semantic_info).
  Id nonSemanticSet(std::string_view name);

  /// The module's storage class for a storage class that emission uses internally.
  spv::StorageClass storageClass(spv::StorageClass storage) const {
    return bufferBlocks && storage == spv::StorageClass::StorageBuffer ? spv::StorageClass::Uniform : storage;
  }
  /// Arithmetic, constants or variables of the scalar types of a mask: 8, 16 and 64-bit ones need a
  /// capability each. Loads, stores and width conversions of 8 and 16-bit types in buffers do not need it and
  /// do not call this.
  void useScalars(uint32_t mask) { scalarsUsed_ |= mask; }
  bool usesScalar(Scalar s) const { return (scalarsUsed_ & (1u << static_cast<uint32_t>(s))) != 0; }

  /// Reports something that the emitter cannot express; the module is not used then. `what` is a phrase in
  /// plain words.
  void unsupported(SourceLoc loc, std::string_view what);
  /// Reports a violated invariant, which no program must be able to cause.
  void internalError(std::string_view what);
  bool failed() const { return failed_; }
  /// Reports once that the module exceeds a limit of SPIR-V (2.17).
  void checkLimits(SourceLoc loc);
  /// Reports once that control-flow constructs are nested too deeply, with the limits.
  void reportControlDepth(uint32_t limit);
  /// The same for decorations by number.
  void reportDecorationWords();

 private:
  void declare(spv::Capability c, std::string_view vendor);
  void declareFor(uint16_t rowVersion, spirv::GrammarList capabilities, spirv::GrammarList extensions);

  bool foreignCapabilities_ = false;  ///< some are declared, perhaps without their extensions
  uint32_t scalarsUsed_ = 0;
  bool failed_ = false;
  bool limitReported_ = false;
};

/// Base of the objects that an emission consists of, with short names for what each of them needs.
class Part {
 public:
  ModuleState& module;
  const frontend::Program& program;
  const frontend::Names& names;
  spirv::Builder& b;

  void capability(spv::Capability c) { module.capability(c); }
  void declareFor(spv::Op opcode) { module.declareFor(opcode); }
  void declareFor(spirv::OperandKind kind, uint32_t enumerant) { module.declareFor(kind, enumerant); }
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
