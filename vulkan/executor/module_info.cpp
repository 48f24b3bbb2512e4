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
        if (i.length() >= 2) info_.capabilities.push_back(i[1]);
        break;
      case Op::OpExtension: info_.extensions.emplace_back(i.text(1)); break;
      case Op::OpEntryPoint:
        if (i.length() >= 4) readEntryPoint(i);
        break;
      case Op::OpExecutionMode: readExecutionMode(i); break;
      case Op::OpExecutionModeId:
        if (i.length() >= 6 && spv::ExecutionMode(i[2]) == spv::ExecutionMode::LocalSizeId) {
          info_.usesLocalSizeId = true;
        }
        break;
      case Op::OpDecorate:
        if (i.length() >= 4) readDecoration(i);
        if (i.length() >= 3 && spv::Decoration(i[2]) == spv::Decoration::Block) blocks_.insert(i.idAt(1));
        break;
      case Op::OpMemberDecorate:
        if (i.length() >= 5 && spv::Decoration(i[3]) == spv::Decoration::Offset)
          lastOffsets_[i.idAt(1)] = std::max(lastOffsets_[i.idAt(1)], i[4]);
        break;
      default: break;
    }
  }

  void readEntryPoint(const InstructionWalk& i) {
    EntryPoint entry;
    entry.executionModel = spv::ExecutionModel(i[1]);
    entry.id = i.idAt(2);
    entry.name = i.text(3);
    for (auto n = static_cast<uint32_t>(3 + spirv::literalTextWords(entry.name)); n < i.length(); ++n)
      entry.interface.push_back(i.idAt(n));
    info_.entryPoints.push_back(std::move(entry));
  }

  EntryPoint* entryOf(Id id) {
    for (EntryPoint& entry : info_.entryPoints) {
      if (entry.id == id) return &entry;
    }
    return nullptr;
  }

  void readExecutionMode(const InstructionWalk& i) {
    switch (spv::ExecutionMode(i[2])) {
      case spv::ExecutionMode::LocalSize:
        if (EntryPoint* entry = i.length() >= 6 ? entryOf(i.idAt(1)) : nullptr)
          entry->workgroupSize = {i[3], i[4], i[5]};
        break;
      case spv::ExecutionMode::DenormPreserve:
      case spv::ExecutionMode::DenormFlushToZero:
      case spv::ExecutionMode::SignedZeroInfNanPreserve:
      case spv::ExecutionMode::RoundingModeRTE:
      case spv::ExecutionMode::RoundingModeRTZ:
        if (i.length() >= 4) info_.floatModes.push_back({spv::ExecutionMode(i[2]), i[3]});
        break;
      default: break;
    }
  }

  void readDecoration(const InstructionWalk& i) {
    switch (spv::Decoration(i[2])) {
      case spv::Decoration::Binding: bindings_[i.idAt(1)] = i[3]; break;
      case spv::Decoration::DescriptorSet: sets_[i.idAt(1)] = i[3]; break;
      case spv::Decoration::BuiltIn:
        if (spv::BuiltIn(i[3]) == spv::BuiltIn::WorkgroupSize) sizedByConstant_ = true;
        break;
      default: break;
    }
  }

  void readType(const InstructionWalk& i) {
    if (i.length() < 3) return;
    switch (i.op()) {
      case Op::OpTypePointer:
        if (i.length() < 4) break;
        if (spv::StorageClass(i[2]) == spv::StorageClass::PushConstant)
          pushConstantTypes_[i.idAt(1)] = i.idAt(3);
        if (const auto width = floatWidths_.find(i.idAt(3)); width != floatWidths_.end())
          floatPointers_[i.idAt(1)] = {spv::StorageClass(i[2]), width->second};
        break;
      case Op::OpTypeFloat: floatWidths_[i.idAt(1)] = i[2]; break;
      case Op::OpTypeCooperativeMatrixKHR:
        if (i.length() >= 4) matrixScopes_.push_back(i.idAt(3));
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
      case Op::OpRawAccessChainNV: notePointer(i); break;
      case Op::OpAtomicLoad:
      case Op::OpAtomicExchange:
        if (i.length() >= 4) noteAtomic(i.idAt(3));
        break;
      case Op::OpAtomicStore:
        if (i.length() >= 2) noteAtomic(i.idAt(1));
        break;
      case Op::OpVariable:
        notePointer(i);
        if (i.length() >= 4 && spv::StorageClass(i[3]) == spv::StorageClass::PushConstant)
          readPushConstants(i);
        if (i.length() >= 4 && spv::StorageClass(i[3]) == spv::StorageClass::Workgroup)
          workgroupVariables_.push_back({i.idAt(1), i.idAt(2)});
        break;
      default: break;
    }
  }

  void notePointer(const InstructionWalk& i) {
    if (i.length() < 3) return;
    if (const auto type = floatPointers_.find(i.idAt(1)); type != floatPointers_.end()) {
      const FloatPointer pointer = type->second;
      floatPointers_[i.idAt(2)] = pointer;
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

  void readPushConstants(const InstructionWalk& i) {
    const auto type = pushConstantTypes_.find(i.idAt(1));
    const auto last = type == pushConstantTypes_.end() ? lastOffsets_.end() : lastOffsets_.find(type->second);
    info_.pushConstants.push_back({i.idAt(2), last == lastOffsets_.end() ? 0 : last->second});
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
    if (!spirv::readModule(words, info_.parsed.emplace(), ignored)) info_.parsed.reset();
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
    if (!info_.parsed && !spirv::readModule(words, other, ignored, true)) other = {};
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
