// The module around the functions: capabilities, memory model, source.
#include "emit/data_flow.hpp"
#include "emit/emit.hpp"
#include "emit/emitter.hpp"
#include "emit/storage_uses.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;
using spirv::Section;

namespace {
constexpr uint32_t kGenerator = 0;  // no number is registered for this compiler
}  // namespace

bool emitModule(const CompileOptions& options, const Program& program, const Names& names,
                const SourceManager& sources, Diagnostics& diagnostics, std::vector<uint32_t>& words) {
  words.clear();
  ModuleState module(options, program, names, sources, diagnostics);
  Emitter emitter(module);
  return emitter.run(words);
}

Emitter::Emitter(ModuleState& m)
    : InstructionWriter(m, types),
      types(m, declarations_),
      constants(m, declarations_),
      variables(m, declarations_),
      intrinsics(m, declarations_),
      arithmetic(m, types, constants, *this),
      memory(m, declarations_, *this),
      functions(m),
      entryPoint_(m, declarations_),
      statements_(*this),
      debug_(m, declarations_) {}

// OpSource in the reference compiler's form; -g adds the main file's text, and a string for each file that a
// line names. Ids of strings are assigned last, so that the rest of the module does not depend on them.
void Emitter::writeSource() {
  const auto language = program.es ? spv::SourceLanguage::ESSL : spv::SourceLanguage::GLSL;
  if (module.options.debugInfo) {
    std::vector<uint32_t> files = lineFiles();
    if (files.empty() && module.sources.fileCount() > 0) files.push_back(0);
    std::vector<Id> ids;
    for (uint32_t file : files) ids.push_back(b.string(module.sources.name(file)));
    b.setLineFiles(ids);
    // OpString comes before OpSource: both live in the section of strings.
    for (size_t i = 0; i < files.size(); ++i)
      b.source(language, program.version, ids[i], module.sources.text(files[i]));
  } else {
    b.source(language, program.version, {}, {});
  }
  program.extensionsSeen.forEach(
      [&](ExtensionId e) { b.make<op::SourceExtension>(Section::Strings, {.extension = extensionName(e)}); });
}

void Emitter::writeCapabilities() {
  const auto used = [&](Scalar s) { return module.usesScalar(s); };
  const auto made = [&](Scalar s) { return types.isMade(frontend::basicType(s)); };
  bool int8 = used(Scalar::Int8) || used(Scalar::Uint8);
  bool int16 = used(Scalar::Int16) || used(Scalar::Uint16);
  bool float16 = used(Scalar::Float16);
  // If a type exists but no arithmetic on it is known, the instructions that use it decide.
  const bool made8 = made(Scalar::Int8) || made(Scalar::Uint8);
  const bool made16 = made(Scalar::Int16) || made(Scalar::Uint16);
  const bool madeFloat16 = made(Scalar::Float16);
  if ((made8 && !int8) || (made16 && !int16) || (madeFloat16 && !float16)) {
    const SmallTypeUses uses = usesBeyondStorage(b);
    int8 |= uses.int8, int16 |= uses.int16, float16 |= uses.float16;
  }
  // A type that only conversions use needs the capability if no storage class provides it.
  const auto stored = [&](std::initializer_list<spv::Capability> any) {
    for (const spv::Capability c : any) {
      if (b.hasCapability(c)) return true;
    }
    return false;
  };
  using C = spv::Capability;
  if (!stored({C::StorageBuffer8BitAccess, C::UniformAndStorageBuffer8BitAccess, C::StoragePushConstant8,
               C::WorkgroupMemoryExplicitLayout8BitAccessKHR}))
    int8 |= made8;
  if (!stored({C::StorageBuffer16BitAccess, C::UniformAndStorageBuffer16BitAccess, C::StoragePushConstant16,
               C::WorkgroupMemoryExplicitLayout16BitAccessKHR, C::StorageInputOutput16}))
    int16 |= made16, float16 |= madeFloat16;
  if (int8) capability(C::Int8);
  if (int16) capability(C::Int16);
  if (float16) capability(C::Float16);
}

bool Emitter::run(std::vector<uint32_t>& words) {
  capability(spv::Capability::Shader);
  entryPoint_.declareStage();
  if (module.vulkanMemory) capability(spv::Capability::VulkanMemoryModel);
  if (!program.entryPoint) {
    unsupported({}, "a shader without an entry point");
    return false;
  }
  if (module.options.debugScopes) module.debug = &debug_;
  precise_ = preciseExpressions(program);
  usedGlobals_ = usedGlobals(program);
  entryPoint_.writeLocalSizes();
  const Id entry = functions.idOf(program.entryPoint);
  for (; !functions.empty() && !module.failed(); functions.pop()) {
    const FunctionInstance instance = functions.front();
    const FnId f = instance.function;
    if (!program.functions[f].body) {
      unsupported(program.functions[f].loc, "a function without a body");
      break;
    }
    emitFunction(instance, f == program.entryPoint);
    module.checkLimits(program.functions[f].loc);
  }
  if (module.options.unusedInterface && !module.failed()) variables.makeUnusedInterface();
  if (!module.failed()) variables.makePassedThrough();
  if (module.failed()) return false;

  entryPoint_.writeExecutionModes(entry);
  writeCapabilities();
  intrinsics.requireComponents();
  b.memoryModel(module.physicalAddressing || b.hasCapability(spv::Capability::PhysicalStorageBufferAddresses)
                    ? spv::AddressingModel::PhysicalStorageBuffer64
                    : spv::AddressingModel::Logical,
                module.vulkanMemory ? spv::MemoryModel::Vulkan : spv::MemoryModel::GLSL450);
  entryPoint_.write(entry);
  writeSource();
  if (module.debug != nullptr) debug_.write(entry);
  module.checkLimits({});
  if (module.failed()) return false;
  words = b.finish(module.version, kGenerator);
  return true;
}

}  // namespace coopc::emit
