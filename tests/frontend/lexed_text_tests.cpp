// Texts lexed before their compile: their tokens are the same as those of a compile that lexes, and replace
// them, or the text cannot be lexed in advance.
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "frontend/lex/lexed_text.hpp"
#include "tests/frontend/preprocess_rows.hpp"
#include "tests/frontend/preprocess_support.hpp"

using namespace coopc::frontend;
using namespace coopc::tests;

namespace {

SharedText share(std::string_view text, std::shared_ptr<const LexedText> lexed) {
  std::shared_ptr<char[]> chars(new char[text.size() + kTextPadding]());
  std::memcpy(chars.get(), text.data(), text.size());
  return {std::move(chars), text.size(), std::move(lexed)};
}

// Everything that the preprocessor produces, as one text.
std::string everything(const SharedText& text, const SharedText& included, bool asText) {
  CompileOptions options;
  options.include = [&](std::string_view name, bool angled, std::string_view,
                        uint32_t depth) -> std::optional<IncludeResult> {
    if (depth > 3) return std::nullopt;
    return IncludeResult{std::string(name) + (angled ? ">" : "\""), "", included};
  };
  options.macros.push_back({"COMMAND(x)", "x ## 1", false});
  SourceManager sources;
  Names names;
  Diagnostics diagnostics(sources);
  PreprocessedSource source;
  std::string out;
  const FileId file = sources.addFile("main.comp", text);
  if (asText)
    out = preprocessToText(options, sources, diagnostics, names, file, &source);
  else
    source = preprocess(options, sources, diagnostics, names, file);
  auto number = [&](uint64_t n) { out += ' ' + std::to_string(n); };
  for (const Token& t : source.tokens) {
    number(static_cast<uint64_t>(t.kind));
    number(t.flags);
    number(t.length);
    number(t.loc.raw);
    number(sources.spellingLoc(t.loc).raw);
    const bool named = t.kind == Tok::Identifier || t.kind == Tok::TypeName || t.kind == Tok::StringLiteral ||
                       t.kind >= Tok::KwFirst;
    if (named)
      out += names.text(t.name());
    else
      number(t.payload);
    if (named && t.kind != Tok::StringLiteral) {
      number(static_cast<uint64_t>(names[t.name()].keyword));
      number(names[t.name()].builtinType);
      number(names[t.name()].builtinName);
      number(names[t.name()].builtinSymbol);
    }
  }
  for (const Literal& l : source.literals) number(l.bits);
  for (const ExtensionEvent& e : source.extensions) number(e.loc.raw);
  for (const PragmaEvent& p : source.pragmas) (out += p.text) += std::to_string(p.loc.raw);
  for (const UnknownExtension& e : source.unknownExtensions)
    (out += names.text(e.name)) += std::to_string(e.loc.raw);
  for (const FileId f : source.includes) out += sources.name(f);
  number(source.version);
  number(source.versionLoc.raw);
  return out + renderText(diagnostics, [&](uint32_t name) { return names.text(NameId(name)); });
}

// Whether the text can be lexed in advance. Checks that its tokens are then the same.
bool sameWhenLexed(std::string_view text, std::string_view included = "\n") {
  const std::shared_ptr<const LexedText> main = LexedText::make(text);
  const std::shared_ptr<const LexedText> other = LexedText::make(included);
  if (main == nullptr && other == nullptr) return false;
  for (const bool asText : {false, true}) {
    const std::string expected = everything(share(text, nullptr), share(included, nullptr), asText);
    const std::string found = everything(share(text, main), share(included, other), asText);
    if (expected == found) continue;
    CAPTURE(text, included, asText);
    CHECK(expected == found);
  }
  return main != nullptr;
}

}  // namespace

TEST_CASE("texts lexed before their compile give the same tokens, texts and messages", "[lexed]") {
  size_t lexed = 0;
  for (const PreprocessRow& row : kPreprocessRows) lexed += sameWhenLexed(row.source);
  CHECK(lexed > std::size(kPreprocessRows) * 3 / 4);
  for (const std::string_view text : {
           "",
           "\xef\xbb\xbf#version 450\nint a;\n",
           "#version 450\r\n#define F(a, b) a##b\r\nint F(x, 1) = F\r\n(1,\r\n2);\r\n",
           "#version 450\n#define F\\\n(x) x\nint F(a), G\n",
           "#version 450\n#define F (x)\nF F(1)\n",
           "#version 450\n#inc\\\nlude \"a\"\nint behind;\n",
           "#version 450\n#include /* a */ <a.h> // b\nint a;\n#include \"b\"",
           "#version 450\n#include a\n#include <a\n#include\n#include \"a\" b\n",
           "#version 450\n#if 0\n#include <a\n#error it's \"off\n#pragma ( \n#else\n#pragma a /* b */ c\\\n "
           "d\n#endif",
           "#version 450\n#error   what   /* a\n b */ is it // this\nint a;\n",
           "#version 450\n/* a */ /* b\n */ # /* c */ define A 1\nint A;\nint b; /* \n */ # define\n",
           "#version 450\n#if 1\n#elif\n#else\n#endif\n#\n#ifdef\n#12\n# #\n#define",
           "#version 450\n#line 7 \"x\"\n__LINE__ __FILE__\n#line 3\n__LINE__\n",
           "#version 450\n#pragma once\n#pragma\n#pragma STDGL x\n#pragma optimize(off)\n",
           "#version 450\n#extension GL_EXT_debug_printf : require\nvoid main() { "
           "debugPrintfEXT(\"a\\n%d/b\", 1); }\n",
           "#version 450\nfloat a = 1.5e\\\n+3f, b = .5, c = 0x\\\n1F;\n",
       }) {
    INFO(text);
    CHECK(sameWhenLexed(text, "#pragma once\n#ifdef B\nint b;\n#endif\n#define B\nint c"));
  }
  // `##` at the start of a line is one token, but two `#` in a skipped group, so this text cannot be lexed in
  // advance.
  CHECK(LexedText::make("#if 0\n##else\n#endif\n") == nullptr);
}

TEST_CASE("what depends on whether a group is active is not lexed before", "[lexed]") {
  for (const std::string_view text : {
           "/* no end",
           "#define A \"x\n",
           "#if 0\n\"no end\n#endif\n",
           "#if 0\n\"a // b\"\n#endif\n",
           "#if 0\n\"a /* b\"\n#endif\n",
           "\"a /\\\n* b\"\n",
           "#if 0\n#include <a//b>\n#endif\n",
           "#if 0\n#include \"a/*b\"\n#endif\n*/\n",
           "#error \"a /* b\"\n*/\n",
           "#pragma a \"//\"\n",
       }) {
    INFO(text);
    CHECK(LexedText::make(text) == nullptr);
  }
}

TEST_CASE("random pieces of text, lexed before and not", "[lexed]") {
  constexpr std::string_view kPieces[] = {"#",
                                          "##",
                                          "\n",
                                          "\n",
                                          "\n",
                                          "\r\n",
                                          " ",
                                          " ",
                                          "\t",
                                          "\\\n",
                                          "/*",
                                          "*/",
                                          "//",
                                          "/",
                                          "\"",
                                          "'",
                                          "<",
                                          ">",
                                          "(",
                                          ")",
                                          ",",
                                          ";",
                                          "...",
                                          ".",
                                          "1",
                                          "0x1F",
                                          "1e+",
                                          "2.5f",
                                          "a",
                                          "F",
                                          "F(",
                                          "COMMAND(",
                                          "G",
                                          "defined",
                                          "int",
                                          "vec4",
                                          "#define F(a, b) a ## b\n",
                                          "#define G F(1, ",
                                          "#define F\\\n(a) a\n",
                                          "#undef F\n",
                                          "#if 1\n",
                                          "#if 0\n",
                                          "#ifdef F\n",
                                          "#ifndef G\n",
                                          "#elif 1\n",
                                          "#else\n",
                                          "#endif\n",
                                          "#error ",
                                          "#pragma ",
                                          "#include \"a\"\n",
                                          "#include <b>",
                                          "#include",
                                          "#line 3\n",
                                          "#version 450\n",
                                          "#extension GL_EXT_debug_printf : enable\n",
                                          "#extension all : warn\n",
                                          "__LINE__",
                                          "__FILE__",
                                          "\"s\\n\"",
                                          "\xc3\xa9",
                                          "@",
                                          "\x01",
                                          "\\"};
  std::mt19937 random(12345);
  size_t lexed = 0;
  constexpr int kRounds = 6000;
  for (int round = 0; round < kRounds; ++round) {
    std::string texts[2] = {round % 4 == 0 ? "" : "#version 450\n", ""};
    for (std::string& text : texts)
      for (size_t n = random() % 24; n != 0; --n) text += kPieces[random() % std::size(kPieces)];
    lexed += sameWhenLexed(texts[0], texts[1]);
  }
  CHECK(lexed > kRounds / 3);
}

TEST_CASE("a compile does not lex what was lexed before", "[lexed]") {
  constexpr std::string_view kText = "#version 450\n#define A 1\nint a = A;\n#if 0\n#endif\nint b;\n";
  // The characters differ from the tokens, so everything that is read must come from the tokens.
  const std::string blank(kText.size(), '?');
  const SharedText none = share("\n", nullptr);
  CHECK(everything(share(blank, LexedText::make(kText)), none, false) ==
        everything(share(kText, nullptr), none, false));
}

TEST_CASE("names of one table are taken over by another", "[lexed]") {
  Names from, to;
  const NameId known = from.intern("vec3"), other = from.intern("something");
  to.intern("first");
  const NameId adopted = to.adopt(from[known]);
  CHECK(to.text(adopted) == "vec3");
  CHECK(to.text(adopted).data() == from.text(known).data());
  CHECK(to[adopted].builtinType == from[known].builtinType);
  CHECK(to.intern("vec3") == adopted);
  CHECK(to.adopt(from[known]) == adopted);
  const NameId own = to.intern("something");
  CHECK(to.adopt(from[other]) == own);
}
