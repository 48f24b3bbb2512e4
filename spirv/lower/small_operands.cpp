// Uses native matrices of 16-bit floats for operands of 8-bit floats, on devices that multiply only the
// former. 16-bit floats represent all 8-bit floats exactly, so products do not change. There are two steps,
// with tensor addressing between them:
//
//   %a = OpCooperativeMatrixLoadKHR %A8 %pointer %rowMajor %stride
//   %a = OpCooperativeMatrixLoadTensorNV %A8 %pointer %undef %layout None None   ; loadSmallByTensors()
//   %a = OpCooperativeMatrixPerElementOpNV %A8 %undef %loadTensor ...            ; lowerTensorAddressing()
//   %a = OpCooperativeMatrixPerElementOpNV %A16 %undef %asHalf ...               ; smallOperandsAsHalves()
//
// where %asHalf converts the result of %loadTensor. This only handles operands that are loaded, moved and
// multiplied. obstacleToHalfOperands() finds other uses before either step; their matrices become plain code.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "spirv/composites.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/tensor_addressing/as_tensor.hpp"
#include "spirv/lower/tensor_addressing/pointer.hpp"
#include "spirv/replacements.hpp"

namespace coopc::spirv::lower {
namespace {

bool isFloat8(const Module& m, Id type) {
  const auto encoding = as<op::TypeFloat>(m, type).floatingPointEncoding();
  return encoding == enums::FPEncodingFloat8E4M3EXT || encoding == enums::FPEncodingFloat8E5M2EXT;
}

using Obstacle = std::optional<std::string>;

constexpr const char* kNotALoad = "a per-element operation on a matrix of 8-bit floats that is not a load";

// The module's matrices of 8-bit floats, and the first use other than loading, moving or multiplying them.
class SmallMatrices {
 public:
  SmallMatrices(const Module& module, Report& report) : m_(module) {
    for (const MatrixType& t : matrixTypes(module, report)) {
      if (t.number == NumberType::E4M3 || t.number == NumberType::E5M2) types_.push_back(t);
    }
  }

  const std::vector<MatrixType>& types() const { return types_; }
  const MatrixType* find(Id type) const {
    const auto found =
        std::find_if(types_.begin(), types_.end(), [&](const MatrixType& t) { return t.type == type; });
    return found == types_.end() ? nullptr : &*found;
  }
  const MatrixType* typeOf(Id value) const { return find(m_.typeOf(value)); }

  Obstacle inTypes() const {
    for (const MatrixType& t : types_) {
      if (t.use == spv::CooperativeMatrixUse::MatrixAccumulatorKHR)
        return "there are accumulators of 8-bit floats";
    }
    return std::nullopt;
  }

  Obstacle inUses() const {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (find(i.type) != nullptr && i.op() != spv::Op::OpUndef && i.op() != spv::Op::OpConstantNull)
        return "there are constant matrices of 8-bit floats";
    }
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      if (isOddUse(i)) return std::string(opName(i.opcode)) + " with a matrix of 8-bit floats";
    }
    return std::nullopt;
  }

  // The operation becomes one on halves if its function ignores the element.
  Obstacle inPerElement(const op::CooperativeMatrixPerElementOpNV& call) const {
    const Instruction* f = m_.def(call.func());
    const auto type = as<op::TypeFunction>(m_, as<op::Function>(m_, f).functionType());
    if (!type || type.parameterTypes().size() != 3 + call.operands().size() || !isFloat8(m_, f->type) ||
        readsElement(call.func()))
      return kNotALoad;
    for (const Id extra : call.operands()) {
      if (m_.opOf(m_.typeOf(extra)) == spv::Op::OpTypeCooperativeMatrixKHR)
        return "a per-element operation on several matrices, one of 8-bit floats";
    }
    return std::nullopt;
  }

 private:
  // Whether an instruction does anything other than load, move, store in variables or multiply matrices.
  // Tensor accesses become per-element operations, which inPerElement() judges.
  bool isOddUse(const Instruction& i) const {
    switch (i.op()) {
      case spv::Op::OpCooperativeMatrixPerElementOpNV:
      case spv::Op::OpCooperativeMatrixLoadKHR:
      case spv::Op::OpCooperativeMatrixLoadTensorNV:
      case spv::Op::OpCooperativeMatrixStoreTensorNV: return false;
      default: break;
    }
    if (movesValues(i.op())) return false;
    if (find(i.type) != nullptr && !takesWholeMatrix(i)) return true;
    if (pointsToComponent(i) || movesComponent(i)) return true;
    if (i.op() == spv::Op::OpCooperativeMatrixMulAddKHR || putsWholeMatrices(i)) return false;
    bool uses = false;
    m_.forEachUse(i, [&](Id id) { uses = uses || typeOf(id) != nullptr; });
    return uses;
  }

  // Structures and arrays of matrices may be taken apart and put together.
  static bool takesWholeMatrix(const Instruction& i) { return i.op() == spv::Op::OpCompositeExtract; }
  bool putsWholeMatrices(const Instruction& i) const {
    return (i.op() == spv::Op::OpCompositeConstruct || i.op() == spv::Op::OpCompositeInsert) &&
           find(i.type) == nullptr;
  }

  // Whether an index into a value of the type is one into a matrix inside it.
  template <typename Indexes, typename Known>
  bool entersMatrix(Id type, const Indexes& indexes, const Known& known) const {
    for (uint32_t k = 0; k < indexes.size() && type; ++k) {
      if (find(type) != nullptr) return true;
      type = partType(m_, m_.def(type), known(indexes[k]));
    }
    return false;
  }

  // Whether an instruction makes a pointer to a component of a matrix in a variable.
  bool pointsToComponent(const Instruction& i) const {
    if (i.op() != spv::Op::OpAccessChain && i.op() != spv::Op::OpInBoundsAccessChain) return false;
    const op::AnyAccessChain chain(m_, i);
    const auto pointer = as<op::TypePointer>(m_, m_.typeOf(chain.base()));
    const auto known = [&](Id index) -> std::optional<uint32_t> {
      const auto constant = as<op::Constant>(m_, index);
      if (!constant) return std::nullopt;
      return constant.value();
    };
    return pointer && entersMatrix(pointer.type(), chain.indexes(), known);
  }

  // Whether an instruction extracts or inserts a component of a matrix, possibly one inside the value.
  bool movesComponent(const Instruction& i) const {
    const auto known = [](uint32_t index) -> std::optional<uint32_t> { return index; };
    if (const auto extract = as<op::CompositeExtract>(m_, i))
      return entersMatrix(m_.typeOf(extract.composite()), extract.indexes(), known);
    if (const auto insert = as<op::CompositeInsert>(m_, i))
      return entersMatrix(m_.typeOf(insert.composite()), insert.indexes(), known);
    return false;
  }

  bool readsElement(Id function) const {
    const auto [known, fresh] = reads_.try_emplace(function.index(), false);
    if (fresh) known->second = findElementUse(function);
    return known->second;
  }

  bool findElementUse(Id function) const {
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

  const Module& m_;
  std::vector<MatrixType> types_;
  mutable std::unordered_map<uint32_t, bool> reads_;  // by function, computed on demand
};

// Where views of a module clip.
class ViewClips {
 public:
  explicit ViewClips(const Code& code) : m_(code.module()), code_(code) {}

  // Whether a view may clip a matrix. Elements outside the clip region keep their values, so the function
  // that loads one reads the element. Lowering follows a view through the instructions that make it, as here.
  bool mayClip(Id view, const MatrixType& t) {
    const Region region = regionOf(view);
    if (!region.clip) return !region.isWhole;
    const auto isWhole = [&](Id offset, Id span, uint32_t count) {
      const std::optional<uint32_t> length = code_.globals.constantValue(span);
      return code_.globals.constantValue(offset) == 0u && length && *length >= count;
    };
    const op::TensorViewSetClipNV clip(m_, *region.clip);
    return !isWhole(clip.clipRowOffset(), clip.clipRowSpan(), t.rows) ||
           !isWhole(clip.clipColOffset(), clip.clipColSpan(), t.columns);
  }

 private:
  struct Region {
    bool isWhole = false;               // the view was made without a clip region
    const Instruction* clip = nullptr;  // the instruction that sets it; nullptr: none, or not known
  };

  Region regionOf(Id view) {
    std::vector<uint32_t> made;  // by the instructions from the view to the one that decides
    Region region;
    for (;;) {
      const auto known = regions_.find(view.index());
      if (known != regions_.end()) {
        region = known->second;
        break;
      }
      made.push_back(view.index());
      const Instruction* i = m_.def(view);
      if (const auto dimension = as<op::TensorViewSetDimensionNV>(m_, i)) {
        view = dimension.tensorView();
      } else if (const auto stride = as<op::TensorViewSetStrideNV>(m_, i)) {
        view = stride.tensorView();
      } else {
        region = {m_.opOf(view) == spv::Op::OpCreateTensorViewNV,
                  m_.opOf(view) == spv::Op::OpTensorViewSetClipNV ? i : nullptr};
        break;
      }
    }
    for (const uint32_t id : made) regions_[id] = region;
    return region;
  }

  const Module& m_;
  const Code& code_;
  std::unordered_map<uint32_t, Region> regions_;  // by view, computed on demand
};

class HalfOperands {
 public:
  HalfOperands(Module& module, Report& report)
      : m_(module), report_(report), small_(module, report), code_(module) {
    refuseFor(small_.inTypes());
  }

  void loadByTensors() {
    if (report_.isRefused()) return;
    code_.writer.rewrite([&](const Instruction& i) {
      return !report_.isRefused() && i.op() == spv::Op::OpCooperativeMatrixLoadKHR && loadByTensor(i);
    });
    if (report_.isRefused()) return;
    code_.finish();
  }

  // Checks in the order in which the passes would find the obstacles.
  Obstacle findObstacle() {
    if (report_.isRefused()) return report_.reason;
    if (Obstacle why = inLoads()) return why;
    if (Obstacle why = small_.inUses()) return why;
    return inElements();
  }

  void replaceOperands() {
    if (!report_.isRefused()) refuseFor(small_.inUses());
    if (report_.isRefused()) return;
    code_.writer.rewrite([&](const Instruction& i) {
      return !report_.isRefused() && i.op() == spv::Op::OpCooperativeMatrixPerElementOpNV &&
             small_.find(i.type) != nullptr && elementsAsHalves(i);
    });
    if (!report_.isRefused()) replaceTypes();
  }

 private:
  void refuseFor(const Obstacle& why) {
    if (why) report_.refuse(Refusal::Unsupported, *why);
  }

  // --- Loads
  Obstacle fitTensor(const Instruction& i) const {
    if (tensor::fitsTensor(code_, i, *small_.find(i.type))) return std::nullopt;
    return "8-bit floats are loaded neither by rows nor by columns, from memory that does not hold numbers, "
           "or from an array with gaps";
  }

  bool loadByTensor(const Instruction& i) {
    const MatrixType* t = small_.find(i.type);
    if (t == nullptr) return false;
    refuseFor(fitTensor(i));
    return !report_.isRefused() && tensor::writeAsTensor(code_, i, *t);
  }

  Obstacle inLoads() {
    Obstacle memory;
    Report ignored;
    const tensor::Pointers pointers(code_, ignored);
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const auto load = as<op::CooperativeMatrixLoadKHR>(m_, m_.instructions[n]);
      const MatrixType* t = load ? small_.find(m_.instructions[n].type) : nullptr;
      if (t == nullptr) continue;
      if (Obstacle why = fitTensor(m_.instructions[n])) return why;
      if (!memory) memory = pointers.obstacleTo(load.pointer(), t->component, t->componentBits / 8);
    }
    return memory;
  }

  // --- Functions of elements
  Id half() { return code_.globals.type<op::TypeFloat>({.width = 16}); }

  // Tensor loads and stores count as the per-element operations that they become.
  Obstacle inElements() const {
    ViewClips clips(code_);
    for (uint32_t n = m_.functionsAt; n < m_.instructions.size(); ++n) {
      const Instruction& i = m_.instructions[n];
      Obstacle why;
      if (const auto call = as<op::CooperativeMatrixPerElementOpNV>(m_, i)) {
        if (small_.find(i.type) != nullptr) why = small_.inPerElement(call);
      } else if (const auto store = as<op::CooperativeMatrixStoreTensorNV>(m_, i)) {
        if (small_.typeOf(store.object()) != nullptr) why = kNotALoad;
      } else if (const auto load = as<op::CooperativeMatrixLoadTensorNV>(m_, i)) {
        const MatrixType* t = small_.find(i.type);
        const Id view = load.tensorAddressingOperands().view;
        if (t != nullptr && view && clips.mayClip(view, *t)) why = kNotALoad;
      }
      if (why) return why;
    }
    return std::nullopt;
  }

  bool elementsAsHalves(const Instruction& i) {
    const op::CooperativeMatrixPerElementOpNV call(m_, i);
    refuseFor(small_.inPerElement(call));
    if (report_.isRefused()) return false;
    const Id function = halfFunction(call.func());
    const std::vector<Id> extras(call.operands().begin(), call.operands().end());
    code_.makeAs<op::CooperativeMatrixPerElementOpNV>(
        i.type, i.result, {.matrix = code_.globals.undef(i.type), .func = function, .operands = extras});
    return true;
  }

  // Makes half g(row, column, half, ...) from T f(row, column, element, ...), which ignores the element.
  Id halfFunction(Id function) {
    for (const auto& [known, made] : functions_) {
      if (known == function) return made;
    }
    const Instruction* f = m_.def(function);
    const auto type = as<op::TypeFunction>(m_, as<op::Function>(m_, f).functionType());
    const IdRange own = type.parameterTypes();
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

  // --- Types
  void replaceTypes() {
    std::vector<std::pair<Id, Id>> replaced;
    for (const MatrixType& t : small_.types()) {
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
  const SmallMatrices small_;
  Code code_;
  std::vector<std::pair<Id, Id>> functions_;  // pairs: the function of 8-bit elements, that of halves
};

}  // namespace

std::optional<std::string> obstacleToHalfOperands(Module& module) {
  Report report;
  return HalfOperands(module, report).findObstacle();
}

void loadSmallByTensors(Module& module, Report& report) { HalfOperands(module, report).loadByTensors(); }

void smallOperandsAsHalves(Module& module, Report& report) { HalfOperands(module, report).replaceOperands(); }

}  // namespace coopc::spirv::lower
