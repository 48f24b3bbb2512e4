// The parser on long, deeply nested or broken texts, and the program that it builds.
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "frontend/program/walk.hpp"
#include "tests/frontend/parse_support.hpp"

using namespace coopc::frontend;
using coopc::tests::Parsed;

namespace {

std::string repeat(std::string_view piece, size_t times) {
  std::string s;
  for (size_t i = 0; i < times; ++i) s += piece;
  return s;
}

}  // namespace

TEST_CASE("length is not depth") {
  CHECK(Parsed("void main() { float a = 1.0; float b = a" + repeat(" + a", 100000) + "; }\n").ids() == "");
  CHECK(Parsed("void main() { int i = 0; if (i == 1) {} " + repeat("else if (i == 2) {}\n", 10000) + " }\n")
            .ids() == "");
  CHECK(Parsed("void main() { int i = 0; " + repeat("i = i * 2;\n", 20000) + " }\n").ids() == "");
  CHECK(Parsed("void main() { int a[20000] = {" + repeat("1, ", 20000) + "}; }\n").ids() == "");
  std::string labels = "void main() { int i = 0; switch (i) {";
  for (int k = 0; k < 20000; ++k) labels += "case " + std::to_string(k) + ":\n";
  CHECK(Parsed(labels + "i = 1; } }\n").ids() == "");
}

TEST_CASE("depth ends in a diagnostic") {
  const size_t n = 100000;
  for (const std::string& text :
       {"void main() { int a = " + repeat("(", n) + "1" + repeat(")", n) + "; }",
        "void main() { int a = " + repeat("- ", n) + "1; }",
        "void main() { " + repeat("{", n) + repeat("}", n) + " }",
        "void main() { " + repeat("if (true) ", n) + "; }",
        "void main() { " + repeat("for (;;) ", n) + "break; }",
        "void main() { int a; a " + repeat("= a ", n) + "; }",
        "void main() { int a = " + repeat("true ? 1 : ", n) + "1; }",
        "void main() { int a[1]; a" + repeat("[0", n) + repeat("]", n) + "; }",
        "float a" + repeat("[1]", n) + "; void main() {}",
        "float a[] = " + repeat("{", n) + repeat("}", n) + "; void main() {}",
        "void main() { " + repeat("do ", n) + ";" + repeat(" while (true);", n) + " }",
        "void main() { " + repeat("switch (1) { default: ", n) + ";" + repeat("}", n) + " }",
        repeat("struct S { ", n) + "int a;" + repeat(" } s;", n) + " void main() {}"}) {
    Parsed p(text);
    INFO(text.substr(0, 60));
    CHECK(p.diagnostics.fatal());
    CHECK(p.ids().find("nesting-limit") != std::string::npos);
  }
}

TEST_CASE("nesting up to the limit is accepted") {
  const size_t n = 250;
  CHECK(Parsed("void main() { int a = " + repeat("(", n) + "1" + repeat(")", n) + "; }\n").ids() == "");
  CHECK(Parsed("int f(int x) { return x; } void main() { int a = " + repeat("f(", n) + "1" + repeat(")", n) +
               "; }\n")
            .ids() == "");
  CHECK(Parsed("void main() { " + repeat("if (true) {", n) + repeat("}", n) + " }\n").ids() == "");
  CHECK(Parsed("void main() { " + repeat("for (;;) ", n) + "break; }\n").ids() == "");
  CHECK(Parsed("void main() { " + repeat("{", n) + repeat("}", n) + " }\n").ids() == "");
}

TEST_CASE("one mistake, one error") {
  const struct {
    std::string_view text, ids;
  } cases[] = {
      {"int a int b;\nvoid main() {}", "expected-token"},
      {"void main() { int a = 1 int b = 2; }", "expected-token"},
      {"void main() { int a = (1 + 2; int b = a; }", "expected-token"},
      {"void main() { int a = 1 + ; a = 2; }", "expected-expression"},
      {"void main() { for (int i = 0; i < ; ++i) { i += 1; } int j = 1; }", "expected-expression"},
      {"void main() { for (int i = 0; i < 3; ++i { } int j = 1; }", "expected-token"},
      {"void main() { if (true { int a = 1; } int b = 1; }", "expected-token"},
      {"void main() { while () { break; } }", "expected-expression"},
      {"void main() { switch (1) { case : break; } }", "expected-expression"},
      {"struct S { int a b; };\nS s;\nvoid main() { s.a = 1; }", "expected-token"},
      {"void f(int a, ) {}\nvoid main() {}", "expected-type"},
      {"void main() { flaot x = 1.0; x = 2.0; x += x; }", "unknown-type"},
      {"flaot f(flaot x) { return x; }\nvoid main() { int a = int(f(1.0)); }", "unknown-type unknown-type"},
      {"layout(binding = 0) buffer B { strange a; int b; } b;\nvoid main() { b.a = b.b; }", "unknown-type"},
      {"void main() { int a[2; a[0] = 1; }", "expected-token"},
      {"void main() { do { } while (true) }", "expected-token"},
      {"void main() { vec4 v = vec4(1.0; v.x = 1.0; }", "expected-token"},
      {"int f() { return 1 }\nvoid main() { f(); }", "expected-token"},
      {"void main() { else { } }", "else-without-if"},
      {"layout(binding = 0) raedonly buffer B { int x; } b[4];\nvoid main() {}", "unknown-type"},
      {"layout(binding = 0) devicecoherent buffer B { nonprivate int x; } b[4];\nvoid main() { b[0].x = 1; }",
       "extension-needed extension-needed"},
      {"void main() { [[]] for (;;) { break; } }", "expected-token"},
      {"void f(highp int x);\nvoid f(mediump int x) {}\nvoid main() {}", "function-parameter-differs"},
      {"layout(binding = 0 buffer B { int x; } b;\nvoid main() {}", "expected-token"},
  };
  for (const auto& c : cases) {
    INFO(c.text);
    CHECK(Parsed(c.text).ids() == c.ids);
  }
}

TEST_CASE("several errors in one run, in order") {
  Parsed p(
      "void main() {\n"
      "  int a = 1.5;\n"
      "  break;\n"
      "  int b = ;\n"
      "  undeclared = 1;\n"
      "  int a;\n"
      "}\n");
  CHECK(p.ids() == "no-implicit-conversion break-outside expected-expression undeclared-name redeclaration");
}

TEST_CASE("extensions switch words where their directive stands") {
  // The word is a name before the directive and a keyword after it.
  CHECK(Parsed("int coopmat = 1;\nint demote;\nvoid main() { coopmat = demote; }\n").ids() == "");
  CHECK(Parsed("#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable\nfloat16_t a;\n"
               "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : disable\nfloat16_t b;\nvoid "
               "main() {}\n")
            .ids() == "extension-needed");
  CHECK(Parsed("float16_t a;\n#extension GL_EXT_shader_explicit_arithmetic_types : enable\nfloat16_t "
               "b;\nvoid main() {}\n",
               true)
            .ids()
            .substr(0, 16) == "extension-needed");
}

TEST_CASE("type parameters end at `>` and share `>>`") {
  Parsed p(
      "#extension GL_KHR_cooperative_matrix : require\n"
      "void f(coopmat<float, gl_ScopeSubgroup, 16, (32 >> 1), gl_MatrixUseA> m) {}\n"
      "void main() { coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA> m = "
      "coopmat<float, gl_ScopeSubgroup, 16, 16, gl_MatrixUseA>(0.0); f(m); }\n");
  CHECK(p.ids() == "");
}

TEST_CASE("reachability follows calls, callbacks and initializers of globals") {
  Parsed p(
      "layout(binding = 0) buffer B { float x; } b;\n"
      "layout(binding = 1) buffer C { float x; } c;\n"
      "layout(constant_id = 0) const int used = 1;\n"
      "layout(constant_id = 1) const int unused = 1;\n"
      "float leaf() { return b.x; }\n"
      "float never() { return c.x + float(unused); }\n"
      "float g = leaf();\n"
      "float h = 1.0;\n"
      "float size[used + 1];\n"
      "void main() { float t = g + size[0]; }\n");
  REQUIRE(p.ids() == "");
  CHECK(p.program.functions[p.function("leaf")].reachable);
  CHECK_FALSE(p.program.functions[p.function("never")].reachable);
  CHECK(p.program.variables[p.variable("b")].used);
  CHECK_FALSE(p.program.variables[p.variable("c")].used);
  CHECK(p.program.variables[p.variable("used")].used);
  CHECK_FALSE(p.program.variables[p.variable("unused")].used);
  CHECK_FALSE(p.program.variables[p.variable("h")].used);
  CHECK(p.program.entryPoint == p.function("main"));
}

TEST_CASE("recursion is reported once for a cycle, with its calls") {
  Parsed p(
      "int a(int x); int b(int x); int c(int x);\n"
      "int a(int x) { return b(x) + b(x); }\n"
      "int b(int x) { return c(x); }\n"
      "int c(int x) { return a(x); }\n"
      "int alone(int x) { return alone(x); }\n"
      "void main() {}\n");
  CHECK(p.ids() == "recursion recursion");
  CHECK(p.diagnostics.all()[0].notes.size() == 3);
  CHECK(p.diagnostics.all()[1].notes.size() == 1);
  // A diamond is not a cycle.
  CHECK(
      Parsed(
          "int d() { return 1; } int l() { return d(); } int r() { return d(); }\nvoid main() { l(); r(); }")
          .ids() == "");
  // Must take neither quadratic time nor deep recursion: a chain of 20,000 functions, each with two calls of
  // the next.
  std::string ladder = "void f0() {}\n";
  for (int i = 1; i < 20000; ++i) {
    const std::string callee = "f" + std::to_string(i - 1) + "();";
    ladder += "void f" + std::to_string(i) + "() { " + callee + " " + callee + " }\n";
  }
  CHECK(Parsed(ladder + "void main() { f19999(); }\n").ids() == "");
}

TEST_CASE("a function's expressions are a range, its parameters too") {
  Parsed p(
      "float f(float a, out int b);\nfloat f(float x, out int y) { y = 2; return x * 2.0; }\nvoid main() "
      "{}\n");
  REQUIRE(p.ids() == "");
  const Function& f = p.program.functions[p.function("f")];
  CHECK(f.params.size() == 2);
  CHECK(p.names.text(p.program.variables[f.params[0]].name) == "x");
  CHECK(p.program.variables[f.params[1]].direction == Direction::Out);
  CHECK(p.program.variables[f.params[1]].owner == p.function("f"));
  CHECK(f.exprs.size() > 0);
  for (const ExprId e : f.exprs) CHECK(p.program.exprs.contains(e));
}

TEST_CASE("loop and selection controls in mask order") {
  Parsed p(
      "#extension GL_EXT_control_flow_attributes2 : require\n"
      "#extension GL_EXT_control_flow_attributes : require\n"
      "void main() {\n"
      "  [[unroll, partial_count(7), min_iterations(3), dont_unroll]] for (int i = 0; i < 4; ++i) {}\n"
      "  [[branch]] if (true) {} else [[flatten]] if (false) {}\n"
      "}\n");
  REQUIRE(p.ids() == "");
  const Stmt* loop = nullptr;
  std::vector<uint32_t> selections;
  for (const Stmt& s : p.program.stmts) {
    if (s.kind == StmtKind::For) loop = &s;
    if (s.kind == StmtKind::If) selections.push_back(s.selectionControl());
  }
  REQUIRE(loop);
  CHECK(loop->loopControl() == (0x2u | 0x10u | 0x100u));
  const auto parameters = p.program.loopParameters(*loop);
  CHECK(std::vector<uint32_t>(parameters.begin(), parameters.end()) == std::vector<uint32_t>{3, 7});
  CHECK(selections == std::vector<uint32_t>{1, 2});
}

TEST_CASE("misspelled names get suggestions") {
  const struct {
    std::string_view text, better;
  } cases[] = {
      {"void main() { flaot x; }", "float"},
      {"float height;\nvoid main() { heigth = 1.0; }", "height"},
      {"layout(bindnig = 0) buffer B { int x; } b;\nvoid main() {}", "binding"},
      {"void main() { float a = sqtr(1.0); }", "sqrt"},
      {"struct Particle { int a; };\nvoid main() { Partcile p; }", "Particle"},
  };
  for (const auto& c : cases) {
    Parsed p(c.text);
    INFO(c.text);
    REQUIRE(!p.diagnostics.all().empty());
    CHECK(p.diagnostics.all()[0].suggestion == c.better);
  }
  // No name is similar.
  Parsed p("void main() { qqqqqqqq = 1; }");
  REQUIRE(!p.diagnostics.all().empty());
  CHECK(p.diagnostics.all()[0].suggestion.empty());
}

TEST_CASE("the walks visit every part") {
  Parsed p(
      "float f(float x) { return x; }\n"
      "void main() { float a = f(1.0) + (true ? f(2.0) : vec2(f(3.0)).x); for (int i = 0; i < int(f(4.0)); i "
      "+= int(f(5.0))) "
      "{ do { if (f(6.0) > 1.0) return; } while (f(7.0) > 0.0); } switch (int(f(8.0))) { case 1: f(9.0); } "
      "}\n");
  REQUIRE(p.ids() == "");
  uint32_t calls = 0;
  std::vector<StmtId> stmts{p.program.functions[p.function("main")].body};
  std::vector<ExprId> exprs;
  while (!stmts.empty()) {
    const Stmt s = p.program.stmts[stmts.back()];
    stmts.pop_back();
    forEachPart(
        p.program, s, [&](StmtId id) { stmts.push_back(id); }, [&](ExprId id) { exprs.push_back(id); });
  }
  while (!exprs.empty()) {
    const Expr e = p.program.exprs[exprs.back()];
    exprs.pop_back();
    if (e.op == ExprOp::Call) ++calls;
    forEachOperand(p.program, e, [&](ExprId id) { exprs.push_back(id); });
  }
  // The selection by the constant `true` may have been folded, so one call may be missing.
  CHECK(calls >= 8);
}

TEST_CASE("what follows an error that is only counted is not counted") {
  std::string text = "void main() {\n";
  for (uint32_t i = 0; i < 150; ++i) text += "  { int x = @; x = nothing; }\n";
  const Parsed p(text + "}\n");
  CHECK(p.diagnostics.all().size() == 100);
  CHECK(p.diagnostics.errorCount() == 300);
}
