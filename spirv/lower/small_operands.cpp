// Uses native matrices of 16-bit floats for operands of 8-bit floats, on devices that multiply only the
// former. 16-bit floats represent all 8-bit floats exactly, so products do not change. There are two steps,
// with tensor addressing between them:
//
//   %a = OpCooperativeMatrixLoadKHR %A8 %pointer %rowMajor %stride
//   %a = OpCooperativeMatrixLoadTensorNV %A8 %pointer %undef %layout None None         ; loadSmallByTensors()
//   %a = OpCooperativeMatrixPerElementOpNV %A8 %undef %loadTensor ...                  ;
//                                                                                      tensor_addressing.cpp
//   %a = OpCooperativeMatrixPerElementOpNV %A16 %undef %asHalf ...                     ;
//                                                                                      smallOperandsAsHalves()
//
// where %asHalf converts the result of %loadTensor. This only handles operands that are loaded, moved and
// multiplied. Other uses are refused, and their matrices become plain code.
#include <algorithm>
#include <string>
#include <vector>

#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/tensor_addressing/as_tensor.hpp"
#include "spirv/replacements.hpp"

namespace coopc::spirv::lower {
namespace {

bool isFloat8(const Module& m, Id type) {
  const auto encoding = as<op::TypeFloat>(m, type).floatingPointEncoding();
  return encoding == enums::FPEncodingFloat8E4M3EXT || encoding == enums::FPEncodingFloat8E5M2EXT;
}

class SmallMatrices {
 public:
  SmallMatrices(Module& module, Report& report) : m_(module), report_(report), code_(module) {
    for (const MatrixType& t : matrixTypes(module, report)) {
      if (t.number != NumberType::E4M3 && t.number != NumberType::E5M2) continue;
      if (t.use == spv::CooperativeMatrixUse::MatrixAccumulatorKHR)
        refuse("there are accumulators of 8-bit floats");
      types_.push_back(t);
    }
  }

  void loadByTensors() {
    if (report_.isRefused()) return;
    code_.writer.rewrite([&](const Instruction& i) {
      return !report_.isRefused() && i.op() == spv::Op::OpCooperativeMatrixLoadKHR && loadByTensor(i);
    });
    if (report_.isRefused()) return;
    code_.finish();
  }

  void asHalves() {
    if (!report_.isRefused()) checkUses();
    if (report_.isRefused()) return;
    code_.writer.rewrite([&](const Instruction& i) {
      return i.op() == spv::Op::OpCooperativeMatrixPerElementOpNV && matrix(i.type) != nullptr &&
             elementsAsHalves(i);
    });
    if (!report_.isRefused()) replaceTypes();
  }

 private:
  void refuse(std::string why) { report_.refuse(Refusal::Unsupported, std::move(why)); }

  const MatrixType* matrix(Id type) const {
    const auto found =
        std::find_if(types_.begin(), types_.end(), [&](const MatrixType& t) { return t.type == type; });
    return found == types_.end() ? nullptr : &*found;
  }

  // --- Loads
  bool loadByTensor(const Instruction& i) {
    const MatrixType* t = matrix(i.type);
    if (t == nullptr) return false;
    if (tensor::writeAsTensor(code_, i, *t)) return true;
    refuse(
        "8-bit floats are loaded neither by rows nor by columns, from memory that does not hold numbers, or "
        "from "
        "an array with gaps");
    return false;
  }

  // --- Uses
  void checkUses() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (matrix(i.type) != nullptr && i.op() != spv::Op::OpUndef && i.op() != spv::Op::OpConstantNull)
        return refuse("there are constant matrices of 8-bit floats");
    }
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size() && !report_.isRefused(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (movesValues(i.op()) || i.op() == spv::Op::OpCooperativeMatrixPerElementOpNV) continue;
      bool wrong = matrix(i.type) != nullptr || pointsToComponent(i) || movesComponent(i);
      if (i.op() != spv::Op::OpCooperativeMatrixMulAddKHR) {
        const Module& view = m_;
        view.forEachUse(i, [&](Id id) { wrong = wrong || matrix(m_.typeOf(id)) != nullptr; });
      }
      if (wrong) refuse(std::string(opName(i.opcode)) + " with a matrix of 8-bit floats");
    }
  }

  // Whether an instruction makes a pointer to a component of a matrix in a variable. Variables have 8-bit
  // floats only in matrices here.
  bool pointsToComponent(const Instruction& i) const {
    if (i.op() != spv::Op::OpAccessChain && i.op() != spv::Op::OpInBoundsAccessChain) return false;
    const auto pointer = as<op::TypePointer>(m_, i.type);
    if (!pointer) return false;
    const spv::StorageClass storage = pointer.storageClass();
    return (storage == spv::StorageClass::Function || storage == spv::StorageClass::Private) &&
           isFloat8(m_, pointer.type());
  }

  // Whether an instruction extracts or inserts a component, possibly of a matrix that is inside the value.
  // Vectors do not contain matrices.
  bool movesComponent(const Instruction& i) const {
    Id component, whole;
    if (const auto extract = as<op::CompositeExtract>(m_, i)) {
      component = i.type;
      whole = m_.typeOf(extract.composite());
    } else if (const auto insert = as<op::CompositeInsert>(m_, i)) {
      component = m_.typeOf(insert.object());
      whole = m_.typeOf(insert.composite());
    } else {
      return false;
    }
    return isFloat8(m_, component) && m_.opOf(whole) != spv::Op::OpTypeVector;
  }

  // --- Functions of elements
  Id half() { return code_.globals.type<op::TypeFloat>({.width = 16}); }

  bool elementsAsHalves(const Instruction& i) {
    const op::CooperativeMatrixPerElementOpNV call(m_, i);
    const Id function = halfFunction(call.func(), call.operands().size());
    if (!function) {
      refuse("a per-element operation on a matrix of 8-bit floats that is not a load");
      return false;
    }
    for (const Id extra : call.operands()) {
      if (m_.opOf(m_.typeOf(extra)) == spv::Op::OpTypeCooperativeMatrixKHR)
        refuse("a per-element operation on several matrices, one of 8-bit floats");
    }
    const std::vector<Id> extras(call.operands().begin(), call.operands().end());
    code_.makeAs<op::CooperativeMatrixPerElementOpNV>(
        i.type, i.result, {.matrix = code_.globals.undef(i.type), .func = function, .operands = extras});
    return true;
  }

  // From T f(row, column, element, ...) makes half g(row, column, half, ...) if f ignores the element;
  // otherwise none.
  Id halfFunction(Id function, uint32_t extras) {
    for (const auto& [known, made] : functions_) {
      if (known == function) return made;
    }
    const Instruction* f = m_.def(function);
    const auto type = as<op::TypeFunction>(m_, as<op::Function>(m_, f).functionType());
    const IdRange own = type.parameterTypes();
    if (!type || own.size() != 3 + extras || !isFloat8(m_, f->type) || readsElement(function)) return {};
    const Id from = f->type, to = half();
    std::vector<Id> parameters;
    for (uint32_t k = 0; k < own.size(); ++k) parameters.push_back(k == 2 ? to : own[k]);
    const Id made = code_.writer.addFunction(to, parameters, [&](const std::vector<Id>& p) {
      std::vector<Id> arguments = p;
      arguments[2] = code_.globals.undef(from);
      const Id small = code_.make<op::FunctionCall>(from, {.function = function, .arguments = arguments});
      const Id value = code_.make<op::FConvert>(to, {small});
      code_.make<op::ReturnValue>({value});
    });
    functions_.push_back({function, made});
    return made;
  }

  bool readsElement(Id function) const {
    uint32_t n = m_.definitions[function.index()] + 1, parameter = 0;
    Id element;
    bool reads = false;
    for (; n < m_.instructions.size() && m_.instructions[n].op() != spv::Op::OpFunctionEnd; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpFunctionParameter && parameter++ == 2) element = i.result;
      m_.forEachUse(i, [&](Id id) { reads = reads || (element && id == element); });
    }
    return reads;
  }

  // --- Types
  void replaceTypes() {
    std::vector<std::pair<Id, Id>> replaced;
    for (const MatrixType& t : types_) {
      const op::TypeCooperativeMatrixKHR i(m_, *m_.def(t.type));
      const Id scope = i.scope(), rows = i.rows(), columns = i.columns(), use = i.use();
      const Id component = half();
      replaced.push_back(
          {t.type,
           code_.globals.type<op::TypeCooperativeMatrixKHR>(
               {.componentType = component, .scope = scope, .rows = rows, .columns = columns, .use = use})});
      report_.rewrites.push_back(
          {std::to_string(t.rows) + "x" + std::to_string(t.columns) + " operands of 8-bit floats",
           "operands of 16-bit floats, which hold them exactly"});
    }
    code_.preamble.capability(spv::Capability::Float16);
    code_.finish();
    Replacements by;
    by.reset(m_.bound);
    for (const auto& [from, to] : replaced) by.replace(from, to);
    by.apply(m_);
    for (Instruction& i : m_.instructions) {
      if (i.type) i.type = op::Value(m_, i).resultType();
      const auto declaration = as<op::Capability>(m_, i);
      const bool gone =
          declaration && declaration.capability() == enums::CapabilityFloat8CooperativeMatrixEXT;
      if (gone) i.opcode = uint16_t(spv::Op::OpNop);
    }
    for (const auto& [from, to] : replaced)
      m_.instructions[m_.definitions[from.index()]].opcode = uint16_t(spv::Op::OpNop);
    m_.compact();
    // The new types must precede the types that are now made of them.
    orderGlobals(m_);
  }

  Module& m_;
  Report& report_;
  Code code_;
  std::vector<MatrixType> types_;
  std::vector<std::pair<Id, Id>> functions_;  // pairs: the function of 8-bit elements, that of halves
};

}  // namespace

void loadSmallByTensors(Module& module, Report& report) { SmallMatrices(module, report).loadByTensors(); }

void smallOperandsAsHalves(Module& module, Report& report) { SmallMatrices(module, report).asHalves(); }

}  // namespace coopc::spirv::lower
