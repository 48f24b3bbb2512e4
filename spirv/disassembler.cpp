// Module to assembly text. Names are made for all ids first, in the order of the module. Then each
// instruction is printed by walking its operands.
#include "spirv/disassembler.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <unordered_set>

#include "base/counted_text.hpp"
#include "spirv/constants.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instructions.hpp"
#include "spirv/literal_string.hpp"

namespace coopc::spirv {
namespace {

void appendUnsigned(std::string& out, uint64_t value) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

void appendSigned(std::string& out, int64_t value) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  out.append(text, end);
}

std::string join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text += part;
  return text;
}

// C hexadecimal float of a number with `exponentBits` and `mantissaBits`, IEEE-like.
void appendHexFloat(std::string& out, uint64_t bits, unsigned exponentBits, unsigned mantissaBits) {
  const uint64_t mantissa = bits & ((uint64_t(1) << mantissaBits) - 1);
  const uint64_t exponentMask = (uint64_t(1) << exponentBits) - 1;
  const int64_t exponent = int64_t(bits >> mantissaBits & exponentMask);
  const int64_t bias = int64_t(exponentMask >> 1);
  if ((bits >> (exponentBits + mantissaBits) & 1) != 0) out += '-';
  if (exponent == 0 && mantissa == 0) {
    out += "0x0p+0";
    return;
  }
  uint64_t fraction = mantissa;
  int64_t power = exponent - bias;
  if (exponent == 0) {  // subnormal: normalize
    power = 1 - bias;
    while ((fraction >> mantissaBits & 1) == 0) {
      fraction <<= 1;
      --power;
    }
    fraction &= (uint64_t(1) << mantissaBits) - 1;
  }
  out += "0x1";
  if (fraction != 0) {
    out += '.';
    const unsigned pad = (4 - mantissaBits % 4) % 4;
    fraction <<= pad;
    for (unsigned left = mantissaBits + pad; left != 0 && fraction != 0; left -= 4) {
      out += "0123456789abcdef"[fraction >> (left - 4) & 15];
      fraction &= (uint64_t(1) << (left - 4)) - 1;
    }
  }
  out += 'p';
  if (power >= 0) out += '+';
  appendSigned(out, power);
}

class Disassembler {
 public:
  Disassembler(const Module& module, const DisassemblyOptions& options) : m_(module), options_(options) {}

  std::string run() {
    makeRoom(out_, m_.words.size() * 8);
    prepare();
    if (options_.header) header();
    for (const Instruction& i : m_.instructions) {
      if (i.op() != spv::Op::OpNop) print(i);
    }
    return std::move(out_);
  }

  std::vector<std::string> some(std::span<const uint32_t> which) {
    prepare();
    std::vector<std::string> texts;
    texts.reserve(which.size());
    for (uint32_t n : which) {
      out_.clear();
      if (n < m_.instructions.size()) print(m_.instructions[n]);
      if (!out_.empty() && out_.back() == '\n') out_.pop_back();
      texts.push_back(out_);
    }
    return texts;
  }

 private:
  void prepare() {
    for (const Instruction& i : m_.instructions) {
      if (i.op() == spv::Op::OpExtInstImport && op::ExtInstImport(m_, i).name() == "GLSL.std.450")
        glsl_ = i.result;
    }
    makeNames();
  }

  void header() {
    out_ += "; SPIR-V\n; Version: ";
    appendUnsigned(out_, m_.version >> 16 & 0xFF);
    out_ += '.';
    appendUnsigned(out_, m_.version >> 8 & 0xFF);
    out_ += "\n; Generator: ";
    // Names of SPIR-V's registry, for the tools whose text is compared with this one.
    constexpr uint32_t kTools = 7, kGlslang = 8, kShaderc = 13;
    switch (const uint32_t tool = m_.generator >> 16) {
      case kTools: out_ += "Khronos SPIR-V Tools Assembler"; break;
      case kGlslang: out_ += "Khronos Glslang Reference Front End"; break;
      case kShaderc: out_ += "Google Shaderc over Glslang"; break;
      default: appendUnsigned(out_, tool); break;
    }
    out_ += "; ";
    appendUnsigned(out_, m_.generator & 0xFFFF);
    out_ += "\n; Bound: ";
    appendUnsigned(out_, m_.bound);
    out_ += "\n; Schema: 0\n";
  }

  // --- Names -----------------------------------------------------------------------------------------------
  // Names of types and constants contain the names of other ids, and each use of an id repeats its name.
  static constexpr size_t kMaxName = 256, kMaxPart = 100;
  static constexpr size_t kFixed =
      2048;  // more than an operand takes whose text is the grammar's, such as all bits of a mask

  void setName(Id id, std::string_view wanted) {
    if (id.index() >= names_.size() || !names_[id.index()].empty()) return;
    // The length of the text may be a multiple of the module's, but not its square.
    wanted = wanted.substr(0, kMaxName);
    std::string text;
    if (wanted.empty() || (wanted[0] >= '0' && wanted[0] <= '9')) text += '_';
    for (char c : wanted) {
      const bool plain =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
      text += plain ? c : '_';
    }
    if (!used_.insert(text).second) {
      const size_t base = text.size();
      text += '_';
      // The id makes the name unique, unless another name happens to look the same.
      appendUnsigned(text, id.index());
      while (!used_.insert(text).second) {
        text.resize(base);
        text += "__";
        appendUnsigned(text, ++suffix_);
      }
    }
    MemoryBudget::take(2 * (sizeof text + text.size()));  // in used_ too
    names_[id.index()] = std::move(text);
  }

  std::string nameText(Id id) const {
    if (id.index() < names_.size() && !names_[id.index()].empty()) return names_[id.index()];
    std::string number;
    appendUnsigned(number, id.index());
    return number;
  }

  // The name as a part of another one.
  std::string partText(Id id) const { return nameText(id).substr(0, kMaxPart); }

  void makeNames() {
    if (!options_.friendlyNames) return;
    MemoryBudget::take(m_.bound * sizeof names_[0]);
    names_.resize(m_.bound);
    for (const Instruction& i : m_.instructions) {
      if (const auto naming = as<op::Name>(m_, i)) setName(naming.target(), naming.name());
    }
    for (const Instruction& i : m_.instructions) {
      if (i.op() == spv::Op::OpFunction) break;
      const auto decorate = as<op::Decorate>(m_, i);
      if (decorate && decorate.decoration() == spv::Decoration::BuiltIn) {
        const std::string_view builtIn = enumerantName(OperandKind::BuiltIn, decorate.parameters().front());
        if (!builtIn.empty()) setName(decorate.target(), join({"gl_", builtIn}));
      }
    }
    for (const Instruction& i : m_.instructions) {
      if (i.op() == spv::Op::OpFunction) break;
      if (i.result && names_[i.result.index()].empty()) nameByMeaning(i);
    }
  }

  void nameByMeaning(const Instruction& i) {
    switch (i.op()) {
      case spv::Op::OpTypeVoid: return setName(i.result, "void");
      case spv::Op::OpTypeBool: return setName(i.result, "bool");
      case spv::Op::OpTypeInt: {
        const uint32_t width = op::TypeInt(m_, i).width();
        std::string text = op::TypeInt(m_, i).signedness() != 0 ? "" : "u";
        if (width == 8)
          text += "char";
        else if (width == 16)
          text += "short";
        else if (width == 32)
          text += "int";
        else if (width == 64)
          text += "long";
        else
          (text += "int") += std::to_string(width);
        return setName(i.result, text);
      }
      case spv::Op::OpTypeFloat: {
        const op::TypeFloat real(m_, i);
        if (const auto encoding = real.floatingPointEncoding())
          return setName(i.result, enumerantName(OperandKind::FPEncoding, *encoding));
        const uint32_t width = real.width();
        if (width == 16) return setName(i.result, "half");
        if (width == 32) return setName(i.result, "float");
        if (width == 64) return setName(i.result, "double");
        return setName(i.result, join({"fp", std::to_string(width)}));
      }
      case spv::Op::OpTypeVector: {
        const op::TypeVector vector(m_, i);
        const std::string count = std::to_string(vector.componentCount());
        return setName(i.result, join({"v", count, partText(vector.componentType())}));
      }
      case spv::Op::OpTypeMatrix: {
        const op::TypeMatrix matrix(m_, i);
        const std::string count = std::to_string(matrix.columnCount());
        return setName(i.result, join({"mat", count, partText(matrix.columnType())}));
      }
      case spv::Op::OpTypeArray: {
        const op::TypeArray array(m_, i);
        return setName(i.result,
                       join({"_arr_", partText(array.elementType()), "_", partText(array.length())}));
      }
      case spv::Op::OpTypeRuntimeArray:
        return setName(i.result, join({"_runtimearr_", partText(op::TypeRuntimeArray(m_, i).elementType())}));
      case spv::Op::OpTypeStruct:
        return setName(i.result, join({"_struct_", std::to_string(i.result.index())}));
      case spv::Op::OpTypePointer: {
        const op::TypePointer pointer(m_, i);
        const std::string_view storage =
            enumerantName(OperandKind::StorageClass, uint32_t(pointer.storageClass()));
        return setName(i.result, join({"_ptr_", storage, "_", partText(pointer.type())}));
      }
      case spv::Op::OpConstantTrue: return setName(i.result, "true");
      case spv::Op::OpConstantFalse: return setName(i.result, "false");
      case spv::Op::OpConstantNull: return setName(i.result, join({partText(i.type), "_null"}));
      case spv::Op::OpConstant: {
        std::string text = join({partText(i.type), "_"});
        appendNumber(text, i, 3, i.length - 3u);
        for (char& c : text) {
          if (c == '-') c = 'n';
        }
        return setName(i.result, text);
      }
      default: return;
    }
  }

  // --- Operands --------------------------------------------------------------------------------------------
  // A literal of the type of its instruction (constants) or of the selector (OpSwitch).
  void appendNumber(std::string& out, const Instruction& i, uint32_t at, uint32_t count) {
    uint64_t value = m_.word(i, at);
    if (count > 1) value |= uint64_t(m_.word(i, at + 1)) << 32;
    const auto choice = as<op::Switch>(m_, i);
    const Id typeId = choice ? m_.typeOf(choice.selector()) : i.type;
    const Instruction* type = m_.def(typeId);
    const auto integer = as<op::TypeInt>(m_, type);
    if (const auto real = as<op::TypeFloat>(m_, type)) {
      appendFloat(out, value, real.width(), real.floatingPointEncoding().value_or(kNone));
    } else if (integer && integer.signedness() != 0) {
      appendSigned(out, signExtend(value, integer.width()));
    } else {
      appendUnsigned(out, value);
    }
  }

  // Whether the assembler has read an instruction when it comes to another one.
  static bool precedes(const Instruction* first, const Instruction& i) {
    return first != nullptr && first < &i;
  }

  // Whether the assembler reads numbers of a floating-point type.
  static bool hasLiterals(const op::TypeFloat& type) {
    const auto encoding = type.floatingPointEncoding();
    if (!encoding) return type.width() == 16 || type.width() == 32 || type.width() == 64;
    switch (*encoding) {
      case enums::FPEncodingBFloat16KHR:
      case enums::FPEncodingFloat8E4M3EXT:
      case enums::FPEncodingFloat8E5M2EXT: return true;
      default: return false;
    }
  }

  // Whether the assembler makes these words from the number's value: its type precedes and has literals, and
  // the bits above its width are zero, or copies of its sign. Invalid modules may have other bits there.
  bool isExact(const Instruction& i, uint32_t at, uint32_t count) const {
    const auto choice = as<op::Switch>(m_, i);
    if (choice && !precedes(m_.def(choice.selector()), i)) return false;
    const Instruction* type = m_.def(choice ? m_.typeOf(choice.selector()) : i.type);
    if (!precedes(type, i)) return false;
    const auto integer = as<op::TypeInt>(m_, type);
    const auto real = as<op::TypeFloat>(m_, type);
    if (!integer && (!real || choice)) return false;
    const uint32_t width = integer ? integer.width() : real.width();
    if (width == 0 || (width + 31) / 32 != count || (real && !hasLiterals(real))) return false;
    const uint32_t last = m_.word(i, at + count - 1), used = width % 32;
    if (used == 0) return true;
    const uint32_t above = last >> used, all = ~uint32_t{0} >> used;
    const bool negative = integer && integer.signedness() != 0 && (last >> (used - 1) & 1) != 0;
    return above == (negative ? all : 0);
  }

  void appendId(Id id) {
    out_ += '%';
    if (id.index() < names_.size() && !names_[id.index()].empty()) {
      out_ += names_[id.index()];
    } else {
      appendUnsigned(out_, id.index());
    }
  }

  void operand(const Instruction& i, OperandKind kind, uint32_t at, uint32_t count) {
    const uint32_t value = m_.word(i, at);
    makeRoom(out_, kMaxName + kFixed);
    if (isIdKind(kind)) return appendId(Id(value));
    switch (kind) {
      case OperandKind::LiteralString: {
        // Little-endian hosts can use the bytes as they are; others would have to rearrange the text.
        static_assert(std::endian::native == std::endian::little, "literal strings are read in place");
        const std::string_view literal = literalText(m_.wordsOf(i).subspan(std::min(at, uint32_t(i.length))));
        makeRoom(out_, 2 * literal.size() + kFixed);
        out_ += '"';
        for (char c : literal) {
          if (c == '"' || c == '\\') out_ += '\\';
          out_ += c;
        }
        out_ += '"';
        return;
      }
      case OperandKind::LiteralContextDependentNumber:
        return isExact(i, at, count) ? appendNumber(out_, i, at, count) : rawWords(i, at, count);
      case OperandKind::LiteralFloat: return appendFloat(out_, value, 32, kNone);
      case OperandKind::LiteralInteger:
        if (i.op() == spv::Op::OpSwitch)
          return isExact(i, at, count) ? appendNumber(out_, i, at, count) : rawWords(i, at, count);
        return appendUnsigned(out_, value);
      case OperandKind::LiteralSpecConstantOpInteger: {
        const std::string_view text = opName(value);
        out_ += text.substr(2);
        return;
      }
      case OperandKind::LiteralExtInstInteger: {
        const Id set = as<op::AnyExtInst>(m_, i).set();
        const bool known = set == glsl_ && precedes(m_.def(set), i);
        const ExtInstInfo* info = known ? glslStd450Info(value) : nullptr;
        if (info != nullptr) {
          out_ += name(*info);
        } else {
          appendUnsigned(out_, value);
        }
        return;
      }
      default: break;
    }
    if (isBitEnum(kind) && value != 0) {
      const size_t before = out_.size();
      for (uint32_t rest = value; rest != 0; rest &= rest - 1) {
        const std::string_view text = enumerantName(kind, rest & (~rest + 1));
        if (text.empty()) {
          out_.resize(before);
          out_ += '!';
          return appendUnsigned(out_, value);
        }
        if (out_.size() != before) out_ += '|';
        out_ += text;
      }
      return;
    }
    const std::string_view text = enumerantName(kind, value);
    if (!text.empty()) {
      out_ += text;
    } else {
      if (value != 0 || isValueEnum(kind)) out_ += '!';
      if (value == 0 && isBitEnum(kind)) {
        out_ += "None";
      } else {
        appendUnsigned(out_, value);
      }
    }
  }

  void print(const Instruction& i) {
    const OpInfo* info = opInfo(i.opcode);
    constexpr size_t kColumn = 15;
    makeRoom(out_, kMaxName + kFixed);
    if (info == nullptr) {
      if (options_.align) out_.append(kColumn, ' ');
      rawWords(i, 0, i.length);
      out_ += '\n';
      return;
    }
    if (i.result) {
      const std::string result = nameText(i.result);
      if (options_.align && result.size() + 4 < kColumn) out_.append(kColumn - result.size() - 4, ' ');
      out_ += '%';
      out_ += result;
      out_ += " = ";
    } else if (options_.align) {
      out_.append(kColumn, ' ');
    }
    out_ += name(*info);
    bool raw = false;  // after `!N`, where the assembler accepts no names of enumerants
    visitOperands(*info, m_.at(i), i.length, m_.switchWords(i),
                  [&](OperandKind kind, uint32_t at, uint32_t count) {
                    if (kind == OperandKind::IdResult) return;
                    out_ += ' ';
                    if (raw && !isIdKind(kind) && kind != OperandKind::LiteralString)
                      return rawWords(i, at, count);
                    const size_t start = out_.size();
                    operand(i, kind, at, count);
                    raw = raw || out_[start] == '!';
                  });
    out_ += '\n';
  }

  void rawWords(const Instruction& i, uint32_t at, uint32_t count) {
    for (uint32_t n = 0; n < count; ++n) {
      makeRoom(out_, kFixed);
      out_ += n == 0 ? "!" : " !";
      appendUnsigned(out_, m_.word(i, at + n));
    }
  }

  const Module& m_;
  const DisassemblyOptions& options_;
  std::string out_;
  std::vector<std::string> names_;
  std::unordered_set<std::string> used_;
  uint32_t suffix_ = 0;
  Id glsl_;
};

}  // namespace

void appendFloat(std::string& out, uint64_t bits, uint32_t width, uint32_t encoding) {
  if (width == 32 && encoding == kNone) {
    const auto value = std::bit_cast<float>(uint32_t(bits));
    const uint32_t exponent = uint32_t(bits) >> 23 & 0xFF;
    const bool ordinary = exponent != 255 && (exponent != 0 || (bits & 0x7FFFFFFF) == 0);
    if (!ordinary) return appendHexFloat(out, uint32_t(bits), 8, 23);
    char text[40];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
    return;
  }
  if (width == 64) {
    const auto value = std::bit_cast<double>(bits);
    const uint64_t exponent = bits >> 52 & 0x7FF;
    const bool ordinary = exponent != 0x7FF && (exponent != 0 || (bits << 1) == 0);
    if (!ordinary) return appendHexFloat(out, bits, 11, 52);
    char text[40];
    out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
    return;
  }
  if (width == 16 && encoding == kNone) return appendHexFloat(out, bits & 0xFFFF, 5, 10);
  if (encoding == enums::FPEncodingBFloat16KHR) return appendHexFloat(out, bits & 0xFFFF, 8, 7);
  if (encoding == enums::FPEncodingFloat8E4M3EXT) return appendHexFloat(out, bits & 0xFF, 4, 3);
  if (encoding == enums::FPEncodingFloat8E5M2EXT) return appendHexFloat(out, bits & 0xFF, 5, 2);
  // The assembler has no literals for these formats: print the raw word.
  out += '!';
  appendUnsigned(out, bits);
}

std::string disassemble(const Module& module, const DisassemblyOptions& options) {
  return Disassembler(module, options).run();
}

std::vector<std::string> disassembleInstructions(const Module& module,
                                                 std::span<const uint32_t> instructions) {
  DisassemblyOptions options;
  options.align = false;
  return Disassembler(module, options).some(instructions);
}

}  // namespace coopc::spirv
