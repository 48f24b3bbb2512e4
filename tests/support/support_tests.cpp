// Tests the shader test runner itself: what it accepts, and above all what it must refuse.
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/diagnostic_coverage.hpp"
#include "tests/support/mutation.hpp"
#include "tests/support/process.hpp"
#include "tests/support/shader_test.hpp"
#include "tests/support/spirv_checks.hpp"
#include "tests/support/temporary_folder.hpp"

namespace coopc::tests {
namespace {

ShaderTestResult runOn(const TemporaryFolder& scratch, const std::string& text, bool update = false) {
  RunnerOptions options;
  options.compiler = COOPC_PRETEND_COMPILER;
  options.root = scratch.path();
  options.scratch = scratch.path();
  options.update = update;
  options.limitSeconds = 2;
  REQUIRE(writeFile(scratch.place("a.comp"), text));
  return runShaderTest(options, "a.comp", 0);
}

}  // namespace

TEST_CASE("directives stand in the comments at the top") {
  Directives d = parseDirectives(
      "// RUN: coopc -O %s\n\n// CHECK-SPIRV\n#version 450\n// RUN: coopc -O0 %s\n"
      "layout(local_size_x = 1) in;\n// RUN: coopc -Os %s\n");
  CHECK(d.runs == std::vector<std::string>{"-O %s", "-O0 %s"});
  CHECK(d.checkSpirv);
  CHECK(d.validate == Validate::both);
  CHECK(parseDirectives("#version 450\n").runs == std::vector<std::string>{"--target-env=vulkan1.3 %s"});
  CHECK(parseDirectives("// VALIDATE: newest bfloat16\n").validate == Validate::newest);
  CHECK_FALSE(parseDirectives("// VALIDATE: newest\n").error.empty());
  CHECK_FALSE(parseDirectives("// RUN: glslc %s\n").error.empty());
  CHECK(parseDirectives("#extension GL_EXT_scalar_block_layout : enable\n").scalarBlockLayout);
}

TEST_CASE("an expectation is written by --update and then compared") {
  TemporaryFolder scratch;
  const std::string ok = "// CHECK-SPIRV\nok\n";
  CHECK_FALSE(runOn(scratch, ok).passed);
  CHECK(runOn(scratch, ok, true).updated);
  std::string expectation;
  REQUIRE(readFile(scratch.place("a.comp.expected"), expectation));
  CHECK(expectation.find("exit: 0\n--- spirv\n") != std::string::npos);
  CHECK(expectation.find("OpEntryPoint GLCompute %main \"main\"") != std::string::npos);
  CHECK(runOn(scratch, ok).passed);
  ShaderTestResult changed = runOn(scratch, "// CHECK-SPIRV\nerror\n");
  CHECK_FALSE(changed.passed);
  CHECK(changed.message.find("- exit: 0") != std::string::npos);
  CHECK(changed.message.find("+ a.comp:2:1: error: pretended [first-kind]") != std::string::npos);
}

TEST_CASE("crashes, hangs, odd exit codes and invalid modules are never an expectation") {
  TemporaryFolder scratch;
  for (const char* what : {"crash", "hang", "odd", "bad"}) {
    CAPTURE(what);
    ShaderTestResult result = runOn(scratch, std::string("// x\n") + what + "\n", true);
    CHECK_FALSE(result.passed);
    CHECK_FALSE(result.updated);
    CHECK_FALSE(result.message.empty());
  }
}

TEST_CASE("changed programs are the same every time, and differ from the original") {
  const std::string text = "#version 450\nvoid main() {\n  int a[3] = {1, 2, 3};\n}\n";
  std::string together;
  for (std::string_view token : cutTokens(text)) together += token;
  CHECK(together == text);
  Random first(7);
  Random second(7);
  int different = 0;
  for (int i = 0; i < 200; ++i) {
    std::string a = mutate(text, {"coopmat"}, first);
    CHECK(a == mutate(text, {"coopmat"}, second));
    different += a != text ? 1 : 0;
  }
  CHECK(different > 150);
}

TEST_CASE("a changed program that crashes the compiler is kept") {
  TemporaryFolder scratch;
  RunnerOptions options;
  options.compiler = COOPC_PRETEND_COMPILER;
  options.root = scratch.path();
  options.scratch = scratch.path();
  options.limitSeconds = 2;
  REQUIRE(writeFile(scratch.place("a.comp"), "// x\ncrash\n"));
  ShaderTestResult result = runMutations(options, "a.comp", 0, 40, {}, scratch.path());
  CHECK_FALSE(result.passed);
  CHECK(result.message.find("crashed with signal") != std::string::npos);
}

TEST_CASE("each kind of diagnostic needs a test or a reason") {
  TemporaryFolder scratch;
  runOn(scratch, "// x\nerror\n", true);
  const std::string compiler = COOPC_PRETEND_COMPILER;
  const std::string expected = scratch.place("a.comp.expected");
  CHECK(findUncoveredDiagnostics(compiler, {expected}, "") == "no test shows [second-kind]\n");
  const std::string allow = scratch.place("allow.txt");
  REQUIRE(writeFile(allow, "# exceptions\nsecond-kind  # needs 4 GiB\n"));
  CHECK(findUncoveredDiagnostics(compiler, {expected}, allow).empty());
  REQUIRE(writeFile(allow, "first-kind\nsecond-kind\nthird-kind\n"));
  std::string faults = findUncoveredDiagnostics(compiler, {expected}, allow);
  CHECK(faults.find("[first-kind], which a test shows") != std::string::npos);
  CHECK(faults.find("[third-kind], which the compiler does not know") != std::string::npos);
}

TEST_CASE("a module's environment follows its version where none is given") {
  CHECK(validationEnvironment("", {0x07230203u, 0x10300u}) == "vulkan1.1");
  CHECK(validationEnvironment("", {0x07230203u, 0x10600u}) == "vulkan1.3");
  CHECK(validationEnvironment("vulkan1.1", {0x07230203u, 0x10400u}) == "vulkan1.1spv1.4");
  CHECK(validationEnvironment("vulkan1.4", {0x07230203u, 0x10600u}) == "vulkan1.4");
}

TEST_CASE("a program that is not there is told from one that fails") {
  CHECK_FALSE(runProcess({"/nonexistent/program"}, "", 5).started);
  ProcessResult result = runProcess({"sh", "-c", "echo out; echo err >&2; exit 3"}, "", 5);
  CHECK(result.exited());
  CHECK(result.exitCode == 3);
  CHECK(result.stdoutText == "out\n");
  CHECK(result.stderrText == "err\n");
}

}  // namespace coopc::tests
