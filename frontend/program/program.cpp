// The program's constructor, which gives each array an invalid element 0, and types and constants as text for
// messages.
#include "frontend/program/program.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

#include "frontend/language/builtins/names.hpp"
#include "frontend/program/numbers.hpp"

namespace coopc::frontend {
namespace {

constexpr uint32_t kTextDepth = 32;        // more deeply nested parts of constant expressions print as `...`
constexpr size_t kTextLimit = 400;         // in bytes; longer texts would not help in a message
constexpr uint32_t kCompositeMembers = 8;  // how many constituents of a composite are printed

std::string_view scalarName(Scalar s) {
  switch (s) {
    case Scalar::Bool: return "bool";
    case Scalar::Int8: return "int8_t";
    case Scalar::Uint8: return "uint8_t";
    case Scalar::Int16: return "int16_t";
    case Scalar::Uint16: return "uint16_t";
    case Scalar::Int: return "int";
    case Scalar::Uint: return "uint";
    case Scalar::Int64: return "int64_t";
    case Scalar::Uint64: return "uint64_t";
    case Scalar::Float16: return "float16_t";
    case Scalar::Float: return "float";
    case Scalar::Double: return "double";
    case Scalar::BFloat16: return "bfloat16_t";
    case Scalar::FloatE4M3: return "floate4m3_t";
    case Scalar::FloatE5M2: return "floate5m2_t";
    case Scalar::FloatE2M1: return "floate2m1_t";
    case Scalar::FloatE2M3: return "floate2m3_t";
    case Scalar::FloatE3M2: return "floate3m2_t";
    case Scalar::FloatE8M0: return "floatue8m0_t";
    case Scalar::MxInt8: return "floatmxint8_t";
    case Scalar::Count: break;
  }
  return "?";
}

std::string_view vectorPrefix(Scalar s) {
  switch (s) {
    case Scalar::Bool: return "bvec";
    case Scalar::Int8: return "i8vec";
    case Scalar::Uint8: return "u8vec";
    case Scalar::Int16: return "i16vec";
    case Scalar::Uint16: return "u16vec";
    case Scalar::Int: return "ivec";
    case Scalar::Uint: return "uvec";
    case Scalar::Int64: return "i64vec";
    case Scalar::Uint64: return "u64vec";
    case Scalar::Float16: return "f16vec";
    case Scalar::Float: return "vec";
    case Scalar::Double: return "dvec";
    case Scalar::BFloat16: return "bf16vec";
    case Scalar::FloatE4M3: return "fe4m3vec";
    case Scalar::FloatE5M2: return "fe5m2vec";
    case Scalar::FloatE2M1: return "fe2m1vec";
    case Scalar::FloatE2M3: return "fe2m3vec";
    case Scalar::FloatE3M2: return "fe3m2vec";
    case Scalar::FloatE8M0: return "fue8m0vec";
    case Scalar::MxInt8: return "fmxint8vec";
    case Scalar::Count: break;
  }
  return "?vec";
}

std::string basicName(TypeId t) {
  const Scalar s = basicScalar(t);
  if (isScalarType(t)) return std::string(scalarName(s));
  if (isVectorType(t)) return std::string(vectorPrefix(s)) + std::to_string(basicRows(t));
  std::string text = s == Scalar::Double ? "dmat" : s == Scalar::Float16 ? "f16mat" : "mat";
  text += std::to_string(basicColumns(t));
  if (basicColumns(t) != basicRows(t)) text += "x" + std::to_string(basicRows(t));
  return text;
}

std::string imageName(const ImageDesc& d) {
  std::string text;
  switch (d.sampled) {
    case Scalar::Int: text = "i"; break;
    case Scalar::Uint: text = "u"; break;
    case Scalar::Int64: text = "i64"; break;
    case Scalar::Uint64: text = "u64"; break;
    case Scalar::Float16: text = "f16"; break;
    default: break;
  }
  switch (d.kind) {
    case ImageKind::Sampler: return "sampler";
    case ImageKind::SamplerShadow: return "samplerShadow";
    case ImageKind::Texture: text += "texture"; break;
    case ImageKind::Combined:
    case ImageKind::CombinedShadow: text += "sampler"; break;
    case ImageKind::Storage: text += "image"; break;
    case ImageKind::Attachment: return text + "attachmentEXT";
    case ImageKind::SubpassInput: return text + "subpassInput" + (d.multisampled ? "MS" : "");
  }
  switch (d.dim) {
    case ImageDim::D1: text += "1D"; break;
    case ImageDim::D2: text += "2D"; break;
    case ImageDim::D3: text += "3D"; break;
    case ImageDim::Cube: text += "Cube"; break;
    case ImageDim::Rect: text += "2DRect"; break;
    case ImageDim::Buffer: text += "Buffer"; break;
    case ImageDim::Subpass: break;
  }
  if (d.multisampled) text += "MS";
  if (d.arrayed) text += "Array";
  if (d.kind == ImageKind::CombinedShadow) text += "Shadow";
  return text;
}

template <typename T>
std::string numberText(T value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string scalarText(TypeId type, uint64_t bits) {
  const Scalar s = isBasic(type) ? basicScalar(type) : Scalar::Uint;
  if (s == Scalar::Bool) return bits ? "true" : "false";
  if (isFloatScalar(s)) {
    const double v = decodeFloat(s, bits);
    std::string text = s == Scalar::Double ? numberText(v) : numberText(static_cast<float>(v));
    if (std::isfinite(v) && text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
  }
  if (isSignedScalar(s)) {
    const unsigned shift = 64 - scalarBits(s);
    return numberText(static_cast<int64_t>(bits << shift) >> shift);
  }
  return numberText(bits);
}

struct TextWriter {
  const Program& program;
  const Names& names;
  std::string out;

  void name(NameId id, std::string_view unnamed) { out += id ? names.text(id) : unnamed; }
  void type(TypeId id, uint32_t depth);
  void constant(ConstId id, uint32_t depth, bool nested);
  void operands(std::span<const ConstId> ids, uint32_t depth) {
    for (size_t i = 0; i < ids.size(); ++i) {
      if (i > 0) out += ", ";
      if (i == kCompositeMembers) {
        out += "...";
        break;
      }
      constant(ids[i], depth + 1, false);
    }
  }
  // Prints a literal parameter as the built-in constant of its value whose name has the prefix.
  bool isNamed(ConstId id, std::string_view prefix) {
    const Constant& c = program.constants[id];
    if (c.kind != ConstKind::Scalar) return false;
    const std::string_view name = builtinConstantName(prefix, c.bits);
    out += name;
    return !name.empty();
  }
  void parameters(TypeId id, uint32_t depth);
};

void TextWriter::parameters(TypeId id, uint32_t depth) {
  const TypeInfo info = program.types[id];
  const auto params = program.types.params(id);
  for (size_t i = 0; i < params.size(); ++i) {
    if (i > 0) out += ", ";
    if (info.kind == TypeKind::CoopMat && i == 0 && isNamed(params[i], "gl_Scope")) continue;
    if (info.kind == TypeKind::CoopMat && i == 3 && isNamed(params[i], "gl_MatrixUse")) continue;
    if (info.kind == TypeKind::TensorLayout && i == 1 && isNamed(params[i], "gl_CooperativeMatrixClampMode"))
      continue;
    constant(params[i], depth + 1, true);
  }
}

void TextWriter::type(TypeId id, uint32_t depth) {
  if (depth > kTextDepth || out.size() > kTextLimit) {
    out += "...";
    return;
  }
  if (isBasic(id)) {
    out += basicName(id);
    return;
  }
  const TypeInfo info = program.types[id];
  switch (info.kind) {
    case TypeKind::Error: out += "<error>"; return;
    case TypeKind::Void: out += "void"; return;
    case TypeKind::FunctionName: out += "function"; return;
    case TypeKind::String: out += "string"; return;
    case TypeKind::SpirvType: out += "spirv_type"; return;
    case TypeKind::AccelerationStructure: out += "accelerationStructureEXT"; return;
    case TypeKind::RayQuery: out += "rayQueryEXT"; return;
    case TypeKind::HitObject: out += "hitObjectEXT"; return;
    case TypeKind::HitObjectNV: out += "hitObjectNV"; return;
    case TypeKind::Array: {
      // GLSL writes the outermost dimension first: float[2][3] is an array of 2 arrays of 3.
      TypeId element = id;
      while (program.types.kind(element) == TypeKind::Array) element = program.types[element].element();
      type(element, depth + 1);
      for (TypeId t = id; program.types.kind(t) == TypeKind::Array; t = program.types[t].element()) {
        if (out.size() > kTextLimit) {
          out += "...";
          return;
        }
        const ConstId size = program.types[t].arraySize();
        out += '[';
        if (size != kUnsizedArray && size != kRuntimeArray) constant(size, depth + 1, false);
        out += ']';
      }
      return;
    }
    case TypeKind::Struct:
    case TypeKind::Reference:
    case TypeKind::BufferType: name(program.structs[info.structure()].name, "<unnamed struct>"); return;
    case TypeKind::Image: out += imageName(info.image()); return;
    case TypeKind::CoopMat:
    case TypeKind::CoopVec:
    case TypeKind::LongVector:
    case TypeKind::Tensor:
      out += info.kind == TypeKind::CoopMat   ? "coopmat<"
             : info.kind == TypeKind::CoopVec ? "coopvecNV<"
             : info.kind == TypeKind::Tensor  ? "tensorARM<"
                                              : "vector<";
      out += scalarName(info.scalar);
      out += ", ";
      parameters(id, depth);
      out += '>';
      return;
    case TypeKind::CoopMatNV:
      out += isFloatScalar(info.scalar)    ? "fcoopmatNV<"
             : isSignedScalar(info.scalar) ? "icoopmatNV<"
                                           : "ucoopmatNV<";
      out += std::to_string(scalarBits(info.scalar)) + ", ";
      parameters(id, depth);
      out += '>';
      return;
    case TypeKind::TensorLayout:
    case TypeKind::TensorView:
      out += info.kind == TypeKind::TensorLayout ? "tensorLayoutNV<" : "tensorViewNV<";
      parameters(id, depth);
      out += '>';
      return;
    case TypeKind::Scalar:
    case TypeKind::Vector:
    case TypeKind::Matrix: return;  // basic types, above
  }
}

void TextWriter::constant(ConstId id, uint32_t depth, bool nested) {
  if (depth > kTextDepth || out.size() > kTextLimit || id.index() >= program.constants.size()) {
    out += "...";
    return;
  }
  const Constant& c = program.constants[id];
  switch (c.kind) {
    case ConstKind::Scalar: out += scalarText(c.type, c.bits); return;
    case ConstKind::Null:
      type(c.type, depth + 1);
      out += "(0)";
      return;
    case ConstKind::Spec:
      name(program.variables[program.constants.specDeclaration(id)].name, "<specialization constant>");
      return;
    case ConstKind::Composite:
      type(c.type, depth + 1);
      out += '(';
      operands(program.constants.operands(id), depth);
      out += ')';
      return;
    case ConstKind::SpecOp: break;
  }
  const auto args = program.constants.operands(id);
  // Select and Index are written below, because their operator does not stand between the operands.
  const bool written = c.op != ExprOp::Select && c.op != ExprOp::Index;
  const std::string_view symbol = written ? operatorText(c.op) : std::string_view{};
  if (c.op == ExprOp::Convert && args.size() == 1) {
    // The checker inserts integer conversions, which would only clutter `M / 2u`.
    const TypeId from = program.constants[args[0]].type;
    const bool isClutter = isScalarType(c.type) && isScalarType(from) && isIntScalar(basicScalar(c.type)) &&
                           isIntScalar(basicScalar(from));
    if (isClutter) {
      constant(args[0], depth + 1, nested);
      return;
    }
    type(c.type, depth + 1);
    out += '(';
    constant(args[0], depth + 1, false);
    out += ')';
    return;
  }
  if (!symbol.empty() && args.size() == 1) {
    out += symbol;
    constant(args[0], depth + 1, true);
    return;
  }
  if (!symbol.empty() && args.size() == 2) {
    if (nested) out += '(';
    constant(args[0], depth + 1, true);
    out += ' ';
    out += symbol;
    out += ' ';
    constant(args[1], depth + 1, true);
    if (nested) out += ')';
    return;
  }
  if (c.op == ExprOp::Select && args.size() == 3) {
    if (nested) out += '(';
    constant(args[0], depth + 1, true);
    out += " ? ";
    constant(args[1], depth + 1, true);
    out += " : ";
    constant(args[2], depth + 1, true);
    if (nested) out += ')';
    return;
  }
  if (c.op == ExprOp::Swizzle && args.size() == 1) {
    constant(args[0], depth + 1, true);
    out += '.';
    for (uint32_t i = 0; i < (c.bits & 15) && i < 4; ++i) out += "xyzw"[(c.bits >> (4 + 4 * i)) & 3];
    return;
  }
  type(c.type, depth + 1);
  out += '(';
  operands(args, depth);
  out += ')';
}

}  // namespace

std::string_view operatorText(ExprOp op) {
  switch (op) {
    case ExprOp::Negate:
    case ExprOp::Sub: return "-";
    case ExprOp::Plus:
    case ExprOp::Add: return "+";
    case ExprOp::BitNot: return "~";
    case ExprOp::LogicalNot: return "!";
    case ExprOp::PreIncrement:
    case ExprOp::PostIncrement: return "++";
    case ExprOp::PreDecrement:
    case ExprOp::PostDecrement: return "--";
    case ExprOp::Mul: return "*";
    case ExprOp::Div: return "/";
    case ExprOp::Mod: return "%";
    case ExprOp::ShiftLeft: return "<<";
    case ExprOp::ShiftRight: return ">>";
    case ExprOp::BitAnd: return "&";
    case ExprOp::BitOr: return "|";
    case ExprOp::BitXor: return "^";
    case ExprOp::Less: return "<";
    case ExprOp::LessEqual: return "<=";
    case ExprOp::Greater: return ">";
    case ExprOp::GreaterEqual: return ">=";
    case ExprOp::Equal: return "==";
    case ExprOp::NotEqual: return "!=";
    case ExprOp::LogicalAnd: return "&&";
    case ExprOp::LogicalOr: return "||";
    case ExprOp::LogicalXor: return "^^";
    case ExprOp::Comma: return ",";
    case ExprOp::Assign: return "=";
    case ExprOp::AddAssign: return "+=";
    case ExprOp::SubAssign: return "-=";
    case ExprOp::MulAssign: return "*=";
    case ExprOp::DivAssign: return "/=";
    case ExprOp::ModAssign: return "%=";
    case ExprOp::ShiftLeftAssign: return "<<=";
    case ExprOp::ShiftRightAssign: return ">>=";
    case ExprOp::AndAssign: return "&=";
    case ExprOp::OrAssign: return "|=";
    case ExprOp::XorAssign: return "^=";
    case ExprOp::Select: return "?:";
    case ExprOp::Index: return "[]";
    default: return "";
  }
}

Program::Program()
    : exprs(1),
      stmts(1),
      variables(1),
      functions(1),
      structs(1),
      decorationLists(1),
      loopParameters_(1, 0u) {}

std::string typeName(const Program& program, const Names& names, TypeId type) {
  TextWriter w{program, names, {}};
  w.type(type, 0);
  return std::move(w.out);
}

std::string constantText(const Program& program, const Names& names, ConstId id) {
  TextWriter w{program, names, {}};
  w.constant(id, 0, false);
  return std::move(w.out);
}

}  // namespace coopc::frontend
