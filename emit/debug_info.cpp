// NonSemantic.Shader.DebugInfo (SPIR-V's registry, NonSemantic.Shader.DebugInfo.asciidoc). The version is
// 100, or 101 if variables have cooperative types, vectors of any length or floats of other encodings, which
// version 100 cannot describe. Its numbers are ids of constants, as the set requires. Each line is also
// written as an OpLine, for tools that do not support the set. Scopes end with a block, so each block states
// its own.
#include "emit/debug_info.hpp"

#include <algorithm>
#include <optional>
#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

#include "frontend/program/block_layout.hpp"
#include "frontend/program/type_queries.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"

namespace coopc::emit {

using namespace frontend;
using spirv::Section;

namespace {

constexpr uint32_t kVersion = 1;       // of the description, as other compilers have it
constexpr uint32_t kDwarfVersion = 4;  // as above
constexpr uint32_t kBitsOfBool = 32;   // if it is in memory at all
constexpr uint32_t kBitsPerByte = 8;
constexpr uint32_t kNoScope = ~0u;

// The FPEncoding of a small float, as in OpTypeFloat; DebugTypeBasic names it too.
std::optional<uint32_t> floatEncodingOf(Scalar s) {
  switch (s) {
    case Scalar::BFloat16: return spirv::enums::FPEncodingBFloat16KHR;
    case Scalar::FloatE4M3: return spirv::enums::FPEncodingFloat8E4M3EXT;
    case Scalar::FloatE5M2: return spirv::enums::FPEncodingFloat8E5M2EXT;
    default: return std::nullopt;
  }
}

uint32_t encodingOf(Scalar s) {
  if (s == Scalar::Bool) return NonSemanticShaderDebugInfo100Boolean;
  if (!isIntScalar(s)) return NonSemanticShaderDebugInfo100Float;
  return isSignedScalar(s) ? NonSemanticShaderDebugInfo100Signed : NonSemanticShaderDebugInfo100Unsigned;
}

// Instructions that must come first in their block or function (SPIR-V 2.4 and 2.16.1).
bool mustComeFirst(spv::Op op) {
  return op == spv::Op::OpPhi || op == spv::Op::OpVariable || op == spv::Op::OpFunctionParameter ||
         op == spv::Op::OpFunctionEnd || op == spv::Op::OpFunction;
}
bool isMerge(spv::Op op) { return op == spv::Op::OpSelectionMerge || op == spv::Op::OpLoopMerge; }

}  // namespace

DebugInfo::DebugInfo(ModuleState& m, Declarations& declarations) : Part(m), declared(declarations) {}

// ------------------------------------------------------------------------------------- while code is emitted

void DebugInfo::beginFunction(FnId f, Id id) {
  scope_ = static_cast<uint32_t>(scopes_.size());
  scopes_.push_back({kNoScope, f, id, program.functions[f].loc, {}});
  functions_.push_back({scope_, locals_.size()});
}

uint32_t DebugInfo::enterBlock(SourceLoc loc) {
  const uint32_t outer = scope_;
  scope_ = static_cast<uint32_t>(scopes_.size());
  scopes_.push_back({outer, {}, {}, loc, {}});
  return outer;
}

void DebugInfo::variable(VarId v, Id id, bool isValue) {
  const Variable& var = program.variables[v];
  if (!var.name) return;
  if (var.storage == Storage::Local)
    locals_.push_back({v, id, scope_, isValue});
  else
    globals_.push_back({v, id, kNoScope, isValue});
}

// ----------------------------------------------------------------------------------------- what is described

DebugInfo::Place DebugInfo::placeOf(SourceLoc loc) const {
  if (!loc.valid()) return {0, 0, 0};
  const ResolvedLoc r = module.sources.resolve(module.sources.fileLoc(loc));
  // Lines of the text that DebugSource holds, whatever #line calls them.
  return {r.file, r.physicalLine, r.column};
}

Id DebugInfo::instruction(uint32_t number, Words operands) {
  return b.make<op::ExtInst>(Section::Globals, void_,
                             {.set = set_, .instruction = number, .operands = operands});
}

Id DebugInfo::sourceOf(FileId file) {
  for (const Source& s : sources_)
    if (s.file == file) return s.id;
  const Id name = b.string(module.sources.name(file));
  std::string_view text = module.sources.text(file);
  // A string that does not fit into one instruction is continued in further ones; it is cut at the end of a
  // line.
  constexpr size_t kMost = (spirv::kMaxInstructionWords - 3) * sizeof(Word);
  const auto part = [&] {
    size_t length = text.size();
    if (length >= kMost) {
      length = text.rfind('\n', kMost - 2);
      length = length == std::string_view::npos ? kMost - 1 : length + 1;
    }
    const Id id = b.string(text.substr(0, length));
    text.remove_prefix(length);
    return id;
  };
  const Id first = part();
  const Id id = instruction<op::debug::DebugSource>({.file = name, .text = first});
  while (!text.empty()) {
    const Id more = part();
    (void)instruction<op::debug::DebugSourceContinued>({.text = more});
  }
  sources_.push_back({file, id});
  return id;
}

Id DebugInfo::functionType(const Function& f) {
  const Id flags = declared.constants.u32(NonSemanticShaderDebugInfo100FlagIsPublic);
  const Id result = f.result == kVoidType ? void_ : typeOf(f.result);
  std::vector<Id> parameters;
  for (const VarId p : f.params) parameters.push_back(typeOf(program.variables[p].type));
  return instruction<op::debug::DebugTypeFunction>(
      {.flags = flags, .returnType = result, .parameterTypes = parameters});
}

Id DebugInfo::scopeId(uint32_t index) {
  if (scopes_[index].id) return scopes_[index].id;
  const Scope s = scopes_[index];
  const Place at = placeOf(s.loc);
  const Id source = sourceOf(at.file);
  Constants& c = declared.constants;
  const Id line = c.u32(at.line), column = c.u32(at.column);
  Id id;
  if (s.function) {
    const Function& f = program.functions[s.function];
    const Id name = b.string(names.text(f.name));
    const Id type = functionType(f);
    const Id flags = c.u32(NonSemanticShaderDebugInfo100FlagIsPublic);
    id = instruction<op::debug::DebugFunction>({.name = name,
                                                .type = type,
                                                .source = source,
                                                .line = line,
                                                .column = column,
                                                .parent = unit_,
                                                .linkageName = name,
                                                .flags = flags,
                                                .scopeLine = line});
  } else {
    const Id parent = scopeId(s.parent);
    id = instruction<op::debug::DebugLexicalBlock>(
        {.source = source, .line = line, .column = column, .parent = parent});
  }
  return scopes_[index].id = id;
}

Id DebugInfo::basicTypeOf(TypeId t) {
  Constants& c = declared.constants;
  const Scalar s = basicScalar(t);
  if (isMatrixType(t)) {
    const Id column = typeOf(basicType(s, basicRows(t)));
    const Id count = c.u32(basicColumns(t));
    const Id columnMajor = c.scalarConstant(Scalar::Bool, 1);
    return instruction<op::debug::DebugTypeMatrix>(
        {.vectorType = column, .vectorCount = count, .columnMajor = columnMajor});
  }
  if (isVectorType(t)) {
    const Id component = typeOf(basicType(s));
    const Id count = c.u32(basicRows(t));
    return instruction<op::debug::DebugTypeVector>({.baseType = component, .componentCount = count});
  }
  const Id name = b.string(typeName(program, names, t));
  const Id bits = c.u32(s == Scalar::Bool ? kBitsOfBool : scalarBits(s));
  const Id encoding = c.u32(encodingOf(s));
  const Id flags = c.u32(NonSemanticShaderDebugInfo100None);
  const auto format = floatEncodingOf(s);
  const Id encoded = format ? c.u32(*format) : Id();
  return instruction<op::debug::DebugTypeBasic>(
      {.name = name, .size = bits, .encoding = encoding, .flags = flags, .fpEncoding = encoded});
}

// The sets take unsigned sizes only; a specialization constant may be signed.
Id DebugInfo::unsignedSize(ConstId c) {
  const frontend::Constant& k = program.constants[c];
  const Id size = declared.constants.sizeConstant(c);
  if (!k.isSpec || basicScalar(k.type) == Scalar::Uint) return size;
  const Id t = declared.types.type(basicType(Scalar::Uint));
  return declared.constants.specOp<op::IAdd>(t, {.operand1 = size, .operand2 = b.constantNull(t)});
}

// A matrix of GL_KHR_cooperative_matrix, a cooperative vector, or a vector of any length.
Id DebugInfo::cooperativeTypeOf(TypeId t, const TypeInfo& a) {
  const Id component = typeOf(basicType(a.scalar));
  const auto params = program.types.params(t);
  if (a.kind == TypeKind::CoopMat)
    return instruction<op::debug::DebugTypeCooperativeMatrixKHR>({.componentType = component,
                                                                  .scope = unsignedSize(params[0]),
                                                                  .rows = unsignedSize(params[1]),
                                                                  .columns = unsignedSize(params[2]),
                                                                  .use = unsignedSize(params[3])});
  const Id count = unsignedSize(params.empty() ? a.vectorSize() : params[0]);
  return instruction<op::debug::DebugTypeVectorIdEXT>({.componentType = component, .componentCount = count});
}

bool DebugInfo::isNewType(TypeId t) const {
  for (const TypeKind kind : {TypeKind::CoopMat, TypeKind::CoopVec, TypeKind::LongVector})
    if (containsKind(program, t, kind)) return true;
  for (const Scalar s : {Scalar::BFloat16, Scalar::FloatE4M3, Scalar::FloatE5M2})
    if (containsScalar(program, t, s)) return true;
  return false;
}

// Whether a described type is unknown to version 100.
bool DebugInfo::hasNewTypes() const {
  const auto isNew = [&](const Local& l) { return isNewType(program.variables[l.variable].type); };
  return std::ranges::any_of(locals_, isNew) || std::ranges::any_of(globals_, isNew) ||
         std::ranges::any_of(functions_, [&](const FunctionCode& f) {
           return isNewType(program.functions[scopes_[f.scope].function].result);
         });
}

// Types that the set cannot describe (images, tensor layouts and views, references) have a name but no size.
Id DebugInfo::opaqueTypeOf(TypeId t) {
  Constants& c = declared.constants;
  const Id name = b.string(typeName(program, names, t));
  const Id tag = c.u32(NonSemanticShaderDebugInfo100Class);
  const Id source = sourceOf(0);
  const Id zero = c.u32(0);
  const Id none = instruction<op::debug::DebugInfoNone>();
  const Id flags = c.u32(NonSemanticShaderDebugInfo100FlagIsPublic);
  return instruction<op::debug::DebugTypeComposite>({.name = name,
                                                     .tag = tag,
                                                     .source = source,
                                                     .line = zero,
                                                     .column = zero,
                                                     .parent = unit_,
                                                     .linkageName = name,
                                                     .size = none,
                                                     .flags = flags});
}

// Members of blocks have offsets and sizes, in bits. Other structures have no memory that a debugger could
// inspect.
Id DebugInfo::compositeOf(TypeId t, StructId id) {
  Constants& c = declared.constants;
  const StructInfo& s = program.structs[id];
  std::vector<Id> members;
  for (const Member& m : program.membersOf(id)) {
    const Place at = placeOf(m.loc);
    uint64_t size = 0;
    if (s.block && !declared.types.containsRuntimeArray(m.type))
      size = layoutOf(program, m.type, s.packing, s.major).size * kBitsPerByte;
    const Id type = typeOf(m.type);
    const Id name = b.string(names.text(m.name));
    const Id source = sourceOf(at.file);
    const Id line = c.u32(at.line), column = c.u32(at.column);
    const Id offset = c.u32(s.block ? m.offset * kBitsPerByte : 0);
    const Id bits = c.u32(static_cast<uint32_t>(size));
    const Id flags = c.u32(NonSemanticShaderDebugInfo100FlagIsPublic);
    members.push_back(instruction<op::debug::DebugTypeMember>({.name = name,
                                                               .type = type,
                                                               .source = source,
                                                               .line = line,
                                                               .column = column,
                                                               .offset = offset,
                                                               .size = bits,
                                                               .flags = flags}));
  }
  const Place at = placeOf(s.loc);
  uint64_t size = 0;
  if (s.block && !s.unsizedArray) size = layoutOf(program, t, s.packing, s.major).size * kBitsPerByte;
  const Id name = b.string(names.text(s.name));
  const Id tag = c.u32(NonSemanticShaderDebugInfo100Structure);
  const Id source = sourceOf(at.file);
  const Id line = c.u32(at.line), column = c.u32(at.column);
  const Id bits = c.u32(static_cast<uint32_t>(size));
  const Id flags = c.u32(NonSemanticShaderDebugInfo100FlagIsPublic);
  return instruction<op::debug::DebugTypeComposite>({.name = name,
                                                     .tag = tag,
                                                     .source = source,
                                                     .line = line,
                                                     .column = column,
                                                     .parent = unit_,
                                                     .linkageName = name,
                                                     .size = bits,
                                                     .flags = flags,
                                                     .members = members});
}

Id DebugInfo::typeOf(TypeId t) {
  if (types_[t]) return types_[t];
  Id id;
  if (isBasic(t)) {
    id = basicTypeOf(t);
  } else if (t < kFirstDerived) {
    id = opaqueTypeOf(t);
  } else {
    const TypeInfo a = info(t);
    if (a.kind == TypeKind::Array) {
      const Id element = typeOf(a.element());
      // The count is an OpConstant; it is 0 if it is unknown, as for sizes that a pipeline specializes.
      const bool unknown = a.arraySize() == kRuntimeArray || a.arraySize() == kUnsizedArray ||
                           program.constants[a.arraySize()].isSpec;
      const Id count = unknown ? declared.constants.u32(0) : declared.constants.sizeConstant(a.arraySize());
      id = instruction<op::debug::DebugTypeArray>({.baseType = element, .componentCounts = {count}});
    } else if (a.kind == TypeKind::Struct) {
      id = compositeOf(t, a.structure());
    } else if (a.kind == TypeKind::CoopMat || a.kind == TypeKind::CoopVec || a.kind == TypeKind::LongVector) {
      id = cooperativeTypeOf(t, a);
    } else {
      id = opaqueTypeOf(t);
    }
  }
  return types_[t] = id;
}

Id DebugInfo::localVariable(const Local& local) {
  Constants& c = declared.constants;
  const Variable& v = program.variables[local.variable];
  const Place at = placeOf(v.loc);
  const Id name = b.string(names.text(v.name));
  const Id type = typeOf(v.type);
  const Id source = sourceOf(at.file);
  const Id line = c.u32(at.line), column = c.u32(at.column);
  const Id parent = scopeId(local.scope);
  const Id flags = c.u32(NonSemanticShaderDebugInfo100FlagIsLocal);
  uint32_t number = 0;
  Id argument;
  for (const VarId p : program.functions[v.owner].params) {
    ++number;
    if (p == local.variable) argument = c.u32(number);
  }
  return instruction<op::debug::DebugLocalVariable>({.name = name,
                                                     .type = type,
                                                     .source = source,
                                                     .line = line,
                                                     .column = column,
                                                     .parent = parent,
                                                     .flags = flags,
                                                     .argNumber = argument});
}

void DebugInfo::globalVariables() {
  Constants& c = declared.constants;
  for (const Local& g : globals_) {
    const Variable& v = program.variables[g.variable];
    const Place at = placeOf(v.loc);
    const Id name = b.string(names.text(v.name));
    const Id type = typeOf(v.type);
    const Id source = sourceOf(at.file);
    const Id line = c.u32(at.line), column = c.u32(at.column);
    const Id flags = c.u32(NonSemanticShaderDebugInfo100FlagIsDefinition);
    (void)instruction<op::debug::DebugGlobalVariable>({.name = name,
                                                       .type = type,
                                                       .source = source,
                                                       .line = line,
                                                       .column = column,
                                                       .parent = unit_,
                                                       .linkageName = name,
                                                       .variable = g.id,
                                                       .flags = flags});
  }
}

// ------------------------------------------------------------------------------------------ in the functions

void DebugInfo::inFunction(std::vector<Word>& out, uint32_t number, Words operands) {
  const op::ExtInst::Fields fields{.set = set_, .instruction = number, .operands = operands};
  const spirv::FieldWords words = fields.words();
  const Words afterResult = words;
  out.push_back(spirv::instructionHead(op::ExtInst::kOp, 3 + afterResult.size()));
  out.push_back(void_);
  out.push_back(b.id());
  out.insert(out.end(), afterResult.begin(), afterResult.end());
}

void DebugInfo::beginCode(std::vector<Word>& out, const FunctionCode& code, size_t endLocal) {
  const Id scope = scopeId(code.scope);
  inFunction<op::debug::DebugScope>(out, {.scope = scope});
  // RenderDoc shows code without a line at the previous line, which belongs to another function.
  const Place at = placeOf(scopes_[code.scope].loc);
  const Id source = sourceOf(at.file);
  const Id line = declared.constants.u32(at.line), column = declared.constants.u32(at.column);
  inFunction<op::debug::DebugLine>(
      out,
      {.source = source, .lineStart = line, .lineEnd = line, .columnStart = column, .columnEnd = column});
  inFunction<op::debug::DebugFunctionDefinition>(
      out, {.function = scope, .definition = scopes_[code.scope].functionId});
  for (size_t i = code.firstLocal; i < endLocal; ++i) {
    const Id variable = localVariable(locals_[i]);
    const Id id = locals_[i].id;
    if (locals_[i].isValue)
      inFunction<op::debug::DebugValue>(out,
                                        {.localVariable = variable, .value = id, .expression = expression_});
    else
      inFunction<op::debug::DebugDeclare>(
          out, {.localVariable = variable, .variable = id, .expression = expression_});
  }
}

// One walk over the code; the announcements correspond to its labels and lines in the same order.
void DebugInfo::writeFunctions() {
  const auto written = b.words(Section::Functions).words();
  const std::vector<uint32_t> code(written.begin(), written.end());
  std::vector<Word> out;
  out.reserve(code.size() * 2);
  size_t function = 0, label = 0, line = 0;
  bool begun = false;
  uint32_t current = kNoScope, wanted = kNoScope;
  const Line* pending = nullptr;
  spv::Op previous = spv::Op::OpNop;
  auto i = spirv::InstructionWalk::ofPart(code);
  while (i.next()) {
    const spv::Op op = i.op();
    if (op == spv::Op::OpFunction) {
      begun = false;
    } else if (op == spv::Op::OpLabel) {
      current = kNoScope;
      pending = nullptr;
      wanted = labelScopes_[label++];
    } else if (op == spv::Op::OpLine) {
      pending = &lines_[line++];
      wanted = pending->scope;
    } else if (!mustComeFirst(op) && !isMerge(previous)) {
      if (!begun) {
        const size_t end =
            function + 1 < functions_.size() ? functions_[function + 1].firstLocal : locals_.size();
        beginCode(out, functions_[function], end);
        current = functions_[function++].scope;
        begun = true;
      }
      if (wanted != current) {
        const Id scope = scopeId(wanted);
        inFunction<op::debug::DebugScope>(out, {.scope = scope});
        current = wanted;
      }
      if (pending != nullptr) {
        const Id source = sourceOf(pending->file);
        const Id at = declared.constants.u32(pending->line), column = declared.constants.u32(pending->column);
        inFunction<op::debug::DebugLine>(
            out,
            {.source = source, .lineStart = at, .lineEnd = at, .columnStart = column, .columnEnd = column});
        pending = nullptr;
      }
    }
    out.insert(out.end(), i.words().begin(), i.words().end());
    if (op != spv::Op::OpLine) previous = op;
  }
  b.replaceFunctions(out);
}

void DebugInfo::write(Id entryPoint) {
  types_.resize(program.types.size());
  set_ = module.nonSemanticSet(hasNewTypes() ? "NonSemantic.Shader.DebugInfo.101"
                                             : "NonSemantic.Shader.DebugInfo.100");
  void_ = declared.types.type(kVoidType);
  Constants& c = declared.constants;
  const Id source = sourceOf(0);
  const Id version = c.u32(kVersion), dwarf = c.u32(kDwarfVersion);
  const Id language =
      c.u32(static_cast<uint32_t>(program.es ? spv::SourceLanguage::ESSL : spv::SourceLanguage::GLSL));
  unit_ = instruction<op::debug::DebugCompilationUnit>(
      {.version = version, .dwarfVersion = dwarf, .source = source, .language = language});
  expression_ = instruction<op::debug::DebugExpression>();
  globalVariables();
  for (const FunctionCode& f : functions_) {
    const Id id = scopeId(f.scope);
    if (scopes_[f.scope].functionId != entryPoint) continue;
    const Id compiler = b.string("coopc"), arguments = b.string("");
    (void)instruction<op::debug::DebugEntryPoint>({.entryPoint = id,
                                                   .compilationUnit = unit_,
                                                   .compilerSignature = compiler,
                                                   .commandLineArguments = arguments});
  }
  writeFunctions();
}

}  // namespace coopc::emit
