// Functions are emitted if an emitted function calls them. `in` parameters are passed as values and stored in
// a variable. `out` and `inout` parameters are pointers to the caller's copies, which are written back from
// left to right (GLSL 6.1.1). Opaque parameters are pointers to the resource itself.
#include <algorithm>

#include "emit/emitter.hpp"
#include "emit/parameters.hpp"
#include "frontend/program/type_queries.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

namespace {

// Arrays of physical pointers are passed by pointer: as values they need Aliased or Restrict
// (SPV_KHR_physical_storage_buffer, 2.16.1), which SPIRV-Tools accepts on pointers only. Functions that
// instructions call take them as values.
bool isReferenceArray(const Program& program, const Variable& v) {
  if (isBasic(v.type) || program.types.kind(v.type) != TypeKind::Array ||
      program.functions[v.owner].usedAsCallback)
    return false;
  return isReference(program, elementOf(program, v.type));
}

}  // namespace

bool isIntrinsicType(const Program& program, TypeId t) {
  return !isBasic(t) && program.types.kind(elementOf(program, t)) == TypeKind::SpirvType;
}

bool passedByPointer(const Program& program, const Variable& v) {
  if (v.direction == Direction::Out || v.direction == Direction::InOut) return true;
  if (isBasic(v.type)) return false;
  const TypeKind element = program.types.kind(elementOf(program, v.type));
  return isOpaqueKind(element) || element == TypeKind::SpirvType || isReferenceArray(program, v);
}

bool usedAsValue(const Program& program, const Variable& v) {
  if (v.direction != Direction::ConstIn) return false;
  if (isBasic(v.type)) return !isMatrixType(v.type);
  const TypeKind k = program.types.kind(v.type);
  return k != TypeKind::Array && k != TypeKind::Struct;
}

spv::StorageClass opaqueStorage(const Program& program, TypeId t) {
  if (isAttachment(program, t)) return spv::StorageClass::TileImageEXT;
  return isObjectKind(program.types.kind(elementOf(program, t))) ? spv::StorageClass::Private
                                                                 : spv::StorageClass::UniformConstant;
}

FunctionQueue::FunctionQueue(ModuleState& m) : Part(m) {
  ids_.resize(program.functions.size());
  begun_.resize(program.functions.size());
}

Id FunctionQueue::idOf(FnId f) {
  if (!ids_[f]) {
    ids_[f] = b.id();
    instances_.push_back({f, ids_[f], {}});
  }
  return ids_[f];
}

Id FunctionQueue::idOf(FnId f, std::span<const uint32_t> formats) {
  if (formats.empty()) return idOf(f);
  for (const FunctionInstance& i : instances_)
    if (i.function == f && std::equal(i.formats.begin(), i.formats.end(), formats.begin(), formats.end()))
      return i.id;
  const Id id = b.id();
  instances_.push_back({f, id, {formats.begin(), formats.end()}});
  return id;
}

bool FunctionQueue::begin(FnId f) {
  const bool again = begun_[f] != 0;
  begun_[f] = 1;
  return again;
}

// The start of the entry point: initializers of global variables that are computed at run time.
void Emitter::initializeGlobals() {
  for (VarId g : program.globals) {
    const Variable& v = program.variables[g];
    if (!v.init || usedGlobals_[g] == 0) continue;
    Place p;
    const Id initial = value(v.init);
    p.base = variables.slot(g).id;
    p.storage = variables.slot(g).storage;
    p.type = v.type;
    memory.store(p, initial);
  }
  // Variables are made at their first use or, with this option, here at the latest.
  for (VarId g : program.globals)
    if (module.options.preserveBindings && program.variables[g].binding != kNoLayout) variables.slot(g);
}

void Emitter::emitFunction(const FunctionInstance& instance, bool entry) {
  const FnId f = instance.function;
  const Id id = instance.id;
  const Function& fn = program.functions[f];
  memory.beginFunction();
  statements_.beginFunction(f);
  forgetLine();
  if (functions.begin(f)) {
    // The existing local variables belong to another instance of the function.
    for (const VarId v : program.variables.ids())
      if (program.variables[v].owner == f) variables.setSlot(v, {});
  }
  const auto mark = static_cast<uint32_t>(module.scratch.size());
  Parameters parameters(module, declarations_, instance);
  parameters.pushTypes();
  types.useType(fn.result);
  const Id resultType = type(fn.result);
  const uint32_t count = static_cast<uint32_t>(module.scratch.size()) - mark;
  const Id functionType = b.typeFunction(resultType, Words{module.scratch.data() + mark, count});
  b.name(id, names.text(fn.name));
  intrinsics.decorate(id, fn.spirvDecorations);
  if (fn.precision == Precision::Low || fn.precision == Precision::Medium)
    b.decorate(id, spv::Decoration::RelaxedPrecision);
  // The instruction set itself locates functions. If a line were still in effect at the variables, spirv-opt
  // would end it before those that it adds.
  if (module.debug == nullptr) line(fn.loc);
  static_assert(kInline == uint32_t(spv::FunctionControlMask::Inline) &&
                kNoInline == uint32_t(spv::FunctionControlMask::DontInline));
  b.beginFunction(id, resultType, spv::FunctionControlMask(fn.control), functionType);

  // From here on the list holds the parameters that need variables.
  for (uint32_t i = 0; i < count; ++i) {
    const Id typeId = module.scratch[mark + i].id();
    module.scratch[mark + i] = parameters.declare(i, typeId);
  }

  if (module.debug != nullptr) {
    module.debug->beginFunction(f, id);
    for (uint32_t i = 0; i < count; ++i) {
      if (module.scratch[mark + i] != 0) continue;
      const VariableSlot& s = variables.slot(fn.params[i]);
      module.debug->variable(fn.params[i], s.id, s.isValue);
    }
  }
  startBlock(b.id());
  for (uint32_t i = 0; i < count; ++i) {
    if (module.scratch[mark + i] == 0) continue;
    const VariableSlot& s = variables.slot(fn.params[i]);
    const Id parameter = module.scratch[mark + i].id();
    store(s.id, parameter);
  }
  module.scratch.resize(mark);

  if (entry) initializeGlobals();
  statements_.write(fn.body);
  if (open) {
    if (fn.result == kVoidType) {
      make<op::Return>();
    } else {
      make<op::ReturnValue>({.value = constants.undef(resultType)});
    }
    open = false;
  }
  b.endFunction();
}

Id Emitter::call(const Expr& e) {
  const FnId f = program.callee(e);
  const Function& fn = program.functions[f];
  if (fn.spirvInstruction) return instructionCall(e, fn);
  const auto args = program.callArguments(e);
  const Id resultType = type(fn.result);

  // Copies back: the place and the variable that was passed, in order.
  std::vector<CopyBack>& copies = copies_;
  const size_t copyMark = copies.size();
  const auto mark = static_cast<uint32_t>(module.scratch.size());
  std::vector<uint32_t> formats;
  for (uint32_t i = 0; i < args.size(); ++i) {
    const Variable& v = program.variables[fn.params[i]];
    Id argument;
    if (!isBasic(v.type) && types.isOpaque(v.type)) {
      Place p;
      if (!place(args[i], p)) {
        unsupported(expr(args[i]).loc, "this opaque argument");
        argument =
            constants.undef(types.pointerType(opaqueStorage(program, v.type), types.opaqueType(v.type, 0)));
      } else {
        if (p.imageFormat != 0 || p.untyped) {
          formats.resize(fn.params.size());
          formats[i] = p.imageFormat | (p.untyped ? kFromHeap : 0);
        }
        if (p.heapArray || (p.heapBlock && !p.untyped))
          unsupported(expr(args[i]).loc, "an array in a descriptor heap as an argument of a function");
        // Pointers of these storage classes are passed as whole variables only, or not at all (SPIR-V,
        // 2.16.1).
        if (p.indexCount != 0 && p.storage == spv::StorageClass::Private)
          unsupported(expr(args[i]).loc,
                      "an element of an array of ray queries or hit objects as an argument of a function");
        if (p.indexCount != 0 && p.storage == spv::StorageClass::TileImageEXT)
          unsupported(expr(args[i]).loc,
                      "an element of an array of attachments as an argument of a function");
        if (p.storage == spirv::enums::StorageClassTileAttachmentQCOM)
          unsupported(expr(args[i]).loc, "an attachment in tile memory as an argument of a function");
        argument = memory.pointer(p);
      }
    } else if (isIntrinsicType(program, v.type)) {
      // The variable itself; parts of one are copied, because only whole variables can be passed (SPIR-V
      // 2.16.1).
      Place p;
      if (!place(args[i], p) || p.indexCount != 0) {
        const Id part = value(args[i]);
        memory.spill(part, v.type, p);
      }
      argument = memory.pointer(p);
      formats.resize(fn.params.size());
      formats[i] = static_cast<uint32_t>(p.storage);
    } else if (v.direction != Direction::Out && v.direction != Direction::InOut &&
               isReferenceArray(program, v)) {
      const Id given = value(args[i]);
      argument = variables.localVariable(v.type, "param");
      store(argument, given);
    } else if (passedByPointer(program, v)) {
      Place p;
      if (!place(args[i], p)) {
        unsupported(expr(args[i]).loc, "this output argument");
        p.type = v.type;
        p.base = variables.localVariable(v.type, "");
      }
      memory.flush(p);
      argument = variables.localVariable(v.type, "param");
      const TypeId from = memory.placeResult(p);
      if (v.direction == Direction::InOut) {
        const Id initial = arithmetic.convert(memory.load(p), from, v.type);
        store(argument, initial);
      }
      copies.push_back({p, argument, v.type, from});
    } else {
      argument = value(args[i]);
    }
    module.scratch.push_back(argument);
  }
  line(e.loc);
  const Id result = make<op::FunctionCall>(
      resultType, {.function = functions.idOf(f, formats), .arguments = module.scratchFrom(mark)});
  module.scratch.resize(mark);
  if ((e.flags & kExprRelaxed) != 0 && fn.result != kVoidType)
    b.decorate(result, spv::Decoration::RelaxedPrecision);
  for (size_t i = copyMark; i < copies.size(); ++i) {
    CopyBack c = copies[i];
    const Id v = load(c.from, c.variable);
    memory.store(c.to, arithmetic.convert(v, c.from, c.target));
  }
  copies.resize(copyMark);
  return result;
}

// A function declared with spirv_instruction (6.1.3): its call is the instruction itself.
Id Emitter::instructionCall(const Expr& e, const Function& fn) {
  const SpirvInstruction& instruction = program.spirvInstructions[fn.spirvInstruction];
  intrinsics.require(instruction);
  const auto args = program.callArguments(e);
  const auto mark = static_cast<uint32_t>(module.scratch.size());
  if (!instruction.set.empty()) {
    const Id set = b.extInstSet(instruction.set);
    module.scratch.push_back(set);
    module.scratch.push_back(instruction.id);
  }
  for (uint32_t i = 0; i < args.size(); ++i) {
    const Variable& v = program.variables[fn.params[i]];
    uint32_t word = 0;
    if ((v.qualifiers & kQualSpirvLiteral) != 0) {
      word = static_cast<uint32_t>(program.constants[expr(args[i]).constant()].bits);
    } else if ((v.qualifiers & kQualSpirvByReference) != 0 || v.direction == Direction::Out ||
               v.direction == Direction::InOut) {
      Place p;
      placeOrSpill(args[i], p);
      word = memory.pointer(p).index();
    } else {
      types.useType(v.type);
      word = value(args[i]).index();
    }
    module.scratch.push_back(word);
  }
  line(e.loc);
  const auto opcode =
      instruction.set.empty() ? static_cast<spv::Op>(instruction.id & 0xFFFF) : spv::Op::OpExtInst;
  Id result;
  if (fn.result == kVoidType && instruction.set.empty()) {
    opVoid(opcode, module.scratchFrom(mark));
  } else {
    types.useType(fn.result);
    const Id t = type(fn.result);
    result = op(opcode, t, module.scratchFrom(mark));
    intrinsics.decorate(result, fn.spirvDecorations);
  }
  module.scratch.resize(mark);
  return result;
}

}  // namespace coopc::emit
