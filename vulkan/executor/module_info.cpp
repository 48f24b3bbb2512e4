// One pass over a module's instructions. Only the few that matter are looked at; a malformed word count ends
// the pass with an error.
#include "vulkan/executor/module_info.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "base/spirv_version.hpp"
#include "base/whole_file.hpp"
#include "spirv/constants.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/literal_string.hpp"
#include "spirv/reader.hpp"
#include "spirv/workgroup_memory.hpp"
#include "spirv/workgroup_size.hpp"

namespace coopc::vk {
namespace {

namespace op = spirv::op;
using spirv::Id;
using spirv::InstructionWalk;
using spv::Op;

constexpr uint32_t kSwappedMagic = 0x03022307;

// A pointer to a floating-point scalar, of a type or of a value.
struct FloatPointer {
  spv::StorageClass storageClass = spv::StorageClass::Function;
  uint32_t width = 0;
};

}  // namespace

const EntryPoint* ModuleInfo::findEntry(const std::string& name, spv::ExecutionModel model) const {
  for (const EntryPoint& entry : entryPoints) {
    if (entry.name == name && entry.executionModel == model) return &entry;
  }
  return nullptr;
}

bool ModuleInfo::mayUse(const EntryPoint& entry, spirv::Id variable) const {
  return version < 0x00010400 ||
         std::find(entry.interface.begin(), entry.interface.end(), variable) != entry.interface.end();
}

namespace {

class InfoReader {
 public:
  explicit InfoReader(const SpecializationValues& specialization) : specialization_(specialization) {}

  Result<ModuleInfo> run(std::span<const uint32_t> words) {
    info_.version = words[spirv::kHeaderVersion];
    InstructionWalk i(words);
    while (i.next()) {
      readDeclaration(i);
      readType(i);
      readValue(i);
    }
    if (i.fault() != InstructionWalk::Fault::None)
      return Error{"malformed SPIR-V: bad word count at word " + std::to_string(i.at())};
    finish(words);
    return std::move(info_);
  }

 private:
  void readDeclaration(const InstructionWalk& i) {
    switch (i.op()) {
      case Op::OpCapability:
        if (i.length() >= 2) info_.capabilities.push_back(uint32_t(op::Capability(i).capability()));
        break;
      case Op::OpExtension: info_.extensions.emplace_back(op::Extension(i).name()); break;
      case Op::OpEntryPoint:
        if (i.length() >= 4) readEntryPoint(op::EntryPoint(i));
        break;
      case Op::OpExecutionMode: readExecutionMode(op::ExecutionMode(i)); break;
      case Op::OpExecutionModeId:
        if (i.length() >= 6 && op::ExecutionModeId(i).mode() == spv::ExecutionMode::LocalSizeId) {
          info_.usesLocalSizeId = true;
        }
        break;
      case Op::OpDecorate: readDecoration(op::Decorate(i)); break;
      case Op::OpMemberDecorate: readDecoration(op::MemberDecorate(i)); break;
      default: break;
    }
  }

  void readEntryPoint(const op::EntryPoint& declared) {
    EntryPoint entry;
    entry.executionModel = declared.executionModel();
    entry.id = declared.entryPoint();
    entry.name = declared.name();
    const spirv::IdRange interface = declared.interface();
    entry.interface.assign(interface.begin(), interface.end());
    info_.entryPoints.push_back(std::move(entry));
  }

  EntryPoint* entryOf(Id id) {
    for (EntryPoint& entry : info_.entryPoints) {
      if (entry.id == id) return &entry;
    }
    return nullptr;
  }

  void readExecutionMode(const op::ExecutionMode& declared) {
    const spirv::LiteralRange parameters = declared.parameters();
    switch (declared.mode()) {
      case spv::ExecutionMode::LocalSize:
        if (EntryPoint* entry = parameters.size() >= 3 ? entryOf(declared.entryPoint()) : nullptr)
          entry->workgroupSize = {parameters[0], parameters[1], parameters[2]};
        break;
      case spv::ExecutionMode::DenormPreserve:
      case spv::ExecutionMode::DenormFlushToZero:
      case spv::ExecutionMode::SignedZeroInfNanPreserve:
      case spv::ExecutionMode::RoundingModeRTE:
      case spv::ExecutionMode::RoundingModeRTZ:
        if (!parameters.empty()) info_.floatModes.push_back({declared.mode(), parameters.front()});
        break;
      default: break;
    }
  }

  void readDecoration(const op::Decorate& d) {
    if (d.decoration() == spv::Decoration::Block) blocks_.insert(d.target());
    if (d.parameters().empty()) return;
    const uint32_t number = d.parameters().front();
    switch (d.decoration()) {
      case spv::Decoration::Binding: bindings_[d.target()] = number; break;
      case spv::Decoration::DescriptorSet: sets_[d.target()] = number; break;
      case spv::Decoration::BuiltIn:
        if (spv::BuiltIn(number) == spv::BuiltIn::WorkgroupSize) sizedByConstant_ = true;
        break;
      default: break;
    }
  }

  void readDecoration(const op::MemberDecorate& d) {
    if (d.decoration() != spv::Decoration::Offset || d.parameters().empty()) return;
    uint32_t& last = lastOffsets_[d.structureType()];
    last = std::max(last, d.parameters().front());
  }

  void readType(const InstructionWalk& i) {
    if (i.length() < 3) return;
    switch (i.op()) {
      case Op::OpTypePointer: {
        if (i.length() < 4) break;
        const op::TypePointer pointer(i);
        if (pointer.storageClass() == spv::StorageClass::PushConstant)
          pushConstantTypes_[pointer.result()] = pointer.type();
        if (const auto width = floatWidths_.find(pointer.type()); width != floatWidths_.end())
          floatPointers_[pointer.result()] = {pointer.storageClass(), width->second};
        break;
      }
      case Op::OpTypeFloat: floatWidths_[op::TypeFloat(i).result()] = op::TypeFloat(i).width(); break;
      case Op::OpTypeCooperativeMatrixKHR:
        if (i.length() >= 4) matrixScopes_.push_back(op::TypeCooperativeMatrixKHR(i).scope());
        break;
      default: break;
    }
  }

  void readValue(const InstructionWalk& i) {
    switch (i.op()) {
      case Op::OpFunctionParameter:
      case Op::OpImageTexelPointer:
      case Op::OpLoad:
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain:
      case Op::OpPtrAccessChain:
      case Op::OpInBoundsPtrAccessChain:
      case Op::OpCopyObject:
      case Op::OpConvertUToPtr:
      case Op::OpBitcast:
      case Op::OpRawAccessChainNV: notePointer(op::Value(i)); break;
      case Op::OpAtomicLoad: noteAtomic(op::AtomicLoad(i).pointer()); break;
      case Op::OpAtomicExchange: noteAtomic(op::AtomicExchange(i).pointer()); break;
      case Op::OpAtomicStore: noteAtomic(op::AtomicStore(i).pointer()); break;
      case Op::OpVariable: {
        notePointer(op::Value(i));
        const op::Variable variable(i);
        if (variable.storageClass() == spv::StorageClass::PushConstant) readPushConstants(variable);
        if (variable.storageClass() == spv::StorageClass::Workgroup)
          workgroupVariables_.push_back({variable.resultType(), variable.result()});
        break;
      }
      default: break;
    }
  }

  void notePointer(const op::Value& value) {
    if (!value.result()) return;
    if (const auto type = floatPointers_.find(value.resultType()); type != floatPointers_.end()) {
      const FloatPointer pointer = type->second;
      floatPointers_[value.result()] = pointer;
    }
  }

  void noteAtomic(Id pointer) {
    const auto it = floatPointers_.find(pointer);
    if (it == floatPointers_.end()) return;
    const spv::StorageClass storage = it->second.storageClass;
    const auto memory = storage == spv::StorageClass::Workgroup ? FloatAtomic::Memory::Shared
                        : storage == spv::StorageClass::Image   ? FloatAtomic::Memory::Image
                                                                : FloatAtomic::Memory::Buffer;
    floatAtomics_.insert({it->second.width, memory});
  }

  void readPushConstants(const op::Variable& variable) {
    const auto type = pushConstantTypes_.find(variable.resultType());
    const auto last = type == pushConstantTypes_.end() ? lastOffsets_.end() : lastOffsets_.find(type->second);
    info_.pushConstants.push_back({variable.result(), last == lastOffsets_.end() ? 0 : last->second});
  }

  void finish(std::span<const uint32_t> words) {
    evaluate(words);
    for (const auto& [id, binding] : bindings_) {
      const auto set = sets_.find(id);
      info_.boundVariables.push_back({id, set == sets_.end() ? 0 : set->second, binding});
    }
    for (const auto& [width, memory] : floatAtomics_) info_.floatAtomics.push_back({width, memory});
    info_.matrices = !matrixScopes_.empty();
  }

  void parse(std::span<const uint32_t> words) {
    spirv::ReadError ignored;
    info_.parsed = spirv::readModule(words, ignored);
  }

  // Values that constants decide. In a module that contains something unknown to the grammar they count as 1:
  // the driver may know it.
  void evaluate(std::span<const uint32_t> words) {
    if (!sizedByConstant_ && !info_.usesLocalSizeId && matrixScopes_.empty() && workgroupVariables_.empty())
      return;
    parse(words);
    // Instruction sets that lowering does not accept (readModule()'s `literalSets`) do not affect constants.
    spirv::Module other;
    spirv::ReadError ignored;
    if (!info_.parsed) other = spirv::readModule(words, ignored, true).value_or(spirv::Module());
    const spirv::Module& module = info_.parsed ? *info_.parsed : other;
    std::vector<spirv::SpecializationValue> given;
    for (const auto& [id, value] : specialization_) given.push_back({id, value});
    const spirv::ConstantEvaluator constants(module, given);
    const auto numberOf = [](const spirv::ConstantValue& value) { return value.known ? value.u32() : 1; };
    for (const spirv::WorkgroupSize& size : spirv::workgroupSizes(module, constants)) {
      for (EntryPoint& entry : info_.entryPoints) {
        if (!size.entryPoint || size.entryPoint == entry.id)
          entry.workgroupSize = {numberOf(size.n[0]), numberOf(size.n[1]), numberOf(size.n[2])};
      }
    }
    info_.workgroupScopeMatrices = std::any_of(matrixScopes_.begin(), matrixScopes_.end(), [&](Id id) {
      return spv::Scope(numberOf(constants.value(id))) == spv::Scope::Workgroup;
    });
    for (EntryPoint& entry : info_.entryPoints)
      entry.workgroupBytes = workgroupBytes(module, constants, entry);
  }

  // Blocks (SPV_KHR_workgroup_memory_explicit_layout) share the same memory and are left out.
  uint64_t workgroupBytes(const spirv::Module& module, const spirv::ConstantEvaluator& constants,
                          const EntryPoint& entry) const {
    constexpr uint32_t kListsAll = kSpirv14;
    if (info_.version < kListsAll && info_.entryPoints.size() > 1) return 0;
    spirv::WorkgroupMemory memory(module, constants);
    uint64_t bytes = 0;
    for (const WorkgroupVariable& variable : workgroupVariables_) {
      const auto pointer = spirv::as<spirv::op::TypePointer>(module, variable.type);
      if (!pointer || !info_.mayUse(entry, variable.id)) continue;
      const Id type = pointer.type();
      if (blocks_.contains(type)) continue;
      bytes = spirv::WorkgroupMemory::append(bytes, memory.extent(type));
    }
    return bytes;
  }

  const SpecializationValues& specialization_;
  ModuleInfo info_;
  std::map<Id, uint32_t> bindings_;  // by variable
  std::map<Id, uint32_t> sets_;
  struct WorkgroupVariable {
    Id type, id;
  };
  std::vector<Id> matrixScopes_;
  std::vector<WorkgroupVariable> workgroupVariables_;
  std::set<Id> blocks_;
  std::map<Id, uint32_t> lastOffsets_;                               // by struct
  std::map<Id, Id> pushConstantTypes_;                               // struct by pointer type
  std::map<Id, uint32_t> floatWidths_;                               // by type
  std::map<Id, FloatPointer> floatPointers_;                         // by pointer type, and by value of one
  std::set<std::pair<uint32_t, FloatAtomic::Memory>> floatAtomics_;  // width and memory
  bool sizedByConstant_ = false;                                     // by the built-in WorkgroupSize
};

}  // namespace

Result<ModuleInfo> readModuleInfo(std::span<const uint32_t> words,
                                  const SpecializationValues& specialization) {
  if (words.size() < spirv::kHeaderWords || words[0] != spv::MagicNumber) return Error{"not a SPIR-V module"};
  return InfoReader(specialization).run(words);
}

Result<std::vector<uint32_t>> readModuleFile(const std::string& path) {
  constexpr size_t kMaxBytes = size_t{256} << 20;
  std::string bytes;
  if (const std::string why = readFile(path, bytes, kMaxBytes); !why.empty())
    return Error{path + ": cannot be read: " + why};
  if (bytes.size() > kMaxBytes) return Error{path + ": larger than 256 MiB"};
  if (bytes.size() % 4 != 0 || bytes.empty()) return Error{path + ": not a SPIR-V module"};
  std::vector<uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == kSwappedMagic) {
    for (uint32_t& word : words) word = __builtin_bswap32(word);
  }
  if (words[0] != spv::MagicNumber) return Error{path + ": not a SPIR-V module"};
  return words;
}

}  // namespace coopc::vk
