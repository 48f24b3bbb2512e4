// Rules for resolved calls beyond their types: the memory that atomics work on (GLSL 4.60, 8.11, 8.12),
// memory qualifiers of images (4.10), constant operands in their ranges (8.9, GL_KHR_shader_subgroup), and
// the error checks that GL_KHR_memory_scope_semantics lists for scopes and semantics.
#include <map>
#include <set>
#include <utility>

#include <spirv/unified1/spirv.hpp11>

#include "base/spirv_version.hpp"
#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/builtins/prototypes.hpp"
#include "frontend/check/expressions.hpp"
#include "frontend/check/extensions/tile_shading.hpp"
#include "frontend/check/target.hpp"
#include "frontend/language/texture_form.hpp"
#include "frontend/program/constant_values.hpp"

namespace coopc::frontend::builtins {
namespace {

using Semantics = spv::MemorySemanticsMask;

// The extension's constants have SPIR-V's values.
constexpr int64_t kAcquire = int64_t(Semantics::Acquire);
constexpr int64_t kRelease = int64_t(Semantics::Release);
constexpr int64_t kAcquireRelease = int64_t(Semantics::AcquireRelease);
constexpr int64_t kMakeAvailable = int64_t(Semantics::MakeAvailable);
constexpr int64_t kMakeVisible = int64_t(Semantics::MakeVisible);
constexpr int64_t kVolatile = int64_t(Semantics::Volatile);
constexpr int64_t kSemanticsBits =
    kAcquire | kRelease | kAcquireRelease | kMakeAvailable | kMakeVisible | kVolatile;
constexpr int64_t kOutputMemory = int64_t(Semantics::OutputMemory);
constexpr int64_t kStorageBits = int64_t(Semantics::UniformMemory) | int64_t(Semantics::WorkgroupMemory) |
                                 int64_t(Semantics::ImageMemory) | kOutputMemory;
constexpr int64_t kFirstScope = int64_t(spv::Scope::Device);
constexpr int64_t kWorkgroup = int64_t(spv::Scope::Workgroup);
constexpr int64_t kSubgroup = int64_t(spv::Scope::Subgroup);
constexpr int64_t kQueueFamily = int64_t(spv::Scope::QueueFamily);
constexpr int64_t kShaderCall = int64_t(spv::Scope::ShaderCallKHR);

constexpr std::string_view kHalfVectors = "GL_NV_shader_atomic_fp16_vector, 8.12";

void reportImageFormat(Checker& c, SourceLoc loc, NameId function, std::string_view format,
                       std::string_view clause) {
  c.report(DiagKind::ImageAtomicFormat, loc, {c.names.text(function), format}).clause(clause);
}

// The format of an image: its variable's, or that of the member of a heap block.
uint32_t formatOf(const Program& p, ExprId image, const Variable& root) {
  if (!isHeap(root.storage)) return root.imageFormat;
  ExprId e = image;
  while (p.exprs[e].op == ExprOp::Index) e = p.exprs[e].indexBase();
  const Expr& member = p.exprs[e];
  if (member.op != ExprOp::Member) return 0;
  return p.membersOf(p.types[p.exprs[member.memberBase()].type].structure())[member.memberIndex()]
      .imageFormat;
}

bool isLoad(BuiltinOp op) { return op == BuiltinOp::AtomicLoad || op == BuiltinOp::ImageAtomicLoad; }
bool isStore(BuiltinOp op) { return op == BuiltinOp::AtomicStore || op == BuiltinOp::ImageAtomicStore; }
bool isCompSwap(BuiltinOp op) {
  return op == BuiltinOp::AtomicCompSwap || op == BuiltinOp::ImageAtomicCompSwap;
}
bool isBarrier(BuiltinOp op) {
  return op == BuiltinOp::MemoryBarrierScope || op == BuiltinOp::ControlBarrier ||
         op == BuiltinOp::ControlBarrierArrive || op == BuiltinOp::ControlBarrierWait;
}
bool isSplitBarrier(BuiltinOp op) {
  return op == BuiltinOp::ControlBarrierArrive || op == BuiltinOp::ControlBarrierWait;
}
bool isImageAtomic(BuiltinOp op) { return builtinGroup(op) == BuiltinGroup::ImageAtomic; }
bool isMemoryAtomic(BuiltinOp op) { return builtinGroup(op) == BuiltinGroup::Atomic; }

struct CallRules {
  Checker& c;
  const Prototype& p;
  NameId name;
  std::span<const ExprId> args;
  SourceLoc loc;
  bool ok = true;

  BuiltinOp op() const { return p.row->op; }
  SourceLoc at(uint32_t i) const { return c.expr(args[i]).loc; }
  std::string_view text() const { return c.names.text(name); }
  template <DiagArgKind... Kinds>
  void fail(DiagKindOf<Kinds...> kind, SourceLoc where, const DiagArgs<Kinds...>& values) {
    c.report(kind, where, values);
    ok = false;
  }
  void fail(DiagKindOf<> kind, SourceLoc where) {
    c.report(kind, where);
    ok = false;
  }
  // The operand's value if it is a literal constant (not a specialization constant: decision 27).
  std::optional<int64_t> literal(uint32_t i) const {
    return literalInteger(c.program, c.constantOf(args[i]));
  }

  // ------------------------------------------------------------------------------------------- memory

  // Whether the l-value is in a buffer or shared memory: through a reference, or by its variable's storage.
  bool isInMemory(ExprId e) const {
    for (;;) {
      const Expr& x = c.expr(e);
      if (!isAccess(x.op)) break;
      const TypeInfo base = c.type(c.typeOf(x.accessBase()));
      if (base.kind == TypeKind::Reference) return true;
      if (base.kind == TypeKind::BufferType)
        return c.program.structs[base.structure()].storage == Storage::StorageBlock;
      e = x.accessBase();
    }
    const VarId v = rootVariable(c.program, e);
    if (!v) return false;
    const Storage s = c.program.variables[v].storage;
    return s == Storage::StorageBlock || s == Storage::Shared || s == Storage::SharedBlock ||
           s == Storage::TaskPayload;
  }

  void checkMemoryAtomic() {
    if (!isInMemory(args[0])) return fail(DiagKind::AtomicNotMemory, at(0), {text()});
    if (const VarId v = rootVariable(c.program, args[0]);
        v && !isLoad(op()) && c.options.stage == Stage::Mesh &&
        c.program.variables[v].storage == Storage::TaskPayload)
      return fail(DiagKind::WriteToTaskPayload, at(0),
                  {"the memory", c.names.text(c.program.variables[v].name)});
    const uint32_t q = accessQualifiers(c.program, args[0]);
    if ((q & kQualReadonly) && !isLoad(op()) && !contradictsReferenceBlock(c, args[0], kQualReadonly))
      return fail(DiagKind::AtomicReadonly, at(0), {text()});
    // Existing programs count and append with `writeonly` buffers, and the reference compiler accepts it
    // (decision 29).
    if ((q & kQualWriteonly) && !isStore(op()) && !contradictsReferenceBlock(c, args[0], kQualWriteonly))
      c.report(DiagKind::AtomicWriteonly, at(0), {text()});
  }

  void checkImageAccess() {
    const uint32_t q = accessQualifiers(c.program, args[0]);
    const BuiltinOp base = textureForm(op()).base;
    const bool reads = base == BuiltinOp::ImageLoad || (isImageAtomic(op()) && !isStore(op()));
    const bool writes = base == BuiltinOp::ImageStore || (isImageAtomic(op()) && !isLoad(op()));
    if (writes && (q & kQualReadonly)) return fail(DiagKind::ImageReadonly, at(0), {text()});
    if (reads && (q & kQualWriteonly)) return fail(DiagKind::ImageWriteonly, at(0), {text()});
    if (!isImageAtomic(op())) return;
    const VarId v = rootVariable(c.program, args[0]);
    const ImageFormatNeeded needed = v ? formatNeeded() : ImageFormatNeeded();
    if (needed.name.empty()) return;
    const Variable& variable = c.program.variables[v];
    const auto format = static_cast<uint32_t>(needed.format);
    // Parameters have no format (decision 73): finishImageAtomics() looks at the images that are passed.
    if (variable.storage == Storage::Local)
      c.imageAtomics.push_back({v, name, format, needed.name, needed.clause});
    else if (formatOf(c.program, args[0], variable) != format)
      failFormat(needed);
  }

  struct ImageFormatNeeded {
    spv::ImageFormat format = spv::ImageFormat::Unknown;
    std::string_view name, clause = "GLSL 4.60, 8.12";
  };
  void failFormat(const ImageFormatNeeded& needed) {
    reportImageFormat(c, at(0), name, needed.name, needed.clause);
    ok = false;
  }
  ImageFormatNeeded formatNeeded() const {
    // GL_NV_shader_atomic_fp16_vector, 8.12: "images with format qualifiers of <rg16f> and <rgba16f>"
    if (const uint32_t components = basicScalar(p.result) == Scalar::Float16 ? basicRows(p.result) : 0)
      return components == 2 ? ImageFormatNeeded{spv::ImageFormat::Rg16f, "`rg16f`", kHalfVectors}
                             : ImageFormatNeeded{spv::ImageFormat::Rgba16f, "`rgba16f`", kHalfVectors};
    switch (c.type(c.typeOf(args[0])).image().sampled) {
      case Scalar::Float: return {spv::ImageFormat::R32f, "`r32f`"};
      case Scalar::Int: return {spv::ImageFormat::R32i, "`r32i`"};
      case Scalar::Uint: return {spv::ImageFormat::R32ui, "`r32ui`"};
      case Scalar::Uint64: return {spv::ImageFormat::R64ui, "`r64ui`"};
      case Scalar::Int64: return {spv::ImageFormat::R64i, "`r64i`"};
      default: return {};
    }
  }

  // ------------------------------------------------------------------------------------- interpolation

  // "interpolant must be an input variable or an element of an input variable declared as an array" (8.14.2),
  // or a member of a block; component selections are allowed from 4.40 on.
  void checkInterpolant() {
    ExprId e = args[0];
    if (!c.es && c.version >= 440)
      while (c.expr(e).op == ExprOp::Swizzle) e = c.expr(e).swizzleBase();
    const VarId v = c.expr(e).op == ExprOp::Swizzle ? VarId() : rootVariable(c.program, e);
    if (!v || c.program.variables[v].storage != Storage::Input)
      return fail(DiagKind::InterpolantArgument, at(0), {text()});
    if (op() == BuiltinOp::InterpolateAtVertex) checkVertexOfInterpolant(e, v);
  }
  // GL_AMD_shader_explicit_vertex_parameter, 8.13.2: the interpolant has the qualifier, and a vertex is one
  // of three.
  void checkVertexOfInterpolant(ExprId e, VarId v) {
    InterfaceId part = c.program.variables[v].interface;
    for (; isAccess(c.expr(e).op); e = c.expr(e).accessBase()) {
      const TypeInfo base = c.type(c.typeOf(c.expr(e).accessBase()));
      if (c.expr(e).op == ExprOp::Member && base.kind == TypeKind::Struct &&
          c.program.structs[base.structure()].block)
        part = c.program.membersOf(base.structure())[c.expr(e).memberIndex()].interface;
    }
    if (c.program.interfaceOf(part).interpolation != Interpolation::Explicit)
      return fail(DiagKind::ExplicitInterpolant, at(0), {text()});
    const std::optional<int64_t> vertex = literal(1);
    if (vertex && (*vertex < 0 || *vertex > 2)) fail(DiagKind::ExplicitVertex, at(1), {text(), *vertex});
  }

  // ----------------------------------------------------------------------------------------- textures

  void checkOffsetComponents(uint32_t i, ConstId value, uint32_t depth) {
    const Constant k = c.program.constants[value];
    if (k.isSpec) return;
    if (k.kind == ConstKind::Composite && depth < 3) {
      for (uint32_t n = 0; n < k.count && ok; ++n)
        checkOffsetComponents(i, c.program.constants.operands(value)[n], depth + 1);
      return;
    }
    const std::optional<int64_t> v = literalInteger(c.program, value);
    if (!v) return;
    const int64_t low = builtinConstantValue(c, "gl_MinProgramTexelOffset");
    const int64_t high = builtinConstantValue(c, "gl_MaxProgramTexelOffset");
    if (*v < low || *v > high) fail(DiagKind::TexelOffsetRange, at(i), {*v, low, high});
  }

  void checkTextureConstants() {
    for (uint32_t i = 1; i < p.count; ++i) {
      const bool offset = p.modes[i] == ParamMode::Offset;
      if (p.modes[i] != ParamMode::Constant && !(offset && c.constantOf(args[i]))) continue;
      const BuiltinOp base = textureForm(op()).base;
      const bool gather = base == BuiltinOp::TextureGather || base == BuiltinOp::TextureGatherOffset ||
                          base == BuiltinOp::TextureGatherOffsets ||
                          builtinGroup(op()) == BuiltinGroup::TextureExtension;
      if (gather && p.types[i] == kInt) {
        const std::optional<int64_t> v = literal(i);
        if (v && (*v < 0 || *v > 3)) fail(DiagKind::GatherComponent, at(i), {*v});
      } else if (!gather) {  // the limits of gathers depend on the device
        checkOffsetComponents(i, c.constantOf(args[i]), 0);
      }
    }
  }

  // ---------------------------------------------------------------------------------------- subgroups

  void checkSubgroup() {
    const bool clustered = builtinOpInfo(op()).form == ReductionForm::ClusteredReduce ||
                           op() == BuiltinOp::SubgroupClusteredRotate;
    if (clustered) {
      const uint32_t i = p.count - 1;
      const std::optional<int64_t> v = literal(i);
      if (v && (*v < 1 || (*v & (*v - 1)) != 0)) fail(DiagKind::ClusterSize, at(i), {*v});
    }
    if (op() == BuiltinOp::SubgroupBroadcast || op() == BuiltinOp::SubgroupQuadBroadcast) {
      if (c.options.spirvVersion < kSpirv15 && !c.constantOf(args[1]))
        return fail(DiagKind::SubgroupIdNotConstant, at(1), {text()});
      const std::optional<int64_t> v = literal(1);
      if (op() == BuiltinOp::SubgroupQuadBroadcast && v && *v > 3) fail(DiagKind::QuadIndex, at(1), {*v});
    }
  }

  // ----------------------------------------------------------------------------- scopes and semantics

  // Queue family scope and the availability, visibility and volatile semantics belong to the Vulkan memory
  // model.
  void requireVulkanMemoryModel() { useVulkanMemoryModel(c, text(), loc); }

  // SPIR-V does not allow specialization constants here: "must be OpConstant" (2.16.2, Shader capability).
  bool requireConstant(uint32_t i) {
    const ConstId id = c.constantOf(args[i]);
    if (!id || !c.program.constants[id].isSpec) return true;
    fail(DiagKind::ScopeSpecialized, at(i), {i + 1, text()});
    return false;
  }
  void checkScope(uint32_t i) {
    if (!requireConstant(i)) return;
    const std::optional<int64_t> v = literal(i);
    const int64_t last = contains(kRayTracing, c.options.stage) ? kShaderCall : kQueueFamily;
    if (v && (*v < kFirstScope || *v > last)) fail(DiagKind::ScopeInvalid, at(i), {*v});
    if (v == kQueueFamily) requireVulkanMemoryModel();
  }
  // VUID-StandaloneSpirv-OpControlBarrierArriveEXT-13553.
  void checkExecutionScope(uint32_t i) {
    const std::optional<int64_t> v = literal(i);
    if (ok && v && *v != kWorkgroup && *v != kSubgroup)
      fail(DiagKind::SplitBarrierScope, at(i), {text(), *v});
  }
  void checkStorage(uint32_t i) {
    if (!requireConstant(i)) return;
    const int64_t v = literal(i).value_or(0);
    if ((v & ~kStorageBits) != 0) fail(DiagKind::StorageSemanticsInvalid, at(i), {v});
    if ((v & kOutputMemory) != 0) requireVulkanMemoryModel();
  }
  void checkSemantics(uint32_t i, bool unequal) {
    if (!requireConstant(i)) return;
    const std::optional<int64_t> known = literal(i);
    if (!known) return;
    const int64_t v = *known;
    if ((v & ~kSemanticsBits) != 0) return fail(DiagKind::SemanticsInvalid, at(i), {v});
    const int64_t order = v & (kAcquire | kRelease | kAcquireRelease);
    if ((order & (order - 1)) != 0) return fail(DiagKind::SemanticsSeveral, at(i));
    const bool acquires = (v & (kAcquire | kAcquireRelease)) != 0,
               releases = (v & (kRelease | kAcquireRelease)) != 0;
    if (isStore(op()) && acquires) return fail(DiagKind::SemanticsAcquireStore, at(i), {text()});
    if (isLoad(op()) && releases) return fail(DiagKind::SemanticsReleaseLoad, at(i), {text()});
    if (unequal && releases) return fail(DiagKind::UnequalRelease, at(i), {text()});
    // GL_EXT_split_barrier, 8.16.
    const bool arrive = op() == BuiltinOp::ControlBarrierArrive;
    if (isSplitBarrier(op()) && order != 0 && order != (arrive ? kRelease : kAcquire))
      return fail(DiagKind::SplitBarrierSemantics, at(i), {text(), arrive ? "release" : "acquire"});
    if (isBarrier(op()) && (v & kVolatile)) return fail(DiagKind::BarrierVolatile, at(i), {text()});
    if (op() == BuiltinOp::MemoryBarrierScope && order == 0)
      return fail(DiagKind::BarrierWithoutOrder, at(i), {text()});
    if ((v & (kMakeAvailable | kMakeVisible | kVolatile)) != 0) requireVulkanMemoryModel();
    if ((v & kMakeAvailable) && !releases) return fail(DiagKind::AvailableWithoutRelease, at(i));
    if ((v & kMakeVisible) && !acquires) fail(DiagKind::VisibleWithoutAcquire, at(i));
  }

  void checkScopes() {
    uint32_t first = 0;  // the scoped operands are the last constant ones
    while (first < p.count && p.modes[first] != ParamMode::Constant) ++first;
    if (first == p.count) return;
    const uint32_t n = p.count - first;
    checkScope(first);
    if (isSplitBarrier(op())) checkExecutionScope(first);
    if (op() == BuiltinOp::ControlBarrier || isSplitBarrier(op())) checkScope(++first);
    checkStorage(first + 1);
    checkSemantics(first + 2, false);
    checkOrderAndStorage(first + 1);
    if (isCompSwap(op()) && n == 5) {
      checkStorage(first + 3);
      checkSemantics(first + 4, true);
      checkOrderAndStorage(first + 3);
      checkUnequalCase(first + 1);
    }
  }

  // Vulkan's rules for the combination of storage semantics, at argument `i`, and the semantics that follow
  // them.
  void checkOrderAndStorage(uint32_t i) {
    const std::optional<int64_t> storage = literal(i), semantics = literal(i + 1);
    if (!ok || !storage || !semantics) return;
    const int64_t kinds = *storage;
    const bool ordered = (*semantics & (kAcquire | kRelease | kAcquireRelease)) != 0;
    if (isBarrier(op()) && kinds == 0 && (*semantics != 0 || op() == BuiltinOp::MemoryBarrierScope))
      return fail(DiagKind::BarrierWithoutStorage, at(i), {text()});
    if (ordered && kinds == 0) return fail(DiagKind::OrderWithoutStorage, at(i), {text()});
    if (!ordered && kinds != 0) fail(DiagKind::StorageWithoutOrder, at(i + 1), {text()});
  }

  // The semantics of the unequal case are a subset of the semantics of the equal case. `i`: the storage
  // semantics of the equal case.
  void checkUnequalCase(uint32_t i) {
    const std::optional<int64_t> storage = literal(i), equal = literal(i + 1);
    const std::optional<int64_t> otherStorage = literal(i + 2), unequal = literal(i + 3);
    if (!ok || !storage || !equal || !otherStorage || !unequal) return;
    if (((*equal ^ *unequal) & kVolatile) != 0) return fail(DiagKind::VolatileInOneCase, at(i + 3), {text()});
    if ((*unequal & kAcquire) != 0 && (*equal & (kAcquire | kAcquireRelease)) == 0)
      return fail(DiagKind::UnequalStronger, at(i + 3), {text()});
    if ((*unequal & ~*equal & kMakeVisible) != 0) return fail(DiagKind::UnequalVisible, at(i + 3), {text()});
    if ((*otherStorage & ~*storage) != 0) fail(DiagKind::UnequalStorage, at(i + 2), {text()});
  }
};

}  // namespace

bool checkCallRules(Checker& c, const Prototype& p, NameId name, std::span<const ExprId> args,
                    SourceLoc loc) {
  CallRules rules{c, p, name, args, loc};
  const FnRow& r = *p.row;
  if (isMemoryAtomic(r.op)) rules.checkMemoryAtomic();
  if (r.flags & kRowTexture) {
    // "This function is only available if ARB_sparse_texture2 is" (GL_AMD_texture_gather_bias_lod); "If the
    // shader enables ARB_sparse_texture2" (GL_AMD_shader_image_load_store_lod).
    if (const TextureForm form = textureForm(r.op); form.sparse && form.lod)
      c.require(Feature::SparseTextures, c.names.text(name), loc);
    if (c.type(p.types[0]).image().kind == ImageKind::Storage)
      rules.checkImageAccess();
    else
      rules.checkTextureConstants();
    if (c.program.extensionsSeen.has(ExtensionId::GL_QCOM_tile_shading) &&
        !checkTileAttachmentCall(c, r.op, name, args[0]))
      rules.ok = false;
  }
  if (r.flags & kRowSubgroup) rules.checkSubgroup();
  if (builtinGroup(r.op) == BuiltinGroup::Interpolation) rules.checkInterpolant();
  if (rules.ok && ((r.flags & kRowScoped) || isImageAtomic(r.op))) rules.checkScopes();
  return rules.ok;
}

void finishImageAtomics(Checker& c) {
  if (c.imageAtomics.empty()) return;
  const Program& p = c.program;
  std::multimap<VarId, ExprId> passed;  // by parameter
  for (const ExprId id : p.exprs.ids()) {
    const Expr& e = p.exprs[id];
    if (e.op != ExprOp::Call) continue;
    const auto args = p.callArguments(e);
    const IdRange<VarId> params = p.functions[p.callee(e)].params;
    for (uint32_t i = 0; i < args.size(); ++i)
      if (c.type(c.typeOf(args[i])).kind == TypeKind::Image) passed.emplace(params[i], args[i]);
  }
  // A parameter that is passed on needs the format that the other parameter needs. Each is followed once for
  // each format.
  std::set<std::pair<VarId, uint32_t>> followed;
  for (size_t n = 0; n < c.imageAtomics.size(); ++n) {
    const Checker::ImageAtomic needed = c.imageAtomics[n];
    if (!followed.emplace(needed.parameter, needed.format).second) continue;
    const auto [first, last] = passed.equal_range(needed.parameter);
    for (auto it = first; it != last; ++it) {
      const VarId v = rootVariable(p, it->second);
      if (!v) continue;
      if (p.variables[v].storage == Storage::Local)
        c.imageAtomics.push_back({v, needed.function, needed.format, needed.formatText, needed.clause});
      else if (formatOf(p, it->second, p.variables[v]) != needed.format)
        reportImageFormat(c, c.expr(it->second).loc, needed.function, needed.formatText, needed.clause);
    }
  }
}

void checkParameterQualifiers(Checker& c, FnId fn, uint32_t index, ExprId arg) {
  const Function& f = c.program.functions[fn];
  const Variable& param = c.program.variables[f.params[index]];
  if (!isOpaqueKind(c.type(c.typeOf(arg)).kind)) return;
  const uint32_t lost = accessQualifiers(c.program, arg) & ~param.qualifiers;
  struct Named {
    uint32_t flag;
    std::string_view name;
  };
  constexpr Named kNames[] = {{kQualCoherent, "coherent"},
                              {kQualVolatile, "volatile"},
                              {kQualReadonly, "readonly"},
                              {kQualWriteonly, "writeonly"},
                              {kQualDeviceCoherent, "devicecoherent"},
                              {kQualQueueFamilyCoherent, "queuefamilycoherent"},
                              {kQualWorkgroupCoherent, "workgroupcoherent"},
                              {kQualSubgroupCoherent, "subgroupcoherent"},
                              {kQualShaderCallCoherent, "shadercallcoherent"},
                              {kQualNonPrivate, "nonprivate"}};
  for (const Named& n : kNames)
    if (lost & n.flag) {
      c.report(DiagKind::QualifierLost, c.expr(arg).loc, {index + 1, c.names.text(f.name), n.name})
          .note(param.loc, "the parameter is declared here");
      return;
    }
}

}  // namespace coopc::frontend::builtins
