// One walk over a module's instructions. Each id has a value: a number, a layout, a view, or the place to
// which a pointer points. A value that is unknown has the name of what is missing instead; the name is passed
// on to everything that is computed from it, and ends up in the message.
#include "tools/cooplayout/tensor_module.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/constants.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"
#include "spirv/reader.hpp"
#include "tools/cooplayout/conditions.hpp"

namespace coopc::cooplayout {
namespace {

namespace op = spirv::op;
using layout::Coord;
using layout::TensorLayout;
using layout::TensorView;
using spirv::as;
using spirv::Id;
using spirv::IdRange;
using spirv::Instruction;
using spv::Op;

struct Missing {
  std::string name;
  bool refused = false;  // `name` is the message of a broken rule
};
// A pointer: the module's name for the place, and, in an array, the index; or what is missing to compute the
// index.
struct Place {
  std::string name;
  std::optional<uint32_t> index;
  std::string lacking = {};
};

struct Access {
  bool load = false;
  bool plain = false;
};
std::optional<Access> accessOf(Op op) {
  switch (op) {
    case Op::OpCooperativeMatrixLoadTensorNV: return Access{true, false};
    case Op::OpCooperativeMatrixStoreTensorNV: return Access{false, false};
    case Op::OpCooperativeMatrixLoadKHR: return Access{true, true};
    case Op::OpCooperativeMatrixStoreKHR: return Access{false, true};
    default: return std::nullopt;
  }
}
using Value = std::variant<Missing, uint32_t, TensorLayout, TensorView, Place>;

class Walk {
 public:
  Walk(const spirv::Module& module, const std::map<std::string, int64_t>& names,
       std::span<const spirv::SpecializationValue> given)
      : m_(module), names_(names), constants_(module, given) {}

  std::optional<TensorProgram> run(uint32_t which, std::string& error) {
    uint32_t seen = 0;
    for (const Instruction& i : m_.instructions) {
      note(i);
      const std::optional<Access> kind = accessOf(i.op());
      if (kind && seen++ == which) return access(i, *kind, error);
      if (kind) continue;
      if (i.result) values_[i.result] = result(i);
      if (const auto store = as<op::Store>(m_, i))
        stored_[placeOf(store.pointer()).name] = valueOf(store.object());
    }
    error = described(Condition::WhichLoad,
                      "there are " + std::to_string(seen) +
                          " loads and stores of matrices in the module; --load counts them from 0");
    return std::nullopt;
  }

 private:
  // The names of ids, members and built-in variables.
  void note(const Instruction& i) {
    if (const auto name = as<op::Name>(m_, i)) {
      idNames_[name.target()] = name.name();
    } else if (const auto member = as<op::MemberName>(m_, i)) {
      memberNames_[{member.type(), member.member()}] = member.name();
    } else if (const auto decorate = as<op::Decorate>(m_, i);
               decorate && decorate.decoration() == spv::Decoration::BuiltIn) {
      const auto builtIn = spv::BuiltIn(decorate.parameters()[0]);
      if (builtIn == spv::BuiltIn::WorkgroupId) idNames_[decorate.target()] = "gl_WorkGroupID";
      if (builtIn == spv::BuiltIn::SubgroupId) idNames_[decorate.target()] = "gl_SubgroupID";
    }
  }
  std::string nameOf(Id id) const {
    const auto found = idNames_.find(id);
    return found == idNames_.end() ? "" : found->second;
  }

  Value valueOf(Id id) const {
    if (const spirv::ConstantValue constant = constants_.value(id); constant.known)
      return static_cast<uint32_t>(constant.bits);
    const auto found = values_.find(id);
    if (found != values_.end()) return found->second;
    const std::string name = nameOf(id);
    return Missing{name.empty() ? "%" + std::to_string(id.index()) : name, false};
  }
  Place placeOf(Id id) const {
    const Value value = valueOf(id);
    const Place* place = std::get_if<Place>(&value);
    return place != nullptr ? *place : Place{"%" + std::to_string(id.index()), {}};
  }
  // The value of a place: given from outside, otherwise the last one that was stored.
  Value read(const std::string& name) const {
    if (const auto given = names_.find(name); given != names_.end())
      return static_cast<uint32_t>(given->second);
    if (const auto stored = stored_.find(name); stored != stored_.end()) return stored->second;
    return Missing{name, false};
  }

  Value result(const Instruction& i) {
    switch (i.op()) {
      case Op::OpVariable: return variable(i);
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain: return chain(i);
      case Op::OpLoad: return read(placeOf(op::Load(m_, i).pointer()).name);
      case Op::OpCompositeExtract: return component(i);
      case Op::OpCopyObject:
      case Op::OpBitcast:
      case Op::OpUConvert:
      case Op::OpSConvert: return valueOf(op::Unary(m_, i).operand());
      case Op::OpExtInst: return extended(i);
      case Op::OpCreateTensorLayoutNV: return newLayout(i);
      case Op::OpCreateTensorViewNV: return newView(i);
      case Op::OpTensorLayoutSetBlockSizeNV:
      case Op::OpTensorLayoutSetDimensionNV:
      case Op::OpTensorLayoutSetStrideNV:
      case Op::OpTensorLayoutSliceNV:
      case Op::OpTensorLayoutSetClampValueNV: return changedLayout(i);
      case Op::OpTensorViewSetDimensionNV:
      case Op::OpTensorViewSetStrideNV:
      case Op::OpTensorViewSetClipNV: return changedView(i);
      default: return arithmetic(i);
    }
  }

  Value variable(const Instruction& i) {
    const op::Variable view(m_, i);
    std::string name = nameOf(i.result);
    // The variable of a block without an instance name has no name, or the block's: the GLSL text only names
    // the members.
    const auto pointer = as<op::TypePointer>(m_, i.type);
    if (pointer && name == nameOf(pointer.type())) name.clear();
    // Local variables with the same name are different variables.
    if (view.storageClass() == spv::StorageClass::Function) name += "%" + std::to_string(i.result.index());
    if (view.hasInitializer()) stored_[name] = valueOf(view.initializer());
    return Place{name, {}};
  }

  Value chain(const Instruction& i) {
    const op::AnyAccessChain view(m_, i);
    Place place = placeOf(view.base());
    Id type = as<op::TypePointer>(m_, m_.typeOf(view.base())).type();
    for (const Id id : view.indexes()) {
      const Instruction* of = m_.def(type);
      const Value at = valueOf(id);
      const uint32_t* index = std::get_if<uint32_t>(&at);
      if (of == nullptr) break;
      std::string part = index != nullptr ? std::to_string(*index) : "?";
      const auto structure = as<op::TypeStruct>(m_, *of);
      if (structure && index != nullptr) {
        const auto member = memberNames_.find({type, *index});
        if (member != memberNames_.end()) part = member->second;
        // In a module without names: "push.0".
        if (member == memberNames_.end() && place.name.empty()) place.name = "push";
        type = structure.memberTypes()[*index];
      } else {
        if (of->op() == Op::OpTypeVector && index != nullptr && *index < 4) part = "xyzw"[*index];
        type = structure ? structure.memberTypes()[0] : as<op::TypeOfElements>(m_, *of).elementType();
        place.index = index != nullptr ? std::optional<uint32_t>(*index) : std::nullopt;
        const auto* missing = std::get_if<Missing>(&at);
        place.lacking = missing != nullptr ? missing->name : "";
      }
      place.name += (place.name.empty() ? "" : ".") + part;
    }
    return place;
  }

  // A component of a vector that was loaded as a whole: component 0 of "gl_WorkGroupID" is
  // "gl_WorkGroupID.x".
  Value component(const Instruction& i) const {
    const op::CompositeExtract extract(m_, i);
    const spirv::LiteralRange indexes = extract.indexes();
    const Value value = valueOf(extract.composite());
    const Missing* missing = std::get_if<Missing>(&value);
    if (missing == nullptr || indexes.size() != 1 || indexes[0] > 3) return Missing{nameOf(i.result), false};
    return read(missing->name + "." + "xyzw"[indexes[0]]);
  }

  Value arithmetic(const Instruction& i) const {
    const IdRange operands = op::Value(m_, i).operands();
    const Value a = valueOf(operands[0]);
    const Value b = operands.size() > 1 ? valueOf(operands[1]) : Value(uint32_t{0});
    for (const Value* operand : {&a, &b}) {
      if (std::holds_alternative<Missing>(*operand) && !operands.empty() && operands.size() < 3)
        return *operand;
    }
    uint64_t bits = 0;
    if (std::holds_alternative<uint32_t>(a) && std::holds_alternative<uint32_t>(b) && operands.size() < 3 &&
        spirv::evaluateIntegers(i.op(), 32, 32, std::get<uint32_t>(a), std::get<uint32_t>(b), bits))
      return static_cast<uint32_t>(bits);
    const std::string name = nameOf(i.result);
    return Missing{name.empty() ? "%" + std::to_string(i.result.index()) : name, false};
  }

  // min() and max(), with which shaders compute bounds.
  Value extended(const Instruction& i) const {
    const op::ExtInst call(m_, i);
    const IdRange operands = call.operands();
    const std::string name = nameOf(i.result);
    const Missing other{name.empty() ? "%" + std::to_string(i.result.index()) : name, false};
    if (as<op::ExtInstImport>(m_, call.set()).name() != "GLSL.std.450" || operands.size() != 2) return other;
    const Value a = valueOf(operands[0]);
    const Value b = valueOf(operands[1]);
    for (const Value* operand : {&a, &b}) {
      if (std::holds_alternative<Missing>(*operand)) return *operand;
    }
    const auto* x = std::get_if<uint32_t>(&a);
    const auto* y = std::get_if<uint32_t>(&b);
    if (x == nullptr || y == nullptr) return other;
    const auto s = static_cast<int32_t>(*x);
    const auto t = static_cast<int32_t>(*y);
    switch (call.instruction()) {
      case GLSLstd450UMin: return std::min(*x, *y);
      case GLSLstd450UMax: return std::max(*x, *y);
      case GLSLstd450SMin: return static_cast<uint32_t>(std::min(s, t));
      case GLSLstd450SMax: return static_cast<uint32_t>(std::max(s, t));
      default: return other;
    }
  }

  // `count` numbers from the first of `ids` on, `step` ids apart. No value if one is missing, with its name
  // in `missing`.
  std::optional<Coord> coord(IdRange ids, uint32_t step, uint32_t count, Missing& missing) const {
    Coord result{};
    for (uint32_t n = 0; n < count; ++n) {
      const Value value = valueOf(ids[n * step]);
      if (const auto* number = std::get_if<uint32_t>(&value)) {
        result[n] = *number;
      } else {
        if (const auto* why = std::get_if<Missing>(&value)) missing = *why;
        return std::nullopt;
      }
    }
    return result;
  }

  std::optional<uint32_t> number(Id id, Missing& missing) const {
    const Value value = valueOf(id);
    if (const auto* found = std::get_if<uint32_t>(&value)) return *found;
    if (const auto* why = std::get_if<Missing>(&value)) missing = *why;
    return std::nullopt;
  }

  Value newLayout(const Instruction& i) const {
    Missing missing;
    const auto type = as<op::TypeTensorLayoutNV>(m_, i.type);
    if (!type) return missing;
    const std::optional<uint32_t> dim = number(type.dim(), missing);
    if (!dim) return missing;
    const std::optional<uint32_t> clampMode = number(type.clampMode(), missing);
    if (!clampMode) return missing;
    const auto made = layout::createTensorLayout(*dim, static_cast<layout::ClampMode>(*clampMode));
    return made ? Value(*made) : Value(Missing{described(made.broken()), true});
  }

  Value newView(const Instruction& i) const {
    Missing missing;
    const auto type = as<op::TypeTensorViewNV>(m_, i.type);
    if (!type) return missing;
    const std::optional<uint32_t> dim = number(type.dim(), missing);
    if (!dim) return missing;
    const std::optional<uint32_t> hasDimensions = number(type.hasDimensions(), missing);
    if (!hasDimensions) return missing;
    const std::optional<Coord> permutation =
        coord(type.p(), 1, std::min({*dim, layout::kMaxDim, type.p().size()}), missing);
    if (!permutation) return missing;
    const auto made = layout::createTensorView(*dim, *hasDimensions != 0, *permutation);
    return made ? Value(*made) : Value(Missing{described(made.broken()), true});
  }

  Value changedLayout(const Instruction& i) const {
    const op::TensorOperation operation(m_, i);
    const IdRange operands = operation.operands();
    const Value before = valueOf(operation.tensor());
    const auto* t = std::get_if<TensorLayout>(&before);
    if (t == nullptr) return before;
    Missing missing;
    const bool slice = i.op() == Op::OpTensorLayoutSliceNV;
    const std::optional<Coord> first =
        coord(operands, slice ? 2 : 1, i.op() == Op::OpTensorLayoutSetClampValueNV ? 1 : t->dim, missing);
    const std::optional<Coord> spans = slice ? coord(operands.from(1), 2, t->dim, missing) : first;
    if (!first || !spans) return missing;
    switch (i.op()) {
      case Op::OpTensorLayoutSetBlockSizeNV: return layout::setBlockSize(*t, *first);
      case Op::OpTensorLayoutSetDimensionNV: return layout::setDimension(*t, *first);
      case Op::OpTensorLayoutSetStrideNV: return layout::setStride(*t, *first);
      case Op::OpTensorLayoutSetClampValueNV: return layout::setClampValue(*t, (*first)[0]);
      default: break;
    }
    layout::SignedCoord offset{};
    std::transform(first->begin(), first->end(), offset.begin(),
                   [](uint32_t n) { return static_cast<int32_t>(n); });
    return layout::slice(*t, offset, *spans);
  }

  Value changedView(const Instruction& i) const {
    const op::TensorOperation operation(m_, i);
    const Value before = valueOf(operation.tensor());
    const auto* v = std::get_if<TensorView>(&before);
    if (v == nullptr) return before;
    Missing missing;
    const bool clip = i.op() == Op::OpTensorViewSetClipNV;
    const std::optional<Coord> n = coord(operation.operands(), 1, clip ? 4 : v->dim, missing);
    if (!n) return missing;
    if (clip) return layout::setViewClip(*v, (*n)[0], (*n)[1], (*n)[2], (*n)[3]);
    return i.op() == Op::OpTensorViewSetDimensionNV ? layout::setViewDimension(*v, *n)
                                                    : layout::setViewStride(*v, *n);
  }

  static std::string lacks(const std::string& name) {
    return described(Condition::NoValue, "'" + name + "' has no value; --set " + name + "=N gives it one");
  }
  static std::string why(const Value& value, const char* what) {
    const auto* missing = std::get_if<Missing>(&value);
    if (missing == nullptr)
      return described(Condition::ModuleOperand, std::string("what should be ") + what + " is not");
    return missing->refused ? missing->name : lacks(missing->name);
  }

  // The matrix's component type, rows, columns and use come from its type.
  void matrixOf(Id type, TensorProgram& program) const {
    const auto matrix = as<op::TypeCooperativeMatrixKHR>(m_, type);
    if (!matrix) return;
    Missing missing;
    const std::optional<uint32_t> rows = number(matrix.rows(), missing);
    const std::optional<uint32_t> columns = number(matrix.columns(), missing);
    if (rows && columns) {
      program.rows = *rows;
      program.columns = *columns;
    }
    constexpr layout::Use kUses[] = {layout::Use::A, layout::Use::B, layout::Use::Accumulator};
    const std::optional<uint32_t> use = number(matrix.use(), missing);
    if (use && *use < std::size(kUses)) program.use = kUses[*use];
    if (const auto component = as<op::NumberType>(m_, matrix.componentType()))
      program.componentBytes = component.width() / 8;
  }

  // The size of a scalar or vector to which a pointer points; 0 for anything else.
  uint32_t pointedBytes(Id pointer) const {
    const Id pointee = as<op::TypePointer>(m_, m_.typeOf(pointer)).type();
    const auto vector = as<op::TypeVector>(m_, pointee);
    const auto scalar = as<op::NumberType>(m_, vector ? vector.componentType() : pointee);
    return (vector ? vector.componentCount() : 1) * (scalar.width() / 8);
  }

  std::optional<TensorProgram> access(const Instruction& i, Access kind, std::string& error) const {
    TensorProgram program;
    program.access = kind.load ? layout::Access::Load : layout::Access::Store;
    const Id pointer =
        kind.plain ? op::LoadOrStoreMatrix(m_, i).pointer() : op::LoadOrStoreTensor(m_, i).pointer();
    const Place place = placeOf(pointer);
    if (!place.lacking.empty()) {
      error = lacks(place.lacking);
      return std::nullopt;
    }
    program.elementOffset = place.index.value_or(0);
    program.elementBytes = pointedBytes(pointer);
    // A plain load has no matrix operand, only a matrix as its result.
    const bool result = kind.load && kind.plain;
    matrixOf(result       ? i.type
             : kind.plain ? m_.typeOf(op::CooperativeMatrixStoreKHR(m_, i).object())
                          : m_.typeOf(op::LoadOrStoreTensor(m_, i).object()),
             program);
    const bool done = kind.plain ? plain(i, program, error) : tensor(i, program, error);
    return done ? std::optional(program) : std::nullopt;
  }

  bool tensor(const Instruction& i, TensorProgram& program, std::string& error) const {
    const op::LoadOrStoreTensor access(m_, i);
    const Value t = valueOf(access.tensorLayout());
    if (!std::holds_alternative<TensorLayout>(t)) {
      error = why(t, "a tensor layout");
      return false;
    }
    program.layout = std::get<TensorLayout>(t);
    const Id id = spirv::tensorAddressingOperandsOf(access.words()).view;
    if (!id) return true;
    const Value v = valueOf(id);
    if (!std::holds_alternative<TensorView>(v)) {
      error = why(v, "a tensor view");
      return false;
    }
    program.view = std::get<TensorView>(v);
    return true;
  }

  // Memory layout and stride.
  bool plain(const Instruction& i, TensorProgram& program, std::string& error) const {
    const op::LoadOrStoreMatrix access(m_, i);
    if (!access.hasStride()) {
      error = described(Condition::ModuleOperand, "the load or store has no stride");
      return false;
    }
    const Value order = valueOf(access.memoryLayout());
    const Value stride = valueOf(access.stride());
    for (const Value* value : {&order, &stride}) {
      if (std::holds_alternative<uint32_t>(*value)) continue;
      error = why(*value, value == &order ? "a memory layout" : "a stride");
      return false;
    }
    layout::StridedMatrix& p = program.plain.emplace();
    p.memoryLayout = static_cast<layout::MemoryLayout>(std::get<uint32_t>(order));
    p.offset = static_cast<uint32_t>(program.elementOffset);
    p.stride = std::get<uint32_t>(stride);
    return true;
  }

  const spirv::Module& m_;
  const std::map<std::string, int64_t>& names_;
  spirv::ConstantEvaluator constants_;
  std::map<Id, Value> values_;
  std::map<std::string, Value> stored_;
  std::map<Id, std::string> idNames_;
  std::map<std::pair<Id, uint32_t>, std::string> memberNames_;
};

// Values of specialization constants, by their names or numbers.
std::vector<spirv::SpecializationValue> specializations(const spirv::Module& m,
                                                        const std::map<std::string, int64_t>& names) {
  std::map<Id, std::string> idNames;
  std::vector<spirv::SpecializationValue> given;
  for (const Instruction& i : m.instructions) {
    if (const auto name = as<op::Name>(m, i)) idNames[name.target()] = name.name();
    const auto decorate = as<op::Decorate>(m, i);
    if (!decorate || decorate.decoration() != spv::Decoration::SpecId) continue;
    const uint32_t specId = decorate.parameters()[0];
    for (const std::string& name : {idNames[decorate.target()], std::to_string(specId)}) {
      if (const auto found = names.find(name); found != names.end())
        given.push_back({specId, static_cast<uint32_t>(found->second)});
    }
  }
  return given;
}

bool read(std::string_view bytes, spirv::Module& module, std::string& error) {
  std::vector<uint32_t> words;
  spirv::ReadError wrong;
  if (spirv::wordsFromBytes({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}, words,
                            wrong) &&
      spirv::readModule(words, module, wrong))
    return true;
  error = described(Condition::ModuleForm, "the module cannot be read: " + wrong.message);
  return false;
}

}  // namespace

std::vector<std::string> matrixAccessesOfModule(std::string_view bytes, std::string& error) {
  spirv::Module module;
  std::vector<std::string> names;
  if (!read(bytes, module, error)) return names;
  for (const Instruction& i : module.instructions) {
    if (accessOf(i.op())) names.emplace_back(spirv::opName(static_cast<uint32_t>(i.op())));
  }
  return names;
}

bool isModule(std::string_view bytes) {
  return bytes.starts_with("\x03\x02\x23\x07") || bytes.starts_with("\x07\x23\x02\x03");
}

std::optional<TensorProgram> runTensorModule(std::string_view bytes,
                                             const std::map<std::string, int64_t>& names, std::string& error,
                                             std::optional<uint32_t> which) {
  spirv::Module module;
  if (!read(bytes, module, error)) return std::nullopt;
  const std::vector<spirv::SpecializationValue> given = specializations(module, names);
  return Walk(module, names, given).run(which.value_or(0), error);
}

}  // namespace coopc::cooplayout
