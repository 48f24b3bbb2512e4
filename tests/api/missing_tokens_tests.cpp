// One token taken out of a valid program is one error, and a second error after it is still reported. Draws
// from the samples, by a fixed seed; what is asserted is the share of the draws.
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

}  // namespace

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
  std::vector<std::string> texts;
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_SAMPLES))
    if (entry.path().extension() == ".comp") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) {
    std::ifstream in(file);
    std::string text(std::istreambuf_iterator<char>(in), {});
    bool second = false;
    if (errorsOf(text, second) == 0) texts.push_back(std::move(text));
  }
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
      {{"{"}, 0.7, 0.97},
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