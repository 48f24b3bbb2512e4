// bfloat16 and 8-bit floats for devices without such types (SPV_KHR_bfloat16, SPV_EXT_float8). The type
// becomes, everywhere, the unsigned integer of its width that holds its bits. Memory, constants and
// instructions that only move values stay unchanged. Conversions and dot products, the only operations on
// these types, become calls of functions that compute with 32-bit floats, which represent all their values.
// Matrices of such components have become software matrices before (software_matrix/).
//
//   %b = OpFConvert %bfloat16 %f            %b = OpFunctionCall %ushort %encode %f
//
// Rounding is to nearest, ties to even, or toward zero if FPRoundingMode says so; subnormal numbers are kept.
// Values out of range become infinity, NaN if the format has no infinity, or the largest finite number if the
// conversion is decorated with SaturatedToLargestFloat8NormalConversionEXT. NaN stays NaN.
#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/code.hpp"
#include "spirv/lower/float_bits.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/number_type.hpp"
#include "spirv/replacements.hpp"

namespace coopc::spirv::lower {
namespace {

class SmallFloats {
 public:
  SmallFloats(Module& module, const SmallFloatOptions& options, Report& report)
      : m_(module), code_(module), o_(options), report_(report) {}

  void run() {
    findTypes();
    if (types_.empty()) return removeDeclarations();
    declareIntegers();
    refuseGlobals();
    findDecorations();
    if (report_.isRefused()) return;
    code_.writer.rewrite([&](const Instruction& i) { return rewrite(i); });
    if (report_.isRefused()) return;
    removeDeclarations();
    dropDecorations();
    code_.finish();
    replaceTypes();
    if (m_.overflow()) report_.refuse(Refusal::Limit, "the lowered module has more ids than SPIR-V allows");
  }

 private:
  struct Small {
    Id type, integer;
    FloatFormat format;
    std::string name;
  };
  // A conversion function, between a 32-bit float and the bits of a small one.
  struct Conversion {
    FloatEncoding encoding;
    bool encodes = false;
    Id function;
  };
  // The decorations of a conversion.
  struct Decorated {
    Id result;
    bool saturates = false, truncates = false;
  };

  // --- Types
  std::optional<FloatFormat> formatOf(const Instruction& type) const {
    const auto encoding = as<op::TypeFloat>(m_, type).floatingPointEncoding();
    if (!encoding) return std::nullopt;
    switch (*encoding) {
      case enums::FPEncodingBFloat16KHR: return o_.bfloat16 ? std::optional(kBFloat16) : std::nullopt;
      case enums::FPEncodingFloat8E4M3EXT: return o_.float8 ? std::optional(kFloatE4M3) : std::nullopt;
      case enums::FPEncodingFloat8E5M2EXT: return o_.float8 ? std::optional(kFloatE5M2) : std::nullopt;
      default: return std::nullopt;
    }
  }

  void findTypes() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction i = m_.instructions[n];
      const std::optional<FloatFormat> format = formatOf(i);
      if (!format || op::TypeFloat(m_, i).width() != format->width()) continue;
      types_.push_back({i.result,
                        code_.globals.type<op::TypeInt>({.width = format->width(), .signedness = 0}), *format,
                        numberTypeName(m_, i.result)});
    }
  }

  // Constants and variables outside of buffers need a capability that the integers of buffers do not.
  void declareIntegers() {
    std::vector<uint32_t> widths(m_.bound);  // of small floats in each type, or'ed
    for (const Instruction& i : m_.instructions) {
      const uint32_t at = i.result.index();
      if (const Small* s = small(i.result)) {
        widths[at] = s->format.width();
        continue;
      }
      if (const auto pointer = as<op::TypePointer>(m_, i)) {
        widths[at] = widths[pointer.type().index()];
      } else if (const auto array = as<op::TypeArray>(m_, i)) {
        widths[at] = widths[array.elementType().index()];
      } else if (const auto runtimeArray = as<op::TypeRuntimeArray>(m_, i)) {
        widths[at] = widths[runtimeArray.elementType().index()];
      } else if (const auto vector = as<op::TypeVector>(m_, i)) {
        widths[at] = widths[vector.componentType().index()];
      } else if (const auto structure = as<op::TypeStruct>(m_, i)) {
        for (const Id member : structure.memberTypes()) widths[at] |= widths[member.index()];
      } else if (isConstant(i.op()) || isVariableOfInvocations(i)) {
        const uint32_t held = widths[i.type.index()];
        if ((held & 8) != 0) code_.preamble.capability(spv::Capability::Int8);
        if ((held & 16) != 0) code_.preamble.capability(spv::Capability::Int16);
      }
    }
  }
  static bool isConstant(spv::Op op) {
    return op == spv::Op::OpUndef || op == spv::Op::OpConstantNull || op == spv::Op::OpConstant ||
           op == spv::Op::OpConstantComposite;
  }
  bool isVariableOfInvocations(const Instruction& i) const {
    const auto variable = as<op::Variable>(m_, i);
    if (!variable) return false;
    const spv::StorageClass storage = variable.storageClass();
    return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private ||
           storage == spv::StorageClass::Workgroup;
  }

  const Small* small(Id type) const {
    const auto found =
        std::find_if(types_.begin(), types_.end(), [&](const Small& s) { return s.type == type; });
    return found == types_.end() ? nullptr : &*found;
  }
  // The shape of a number or vector: the component type and the number of components (0: neither).
  struct Shape {
    Id scalar;
    uint32_t count = 0;
    friend bool operator==(const Shape&, const Shape&) = default;
  };
  Shape shapeOf(Id type) const {
    const Instruction* i = code_.globals.definition(type);
    if (i == nullptr) return {};
    if (const auto vector = as<op::TypeVector>(m_, i)) {
      // The most components that a vector may have without LongVectorEXT (Vector16). Longer vectors have no
      // shape: this pass unrolls components, so it does not lower them.
      constexpr uint32_t kMost = 16;
      const uint32_t count = vector.componentCount();
      return {vector.componentType(), count <= kMost ? count : 0};
    }
    return i->op() == spv::Op::OpTypeInt || i->op() == spv::Op::OpTypeFloat ? Shape{type, 1} : Shape{};
  }
  const Small* smallOf(Id type) const { return small(shapeOf(type).scalar); }
  // The type that replaces a type.
  Shape replacementOf(Id type) const {
    Shape shape = shapeOf(type);
    if (const Small* s = small(shape.scalar)) shape.scalar = s->integer;
    return shape;
  }

  // This pass does not handle matrices of such components, nor constants that are computed from them.
  void refuseGlobals() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (i.op() == spv::Op::OpTypeCooperativeMatrixKHR || i.op() == spv::Op::OpTypeCooperativeVectorNV) {
        if (const Small* component = small(op::TypeOfElements(m_, i).elementType()))
          return refuse(std::string(opName(i.opcode)) + " of " + component->name + " components");
      }
      const auto computation = as<op::SpecConstantOp>(m_, i);
      if (!computation) continue;
      bool computed = smallOf(i.type) != nullptr;
      for (const Id operand : computation.operands())
        computed = computed || smallOf(m_.typeOf(operand)) != nullptr;
      switch (computation.opcode()) {
        case spv::Op::OpSelect:
        case spv::Op::OpVectorShuffle:
        case spv::Op::OpCompositeExtract:
        case spv::Op::OpCompositeInsert: break;
        default:
          if (computed) return refuse("a specialization constant that is converted from or to a small float");
      }
    }
  }

  void refuse(std::string what) { report_.refuse(Refusal::Unsupported, std::move(what)); }

  // --- Instructions
  bool rewrite(const Instruction& i) {
    if (report_.isRefused() || m_.overflow()) return false;
    switch (i.op()) {
      case spv::Op::OpFConvert:
      case spv::Op::OpConvertFToU:
      case spv::Op::OpConvertFToS:
      case spv::Op::OpConvertSToF:
      case spv::Op::OpConvertUToF: return convert(i);
      case spv::Op::OpDot: return rewriteDot(i);
      case spv::Op::OpBitcast: return rewriteBitcast(i);
      case spv::Op::OpCompositeConstruct:
      case spv::Op::OpCompositeConstructReplicateEXT:
      case spv::Op::OpCompositeExtract:
      case spv::Op::OpCompositeInsert:
      case spv::Op::OpVectorExtractDynamic:
      case spv::Op::OpVectorInsertDynamic:
      case spv::Op::OpVectorShuffle:
      case spv::Op::OpGroupNonUniformShuffle: return false;  // written by software matrices
      default:
        if (movesValues(i.op())) return false;
        break;
    }
    const Small* used = smallOf(i.type);
    const Module& view = m_;
    view.forEachUse(i, [&](Id id) {
      if (used == nullptr) used = smallOf(code_.globals.typeOf(id));
    });
    if (used != nullptr) refuse(std::string(opName(i.opcode)) + " of a " + used->name + " number");
    return false;
  }

  void findDecorations() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      const auto decorate = as<op::Decorate>(m_, i);
      if (!decorate) continue;
      const spv::Decoration decoration = decorate.decoration();
      const bool saturates = decoration == enums::DecorationSaturatedToLargestFloat8NormalConversionEXT;
      const bool truncates = decoration == spv::Decoration::FPRoundingMode &&
                             spv::FPRoundingMode(decorate.parameters().front()) == spv::FPRoundingMode::RTZ;
      if (saturates || truncates) decorated_.push_back({decorate.target(), saturates, truncates});
    }
    std::sort(decorated_.begin(), decorated_.end(),
              [](const Decorated& a, const Decorated& b) { return a.result < b.result; });
  }

  Decorated decorationsOf(Id result) const {
    Decorated d{result};
    auto at = std::lower_bound(decorated_.begin(), decorated_.end(), result,
                               [](const Decorated& a, Id b) { return a.result < b; });
    for (; at != decorated_.end() && at->result == result; ++at) {
      d.saturates = d.saturates || at->saturates;
      d.truncates = d.truncates || at->truncates;
    }
    return d;
  }

  // Calls one(component) for each component, and assembles the results.
  template <class One>
  void forEachComponent(const Instruction& i, Id operand, One&& one) {
    const Shape to = shapeOf(i.type), from = shapeOf(code_.globals.typeOf(operand));
    if (from.count != to.count || to.count == 0)
      return refuse(std::string(opName(i.opcode)) + " of values that are neither numbers nor vectors");
    changed_.push_back(i.result);
    if (to.count == 1) {
      const Id value = one(operand);
      return code_.makeAs<op::CopyObject>(i.type, i.result, {value});
    }
    std::vector<Word> words;
    for (uint32_t n = 0; n < to.count; ++n) {
      const Id component = code_.extract(from.scalar, operand, {n});
      words.push_back(one(component));
    }
    code_.makeAs<op::CompositeConstruct>(i.type, i.result, {.constituents = words});
  }

  bool convert(const Instruction& i) {
    const Id operand = op::Unary(m_, i).operand(), fromType = shapeOf(code_.globals.typeOf(operand)).scalar,
             toType = shapeOf(i.type).scalar;
    const Small *from = small(fromType), *to = small(toType);
    if (from == nullptr && to == nullptr) return false;
    const Decorated decorated = decorationsOf(i.result);
    forEachComponent(i, operand, [&](Id value) {
      if (from != nullptr)
        value = callDecode(*from, value);
      else
        value = toFloat(i.op(), fromType, value, *to);
      if (to != nullptr)
        return callEncode(*to, decorated.saturates, decorated.truncates && to->format == kBFloat16, value);
      const Id f32 = code_.globals.typeF32();
      return toType == f32 ? value : code_.make<op::Unary>(i.op(), toType, {value});
    });
    return true;
  }

  // A number of another type as a 32-bit float. Integers that a 32-bit float cannot represent exactly are out
  // of range for the 8-bit types. For bfloat16, the specification defines the conversion by way of a 32-bit
  // float.
  Id toFloat(spv::Op op, Id type, Id value, const Small& to) {
    const Id f32 = code_.globals.typeF32();
    if (type == f32) return value;
    const bool isDouble = as<op::TypeFloat>(m_, code_.globals.definition(type)).width() == 64;
    return isDouble && to.format != kBFloat16 ? narrowDouble(code_, value)
                                              : code_.make<op::Unary>(op, f32, {value});
  }

  // Dot products become products and sums of 32-bit floats, which are rounded once (SPV_KHR_bfloat16, FP
  // Encoding).
  bool rewriteDot(const Instruction& i) {
    const Small* s = small(i.type);
    if (s == nullptr) return false;
    const Id f32 = code_.globals.typeF32();
    const op::Dot product(m_, i);
    const Id vectors[2] = {product.vector1(), product.vector2()};
    const uint32_t count = shapeOf(code_.globals.typeOf(vectors[0])).count;
    if (count < 2 || shapeOf(code_.globals.typeOf(vectors[1])).count != count) {
      refuse("OpDot of values that are not vectors of the same size");
      return false;
    }
    const Id vector = code_.globals.typeVector(f32, count);
    Id operands[2];
    for (uint32_t k = 0; k < 2; ++k) {
      const Id operand = vectors[k];
      std::vector<Word> words;
      for (uint32_t n = 0; n < count; ++n) {
        const Id component = code_.extract(s->type, operand, {n});
        words.push_back(callDecode(*s, component));
      }
      operands[k] = code_.make<op::CompositeConstruct>(vector, {.constituents = words});
    }
    const Id sum = code_.make<op::Dot>(f32, {.vector1 = operands[0], .vector2 = operands[1]});
    const Id value = callEncode(*s, false, false, sum);
    changed_.push_back(i.result);
    code_.makeAs<op::CopyObject>(i.type, i.result, {value});
    return true;
  }

  // Nothing is left to do if the other type is the one that replaces this one.
  bool rewriteBitcast(const Instruction& i) {
    const Id operand = op::Bitcast(m_, i).operand(), from = code_.globals.typeOf(operand);
    if (smallOf(i.type) == nullptr && smallOf(from) == nullptr) return false;
    if (!(replacementOf(i.type) == replacementOf(from))) return false;
    code_.makeAs<op::CopyObject>(i.type, i.result, {operand});
    return true;
  }

  // --- Conversion functions
  Id callDecode(const Small& s, Id value) { return call(s, {{s.format}, false, kNoId}, value); }
  Id callEncode(const Small& s, bool saturates, bool truncates, Id value) {
    return call(s, {{s.format, saturates, truncates}, true, kNoId}, value);
  }
  Id call(const Small& s, Conversion wanted, Id value) {
    auto found = std::find_if(conversions_.begin(), conversions_.end(), [&](const Conversion& c) {
      return c.encoding == wanted.encoding && c.encodes == wanted.encodes;
    });
    const Id f32 = code_.globals.typeF32(), to = wanted.encodes ? s.integer : f32;
    if (found == conversions_.end()) {
      writeFunction(s, wanted);
      conversions_.push_back(wanted);
      found = conversions_.end() - 1;
    }
    const Id function = found->function;
    return code_.make<op::FunctionCall>(to, {.function = function, .arguments = {value}});
  }

  void writeFunction(const Small& s, Conversion& made) {
    if (s.format.width() == 8) code_.preamble.capability(spv::Capability::Int8);
    if (s.format.width() == 16) code_.preamble.capability(spv::Capability::Int16);
    const Id f32 = code_.globals.typeF32(), from = made.encodes ? f32 : s.integer,
             to = made.encodes ? s.integer : f32;
    made.function = code_.writer.addFunction(to, {from}, [&](const std::vector<Id>& parameters) {
      const Id given = parameters[0];
      const Id result = made.encodes ? encodeFloat(code_, made.encoding, s.integer, given)
                                     : decodeFloat(code_, s.format, given);
      code_.make<op::ReturnValue>({result});
    });
    std::string name = made.encodes ? "f32_to_" + s.name : s.name + "_to_f32";
    if (made.encoding.saturates) name += "_saturated";
    if (made.encoding.truncates) name += "_toward_zero";
    code_.annotations.name(made.function, name);
    report_.rewrites.push_back(
        {made.encodes ? "conversions to " + s.name : "conversions from " + s.name, "function " + name});
  }

  // --- Declarations
  void removeDeclarations() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      bool gone = false;
      if (const auto declaration = as<op::Capability>(m_, i)) {
        const spv::Capability capability = declaration.capability();
        gone = (o_.bfloat16 && (capability == enums::CapabilityBFloat16TypeKHR ||
                                capability == enums::CapabilityBFloat16DotProductKHR)) ||
               (o_.float8 && capability == enums::CapabilityFloat8EXT);
      } else if (const auto extension = as<op::Extension>(m_, i)) {
        const std::string_view name = extension.name();
        gone = (o_.bfloat16 && name == "SPV_KHR_bfloat16") || (o_.float8 && name == "SPV_EXT_float8");
      }
      if (gone) i.opcode = uint16_t(spv::Op::OpNop);
    }
  }

  // The result is now copied, and decorations of a computation do not apply to a copy.
  void dropDecorations() {
    std::sort(changed_.begin(), changed_.end());
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      const auto decorate = as<op::Decorate>(m_, i);
      if (!decorate || !std::binary_search(changed_.begin(), changed_.end(), decorate.target())) continue;
      const spv::Decoration decoration = decorate.decoration();
      if (decoration == enums::DecorationSaturatedToLargestFloat8NormalConversionEXT ||
          decoration == spv::Decoration::FPRoundingMode || decoration == spv::Decoration::FPFastMathMode ||
          decoration == spv::Decoration::NoContraction)
        i.opcode = uint16_t(spv::Op::OpNop);
    }
  }

  // The types become integers. Equal types are then merged, as SPIR-V 2.8 requires for all but aggregates and
  // pointers.
  void replaceTypes() {
    Replacements by;
    by.reset(m_.bound);
    for (const Small& s : types_) {
      by.replace(s.type, s.integer);
      m_.instructions[m_.definitions[s.type.index()]].opcode = uint16_t(spv::Op::OpNop);
    }
    apply(by);
    // Each type follows its component types, except for the integers, which may have been made last.
    m_.compact();
    orderGlobals(m_);
    by.reset(m_.bound);
    std::map<std::vector<uint32_t>, Id> kept;  // by all their words but the result
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      if (i.op() != spv::Op::OpTypeVector && i.op() != spv::Op::OpTypeFunction) continue;
      for (uint32_t k = 2; k < i.length; ++k) {
        if (i.op() == spv::Op::OpTypeFunction || k == 2) m_.setIdAt(i, k, by.resolve(m_.idAt(i, k)));
      }
      const auto operands = m_.wordsOf(i).subspan(2);
      std::vector<uint32_t> words{i.opcode};
      words.insert(words.end(), operands.begin(), operands.end());
      const auto [equal, isNew] = kept.try_emplace(std::move(words), i.result);
      if (isNew) continue;
      by.replace(i.result, equal->second);
      i.opcode = uint16_t(spv::Op::OpNop);
    }
    apply(by);
    m_.compact();
    orderGlobals(m_);
  }

  void apply(Replacements& by) {
    by.apply(m_);
    for (Instruction& i : m_.instructions) {
      if (i.type) i.type = op::Value(m_, i).resultType();
    }
  }

  Module& m_;
  Code code_;
  const SmallFloatOptions& o_;
  Report& report_;
  std::vector<Small> types_;
  std::vector<Conversion> conversions_;
  std::vector<Decorated> decorated_;  // by result
  std::vector<Id> changed_;           // results of conversions that were rewritten
};

}  // namespace

void lowerSmallFloats(Module& module, const SmallFloatOptions& options, Report& report) {
  SmallFloats(module, options, report).run();
}

}  // namespace coopc::spirv::lower
