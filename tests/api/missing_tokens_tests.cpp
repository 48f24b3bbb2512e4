// One token taken out of a valid program is one error, and a second error is still reported; whatever token
// is taken out, added or replaced, a text with an error does not compile. Draws from the samples, by a fixed
// seed; what is asserted is the share of the draws.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"

using namespace coopc;

namespace {

struct Piece {
  size_t begin, length;
};

// The tokens of the lines without directives; comments are blanks.
std::vector<Piece> piecesOf(const std::string& text) {
  std::vector<Piece> pieces;
  static const std::set<std::string> kLong = {
      "<<=", ">>=", "+=", "-=", "*=", "/=", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "++", "--"};
  bool lineStart = true;
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (text.compare(i, 2, "//") == 0 || (c == '#' && lineStart)) {
      for (; i < text.size() && text[i] != '\n'; ++i)
        if (text[i] == '\\') ++i;
    } else if (text.compare(i, 2, "/*") == 0) {
      i = text.find("*/", i) + 2;
    } else if (std::isspace(c) != 0) {
      lineStart = lineStart || c == '\n';
      ++i;
    } else {
      size_t length = 1;
      if (std::isalnum(c) != 0 || c == '_') {
        while (std::isalnum(static_cast<unsigned char>(text[i + length])) != 0 || text[i + length] == '_' ||
               text[i + length] == '.')
          ++length;
      } else if (kLong.count(text.substr(i, 3)) != 0) {
        length = 3;
      } else if (kLong.count(text.substr(i, 2)) != 0) {
        length = 2;
      }
      pieces.push_back({i, length});
      lineStart = false;
      i += length;
    }
  }
  return pieces;
}

size_t errorsOf(const std::string& text, bool& second) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result result = compile(text, "text.comp", options);
  size_t errors = 0;
  second = false;
  for (const Diagnostic& d : result.diagnostics) {
    if (d.severity < Severity::Error) continue;
    if (d.message.find("nosuch") != std::string::npos)
      second = true;
    else
      ++errors;
  }
  return errors;
}

std::vector<std::string> validSamples() {
  std::vector<std::string> files, texts;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_SAMPLES))
    if (entry.path().extension() == ".comp") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    std::ifstream in(file);
    std::string text(std::istreambuf_iterator<char>(in), {});
    bool second = false;
    if (errorsOf(text, second) == 0) texts.push_back(std::move(text));
  }
  return texts;
}

struct Share {
  size_t draws = 0, one = 0, second = 0;
};

Share measure(const std::set<std::string>& tokens, size_t draws, const std::vector<std::string>& texts) {
  Share share;
  std::mt19937 random(34);
  for (size_t tries = 0; share.draws < draws && tries < 100 * draws; ++tries) {
    const std::string& text = texts[random() % texts.size()];
    std::vector<Piece> found;
    for (const Piece& p : piecesOf(text))
      if (tokens.count(text.substr(p.begin, p.length)) != 0) found.push_back(p);
    if (found.empty()) continue;
    const Piece p = found[random() % found.size()];
    std::string without = text;
    without.replace(p.begin, p.length, p.length, ' ');
    without += "\nvoid last() { int a = nosuch; }\n";
    bool second = false;
    const size_t errors = errorsOf(without, second);
    if (errors == 0) continue;  // in a group that is left out, or still valid
    ++share.draws;
    share.one += errors == 1 ? 1 : 0;
    share.second += second ? 1 : 0;
  }
  return share;
}

// Where the second error stands.
enum class Place { Front, End, Inside };

// Where a statement can be inserted inside functions: after each `;` of a body.
std::vector<size_t> statementPlaces(const std::string& text, const std::vector<Piece>& pieces) {
  std::vector<size_t> places;
  size_t braces = 0, parentheses = 0;
  bool inFunction = false;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const char c = text[pieces[i].begin];
    if (c == '(') ++parentheses;
    if (c == ')') --parentheses;
    if (c == '{' && braces++ == 0) inFunction = i > 0 && text[pieces[i - 1].begin] == ')';
    if (c == '}') --braces;
    if (c == ';' && inFunction && braces > 0 && parentheses == 0) places.push_back(pieces[i].begin + 1);
  }
  return places;
}

struct Insertion {
  size_t at;
  std::string text;
};

Insertion secondError(const std::string& text, const std::vector<Piece>& pieces, Place place,
                      std::mt19937& random) {
  const std::string function = "\nvoid extra() { int a = nosuch; }\n";
  if (place == Place::End) return {text.size(), function};
  if (place == Place::Front) return {text.find("void main"), function};
  const std::vector<size_t> places = statementPlaces(text, pieces);
  return {places[random() % places.size()], " nosuch += 1;"};
}

struct Changed {
  size_t draws = 0, silent = 0, lost = 0;
};

// Compiles `draws` texts, each with one changed token and with the second error at this place.
Changed changeTokens(Place place, size_t draws, const std::vector<std::string>& texts) {
  static const char* const kTokens[] = {";", ",", "(", ")", "[", "]", "{",     "}",  "+",   "*",
                                        "=", ".", ":", "?", "x", "3", "float", "if", "for", "const"};
  Changed result;
  std::mt19937 random(34);
  while (result.draws < draws) {
    const std::string& text = texts[random() % texts.size()];
    const std::vector<Piece> pieces = piecesOf(text);
    const Piece token = pieces[random() % pieces.size()];
    const Insertion second = secondError(text, pieces, place, random);
    const std::string other = " " + std::string(kTokens[random() % std::size(kTokens)]) + " ";
    std::string changed = text;
    const size_t kind = random() % 3;  // taken out, added, replaced
    const auto change = [&] {
      changed.replace(token.begin, kind == 1 ? 0 : token.length, kind == 0 ? " " : other);
    };
    const auto insert = [&](std::string& to) { to.insert(second.at, second.text); };
    if (second.at > token.begin && second.at < token.begin + token.length) continue;
    if (second.at <= token.begin) {
      change();
      insert(changed);
    } else {
      insert(changed);
      change();
    }
    std::string alone = text;
    insert(alone);
    bool found = false;
    (void)errorsOf(alone, found);
    if (!found) continue;  // in a group that is left out
    ++result.draws;
    const size_t others = errorsOf(changed, found);
    if (others == 0 && !found) ++result.silent;
    if (!found) ++result.lost;
  }
  return result;
}

}  // namespace

// No changed sample has a surplus `}` after another error, so these texts are written here.
TEST_CASE("an error between functions hides no later one, also where the text has a brace too many") {
  const char* const bodies[] = {
      "foo;\nvoid f() { int a = nosuch; }\n}",
      "void g() { }\nfoo;\nvoid f() { int a = nosuch; } }",
      "void g() { }\nfoo;\nint f() { return nosuch; }\nvoid h() { } }",
      "void g() { } }\nfoo;\nvoid f() { int a = nosuch; }",
      "void g() { }\nfoo;\nlayout(binding = 0) buffer B { int x; };\nvoid f() { x = nosuch; } }",
      "void g() { }\nfoo;\nfloat f(vec4 a) { if (a.x > 0) { return nosuch; } return 1; } }",
  };
  for (const char* body : bodies) {
    INFO(body);
    bool second = false;
    const size_t others = errorsOf("#version 460\n" + std::string(body) + "\nvoid main() { }\n", second);
    CHECK(others >= 1);
    CHECK(second);
  }
}

TEST_CASE("a text with an error does not compile, whatever token is changed, and the error is reported") {
  const std::vector<std::string> texts = validSamples();
  struct Row {
    Place place;
    const char* name;
    double lost;  // the largest share
  };
  // An error is lost if recovery skips it: in the statement or the body that the changed token belongs to, or
  // in what an opening brace in the middle of a declaration encloses.
  const Row rows[] = {
      {Place::Front, "front", 0.005}, {Place::End, "end", 0.005}, {Place::Inside, "inside", 0.06}};
  for (const Row& row : rows) {
    const Changed changed = changeTokens(row.place, 1500, texts);
    INFO(row.name << ": " << changed.lost << " lost of " << changed.draws);
    CHECK(changed.draws == 1500);
    CHECK(changed.silent == 0);
    CHECK(double(changed.lost) <= row.lost * double(changed.draws));
  }
}

// Errors in a construct that lacks a bracket are taken back only if the bracket is reported.
TEST_CASE("a text without a bracket has an error, also where the error is not about the bracket") {
  struct Row {
    const char* body;
    const char* id;
  };
  const Row rows[] = {
      {"void main() { int x; else x = (1; }", "else-without-if"},
      {"groupshared float a[64;\nvoid main() {}", "unknown-type"},
      {"RWStructuredBuffer<float> b[(4;\nvoid main() {}", "unknown-type"},
      {"#extension GL_KHR_cooperative_matrix : require\nvoid main() { coopmat float, 16> m = f(1; }",
       "type-parameters-missing"},
      {"void main() { int f(int a; }", "function-not-global"},
      {"void main() { for (int f() { int x; } }", "function-not-global"},
      {"void main() { while (bool b]) { } }", "condition-declaration"},
      {"[numthreads(8, 8, 14 ]\nvoid main() {}", "hlsl-numthreads"},
  };
  for (const Row& row : rows) {
    INFO(row.body);
    Options options;
    options.targetEnv = TargetEnv::Vulkan1_3;
    const Result result = compile("#version 460\n" + std::string(row.body) + "\n", "text.comp", options);
    CHECK(result.errorCount != 0);
    size_t found = 0;
    for (const Diagnostic& d : result.diagnostics)
      found += d.id == row.id || d.id == "expected-token" ? 1 : 0;
    CHECK(found != 0);
  }
  const std::string nested = "#version 460\nvoid main() {}\nint x = " + std::string(300, '(') + ";\n";
  CHECK(compile(nested, "text.comp", {}).errorCount != 0);
}

TEST_CASE("a function in the header of a loop ends, whatever it lacks") {
  const char* const bodies[] = {
      "void main() { for (int f() { struct S { int 3; }; }",
      "void main() { for (int f() { switch (1) { case 1: int 3; } }",
      "void main() { int x; if (true) for (uniform B { int y; } ; x < 3; ) { x = 1; }\nvoid g() { x = 1; }",
  };
  for (const char* body : bodies) {
    INFO(body);
    CHECK(compile("#version 460\n" + std::string(body) + "\n", "text.comp", {}).errorCount != 0);
  }
}

TEST_CASE("a missing token is one error, and the next error is reported") {
  const std::vector<std::string> texts = validSamples();
  REQUIRE(texts.size() > 15);
  struct Row {
    std::set<std::string> tokens;
    double one, second;  // the least shares
  };
  const Row rows[] = {
      {{";"}, 0.98, 1.0},
      {{")"}, 0.9, 1.0},
      {{"("}, 0.9, 1.0},
      {{"]"}, 0.9, 1.0},
      {{","}, 0.95, 1.0},
      {{"{"}, 0.97, 1.0},
      {{"}"}, 0.8, 0.97},
      {{"+",  "-",  "*",  "/",  "=",  "==", "<", ">", "<=", ">=", "&&", "||",
        "+=", "-=", "*=", "<<", ">>", "&",  "|", "?", ":",  "%",  "!="},
       0.95,
       1.0},
  };
  for (const Row& row : rows) {
    const Share share = measure(row.tokens, 200, texts);
    INFO(*row.tokens.begin() << ": " << share.one << " with one error, " << share.second
                             << " with the second of " << share.draws);
    CHECK(share.draws == 200);
    CHECK(double(share.one) >= row.one * double(share.draws));
    CHECK(double(share.second) >= row.second * double(share.draws));
  }
}