// Specialization (SPIR-V 2.9): first the constants themselves, then operations on constants, then composites.
#include "spirv/lower/specialize.hpp"

#include <algorithm>
#include <optional>

#include "spirv/constant_pool.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/traits.hpp"

namespace coopc::spirv::lower {
namespace {

class Specializer {
 public:
  explicit Specializer(Module& module) : m_(module), pool_(module) {}

  std::vector<SpecializationValue> run(std::span<const SpecializationValue> given, bool defaults) {
    freezeConstants(given, defaults);
    if (frozen_.empty()) return frozen_;
    freezeDerived();
    for (uint32_t n : ids_) m_.instructions[n].opcode = uint16_t(spv::Op::OpNop);
    pool_.flushAndCompact();
    // Computed vectors have components that were made last, and must follow them.
    orderGlobals(m_);
    std::sort(frozen_.begin(), frozen_.end(),
              [](const SpecializationValue& a, const SpecializationValue& b) { return a.specId < b.specId; });
    return frozen_;
  }

 private:
  void freezeConstants(std::span<const SpecializationValue> given, bool defaults) {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const auto decorate = as<op::Decorate>(m_, m_.instructions[n]);
      const LiteralRange parameters = decorate.parameters();
      if (!decorate || decorate.decoration() != spv::Decoration::SpecId || parameters.size() != 1) continue;
      const Instruction* constant = m_.def(decorate.target());
      if (constant == nullptr) continue;
      const uint32_t specId = parameters.front();
      const auto value = std::find_if(given.begin(), given.end(),
                                      [&](const SpecializationValue& v) { return v.specId == specId; });
      if (value == given.end() && !defaults) continue;
      Instruction& i = m_.instructions[m_.definitions[constant->result.index()]];
      const auto bits = freeze(i, value == given.end() ? nullptr : &value->value);
      if (!bits) continue;
      frozen_.push_back({specId, *bits});
      ids_.push_back(n);
    }
  }

  // Sets the opcode in the words as well, because these are written at the end.
  void setOpcode(Instruction& i, spv::Op op) {
    i.opcode = uint16_t(op);
    *m_.at(i) = uint32_t(i.length) << 16 | i.opcode;
  }

  // Makes a specialization constant a plain one, and returns its value; no value if it is not a
  // specialization constant.
  std::optional<uint64_t> freeze(Instruction& i, const uint64_t* value) {
    switch (i.op()) {
      case spv::Op::OpSpecConstantTrue:
      case spv::Op::OpSpecConstantFalse: {
        const bool on = value != nullptr ? *value != 0 : i.op() == spv::Op::OpSpecConstantTrue;
        setOpcode(i, on ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse);
        return on;
      }
      case spv::Op::OpSpecConstant: {
        setOpcode(i, spv::Op::OpConstant);
        uint32_t* w = m_.at(i) + op::SpecConstant::At::value;
        const uint32_t width = widthOf(i.type);
        if (value != nullptr) {
          // Narrow signed integers are stored sign-extended (SPIR-V 2.2.1).
          uint64_t bits = lowBits(*value, width);
          if (width < 32 && isSigned(i.type)) bits = uint32_t(signExtend(bits, width));
          w[0] = uint32_t(bits);
          if (i.length > 4) w[1] = uint32_t(bits >> 32);
        }
        return lowBits(i.length > 4 ? w[0] | uint64_t(w[1]) << 32 : w[0], width);
      }
      default: return std::nullopt;
    }
  }

  uint32_t widthOf(Id type) const {
    const auto number = as<op::NumberType>(m_, type);
    return number ? std::clamp(number.width(), 1u, 64u) : 32;
  }
  bool isSigned(Id type) const { return as<op::TypeInt>(m_, type).signedness() != 0; }
  bool isPlain(Id id) const {
    const spv::Op op = m_.opOf(id);
    return isConstantOp(op) || op == spv::Op::OpUndef || op == spv::Op::OpConstantSampler ||
           op == spv::Op::OpConstantCompositeReplicateEXT;
  }

  // Freezes operations whose values are known, and then composites, each after its constituents.
  void freezeDerived() {
    struct Computed {
      uint32_t instruction;
      std::vector<uint64_t> components;
    };
    std::vector<Computed> computed;
    {
      const ConstantEvaluator evaluator(m_);
      for (uint32_t n = 0; n < m_.functionsAt; ++n) {
        const Instruction& i = m_.instructions[n];
        if (i.op() != spv::Op::OpSpecConstantOp) continue;
        const Instruction* type = m_.def(i.type);
        if (type == nullptr) continue;
        const auto vector = as<op::TypeVector>(m_, *type);
        const uint32_t count = vector ? vector.componentCount() : 1;
        if (count > 16) continue;
        Computed c{n, {}};
        for (uint32_t k = 0; k < count; ++k) {
          const ConstantValue v = evaluator.component(i.result, k);
          if (!v.known || v.byDefault) break;
          c.components.push_back(v.bits);
        }
        if (c.components.size() == count) computed.push_back(std::move(c));
      }
    }
    for (const Computed& c : computed) {
      const Instruction i = m_.instructions[c.instruction];
      const Instruction type = *m_.def(i.type);
      if (const auto vector = as<op::TypeVector>(m_, type)) {
        std::vector<Word> parts;
        const Id component = vector.componentType();
        for (const uint64_t bits : c.components) parts.push_back(scalar(component, bits));
        replace(c.instruction, m_.make<op::ConstantComposite>(i.type, i.result, {.constituents = parts}));
      } else {
        replace(c.instruction, plainConstant(i.type, i.result, c.components[0]));
      }
    }
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      const bool replicated = i.op() == spv::Op::OpSpecConstantCompositeReplicateEXT;
      if (i.op() != spv::Op::OpSpecConstantComposite && !replicated) continue;
      bool all = true;
      for (const Id constituent : op::AnyComposite(m_, i).constituents()) all = all && isPlain(constituent);
      if (!all) continue;
      setOpcode(i, replicated ? spv::Op::OpConstantCompositeReplicateEXT : spv::Op::OpConstantComposite);
    }
  }

  bool isBool(Id type) const { return m_.opOf(type) == spv::Op::OpTypeBool; }
  Id scalar(Id type, uint64_t bits) {
    return isBool(type) ? pool_.boolean(type, bits != 0) : pool_.scalar(type, bits);
  }
  Instruction plainConstant(Id type, Id result, uint64_t bits) {
    if (isBool(type)) {
      const spv::Op op = bits != 0 ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse;
      return m_.make(op, type, result, {});
    }
    const uint32_t width = widthOf(type);
    if (width < 32 && isSigned(type)) bits = uint32_t(signExtend(bits, width));
    if (width > 32)
      return m_.make<op::Constant>(type, result, {.value = {uint32_t(bits), uint32_t(bits >> 32)}});
    return m_.make<op::Constant>(type, result, {.value = {uint32_t(bits)}});
  }
  void replace(uint32_t n, const Instruction& by) { m_.instructions[n] = by; }

  Module& m_;
  ConstantPool pool_;
  std::vector<SpecializationValue> frozen_;
  std::vector<uint32_t> ids_;  // decorations of frozen constants
};

}  // namespace

std::vector<SpecializationValue> specialize(Module& module, std::span<const SpecializationValue> given,
                                            bool defaults) {
  return Specializer(module).run(given, defaults);
}

}  // namespace coopc::spirv::lower
