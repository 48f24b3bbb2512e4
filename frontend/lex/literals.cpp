// Conversion of numbers: integers digit by digit, floats by std::from_chars (which rounds correctly).
#include "frontend/lex/literals.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>

#include "frontend/base/characters.hpp"

namespace coopc::frontend {
namespace {

uint64_t doubleBits(double value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Correctly rounded to T. from_chars reports out-of-range without a value; depending on the exponent it is
// infinity or 0.
template <class T>
T parseFloat(std::string_view text, bool& overflow) {
  T value = 0;
  const std::from_chars_result r = std::from_chars(text.data(), text.data() + text.size(), value);
  if (r.ec != std::errc::result_out_of_range) return value;
  // The number is large if the first significant digit, moved by the exponent, is before the point.
  int64_t exponent = 0;  // `long` has 32 bits on some platforms
  size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    size_t at = e + 1;
    const bool negative = at < text.size() && text[at] == '-';
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    for (; at < text.size() && exponent < 1000000000; ++at) exponent = exponent * 10 + (text[at] - '0');
    if (negative) exponent = -exponent;
  } else {
    e = text.size();
  }
  const size_t point = std::min(text.find('.'), e);
  const size_t digit = text.find_first_of("123456789");
  const int64_t position = static_cast<int64_t>(point) - static_cast<int64_t>(digit);
  overflow = position + exponent > 0;
  return overflow ? std::numeric_limits<T>::infinity() : T{0};
}

// The suffixes of GL_EXT_ocp_microscaling_types, 4.1.4, which must be in lower case.
struct EncodingSuffix {
  std::string_view text;
  Tok kind;
};
constexpr EncodingSuffix kEncodingSuffixes[] = {{"fe2m1", Tok::FloatE2M1Literal},
                                                {"fe2m3", Tok::FloatE2M3Literal},
                                                {"fe3m2", Tok::FloatE3M2Literal},
                                                {"fue8m0", Tok::FloatE8M0Literal},
                                                {"fmxint8", Tok::MxInt8Literal}};

// The kind of a floating-point literal with this suffix; Tok::End if it is not a suffix.
Tok floatKind(std::string_view suffix) {
  if (suffix.empty() || (suffix.size() == 1 && lowerChar(suffix[0]) == 'f')) return Tok::FloatLiteral;
  if (suffix.size() == 2 && lowerChar(suffix[1]) == 'f') {
    if (lowerChar(suffix[0]) == 'l') return Tok::DoubleLiteral;
    if (lowerChar(suffix[0]) == 'h') return Tok::HalfLiteral;
  }
  for (const EncodingSuffix& e : kEncodingSuffixes)
    if (suffix == e.text) return e.kind;
  return Tok::End;
}

struct Suffix {
  bool isUnsigned = false;
  bool isLong = false;
  bool isShort = false;
  bool valid = true;
};

Suffix integerSuffix(std::string_view s) {
  Suffix r;
  size_t i = 0;
  if (i < s.size() && lowerChar(s[i]) == 'u') {
    r.isUnsigned = true;
    ++i;
  }
  if (i < s.size() && lowerChar(s[i]) == 'l') {
    r.isLong = true;
    ++i;
  } else if (i < s.size() && lowerChar(s[i]) == 's') {
    r.isShort = true;
    ++i;
  }
  r.valid = i == s.size();
  return r;
}

// The digits of an integer; false on overflow of 64 bits.
bool accumulate(std::string_view digits, unsigned base, uint64_t& value) {
  bool fits = true;
  for (char c : digits) {
    const auto digit = static_cast<uint64_t>(hexDigitValue(c));
    if (value > (~uint64_t{0} - digit) / base) fits = false;
    value = value * base + digit;
  }
  return fits;
}

}  // namespace

NumberValue convertNumber(std::string_view text) {
  NumberValue r;
  size_t at = 0;
  auto fail = [&](NumberProblem problem, size_t where) {
    r.problem = problem;
    r.suffixAt = static_cast<uint32_t>(where);
  };
  unsigned base = 10;
  size_t first = 0;
  if (text.size() > 1 && text[0] == '0' && lowerChar(text[1]) == 'x') {
    base = 16;
    first = at = 2;
    while (at < text.size() && hexDigitValue(text[at]) >= 0) ++at;
    if (at == first) {
      fail(NumberProblem::HexDigits, at);
      return r;
    }
  } else {
    while (at < text.size() && isDigitChar(text[at])) ++at;
    const size_t digits = at;
    bool isFloat = false;
    if (at < text.size() && text[at] == '.') {
      isFloat = true;
      ++at;
      while (at < text.size() && isDigitChar(text[at])) ++at;
    }
    if (at < text.size() && lowerChar(text[at]) == 'e') {
      isFloat = true;
      ++at;
      if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
      const size_t exponent = at;
      while (at < text.size() && isDigitChar(text[at])) ++at;
      if (at == exponent) {
        r.kind = Tok::FloatLiteral;
        fail(NumberProblem::Exponent, at);
        return r;
      }
    }
    const std::string_view suffix = text.substr(at);
    const Tok kind = floatKind(suffix);
    if (isFloat || (kind != Tok::End && !suffix.empty())) {
      r.suffixAt = static_cast<uint32_t>(at);
      r.kind = kind == Tok::End ? Tok::FloatLiteral : kind;
      const std::string_view digitsText = text.substr(0, at);
      if (r.kind == Tok::FloatLiteral)
        r.bits = doubleBits(static_cast<double>(parseFloat<float>(digitsText, r.overflow)));
      else
        r.bits = doubleBits(parseFloat<double>(digitsText, r.overflow));
      if (!isFloat)
        fail(NumberProblem::NeedsPoint, at);
      else if (kind == Tok::End)
        fail(NumberProblem::Suffix, at);
      return r;
    }
    if (digits > 1 && text[0] == '0') {
      base = 8;
      first = 1;
      const size_t bad = text.substr(0, digits).find_first_of("89");
      if (bad != std::string_view::npos) {
        fail(NumberProblem::OctalDigit, bad);
        return r;
      }
    }
  }
  const Suffix suffix = integerSuffix(text.substr(at));
  r.suffixAt = static_cast<uint32_t>(at);
  bool fits = accumulate(text.substr(first, at - first), base, r.bits);
  if (suffix.isLong) {
    r.kind = suffix.isUnsigned ? Tok::Uint64Literal : Tok::Int64Literal;
  } else if (suffix.isShort) {
    r.kind = suffix.isUnsigned ? Tok::Uint16Literal : Tok::Int16Literal;
    fits = fits && r.bits <= 0xffff;
    r.bits &= 0xffff;
  } else {
    r.kind = suffix.isUnsigned ? Tok::UintLiteral : Tok::IntLiteral;
    fits = fits && r.bits <= 0xffffffffu;
    r.bits &= 0xffffffffu;
  }
  if (!suffix.valid)
    fail(NumberProblem::Suffix, at);
  else if (!fits)
    fail(NumberProblem::TooBig, 0);
  return r;
}

std::optional<ConditionNumber> convertConditionNumber(std::string_view text) {
  unsigned base = 10;
  size_t at = 0;
  if (text.size() > 2 && text[0] == '0' && lowerChar(text[1]) == 'x') {
    base = 16;
    at = 2;
  } else if (text[0] == '0') {
    base = 8;
  }
  const size_t first = at;
  while (at < text.size() && hexDigitValue(text[at]) >= 0 &&
         static_cast<unsigned>(hexDigitValue(text[at])) < base)
    ++at;
  uint64_t value = 0;
  if (at == first || !accumulate(text.substr(first, at - first), base, value)) return std::nullopt;
  int longs = 0;
  int unsigneds = 0;
  for (; at < text.size(); ++at) {
    if (lowerChar(text[at]) == 'u')
      ++unsigneds;
    else if (lowerChar(text[at]) == 'l')
      ++longs;
    else
      return std::nullopt;
  }
  if (longs > 2 || unsigneds > 1) return std::nullopt;
  // A value that only the unsigned type can represent is unsigned.
  const bool isUnsigned =
      unsigneds == 1 || value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return ConditionNumber{value, isUnsigned};
}

}  // namespace coopc::frontend
