// Function declarations and definitions (GLSL 4.60, 6.1): parameters, overloads by parameter types, agreement
// of prototypes and definitions. Overloads of a name form a chain; a signature is looked up by hash, so that
// many overloads cost no quadratic time.
#include "frontend/check/declarations.hpp"
#include "frontend/check/extensions/heap_blocks.hpp"
#include "frontend/check/extensions/matrices/rules.hpp"
#include "frontend/program/interning.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

uint64_t hashSignature(NameId name, const std::vector<ParameterDecl>& parameters) {
  uint64_t h = mixHash(0, name.index());
  for (const ParameterDecl& p : parameters) h = mixHash(h, p.type.index());
  return h;
}

bool sameTypes(const Program& p, const Function& f, const std::vector<ParameterDecl>& parameters) {
  if (f.params.size() != parameters.size()) return false;
  for (uint32_t i = 0; i < f.params.size(); ++i)
    if (p.variables[f.params[i]].type != parameters[i].type) return false;
  return true;
}

Direction directionOf(const Qualifiers& q) {
  switch (q.storage) {
    case StorageWord::Out: return Direction::Out;
    case StorageWord::InOut: return Direction::InOut;
    default: return q.isConst ? Direction::ConstIn : Direction::In;
  }
}

std::string parameterText(const Checker& c, const ParameterDecl& p) {
  return p.name ? std::string(c.names.text(p.name)) : std::string("<unnamed>");
}

void checkParameter(Checker& c, ParameterDecl& p) {
  const Qualifiers& q = p.qualifiers;
  switch (q.storage) {
    case StorageWord::Uniform:
    case StorageWord::Buffer:
    case StorageWord::Spirv:
    case StorageWord::TaskPayload:
    case StorageWord::TileImage:
    case StorageWord::ResourceHeap:
    case StorageWord::SamplerHeap:
    case StorageWord::Shared: c.report(DiagKind::ParameterStorage, q.storageLoc, {storageSpelling(q)}); break;
    default:
      if (isRayWord(q.storage)) c.report(DiagKind::ParameterStorage, q.storageLoc, {storageSpelling(q)});
      break;
  }
  checkLayoutPlace(c, q, LayoutPlace::Parameter, "a parameter");
  const bool opaque = containsOpaque(c.program, p.type);
  const bool reference = containsKind(c.program, p.type, TypeKind::Reference);
  checkPlainQualifiers(c, q, opaque || reference ? MemoryWords::Allowed : MemoryWords::Unused, "a parameter");
  if (!opaque) p.qualifiers.flags &= ~kMemoryQualifiers | (reference ? uint32_t{kQualRestrict} : 0u);
  if (opaque && isHeapOnly(c.program, p.type)) {
    c.report(DiagKind::HeapTypeVariable, p.loc, {parameterText(c, p), c.typeText(p.type)});
    p.type = kErrorType;
  }
  if (p.type == kVoidType) {
    c.report(DiagKind::ParameterVoid, p.loc);
    p.type = kErrorType;
  }
  if (opaque && (q.storage == StorageWord::Out || q.storage == StorageWord::InOut))
    c.report(DiagKind::ParameterOpaqueOut, p.loc,
             {parameterText(c, p), c.typeText(p.type), storageSpelling(q)});
  if (!checkStorageOnly(c, p.type, p.loc, "a parameter")) p.type = kErrorType;
  if (containsUnsized(c.program, p.type)) {
    c.report(DiagKind::ArraySizeMissing, p.loc, {"parameter `" + parameterText(c, p) + "`"});
    p.type = kErrorType;
  }
  warnOfSpecInner(c, p.type, p.name, p.loc);
}

// The declaration of a function, step by step.
struct FunctionDeclaration {
  Checker& c;
  const Qualifiers& q;
  const FunctionDecl& f;
  std::vector<ParameterDecl> parameters;
  Program& p = c.program;
  const std::string_view name = c.names.text(f.name);
  const bool entry = name == c.options.entryPoint || name == "main";
  const Symbol* symbol = nullptr;  // what the name meant before
  bool linked = true;              // calls of the name can find it

  TypeId resultType();
  void checkIntrinsic();
  void checkNamed();
  IdRange<VarId> makeParameters();
  FnId earlier(uint64_t signature);
  void addControl(Function& fn);
  void compareWith(FnId existing, TypeId result);
  void define(FnId existing);
  FnId add(TypeId result);
  void link(FnId id, uint64_t signature);

  void own(FnId fn) {
    for (const VarId v : p.functions[fn].params) p.variables[v].owner = fn;
  }
  // The definition of the entry point determines its attributes.
  void noteEntry() {
    if (!entry) return;
    p.subgroupUniformControlFlow |= f.controlUniform;
    p.maximallyReconverges |= f.maximallyReconverges;
  }
};

TypeId FunctionDeclaration::resultType() {
  // The result (6.1): no storage or layout qualifiers, no opaque type, arrays with sizes.
  const std::string_view spelled = storageSpelling(q);
  if (!spelled.empty())
    c.report(DiagKind::QualifierPlacement, q.storageLoc.valid() ? q.storageLoc : q.constLoc,
             {spelled, "a function's result"});
  checkLayoutPlace(c, q, LayoutPlace::FunctionResult, "a function's result");
  checkPlainQualifiers(c, q, MemoryWords::Forbidden, "a function's result");
  TypeId result = f.result;
  if (containsOpaque(p, result)) {
    c.report(DiagKind::ReturnTypeOpaque, f.loc, {c.typeText(result)});
    result = kErrorType;
  } else if (containsUnsized(p, result)) {
    c.report(DiagKind::ArraySizeMissing, f.loc, {"the result of `" + std::string(name) + "`"});
    result = kErrorType;
  }
  if (containsKind(p, result, TypeKind::SpirvType) && !q.spirvInstruction) {
    c.report(DiagKind::ReturnTypeOpaque, f.loc, {c.typeText(result)});
    result = kErrorType;
  }
  return result;
}

// Checks qualifiers that GL_EXT_spirv_intrinsics allows only in declarations of instructions, or forbids
// there.
void FunctionDeclaration::checkIntrinsic() {
  for (const ParameterDecl& parameter : parameters)
    if ((parameter.qualifiers.flags & kQualSpirvLiteral) && !q.spirvInstruction)
      c.report(DiagKind::SpirvLiteralPlace, parameter.loc, {name});
  if (q.spirvInstruction && f.definition) c.report(DiagKind::SpirvInstructionBody, q.spirvLoc, {name});
}

void FunctionDeclaration::checkNamed() {
  // A function may share its name only with other functions; ESSL reserves the names of built-in functions.
  symbol = c.scopes.findInCurrent(f.name);
  if (symbol && symbol->kind != SymbolKind::Function) {
    c.report(DiagKind::Redeclaration, f.loc, {name}).note(symbol->loc, "the first declaration is here");
    linked = false;
  } else if (!symbol && name.substr(0, 3) == "gl_" && !c.allows(Feature::ReservedNames)) {
    c.report(DiagKind::ReservedName, f.loc, {name});
    linked = false;
  } else if (!symbol && c.es && c.names[f.name].builtinName != 0) {
    c.report(DiagKind::BuiltinRedefinitionEs, f.loc, {name});
  }
}

IdRange<VarId> FunctionDeclaration::makeParameters() {
  const IdRange<VarId> made(p.variables.next(), static_cast<uint32_t>(parameters.size()));
  for (const ParameterDecl& d : parameters) {
    Variable v;
    v.name = d.name;
    v.type = d.type;
    v.loc = d.loc;
    v.storage = Storage::Local;
    v.direction = directionOf(d.qualifiers);
    v.precision = d.precision;
    v.spirvDecorations = decorationList(c, d.qualifiers);
    // A pointer to the caller's argument: writes through it are visible there.
    if ((d.qualifiers.flags & kQualSpirvByReference) && !q.spirvInstruction &&
        !containsKind(p, d.type, TypeKind::SpirvType))
      v.direction = Direction::InOut;
    v.qualifiers = d.qualifiers.flags | (v.direction == Direction::ConstIn ? uint32_t{kQualConst} : 0u);
    if (d.qualifiers.layout.has(LayoutId::Format)) v.imageFormat = d.qualifiers.layout.get(LayoutId::Format);
    p.variables.add(v);
  }
  return made;
}

// The function with that name and those parameters; none if this is its first declaration.
FnId FunctionDeclaration::earlier(uint64_t signature) {
  FnId existing;
  const auto range = c.signatures.equal_range(signature);
  for (auto it = range.first; it != range.second; ++it)
    if (p.functions[it->second].name == f.name && sameTypes(p, p.functions[it->second], parameters))
      existing = it->second;
  return existing;
}

// Declarations of one function must be alike (6.1).
// GL_EXT_function_control_attributes, 6.1: the attributes of all declarations are cumulative.
void FunctionDeclaration::addControl(Function& fn) {
  const uint8_t before = fn.control;
  fn.control |= f.control;
  if (fn.control == (kInline | kNoInline) && before != fn.control)
    c.report(DiagKind::FunctionAttributes, f.loc, {name});
}

void FunctionDeclaration::compareWith(FnId existing, TypeId result) {
  Function& old = p.functions[existing];
  addControl(old);
  const SourceLoc oldLoc = old.loc;
  if (old.result != result && old.result != kErrorType && result != kErrorType)
    c.report(DiagKind::FunctionResultDiffers, f.loc, {name, c.typeText(old.result), c.typeText(result)})
        .note(oldLoc, "the earlier declaration is here");
  for (uint32_t i = 0; i < old.params.size(); ++i) {
    const Variable& before = p.variables[old.params[i]];
    const bool same =
        before.precision == parameters[i].precision &&
        (before.direction == directionOf(parameters[i].qualifiers) ||
         (before.qualifiers & kQualSpirvByReference)) &&
        (before.qualifiers & kMemoryQualifiers) == (parameters[i].qualifiers.flags & kMemoryQualifiers);
    if (!same)
      c.report(DiagKind::FunctionParameterDiffers, parameters[i].loc, {i + 1, name})
          .note(before.loc, "the earlier declaration is here");
  }
}

void FunctionDeclaration::define(FnId existing) {
  const IdRange<VarId> made = makeParameters();
  Function& fn = p.functions[existing];
  fn.params = made;
  fn.loc = f.loc;
  fn.precision = f.precision;
  fn.qualifiers |= q.flags & kQualPrecise;
  fn.controlUniform |= f.controlUniform;
  own(existing);
  c.definedFunctions.resize(p.functions.size(), false);
  c.definedFunctions[existing] = true;
  noteEntry();
}

FnId FunctionDeclaration::add(TypeId result) {
  Function fn;
  fn.name = f.name;
  fn.result = result;
  fn.loc = f.loc;
  fn.precision = f.precision;
  fn.qualifiers = q.flags & kQualPrecise;
  fn.controlUniform = f.controlUniform;
  addControl(fn);
  fn.spirvInstruction = q.spirvInstruction;
  fn.spirvDecorations = decorationList(c, q);
  fn.params = makeParameters();
  const FnId id = p.functions.add(fn);
  own(id);
  c.definedFunctions.resize(p.functions.size(), false);
  c.definedFunctions[id] = f.definition;
  if (f.definition) noteEntry();
  return id;
}

void FunctionDeclaration::link(FnId id, uint64_t signature) {
  c.signatures.emplace(signature, id);
  if (symbol) {
    FnId& last = c.lastOverload[symbol->function()];
    p.functions[last ? last : symbol->function()].nextOverload = id;
    last = id;
  } else {
    c.scopes.declareFunction(f.name, id, f.loc);
  }
}

}  // namespace

FnId declareFunction(Checker& c, const Qualifiers& q, const FunctionDecl& f,
                     std::vector<ParameterDecl> parameters) {
  FunctionDeclaration d{c, q, f, std::move(parameters)};
  for (ParameterDecl& parameter : d.parameters) checkParameter(c, parameter);
  const TypeId result = d.resultType();
  d.checkIntrinsic();
  // An unknown type was reported already.
  if (d.entry && f.result != kErrorType && (f.result != kVoidType || !d.parameters.empty()))
    c.report(DiagKind::MainSignature, f.loc);
  d.checkNamed();
  const uint64_t signature = hashSignature(f.name, d.parameters);
  if (const FnId existing = d.linked ? d.earlier(signature) : FnId(); existing) {
    d.compareWith(existing, result);
    if (c.options.observer != nullptr) c.options.observer->declareFunction(existing, f.loc, f.definition);
    if (!f.definition) return existing;
    if (!c.definedFunctions.contains(existing) || !c.definedFunctions[existing]) {
      d.define(existing);
      return existing;
    }
    c.report(DiagKind::FunctionRedefinition, f.loc, {d.name})
        .note(c.program.functions[existing].loc, "the first definition is here");
    d.linked = false;  // the body is checked, but no call can find it
  }
  const FnId id = d.add(result);
  if (c.options.observer != nullptr) c.options.observer->declareFunction(id, f.loc, f.definition);
  if (d.linked) d.link(id, signature);
  return id;
}

}  // namespace coopc::frontend
