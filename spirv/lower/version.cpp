// Converts a module to an older version of SPIR-V that the device accepts. If an extension provides a feature
// that the older version lacks, that extension is declared. Everything else is rewritten, or refused by name:
//
//   below 1.4   interfaces of entry points list inputs and outputs only; OpCopyLogical and OpSelect of
//               composites go member by member; OpCopyMemory with operands for both sides becomes a load and
//               a store; loop controls that came with 1.4 (all of them hints), NonWritable on Function and
//               Private variables, and UniformId are dropped
//   without VkPhysicalDeviceMaintenance4Features::maintenance4 (which came with 1.6)
//               LocalSizeId becomes LocalSize, or the built-in constant WorkgroupSize where a size is
//               specialized
#include <algorithm>
#include <array>
#include <optional>

#include "base/spirv_version.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
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
    if (!o_.localSizeId) rewriteLocalSizes();
    if (m_.version > o_.version) {
      if (o_.version < kSpirv14) rewriteBelow14();
      m_.version = o_.version;
      declareExtensions();
    }
    if (before != m_.version && !report_.isRefused()) {
      report_.rewrites.push_back(
          {"SPIR-V " + spirvVersionText(before), "SPIR-V " + spirvVersionText(m_.version)});
    }
  }

 private:
  // --- LocalSizeId ---
  void rewriteLocalSizes() {
    struct Mode {
      uint32_t instruction;
      std::array<Id, 3> ids;
    };
    std::vector<Mode> modes;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto mode = as<op::ExecutionModeId>(m_, i);
      const LiteralRange size = mode.parameters();
      if (mode && mode.mode() == spv::ExecutionMode::LocalSizeId && size.size() == 3)
        modes.push_back({n, {Id(size[0]), Id(size[1]), Id(size[2])}});
    }
    if (modes.empty()) return;
    Code code(m_);
    for (const Mode& mode : modes) {
      const Id entry = op::ExecutionModeId(m_, m_.instructions[mode.instruction]).entryPoint();
      std::array<uint32_t, 3> size{1, 1, 1};
      bool specialized = false;
      for (uint32_t k = 0; k < 3; ++k) {
        const Instruction* c = m_.def(mode.ids[k]);
        if (const auto constant = as<op::Constant>(m_, c)) size[k] = constant.value();
        if (const auto constant = as<op::SpecConstant>(m_, c)) size[k] = constant.value();
        specialized = specialized || c == nullptr || c->op() != spv::Op::OpConstant;
      }
      if (specialized && modes.size() > 1) {
        return report_.refuse(Refusal::Unsupported,
                              "execution mode LocalSizeId is missing, and several entry points have "
                              "specialized sizes of their own");
      }
      if (specialized) setWorkgroupSize(code, mode.ids);
      m_.instructions[mode.instruction] = m_.make(
          spv::Op::OpExecutionMode, {entry, spv::ExecutionMode::LocalSize, size[0], size[1], size[2]});
    }
    code.finish();
    report_.rewrites.push_back({"execution mode LocalSizeId", "execution mode LocalSize"});
  }

  // The built-in takes precedence over LocalSize (Vulkan 15.9).
  static void setWorkgroupSize(Code& code, const std::array<Id, 3>& ids) {
    const Id u32 = code.globals.typeU32();
    const Id vector = code.globals.typeVector(u32, 3);
    const Id size = code.globals.constant<op::SpecConstantComposite>(vector, {.constituents = ids});
    code.annotations.decorate(size, spv::Decoration::BuiltIn, {spv::BuiltIn::WorkgroupSize});
  }

  // --- Below 1.4 ---
  void rewriteBelow14() {
    trimInterfaces();
    for (uint32_t n = 0; n < m_.instructions.size(); ++n) dropHints(n);
    m_.compact();
    Code code(m_);
    code.writer.rewrite([&](const Instruction& i) {
      if (const auto copy = as<op::CopyLogical>(m_, i)) {
        const Id from = copy.operand();
        copyLogical(code, i.type, from, i.result);
        return true;
      }
      if (i.op() == spv::Op::OpCopyMemory) return copyMemory(code, i);
      if (i.op() == spv::Op::OpSelect && !isPlainSelect(i)) {
        const op::Select selection(m_, i);
        const Id condition = selection.condition(), a = selection.object1(), b = selection.object2();
        select(code, i.type, condition, a, b, i.result);
        return true;
      }
      return false;
    });
    code.finish();
  }

  void trimInterfaces() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction i = m_.instructions[n];
      const auto entry = as<op::EntryPoint>(m_, i);
      if (!entry) continue;
      const IdRange interface = entry.interface();
      std::vector<Id> kept;
      for (const Id id : interface) {
        const auto variable = as<op::Variable>(m_, id);
        if (!variable) continue;
        const spv::StorageClass storage = variable.storageClass();
        if (storage == spv::StorageClass::Input || storage == spv::StorageClass::Output) kept.push_back(id);
      }
      m_.instructions[n] = m_.make<op::EntryPoint>({.executionModel = entry.executionModel(),
                                                    .entryPoint = entry.entryPoint(),
                                                    .name = entry.name(),
                                                    .interface = kept});
    }
  }

  // Drops instructions and operands that give information about a program without changing its meaning.
  void dropHints(uint32_t n) {
    Instruction& i = m_.instructions[n];
    if (const auto loop = as<op::LoopMerge>(m_, i)) {
      const auto mask = uint32_t(loop.loopControl());
      constexpr uint32_t kOld = uint32_t(spv::LoopControlMask::Unroll) |
                                uint32_t(spv::LoopControlMask::DontUnroll) |
                                uint32_t(spv::LoopControlMask::DependencyInfinite) |
                                uint32_t(spv::LoopControlMask::DependencyLength);
      if ((mask & ~kOld) == 0) return;
      std::vector<Word> parameters;
      if ((mask & uint32_t(spv::LoopControlMask::DependencyLength)) != 0)
        parameters.push_back(loop.parameters().front());
      i = m_.make<op::LoopMerge>({.mergeBlock = loop.mergeBlock(),
                                  .continueTarget = loop.continueTarget(),
                                  .loopControl = spv::LoopControlMask(mask & kOld),
                                  .parameters = parameters});
      return;
    }
    const auto byId = as<op::DecorateId>(m_, i);
    const bool uniformId = byId && byId.decoration() == spv::Decoration::UniformId;
    bool nonWritable = false;
    const auto decorate = as<op::Decorate>(m_, i);
    if (decorate && decorate.decoration() == spv::Decoration::NonWritable) {
      if (const auto variable = as<op::Variable>(m_, decorate.target())) {
        const spv::StorageClass storage = variable.storageClass();
        nonWritable = storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
      }
    }
    if (uniformId || nonWritable) i.opcode = uint16_t(spv::Op::OpNop);
  }

  // The member types of a composite type with a known number of members; empty for scalars, vectors, very
  // long arrays and types without a known number.
  std::vector<Id> membersOf(Id type) const {
    const Instruction* t = m_.def(type);
    std::vector<Id> members;
    if (t == nullptr) return members;
    if (const auto structure = as<op::TypeStruct>(m_, t)) {
      for (const Id member : structure.memberTypes()) members.push_back(member);
    } else if (const auto matrix = as<op::TypeMatrix>(m_, t)) {
      members.assign(std::min(matrix.columnCount(), 4u), matrix.columnType());
    } else if (const auto array = as<op::TypeArray>(m_, t)) {
      const auto length = as<op::Constant>(m_, array.length());
      constexpr uint32_t kMost = 4096;
      if (length && length.value() <= kMost) members.assign(length.value(), array.elementType());
    }
    return members;
  }

  bool isPlainSelect(const Instruction& i) const {
    const Instruction* t = m_.def(i.type);
    if (t == nullptr) return true;
    if (t->op() == spv::Op::OpTypeVector)
      return m_.opOf(m_.typeOf(op::Select(m_, i).condition())) == spv::Op::OpTypeVector;
    return membersOf(i.type).empty();
  }

  Id buildValue(Code& code, spv::Op op, NamedId type, Operands operands, Id result) {
    if (!result) return code.op(op, type, operands);
    code.opAs(op, type, result, operands);
    return result;
  }

  // Rewrites a copy with memory operands for both sides to a load and a store. False: the instruction can
  // stay.
  bool copyMemory(Code& code, const Instruction& i) {
    const MemoryOperands target = memoryOperandsOf(m_.wordsOf(i));
    const MemoryOperands source = memoryOperandsAt(m_.wordsOf(i), target.end);
    const op::CopyMemory copy(m_, i);
    const Id from = copy.source(), to = copy.target();
    const auto pointer = as<op::TypePointer>(m_, m_.typeOf(from));
    if (target.at == 0 || source.at == 0 || !pointer) return false;
    const Id type = pointer.type();
    std::vector<Word> ofLoad, ofStore;
    appendMemoryOperands(source, ofLoad);
    appendMemoryOperands(target, ofStore);
    const Id value = code.make<op::Load>(type, {.pointer = from, .memoryOperands = ofLoad});
    code.make<op::Store>({.pointer = to, .object = value, .memoryOperands = ofStore});
    return true;
  }

  // Converts a value to a logically equal type. Types nest no deeper than SPIR-V's limit of 255.
  Id copyLogical(Code& code, NamedId type, NamedId from, Id result = {}, uint32_t depth = 0) {
    const Id fromType = code.globals.typeOf(from);
    if (fromType == Id(type)) {
      if (!result) return from;
      code.makeAs<op::CopyObject>(type, result, {from});
      return result;
    }
    const std::vector<Id> to = membersOf(type), source = membersOf(fromType);
    if (to.empty() || to.size() != source.size() || depth > 255) {
      report_.refuse(Refusal::Unsupported, "OpCopyLogical needs SPIR-V 1.4");
      const Id undefined = code.globals.undef(type);
      return buildValue(code, spv::Op::OpCopyObject, type, std::array<Word, 1>{undefined}, result);
    }
    std::vector<Word> parts;
    for (uint32_t k = 0; k < to.size(); ++k) {
      const Id part = code.extract(source[k], from, {k});
      parts.push_back(copyLogical(code, to[k], part, {}, depth + 1));
    }
    return buildValue(code, spv::Op::OpCompositeConstruct, type, Operands(parts), result);
  }

  Id select(Code& code, NamedId type, NamedId condition, NamedId a, NamedId b, Id result = {},
            uint32_t depth = 0) {
    const std::vector<Id> members = depth > 255 ? std::vector<Id>() : membersOf(type);
    if (members.empty()) {
      Id chosen = condition;
      const Instruction* t = m_.def(type);
      if (const auto vector = as<op::TypeVector>(m_, t)) {
        const Id boolean = code.globals.typeBool();
        const uint32_t count = vector.componentCount();
        const Id booleans = code.globals.typeVector(boolean, count);
        const std::vector<Word> same(count, condition);
        chosen = code.make<op::CompositeConstruct>(booleans, {.constituents = same});
      }
      return buildValue(code, spv::Op::OpSelect, type, std::array<Word, 3>{chosen, a, b}, result);
    }
    std::vector<Word> parts;
    for (uint32_t k = 0; k < members.size(); ++k) {
      const Id x = code.extract(members[k], a, {k});
      const Id y = code.extract(members[k], b, {k});
      parts.push_back(select(code, members[k], condition, x, y, {}, depth + 1));
    }
    return buildValue(code, spv::Op::OpCompositeConstruct, type, Operands(parts), result);
  }

  // --- Features of later versions, by the grammar's tables ---
  void declareExtensions() {
    std::vector<uint32_t> wanted;  // offsets of names in the grammar's strings
    for (const Instruction& i : m_.instructions) {
      const OpInfo* info = opInfo(i.opcode);
      if (info == nullptr || report_.isRefused()) break;
      ask(info->version, info->extensionList, info->capabilityList, name(*info), wanted);
      visitOperands(*info, m_.at(i), i.length, m_.switchWords(i),
                    [&](OperandKind kind, uint32_t at, uint32_t) {
                      const uint32_t value = m_.word(i, at);
                      if (isValueEnum(kind)) askForEnumerant(kind, value, wanted);
                      if (!isBitEnum(kind)) return;
                      for (uint32_t rest = value; rest != 0; rest &= rest - 1)
                        askForEnumerant(kind, rest & (~rest + 1), wanted);
                    });
    }
    if (report_.isRefused() || wanted.empty()) return;
    Code code(m_);
    for (const uint32_t at : wanted) code.preamble.extension(extensionName(at));
    code.finish();
  }

  void askForEnumerant(OperandKind kind, uint32_t value, std::vector<uint32_t>& wanted) {
    const EnumerantInfo* info = enumerantInfo(kind, value);
    if (info != nullptr) ask(info->version, info->extensionList, info->capabilityList, name(*info), wanted);
  }

  void ask(uint16_t since, GrammarList extensionList, GrammarList capabilityList, std::string_view what,
           std::vector<uint32_t>& wanted) {
    const uint32_t now = o_.version >> 8;
    if (since == kNoCoreVersion || since <= now) return;
    const std::span<const uint16_t> names = grammarExtensions(extensionList);
    if (names.empty()) {
      // A capability enables it, and that capability's row has the requirement.
      if (!grammarCapabilities(capabilityList).empty()) return;
      return report_.refuse(Refusal::Unsupported, std::string(what) + " needs SPIR-V " +
                                                      std::to_string(since >> 8) + "." +
                                                      std::to_string(since & 0xFF));
    }
    // Prefers an extension of KHR to others, because it may allow more: SPV_KHR_physical_storage_buffer also
    // allows bit casts between a pointer and a vector of two integers.
    const auto khr = std::find_if(names.begin(), names.end(),
                                  [](uint32_t at) { return extensionName(at).starts_with("SPV_KHR_"); });
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
