// One pass over a module's instructions. Only the few that matter are looked at; a malformed word count ends the pass with
// an error.
#include "harness/module_info.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

namespace coopc::harness {
namespace {

constexpr uint32_t kMagic = 0x07230203;
constexpr uint32_t kSwappedMagic = 0x03022307;
constexpr uint32_t kModelGlCompute = 5;
constexpr uint32_t kScopeWorkgroup = 2;
constexpr uint32_t kClassWorkgroup = 4;
constexpr uint32_t kClassPushConstant = 9;
constexpr uint32_t kClassImage = 11;

enum Op : uint32_t {
  OpExtension = 10,
  OpEntryPoint = 15,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeFloat = 22,
  OpTypePointer = 32,
  OpConstant = 43,
  OpConstantComposite = 44,
  OpSpecConstant = 50,
  OpSpecConstantComposite = 51,
  OpFunctionParameter = 55,
  OpVariable = 59,
  OpImageTexelPointer = 60,
  OpLoad = 61,
  OpAccessChain = 65,
  OpInBoundsAccessChain = 66,
  OpPtrAccessChain = 67,
  OpInBoundsPtrAccessChain = 70,
  OpDecorate = 71,
  OpMemberDecorate = 72,
  OpCopyObject = 83,
  OpConvertUToPtr = 120,
  OpBitcast = 124,
  OpAtomicLoad = 227,
  OpAtomicStore = 228,
  OpAtomicExchange = 229,
  OpExecutionModeId = 331,
  OpTypeCooperativeMatrixKHR = 4456,
  OpRawAccessChainNV = 5398,
};

/// A pointer to a floating-point scalar, of a type or of a value.
struct FloatPointer {
  uint32_t storageClass = 0;
  uint32_t width = 0;
};

std::string literalString(std::span<const uint32_t> words, size_t& at) {
  std::string text;
  for (; at < words.size(); ++at) {
    for (unsigned i = 0; i < 4; ++i) {
      const char c = static_cast<char>(words[at] >> (8 * i) & 0xFF);
      if (c == 0) {
        ++at;
        return text;
      }
      text += c;
    }
  }
  return text;
}

uint32_t valueOf(const ModuleInfo& module, uint32_t id, const std::map<uint32_t, uint64_t>& specialization) {
  const auto it = module.constants.find(id);
  if (it == module.constants.end()) return 1;
  if (it->second.specId) {
    const auto given = specialization.find(*it->second.specId);
    if (given != specialization.end()) return static_cast<uint32_t>(given->second);
  }
  return it->second.value;
}

}  // namespace

const EntryPoint* ModuleInfo::findEntry(const std::string& name) const {
  for (const EntryPoint& entry : entryPoints) {
    if (entry.name == name && entry.executionModel == kModelGlCompute) return &entry;
  }
  return nullptr;
}

bool ModuleInfo::mayUse(const EntryPoint& entry, uint32_t variable) const {
  return version < 0x00010400 ||
         std::find(entry.interface.begin(), entry.interface.end(), variable) != entry.interface.end();
}

Result<ModuleInfo> readModuleInfo(std::span<const uint32_t> words) {
  if (words.size() < 5 || words[0] != kMagic) return Error{"not a SPIR-V module"};
  ModuleInfo info;
  info.version = words[1];
  std::map<uint32_t, uint32_t> specIds;   // by constant's id
  std::map<uint32_t, uint32_t> bindings;  // by variable's id
  std::map<uint32_t, uint32_t> sets;
  std::map<uint32_t, std::array<uint32_t, 3>> composites;
  std::vector<uint32_t> matrixScopes;
  std::map<uint32_t, uint32_t> lastOffsets;        // by struct's id
  std::map<uint32_t, uint32_t> pushConstantTypes;  // by pointer type's id
  std::map<uint32_t, uint32_t> floatWidths;        // by type's id
  std::map<uint32_t, FloatPointer> floatPointers;  // by the id of a pointer type, and of values of it
  std::set<std::pair<uint32_t, FloatAtomic::Memory>> floatAtomics;  // width and memory
  uint32_t workgroupSizeId = 0;
  const auto entryOf = [&](uint32_t id) -> EntryPoint* {
    for (EntryPoint& entry : info.entryPoints) {
      if (entry.id == id) return &entry;
    }
    return nullptr;
  };

  const auto notePointer = [&](std::span<const uint32_t> in) {
    if (in.size() < 3) return;
    if (const auto type = floatPointers.find(in[1]); type != floatPointers.end()) {
      const FloatPointer pointer = type->second;
      floatPointers[in[2]] = pointer;
    }
  };
  const auto noteAtomic = [&](uint32_t pointer) {
    const auto it = floatPointers.find(pointer);
    if (it == floatPointers.end()) return;
    const uint32_t storageClass = it->second.storageClass;
    const auto memory = storageClass == kClassWorkgroup ? FloatAtomic::Memory::Shared
                        : storageClass == kClassImage   ? FloatAtomic::Memory::Image
                                                        : FloatAtomic::Memory::Buffer;
    floatAtomics.insert({it->second.width, memory});
  };

  for (size_t at = 5; at < words.size();) {
    const uint32_t count = words[at] >> 16;
    const uint32_t opcode = words[at] & 0xFFFF;
    if (count == 0 || count > words.size() - at) {
      return Error{"malformed SPIR-V: bad word count at word " + std::to_string(at)};
    }
    const std::span<const uint32_t> in = words.subspan(at, count);
    at += count;
    switch (opcode) {
      case OpCapability:
        if (count >= 2) info.capabilities.push_back(in[1]);
        break;
      case OpExtension: {
        size_t word = 1;
        info.extensions.push_back(literalString(in, word));
        break;
      }
      case OpEntryPoint:
        if (count >= 4) {
          EntryPoint entry;
          entry.executionModel = in[1];
          entry.id = in[2];
          size_t word = 3;
          entry.name = literalString(in, word);
          for (; word < in.size(); ++word) entry.interface.push_back(in[word]);
          info.entryPoints.push_back(std::move(entry));
        }
        break;
      case OpExecutionMode:
        if (count >= 6 && in[2] == 17) {  // LocalSize
          if (EntryPoint* entry = entryOf(in[1])) entry->localSize = {in[3], in[4], in[5]};
        } else if (count >= 4 && in[2] >= 4459 && in[2] <= 4463) {
          info.floatModes.push_back({in[2], in[3]});
        }
        break;
      case OpExecutionModeId:
        if (count >= 6 && in[2] == 38) {  // LocalSizeId
          info.usesLocalSizeId = true;
          if (EntryPoint* entry = entryOf(in[1])) entry->localSizeIds = {in[3], in[4], in[5]};
        }
        break;
      case OpDecorate:
        if (count >= 4 && in[2] == 33) bindings[in[1]] = in[3];                 // Binding
        if (count >= 4 && in[2] == 34) sets[in[1]] = in[3];                     // DescriptorSet
        if (count >= 4 && in[2] == 1) specIds[in[1]] = in[3];                   // SpecId
        if (count >= 4 && in[2] == 11 && in[3] == 25) workgroupSizeId = in[1];  // BuiltIn WorkgroupSize
        break;
      case OpMemberDecorate:
        if (count >= 5 && in[3] == 35) lastOffsets[in[1]] = std::max(lastOffsets[in[1]], in[4]);  // Offset
        break;
      case OpTypePointer:
        if (count >= 4 && in[2] == kClassPushConstant) pushConstantTypes[in[1]] = in[3];
        if (count >= 4 && floatWidths.count(in[3]) != 0) floatPointers[in[1]] = {in[2], floatWidths[in[3]]};
        break;
      case OpTypeFloat:
        if (count >= 3) floatWidths[in[1]] = in[2];
        break;
      case OpFunctionParameter:
      case OpImageTexelPointer:
      case OpLoad:
      case OpAccessChain:
      case OpInBoundsAccessChain:
      case OpPtrAccessChain:
      case OpInBoundsPtrAccessChain:
      case OpCopyObject:
      case OpConvertUToPtr:
      case OpBitcast:
      case OpRawAccessChainNV: notePointer(in); break;
      case OpAtomicLoad:
      case OpAtomicExchange:
        if (count >= 4) noteAtomic(in[3]);
        break;
      case OpAtomicStore:
        if (count >= 2) noteAtomic(in[1]);
        break;
      case OpVariable:
        notePointer(in);
        if (count >= 4 && in[3] == kClassPushConstant) {
          const auto type = pushConstantTypes.find(in[1]);
          const auto last =
              type == pushConstantTypes.end() ? lastOffsets.end() : lastOffsets.find(type->second);
          info.pushConstants.push_back({in[2], last == lastOffsets.end() ? 0 : last->second});
        }
        break;
      case OpConstant:
      case OpSpecConstant:
        if (count >= 4) {
          ScalarConstant constant{in[3], std::nullopt};
          const auto it = specIds.find(in[2]);
          if (opcode == OpSpecConstant && it != specIds.end()) constant.specId = it->second;
          info.constants[in[2]] = constant;
        }
        break;
      case OpConstantComposite:
      case OpSpecConstantComposite:
        if (count == 6) composites[in[2]] = {in[3], in[4], in[5]};
        break;
      case OpTypeCooperativeMatrixKHR:
        if (count >= 4) matrixScopes.push_back(in[3]);
        break;
      default: break;
    }
  }
  if (const auto it = composites.find(workgroupSizeId); workgroupSizeId != 0 && it != composites.end()) {
    info.workgroupSizeIds = it->second;
  }
  for (const auto& [id, binding] : bindings) {
    const auto set = sets.find(id);
    info.boundVariables.push_back({id, set == sets.end() ? 0 : set->second, binding});
  }
  for (const auto& [width, memory] : floatAtomics) info.floatAtomics.push_back({width, memory});
  info.matrices = !matrixScopes.empty();
  info.workgroupScopeMatrices = std::any_of(matrixScopes.begin(), matrixScopes.end(), [&](uint32_t id) {
    return valueOf(info, id, {}) == kScopeWorkgroup;
  });
  return info;
}

std::array<uint32_t, 3> workgroupSize(const ModuleInfo& module, const EntryPoint& entry,
                                      const std::map<uint32_t, uint64_t>& specialization) {
  const std::array<uint32_t, 3>& ids =
      module.workgroupSizeIds[0] != 0 ? module.workgroupSizeIds : entry.localSizeIds;
  if (ids[0] == 0) return entry.localSize;
  return {valueOf(module, ids[0], specialization), valueOf(module, ids[1], specialization),
          valueOf(module, ids[2], specialization)};
}

Result<std::vector<uint32_t>> readModuleFile(const std::string& path) {
  constexpr size_t kMaxBytes = size_t{256} << 20;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return Error{path + ": cannot be opened"};
  std::vector<uint32_t> words;
  uint32_t block[4096];
  size_t got;
  size_t bytes = 0;
  while ((got = std::fread(block, 1, sizeof block, file)) > 0 && bytes <= kMaxBytes) {
    bytes += got;
    words.insert(words.end(), block, block + got / 4);
  }
  const bool bad = std::ferror(file) != 0;
  std::fclose(file);
  if (bad) return Error{path + ": cannot be read"};
  if (bytes > kMaxBytes) return Error{path + ": larger than 256 MiB"};
  if (bytes % 4 != 0 || words.empty()) return Error{path + ": not a SPIR-V module"};
  if (words[0] == kSwappedMagic) {
    for (uint32_t& word : words) word = __builtin_bswap32(word);
  }
  if (words[0] != kMagic) return Error{path + ": not a SPIR-V module"};
  return words;
}

}  // namespace coopc::harness
