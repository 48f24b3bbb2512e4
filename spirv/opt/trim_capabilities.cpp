// Removes declarations of capabilities and extensions whose only uses the passes have removed.
//
// For opcodes and enumerants the grammar has the capabilities and extensions that enable them. Widths of
// types have further requirements (SPIR-V 2.16.1, 3.31), which a table here lists. If neither of these
// explains a declaration in the original module, it is kept, used or not: some rules are only in prose, and a
// user may have reasons for it. If several declared capabilities would do, all of them are kept. An extension
// is removed with the last of the capabilities that it provides, if the original module declares one of them.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"

namespace coopc::spirv {
namespace {

using spv::Capability;

// Properties of a module that no single row of the grammar has.
constexpr uint32_t kInt8 = 1, kAny8 = 2, kInt16 = 4, kFloat16 = 8, kAny16 = 16, kInt64 = 32, kFloat64 = 64,
                   kBFloat16 = 128, kFloat8 = 256, kMatrix = 512, kDotProduct = 1024, kLongVector = 2048,
                   kMatrixMemory = 4096, kDot = 8192, kConversion = 16384;

// The capability is needed as long as the module has one of `needs`, and `also` if that is not 0; narrower
// rules are not considered.
struct Row {
  Capability capability;
  uint32_t needs;
  uint32_t also = 0;
};
constexpr Row kRows[] = {
    {Capability::Int8, kInt8},
    {Capability::StorageBuffer8BitAccess, kAny8},
    {Capability::UniformAndStorageBuffer8BitAccess, kAny8},
    {Capability::StoragePushConstant8, kAny8},
    {Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR, kAny8},
    {Capability::Int16, kInt16},
    {Capability::Float16, kFloat16},
    {Capability::StorageBuffer16BitAccess, kAny16},
    {Capability::UniformAndStorageBuffer16BitAccess, kAny16},
    {Capability::StoragePushConstant16, kAny16},
    {Capability::StorageInputOutput16, kAny16},
    {Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR, kAny16},
    {Capability::Int64, kInt64},
    {Capability::Int64Atomics, kInt64},
    {Capability::Float64, kFloat64},
    {enums::CapabilityBFloat16TypeKHR, kBFloat16},
    {enums::CapabilityBFloat16DotProductKHR, kBFloat16, kDot},
    {enums::CapabilityBFloat16CooperativeMatrixKHR, kBFloat16, kMatrix},
    {enums::CapabilityFloat8EXT, kFloat8},
    {enums::CapabilityFloat8CooperativeMatrixEXT, kFloat8},
    // A conversion of components may also change the use.
    {Capability::CooperativeMatrixConversionsNV, kMatrix, kConversion},
    {enums::CapabilityCooperativeMatrixConversionsEXT, kMatrix, kConversion},
    // The layout is the <id> of a constant, perhaps a specialization constant, so the grammar lists no
    // capability for its values.
    {Capability::CooperativeMatrixLayoutsARM, kMatrixMemory},
    {Capability::DotProductInputAll, kDotProduct},
    {Capability::DotProductInput4x8Bit, kDotProduct},
    // An OpTypeVector with more than four components.
    {enums::CapabilityLongVectorEXT, kLongVector},
};

// Requirements in prose: pointers in phis and selections, modules without entry points, images of 64-bit
// integers.
constexpr Capability kKept[] = {Capability::Shader, Capability::Linkage, Capability::VariablePointers,
                                Capability::VariablePointersStorageBuffer, Capability::Int64ImageEXT};

struct Declared {
  uint32_t instruction;
  uint32_t capability = 0;     // of a declaration of a capability
  std::string_view extension;  // of a declaration of an extension: its name
  bool needed = false;
};

bool isKept(const Declared& d) {
  return d.extension.empty() &&
         std::find(std::begin(kKept), std::end(kKept), Capability(d.capability)) != std::end(kKept);
}

GrammarList extensionsOf(uint32_t capability) {
  const EnumerantInfo* info = enumerantInfo(OperandKind::Capability, capability);
  return info == nullptr ? GrammarList{} : info->extensionList;
}

// Marks the extensions that provide a capability.
void needExtensionsOf(uint32_t capability, std::vector<Declared>& declared) {
  for (const uint32_t at : grammarExtensions(extensionsOf(capability))) {
    const std::string_view name = extensionName(at);
    for (Declared& d : declared) d.needed = d.needed || d.extension == name;
  }
}

// Stops when a need has been found for everything that could be removed.
class CapabilityUses {
 public:
  // Marks what the module needs of `declared`.
  CapabilityUses(const Module& module, std::vector<Declared>& declared) : m_(module), declared_(declared) {
    for (const Declared& d : declared) {
      open_ += isKept(d) ? 0 : 1;
      hasShader_ = hasShader_ || (d.extension.empty() && Capability(d.capability) == Capability::Shader);
    }
    for (const Instruction& i : m_.instructions) {
      if (open_ == 0) break;
      if (i.opcode < seen_.size() && seen_[i.opcode] == kPlain) continue;  // most instructions
      instruction(i);
    }
  }

 private:
  void need(Declared& d) {
    if (d.needed) return;
    d.needed = true;
    if (!isKept(d)) --open_;
    // A capability that is kept keeps its extensions.
    if (d.extension.empty()) extensions(extensionsOf(d.capability));
  }

  void instruction(const Instruction& i) {
    uint8_t& seen = seenOf(i.opcode);
    if (seen == kPlain) return;
    const OpInfo* info = opInfo(i.opcode);
    if (info == nullptr) return;
    if (seen == kNew) {
      capabilities(info->capabilityList);
      extensions(info->extensionList);
      feature(i);
      seen = kPlain;
      for (const OperandInfo& operand : grammarOperands(info->operandList)) {
        const bool enumerant = isValueEnum(operand.kind) || isBitEnum(operand.kind) ||
                               operand.kind == OperandKind::LiteralSpecConstantOpInteger;
        if (enumerant) seen = kEveryOne;
      }
      if (i.op() == spv::Op::OpTypeInt || i.op() == spv::Op::OpTypeFloat || i.op() == spv::Op::OpTypeVector ||
          i.op() == spv::Op::OpExtInstImport)
        seen = kEveryOne;
      if (seen == kPlain) return;
    }
    if (!isKnown(i)) operands(i, *info);
  }

  uint8_t& seenOf(uint16_t opcode) {
    if (opcode < seen_.size()) return seen_[opcode];
    for (auto& [high, seen] : seenHigh_) {
      if (high == opcode) return seen;
    }
    return seenHigh_.emplace_back(opcode, uint8_t{kNew}).second;
  }

  bool usesStorage(spv::StorageClass storage) {
    once(storageClasses_, OperandKind::StorageClass, uint32_t(storage));
    return true;
  }

  // Handles a frequent instruction without walking its operands by the grammar. False if it is another one.
  bool isKnown(const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeVector: feature(i); return true;
      case spv::Op::OpTypeFloat: feature(i); return i.length == 3;
      case spv::Op::OpCapability:
      case spv::Op::OpSource: return true;
      // Sets of instructions that an extension brings have its name.
      case spv::Op::OpExtInstImport: extensionOf(op::ExtInstImport(m_, i)); return true;
      case spv::Op::OpLoad: return isKnownMask(i, 4);
      case spv::Op::OpStore: return isKnownMask(i, 3);
      case spv::Op::OpSelectionMerge: return isKnownMask(i, 2);
      case spv::Op::OpLoopMerge: return isKnownMask(i, 3);
      case spv::Op::OpFunction: return isKnownMask(i, 3);
      case spv::Op::OpCooperativeMatrixLoadKHR: return isKnownMask(i, 6);
      case spv::Op::OpCooperativeMatrixStoreKHR: return isKnownMask(i, 5);
      case spv::Op::OpCooperativeMatrixMulAddKHR: return isKnownMask(i, 6);
      case spv::Op::OpTypePointer: return usesStorage(op::TypePointer(m_, i).storageClass());
      case spv::Op::OpTypeForwardPointer: return usesStorage(op::TypeForwardPointer(m_, i).storageClass());
      case spv::Op::OpVariable: return usesStorage(op::Variable(m_, i).storageClass());
      case spv::Op::OpDecorate: return isKnownDecoration(i, 2);
      case spv::Op::OpMemberDecorate: return isKnownDecoration(i, 3);
      case spv::Op::OpEntryPoint:
        enumerant(OperandKind::ExecutionModel, uint32_t(op::EntryPoint(m_, i).executionModel()));
        return true;
      case spv::Op::OpExecutionMode: {
        const spv::ExecutionMode mode = op::ExecutionMode(m_, i).mode();
        if (mode != spv::ExecutionMode::LocalSize) return false;
        enumerant(OperandKind::ExecutionMode, uint32_t(mode));
        return true;
      }
      default: return false;
    }
  }

  // `at`: the word with the mask, if there is one. A mask decides by itself what its opcode needs, as the
  // operands of its bits are ids and numbers. False for one that the opcode has not had before.
  bool isKnownMask(const Instruction& i, uint32_t at) {
    const uint32_t mask = m_.word(i, at);
    if (mask == 0) return true;
    for (const auto& [op, known] : masks_)
      if (op == i.opcode && known == mask) return true;
    masks_.emplace_back(i.opcode, mask);
    return false;
  }

  // `at`: the word with the decoration. False for decorations with several literals, or with an enumerant
  // other than a BuiltIn, whose operands must be walked.
  bool isKnownDecoration(const Instruction& i, uint32_t at) {
    const uint32_t decoration = m_.word(i, at);
    const bool builtIn = decoration == uint32_t(spv::Decoration::BuiltIn);
    if (i.length > at + 2 || (takesEnumerant(decoration) && !builtIn)) return false;
    once(decorations_, OperandKind::Decoration, decoration);
    if (builtIn) enumerant(OperandKind::BuiltIn, m_.word(i, at + 1));
    return true;
  }

  // Handles an enumerant unless it has been handled before: `seen` has a bit for each small value.
  void once(uint64_t& seen, OperandKind kind, uint32_t value) {
    const uint64_t bit = value < 64 ? uint64_t(1) << value : 0;
    if ((seen & bit) != 0) return;
    seen |= bit;
    enumerant(kind, value);
  }

  static bool takesEnumerant(uint32_t decoration) {
    switch (spv::Decoration(decoration)) {
      case spv::Decoration::BuiltIn:
      case spv::Decoration::FuncParamAttr:
      case spv::Decoration::FPRoundingMode:
      case spv::Decoration::FPFastMathMode:
      case spv::Decoration::LinkageAttributes: return true;
      default: return decoration >= 64;
    }
  }

  void operands(const Instruction& i, const OpInfo& grammar) {
    visitOperands(grammar, m_.at(i), i.length, m_.switchWords(i),
                  [&](OperandKind kind, uint32_t at, uint32_t) {
                    if (isIdKind(kind)) return;
                    const uint32_t value = m_.at(i)[at];
                    if (kind == OperandKind::LiteralSpecConstantOpInteger) {
                      if (const OpInfo* inner = opInfo(value)) capabilities(inner->capabilityList);
                    } else if (isValueEnum(kind)) {
                      enumerant(kind, value);
                    } else if (isBitEnum(kind)) {
                      for (uint32_t rest = value; rest != 0; rest &= rest - 1)
                        enumerant(kind, rest & (~rest + 1));
                    }
                  });
  }

  void enumerant(OperandKind kind, uint32_t value) {
    const EnumerantInfo* info = enumerantInfo(kind, value);
    if (info == nullptr) return;
    capabilities(info->capabilityList);
    extensions(info->extensionList);
  }

  // Marks the capabilities whose row in kRows the module now fulfills.
  void feature(const Instruction& i) {
    const uint32_t has = featuresOf(i) & ~has_;
    if (has == 0) return;
    has_ |= has;
    for (const Row& row : kRows) {
      if ((row.needs & has_) == 0 || (row.also & ~has_) != 0 || ((row.needs | row.also) & has) == 0) continue;
      for (Declared& d : declared_) {
        if (d.extension.empty() && Capability(d.capability) == row.capability) need(d);
      }
    }
  }

  uint32_t featuresOf(const Instruction& i) const {
    switch (i.op()) {
      case spv::Op::OpTypeInt: {
        const uint32_t width = op::TypeInt(m_, i).width();
        return width == 8 ? kInt8 | kAny8 : width == 16 ? kInt16 | kAny16 : width == 64 ? kInt64 : 0;
      }
      case spv::Op::OpTypeFloat: {
        const op::TypeFloat real(m_, i);
        const uint32_t width = real.width();
        const uint32_t any = width <= 8 ? kAny8 : width == 16 ? kAny16 : 0;
        if (real.floatingPointEncoding()) return any | (width == 16 ? kBFloat16 : width == 8 ? kFloat8 : 0);
        return any | (width == 16 ? kFloat16 : width == 64 ? kFloat64 : 0);
      }
      case spv::Op::OpTypeVector: return op::TypeVector(m_, i).componentCount() > 4 ? kLongVector : 0;
      case spv::Op::OpTypeCooperativeMatrixKHR: return kMatrix;
      case spv::Op::OpCooperativeMatrixLoadKHR:
      case spv::Op::OpCooperativeMatrixStoreKHR: return kMatrixMemory;
      case spv::Op::OpDot: return kDot;
      case spv::Op::OpConvertFToU:
      case spv::Op::OpConvertFToS:
      case spv::Op::OpConvertSToF:
      case spv::Op::OpConvertUToF:
      case spv::Op::OpUConvert:
      case spv::Op::OpSConvert:
      case spv::Op::OpFConvert:
      case spv::Op::OpBitcast: return kConversion;
      case spv::Op::OpSDot:
      case spv::Op::OpUDot:
      case spv::Op::OpSUDot:
      case spv::Op::OpSDotAccSat:
      case spv::Op::OpUDotAccSat:
      case spv::Op::OpSUDotAccSat: return kDotProduct;
      default: return 0;
    }
  }

  // Marks capabilities, one of which is needed: those that are declared themselves, otherwise those that
  // imply one.
  void capabilities(GrammarList list) {
    const auto any = grammarCapabilities(list);
    // Shader, which most rows require, is always kept.
    if (any.empty() || (any.size() == 1 && Capability(any[0]) == Capability::Shader && hasShader_)) return;
    bool found = false;
    for (Declared& d : declared_) {
      if (!d.extension.empty() || std::find(any.begin(), any.end(), d.capability) == any.end()) continue;
      need(d);
      found = true;
    }
    if (found) return;
    for (Declared& d : declared_) {
      if (d.extension.empty() && implies(d.capability, any, 0)) need(d);
    }
  }

  static bool implies(uint32_t capability, std::span<const uint16_t> any, int depth) {
    const EnumerantInfo* info = enumerantInfo(OperandKind::Capability, capability);
    if (info == nullptr || depth > 8) return false;
    for (uint16_t implied : grammarCapabilities(info->capabilityList)) {
      if (std::find(any.begin(), any.end(), implied) != any.end() || implies(implied, any, depth + 1))
        return true;
    }
    return false;
  }

  void extensionOf(const op::ExtInstImport& set) {
    for (Declared& d : declared_)
      if (d.extension == set.name()) need(d);
  }

  void extensions(GrammarList list) {
    for (uint32_t at : grammarExtensions(list)) {
      const std::string_view name = extensionName(at);
      for (Declared& d : declared_) {
        if (d.extension == name) need(d);
      }
    }
  }

  enum : uint8_t { kNew, kPlain, kEveryOne };  // nothing seen yet; no operand matters; operands of each
                                               // instruction matter

  const Module& m_;
  std::vector<Declared>& declared_;
  size_t open_ = 0;                  // declared, not kept, and without a known need so far
  bool hasShader_ = false;           // it is declared
  std::array<uint8_t, 512> seen_{};  // by opcode; for opcodes of extensions:
  std::vector<std::pair<uint16_t, uint8_t>> seenHigh_;
  std::vector<std::pair<uint16_t, uint32_t>> masks_;  // those seen, by opcode
  uint64_t storageClasses_ = 0, decorations_ = 0;     // those seen, as bits
  uint32_t has_ = 0;
};

// The declarations of a module.
std::vector<Declared> declarations(const Module& module) {
  std::vector<Declared> declared;
  for (uint32_t n = 0; n < module.functionsAt; ++n) {
    const Instruction& i = module.instructions[n];
    if (const auto capability = as<op::Capability>(module, i)) {
      declared.push_back({n, uint32_t(capability.capability()), {}});
    } else if (const auto extension = as<op::Extension>(module, i)) {
      declared.push_back({n, 0, extension.name()});
    } else if (i.op() == spv::Op::OpMemoryModel) {
      break;
    }
  }
  return declared;
}

bool isKernel(const std::vector<Declared>& declared) {
  return std::any_of(declared.begin(), declared.end(), [](const Declared& d) {
    return d.extension.empty() && Capability(d.capability) == Capability::Kernel;
  });
}

// The declarations, marked if the module needs them. None if nothing may be removed.
std::vector<Declared> withNeeds(const Module& module) {
  std::vector<Declared> declared = declarations(module);
  if (isKernel(declared)) return {};
  { const CapabilityUses after(module, declared); }
  for (Declared& d : declared) {
    if (!isKept(d)) continue;
    d.needed = true;
    needExtensionsOf(d.capability, declared);
  }
  return declared;
}

bool contains(const auto& list, const auto& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool areAllNeeded(const std::vector<Declared>& declared) {
  return std::all_of(declared.begin(), declared.end(), [](const Declared& d) { return d.needed; });
}

// `before` has the same declarations, marked if the original module needs them.
bool removeUnneeded(Module& module, std::vector<Declared>& declared, const std::vector<Declared>& before) {
  // Capabilities without any known need in the original module are kept, with their extensions.
  for (size_t k = 0; k < declared.size(); ++k) {
    if (declared[k].extension.empty() && !declared[k].needed && !before[k].needed)
      needExtensionsOf(declared[k].capability, declared);
  }
  bool changed = false;
  for (size_t k = 0; k < declared.size(); ++k) {
    if (declared[k].needed || !before[k].needed) continue;
    module.instructions[declared[k].instruction].opcode = uint16_t(spv::Op::OpNop);
    changed = true;
  }
  if (changed) module.compact();
  return changed;
}

}  // namespace

ExplainedDeclarations explainedDeclarations(const Module& module) {
  std::vector<Declared> declared = declarations(module);
  { const CapabilityUses needs(module, declared); }
  for (const Declared& d : declared) {
    if (d.extension.empty()) needExtensionsOf(d.capability, declared);
  }
  ExplainedDeclarations explained;
  for (const Declared& d : declared) {
    if (!d.needed) continue;
    if (d.extension.empty())
      explained.capabilities.push_back(d.capability);
    else
      explained.extensions.emplace_back(d.extension);
  }
  return explained;
}

bool trimCapabilities(Module& module, std::span<const uint32_t> original) {
  return trimCapabilities(module, original, {});
}

bool trimCapabilities(Module& module, std::span<const uint32_t> original,
                      const ExplainedDeclarations& before) {
  std::vector<Declared> declared = withNeeds(module);
  if (areAllNeeded(declared)) return false;
  const std::optional<Module> read = indexModule(original);
  if (!read) return false;
  const Module& source = *read;
  std::vector<Declared> marked = declared;
  for (Declared& d : marked) d.needed = false;
  { const CapabilityUses needs(source, marked); }
  for (const Declared& d : declarations(source)) {
    if (d.extension.empty()) needExtensionsOf(d.capability, marked);
  }
  for (Declared& d : marked) {
    d.needed = d.needed || (d.extension.empty() ? contains(before.capabilities, d.capability)
                                                : contains(before.extensions, d.extension));
  }
  return removeUnneeded(module, declared, marked);
}

}  // namespace coopc::spirv
