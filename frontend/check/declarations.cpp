// Types of declarations, names, variables and structures. Blocks are in declarations_blocks.cpp, functions in
// declarations_functions.cpp, and checks at the end of the text in declarations_program.cpp.
#include "frontend/check/declarations.hpp"

#include <algorithm>
#include <bit>

#include <spirv/unified1/spirv.hpp11>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/expressions.hpp"
#include "frontend/check/expressions_common.hpp"
#include "frontend/check/extensions/heap_blocks.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/check/extensions/mesh_shading.hpp"
#include "frontend/check/extensions/ray_tracing.hpp"
#include "frontend/check/extensions/tile_image.hpp"
#include "frontend/check/extensions/tile_shading.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/check/primitives.hpp"
#include "frontend/check/suggest.hpp"
#include "frontend/check/target.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

constexpr uint32_t kMaxTypeDepth = 255;  // SPIR-V 1.6, 2.17: structure nesting depth
constexpr int64_t kMaxArraySize = 0x7fffffff;

}  // namespace

TypeId arrayOf(Checker& c, TypeId base, const std::vector<ConstId>& sizes, SourceLoc loc) {
  if (base == kErrorType) return kErrorType;
  if (base == kVoidType) {
    c.report(DiagKind::ArrayOfVoid, loc);
    return kErrorType;
  }
  if (typeDepth(c.program, base) + sizes.size() > kMaxTypeDepth) {
    c.report(DiagKind::TypeNesting, loc, {kMaxTypeDepth});
    return kErrorType;
  }
  for (size_t i = sizes.size(); i-- > 0;) base = c.program.types.array(base, sizes[i]);
  return base;
}

namespace {

// A pipeline may replace default values (decision 27). The reference compiler requires a positive default of
// the constant itself, but not of expressions.
void warnOfDefaultSize(Checker& c, ConstId size, SourceLoc loc) {
  const std::optional<int64_t> known = defaultInteger(c.program, size);
  if (!known) return;
  int64_t value = *known;
  if (basicScalar(c.program.constants[size].type) == Scalar::Int) value = static_cast<int32_t>(value);
  if (value > 0) return;
  if (c.program.constants[size].kind != ConstKind::Spec) {
    c.report(DiagKind::ArraySizeDefaultExpression, loc, {value});
    return;
  }
  const VarId constant = c.program.constants.specDeclaration(size);
  c.report(DiagKind::ArraySizeDefault, loc, {value, c.names.text(c.program.variables[constant].name)});
}

}  // namespace

ConstId checkArraySize(Checker& c, ExprId size) {
  if (c.isError(size)) return kUnsizedArray;
  const SourceLoc loc = c.expr(size).loc;
  const ConstId id = requireConstantInteger(c, size, "array size", true);
  if (!id) return kUnsizedArray;
  const std::optional<int64_t> value = literalInteger(c.program, id);
  if (!value) {
    warnOfDefaultSize(c, id, loc);
    return id;
  }
  if (*value <= 0) {
    c.report(DiagKind::ArraySizeNotPositive, loc, {*value});
    return kUnsizedArray;
  }
  if (*value > kMaxArraySize) {
    c.report(DiagKind::ArraySizeTooLarge, loc, {*value, kMaxArraySize});
    return kUnsizedArray;
  }
  return c.program.constants.uint32(static_cast<uint32_t>(*value));
}

void warnOfSpecInner(Checker& c, TypeId type, NameId name, SourceLoc loc) {
  if (hasSpecInner(c.program, type))
    c.report(DiagKind::ArrayInnerSpecVariable, loc, {name ? c.names.text(name) : c.typeText(type)});
}

bool checkStorageOnly(Checker& c, TypeId type, SourceLoc loc, std::string_view what) {
  if (type == kFloat || type == kInt || type == kUint) return true;
  for (Scalar s : {Scalar::Int8, Scalar::Uint8, Scalar::Int16, Scalar::Uint16, Scalar::Float16})
    if (containsScalar(c.program, type, s) && !containsKind(c.program, type, TypeKind::CoopMat) &&
        !requireArithmetic(c, s, loc, what))
      return false;
  return true;
}

DecorationListId decorationList(Checker& c, const Qualifiers& q) {
  return q.spirvDecorations.empty() ? DecorationListId() : c.program.decorationLists.add(q.spirvDecorations);
}

DecorationListId memberDecorations(Checker& c, const Qualifiers& q) {
  for (SpirvDecorationId d : q.spirvDecorations)
    if (c.program.spirvDecorations[d].form == SpirvDecoration::Form::Ids) {
      c.report(DiagKind::SpirvDecorateIdMember, q.spirvLoc);
      return {};
    }
  return decorationList(c, q);
}

bool checkNewName(Checker& c, NameId name, SourceLoc loc) {
  const std::string_view text = c.names.text(name);
  // GL_EXT_spirv_intrinsics, 3.7: such names are not errors by themselves.
  if (text.substr(0, 3) == "gl_" && !c.allows(Feature::ReservedNames)) {
    c.report(DiagKind::ReservedName, loc, {text});
    return false;
  }
  if (const Symbol* s = c.scopes.findInCurrent(name)) {
    c.report(DiagKind::Redeclaration, loc, {text}).note(s->loc, "the first declaration is here");
    return false;
  }
  return true;
}

void checkDescriptorHeap(Checker& c, const Qualifiers& q, TypeId type, NameId name, SourceLoc loc) {
  const LayoutQualifiers& layout = q.layout;
  const bool heap = layout.has(LayoutId::DescriptorHeap);
  if (layout.has(LayoutId::DescriptorStride)) {
    const uint32_t stride = layout.get(LayoutId::DescriptorStride);
    if (!heap)
      c.report(DiagKind::DescriptorStrideAlone, layout.at(LayoutId::DescriptorStride));
    else if (!std::has_single_bit(stride))
      c.report(DiagKind::DescriptorStrideValue, layout.at(LayoutId::DescriptorStride), {stride});
  }
  if (!heap) return;
  requireTarget(c, "descriptor_heap", availability(Feature::DescriptorHeaps).anyOf,
                layout.at(LayoutId::DescriptorHeap));
  for (const LayoutId id : {LayoutId::Set, LayoutId::Binding})
    if (layout.has(id)) c.report(DiagKind::DescriptorHeapBinding, layout.at(id), {layout.entry(id).name});
  if (type == kErrorType) return;
  const std::string_view text = c.names.text(name);
  const TypeId element = elementOf(c.program, type);
  if (c.program.types.kind(type) != TypeKind::Array || c.type(type).element() != element)
    c.report(DiagKind::DescriptorHeapArray, loc, {text});
  if (c.program.types.kind(element) != TypeKind::Image) return;
  switch (c.type(element).image().kind) {
    case ImageKind::Combined:
    case ImageKind::CombinedShadow:
    case ImageKind::SubpassInput:
      c.report(DiagKind::DescriptorHeapType, loc, {text, c.typeText(element)});
      return;
    default: return;
  }
}

void checkResourcePlace(Checker& c, const Qualifiers& q, const Declarator& d) {
  if (!q.layout.has(LayoutId::Binding) && !q.layout.has(LayoutId::DescriptorHeap) && !q.layout.failed &&
      !c.options.autoBindUniforms)
    c.report(DiagKind::MissingBinding, d.loc, {"resource", c.names.text(d.name)});
  checkDescriptorHeap(c, q, d.type, d.name, d.loc);
}

namespace {

// Formats by the class of the image's components: 0 float and normalized, 1 int, 2 uint, 3 int64, 4 uint64.
int formatClass(uint32_t format) {
  if (format >= 21 && format <= 29) return 1;
  if (format >= 30 && format <= 39) return 2;
  if (format == 40) return 4;
  if (format == 41) return 3;
  return 0;
}
int imageClass(Scalar sampled) {
  switch (sampled) {
    case Scalar::Int: return 1;
    case Scalar::Uint: return 2;
    case Scalar::Int64: return 3;
    case Scalar::Uint64: return 4;
    default: return 0;
  }
}

}  // namespace

bool formatFits(uint32_t format, Scalar sampled) { return formatClass(format) == imageClass(sampled); }

namespace {

void checkImage(Checker& c, const Qualifiers& q, const Declarator& d, TypeId element) {
  const TypeInfo info = c.type(element);
  const ImageDesc desc = info.image();
  const bool storage = desc.kind == ImageKind::Storage;
  const std::string_view name = c.names.text(d.name);
  // GL_KHR_memory_scope_semantics, 4.10: samplers may be `nonprivate`.
  if (!storage && (q.flags & kMemoryQualifiers & ~uint32_t{kQualNonPrivate}))
    c.report(DiagKind::MemoryQualifierPlacement, q.memoryLoc, {"`" + c.typeText(element) + "`"});
  if (q.layout.has(LayoutId::Format)) {
    const SourceLoc loc = q.layout.at(LayoutId::Format);
    const std::string_view spelled = q.layout.entry(LayoutId::Format).name;
    if (!storage)
      c.report(DiagKind::FormatOnNonImage, loc, {spelled, c.typeText(element)});
    else if (!formatFits(q.layout.get(LayoutId::Format), desc.sampled))
      c.report(DiagKind::ImageFormatType, loc, {spelled, c.typeText(element)});
  } else if (storage && c.es) {
    c.report(DiagKind::ImageFormatMissingEs, d.loc, {name});
  } else if (storage && !(q.flags & kQualWriteonly) && !c.allows(Feature::LoadsWithoutFormat)) {
    c.report(DiagKind::ImageFormatMissing, d.loc, {name});
  }
  // ESSL 4.10: images that are both read and written have a 32-bit format with one component (r32f, r32i,
  // r32ui).
  const auto format =
      static_cast<spv::ImageFormat>(q.layout.has(LayoutId::Format) ? q.layout.get(LayoutId::Format) : 0);
  const bool single = format == spv::ImageFormat::R32f || format == spv::ImageFormat::R32i ||
                      format == spv::ImageFormat::R32ui;
  if (storage && c.es && format != spv::ImageFormat::Unknown && !single &&
      !(q.flags & (kQualReadonly | kQualWriteonly)))
    c.report(DiagKind::ImageMemoryEs, d.loc, {name});
  if (desc.kind != ImageKind::SubpassInput && q.layout.has(LayoutId::InputAttachmentIndex))
    c.report(DiagKind::LayoutPlacement, q.layout.at(LayoutId::InputAttachmentIndex),
             {"input_attachment_index", "`" + c.typeText(element) + "`"});
  // The elements of an array have consecutive indices from a given one (GL_KHR_vulkan_glsl, 4.4), so an array
  // needs the index even if it is optional.
  const bool optional = c.allows(Feature::OptionalAttachmentIndex) && typeDepth(c.program, d.type) == 0;
  if (desc.kind == ImageKind::SubpassInput && !q.layout.has(LayoutId::InputAttachmentIndex) && !optional)
    c.report(DiagKind::InputAttachmentMissing, d.loc, {name});
  if (!q.layout.has(LayoutId::TileAttachment))
    checkResourcePlace(c, q, d);
  else if (q.layout.has(LayoutId::DescriptorHeap))
    c.report(DiagKind::LayoutPlacement, q.layout.at(LayoutId::DescriptorHeap),
             {"descriptor_heap", "a tile attachment"});
  if (containsSpecInner(c.program, d.type))
    c.report(DiagKind::ArrayInnerSpec, d.loc, {name});
  else if (typeDepth(c.program, d.type) > 1 && !q.layout.has(LayoutId::DescriptorHeap))
    c.report(DiagKind::ResourceArrayOfArrays, d.loc, {name});
}

void setLayout(Variable& v, const Qualifiers& q) {
  v.set = q.layout.get(LayoutId::Set);
  v.binding = q.layout.get(LayoutId::Binding);
  v.inputAttachment = q.layout.get(LayoutId::InputAttachmentIndex);
  v.tileAttachment = q.layout.has(LayoutId::TileAttachment);
  v.descriptorHeap = q.layout.has(LayoutId::DescriptorHeap);
  v.descriptorStride = q.layout.get(LayoutId::DescriptorStride);
  if (q.layout.has(LayoutId::Format)) v.imageFormat = q.layout.get(LayoutId::Format);
}

// `layout(constant_id = N) const T x = value;` (4.11)
void makeSpecConstant(Checker& c, const Qualifiers& q, const Declarator& d, Variable& v, VarId id) {
  v.constantId = q.layout.get(LayoutId::ConstantId);
  if (v.type == kErrorType) return;
  // The explicit arithmetic types and GL_EXT_bfloat16 extend the list of types. The texts of the 8-bit floats
  // and of the microscaling types do not mention it, but their types are scalars as well (decision 47).
  if (!isScalarType(v.type)) {
    c.report(DiagKind::SpecConstantType, d.loc, {c.typeText(v.type)});
    v.type = kErrorType;
    return;
  }
  const ConstId value = d.init ? c.constantOf(d.init) : ConstId();
  if (!value || c.program.constants[value].isSpec || c.program.constants[value].kind != ConstKind::Scalar) {
    if (!d.init || !c.isError(d.init))
      c.report(DiagKind::SpecConstantInitializer, d.loc, {c.names.text(d.name)});
    v.constant = c.program.constants.spec(v.type, 0, id);
    return;
  }
  v.constant = c.program.constants.spec(v.type, c.program.constants[value].bits, id);
}

// Redeclares an unsized array with a size: `float a[]; float a[4];` (4.1.9). True if the declaration is such
// a redeclaration.
bool redeclareArray(Checker& c, const Declarator& d, Storage storage, VarId& result) {
  const Symbol* s = c.scopes.findInCurrent(d.name);
  if (!s || s->kind != SymbolKind::Variable || d.type == kErrorType) return false;
  Variable& old = c.program.variables[s->variable()];
  const TypeInfo before = c.type(old.type);
  const TypeInfo now = c.type(d.type);
  // GL_EXT_nonuniform_qualifier has the same rule for resources, which may be run-time sized.
  const bool unsized = before.kind == TypeKind::Array && !before.hasArraySize() &&
                       (before.arraySize() == kUnsizedArray || isResource(storage));
  if (!unsized || now.kind != TypeKind::Array || before.element() != now.element() || old.storage != storage)
    return false;
  const std::optional<int64_t> size =
      now.hasArraySize() ? literalInteger(c.program, now.arraySize()) : std::nullopt;
  if (size && old.implicitSize != kSizedAtRunTime && *size < old.implicitSize)
    c.report(DiagKind::ArrayRedeclaredSize, d.loc, {c.names.text(d.name), *size, old.implicitSize - 1})
        .note(s->loc, "the first declaration is here");
  old.type = d.type;
  result = s->variable();
  if (c.options.observer != nullptr) c.options.observer->use(SymbolKind::Variable, d.name, s->id, 0, d.loc);
  return true;
}

// The initial value of a variable. `init` receives what the declaration of a local variable assigns.
void initialize(Checker& c, Variable& v, const Declarator& d, bool global, ExprId& init) {
  if (!global) {
    init = d.init;
  } else if (const ConstId constant = c.constantOf(d.init); constant) {
    v.constant = constant;
  } else {
    if (!c.allows(Feature::GlobalInitializers))
      c.report(DiagKind::GlobalInitializerEs, d.loc, {c.names.text(d.name)});
    v.init = d.init;
  }
}

struct Placement {
  Storage storage = Storage::Private;
  LayoutPlace place = LayoutPlace::Variable;
  std::string_view what = "a variable";
};

// The storage of a variable, with the rules of its storage qualifier (4.3). Returns false if it cannot be
// declared.
bool placeVariable(Checker& c, const Qualifiers& q, const Declarator& d, bool opaque, Placement& p) {
  const bool global = c.scopes.depth() == 0;
  const std::string_view name = c.names.text(d.name);
  if (isHeapWord(q.storage) && global) {
    c.report(DiagKind::HeapOutsideBlock, q.storageLoc, {storageSpelling(q), name});
    return false;
  }
  if (opaque && isHeapOnly(c.program, d.type)) {
    c.report(DiagKind::HeapTypeVariable, d.loc, {name, c.typeText(d.type)});
    return false;
  }
  if (!global) {
    p.storage = Storage::Local;
    p.what = "a local variable";
    if (q.storage != StorageWord::None) {
      c.report(DiagKind::LocalStorage, q.storageLoc, {storageSpelling(q)});
      return false;
    }
    if (isAttachment(c.program, d.type)) return checkTileImage(c, q, d);
    if (opaque && !isObjectKind(c.program.types.kind(elementOf(c.program, d.type)))) {
      c.report(DiagKind::OpaqueNotUniform, d.loc, {name, c.typeText(d.type)});
      return false;
    }
    return true;
  }
  if (isRayWord(q.storage)) {
    p.storage = rayStorage(q.storage);
    p.place = p.storage == Storage::HitAttribute ? LayoutPlace::HitAttribute : LayoutPlace::RayData;
    p.what = rayDataText(p.storage);
    return checkRayData(c, q, d.name, d.type, d.loc);
  }
  if (q.storage == StorageWord::TaskPayload) {
    p = {Storage::TaskPayload, LayoutPlace::TaskPayload, "a task payload"};
    return checkTaskPayload(c, q, d.name, d.type, d.loc);
  }
  if (q.storage == StorageWord::TileImage || isAttachment(c.program, d.type)) {
    p = {Storage::TileImage, LayoutPlace::TileImage, "a tile image variable"};
    return checkTileImage(c, q, d);
  }
  const bool object = isObjectKind(c.program.types.kind(elementOf(c.program, d.type)));
  if (object && q.storage != StorageWord::None) {
    c.report(DiagKind::ObjectStorage, q.storageLoc, {name, c.typeText(d.type), storageSpelling(q)});
    return false;
  }
  switch (q.storage) {
    case StorageWord::None:
      p.what = "a global variable";
      if (q.isConst) p.place = LayoutPlace::ConstVariable;
      if (object) return true;
      break;
    case StorageWord::In:
    case StorageWord::Out:
      if (!requireInterface(c, q)) return false;
      p.storage = q.storage == StorageWord::In ? Storage::Input : Storage::Output;
      p.place = q.storage == StorageWord::In ? LayoutPlace::Input : LayoutPlace::Output;
      p.what = interfaceText(p.storage);
      return checkInterface(c, q, nullptr, p.storage, d.name, d.type, d.loc);
    case StorageWord::InOut:
      c.report(DiagKind::ParameterQualifierOnVariable, q.storageLoc, {"inout"});
      return false;
    case StorageWord::Uniform:
      p.storage = Storage::Uniform;
      p.place = LayoutPlace::Opaque;
      p.what = "a uniform variable";
      if (const TypeKind kind = c.program.types.kind(elementOf(c.program, d.type));
          d.type != kErrorType && !isOpaqueKind(kind) && kind != TypeKind::SpirvType) {
        c.report(DiagKind::UniformOutsideBlock, d.loc, {name, c.typeText(d.type)});
        return false;
      }
      return true;
    case StorageWord::Buffer: c.report(DiagKind::BufferOutsideBlock, d.loc, {name}); return false;
    case StorageWord::Spirv:
      p.place = LayoutPlace::Opaque;
      p.what = "a variable of a SPIR-V storage class";
      break;
    case StorageWord::Shared:
      if (!requireWorkgroup(c, q)) return false;
      p.storage = Storage::Shared;
      p.what = "a shared variable";
      break;
    default: break;
  }
  if (opaque) {
    c.report(DiagKind::OpaqueNotUniform, d.loc, {name, c.typeText(d.type)});
    return false;
  }
  return true;
}

// The declaration of a variable, step by step. After an error it is still declared, with the error type.
struct VariableDeclaration {
  Checker& c;
  const Qualifiers& q;
  Declarator decl;
  ExprId& init;  // what initializes it at run time
  Program& p = c.program;
  const bool global = c.scopes.depth() == 0;
  const std::string_view name = c.names.text(decl.name);
  Placement place = {};
  MemoryWords memory = MemoryWords::Unused;
  bool reference = false;  // contains a reference, whose `restrict` is kept: nothing else points there
  bool failed = false;

  void placeIt();
  void checkQualifiers();
  void checkInitializer();
  void checkSizes();
  void checkSpecSizes() const;
  Variable variable();
  void setConstant(Variable& v);
};

void VariableDeclaration::placeIt() {
  if (decl.type == kVoidType) {
    c.report(DiagKind::VoidType, decl.loc, {"variable `" + std::string(name) + "`"});
    decl.type = kErrorType;
  }
  failed = !placeVariable(c, q, decl, containsOpaque(p, decl.type), place);
  reference = containsKind(p, decl.type, TypeKind::Reference);
  const bool pointer = reference && (place.storage == Storage::Local || place.storage == Storage::Private);
  memory = place.storage == Storage::Uniform || pointer ? MemoryWords::Allowed
           : place.storage != Storage::Local            ? MemoryWords::Forbidden
                                                        : MemoryWords::Unused;
}

void VariableDeclaration::checkQualifiers() {
  checkLayoutPlace(c, q, place.place, q.isConst && global ? "a constant" : place.what);
  if (isInterface(place.storage))
    checkOtherQualifiers(c, q, memory, place.what);
  else
    checkPlainQualifiers(c, q, memory, place.what);
  // GL_EXT_nonuniform_qualifier, 4.X: variables without a storage qualifier, and inputs.
  if (q.isConst || (q.storage != StorageWord::None && q.storage != StorageWord::In))
    rejectNonUniform(c, q, q.isConst ? "a constant" : place.what);
  if (!checkMatrixStorage(c, decl.type, place.storage, decl.loc, place.what)) failed = true;
  // GL_EXT_shader_16bit_storage, 4.3: inputs and outputs are storage as well.
  if (!isInterface(place.storage) && !checkStorageOnly(c, decl.type, decl.loc, place.what)) failed = true;
  // 4.3.2: transparent types only. Opaque ones were reported above.
  if (!failed && q.isConst && containsKind(p, decl.type, TypeKind::Reference)) {
    c.report(DiagKind::ConstType, decl.loc, {c.typeText(decl.type)});
    failed = true;
  }
}

// The initializer determines the type of an array without a size. Any other initializer must convert to the
// variable's type.
void VariableDeclaration::checkInitializer() {
  if (place.storage == Storage::Uniform || isInterface(place.storage) || isRayData(place.storage) ||
      place.storage == Storage::TaskPayload || place.storage == Storage::TileImage) {
    c.report(DiagKind::InitializerPlacement, decl.loc, {place.what});
    decl.hasInit = false;
  } else if (containsOpaque(p, decl.type)) {
    c.report(DiagKind::ObjectInitializer, decl.loc, {name, c.typeText(decl.type)});
    decl.hasInit = false;
  } else if (place.storage == Storage::Shared && !decl.nullInit) {
    c.report(DiagKind::SharedInitializer, decl.loc, {name});
    decl.hasInit = false;
  } else if (c.isError(decl.init) || !requireValue(c, decl.init)) {
    // The array's size is then unknown.
    if (c.type(decl.type).kind == TypeKind::Array && containsUnsized(p, decl.type)) decl.type = kErrorType;
    decl.init = c.error(decl.loc);
  } else if (containsSpecSized(p, decl.type) && !decl.nullInit) {
    c.report(DiagKind::SpecSizedInitializer, decl.loc, {name});
    decl.init = c.error(decl.loc);
  } else if (decl.type != kErrorType) {
    const TypeId from = c.typeOf(decl.init);
    if (containsUnsized(p, decl.type) && !containsUnsized(p, from) &&
        typeDepth(p, from) == typeDepth(p, decl.type) && elementOf(p, from) == elementOf(p, decl.type)) {
      // Explicit sizes must equal the initializer's; the others are taken from it.
      bool fits = true;
      for (TypeId a = decl.type, b = from; p.types.kind(a) == TypeKind::Array;
           a = p.types[a].element(), b = p.types[b].element())
        fits &= p.types[a].arraySize() == kUnsizedArray || p.types[a].arraySize() == p.types[b].arraySize();
      if (fits) decl.type = from;
    }
    if (decl.type != from || containsUnsized(p, from))
      decl.init = convertOrReport(c, decl.init, decl.type, c.expr(decl.init).loc, "initializer");
  }
}

void VariableDeclaration::checkSizes() {
  // Inner dimensions, and in ESSL all of them, must have sizes by now.
  TypeId inner = decl.type;
  if (p.types.kind(inner) == TypeKind::Array) inner = p.types[inner].element();
  if (containsUnsized(p, inner)) {
    c.report(DiagKind::ArrayInnerUnsized, decl.loc);
    decl.type = kErrorType;
  } else if (c.type(decl.type).kind == TypeKind::Array && c.type(decl.type).arraySize() == kUnsizedArray) {
    if (place.storage == Storage::Uniform &&
        (c.allows(Feature::DescriptorIndexing) || q.layout.has(LayoutId::DescriptorHeap))) {
      decl.type = p.types.array(inner, kRuntimeArray);  // an array of descriptors of any size
    } else if (c.es && !(isArrayed(c, place.storage, q.auxiliary == Tok::KwPatch) &&
                         vertexCount(c, place.storage) != 0)) {
      c.report(DiagKind::ArraySizeMissing, decl.loc, {"`" + std::string(name) + "`"});
      decl.type = kErrorType;
    }
  }
}

void VariableDeclaration::checkSpecSizes() const {
  switch (place.storage) {
    case Storage::Local:
    case Storage::Private:
    case Storage::Shared:
    case Storage::Constant: warnOfSpecInner(c, decl.type, decl.name, decl.loc); return;
    default: break;
  }
  if (p.types.kind(elementOf(p, decl.type)) == TypeKind::Image) return;  // checkImage() reports it
  if (hasSpecInner(p, decl.type)) c.report(DiagKind::ArrayInnerSpec, decl.loc, {name});
}

Variable VariableDeclaration::variable() {
  Variable v;
  v.name = decl.name;
  v.type = failed ? kErrorType : decl.type;
  v.loc = decl.loc;
  v.storage = place.storage;
  v.precision = decl.precision;
  v.qualifiers = memory == MemoryWords::Unused ? q.flags & ~kMemoryQualifiers
                 : reference                   ? q.flags & (~kMemoryQualifiers | uint32_t{kQualRestrict})
                                               : q.flags;
  v.owner = global ? FnId() : c.currentFunction;
  v.layoutFailed = q.layout.failed;
  setLayout(v, q);
  if (isInterface(place.storage) || isRayData(place.storage) || place.storage == Storage::TileImage ||
      q.spirvStorage)
    v.interface = interfacePart(c, q, decl.name);
  v.spirvStorage = q.spirvStorage;
  v.spirvDecorations = decorationList(c, q);
  return v;
}

void VariableDeclaration::setConstant(Variable& v) {
  v.qualifiers |= kQualConst;
  if (!decl.hasInit) {
    c.report(DiagKind::ConstWithoutInitializer, decl.loc, {name});
    v.type = kErrorType;
  } else if (q.layout.has(LayoutId::ConstantId) && global) {
    makeSpecConstant(c, q, decl, v, p.variables.next());
    v.storage = Storage::Constant;
  } else if (const ConstId constant = c.constantOf(decl.init); constant && !c.isError(decl.init)) {
    v.storage = Storage::Constant;
    v.constant = constant;
  } else if (c.isError(decl.init)) {
    v.type = kErrorType;
  } else if (global || c.es) {
    c.report(DiagKind::ConstInitializer, decl.loc, {name});
    v.type = kErrorType;
  } else {
    init = decl.init;
  }
}

}  // namespace

VarId declareVariable(Checker& c, const Qualifiers& q, const Declarator& declarator, ExprId& init) {
  init = {};
  if (VarId builtin; redeclareBuiltin(c, q, declarator, builtin)) return builtin;
  VariableDeclaration d{c, q, declarator, init};
  Program& p = c.program;
  if (q.perView != Tok::End && q.storage == StorageWord::Out)
    d.decl.type = perViewType(c, d.decl.type, true, d.decl.name, d.decl.loc);
  d.placeIt();
  if (!d.failed) d.checkQualifiers();
  if (d.failed)
    d.decl.hasInit = false;
  else if (d.decl.hasInit)
    d.checkInitializer();
  if (!d.failed && d.decl.type != kErrorType) d.checkSizes();
  if (!d.failed) d.checkSpecSizes();
  // A redeclared built-in constant becomes a specialization constant through redeclareQualified only.
  VarId result;
  if (!d.failed && redeclareArray(c, d.decl, d.place.storage, result)) {
    // The declaration that gives the size may also give the values.
    if (d.decl.hasInit && !c.isError(d.decl.init)) initialize(c, p.variables[result], d.decl, d.global, init);
    if (isInterface(d.place.storage)) sizeArrayed(c, result);
    return result;
  }
  const bool micromaps = isEnableOpacityMicromap(c, d.decl.name);
  const bool newName =
      micromaps ? checkEnableOpacityMicromap(c, q, d.decl) : checkNewName(c, d.decl.name, d.decl.loc);
  Variable v = d.variable();
  if (!d.failed && d.place.storage == Storage::Uniform && v.type != kErrorType &&
      p.types.kind(elementOf(p, v.type)) == TypeKind::Image)
    checkImage(c, q, d.decl, elementOf(p, v.type));
  if (!d.failed && d.place.storage == Storage::Uniform && v.type != kErrorType && v.tileAttachment)
    checkTileAttachment(c, q, d.decl);
  if (!d.failed && d.place.storage == Storage::Uniform && elementOf(p, v.type) == kAccelerationStructureType)
    checkAccelerationStructure(c, q, d.decl);
  if (!d.failed && d.place.storage == Storage::Uniform && v.type != kErrorType &&
      p.types.kind(elementOf(p, v.type)) == TypeKind::Tensor)
    checkResourcePlace(c, q, d.decl);
  if (!d.failed && q.isConst && d.place.storage != Storage::Shared && d.place.storage != Storage::Uniform) {
    d.setConstant(v);
  } else if (!d.failed && d.decl.hasInit) {
    // After an error the variable keeps its type.
    if (!c.isError(d.decl.init)) initialize(c, v, d.decl, d.global, init);
  }
  const VarId id = p.variables.add(v);
  // Variables of GL_EXT_spirv_intrinsics may be written by their instructions.
  if (!d.global && !d.decl.hasInit && v.storage == Storage::Local &&
      !containsKind(p, v.type, TypeKind::SpirvType) && !containsOpaque(p, v.type))
    c.unwritten.declare(c, id);
  if (d.global) p.globals.push_back(id);
  if (isInterface(v.storage)) sizeArrayed(c, id);
  if (newName) c.scopes.declareVariable(d.decl.name, id, d.decl.loc);
  if (newName && micromaps) p.enableOpacityMicromap = v.constant;
  return id;
}

void checkEmptyDeclaration(Checker& c, const Qualifiers& q, TypeId type) {
  const bool local = c.scopes.depth() != 0;
  const std::string_view word = storageSpelling(q);
  if (local && q.storage != StorageWord::None)
    c.report(DiagKind::LocalStorage, q.storageLoc, {word});
  else if (q.storage == StorageWord::InOut)
    c.report(DiagKind::ParameterQualifierOnVariable, q.storageLoc, {word});
  else if (q.storage == StorageWord::In || q.storage == StorageWord::Out)
    requireInterface(c, q);
  checkPrecisionType(c, q, type);
  const bool opaque = type != kErrorType && isOpaqueKind(c.program.types.kind(elementOf(c.program, type)));
  checkPlainQualifiers(c, q, opaque ? MemoryWords::Allowed : MemoryWords::Forbidden,
                       "a declaration without a name");
}

namespace {

bool isOutputBlock(const Checker& c, VarId v) { return c.program.variables[v].storage == Storage::Output; }

// "before any use of the variables being declared as invariant" (4.8.1): finishInvariants() looks for uses.
void noteInvariant(Checker& c, const Qualifiers& q, VarId variable, uint32_t member, NameId name,
                   SourceLoc loc) {
  if ((q.flags & kQualInvariant) != 0)
    c.lateInvariants.push_back({variable, member, name, loc, c.program.exprs.next()});
}

// `invariant gl_Position;`, `precise gl_Position;`. On inputs `precise` has no effect.
void requalifyBuiltin(Checker& c, const Qualifiers& q, uint16_t symbol, SourceLoc loc) {
  const BuiltinSymbol& s = builtinSymbol(symbol);
  if (!contains(s.outputs, c.options.stage) || s.constant) {
    if (q.flags & kQualInvariant)
      c.report(DiagKind::QualifierPlacement, q.invariantLoc, {"invariant", "`" + std::string(s.name) + "`"});
    return;
  }
  const BuiltinPlace place = builtinPlace(c, symbol, loc);
  if (!place.variable) return;
  Program& p = c.program;
  const uint32_t added = q.flags & (kQualPrecise | kQualInvariant);
  noteInvariant(c, q, place.variable, place.member.value_or(kNoLayout), c.names.intern(s.name), loc);
  if (place.member)
    p.members[p.structs[p.types[p.variables[place.variable].type].structure()].members[*place.member]]
        .qualifiers |= added;
  else
    p.variables[place.variable].qualifiers |= added;
}

}  // namespace

void redeclareQualified(Checker& c, const Qualifiers& q, NameId name, SourceLoc loc) {
  const std::string_view text = c.names.text(name);
  const Symbol* s = c.scopes.find(name);
  // Built-in constants may become specialization constants (4.11).
  if (!s && q.layout.has(LayoutId::ConstantId)) {
    const uint16_t index = c.names[name].builtinSymbol;
    if (index != 0) {
      const BuiltinSymbol& b = builtinSymbol(static_cast<uint16_t>(index - 1));
      if (b.constant && builtinSymbolAvailable(c, b) && isScalarType(b.type)) {
        Variable v;
        v.name = name;
        v.type = b.type;
        v.loc = loc;
        v.storage = Storage::Constant;
        v.qualifiers = kQualConst;
        v.constantId = q.layout.get(LayoutId::ConstantId);
        const VarId id = c.program.variables.next();
        v.constant = c.program.constants.spec(b.type, static_cast<uint32_t>(builtinConstantValue(c, b)), id);
        c.program.variables.add(v);
        c.program.globals.push_back(id);
        c.scopes.declareVariable(name, id, loc);
        if (isEnableOpacityMicromap(c, name)) c.program.enableOpacityMicromap = v.constant;
        return;
      }
    }
  }
  const uint16_t symbol = s ? 0 : c.names[name].builtinSymbol;
  const bool builtin =
      symbol != 0 && builtinSymbolOfStage(c, builtinSymbol(static_cast<uint16_t>(symbol - 1)));
  const bool member = s && s->kind == SymbolKind::BlockMember;
  if ((!s || (s->kind != SymbolKind::Variable && !(member && isOutputBlock(c, s->variable())))) && !builtin) {
    auto d = c.report(DiagKind::UnknownRedeclared, loc, {text});
    suggestFor(c, d, loc, text);
    return;
  }
  checkLayoutPlace(c, q, LayoutPlace::Variable, "a redeclaration");
  if (builtin) {
    requalifyBuiltin(c, q, static_cast<uint16_t>(symbol - 1), loc);
    return;
  }
  const VarId id = s->variable();
  if (q.flags & kQualInvariant) {
    // 4.8.1: "Only variables output from a shader can be candidates for invariance."
    if (c.program.variables[id].storage != Storage::Output) {
      c.report(DiagKind::QualifierPlacement, q.invariantLoc, {"invariant", "`" + std::string(text) + "`"});
      return;
    }
  }
  Variable& v = c.program.variables[id];
  if (s->depth != c.scopes.depth()) {
    c.report(DiagKind::UnknownRedeclared, loc, {text}).note(s->loc, "it is declared in an outer scope");
    return;
  }
  const uint32_t added = q.flags & (kQualPrecise | kQualInvariant);
  noteInvariant(c, q, id, member ? s->member : kNoLayout, name, loc);
  if (member) {
    c.program.members[c.program.structs[c.program.types[v.type].structure()].members[s->member]].qualifiers |=
        added;
    return;
  }
  v.qualifiers |= added;
  // "When applied to a block ..., precise applies to each contained member, recursively" (4.9.1).
  if (const StructInfo* block = structInfoOf(c.program, v.type); block && block->block)
    for (uint32_t i = 0; i < block->members.size(); ++i)
      c.program.members[block->members[i]].qualifiers |= added;
}

TypeId declareStruct(Checker& c, NameId name, SourceLoc loc, const std::vector<MemberDecl>& members) {
  Program& p = c.program;
  StructInfo s;
  s.name = name;
  s.loc = loc;
  std::vector<Member> stored;
  for (const MemberDecl& m : members) {
    Member out;
    out.name = m.name;
    out.type = m.type;
    out.loc = m.loc;
    out.precision = m.precision;
    const Qualifiers& q = m.qualifiers;
    const std::string_view spelled = storageSpelling(q);
    if (!spelled.empty())
      c.report(DiagKind::QualifierPlacement, q.storageLoc.valid() ? q.storageLoc : q.constLoc,
               {spelled, "a structure's member"});
    checkLayoutPlace(c, q, LayoutPlace::StructMember, "a structure's member");
    checkPlainQualifiers(c, q, MemoryWords::Forbidden, "a structure's member");
    rejectNonUniform(c, q, "a structure's member");
    out.qualifiers = q.flags & (kQualPrecise | kQualNonUniform);
    out.spirvDecorations = memberDecorations(c, q);
    if (m.type == kVoidType) {
      c.report(DiagKind::VoidType, m.loc, {"member `" + std::string(c.names.text(m.name)) + "`"});
      out.type = kErrorType;
    } else if (containsOpaque(p, m.type) && !allowsDescriptor(c, m.type)) {
      c.report(DiagKind::OpaqueMember, m.loc, {c.typeText(m.type), "a structure"});
      out.type = kErrorType;
    } else if (containsUnsized(p, m.type)) {
      c.report(DiagKind::ArraySizeMissing, m.loc, {"a structure's member"});
      out.type = kErrorType;
    }
    checkDescriptorSize(c, q, out);
    warnOfSpecInner(c, m.type, m.name, m.loc);
    stored.push_back(out);
  }
  s.members = p.members.addAll(stored);
  finishStruct(c, s);
  const TypeId type = p.types.structure(p.structs.add(s));
  if (name && checkNewName(c, name, loc)) c.scopes.declareType(name, type, loc);
  return type;
}

void finishStruct(Checker& c, StructInfo& s) {
  Program& p = c.program;
  std::vector<std::pair<NameId, uint32_t>> names;
  uint32_t depth = 0;
  for (uint32_t i = 0; i < s.members.size(); ++i) {
    Member& m = p.members[s.members[i]];
    names.emplace_back(m.name, i);
    if (typeDepth(p, m.type) + 1 > kMaxTypeDepth) {
      c.report(DiagKind::TypeNesting, m.loc, {kMaxTypeDepth});
      m.type = kErrorType;
    }
    depth = std::max(depth, typeDepth(p, m.type));
    s.unsizedArray |= containsUnsized(p, m.type);
    s.specSizedArray |= containsSpecSized(p, m.type);
    s.specSizedInner |= containsSpecInner(p, m.type);
    s.specSizedVector |= containsSpecVector(p, m.type);
    const TypeId element = elementOf(p, m.type);
    if (element != m.type) s.contains |= 1u << static_cast<unsigned>(TypeKind::Array);
    s.contains |= 1u << static_cast<unsigned>(p.types.kind(element));
    if (const StructInfo* inner = structInfoOf(p, element)) {
      s.contains |= inner->contains;
    }
    s.scalars |= scalarsIn(p, element);
  }
  s.depth = depth + 1;
  // Duplicate names: neighbors after sorting, reported in order of declaration.
  std::sort(names.begin(), names.end());
  std::vector<std::pair<uint32_t, uint32_t>> duplicates;
  for (size_t i = 1; i < names.size(); ++i)
    if (names[i].first == names[i - 1].first) duplicates.emplace_back(names[i].second, names[i - 1].second);
  std::sort(duplicates.begin(), duplicates.end());
  for (const auto& [later, earlier] : duplicates)
    c.report(DiagKind::DuplicateMember, p.members[s.members[later]].loc,
             {c.names.text(p.members[s.members[later]].name)})
        .note(p.members[s.members[earlier]].loc, "the first one is here");
}

}  // namespace coopc::frontend
