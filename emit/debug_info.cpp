// NonSemantic.Shader.DebugInfo (SPIR-V's registry, NonSemantic.Shader.DebugInfo.asciidoc). Version 100, or
// 101 if variables have cooperative types, vectors of any length or floats of other encodings, which version
// 100 cannot describe. Its numbers are ids of constants, as the set requires. Each line is also written as an
// OpLine, for tools that do not know the set. Scopes end with a block, so each block states its own.
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
constexpr uint32_t kDwarfVersion = 4;  // likewise
constexpr uint32_t kBitsOfBool = 32;   // if it is in memory at all
constexpr uint32_t kBitsPerByte = 8;
constexpr uint32_t kNoScope = ~0u;

// Instructions that version 101 of the set adds.
constexpr uint32_t kDebugTypeVectorIdEXT = 109;
constexpr uint32_t kDebugTypeCooperativeMatrixKHR = 110;

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
  std::vector<Word> words{set_, number};
  words.insert(words.end(), operands.begin(), operands.end());
  return b.opResult(Section::Globals, spv::Op::OpExtInst, void_, words);
}

Id DebugInfo::instruction(uint32_t number, std::initializer_list<Word> operands) {
  return instruction(number, Words{operands.begin(), operands.size()});
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
  const Id id = instruction(NonSemanticShaderDebugInfo100DebugSource, {name, first});
  while (!text.empty()) {
    const Id more = part();
    (void)instruction(NonSemanticShaderDebugInfo100DebugSourceContinued, {more});
  }
  sources_.push_back({file, id});
  return id;
}

Id DebugInfo::functionType(const Function& f) {
  std::vector<Word> words;
  const Id flags = declared.constants.u32(NonSemanticShaderDebugInfo100FlagIsPublic);
  words.push_back(flags);
  words.push_back(f.result == kVoidType ? void_ : typeOf(f.result));
  for (const VarId p : f.params) words.push_back(typeOf(program.variables[p].type));
  return instruction(NonSemanticShaderDebugInfo100DebugTypeFunction, words);
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
    id = instruction(NonSemanticShaderDebugInfo100DebugFunction,
                     {name, type, source, line, column, unit_, name, flags, line});
  } else {
    const Id parent = scopeId(s.parent);
    id = instruction(NonSemanticShaderDebugInfo100DebugLexicalBlock, {source, line, column, parent});
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
    return instruction(NonSemanticShaderDebugInfo100DebugTypeMatrix, {column, count, columnMajor});
  }
  if (isVectorType(t)) {
    const Id component = typeOf(basicType(s));
    const Id count = c.u32(basicRows(t));
    return instruction(NonSemanticShaderDebugInfo100DebugTypeVector, {component, count});
  }
  const Id name = b.string(typeName(program, names, t));
  const Id bits = c.u32(s == Scalar::Bool ? kBitsOfBool : scalarBits(s));
  const Id encoding = c.u32(encodingOf(s));
  const Id flags = c.u32(NonSemanticShaderDebugInfo100None);
  if (const auto format = floatEncodingOf(s)) {
    const Id encoded = c.u32(*format);
    return instruction(NonSemanticShaderDebugInfo100DebugTypeBasic, {name, bits, encoding, flags, encoded});
  }
  return instruction(NonSemanticShaderDebugInfo100DebugTypeBasic, {name, bits, encoding, flags});
}

// A matrix of GL_KHR_cooperative_matrix, a cooperative vector, or a vector of any length.
// The sets take unsigned sizes only; a specialization constant may be signed.
Id DebugInfo::unsignedSize(ConstId c) {
  const frontend::Constant& k = program.constants[c];
  const Id size = declared.constants.sizeConstant(c);
  if (!k.isSpec || basicScalar(k.type) == Scalar::Uint) return size;
  const Id t = declared.types.type(basicType(Scalar::Uint));
  const Word words[] = {static_cast<Word>(spv::Op::OpIAdd), size, b.constantNull(t)};
  return b.constant(spv::Op::OpSpecConstantOp, t, words);
}

Id DebugInfo::cooperativeTypeOf(TypeId t, const TypeInfo& a) {
  std::vector<Word> words{typeOf(basicType(a.scalar))};
  const auto params = program.types.params(t);
  for (const ConstId p : params) words.push_back(unsignedSize(p));
  if (a.kind == TypeKind::CoopMat) return instruction(kDebugTypeCooperativeMatrixKHR, words);
  if (params.empty()) words.push_back(unsignedSize(a.vectorSize()));
  return instruction(kDebugTypeVectorIdEXT, words);
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
  const Id none = instruction(NonSemanticShaderDebugInfo100DebugInfoNone, Words{});
  const Id flags = c.u32(NonSemanticShaderDebugInfo100FlagIsPublic);
  return instruction(NonSemanticShaderDebugInfo100DebugTypeComposite,
                     {name, tag, source, zero, zero, unit_, name, none, flags});
}

// Members of blocks have offsets and sizes, in bits. Other structures have no memory that a debugger could
// inspect.
Id DebugInfo::compositeOf(TypeId t, StructId id) {
  Constants& c = declared.constants;
  const StructInfo& s = program.structs[id];
  std::vector<Word> members;
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
    members.push_back(instruction(NonSemanticShaderDebugInfo100DebugTypeMember,
                                  {name, type, source, line, column, offset, bits, flags}));
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
  std::vector<Word> words{name, tag, source, line, column, unit_, name, bits, flags};
  words.insert(words.end(), members.begin(), members.end());
  return instruction(NonSemanticShaderDebugInfo100DebugTypeComposite, words);
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
      id = instruction(NonSemanticShaderDebugInfo100DebugTypeArray, {element, count});
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
  std::vector<Word> words{name, type, source, line, column, parent, flags};
  uint32_t number = 0;
  for (const VarId p : program.functions[v.owner].params) {
    ++number;
    if (p == local.variable) words.push_back(c.u32(number));
  }
  return instruction(NonSemanticShaderDebugInfo100DebugLocalVariable, words);
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
    (void)instruction(NonSemanticShaderDebugInfo100DebugGlobalVariable,
                      {name, type, source, line, column, unit_, name, g.id, flags});
  }
}

// ------------------------------------------------------------------------------------------ in the functions

void DebugInfo::inFunction(std::vector<Word>& out, uint32_t number, std::initializer_list<Word> operands) {
  out.push_back(spirv::instructionHead(spv::Op::OpExtInst, 5 + operands.size()));
  out.push_back(void_);
  out.push_back(b.id());
  out.push_back(set_);
  out.push_back(number);
  out.insert(out.end(), operands);
}

void DebugInfo::beginCode(std::vector<Word>& out, const FunctionCode& code, size_t endLocal) {
  const Id scope = scopeId(code.scope);
  inFunction(out, NonSemanticShaderDebugInfo100DebugScope, {scope});
  // RenderDoc shows code without a line at the previous line, which belongs to another function.
  const Place at = placeOf(scopes_[code.scope].loc);
  const Id source = sourceOf(at.file);
  const Id line = declared.constants.u32(at.line), column = declared.constants.u32(at.column);
  inFunction(out, NonSemanticShaderDebugInfo100DebugLine, {source, line, line, column, column});
  inFunction(out, NonSemanticShaderDebugInfo100DebugFunctionDefinition,
             {scope, scopes_[code.scope].functionId});
  for (size_t i = code.firstLocal; i < endLocal; ++i) {
    const Id variable = localVariable(locals_[i]);
    inFunction(out,
               locals_[i].isValue ? NonSemanticShaderDebugInfo100DebugValue
                                  : NonSemanticShaderDebugInfo100DebugDeclare,
               {variable, locals_[i].id, expression_});
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
        inFunction(out, NonSemanticShaderDebugInfo100DebugScope, {scope});
        current = wanted;
      }
      if (pending != nullptr) {
        const Id source = sourceOf(pending->file);
        const Id at = declared.constants.u32(pending->line), column = declared.constants.u32(pending->column);
        inFunction(out, NonSemanticShaderDebugInfo100DebugLine, {source, at, at, column, column});
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
  unit_ = instruction(NonSemanticShaderDebugInfo100DebugCompilationUnit, {version, dwarf, source, language});
  expression_ = instruction(NonSemanticShaderDebugInfo100DebugExpression, Words{});
  globalVariables();
  for (const FunctionCode& f : functions_) {
    const Id id = scopeId(f.scope);
    if (scopes_[f.scope].functionId != entryPoint) continue;
    const Id compiler = b.string("coopc"), arguments = b.string("");
    (void)instruction(NonSemanticShaderDebugInfo100DebugEntryPoint, {id, unit_, compiler, arguments});
  }
  writeFunctions();
}

}  // namespace coopc::emit
