// Tokens, literals, names, places, renderings; and random bytes, which must end in diagnostics only.
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "frontend/language/keywords.hpp"
#include "frontend/lex/literals.hpp"
#include "tests/frontend/preprocess_support.hpp"

using namespace coopc::frontend;
using namespace coopc::tests;

namespace {

constexpr std::string_view kAllTypes =
    "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : enable\n";

}  // namespace

TEST_CASE("each punctuation has one token", "[lex]") {
  for (unsigned k = static_cast<unsigned>(Tok::LeftParen); k < static_cast<unsigned>(Tok::Hash); ++k) {
    const auto kind = static_cast<Tok>(k);
    const std::string_view spelling = tokenSpelling(kind);
    REQUIRE(!spelling.empty());
    INFO(spelling);
    const Tokens t = preprocessTokens("#version 450\n" + std::string(spelling) + "\n");
    CHECK(t.kinds() == std::vector<Tok>{kind, Tok::End});
    // A line continuation inside makes no difference.
    std::string split = "#version 450\n";
    for (char c : spelling) split += std::string("\\\n") + c;
    CHECK(preprocessTokens(split + "\n").kinds() == std::vector<Tok>{kind, Tok::End});
  }
}

TEST_CASE("each keyword is one, and no other word", "[lex]") {
  for (unsigned k = static_cast<unsigned>(Tok::KwFirst); k < static_cast<unsigned>(Tok::Count); ++k) {
    const std::string_view spelling = tokenSpelling(static_cast<Tok>(k));
    REQUIRE(!spelling.empty());
    CHECK(findKeyword(spelling, hashName(spelling)) == static_cast<Tok>(k));
    const std::string longer = std::string(spelling) + "_";
    CHECK(findKeyword(longer, hashName(longer)) == Tok::Identifier);
  }
}

TEST_CASE("names that were chosen to collide are searched as fast as others", "[lex]") {
  // Names of 16 letters and digits, the second half of which undoes the difference that the first one makes.
  constexpr uint64_t kFactor = 0x9e3779b97f4a7c15u;
  constexpr std::string_view kWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  constexpr size_t kCount = 600;
  const auto afterFirstHalf = [&](uint64_t first) {
    const uint64_t h = (16 * kFactor ^ first) * kFactor;
    return h ^ h >> 32;
  };
  const auto word = [](std::string_view text) {
    uint64_t bits = 0;
    for (size_t n = 8; n-- > 0;) bits = bits << 8 | static_cast<unsigned char>(text[n]);
    return bits;
  };
  const uint64_t state = afterFirstHalf(word("abcdefgh")) ^ word("ijklmnop");
  std::mt19937_64 engine(1);
  std::vector<std::string> names;
  while (names.size() < kCount) {
    std::string name(16, 'a');
    for (size_t n = 0; n < 8; ++n) name[n] = kWord[engine() % (n == 0 ? 52 : kWord.size())];
    const uint64_t rest = afterFirstHalf(word(name)) ^ state;
    for (size_t n = 0; n < 8; ++n) name[8 + n] = static_cast<char>(rest >> 8 * n);
    if (name.find_first_not_of(kWord) == std::string::npos) names.push_back(name);
  }
  Names table;
  std::vector<NameId> ids;
  for (const std::string& name : names) {
    REQUIRE(hashName(name) == hashName("abcdefghijklmnop"));
    ids.push_back(table.intern(name));
  }
  CHECK(table.longestProbe() < kCount / 2);
  for (size_t n = 0; n < kCount; ++n) {
    CHECK(table.find(names[n]) == ids[n]);
    CHECK(table.text(ids[n]) == names[n]);
  }
}

TEST_CASE("numbers have the type of their suffix and the nearest value", "[lex]") {
  struct {
    std::string_view text;
    Tok kind;
    uint64_t bits;
  } const integers[] = {
      {"0", Tok::IntLiteral, 0},
      {"42", Tok::IntLiteral, 42},
      {"2147483648", Tok::IntLiteral, 0x80000000u},
      {"4294967295", Tok::IntLiteral, 0xffffffffu},
      {"0xFFFFFFFF", Tok::IntLiteral, 0xffffffffu},
      {"0Xab", Tok::IntLiteral, 0xab},
      {"037777777777", Tok::IntLiteral, 0xffffffffu},
      {"5u", Tok::UintLiteral, 5},
      {"5U", Tok::UintLiteral, 5},
      {"5l", Tok::Int64Literal, 5},
      {"0x1FFFFFFFFL", Tok::Int64Literal, 0x1ffffffffu},
      {"18446744073709551615uL", Tok::Uint64Literal, ~uint64_t{0}},
      {"7s", Tok::Int16Literal, 7},
      {"0xFFFFS", Tok::Int16Literal, 0xffff},
      {"65535us", Tok::Uint16Literal, 65535},
  };
  for (const auto& row : integers) {
    INFO(row.text);
    const Tokens t = preprocessTokens(std::string(kAllTypes) + std::string(row.text));
    CHECK(t.ids.empty());
    REQUIRE(t.source.tokens.size() >= 2);
    const Token& token = t.source.tokens[t.source.tokens.size() - 2];
    CHECK(token.kind == row.kind);
    CHECK(t.source.literals[token.payload].bits == row.bits);
  }
  struct {
    std::string_view text;
    Tok kind;
    double value;
  } const floats[] = {
      {"1.0", Tok::FloatLiteral, 1.0},
      {"1.", Tok::FloatLiteral, 1.0},
      {".5", Tok::FloatLiteral, 0.5},
      {"1e3", Tok::FloatLiteral, 1000.0},
      {"1E+3f", Tok::FloatLiteral, 1000.0},
      {"1e-3F", Tok::FloatLiteral, static_cast<double>(1e-3f)},
      {"0.1", Tok::FloatLiteral, static_cast<double>(0.1f)},
      {"0.1lf", Tok::DoubleLiteral, 0.1},
      {"0.1LF", Tok::DoubleLiteral, 0.1},
      {"0.5hf", Tok::HalfLiteral, 0.5},
      {"08.5", Tok::FloatLiteral, 8.5},
      {"16777217.0", Tok::FloatLiteral, 16777216.0},
      {"1.00000005960464484", Tok::FloatLiteral, static_cast<double>(1.00000005960464484f)},
      {"1e-60", Tok::FloatLiteral, 0.0},
      {"0.00000000000000000000000000000000000000000000000000000001", Tok::FloatLiteral, 0.0},
      {"1e-400lf", Tok::DoubleLiteral, 0.0},
      {"1e-3000000000", Tok::FloatLiteral, 0.0},
      {"1e-4294967000", Tok::FloatLiteral, 0.0},
      {"340282346638528859811704183484516925440.0", Tok::FloatLiteral,
       340282346638528859811704183484516925440.0},
  };
  for (const auto& row : floats) {
    INFO(row.text);
    const Tokens t = preprocessTokens(std::string(kAllTypes) + std::string(row.text));
    CHECK(t.ids.empty());
    const Token& token = t.source.tokens[t.source.tokens.size() - 2];
    CHECK(token.kind == row.kind);
    CHECK(std::bit_cast<double>(t.source.literals[token.payload].bits) == row.value);
  }
}

TEST_CASE("what is wrong with a number is said", "[lex]") {
  struct {
    std::string_view text;
    std::string_view ids;
  } const rows[] = {
      {"0x", "hex-number-without-digits"},
      {"0xg", "hex-number-without-digits"},
      {"09", "octal-digit-too-large"},
      {"4294967296", "integer-literal-too-big"},
      {"0x100000000", "integer-literal-too-big"},
      {"99999999999999999999999", "integer-literal-too-big"},
      {"18446744073709551616l", "integer-literal-too-big"},
      {"65536s", "integer-literal-too-big"},
      {"5q", "invalid-number-suffix"},
      {"5lu", "invalid-number-suffix"},
      {"1.0x", "invalid-number-suffix"},
      {"1.0L", "invalid-number-suffix"},
      {"1e", "exponent-without-digits"},
      {"1.e+", "exponent-without-digits"},
      {"1f", "float-without-point"},
      {"1hf", "float-without-point"},
      {"1e50", "float-literal-too-big"},
      {"1e400lf", "float-literal-too-big"},
      {"1e999999999999999999999lf", "float-literal-too-big"},
      {"1e3000000000", "float-literal-too-big"},
      {"340282366920938463463374607431768211456.0", "float-literal-too-big"},
  };
  for (const auto& row : rows) {
    INFO(row.text);
    CHECK(preprocessTokens(std::string(kAllTypes) + std::string(row.text) + " ;").ids == row.ids);
  }
  for (std::string_view text : {"5l", "5ul", "5s", "5us", "1.0hf"}) {
    INFO(text);
    CHECK(preprocessTokens("#version 450\n" + std::string(text)).ids == "literal-needs-extension");
    CHECK(preprocessTokens(std::string(kAllTypes) + std::string(text)).ids.empty());
  }
  CHECK(preprocessTokens("#version 310 es\n1.0lf").ids == "literal-needs-extension");
  // A spelling that an extension allows is refused after the extension is disabled.
  CHECK(preprocessTokens(std::string(kAllTypes) +
                         "5l\n#extension GL_EXT_shader_explicit_arithmetic_types : disable\n5l\n")
            .ids == "literal-needs-extension");
}

TEST_CASE("characters that no token has", "[lex]") {
  CHECK(preprocessTokens("#version 450\n@").messages.find("`@` cannot") != std::string::npos);
  CHECK(preprocessTokens("#version 450\n'").messages.find("`'` cannot") != std::string::npos);
  CHECK(preprocessTokens("#version 450\n\xc3\xa9").messages.find("`\xc3\xa9` (U+00E9) cannot") !=
        std::string::npos);
  CHECK(preprocessTokens("#version 450\n\x80").messages.find("byte 0x80 cannot") != std::string::npos);
  CHECK(preprocessTokens("#version 450\n\x01").messages.find("control character U+0001") !=
        std::string::npos);
  CHECK(preprocessTokens(std::string_view("#version 450\n\0x", 15)).ids == "invalid-character");
  CHECK(preprocessTokens("#version 450\n// \xc3\xa9 \x80\n/* \xff */").ids.empty());
  CHECK(preprocessTokens("\xef\xbb\xbf#version 450\n").ids.empty());
  CHECK(preprocessTokens("#version 450\n#define Q '@\nx").ids.empty());
  CHECK(preprocessTokens("#version 450\na ## b # c \\ d").ids ==
        "invalid-character invalid-character invalid-character");
}

TEST_CASE("strings", "[lex]") {
  const std::string printf = "#version 450\n#extension GL_EXT_debug_printf : enable\n";
  const Tokens t = preprocessTokens(printf + R"("a\n\t\"q\\ \x41\101 % d")");
  CHECK(t.ids.empty());
  REQUIRE(t.source.tokens.size() == 3);
  CHECK(t.names->text(t.source.tokens[1].name()) == "a\n\t\"q\\ AA % d");
  CHECK(preprocessTokens(printf + "\"abc\n").ids == "unterminated-string");
  CHECK(preprocessTokens(printf + "\"abc\\").ids == "unterminated-string");
  CHECK(preprocessTokens("#version 450\n\"abc\"").ids == "string-needs-extension");
}

TEST_CASE("names are found again and classified once", "[lex]") {
  Names names;
  const NameId a = names.intern("alpha");
  std::vector<NameId> ids;
  for (int i = 0; i < 20000; ++i) ids.push_back(names.intern("name" + std::to_string(i)));
  CHECK(names.intern("alpha") == a);
  for (int i = 0; i < 20000; ++i)
    REQUIRE(names.intern("name" + std::to_string(i)) == ids[static_cast<size_t>(i)]);
  CHECK_FALSE(names.find("beta"));
  CHECK(names.find("name7") == ids[7]);
  CHECK(names[names.intern("vec4")].keyword == Tok::TypeName);
  CHECK(names[names.intern("while")].keyword == Tok::KwWhile);
  CHECK(names[names.intern("dot")].keyword == Tok::Identifier);
  CHECK(names[names.intern("dot")].builtinName != 0);
  const std::string longName(100000, 'x');
  CHECK(names.text(names.intern(longName)) == longName);
  CHECK(names.text(a) == "alpha");
}

TEST_CASE("places", "[lex]") {
  SourceManager sources;
  const FileId a = sources.addFile("a", "one\ntwo\r\nthree\n");
  const FileId b = sources.addFile("b", "");
  const FileId c = sources.addFile("c", "x\ny");
  CHECK(sources.resolve(sources.loc(a, 0)).line == 1);
  CHECK(sources.resolve(sources.loc(a, 5)).column == 2);
  CHECK(sources.resolve(sources.loc(a, 9)).line == 3);
  CHECK(sources.resolve(sources.loc(a, 9)).lineText == "three");
  CHECK(sources.resolve(sources.loc(b, 0)).fileName == "b");
  CHECK(sources.resolve(sources.loc(c, 3)).line == 2);
  CHECK(sources.resolve(SourceLoc{}).line == 0);
  const SourceLoc use = sources.loc(c, 2);
  const SourceLoc inner = sources.addExpansion(sources.loc(a, 0), use, 7);
  const SourceLoc nested = sources.addExpansion(sources.loc(a, 4), inner, 8);
  CHECK(sources.fileLoc(nested) == use);
  CHECK(sources.spellingLoc(nested) == sources.loc(a, 4));
  CHECK(sources.macroName(nested) == 8);
  CHECK(sources.resolve(nested).line == 2);
  sources.addLineDirective(sources.loc(a, 0), 100, "named", true);
  CHECK(sources.resolve(sources.loc(a, 5)).line == 100);
  CHECK(sources.resolve(sources.loc(a, 5)).fileName == "named");
  CHECK(sources.resolve(sources.loc(a, 5)).physicalLine == 2);
  CHECK(sources.resolve(sources.loc(a, 9)).line == 101);
  CHECK(sources.resolve(sources.loc(a, 1)).line == 1);
}

TEST_CASE("diagnostics keep to their options", "[diagnostics]") {
  SourceManager sources;
  const FileId file = sources.addFile("f.comp", "\tint x = 08;\n");
  auto run = [&](DiagOptions options) {
    Diagnostics d(sources, options);
    d.report(DiagKind::MacroNameUnderscores, sources.loc(file, 1), {"x"});
    d.report(DiagKind::DefinedFromMacro, sources.loc(file, 1));
    return std::pair{d.errorCount(), d.warningCount()};
  };
  CHECK(run({}) == std::pair{0u, 2u});
  CHECK(run({true, false, false, 100}) == std::pair{0u, 0u});
  CHECK(run({false, true, false, 100}) == std::pair{2u, 0u});
  CHECK(run({false, false, true, 100}) == std::pair{1u, 1u});
  Diagnostics d(sources, {});
  d.report(DiagKind::OctalDigitTooLarge, sources.loc(file, 9), {"8"})
      .note(sources.loc(file, 1), "a note")
      .suggest("0x8");
  ++d.suppress;
  d.report(DiagKind::OctalDigitTooLarge, sources.loc(file, 0), {"9"});
  --d.suppress;
  CHECK(renderText(d) ==
        "f.comp:1:10: error: `8` is not an octal digit, and a literal that starts with 0 is octal "
        "[octal-digit-too-large]\n"
        "    1 | \tint x = 08;\n"
        "      | \t        ^~\n"
        "      = GLSL 4.60, 4.1.3\n"
        "      = did you mean `0x8`?\n"
        "f.comp:1:2: note: a note\n"
        "    1 | \tint x = 08;\n"
        "      | \t^~~\n");
  CHECK(
      renderJson(d) ==
      "[\n{\"id\":\"octal-digit-too-large\",\"severity\":\"error\",\"message\":\"`8` is not an octal digit, "
      "and a literal "
      "that starts with 0 is "
      "octal\",\"file\":\"f.comp\",\"line\":1,\"column\":10,\"length\":2,\"clause\":\"GLSL 4.60, "
      "4.1.3\",\"suggestion\":\"0x8\",\"notes\":[{\"message\":\"a "
      "note\",\"file\":\"f.comp\",\"line\":1,\"column\":2,\"length\":3}]}\n]\n");
  CHECK(renderSummary(1, 2) == "2 warnings and 1 error generated.\n");
  CHECK(renderSummary(0, 0).empty());
  // After a fatal diagnostic no more are added.
  d.report(DiagKind::MacroExpansionTooLarge, sources.loc(file, 0), {1});
  d.report(DiagKind::OctalDigitTooLarge, sources.loc(file, 0), {"9"});
  CHECK(d.fatal());
  CHECK(d.all().size() == 2);
}

TEST_CASE("messages, once formatted, are one line without control characters", "[diagnostics]") {
  SourceManager sources;
  const FileId file = sources.addFile("f", std::string("a\x01") + std::string(500, 'b') + "\xc3\xa9 x");
  Diagnostics d(sources, {});
  d.report(DiagKind::OctalDigitTooLarge, sources.loc(file, 300), {"8"});
  const std::string text = renderText(d);
  CHECK(text.find('\x01') == std::string::npos);
  CHECK(text.find("...") != std::string::npos);
}

TEST_CASE("a long line of bytes that are not UTF-8 is cut like any other", "[diagnostics]") {
  for (const char byte : {'\x80', '\xbf', '\xff'}) {
    SourceManager sources;
    const FileId file = sources.addFile("f", std::string(100000, byte));
    Diagnostics d(sources, {});
    d.report(DiagKind::OctalDigitTooLarge, sources.loc(file, 50000), {"8"});
    CHECK(renderText(d).size() < 1000);
  }
}

// Whether a kind can be reported with arguments of these types.
template <class Kind, class... Args>
constexpr bool kTakes = requires(Diagnostics d, Kind kind, SourceLoc at, Args... args) {
  d.report(kind, at, {args...});
};
template <class Kind>
constexpr bool kTakes<Kind> = requires(Diagnostics d, Kind kind, SourceLoc at) {
  d.report(kind, at);
};

TEST_CASE("a kind is reported with the arguments of its format, or does not compile", "[diagnostics]") {
  using Name = const char*;
  using None = decltype(DiagKind::ArrayOfVoid);
  static_assert(kTakes<None>);

  using Text = decltype(DiagKind::UndeclaredFunction);
  static_assert(kTakes<Text, Name> && kTakes<Text, std::string> && kTakes<Text, std::string_view>);
  static_assert(!kTakes<Text> && !kTakes<Text, Name, Name>);
  static_assert(!kTakes<Text, int> && !kTakes<Text, uint64_t> && !kTakes<Text, bool> && !kTakes<Text, char> &&
                !kTakes<Text, double> && !kTakes<Text, std::nullptr_t>);

  using Integer = decltype(DiagKind::GatherComponent);
  static_assert(kTakes<Integer, int> && kTakes<Integer, unsigned> && kTakes<Integer, int64_t> &&
                kTakes<Integer, size_t> && kTakes<Integer, uint8_t>);
  static_assert(!kTakes<Integer> && !kTakes<Integer, int, int>);
  static_assert(!kTakes<Integer, Name> && !kTakes<Integer, std::string> && !kTakes<Integer, bool> &&
                !kTakes<Integer, char> && !kTakes<Integer, double>);

  using Mixed = decltype(DiagKind::ArgumentString);  // {0:d} and {1}
  static_assert(kTakes<Mixed, int, Name> && !kTakes<Mixed, Name, int> && !kTakes<Mixed, Name, Name> &&
                !kTakes<Mixed, int, int> && !kTakes<Mixed, int> && !kTakes<Mixed, int, Name, Name>);

  // A kind that is only known at run time cannot be reported, because its arguments could not be checked.
  static_assert(!kTakes<DiagKind> && !kTakes<DiagKind, Name>);
}

TEST_CASE("the signature of a format counts its placeholders and knows their kinds", "[diagnostics]") {
  const auto is = [](std::string_view format, size_t count, uint32_t integers) {
    const DiagSignature s = signatureOf(format);
    return s.count == count && s.integers == integers;
  };
  CHECK(is("", 0, 0));
  CHECK(is("{", 0, 0));
  CHECK(is("{x} {} {0:x} {0:d", 0, 0));
  CHECK(is("`{0}`", 1, 0));
  CHECK(is("{0:d}", 1, 1));
  CHECK(is("{2} before {0}", 3, 0));
  CHECK(is("{1:d} of {0} in {3:d}", 4, 0b1010));
}

TEST_CASE("a placeholder has one kind wherever it stands in a format", "[diagnostics]") {
  unsigned looked = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(DiagKind::Count); ++i) {
    const DiagInfo info = diagInfo(static_cast<DiagKind>(i));
    INFO(info.name);
    const DiagSignature signature = signatureOf(info.format);
    for (std::string_view rest = info.format; !rest.empty(); rest.remove_prefix(1)) {
      const DiagPlaceholder p = placeholderAt(rest);
      if (p.length == 0) continue;
      ++looked;
      CHECK((p.kind == DiagArgKind::Integer) == ((signature.integers >> p.index & 1) != 0));
    }
  }
  CHECK(looked > 400);
}

TEST_CASE("every kind has a well-formed message", "[diagnostics]") {
  for (unsigned i = 0; i < static_cast<unsigned>(DiagKind::Count); ++i) {
    const DiagInfo info = diagInfo(static_cast<DiagKind>(i));
    INFO(info.name);
    CHECK(!info.format.empty());
    CHECK(info.format.find(';') == std::string_view::npos);
    CHECK(info.format.back() != '.');
    CHECK(
        !(info.format[0] >= 'A' && info.format[0] <= 'Z' && info.format[1] >= 'a' && info.format[1] <= 'z'));
  }
}

TEST_CASE("random texts end in tokens or diagnostics", "[lex][fuzz]") {
  std::mt19937 random(20261120);
  static constexpr std::string_view kPieces[] = {"#define ",
                                                 "#undef ",
                                                 "#if ",
                                                 "#ifdef ",
                                                 "#else\n",
                                                 "#endif\n",
                                                 "#elif ",
                                                 "#line ",
                                                 "#include \"a\"\n",
                                                 "#pragma ",
                                                 "#extension ",
                                                 "#version 450\n",
                                                 "#error ",
                                                 "defined",
                                                 "A",
                                                 "B",
                                                 "C(",
                                                 "F(x) ",
                                                 "G(x,y) ",
                                                 "x",
                                                 "y",
                                                 "##",
                                                 "#",
                                                 "(",
                                                 ")",
                                                 ",",
                                                 "\n",
                                                 "\r\n",
                                                 "\r",
                                                 "\\\n",
                                                 "\\",
                                                 "/*",
                                                 "*/",
                                                 "//",
                                                 "\"",
                                                 "'",
                                                 " ",
                                                 "\t",
                                                 "1",
                                                 "0x",
                                                 "1e",
                                                 "09",
                                                 "1.5lf",
                                                 "+",
                                                 "-",
                                                 "<<=",
                                                 "&&",
                                                 "||",
                                                 "!",
                                                 "/",
                                                 "%",
                                                 "__LINE__",
                                                 "__FILE__",
                                                 "GL_ES",
                                                 "all",
                                                 ":",
                                                 "enable",
                                                 "GL_EXT_bfloat16",
                                                 "\xc3\xa9",
                                                 "\x80",
                                                 "\xff",
                                                 "0",
                                                 "\n#",
                                                 "\n#define A A B\n",
                                                 "\n#define F(x) x F(x) G(x, x)\n",
                                                 "\n#define G(x,y) x##y y F(\n",
                                                 "F(",
                                                 "G(1,",
                                                 "A B"};
  CompileOptions options;
  options.limits.macroTokens = 20000;
  options.include = [](std::string_view, bool, std::string_view,
                       uint32_t depth) -> std::optional<IncludeResult> {
    if (depth > 3) return std::nullopt;
    return IncludeResult{"a", "A F(1) #\n#if 1\n#include \"a\"\n", {}};
  };
  for (int round = 0; round < 6000; ++round) {
    std::string text;
    if (round % 3 != 0) text = "#version 450\n";
    const unsigned count = random() % 60;
    for (unsigned i = 0; i < count; ++i) {
      if (round % 5 == 0)
        text += static_cast<char>(random() & 255);
      else
        text += kPieces[random() % std::size(kPieces)];
    }
    const Tokens t = preprocessTokens(text, options);
    REQUIRE(!t.source.tokens.empty());
    REQUIRE(t.source.tokens.back().kind == Tok::End);
    preprocessText(text, options);
  }
}
