// Declarations and reports of an emission, each made once, and its memory model.
#include "emit/module_state.hpp"

#include "base/spirv_version.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// Matrices and tensors exist in the Vulkan memory model only.
bool needsVulkanMemory(const Program& program) {
  if (program.useVulkanMemoryModel) return true;
  for (const TypeId t : program.types.derived()) {
    const TypeKind k = program.types.kind(t);
    if (k == TypeKind::CoopMat || k == TypeKind::CoopMatNV || k == TypeKind::CoopVec ||
        k == TypeKind::TensorLayout || k == TypeKind::TensorView)
      return true;
  }
  return false;
}

// Below SPIR-V 1.3 the class StorageBuffer needs an extension (SPV_KHR_storage_buffer_storage_class), which
// not every device of Vulkan 1.0 has. Like the reference compiler, coopc uses BufferBlock there, unless
// #pragma use_storage_buffer asks for the class.
bool hasBufferBlocks(const CompileOptions& options, const Program& program) {
  return options.spirvVersion < kSpirv13 && !program.useStorageBuffer && !needsVulkanMemory(program) &&
         program.spirvStorageClasses.empty();
}

}  // namespace

ModuleState::ModuleState(const CompileOptions& o, const Program& p, const Names& n, const SourceManager& s,
                         Diagnostics& d)
    : options(o),
      program(p),
      names(n),
      sources(s),
      diagnostics(d),
      version(o.spirvVersion),
      vulkanMemory(needsVulkanMemory(p)),
      bufferBlocks(hasBufferBlocks(o, p)) {}

void ModuleState::declare(spv::Capability c, std::string_view vendor) {
  b.capability(c);
  const spirv::EnumerantInfo* row = enumerantInfo(spirv::OperandKind::Capability, static_cast<uint32_t>(c));
  if (row == nullptr) return;
  const std::string_view extension = neededExtension(row->version, row->extensionList, version, vendor);
  if (!extension.empty()) b.extension(extension);
}

void ModuleState::declareFor(uint16_t rowVersion, spirv::GrammarList capabilities,
                             spirv::GrammarList extensions) {
  if (capabilities.count == 1) capability(static_cast<spv::Capability>(grammarCapabilities(capabilities)[0]));
  // GL_NV_ray_tracing shares enumerants with its successor, and devices may have its extension alone.
  const std::string_view vendor = program.raysOfNV() ? "NV" : "";
  const std::string_view extension = neededExtension(rowVersion, extensions, version, vendor);
  if (!extension.empty()) b.extension(extension);
}

void ModuleState::declareFor(spv::Op opcode) {
  if (const spirv::OpInfo* row = spirv::opInfo(opcode))
    declareFor(row->version, row->capabilityList, row->extensionList);
}

void ModuleState::declareFor(spirv::OperandKind kind, uint32_t enumerant) {
  if (const spirv::EnumerantInfo* row = enumerantInfo(kind, enumerant))
    declareFor(row->version, row->capabilityList, row->extensionList);
}

void ModuleState::declareExtensionOf(spv::Capability c) {
  if (const auto* row = enumerantInfo(spirv::OperandKind::Capability, static_cast<uint32_t>(c)))
    declareFor(row->version, {}, row->extensionList);
}

Id ModuleState::nonSemanticSet(std::string_view name) {
  if (version < kSpirv16) b.extension("SPV_KHR_non_semantic_info");
  return b.extInstSet(name);
}

void ModuleState::unsupported(SourceLoc loc, std::string_view what) {
  if (!failed_) diagnostics.report(DiagKind::EmitUnsupported, loc.valid() ? loc : currentLoc, {what});
  failed_ = true;
}

void ModuleState::internalError(std::string_view what) {
  if (!failed_) diagnostics.report(DiagKind::InternalError, currentLoc, {what});
  failed_ = true;
}

void ModuleState::checkLimits(SourceLoc loc) {
  if (limitReported_ || !b.overflow()) return;
  limitReported_ = true;
  failed_ = true;
  if (b.bound() >= spirv::kMaxIdBound) {
    diagnostics.report(DiagKind::EmitIdLimit, loc, {uint64_t{spirv::kMaxIdBound}});
  } else {
    diagnostics.report(DiagKind::EmitInstructionLimit, loc, {uint64_t{spirv::kMaxInstructionWords}});
  }
}

void ModuleState::reportControlDepth(uint32_t limit) {
  if (limitReported_) return;
  limitReported_ = true;
  failed_ = true;
  diagnostics.report(DiagKind::EmitControlDepth, currentLoc, {uint64_t{limit}});
}

void ModuleState::reportDecorationWords() {
  if (limitReported_) return;
  limitReported_ = true;
  failed_ = true;
  diagnostics.report(DiagKind::EmitDecorationLimit, currentLoc, {options.limits.decorationWords});
}

}  // namespace coopc::emit
