// Converts a module to an older version of SPIR-V that the device accepts. If an extension provides what the
// older version lacks, that extension is declared. Everything else is rewritten, or refused by name:
//
//   below 1.4   interfaces of entry points list inputs and outputs only; OpCopyLogical and OpSelect of composites go member by
//               member; OpCopyMemory with operands for both sides becomes a load and a store; loop controls that are
//               hints, NonWritable on variables of functions, and UniformId are dropped
//   without VkPhysicalDeviceMaintenance4Features::maintenance4 (which came with 1.6)
//               LocalSizeId becomes LocalSize, or the built-in constant WorkgroupSize where a size is specialized
#include <algorithm>
#include <array>
#include <optional>

#include "base/spirv_version.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/memory_operands.hpp"

namespace coopc::spirv::lower {
namespace {

class VersionPass {
 public:
  VersionPass(Module& module, const VersionOptions& options, Report& report)
      : m_(module), o_(options), report_(report) {}

  void run() {
    const uint32_t before = m_.version;
    if (!o_.localSizeId) localSizes();
    if (m_.version > o_.version) {
      if (o_.version < 0x00010400) below14();
      m_.version = o_.version;
      extensions();
    }
    if (before != m_.version && !report_.refused()) {
      report_.rewrites.push_back(
          {"SPIR-V " + spirvVersionText(before), "SPIR-V " + spirvVersionText(m_.version)});
    }
  }

 private:
  // --- LocalSizeId ---
  void localSizes() {
    struct Mode {
      uint32_t instruction;
      std::array<Id, 3> ids;
    };
    std::vector<Mode> modes;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpExecutionModeId && i.length == 6 &&
          spv::ExecutionMode(m_.word(i, 2)) == spv::ExecutionMode::LocalSizeId)
        modes.push_back({n, {m_.idAt(i, 3), m_.idAt(i, 4), m_.idAt(i, 5)}});
    }
    if (modes.empty()) return;
    Code code(m_);
    for (const Mode& mode : modes) {
      const Id entry = m_.idAt(m_.instructions[mode.instruction], 1);
      std::array<uint32_t, 3> size{1, 1, 1};
      bool specialized = false;
      for (uint32_t k = 0; k < 3; ++k) {
        const Instruction* c = m_.def(mode.ids[k]);
        if (c != nullptr && (c->op() == spv::Op::OpConstant || c->op() == spv::Op::OpSpecConstant))
          size[k] = m_.word(*c, 3);
        specialized = specialized || c == nullptr || c->op() != spv::Op::OpConstant;
      }
      if (specialized && modes.size() > 1) {
        return report_.refuse(Refusal::Unsupported,
                              "execution mode LocalSizeId is missing, and several entry points have "
                              "specialized sizes of their own");
      }
      if (specialized) workgroupSize(code, mode.ids);
      m_.instructions[mode.instruction] = m_.make(
          spv::Op::OpExecutionMode, {entry, spv::ExecutionMode::LocalSize, size[0], size[1], size[2]});
    }
    code.finish();
    report_.rewrites.push_back({"execution mode LocalSizeId", "execution mode LocalSize"});
  }

  // The built-in takes precedence over LocalSize (Vulkan 15.9).
  static void workgroupSize(Code& code, const std::array<Id, 3>& ids) {
    const Id u32 = code.typeU32();
    const Id vector = code.typeVector(u32, 3);
    const Id size =
        code.constant(spv::Op::OpSpecConstantComposite, vector, std::array<Word, 3>{ids[0], ids[1], ids[2]});
    code.decorate(size, spv::Decoration::BuiltIn, {spv::BuiltIn::WorkgroupSize});
  }

  // --- Below 1.4 ---
  void below14() {
    interfaces();
    for (uint32_t n = 0; n < m_.instructions.size(); ++n) hints(n);
    m_.compact();
    Code code(m_);
    code.rewrite([&](const Instruction& i) {
      if (i.op() == spv::Op::OpCopyLogical) {
        const Id from = m_.idAt(i, 3);
        copyLogical(code, i.type, from, i.result);
        return true;
      }
      if (i.op() == spv::Op::OpCopyMemory) return copyMemory(code, i);
      if (i.op() == spv::Op::OpSelect && !isPlainSelect(i)) {
        const Id condition = m_.idAt(i, 3), a = m_.idAt(i, 4), b = m_.idAt(i, 5);
        select(code, i.type, condition, a, b, i.result);
        return true;
      }
      return false;
    });
    code.finish();
  }

  void interfaces() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction i = m_.instructions[n];
      if (i.op() != spv::Op::OpEntryPoint) continue;
      const uint32_t name = literalStringWords(m_.at(i) + 3, i.length - 3u);
      std::vector<Word> words;
      for (uint32_t k = 1; k < 3 + name; ++k) words.push_back(m_.word(i, k));
      for (uint32_t k = 3 + name; k < i.length; ++k) {
        const Instruction* variable = m_.def(m_.idAt(i, k));
        if (variable == nullptr || variable->op() != spv::Op::OpVariable) continue;
        const auto storage = spv::StorageClass(m_.word(*variable, 3));
        if (storage == spv::StorageClass::Input || storage == spv::StorageClass::Output)
          words.push_back(m_.word(i, k));
      }
      m_.instructions[n] = m_.make(spv::Op::OpEntryPoint, Operands(words));
    }
  }

  // Instructions and operands that give information about a program without changing its meaning.
  void hints(uint32_t n) {
    Instruction& i = m_.instructions[n];
    if (i.op() == spv::Op::OpLoopMerge) {
      const uint32_t mask = m_.word(i, 3);
      constexpr uint32_t kOld = uint32_t(spv::LoopControlMask::Unroll) |
                                uint32_t(spv::LoopControlMask::DontUnroll) |
                                uint32_t(spv::LoopControlMask::DependencyInfinite) |
                                uint32_t(spv::LoopControlMask::DependencyLength);
      if ((mask & ~kOld) == 0) return;
      std::vector<Word> words{m_.word(i, 1), m_.word(i, 2), mask & kOld};
      if ((mask & uint32_t(spv::LoopControlMask::DependencyLength)) != 0) words.push_back(m_.word(i, 4));
      i = m_.make(spv::Op::OpLoopMerge, Operands(words));
      return;
    }
    const bool uniformId =
        i.op() == spv::Op::OpDecorateId && spv::Decoration(m_.word(i, 2)) == spv::Decoration::UniformId;
    bool nonWritable = false;
    if (i.op() == spv::Op::OpDecorate && spv::Decoration(m_.word(i, 2)) == spv::Decoration::NonWritable) {
      const Instruction* variable = m_.def(m_.idAt(i, 1));
      if (variable != nullptr && variable->op() == spv::Op::OpVariable) {
        const auto storage = spv::StorageClass(m_.word(*variable, 3));
        nonWritable = storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
      }
    }
    if (uniformId || nonWritable) i.opcode = uint16_t(spv::Op::OpNop);
  }

  // The member types of a composite type with a known number of members; empty for scalars, vectors and types
  // without one.
  std::vector<Id> membersOf(Id type) const {
    const Instruction* t = m_.def(type);
    std::vector<Id> members;
    if (t == nullptr) return members;
    if (t->op() == spv::Op::OpTypeStruct) {
      for (uint32_t k = 2; k < t->length; ++k) members.push_back(m_.idAt(*t, k));
    } else if (t->op() == spv::Op::OpTypeMatrix) {
      members.assign(std::min(m_.word(*t, 3), 4u), m_.idAt(*t, 2));
    } else if (t->op() == spv::Op::OpTypeArray) {
      const Instruction* length = m_.def(m_.idAt(*t, 3));
      constexpr uint32_t kMost = 4096;
      if (length != nullptr && length->op() == spv::Op::OpConstant && m_.word(*length, 3) <= kMost)
        members.assign(m_.word(*length, 3), m_.idAt(*t, 2));
    }
    return members;
  }

  bool isPlainSelect(const Instruction& i) const {
    const Instruction* t = m_.def(i.type);
    if (t == nullptr) return true;
    if (t->op() == spv::Op::OpTypeVector) return m_.opOf(m_.typeOf(m_.idAt(i, 3))) == spv::Op::OpTypeVector;
    return membersOf(i.type).empty();
  }

  Id built(Code& code, spv::Op op, NamedId type, Operands operands, Id result) {
    if (!result) return code.op(op, type, operands);
    code.opAs(op, type, result, operands);
    return result;
  }

  // Memory operands for both sides: rewritten to a load and a store. False: the instruction can stay.
  bool copyMemory(Code& code, const Instruction& i) {
    const MemoryOperands target = memoryOperandsOf(m_.wordsOf(i));
    const MemoryOperands source = memoryOperandsAt(m_.wordsOf(i), target.end);
    const Id from = m_.idAt(i, 2), to = m_.idAt(i, 1);
    const Instruction* pointer = m_.def(m_.typeOf(from));
    if (target.at == 0 || source.at == 0 || pointer == nullptr || pointer->op() != spv::Op::OpTypePointer)
      return false;
    const Id type = m_.idAt(*pointer, 3);
    std::vector<Word> words{from};
    for (uint32_t k = source.at; k < std::min<uint32_t>(source.end, i.length); ++k)
      words.push_back(m_.word(i, k));
    const Id value = code.op(spv::Op::OpLoad, type, Operands(words));
    words = {to, value};
    for (uint32_t k = target.at; k < std::min<uint32_t>(target.end, i.length); ++k)
      words.push_back(m_.word(i, k));
    code.append(m_.make(spv::Op::OpStore, Operands(words)));
    return true;
  }

  // Converts a value to a logically equal type. Types nest no deeper than SPIR-V's limit of 255.
  Id copyLogical(Code& code, NamedId type, NamedId from, Id result = {}, uint32_t depth = 0) {
    const Id fromType = code.typeOf(from);
    if (fromType == Id(type)) {
      if (!result) return from;
      code.opAs(spv::Op::OpCopyObject, type, result, {from});
      return result;
    }
    const std::vector<Id> to = membersOf(type), source = membersOf(fromType);
    if (to.empty() || to.size() != source.size() || depth > 255) {
      report_.refuse(Refusal::Unsupported, "OpCopyLogical needs SPIR-V 1.4");
      const Id undefined = code.undef(type);
      return built(code, spv::Op::OpCopyObject, type, std::array<Word, 1>{undefined}, result);
    }
    std::vector<Word> parts;
    for (uint32_t k = 0; k < to.size(); ++k) {
      const Id part = code.extract(source[k], from, {k});
      parts.push_back(copyLogical(code, to[k], part, {}, depth + 1));
    }
    return built(code, spv::Op::OpCompositeConstruct, type, Operands(parts), result);
  }

  Id select(Code& code, NamedId type, NamedId condition, NamedId a, NamedId b, Id result = {},
            uint32_t depth = 0) {
    const std::vector<Id> members = depth > 255 ? std::vector<Id>() : membersOf(type);
    if (members.empty()) {
      Id chosen = condition;
      const Instruction* t = m_.def(type);
      if (t != nullptr && t->op() == spv::Op::OpTypeVector) {
        const Id boolean = code.typeBool();
        const uint32_t count = m_.word(*t, 3);
        const Id vector = code.typeVector(boolean, count);
        const std::vector<Word> same(count, condition);
        chosen = code.op(spv::Op::OpCompositeConstruct, vector, Operands(same));
      }
      return built(code, spv::Op::OpSelect, type, std::array<Word, 3>{chosen, a, b}, result);
    }
    std::vector<Word> parts;
    for (uint32_t k = 0; k < members.size(); ++k) {
      const Id x = code.extract(members[k], a, {k});
      const Id y = code.extract(members[k], b, {k});
      parts.push_back(select(code, members[k], condition, x, y, {}, depth + 1));
    }
    return built(code, spv::Op::OpCompositeConstruct, type, Operands(parts), result);
  }

  // --- What the version brought, by the grammar's tables ---
  void extensions() {
    std::vector<uint32_t> wanted;  // offsets of names in the grammar's strings
    for (const Instruction& i : m_.instructions) {
      const OpInfo* info = opInfo(i.opcode);
      if (info == nullptr || report_.refused()) break;
      ask(info->version, info->extensionList, info->capabilityList, name(*info), wanted);
      visitOperands(*info, m_.at(i), i.length, m_.switchWords(i),
                    [&](OperandKind kind, uint32_t at, uint32_t) {
                      const uint32_t value = m_.word(i, at);
                      if (isValueEnum(kind)) enumerant(kind, value, wanted);
                      if (!isBitEnum(kind)) return;
                      for (uint32_t rest = value; rest != 0; rest &= rest - 1)
                        enumerant(kind, rest & (~rest + 1), wanted);
                    });
    }
    if (report_.refused() || wanted.empty()) return;
    Code code(m_);
    for (const uint32_t at : wanted) code.extension(grammarString(at));
    code.finish();
  }

  void enumerant(OperandKind kind, uint32_t value, std::vector<uint32_t>& wanted) {
    const EnumerantInfo* info = enumerantInfo(kind, value);
    if (info != nullptr) ask(info->version, info->extensionList, info->capabilityList, name(*info), wanted);
  }

  void ask(uint16_t since, GrammarList extensionList, GrammarList capabilityList, std::string_view what,
           std::vector<uint32_t>& wanted) {
    const uint32_t now = o_.version >> 8;
    if (since == kNoCoreVersion || since <= now) return;
    const std::span<const uint32_t> names = grammarExtensions(extensionList);
    if (names.empty()) {
      // A capability enables it, and that capability's row has the requirement.
      if (!grammarCapabilities(capabilityList).empty()) return;
      return report_.refuse(Refusal::Unsupported, std::string(what) + " needs SPIR-V " +
                                                      std::to_string(since >> 8) + "." +
                                                      std::to_string(since & 0xFF));
    }
    // Of several extensions, prefers the KHR one, which may allow more: SPV_KHR_physical_storage_buffer has bit
    // casts to two numbers.
    const auto khr = std::find_if(names.begin(), names.end(), [](uint32_t at) {
      return std::string_view(grammarString(at)).starts_with("SPV_KHR_");
    });
    const uint32_t best = khr == names.end() ? names[0] : *khr;
    if (std::find(wanted.begin(), wanted.end(), best) == wanted.end()) wanted.push_back(best);
  }

  Module& m_;
  const VersionOptions& o_;
  Report& report_;
};

}  // namespace

void lowerVersion(Module& module, const VersionOptions& options, Report& report) {
  VersionPass(module, options, report).run();
}

}  // namespace coopc::spirv::lower
