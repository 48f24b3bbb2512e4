// The module writer that emission uses. Each section of the logical layout (SPIR-V 2.4) is one growing word
// buffer, into which instructions are encoded directly. Types and constants are found again by hashing their
// words, so that equal ones share one id (2.8 demands that for types). Nothing is allocated per instruction.
//
// The builder checks only what it alone can see: id bound and instruction length (2.17 universal limits).
// Whether an instruction is valid is the caller's business.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <spirv/unified1/spirv.hpp11>

#include "spirv/id.hpp"
#include "spirv/instructions.hpp"
#include "spirv/universal_limits.hpp"
#include "spirv/words.hpp"

namespace coopc::spirv {

/// The sections of a module, in finish()'s order (SPIR-V 2.4). `Globals` takes types, constants, module-scope
/// variables and OpUndef, with their OpLine.
enum class Section : uint8_t {
  Capabilities,
  Extensions,
  ExtInstImports,
  MemoryModel,
  EntryPoints,
  ExecutionModes,
  Strings,  ///< OpString, OpSource, OpSourceContinued, OpSourceExtension
  Names,    ///< OpName, OpMemberName
  Annotations,
  Globals,
  Functions,
};
inline constexpr unsigned kSectionCount = 11;

class Builder {
 public:
  Builder() = default;

  /// Clears the module, but keeps its memory for the next one.
  void reset();

  /// A fresh id. Beyond the universal limit the ids are no longer unique, and overflow() is set.
  Id id() {
    if (nextId_ >= kMaxIdBound) {
      overflow_ = true;
      return Id(kMaxIdBound - 1);
    }
    return Id(nextId_++);
  }
  /// One more than the highest id handed out.
  uint32_t bound() const { return nextId_; }

  /// True if a universal limit was exceeded (the id bound, or an instruction of more than 65,535 words). The
  /// module must not be used then. Instructions that are too long are left out.
  bool overflow() const { return overflow_; }

  // --- Instructions ----------------------------------------------------------------------------------------
  // Instructions are made by the names of their operands (spirv/operand_fields.hpp), for a view `Op` of
  // spirv/instructions.hpp, or for one of several opcodes with the same operands:
  //
  //     b.make<op::Store>(Section::Functions, {.pointer = variable, .object = value});
  //     const Id array = b.type<op::TypeArray>({.elementType = element, .length = length});
  //
  // An instruction with a result has a fresh result id, which is returned.
  template <MakesTypedResult Op>
  Id make(Section section, NamedId type, const typename Op::Fields& fields = {}) {
    return opResult(section, Op::kOp, type, Operands(fields.words()));
  }
  template <class Op>
  Id make(Section section, spv::Op opcode, NamedId type, const typename Op::Fields& fields) {
    return opResult(section, opcode, type, Operands(fields.words()));
  }
  template <MakesNothing Op>
  void make(Section section, const typename Op::Fields& fields = {}) {
    op(section, Op::kOp, Operands(fields.words()));
  }
  template <MakesNothing Op>
  void make(Section section, spv::Op opcode, const typename Op::Fields& fields) {
    op(section, opcode, Operands(fields.words()));
  }

  /// With a result id that was assigned before (forward references: labels, functions, loop phis).
  template <MakesTypedResult Op>
  void makeWithId(Section section, NamedId type, NamedId result, const typename Op::Fields& fields = {}) {
    opWithId(section, Op::kOp, type, result, Operands(fields.words()));
  }
  template <MakesResult Op>
  void makeWithId(Section section, Id result, const typename Op::Fields& fields = {}) {
    opWithId(section, Op::kOp, result, Operands(fields.words()));
  }

  /// For opcodes and operands that are found at run time: an instruction with all of its operands given,
  /// including its type and result ids if it has them.
  void op(Section section, spv::Op opcode, Operands operands);

  /// An instruction with a type and a fresh result id, which is returned.
  Id opResult(Section section, spv::Op opcode, NamedId type, Operands operands);

  void opWithId(Section section, spv::Op opcode, NamedId type, NamedId result, Operands operands);
  void opWithId(Section section, spv::Op opcode, Id result, Operands operands);

  /// An instruction written piece by piece: beginOp, any number of push, endOp. Other instructions may be
  /// written to OTHER sections in between.
  void beginOp(Section section, spv::Op opcode);
  void push(Word word) { sections_[openSection_].push(word); }
  void push(Operands words) {
    for (Word word : words) push(word);
  }
  void endOp();

  // --- Preamble and debug information ----------------------------------------------------------------------
  // Declared once, however often it is requested, in the order of the first request.
  void capability(spv::Capability capability);
  bool hasCapability(spv::Capability capability) const;
  void extension(std::string_view name);
  Id extInstSet(std::string_view name);

  void memoryModel(spv::AddressingModel addressing, spv::MemoryModel memory);
  void entryPoint(spv::ExecutionModel model, Id function, std::string_view name,
                  std::span<const Id> interface);

  void name(Id target, std::string_view text);
  void memberName(Id type, uint32_t member, std::string_view text);
  void decorate(Id target, spv::Decoration decoration, std::initializer_list<Word> operands = {});
  void memberDecorate(Id type, uint32_t member, spv::Decoration decoration,
                      std::initializer_list<Word> operands = {});
  /// OpString; equal texts share one id. A text that does not fit into one instruction is truncated.
  Id string(std::string_view text);
  /// OpSource with the text, in as many OpSourceContinued as it needs. If `file` is none, neither is written.
  void source(spv::SourceLanguage language, uint32_t version, Id file, std::string_view text);
  /// OpLine may be written with an index in place of its file. This replaces each index by ids[index], in the
  /// whole module, so that the ids of strings can come last and line information does not change any other
  /// id.
  void setLineFiles(std::span<const Id> ids);

  // --- Types and constants ---------------------------------------------------------------------------------
  // An instruction without a result type (OpType...) in Globals. Instructions with equal operands share one
  // id. Structures, and other types that carry decorations (arrays with ArrayStride), need uniqueType()
  // instead.
  template <MakesResult Op>
  Id type(const typename Op::Fields& fields = {}) {
    return type(Op::kOp, Operands(fields.words()));
  }
  Id type(spv::Op opcode, Operands operands);
  template <MakesResult Op>
  Id uniqueType(const typename Op::Fields& fields) {
    const Id result = id();
    typeWithId<Op>(result, fields);
    return result;
  }
  /// OpTypeForwardPointer for an id that a later typeWithId defines.
  void forwardPointer(Id pointerType, spv::StorageClass storage);
  template <MakesResult Op>
  void typeWithId(Id result, const typename Op::Fields& fields) {
    makeWithId<Op>(Section::Globals, result, fields);
  }

  /// An instruction with a result type in Globals (OpConstant..., OpUndef, OpSpecConstantOp), shared by equal
  /// words.
  template <MakesTypedResult Op>
  Id constant(NamedId type, const typename Op::Fields& fields = {}) {
    return constant(Op::kOp, type, Operands(fields.words()));
  }
  template <class Op>
  Id constant(spv::Op opcode, NamedId type, const typename Op::Fields& fields) {
    return constant(opcode, type, Operands(fields.words()));
  }
  Id constant(spv::Op opcode, NamedId type, Operands operands);
  /// Never shared: specialization constants with a SpecId, module-scope variables.
  template <MakesTypedResult Op>
  Id uniqueConstant(NamedId type, const typename Op::Fields& fields = {}) {
    return make<Op>(Section::Globals, type, fields);
  }
  template <class Op>
  Id uniqueConstant(spv::Op opcode, NamedId type, const typename Op::Fields& fields) {
    return make<Op>(Section::Globals, opcode, type, fields);
  }

  Id typeVoid() { return type<op::TypeVoid>(); }
  Id typeBool() { return type<op::TypeBool>(); }
  Id typeInt(uint32_t width, bool isSigned) {
    return type<op::TypeInt>({.width = width, .signedness = isSigned ? 1u : 0u});
  }
  Id typeFloat(uint32_t width) { return type<op::TypeFloat>({.width = width}); }
  /// With a floating-point encoding (bfloat16, float8, microscaling formats).
  Id typeFloat(uint32_t width, uint32_t encoding) {
    return type<op::TypeFloat>({.width = width, .floatingPointEncoding = encoding});
  }
  Id typeVector(Id component, uint32_t count) {
    return type<op::TypeVector>({.componentType = component, .componentCount = count});
  }
  Id typeMatrix(Id column, uint32_t count) {
    return type<op::TypeMatrix>({.columnType = column, .columnCount = count});
  }
  Id typePointer(spv::StorageClass storage, Id pointee) {
    return type<op::TypePointer>({.storageClass = storage, .type = pointee});
  }
  Id typeFunction(Id result, Operands parameters);

  Id constantBool(bool value) {
    const Id type = typeBool();
    return value ? constant<op::ConstantTrue>(type) : constant<op::ConstantFalse>(type);
  }
  Id constantU32(uint32_t value) {
    const Id type = typeInt(32, false);
    return constant<op::Constant>(type, {.value = {value}});
  }
  Id constantI32(int32_t value) {
    const Id type = typeInt(32, true);
    return constant<op::Constant>(type, {.value = {uint32_t(value)}});
  }
  Id constantNull(Id type) { return constant<op::ConstantNull>(type); }

  // --- Functions -------------------------------------------------------------------------------------------
  // OpFunction with a result id that was taken before (so that calls may precede the body). One at a time.
  void beginFunction(NamedId result, NamedId resultType, spv::FunctionControlMask control,
                     NamedId functionType);
  Id parameter(Id type);
  /// OpLabel with an id that was assigned before. The first one of a function begins its entry block.
  void label(Id block);
  /// An OpVariable of storage class Function. It is moved to the head of the entry block (SPIR-V 2.4),
  /// wherever it is requested. `initializer` may be none.
  Id localVariable(NamedId pointerType, NamedId initializer);
  Id localVariable(NamedId pointerType) {
    constexpr Id none;
    return localVariable(pointerType, none);
  }
  void endFunction();
  bool inFunction() const { return inFunction_; }

  /// The words of a section so far.
  const WordBuffer& words(Section section) const { return sections_[unsigned(section)]; }

  /// Replaces the instructions of all functions.
  void replaceFunctions(Operands instructions);

  /// The whole module: the header (`version` as in its second word, 0x00010600 for 1.6) and the sections.
  std::vector<uint32_t> finish(uint32_t version, uint32_t generator) const;

 private:
  struct Slot {
    uint32_t hash = 0;
    uint32_t at = 0;  ///< word offset into the section, plus one; 0 is an empty slot
    Section section = Section::Globals;
  };
  /// An instruction that ends with a text, which is packed in place, because names are frequent.
  void opText(Section section, spv::Op opcode, std::initializer_list<Word> before, std::string_view text);
  /// Finds an instruction in `section` that has this type and these operands, whatever its result id is, or
  /// writes it.
  Id intern(Section section, spv::Op opcode, Id type, bool hasType, Operands operands);
  void growSlots();
  bool fits(size_t words);

  /// Up to this many capabilities and extensions are searched one by one; few modules have more.
  static constexpr uint32_t kSearched = 64;

  WordBuffer sections_[kSectionCount];
  WordBuffer locals_;         ///< the current function's OpVariables
  size_t localsAt_ = 0;       ///< their place in Functions; 0 until the entry block has its label
  unsigned openSection_ = 0;  ///< beginOp's section
  size_t openAt_ = 0;         ///< where its instruction starts
  std::unordered_set<uint32_t> laterCapabilities_;  ///< after the first kSearched
  std::unordered_set<std::string> laterExtensions_;
  uint32_t extensionCount_ = 0;
  std::vector<Slot> slots_;  ///< power of two, open addressing
  size_t slotsUsed_ = 0;
  uint32_t nextId_ = 1;
  bool overflow_ = false;
  bool inFunction_ = false;
};

}  // namespace coopc::spirv
