// JSON (RFC 8259) for the formats that the library reads and writes: device profiles, lists of jobs,
// reflection. It keeps the library free of dependencies other than SPIR-V's headers, so that a project which
// includes coopc as a folder needs nothing else.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coopc::json {

/// A template, because a value contains members and these contain values: Value must be complete before a
/// member's size is needed.
template <class AnyValue>
struct MemberOf {
  std::string key;
  AnyValue value;
};

/// A value. The members of an object keep their order. If two have the same name, the later one counts.
class Value {
 public:
  enum class Kind : uint8_t {
    Null,
    Bool,
    Unsigned,
    Negative,
    Real,  ///< a number with a point or an exponent, or of more than 64 bits, kept as it is written, because
           ///< nothing here computes with it
    String,
    Array,
    Object
  };
  using Member = MemberOf<Value>;

  Value() = default;  ///< null
  Value(std::nullptr_t) {}
  Value(std::same_as<bool> auto on)
      : kind_(Kind::Bool),
        bits_(on ? 1 : 0) {}  ///< only bool itself, not what
                              ///< converts to it
  Value(double number);  ///< Kind::Real, in the fewest digits that read back as the same number; null for
                         ///< infinities and NaN
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Value(Integer number)
      : kind_(number < 0 ? Kind::Negative : Kind::Unsigned), bits_(static_cast<uint64_t>(number)) {}
  Value(const char* text) : kind_(Kind::String), text_(text) {}
  Value(std::string_view text) : kind_(Kind::String), text_(text) {}
  Value(std::string text) : kind_(Kind::String), text_(std::move(text)) {}
  template <class T>
  Value(const std::vector<T>& items) : kind_(Kind::Array) {
    items_.reserve(items.size());
    for (const T& item : items) items_.emplace_back(item);
  }
  inline Value(std::initializer_list<Member> members);  ///< an object
  static Value array() { return ofKind(Kind::Array); }
  static Value object() { return ofKind(Kind::Object); }
  /// A number of Kind::Real.
  static Value real(std::string text) {
    Value value(std::move(text));
    value.kind_ = Kind::Real;
    return value;
  }

  bool isBool() const { return kind_ == Kind::Bool; }
  bool isUnsigned() const { return kind_ == Kind::Unsigned; }  ///< a non-negative integer of at most 64 bits
  bool isString() const { return kind_ == Kind::String; }
  bool isArray() const { return kind_ == Kind::Array; }
  bool isObject() const { return kind_ == Kind::Object; }

  bool boolean() const { return bits_ != 0; }                 ///< of Kind::Bool
  uint64_t number() const { return bits_; }                   ///< of Kind::Unsigned
  const std::string& text() const { return text_; }           ///< "" of all but strings and Kind::Real
  const std::vector<Value>& items() const { return items_; }  ///< empty unless it is an array
  inline const std::vector<Member>& members() const;          ///< empty unless it is an object
  inline const Value* find(std::string_view key) const;       ///< nullptr if there is no such member

  /// The member with this name, which is added if there is none. The value must be an object, or null, which
  /// becomes one.
  inline Value& operator[](std::string_view key);
  /// Appends to an array.
  void push_back(Value item) { items_.push_back(std::move(item)); }

  /// Each item on its own line, indented by two spaces per level. Bytes that are not UTF-8 are written as
  /// U+FFFD.
  std::string dump() const {
    std::string out;
    write(out, 0);
    return out;
  }

 private:
  static Value ofKind(Kind kind) {
    Value value;
    value.kind_ = kind;
    return value;
  }
  inline void write(std::string& out, size_t depth) const;

  Kind kind_ = Kind::Null;
  uint64_t bits_ = 0;
  std::string text_;
  std::vector<Value> items_;
  std::vector<Member> members_;
};

inline Value::Value(double number) {
  if (!std::isfinite(number)) return;
  char text[40];
  text_.assign(text, std::to_chars(text, text + sizeof text, number).ptr);
  if (text_.find_first_of(".e") == std::string::npos) text_ += ".0";
  kind_ = Kind::Real;
}
inline Value::Value(std::initializer_list<Member> members) : kind_(Kind::Object), members_(members) {}
inline const std::vector<Value::Member>& Value::members() const { return members_; }
inline const Value* Value::find(std::string_view key) const {
  for (size_t n = members_.size(); n-- > 0;)
    if (members_[n].key == key) return &members_[n].value;
  return nullptr;
}
inline Value& Value::operator[](std::string_view key) {
  kind_ = Kind::Object;
  for (Member& member : members_)
    if (member.key == key) return member.value;
  return members_.emplace_back(Member{std::string(key), {}}).value;
}

// --- UTF-8 -------------------------------------------------------------------------------------------------

/// The number of bytes of the character that starts at `at`. If there is none, 0, and `bad` gets the length
/// of the incomplete or invalid sequence, at least 1 (Unicode, table 3-7).
inline size_t characterAt(std::string_view text, size_t at, size_t& bad) {
  const auto byte = [&](size_t n) { return n < text.size() ? static_cast<unsigned char>(text[n]) : 0u; };
  const unsigned first = byte(at);
  bad = 1;
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  const size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  unsigned low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  unsigned high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  for (; bad < length; ++bad, low = 0x80, high = 0xBF)
    if (byte(at + bad) < low || byte(at + bad) > high) return 0;
  return length;
}

/// Appends a text as a JSON string, with its quotes. Bytes that are not UTF-8 are written as U+FFFD.
inline void appendString(std::string& out, std::string_view text) {
  out += '"';
  for (size_t at = 0; at < text.size();) {
    size_t end = at;  // of the characters that stand for themselves: most texts have no others
    while (end < text.size() && static_cast<unsigned char>(text[end]) - 0x20u < 0x60 && text[end] != '"' &&
           text[end] != '\\')
      ++end;
    out.append(text, at, end - at);
    at = end;
    if (at == text.size()) break;
    const char c = text[at];
    size_t bad = 0;
    if (const size_t length = characterAt(text, at, bad); length != 1) {
      out += length != 0 ? text.substr(at, length) : std::string_view("\xEF\xBF\xBD");
      at += length != 0 ? length : bad;
      continue;
    }
    ++at;
    constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kNames = "\"\\bfnrt";
    if (const size_t n = kEscaped.find(c); n != std::string_view::npos) {
      out += '\\';
      out += kNames[n];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char kDigits[] = "0123456789abcdef";
      out += "\\u00";
      out += kDigits[c >> 4];
      out += kDigits[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}
inline std::string stringText(std::string_view text) {
  std::string out;
  appendString(out, text);
  return out;
}

// --- Writing -----------------------------------------------------------------------------------------------

inline void Value::write(std::string& out, size_t depth) const {
  const auto line = [&](size_t deep) { out += "\n" + std::string(2 * deep, ' '); };
  switch (kind_) {
    case Kind::Null: out += "null"; break;
    case Kind::Bool: out += bits_ != 0 ? "true" : "false"; break;
    case Kind::Unsigned: out += std::to_string(bits_); break;
    case Kind::Negative: out += std::to_string(static_cast<int64_t>(bits_)); break;
    case Kind::Real: out += text_; break;
    case Kind::String: appendString(out, text_); break;
    case Kind::Array:
      out += '[';
      for (const Value& item : items_) {
        if (&item != &items_.front()) out += ',';
        line(depth + 1);
        item.write(out, depth + 1);
      }
      if (!items_.empty()) line(depth);
      out += ']';
      break;
    case Kind::Object:
      out += '{';
      for (const Member& member : members_) {
        if (&member != &members_.front()) out += ',';
        line(depth + 1);
        appendString(out, member.key);
        out += ": ";
        member.value.write(out, depth + 1);
      }
      if (!members_.empty()) line(depth);
      out += '}';
      break;
  }
}

// --- Reading -----------------------------------------------------------------------------------------------

/// Reads one JSON text. Errors look like "parse error at line 3, column 7: a value is missing".
class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  bool parse(Value& value, std::string& error) {
    bool good = parseValue(value, 0);
    if (good) {
      skipSpace();
      good = at_ == text_.size() || fail("there is more after the value");
    }
    if (!good) error = error_;
    return good;
  }

 private:
  static constexpr size_t kMaxDepth = 200;

  bool fail(std::string_view why) {
    size_t line = 1, start = 0;
    for (size_t n = 0; n < at_ && n < text_.size(); ++n)
      if (text_[n] == '\n') {
        ++line;
        start = n + 1;
      }
    error_ = "parse error at line " + std::to_string(line) + ", column " + std::to_string(at_ - start + 1) +
             ": " + std::string(why);
    return false;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skipSpace() {
    while (at_ < text_.size() && (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r')) ++at_;
  }
  bool take(char c) {
    skipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool takeWord(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool parseValue(Value& value, size_t depth) {
    skipSpace();
    if (depth == kMaxDepth) return fail("values are nested too deeply");
    switch (peek()) {
      case '{': return parseObject(value, depth);
      case '[': return parseArray(value, depth);
      case '"': {
        std::string text;
        if (!parseString(text)) return false;
        value = Value(std::move(text));
        return true;
      }
      case 't': value = Value(true); return takeWord("true") || fail("a value is missing");
      case 'f': value = Value(false); return takeWord("false") || fail("a value is missing");
      case 'n': value = Value(); return takeWord("null") || fail("a value is missing");
      default: return parseNumber(value);
    }
  }

  bool parseArray(Value& value, size_t depth) {
    ++at_;
    value = Value::array();
    if (take(']')) return true;
    do {
      Value item;
      if (!parseValue(item, depth + 1)) return false;
      value.push_back(std::move(item));
    } while (take(','));
    return take(']') || fail("`,` or `]` is missing");
  }

  bool parseObject(Value& value, size_t depth) {
    ++at_;
    value = Value::object();
    if (take('}')) return true;
    do {
      skipSpace();
      std::string key;
      if (peek() != '"') return fail("the name of a member is missing");
      if (!parseString(key)) return false;
      if (!take(':')) return fail("`:` is missing");
      Value member;
      if (!parseValue(member, depth + 1)) return false;
      value[key] = std::move(member);
    } while (take(','));
    return take('}') || fail("`,` or `}` is missing");
  }

  bool parseNumber(Value& value) {
    const size_t start = at_;
    const auto digits = [&] {
      const size_t first = at_;
      while (peek() >= '0' && peek() <= '9') ++at_;
      return at_ - first;
    };
    const bool negative = takeWord("-");
    const size_t first = at_, count = digits();
    if (count == 0 || (count > 1 && text_[first] == '0')) {
      at_ = count == 0 ? start : first;
      return fail(count == 0 ? "a value is missing" : "a number begins with 0");
    }
    bool whole = true;
    if (takeWord(".")) {
      whole = false;
      if (digits() == 0) return fail("digits are missing");
    }
    if (takeWord("e") || takeWord("E")) {
      whole = false;
      if (!takeWord("+")) takeWord("-");
      if (digits() == 0) return fail("digits are missing");
    }
    const char* from = text_.data() + start;
    const char* to = text_.data() + at_;
    if (uint64_t number = 0; whole && !negative && std::from_chars(from, to, number).ec == std::errc()) {
      value = Value(number);
      return true;
    }
    if (int64_t number = 0; whole && negative && std::from_chars(from, to, number).ec == std::errc()) {
      value = Value(number);
      return true;
    }
    value = Value::real(std::string(from, to));
    return true;
  }

  bool parseString(std::string& out) {
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        ++at_;
        return true;
      }
      if (static_cast<unsigned char>(c) < 0x20) return fail("a control character is not escaped");
      if (c == '\\') {
        if (!parseEscape(out)) return false;
        continue;
      }
      size_t bad = 0;
      const size_t length = characterAt(text_, at_, bad);
      if (length == 0) return fail("a string is not UTF-8");
      out += text_.substr(at_, length);
      at_ += length;
    }
    return fail("`\"` is missing");
  }

  bool parseEscape(std::string& out) {
    ++at_;
    constexpr std::string_view kNames = "\"\\/bfnrt", kCharacters = "\"\\/\b\f\n\r\t";
    if (const size_t n = kNames.find(peek()); at_ < text_.size() && n != std::string_view::npos) {
      out += kCharacters[n];
      ++at_;
      return true;
    }
    uint32_t unit = 0;
    if (!takeWord("u") || !parseHex(unit)) return fail("there is no such escape");
    if (unit >= 0xD800 && unit < 0xDC00) {
      uint32_t low = 0;
      if (!takeWord("\\u") || !parseHex(low) || low < 0xDC00 || low > 0xDFFF)
        return fail("half of a surrogate pair is missing");
      unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    } else if (unit >= 0xDC00 && unit <= 0xDFFF) {
      return fail("half of a surrogate pair is missing");
    }
    appendUtf8(out, unit);
    return true;
  }

  bool parseHex(uint32_t& unit) {
    if (text_.size() - at_ < 4) return false;
    const char* from = text_.data() + at_;
    at_ += 4;
    return std::from_chars(from, from + 4, unit, 16).ptr == from + 4;
  }

  static void appendUtf8(std::string& out, uint32_t c) {
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if (c < 0x800) {
      out += static_cast<char>(0xC0 | c >> 6);
      tail(0);
    } else if (c < 0x10000) {
      out += static_cast<char>(0xE0 | c >> 12);
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xF0 | c >> 18);
      tail(12), tail(6), tail(0);
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
};

/// False, with the reason and its place in `error`, if the text is not JSON.
inline bool parse(std::string_view text, Value& value, std::string& error) {
  return JsonParser(text).parse(value, error);
}

}  // namespace coopc::json
