// The text is split into words, and each instruction is read by its row of the grammar. An instruction ends
// where the next one starts, at an opcode or at `%id =`, so it may take several lines. Preceding instructions
// decide what the grammar leaves open: widths of numbers by their types, the selector's type of OpSwitch, the
// set of an extended instruction.
#include "spirv/assembler.hpp"

#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/float_format.hpp"
#include "base/memory_budget.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/grammar_names.hpp"
#include "spirv/literal_operands.hpp"
#include "spirv/literal_string.hpp"

namespace coopc::spirv {
namespace {

constexpr uint32_t kGenerator = 7u << 16;  // SPIRV-Tools' assembler, whose syntax this is
constexpr uint32_t kMaxInstructionWords = 0xFFFF;
constexpr uint32_t kMagic = 0x07230203;

struct Token {
  std::string_view text;
  uint32_t line;
  uint32_t column;

  bool isId() const { return text.size() > 1 && text[0] == '%'; }
  bool isString() const { return text[0] == '"'; }
  bool isImmediate() const { return text[0] == '!'; }
  bool isOpcode() const {
    return text.size() > 2 && text[0] == 'O' && text[1] == 'p' && text[2] >= 'A' && text[2] <= 'Z';
  }
};

bool isIdCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Words are separated by blanks; `;` starts a comment; a string is one word with its quotes.
std::vector<Token> splitWords(std::string_view text) {
  std::vector<Token> words;
  uint32_t line = 1;
  size_t lineStart = 0;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\n') {
      ++line;
      lineStart = ++at;
    } else if (isBlank(text[at])) {
      ++at;
    } else if (text[at] == ';') {
      at = std::min(text.find('\n', at), text.size());
    } else {
      const size_t first = at;
      const Token word{{}, line, static_cast<uint32_t>(first - lineStart + 1)};
      bool quoted = false;
      for (; at < text.size() && (quoted || (!isBlank(text[at]) && text[at] != ';')); ++at) {
        if (text[at] == '\\' && quoted && at + 1 < text.size())
          ++at;
        else if (text[at] == '"')
          quoted = !quoted;
        if (text[at] == '\n') {
          ++line;
          lineStart = at + 1;
        }
      }
      MemoryBudget::growth(words);
      words.push_back(word);
      words.back().text = text.substr(first, at - first);
    }
  }
  return words;
}

// A number's type, as OpTypeInt or OpTypeFloat declares it.
struct NumberFormat {
  uint32_t width = 32;
  bool isFloat = false;
  bool isSigned = false;
  FloatFormat format = kFloat32;
};

std::optional<FloatFormat> floatFormat(uint32_t width, std::optional<uint32_t> encoding) {
  if (!encoding) {
    if (width == 16) return kFloat16;
    if (width == 32) return kFloat32;
    if (width == 64) return kFloat64;
    return std::nullopt;
  }
  if (*encoding == enums::FPEncodingBFloat16KHR) return kBFloat16;
  if (*encoding == enums::FPEncodingFloat8E4M3EXT) return kFloatE4M3;
  if (*encoding == enums::FPEncodingFloat8E5M2EXT) return kFloatE5M2;
  return std::nullopt;
}

int hexDigit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

// Digits with 0x (hexadecimal), with 0 (octal) or decimal, as C++ reads them. No value if it is not a number,
// or beyond 64 bits.
std::optional<uint64_t> digits(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// 0x1.8p+3: bit for bit where the format has the number, otherwise rounded toward zero. An exponent of one
// more than the largest is infinity, or a NaN with these bits, as appendFloat() writes them.
std::optional<uint64_t> hexFloat(std::string_view text, const FloatFormat& format) {
  uint64_t significand = 0;
  int scale = 0;
  bool point = false;
  size_t at = 2;
  size_t count = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '.' && !point) {
      point = true;
      continue;
    }
    const int digit = hexDigit(text[at]);
    if (digit < 0) break;
    ++count;
    if (significand >> 60 != 0) {
      if (!point) scale += 4;
      continue;
    }
    significand = significand << 4 | static_cast<uint64_t>(digit);
    if (point) scale -= 4;
  }
  if (count == 0 || at >= text.size() || (text[at] != 'p' && text[at] != 'P')) return std::nullopt;
  std::string_view power = text.substr(at + 1);
  if (!power.empty() && power[0] == '+') power.remove_prefix(1);
  int exponent = 0;
  const auto [end, failure] = std::from_chars(power.data(), power.data() + power.size(), exponent);
  constexpr int kMaxPower = 100'000;
  if (power.empty() || failure != std::errc() || end != power.data() + power.size() || exponent > kMaxPower ||
      exponent < -kMaxPower)
    return std::nullopt;
  if (significand == 0) return 0;
  exponent += scale + 63;
  while (significand >> 63 == 0) {
    significand <<= 1;
    --exponent;
  }
  // The number is now significand / 2^63 * 2^exponent, where the quotient is at least 1 and less than 2.
  const int lowest = 1 - format.bias();
  if (exponent > format.bias() + 1) return std::nullopt;
  const uint64_t fraction = significand << 1 >> (64 - format.mantissaBits);
  if (exponent >= lowest)
    return static_cast<uint64_t>(exponent + format.bias()) << format.mantissaBits | fraction;
  const int shift = 63 - format.mantissaBits + (lowest - exponent);
  return shift < 64 ? significand >> shift : 0;
}

std::optional<uint64_t> floatBits(std::string_view text, const FloatFormat& format) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  const uint64_t sign = negative ? uint64_t{1} << (format.width() - 1) : 0;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    const std::optional<uint64_t> bits = hexFloat(text, format);
    if (bits) return sign | *bits;
    return std::nullopt;
  }
  if (text.empty() || !(text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) return std::nullopt;
  const char* const last = text.data() + text.size();
  if (format == kFloat32) {  // rounded once
    float value = 0;
    const auto [end, failure] = std::from_chars(text.data(), last, value);
    if (end != last || failure != std::errc()) return std::nullopt;
    return sign | std::bit_cast<uint32_t>(value);
  }
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), last, value);
  if (end != last || failure != std::errc()) return std::nullopt;
  return sign | encodeFloat(format, value);
}

class Assembler {
 public:
  Assembler(std::string_view text, AssemblyError& error) : words_(splitWords(text)), error_(error) {
    for (const OpInfo& info : std::span(kOpTable.ops, opCount()))
      opcodes_.try_emplace(name(info), info.opcode);
    for (const OpAlias& alias : opAliases()) opcodes_.try_emplace(grammarString(alias.nameAt), alias.opcode);
    for (size_t n = 0; n + 1 < words_.size() && !definesZero_; ++n)
      definesZero_ = words_[n].text == kZero && words_[n + 1].text == "=";
  }

  bool run(uint32_t version, std::vector<uint32_t>& out) {
    out_ = {kMagic, version, kGenerator, 0, 0};
    while (at_ < words_.size())
      if (!instruction()) return false;
    constexpr size_t kBound = 3;
    out_[kBound] = bound_;
    out = std::move(out_);
    return true;
  }

 private:
  // An ordinary name if the text defines it. If not, it is the id 0, which some compilers write as an operand
  // of NonSemantic.Shader.DebugInfo's instructions; the disassembler prints it as %0.
  static constexpr std::string_view kZero = "%0";

  static size_t opCount() {
    size_t count = 0;
    for (size_t i = 0; i < kOpTable.size; ++i) count = std::max<size_t>(count, kOpTable.index[i]);
    return count;
  }

  bool fail(const Token& word, std::string message) {
    error_ = {word.line, word.column, std::move(message)};
    return false;
  }
  static std::string quote(std::string_view text) { return "`" + std::string(text) + "`"; }

  bool startsInstruction(size_t at) const {
    if (at >= words_.size()) return true;
    if (words_[at].isId()) return at + 1 < words_.size() && words_[at + 1].text == "=";
    return words_[at].isOpcode();
  }
  // The next operand's word. At the end of the instruction, reports an error and returns nullptr.
  const Token* next(std::string_view wanted) {
    if (!startsInstruction(at_)) return &words_[at_++];
    fail(*opcodeWord_,
         std::string(opcodeWord_->text) + " has too few operands: " + std::string(wanted) + " is missing");
    return nullptr;
  }

  void put(uint32_t word) {
    MemoryBudget::growth(out_);
    out_.push_back(word);
  }
  void putNumber(uint64_t bits, uint32_t width) {
    put(static_cast<uint32_t>(bits));
    if (width > 32) put(static_cast<uint32_t>(bits >> 32));
  }

  uint32_t idOf(std::string_view text) {
    if (text == kZero && !definesZero_) return 0;
    const auto [found, added] = ids_.try_emplace(text, bound_);
    if (added) {
      MemoryBudget::take(2 * sizeof(*found));
      ++bound_;
    }
    return found->second;
  }

  bool instruction() {
    const size_t start = out_.size();
    type_ = result_ = 0;
    generic_ = false;
    const Token& first = words_[at_];
    if (first.isImmediate()) {  // all of its words are given
      opcodeWord_ = &first;
      while (!startsInstruction(at_))
        if (!anyWord(words_[at_++])) return false;
      return true;
    }
    const Token* result = nullptr;
    if (first.isId() && at_ + 1 < words_.size() && words_[at_ + 1].text == "=") {
      result = &first;
      at_ += 2;
      if (at_ == words_.size()) return fail(first, "an opcode is missing after `=`");
    }
    const Token& opcode = words_[at_++];
    opcodeWord_ = &opcode;
    const auto found = opcode.isOpcode() ? opcodes_.find(opcode.text) : opcodes_.end();
    if (found == opcodes_.end()) return fail(opcode, quote(opcode.text) + " is not an opcode");
    op_ = found->second;
    const OpInfo& info = *opInfo(op_);
    if (info.hasResult() && result == nullptr)
      return fail(opcode, std::string(opcode.text) + " has a result: `%id =` is missing");
    if (!info.hasResult() && result != nullptr)
      return fail(opcode, std::string(opcode.text) + " has no result");
    resultWord_ = result;
    operandsAt_ = start + 1;
    put(0);
    if (!list(grammarOperands(info.operandList), false)) return false;
    while (generic_ && !startsInstruction(at_))
      if (!anyWord(words_[at_++])) return false;
    // `!N` after the last operand starts an instruction that is given by its words.
    if (!startsInstruction(at_) && !words_[at_].isImmediate())
      return fail(words_[at_],
                  std::string(opcode.text) + " has too many operands: " + quote(words_[at_].text));
    const size_t count = out_.size() - start;
    if (count > kMaxInstructionWords) return fail(opcode, "the instruction has more than 65535 words");
    out_[start] = static_cast<uint32_t>(count) << 16 | op_;
    remember();
    return true;
  }

  // Records the properties that later instructions need.
  void remember() {
    const auto word = [&](size_t n) {
      return operandsAt_ + n - 1 < out_.size() ? out_[operandsAt_ + n - 1] : 0;
    };
    if (type_ != 0 && result_ != 0) typeOf_[result_] = type_;
    if (op_ == uint32_t(spv::Op::OpTypeInt)) {
      constexpr uint32_t kWidest = 64;
      if (word(2) != 0 && word(2) <= kWidest) numbers_[result_] = {word(2), false, word(3) != 0, {}};
    } else if (op_ == uint32_t(spv::Op::OpTypeFloat)) {
      const bool encoded = out_.size() - operandsAt_ >= 3;
      const auto format = floatFormat(word(2), encoded ? std::optional(word(3)) : std::nullopt);
      if (format) numbers_[result_] = {word(2), true, true, *format};
    } else if (op_ == uint32_t(spv::Op::OpExtInstImport)) {
      sets_[result_] = literalText(std::span(out_).subspan(operandsAt_ + 1));
    }
  }

  bool list(std::span<const OperandInfo> operands, bool inner) {
    for (const OperandInfo& operand : operands) {
      if (generic_) return true;
      if (inner && operand.kind <= OperandKind::IdResult) continue;
      switch (operand.quantifier) {
        case Quantifier::One:
          if (!one(operand.kind)) return false;
          break;
        case Quantifier::Optional:
          if (!startsInstruction(at_) && !one(operand.kind)) return false;
          break;
        case Quantifier::Any:
          while (!generic_ && !startsInstruction(at_))
            if (!one(operand.kind)) return false;
          break;
      }
    }
    return true;
  }

  bool one(OperandKind kind) {
    if (kind == OperandKind::IdResult) {
      if (!id(*resultWord_, kind)) return false;
      result_ = out_.back();
      return true;
    }
    switch (kind) {
      case OperandKind::PairLiteralIntegerIdRef:
        return selectorLiteral() && (generic_ || one(OperandKind::IdRef));
      case OperandKind::PairIdRefLiteralInteger:
        return one(OperandKind::IdRef) && (generic_ || one(OperandKind::LiteralInteger));
      case OperandKind::PairIdRefIdRef:
        return one(OperandKind::IdRef) && (generic_ || one(OperandKind::IdRef));
      default: break;
    }
    const Token* word = next(kindName(kind));
    if (word == nullptr) return false;
    if (word->isImmediate()) {
      generic_ = true;
      return anyWord(*word);
    }
    if (isIdKind(kind)) return id(*word, kind);
    switch (kind) {
      case OperandKind::LiteralInteger: return integer(*word, {32, false, false, {}}, true);
      case OperandKind::LiteralFloat: return number(*word, {32, true, true, kFloat32});
      case OperandKind::LiteralString: return string(*word);
      case OperandKind::LiteralContextDependentNumber: {
        const auto type = numbers_.find(type_);
        if (type == numbers_.end())
          return fail(*word, "the type of this number is not OpTypeInt or OpTypeFloat");
        return number(*word, type->second);
      }
      case OperandKind::LiteralExtInstInteger: return extendedInstruction(*word);
      case OperandKind::LiteralSpecConstantOpInteger: {
        const auto found = opcodes_.find("Op" + std::string(word->text));
        if (found == opcodes_.end() || !opInfo(found->second)->hasResult() ||
            found->second == uint32_t(spv::Op::OpSpecConstantOp))
          return fail(*word, quote(word->text) + " is not an instruction of constants");
        put(found->second);
        return list(grammarOperands(opInfo(found->second)->operandList), true);
      }
      default: return isBitEnum(kind) ? mask(*word, kind) : enumerant(*word, kind);
    }
  }

  bool id(const Token& word, OperandKind kind) {
    if (!word.isId()) return fail(word, "an id is expected, not " + quote(word.text));
    for (const char c : word.text.substr(1))
      if (!isIdCharacter(c))
        return fail(word, quote(word.text) + " is not an id: letters, digits and `_` follow the `%`");
    const uint32_t number = idOf(word.text);
    if (kind == OperandKind::IdResultType) type_ = number;
    put(number);
    return true;
  }

  // A word after `!N`, or `!N` itself.
  bool anyWord(const Token& word) {
    if (word.isImmediate()) {
      const std::optional<uint64_t> value = digits(word.text.substr(1));
      if (!value || *value > 0xFFFFFFFFu) return fail(word, quote(word.text) + " is not a word");
      put(static_cast<uint32_t>(*value));
      return true;
    }
    if (word.isId()) return id(word, OperandKind::IdRef);
    if (word.isString()) return string(word);
    const bool isFloat = word.text.find('.') != std::string_view::npos;
    return number(word, {32, isFloat, false, kFloat32});
  }

  bool string(const Token& word) {
    std::string text;
    const std::string_view given = word.text;
    if (!word.isString() || given.size() < 2) return fail(word, "a string is expected, not " + quote(given));
    size_t i = 1;
    for (; i < given.size() && given[i] != '"'; ++i) {
      if (given[i] == '\\' && i + 1 < given.size()) ++i;
      text += given[i];
    }
    if (i + 1 != given.size()) return fail(word, "the string has no end");
    if (text.find('\0') != std::string::npos) return fail(word, "a zero byte is in the string");
    MemoryBudget::take(text.size());
    appendLiteralText(out_, text);
    return true;
  }

  bool number(const Token& word, const NumberFormat& type) {
    if (!type.isFloat) return integer(word, type, false);
    const std::optional<uint64_t> bits = floatBits(word.text, type.format);
    if (!bits)
      return fail(word, quote(word.text) + " is not a floating-point number of " +
                            std::to_string(type.width) + " bits");
    putNumber(*bits, type.width);
    return true;
  }

  // `either`: the literal has no type, and is signed if it has a sign.
  bool integer(const Token& word, const NumberFormat& type, bool either) {
    std::string_view text = word.text;
    const bool negative = text.size() > 1 && text[0] == '-';
    if (negative) text.remove_prefix(1);
    const std::optional<uint64_t> magnitude = digits(text);
    const std::string what =
        quote(word.text) + " is not an integer of " + std::to_string(type.width) + " bits";
    if (!magnitude) return fail(word, what);
    const bool isSigned = type.isSigned || (either && negative);
    if (negative && !isSigned) return fail(word, quote(word.text) + " is negative, and its type is unsigned");
    const bool hexadecimal = text.size() > 1 && text[0] == '0';
    const uint64_t top = uint64_t{1} << (type.width - 1);
    const uint64_t most = negative ? top : isSigned && !hexadecimal ? top - 1 : top - 1 + top;
    if (*magnitude > most) return fail(word, what);
    uint64_t value = negative ? ~*magnitude + 1 : *magnitude;
    // Narrow signed numbers are sign-extended to a word. Hexadecimal and octal literals may give the sign bit
    // itself.
    if (isSigned && type.width < 64 && (value & top) != 0) value |= ~(top - 1);
    putNumber(value, type.width);
    return true;
  }

  bool selectorLiteral() {
    const Token* word = next("a literal");
    if (word == nullptr) return false;
    if (word->isImmediate()) {
      generic_ = true;
      return anyWord(*word);
    }
    const auto selector = typeOf_.find(out_[operandsAt_]);
    const auto type = selector == typeOf_.end() ? numbers_.end() : numbers_.find(selector->second);
    if (type == numbers_.end() || type->second.isFloat)
      return fail(*word, "the selector of OpSwitch is not an integer that precedes it");
    return number(*word, type->second);
  }

  bool extendedInstruction(const Token& word) {
    constexpr size_t kSet = 2;  // after the type and the result
    const auto set = sets_.find(out_[operandsAt_ + kSet]);
    if (const std::optional<uint64_t> plain = digits(word.text); plain && *plain <= 0xFFFFFFFFu) {
      put(static_cast<uint32_t>(*plain));
    } else {
      if (set == sets_.end())
        return fail(word, "the set of this instruction is not an OpExtInstImport that precedes it");
      const std::optional<uint32_t> number = extInstNumber(set->second, word.text);
      if (!number) return fail(word, quote(word.text) + " is not an instruction of " + set->second);
      put(*number);
    }
    // Its operands are ids; few sets have numbers among them.
    while (!startsInstruction(at_))
      if (!anyWord(words_[at_++])) return false;
    return true;
  }

  bool enumerant(const Token& word, OperandKind kind) {
    const std::optional<uint32_t> value = enumerantValue(kind, word.text);
    if (!value) return fail(word, quote(word.text) + " is not a value of " + std::string(kindName(kind)));
    put(*value);
    const EnumerantInfo* info = enumerantInfo(kind, *value);
    return info->parameterList.count == 0 || list(grammarOperands(info->parameterList), false);
  }

  // A|B. Parameters follow in the order of their bits.
  bool mask(const Token& word, OperandKind kind) {
    uint32_t value = 0;
    std::string_view rest = word.text;
    for (;;) {
      const size_t bar = rest.find('|');
      const std::string_view part = rest.substr(0, bar);
      const std::optional<uint32_t> bit = part == "None" ? 0 : enumerantValue(kind, part);
      if (!bit) return fail(word, quote(part) + " is not a bit of " + std::string(kindName(kind)));
      value |= *bit;
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
    put(value);
    for (uint32_t left = value; left != 0; left &= left - 1) {
      const EnumerantInfo* info = enumerantInfo(kind, left & (~left + 1));
      if (info != nullptr && info->parameterList.count != 0 &&
          !list(grammarOperands(info->parameterList), false))
        return false;
    }
    return true;
  }

  std::vector<Token> words_;
  AssemblyError& error_;
  size_t at_ = 0;  // in words_
  std::vector<uint32_t> out_;
  uint32_t bound_ = 1;
  bool definesZero_ = false;
  std::unordered_map<std::string_view, uint32_t> opcodes_;
  std::unordered_map<std::string_view, uint32_t> ids_;
  std::unordered_map<uint32_t, uint32_t> typeOf_;
  std::unordered_map<uint32_t, NumberFormat> numbers_;
  std::unordered_map<uint32_t, std::string> sets_;

  // The instruction being read.
  const Token* opcodeWord_ = nullptr;
  const Token* resultWord_ = nullptr;
  uint32_t op_ = 0;
  uint32_t type_ = 0;
  uint32_t result_ = 0;
  size_t operandsAt_ = 0;  // in out_
  bool generic_ = false;   // a `!N` was among its operands
};

}  // namespace

std::optional<std::vector<uint32_t>> assemble(std::string_view text, uint32_t version, AssemblyError& error) {
  std::vector<uint32_t> words;
  if (!Assembler(text, error).run(version, words)) return std::nullopt;
  return words;
}

}  // namespace coopc::spirv
