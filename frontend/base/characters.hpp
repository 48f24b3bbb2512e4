// Classes of characters (GLSL 4.60, 3.1), as a table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coopc::frontend {

enum CharClass : uint8_t {
  kCharOther,
  kCharSpace,    ///< blank, tab, vertical tab, form feed
  kCharNewline,  ///< CR, LF
  kCharLetter,   ///< and the underscore
  kCharDigit,
  kCharPunct,
};

constexpr std::array<uint8_t, 256> makeCharClasses() {
  std::array<uint8_t, 256> t{};
  for (char c : {' ', '\t', '\v', '\f'}) t[static_cast<unsigned char>(c)] = kCharSpace;
  for (char c : {'\n', '\r'}) t[static_cast<unsigned char>(c)] = kCharNewline;
  for (int c = 'a'; c <= 'z'; ++c) t[static_cast<size_t>(c)] = kCharLetter;
  for (int c = 'A'; c <= 'Z'; ++c) t[static_cast<size_t>(c)] = kCharLetter;
  for (int c = '0'; c <= '9'; ++c) t[static_cast<size_t>(c)] = kCharDigit;
  t['_'] = kCharLetter;
  for (char c : {'(', ')', '[', ']', '{', '}', '.', ',', ':', '=', ';',  '!', '-', '~', '+',
                 '*', '/', '%', '<', '>', '|', '^', '&', '?', '#', '\\', '@', '$', '`', '"'})
    t[static_cast<unsigned char>(c)] = kCharPunct;
  return t;
}
inline constexpr std::array<uint8_t, 256> kCharClasses = makeCharClasses();

constexpr uint8_t charClass(char c) { return kCharClasses[static_cast<unsigned char>(c)]; }
constexpr bool isWordChar(char c) { return charClass(c) == kCharLetter || charClass(c) == kCharDigit; }
constexpr bool isDigitChar(char c) { return c >= '0' && c <= '9'; }
/// The lower-case form of an ASCII capital; other characters are returned as they are.
constexpr char lowerChar(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
/// Whether two words differ at most in the case of ASCII letters.
constexpr bool equalsIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t n = 0; n < a.size(); ++n)
    if (lowerChar(a[n]) != lowerChar(b[n])) return false;
  return true;
}
constexpr bool isNewlineChar(char c) { return c == '\n' || c == '\r'; }
constexpr int hexDigitValue(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

}  // namespace coopc::frontend
