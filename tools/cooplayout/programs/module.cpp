// Converts the machine's values to the arguments of a load or store.
#include "tools/cooplayout/programs/module.hpp"

#include <algorithm>

#include "spirv/grammar.hpp"
#include "spirv/reader.hpp"
#include "spirv/tensors.hpp"
#include "tools/cooplayout/conditions.hpp"
#include "tools/cooplayout/programs/machine.hpp"

namespace coopc::cooplayout {
namespace {

namespace op = spirv::op;
using layout::TensorLayout;
using layout::TensorView;
using spirv::as;
using spirv::Id;
using spirv::Instruction;
using spv::Op;

bool isLoad(Op op) {
  return op == Op::OpCooperativeMatrixLoadTensorNV || op == Op::OpCooperativeMatrixLoadKHR;
}
bool isPlain(Op op) { return op == Op::OpCooperativeMatrixLoadKHR || op == Op::OpCooperativeMatrixStoreKHR; }

struct Listed {
  const Instruction* instruction;
  Id file;
  uint32_t line = 0;
  uint32_t column = 0;
};

// The loads and stores, counted as the program counts them.
std::vector<Listed> listAccesses(const ModuleProgram& program) {
  std::vector<Listed> accesses;
  Listed at{};
  for (const Instruction& i : program.module.instructions) {
    if (const auto line = as<op::Line>(program.module, i))
      at = {nullptr, line.file(), line.line(), line.column()};
    if (isMatrixAccess(i.op())) accesses.push_back({&i, at.file, at.line, at.column});
  }
  if (program.fromText) {
    std::stable_sort(accesses.begin(), accesses.end(), [](const Listed& a, const Listed& b) {
      return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
  }
  return accesses;
}

// Values of specialization constants, by their names or numbers.
std::vector<spirv::SpecializationValue> specializations(const ModuleProgram& program) {
  const spirv::Module& m = program.module;
  std::map<Id, std::string> idNames;
  std::vector<spirv::SpecializationValue> given;
  for (const Instruction& i : m.instructions) {
    if (const auto name = as<op::Name>(m, i)) idNames[name.target()] = name.name();
    const auto decorate = as<op::Decorate>(m, i);
    if (!decorate || decorate.decoration() != spv::Decoration::SpecId) continue;
    const uint32_t specId = decorate.parameters()[0];
    for (const std::string& name : {idNames[decorate.target()], std::to_string(specId)}) {
      if (const auto found = program.values.find(name); found != program.values.end())
        given.push_back({specId, static_cast<uint32_t>(found->second)});
    }
  }
  return given;
}

// Reads the operands of one load or store.
class AccessReader {
 public:
  AccessReader(const ModuleProgram& program, const Values& values)
      : program_(program), m_(program.module), values_(values) {}

  std::optional<TensorProgram> read(const Instruction& i, std::string& error) const {
    if (const spirv::TensorAccess access = spirv::tensorAccessOf(m_.wordsOf(i)))
      return elements(i, access, error);
    TensorProgram result;
    const bool plainAccess = isPlain(i.op());
    result.access = isLoad(i.op()) ? layout::Access::Load : layout::Access::Store;
    const Id pointer =
        plainAccess ? op::LoadOrStoreMatrix(m_, i).pointer() : op::LoadOrStoreTensor(m_, i).pointer();
    const Place place = values_.placeOf(pointer);
    if (!place.lacking.empty() && !assume("element offset = 0", place.lacking, result)) {
      error = lacks(place.lacking);
      return std::nullopt;
    }
    result.elementOffset = place.index.value_or(0);
    if (result.elementOffset > INT32_MAX) {
      error = describe(Condition::ElementOffset, "the element offset is negative");
      return std::nullopt;
    }
    result.elementBytes = place.name.starts_with(kAnyMemory) ? 0 : pointedBytes(pointer);
    // A plain load has no operand with a matrix; the matrix is its result.
    const bool isResult = plainAccess && isLoad(i.op());
    const Id type = isResult      ? i.type
                    : plainAccess ? m_.typeOf(op::CooperativeMatrixStoreKHR(m_, i).object())
                                  : m_.typeOf(op::LoadOrStoreTensor(m_, i).object());
    const bool done =
        matrix(type, result, error) && (plainAccess ? plain(i, result, error) : tensor(i, result, error));
    return done ? std::optional(result) : std::nullopt;
  }

  // The matrix's component type, rows, columns and use come from its type.
  bool matrix(Id type, TensorProgram& result, std::string& error) const {
    const auto matrix = as<op::TypeCooperativeMatrixKHR>(m_, type);
    if (!matrix) return true;
    Missing missing;
    const std::optional<uint32_t> rows = values_.number(matrix.rows(), missing);
    if (!rows && missing.name == kAnyRows) return true;
    const std::optional<uint32_t> columns = values_.number(matrix.columns(), missing);
    if (!rows || !columns) {
      error = lacks(missing.name);
      return false;
    }
    result.rows = *rows;
    result.columns = *columns;
    constexpr layout::Use kUses[] = {layout::Use::A, layout::Use::B, layout::Use::Accumulator};
    const std::optional<uint32_t> use = values_.number(matrix.use(), missing);
    if (use && *use < std::size(kUses)) result.use = kUses[*use];
    if (const auto component = as<op::NumberType>(m_, matrix.componentType()))
      result.componentBytes = component.width() / 8;
    return true;
  }

  // Whether a missing value may be assumed. `result` then says what was assumed.
  bool assume(const std::string& what, const std::string& lacking, TensorProgram& result) const {
    if (program_.assume) result.assumed.push_back(what + " (" + lacking + ")");
    return program_.assume;
  }

  // Stores a value that must be a T; an operand that is not there is skipped. False, with `error`, if the
  // value is unknown or something else.
  template <class T>
  bool keep(const std::optional<Value>& value, const char* what, std::optional<T>& to, TensorProgram& result,
            std::string& error) const {
    if (!value) return true;
    const auto* known = std::get_if<Described<T>>(&*value);
    if (known == nullptr) {
      error = why(*value, what);
      return false;
    }
    to = *known;
    result.assumed.insert(result.assumed.end(), known->assumed.begin(), known->assumed.end());
    return true;
  }

 private:
  std::string lacks(const std::string& name) const {
    const auto place = program_.places.find(name);
    return (place == program_.places.end() ? "" : place->second + ": ") +
           describe(Condition::NoValue, "'" + name + "' has no value; --set " + name + "=N gives it one");
  }
  std::string why(const Value& value, const char* what) const {
    const auto* missing = std::get_if<Missing>(&value);
    if (missing == nullptr)
      return describe(Condition::ModuleOperand, std::string("what should be ") + what + " is not");
    return missing->refused ? missing->name : lacks(missing->name);
  }

  // Whether a missing value that is not a number may be assumed.
  bool mayAssume(const std::string& what, const Value& value, TensorProgram& result) const {
    const auto* missing = std::get_if<Missing>(&value);
    return missing != nullptr && !missing->refused && assume(what, missing->name, result);
  }

  // The size of the scalar or vector that a pointer points to; 0 for anything else.
  uint32_t pointedBytes(Id pointer) const {
    const Id pointee = as<op::TypePointer>(m_, m_.typeOf(pointer)).type();
    const auto vector = as<op::TypeVector>(m_, pointee);
    const auto scalar = as<op::NumberType>(m_, vector ? vector.componentType() : pointee);
    return (vector ? vector.componentCount() : 1) * (scalar.width() / 8);
  }

  bool tensor(const Instruction& i, TensorProgram& result, std::string& error) const {
    const op::LoadOrStoreTensor access(m_, i);
    if (!keep<TensorLayout>(values_.valueOf(access.tensorLayout()), "a tensor layout", result.layout, result,
                            error))
      return false;
    const Id id = spirv::tensorAddressingOperandsOf(access.words()).view;
    return !id || keep<TensorView>(values_.valueOf(id), "a tensor view", result.view, result, error);
  }

  // Elements of a tensor of GL_ARM_tensors: a row along its last dimension, starting at the coordinates.
  // Sizes come from --set ("A.0" is the outermost) or from the tensor's type. Strides are in bytes and come
  // from --set ("A.stride.0"); without it the tensor is packed.
  std::optional<TensorProgram> elements(const Instruction& i, const spirv::TensorAccess& access,
                                        std::string& error) const {
    const Instruction* type = m_.def(m_.typeOf(access.tensor));
    const spirv::ArmTensorType shape =
        type != nullptr ? spirv::armTensorTypeOf(m_.wordsOf(*type)) : spirv::ArmTensorType();
    const Value tensor = values_.valueOf(access.tensor);
    const auto* name = std::get_if<Missing>(&tensor);
    Missing missing;
    const std::optional<uint32_t> rank = values_.number(shape.rank, missing);
    if (name == nullptr || !rank || *rank < 1 || *rank > layout::kMaxDim) {
      error = describe(
          Condition::TensorRank,
          "the tensor has " + (rank ? std::to_string(*rank) : std::string("no number of")) + " dimensions");
      return std::nullopt;
    }
    TensorProgram result;
    result.tensor = name->name;
    result.access = i.result ? layout::Access::Load : layout::Access::Store;
    const Id data = i.result ? i.type : m_.typeOf(access.object);
    const auto array = as<op::TypeArray>(m_, data);
    result.rows = 1;
    result.columns = array ? values_.number(array.length(), missing).value_or(1) : 1;
    // A boolean takes a byte.
    result.componentBytes = std::max(1u, as<op::NumberType>(m_, shape.element).width() / 8);
    result.elementBytes = result.componentBytes;
    const bool outside = access.has(spirv::enums::TensorOperandsOutOfBoundsValueARM);
    layout::TensorLayout t = *layout::createTensorLayout(
        *rank, outside || !i.result ? layout::ClampMode::Constant : layout::ClampMode::Undefined);
    if (outside) t = layout::setClampValue(t, values_.number(access.outOfBoundsValue, missing).value_or(0));
    const std::optional<TensorLayout> whole = describeTensor(t, *name, shape, result, error);
    if (!whole) return std::nullopt;
    const Value at = values_.valueOf(access.coordinates);
    const auto* coordinates = std::get_if<Parts>(&at);
    layout::SignedCoord start{};
    layout::Coord span{1, 1, 1, 1, 1};
    span[*rank - 1] = result.columns;
    for (uint32_t n = 0; n < *rank; ++n) {
      const Value& coordinate = coordinates != nullptr && n < coordinates->size() ? (*coordinates)[n] : at;
      const auto* number = std::get_if<uint64_t>(&coordinate);
      if (number == nullptr && !mayAssume("coordinate " + std::to_string(n) + " = 0", coordinate, result)) {
        error = why(coordinate, "a coordinate");
        return std::nullopt;
      }
      start[n] = number != nullptr ? static_cast<int32_t>(*number) : 0;
    }
    result.layout = layout::slice(*whole, start, span);
    return result;
  }

  // The layout with the sizes and strides of a tensor's description.
  std::optional<TensorLayout> describeTensor(TensorLayout t, const Missing& name,
                                             const spirv::ArmTensorType& shape, TensorProgram& result,
                                             std::string& error) const {
    const uint32_t bytes = std::max(1u, as<op::NumberType>(m_, shape.element).width() / 8);
    const Value shapeValue = values_.valueOf(shape.shape);
    const auto* sizes = std::get_if<Parts>(&shapeValue);
    layout::Coord dimensions{};
    for (uint32_t n = 0; n < t.dim; ++n) {
      const std::string size = name.name + "." + std::to_string(n);
      const auto* inType =
          sizes != nullptr && n < sizes->size() ? std::get_if<uint64_t>(&(*sizes)[n]) : nullptr;
      const std::optional<int64_t> given = values_.given(size);
      if (given || inType != nullptr) {
        dimensions[n] = static_cast<uint32_t>(given ? *given : static_cast<int64_t>(*inType));
        continue;
      }
      dimensions[n] = kAssumedDimension;
      if (!assume("dimension " + std::to_string(n) + " = " + std::to_string(kAssumedDimension), size,
                  result)) {
        error = lacks(size);
        return std::nullopt;
      }
    }
    t = layout::setDimension(t, dimensions);
    layout::Coord strides = t.stride;
    for (uint32_t n = 0; n < t.dim; ++n) {
      const std::optional<int64_t> given = values_.given(name.name + ".stride." + std::to_string(n));
      if (!given) continue;
      if (*given < 0 || *given % bytes != 0) {
        error = describe(Condition::TensorStride, "a stride of " + std::to_string(*given) +
                                                      " bytes is not a multiple of the element's " +
                                                      std::to_string(bytes));
        return std::nullopt;
      }
      strides[n] = static_cast<uint32_t>(*given / bytes);
    }
    return layout::setStride(t, strides);
  }

  // Reads the memory layout and the stride.
  bool plain(const Instruction& i, TensorProgram& result, std::string& error) const {
    const op::LoadOrStoreMatrix access(m_, i);
    if (!access.hasStride()) {
      error = describe(Condition::ModuleOperand, "the load or store has no stride");
      return false;
    }
    const Value order = values_.valueOf(access.memoryLayout());
    const auto* known = std::get_if<uint64_t>(&order);
    if (known == nullptr && !mayAssume("memory layout = row-major", order, result)) {
      error = why(order, "a memory layout");
      return false;
    }
    layout::StridedMatrix& p = result.plain.emplace();
    p.memoryLayout =
        known != nullptr ? static_cast<layout::MemoryLayout>(*known) : layout::MemoryLayout::RowMajor;
    p.offset = static_cast<uint32_t>(result.elementOffset);
    const Value stride = values_.valueOf(access.stride());
    if (const auto* number = std::get_if<uint64_t>(&stride)) {
      p.stride = static_cast<uint32_t>(*number);
      return true;
    }
    // The default: consecutive lines.
    const uint32_t line = p.memoryLayout == layout::MemoryLayout::RowMajor ? result.columns : result.rows;
    p.stride = result.elementBytes == 0 ? line : line * result.componentBytes / result.elementBytes;
    if (mayAssume("stride = " + std::to_string(p.stride), stride, result)) return true;
    error = why(stride, "a stride");
    return false;
  }

  const ModuleProgram& program_;
  const spirv::Module& m_;
  const Values& values_;
};

const char* glslName(Op op) {
  switch (op) {
    case spirv::enums::OpTensorReadARM: return "tensorReadARM";
    case spirv::enums::OpTensorWriteARM: return "tensorWriteARM";
    case Op::OpCooperativeMatrixLoadTensorNV: return "coopMatLoadTensorNV";
    case Op::OpCooperativeMatrixStoreTensorNV: return "coopMatStoreTensorNV";
    case Op::OpCooperativeMatrixLoadKHR: return "coopMatLoad";
    default: return "coopMatStore";
  }
}

}  // namespace

bool isModule(std::string_view bytes) {
  return bytes.starts_with("\x03\x02\x23\x07") || bytes.starts_with("\x07\x23\x02\x03");
}

std::optional<spirv::Module> readModule(std::string_view bytes, std::string& error) {
  spirv::ReadError wrong;
  const auto words =
      spirv::wordsFromBytes({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()}, wrong);
  if (words) {
    if (std::optional<spirv::Module> module = spirv::readModule(*words, wrong)) return module;
  }
  error = describe(Condition::ModuleForm, "the module cannot be read: " + wrong.message);
  return std::nullopt;
}

std::vector<AccessName> namesOfAccesses(const ModuleProgram& program) {
  std::vector<AccessName> names;
  for (const Listed& access : listAccesses(program)) {
    const Op op = access.instruction->op();
    names.push_back(program.fromText ? glslName(op) + (", line " + std::to_string(access.line))
                                     : std::string(spirv::opName(static_cast<uint32_t>(op))));
  }
  return names;
}

std::optional<uint32_t> accessAt(const spirv::Module& module, std::string_view file, uint32_t line,
                                 uint32_t column) {
  const std::map<std::string, int64_t> none;
  const std::vector<Listed> accesses = listAccesses({module, none});
  std::optional<uint32_t> found;
  for (uint32_t n = 0; n < accesses.size(); ++n) {
    const Listed& access = accesses[n];
    const Instruction* name = module.def(access.file);
    if (access.line != line || name == nullptr || op::String(module, *name).string() != file) continue;
    const bool before = access.column <= column;
    const bool better = !found || (before && accesses[*found].column <= access.column);
    if (better) found = n;
  }
  return found;
}

std::optional<TensorProgram> readAccess(const ModuleProgram& program, uint32_t which, std::string& error) {
  const std::vector<Listed> accesses = listAccesses(program);
  if (which >= accesses.size()) {
    error = describe(Condition::WhichLoad,
                     "there are " + std::to_string(accesses.size()) + " loads and stores of matrices" +
                         (program.fromText ? "" : " in the module") + "; --load counts them from 0");
    return std::nullopt;
  }
  const std::vector<spirv::SpecializationValue> given = specializations(program);
  Machine machine(program.module, program.values, given, program.fromText ? kFirstUnknown : UINT32_MAX);
  if (program.assume) machine.assume();
  const AccessReader reader(program, machine.values());
  std::optional<TensorProgram> result;
  bool found = false;
  const Machine::Visit visit = [&](const Instruction& i) {
    if (&i != accesses[which].instruction) return true;
    found = true;
    result = reader.read(i, error);
    return false;
  };
  for (const Branches branches : {Branches::Taken, Branches::All}) {
    if (!found) machine.run(branches, visit);
  }
  if (!found)
    error = describe(Condition::WhichLoad, "load or store " + std::to_string(which) + " is never executed");
  return result;
}

std::optional<TensorProgram> readLayout(const ModuleProgram& program, std::string& error) {
  const std::vector<spirv::SpecializationValue> given = specializations(program);
  Machine machine(program.module, program.values, given, program.fromText ? kFirstUnknown : UINT32_MAX);
  if (program.assume) machine.assume();
  machine.run(Branches::Taken, [](const Instruction&) { return true; });
  TensorProgram result;
  const AccessReader reader(program, machine.values());
  if (!reader.keep<TensorLayout>(machine.lastLayout(), "a tensor layout", result.layout, result, error) ||
      !reader.keep<TensorView>(machine.lastView(), "a tensor view", result.view, result, error) ||
      !reader.matrix(machine.lastMatrix(), result, error))
    return std::nullopt;
  return result;
}

}  // namespace coopc::cooplayout
