// coopc as a process: outputs and their names, dependency rules, standard input and output, exit codes.
#include <chrono>
#include <iterator>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/coopc/folder.hpp"

using namespace coopc::tests;

namespace {

constexpr const char* kGood = "#version 450\nlayout(local_size_x = 2) in;\nvoid main() {}\n";
constexpr const char* kBad = "#version 450\nvoid main() {\n  int a = 09;\n}\n";

}  // namespace

TEST_CASE("outputs have glslc's names") {
  const Folder f;
  f.write("sub/a.comp", kGood);
  f.write("b.comp", kGood);
  ProcessResult r = f.run({"sub/a.comp"});
  CHECK(r.exitCode == 0);
  CHECK(r.stdoutText.empty());
  CHECK(r.stderrText.empty());
  CHECK(isModule(f.read("a.spv")));
  CHECK(f.run({"-c", "sub/a.comp", "b.comp"}).exitCode == 0);
  CHECK(isModule(f.read("a.comp.spv")));
  CHECK(isModule(f.read("b.comp.spv")));
  CHECK(f.run({"-S", "sub/a.comp"}).exitCode == 0);
  CHECK(f.read("a.comp.spvasm").find("OpEntryPoint GLCompute") != std::string::npos);
  CHECK(f.run({"b.comp", "-o", "out.bin"}).exitCode == 0);
  CHECK(isModule(f.read("out.bin")));
  CHECK(f.run({"b.comp", "-oout2.bin"}).exitCode == 0);
  CHECK(f.read("out2.bin") == f.read("out.bin"));
  r = f.run({"b.comp", "-o", "-"});
  CHECK(r.stdoutText == f.read("out.bin"));
  r = f.run({"-E", "b.comp"});
  CHECK(r.stdoutText == "#version 450\nlayout(local_size_x = 2) in;\nvoid main() { }\n");
}

TEST_CASE("the same module in three formats") {
  const Folder f;
  f.write("a.comp", kGood);
  const std::string binary = f.run({"a.comp", "-o", "-"}).stdoutText;
  const ProcessResult numbers = f.run({"-mfmt=num", "a.comp", "-o", "-"});
  CHECK(numbers.stdoutText.substr(0, 22) == "0x07230203,0x00010000,");
  const ProcessResult c = f.run({"-mfmt=c", "a.comp", "-o", "-"});
  CHECK(c.stdoutText == "{" + numbers.stdoutText.substr(0, numbers.stdoutText.size() - 1) + "}\n");
  CHECK(f.run({"a.comp", "--numbers=a.inc", "-o", "a.spv"}).exitCode == 0);
  CHECK(f.read("a.spv") == binary);
  CHECK(f.read("a.inc") == numbers.stdoutText);
  size_t count = 0;
  for (size_t at = numbers.stdoutText.find("0x"); at != std::string::npos;
       at = numbers.stdoutText.find("0x", at + 1))
    ++count;
  CHECK(count * 4 == binary.size());
}

TEST_CASE("the generator's word is 0, or the one that an option gives, in decimal or hexadecimal") {
  const Folder f;
  f.write("a.comp", kGood);
  const auto generator = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"-mfmt=num", "a.comp", "-o", "-"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult r = f.run(arguments);
    return r.exitCode == 0 ? r.stdoutText.substr(22, 10) : std::to_string(r.exitCode);
  };
  CHECK(generator({}) == "0x00000000");
  CHECK(generator({"-fgenerator=2293761"}) == "0x00230001");
  CHECK(generator({"-fgenerator=0x230001"}) == "0x00230001");
  CHECK(generator({"-fgenerator=0xFFFFFFFF"}) == "0xffffffff");
  for (const std::string wrong : {"", "x", "-1", "0x", "0x1FFFFFFFF", "4294967296"})
    CHECK(generator({"-fgenerator=" + wrong}) == "2");
}

TEST_CASE("reflection of a shader is that of its module") {
  const Folder f;
  f.write("a.comp", kGood);
  f.write("b.comp", kBad);
  REQUIRE(f.run({"a.comp"}).exitCode == 0);
  const ProcessResult ofShader = f.run({"--reflect", "a.comp"});
  CHECK(ofShader.exitCode == 0);
  CHECK(ofShader.stdoutText.find("\"stage\": \"compute\"") != std::string::npos);
  CHECK(f.run({"--reflect", "a.spv"}).stdoutText == ofShader.stdoutText);
  CHECK(f.run({"--reflect", "a.spv", "-o", "a.json"}).stdoutText.empty());
  CHECK(f.read("a.json") == ofShader.stdoutText);
  CHECK(f.run({"--reflect", "-"}, f.read("a.spv")).stdoutText == ofShader.stdoutText);

  const ProcessResult onDevice = f.run({"--profile", "lavapipe", "a.spv"});
  CHECK(onDevice.exitCode == 0);
  CHECK(onDevice.stdoutText.find("\"runs\": true") != std::string::npos);
  f.write("profile.json", "[]");
  ProcessResult r = f.run({"--profile", "profile.json", "a.spv"});
  CHECK(r.exitCode == 1);
  CHECK(
      r.stderrText ==
      "coopc: error: cannot use device profile: 'profile.json': the device profile has no list `features`\n");
  CHECK(f.run({"--profile", "none.json", "a.spv"}).exitCode == 1);

  f.write("spec.comp",
          "#version 450\nlayout(local_size_x_id = 3) in;\nlayout(constant_id = 7) const bool B = false;\n"
          "void main() {}\n");
  r = f.run({"--spec", "3=64", "--spec", "7=true", "spec.comp"});
  CHECK(r.exitCode == 0);
  CHECK(r.stderrText.empty());
  CHECK(r.stdoutText.find("\"value\": 64") != std::string::npos);
  CHECK(f.run({"--reflect", "spec.comp"}).stdoutText.find("\"value\": 64") == std::string::npos);
  // The values also decide whether the device runs the module.
  CHECK(f.run({"--profile", "lavapipe", "--spec=3=1024", "spec.comp"}).stdoutText.find("\"runs\": true") !=
        std::string::npos);
  CHECK(f.run({"--profile", "lavapipe", "--spec=3=1025", "spec.comp"}).stdoutText.find("\"runs\": false") !=
        std::string::npos);
  r = f.run({"--spec", "4=1", "spec.comp"});
  CHECK(r.exitCode == 0);
  CHECK(r.stderrText ==
        "coopc: warning: --spec gives SpecId 4 a value, and no specialization constant has it\n");
  CHECK(f.run({"--spec", "3", "spec.comp"}).exitCode == 2);

  CHECK(f.run({"--reflect", "b.comp"}).exitCode == 1);
  CHECK(f.run({"--reflect", "a.comp", "a.spv"}).exitCode == 2);
  f.write("cut.spv", f.read("a.spv").substr(0, 30));
  r = f.run({"--reflect", "cut.spv"});
  CHECK(r.exitCode == 1);
  CHECK(r.stdoutText.find("\"error\"") != std::string::npos);
  CHECK(r.stderrText.find("coopc: error: cannot reflect: 'cut.spv': ") == 0);
}

TEST_CASE("the switch -Wall is of the warnings that are off by default, and so is -Wno-all") {
  const Folder f;
  f.write("w.comp", R"(#version 450
layout(binding = 0) buffer B { float a[]; };
float missing(bool b) {
  if (b) return 1.0;
}
void main() {
  float x;
  a[0] = x + missing(true);
  return;
  a[1] = 2.0;
}
)");
  const auto warnings = [&](std::vector<std::string> switches) {
    switches.insert(switches.end(), {"--diagnostics-format=json", "w.comp"});
    const ProcessResult r = f.run(switches);
    CHECK(r.exitCode == 0);
    std::string found;
    for (const char* id : {"missing-return", "uninitialized", "unreachable-code"})
      if (r.stderrText.find("\"" + std::string(id) + "\"") != std::string::npos)
        found += std::string(id) + " ";
    return found;
  };
  CHECK(warnings({}).empty());
  CHECK(warnings({"-Wall"}) == "missing-return uninitialized unreachable-code ");
  CHECK(warnings({"-Wall", "-Wno-uninitialized"}) == "missing-return unreachable-code ");
  CHECK(warnings({"-Wno-uninitialized", "-Wall"}) == "missing-return uninitialized unreachable-code ");
  CHECK(warnings({"-Wmissing-return", "-Wno-all"}).empty());
  CHECK(f.run({"-Wall", "-Werror", "w.comp"}).exitCode == 1);
}

TEST_CASE("switches of warnings compose in any order: -w, -W, -Wall, -Wno-, -Werror, -fstrict") {
  const Folder f;
  // One warning that is on by default, one that is off and cites a clause, one that is off and cites none.
  f.write("w.comp", R"(#version 450
#define reserved__name 1
layout(binding = 0) writeonly buffer B { uint x[]; };
void main() {
  uint y;
  x[0] = y + atomicAdd(x[1], 1u);
}
)");
  // The identifiers in the order of the reports; `!` marks errors.
  const auto said = [&](std::vector<std::string> switches) {
    switches.insert(switches.end(), {"--diagnostics-format=json", "w.comp"});
    const ProcessResult r = f.run(switches);
    std::string found;
    for (const auto& d : nlohmann::json::parse(r.stderrText.empty() ? "[]" : r.stderrText)) {
      const bool error = d["severity"] == "error";
      found += (error ? " !" : " ") + d["id"].get<std::string>();
    }
    CHECK(r.exitCode == (found.find('!') == std::string::npos ? 0 : 1));
    return found;
  };
  CHECK(said({}) == " macro-name-underscores");
  CHECK(said({"-Wall"}) == " macro-name-underscores uninitialized atomic-writeonly");
  CHECK(said({"-Watomic-writeonly"}) == " macro-name-underscores atomic-writeonly");
  CHECK(said({"-Wall", "-Wno-all"}) == " macro-name-underscores");
  CHECK(said({"-Wno-all", "-Wall"}) == " macro-name-underscores uninitialized atomic-writeonly");
  CHECK(said({"-Wno-macro-name-underscores"}).empty());
  CHECK(said({"-Wall", "-Wno-uninitialized", "-Wno-macro-name-underscores"}) == " atomic-writeonly");
  // -Werror applies to the warnings that are on. `uninitialized` is missing here because only programs
  // without errors are searched for uninitialized reads.
  for (const std::vector<std::string>& order :
       {std::vector<std::string>{"-Werror", "-Wall"}, std::vector<std::string>{"-Wall", "-Werror"}})
    CHECK(said(order) == " !macro-name-underscores !atomic-writeonly");
  CHECK(said({"-Wall", "-Werror", "-Wno-macro-name-underscores", "-Wno-atomic-writeonly"}) ==
        " !uninitialized");
  CHECK(said({"-Werror"}) == " !macro-name-underscores");
  CHECK(said({"-Werror", "-Wno-macro-name-underscores"}).empty());
  // -fstrict applies to warnings that cite a clause, on or off. -Wno-NAME exempts one. -Wno-all only takes
  // back -Wall.
  CHECK(said({"-fstrict"}) == " macro-name-underscores !atomic-writeonly");
  CHECK(said({"-fstrict", "-Wno-all"}) == " macro-name-underscores !atomic-writeonly");
  CHECK(said({"-Wno-atomic-writeonly", "-fstrict"}) == " macro-name-underscores");
  CHECK(said({"-Wno-atomic-writeonly", "-fstrict", "-Wall"}) == " macro-name-underscores !atomic-writeonly");
  CHECK(said({"-Wall", "-fstrict", "-Wno-atomic-writeonly"}) == " macro-name-underscores uninitialized");
  CHECK(said({"-fstrict", "-Wall", "-Werror"}) == " !macro-name-underscores !atomic-writeonly");
  // -w silences what would be warnings.
  CHECK(said({"-w", "-Wall", "-Werror"}).empty());
  CHECK(said({"-Wall", "-fstrict", "-w"}) == " !atomic-writeonly");
}

#ifdef COOPC_TRANSLATES
TEST_CASE("a shader in other languages is its module's, lowered or not") {
  const Folder f;
  f.write("a.comp", kGood);
  f.write("m.comp", R"(#version 450
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Data { float x[]; };
void main() {
  coopmat<float, gl_ScopeSubgroup, 8, 8, gl_MatrixUseAccumulator> m;
  coopMatLoad(m, x, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
  coopMatStore(m + m, x, 0, 8, gl_CooperativeMatrixLayoutRowMajor);
}
)");
  const std::string env = "--target-env=vulkan1.3";
  REQUIRE(f.run({env, "a.comp"}).exitCode == 0);
  REQUIRE(f.run({env, "m.comp", "-o", "m.spv"}).exitCode == 0);
  for (const auto& [name, part] :
       {std::pair{"glsl", "void main()"}, {"hlsl", "numthreads"}, {"msl", "kernel void"}}) {
    const std::string emit = std::string("--emit=") + name;
    const ProcessResult text = f.run({env, emit, "a.comp"});
    CHECK(text.exitCode == 0);
    CHECK(text.stdoutText.find(part) != std::string::npos);
    CHECK(f.run({emit, "a.spv"}).stdoutText == text.stdoutText);
    CHECK(f.run({emit, "a.spv", "-o", "a.txt"}).stdoutText.empty());
    CHECK(f.read("a.txt") == text.stdoutText);
    const ProcessResult matrix = f.run({env, emit, "m.comp"});
    CHECK(matrix.exitCode == 1);
    CHECK(matrix.stderrText ==
          "coopc: error: cannot translate: 'm.comp': the module has cooperative matrices; lower it first "
          "(--lower=none)\n");
    const ProcessResult lowered = f.run({env, emit, "--lower=none", "m.comp"});
    CHECK(lowered.exitCode == 0);
    CHECK(lowered.stdoutText.find(part) != std::string::npos);
    CHECK(f.run({emit, "--lower=none", "m.spv"}).stdoutText == lowered.stdoutText);
  }
  CHECK(f.run({"--emit=wgsl", "a.comp"}).exitCode == 2);
  CHECK(f.run({"--emit=glsl", "a.comp", "m.comp"}).exitCode == 2);
}
#endif

TEST_CASE("standard input") {
  const Folder f;
  ProcessResult r = f.run({"-fshader-stage=compute", "-", "-o", "-"}, kGood);
  CHECK(r.exitCode == 0);
  CHECK(isModule(r.stdoutText));
  // A text from the standard input may name its stage itself.
  r = f.run({"-"}, kGood);
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText.find("<stdin>: error: the stage of `<stdin>` is not known") == 0);
  r = f.run({"-", "-o", "-"}, "#version 450\n#pragma shader_stage(compute)\nvoid main() {}");
  CHECK(r.exitCode == 0);
  CHECK(isModule(r.stdoutText));
  r = f.run({"-fshader-stage=comp", "-"}, "#version 450\nx");
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText.find("<stdin>:2:") == 0);
}

TEST_CASE("exit codes: 1 for the input, 2 for the usage") {
  const Folder f;
  f.write("good.comp", kGood);
  f.write("bad.comp", kBad);
  f.write("warn.comp", std::string(kGood) + "#define a__b\n");
  f.write("text.txt", kGood);
  ProcessResult r = f.run({"bad.comp"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText.find("bad.comp:3:11: error: ") == 0);
  CHECK(r.stderrText.find("1 error generated.\n") != std::string::npos);
  CHECK(!f.has("a.spv"));
  r = f.run({"missing.comp"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText == "coopc: error: cannot open input file: 'missing.comp': No such file or directory\n");
  CHECK(f.run({"good.comp", "-o", "no/such/folder/x.spv"}).exitCode == 1);
  CHECK(f.run({"text.txt"}).exitCode == 1);
  CHECK(f.run({"warn.comp"}).exitCode == 0);
  CHECK(f.run({"-w", "warn.comp"}).stderrText.empty());
  CHECK(f.run({"-Werror", "warn.comp"}).exitCode == 1);
  // One bad file does not keep the others from being compiled.
  r = f.run({"-c", "bad.comp", "good.comp"});
  CHECK(r.exitCode == 1);
  CHECK(f.has("good.comp.spv"));
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"-bogus", "good.comp"},
      {"good.comp", "-o"},
      {"-M", "-MD", "good.comp"},
      {"good.hlsl"},
      {"-fauto-bind-uniforms", "-fhlsl-iomap", "good.comp"},
      {"-flimit=Bogus 1", "good.comp"},
      {"-flimit=MaxLights", "good.comp"},
      {"-flimit=MaxLights x", "good.comp"},
      {"-flimit-file", "missing", "good.comp"},
      {"-fresource-set-binding", "good.comp"},
      {"-fubo-binding-base", "-1", "good.comp"},
      {"good.comp", "good.comp"},
      {"-c", "good.comp", "good.comp", "-o", "x"},
      {"-fshader-stage=pixel", "good.comp"},
      {"--target-env=vulkan9", "good.comp"},
      {"--target-env=opengl3", "good.comp"},
      {"--target-spv=spv2.0", "good.comp"},
      {"-std=451", "good.comp"},
      {"-std=450es", "good.comp"},
      {"-x", "hlsl", "good.comp"},
      {"-x"},
      {"-mfmt=hex", "good.comp"},
      {"-S", "-mfmt=c", "good.comp"},
      {"-S", "-mfmt=bin", "good.comp"},
      {"-M", "-mfmt=c", "good.comp"},
      {"--numbers=", "good.comp"},
      {"--numbers=x", "-S", "good.comp"},
      {"--numbers=x", "good.comp", "-o", "x"},
      {"-MF", "x.d", "good.comp"},
      {"-D=1", "good.comp"},
      {"-fentry-point=", "good.comp"},
      {"-fssbo-binding-base", "many", "good.comp"},
      {"--diagnostics-format=xml", "good.comp"},
      {"@no_such_file"},
      {"-", "-"},
      {""},
  };
  for (const std::vector<std::string>& arguments : wrong) {
    std::string line;
    for (const std::string& a : arguments) line += a + " ";
    INFO(line);
    r = f.run(arguments);
    CHECK(r.exitCode == 2);
    CHECK(r.stderrText.find("coopc: error: ") == 0);
  }
}

TEST_CASE("macros, includes and versions of the command line") {
  const Folder f;
  f.write(
      "src/a.comp",
      "#version 450\n#include \"here.glsl\"\n#include <there.glsl>\n#include \"there.glsl\"\nA B C D E\n");
  f.write("src/here.glsl", "here\n");
  f.write("inc1/there.glsl", "one\n");
  f.write("inc2/there.glsl", "two\n");
  f.write("inc2/here.glsl", "wrong\n");
  ProcessResult r = f.run({"-E", "-Iinc1", "-I", "inc2", "src/a.comp", "-DA=x+1", "-D", "B", "-DC=", "-DD=4",
                           "-UD", "-D", "E(x)=y"});
  CHECK(r.exitCode == 0);
  CHECK(r.stdoutText.find("here") != std::string::npos);
  CHECK(r.stdoutText.find("wrong") == std::string::npos);
  CHECK(r.stdoutText.find("two") == std::string::npos);
  CHECK(r.stdoutText.find("x + 1 D E") != std::string::npos);
  r = f.run({"-E", "-Iinc2", "src/a.comp"});
  CHECK(r.stdoutText.find("two") != std::string::npos);
  // A name that starts with a separator is absolute, or else below the folders.
  f.write("rooted.comp", "#version 450\n#include </there.glsl>\n");
  CHECK(f.run({"-E", "-Iinc2", "rooted.comp"}).stdoutText.find("two") != std::string::npos);
  CHECK(f.run({"-E", "rooted.comp"}).exitCode == 1);
  f.write("v.comp", "__VERSION__\n");
  CHECK(f.run({"-E", "-std=460core", "v.comp"}).stdoutText == "460\n");
  CHECK(f.run({"-E", "-std=320es", "v.comp"}).stdoutText == "320\n");
}

TEST_CASE("dependency rules") {
  const Folder f;
  f.write("a.comp", "#version 450\n#include \"b c.glsl\"\n#include \"b c.glsl\"\nvoid main() {}\n");
  f.write("b c.glsl", "\n");
  CHECK(f.run({"-M", "a.comp"}).stdoutText == "a.comp.spv: a.comp b\\ c.glsl\n");
  CHECK(f.run({"-M", "-MT", "x", "a.comp"}).stdoutText == "x: a.comp b\\ c.glsl\n");
  CHECK(f.run({"-M", "-MF", "m.d", "a.comp"}).stdoutText == f.run({"-M", "a.comp"}).stdoutText);
  CHECK_FALSE(f.has("m.d"));
  CHECK(f.run({"-MD", "a.comp", "-o", "out.spv"}).exitCode == 0);
  CHECK(f.read("out.spv.d") == "out.spv: a.comp b\\ c.glsl\n");
  CHECK(f.run({"-MD", "-o", "o $.spv", "a.comp"}).exitCode == 0);
  CHECK(f.read("o $.spv.d") == "o\\ $$.spv: a.comp b\\ c.glsl\n");
  CHECK(f.run({"-M", "-MT", "x y", "a.comp"}).stdoutText == "x y: a.comp b\\ c.glsl\n");
  CHECK(isModule(f.read("out.spv")));
  CHECK(f.run({"-MD", "-MF", "n.d", "-c", "a.comp"}).exitCode == 0);
  CHECK(f.read("n.d") == "a.comp.spv: a.comp b\\ c.glsl\n");
}

#ifndef _WIN32
// Each odd name is included, and make and Ninja read the rule: after a build there is nothing to do, after a
// change there is, and no part of a name is run as a command.
TEST_CASE("dependency rules with odd names are right for make and Ninja") {
  const char* const names[] = {"plain.glsl",     "sub dir/h#1.glsl", "h$(shell touch MARK).glsl",
                               R"(\first.glsl)", R"(d\ b.glsl)",     R"(c\\ c.glsl)",
                               "a:b.glsl",       "~t=1.glsl",        "per%cent.glsl",
                               "(p).glsl",       "\u00fc.glsl"};
  if (Folder().shell("command -v make && command -v ninja").exitCode != 0)
    SKIP("make and Ninja are not there");
  size_t ran = 0;
  for (const std::string name : names) {
    INFO(name);
    const Folder f;
    f.write(name, "#define A 1\n");
    f.write("a.comp", "#version 450\n#include \"" + name + "\"\nvoid main() {}\n");
    f.write("Makefile", "a.spv: ; @echo REBUILT; touch a.spv\ninclude a.spv.d\n");
    f.write("build.ninja", std::string("rule compile\n  command = '") + COOPC_PROGRAM +
                               "' -MD -MF n.d $in -o $out\n  depfile = n.d\n  deps = gcc\n"
                               "  description = REBUILT\nbuild n.spv: compile a.comp\n");
    REQUIRE(f.run({"-MD", "a.comp", "-o", "a.spv"}).exitCode == 0);
    CHECK(f.shell("ninja").exitCode == 0);
    const auto contains = [](const ProcessResult& r, const char* part) {
      INFO(r.stdoutText + r.stderrText);
      return r.exitCode == 0 && r.stdoutText.find(part) != std::string::npos;
    };
    CHECK(contains(f.shell("make a.spv"), "up to date"));
    CHECK(contains(f.shell("ninja"), "no work to do"));
    std::filesystem::last_write_time(f.place(name),
                                     std::filesystem::last_write_time(f.place(name)) + std::chrono::hours(1));
    CHECK(contains(f.shell("make a.spv"), "REBUILT"));
    CHECK(contains(f.shell("ninja"), "REBUILT"));
    CHECK_FALSE(f.has("MARK"));
    ++ran;
  }
  CHECK(ran == std::size(names));
}
#endif

TEST_CASE("of a macro that the command line defines more than once the last definition counts") {
  const Folder f;
  f.write("a.comp", "#version 450\nlayout(local_size_x = X) in;\nvoid main() {}\n");
  f.write("v.vert", "#version 450\nvoid main() { gl_Position = vec4(X); }\n");
  struct Row {
    std::vector<std::string> macros;
    const char *compute, *vertex;
  };
  const Row rows[] = {
      {{"-DX=1", "-DX=2"}, "LocalSize 2 1 1", "%float 2"},
      {{"-DX", "-DX=2"}, "LocalSize 2 1 1", "%float 2"},
      {{"-DX=1", "-DX=2", "-DX=3"}, "LocalSize 3 1 1", "%float 3"},
      {{"-DX(a)=a", "-DX=2"}, "LocalSize 2 1 1", "%float 2"},
      {{"-DX=1", "-DX=Y", "-DY=4"}, "LocalSize 4 1 1", "%float 4"},
      {{"-DX=1", "-UX", "-DX=5"}, "LocalSize 5 1 1", "%float 5"},
  };
  for (const Row& row : rows) {
    for (const bool vertex : {false, true}) {
      std::vector<std::string> arguments = row.macros;
      arguments.insert(arguments.end(), {"-S", vertex ? "v.vert" : "a.comp", "-o", "-"});
      const ProcessResult r = f.run(arguments);
      INFO(row.macros[0] << (vertex ? " v.vert" : " a.comp"));
      CHECK(r.exitCode == 0);
      CHECK(r.stderrText.empty());
      CHECK(r.stdoutText.find(vertex ? row.vertex : row.compute) != std::string::npos);
    }
  }
  // A definition in the text that differs from the command line's is an error.
  f.write("own.comp", "#version 450\n#define X 3\nvoid main() {}\n");
  CHECK(f.run({"-DX=1", "-DX=2", "own.comp"}).stderrText ==
        "own.comp:2:9: error: macro `X` is redefined with a different body [macro-redefined]\n"
        "    2 | #define X 3\n      |         ^\n      = GLSL 4.60, 3.3\n"
        "<command line>:2:9: note: the first definition is here\n    2 | #define X 2\n      |         ^\n"
        "1 error generated.\n");
}

TEST_CASE("response files") {
  const Folder f;
  f.write("with blank.comp", kGood);
  f.write("args", "-c \"with blank.comp\"\n'-DX=1 2' @more\n");
  f.write("more", "-O\n");
  CHECK(f.run({"@args"}).exitCode == 0);
  CHECK(isModule(f.read("with blank.comp.spv")));
  f.write("marked", "\xEF\xBB\xBF-c -DX=1 'with blank.comp'\r\n");
  CHECK(f.run({"@marked"}).stderrText.empty());
  f.write("loop", "@loop");
  CHECK(f.run({"@loop"}).exitCode == 2);
}

TEST_CASE("a quote without an end is wrong usage") {
  const Folder f;
  f.write("a.comp", kGood);
  f.write("args", "-O '-DX=1 a.comp");
  ProcessResult r = f.run({"@args"});
  CHECK(r.exitCode == 2);
  CHECK(r.stderrText == "coopc: error: quote without an end in response file: 'args'\n");
  CHECK(f.run({"@none"}).stderrText ==
        "coopc: error: cannot open response file: 'none': No such file or directory\n");
  CHECK(f.run({"-flimit-file", "none", "a.comp"}).stderrText ==
        "coopc: error: cannot read limits file: 'none': No such file or directory\n");
  CHECK(f.run({"-j4", "a.comp"}).stderrText ==
        "coopc: error: unknown argument: '-j4' (it is one of --batch)\n");
  f.write("limits", "MaxLights \"3");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"-flimit=MaxLights '3", "a.comp"}, {"-flimit-file", "limits", "a.comp"}}) {
    r = f.run(arguments);
    CHECK(r.exitCode == 2);
    CHECK(r.stderrText == "coopc: error: -flimit error: quote without an end\n");
  }
  CHECK(!f.has("a.spv"));
}

TEST_CASE("no input is written over, and no file is written twice") {
  const Folder f;
  f.write("a.comp", kGood);
  f.write("sub/a.comp", kGood);
  std::filesystem::create_symlink("a.comp", f.place("link"));
  auto refused = [&](const std::vector<std::string>& arguments, const std::string& reason) {
    INFO(reason);
    const ProcessResult r = f.run(arguments);
    CHECK(r.exitCode == 2);
    CHECK(r.stderrText == "coopc: error: " + reason + "\n");
    CHECK(f.read("a.comp") == kGood);
  };
  const std::string over = "would be written over the input file 'a.comp'";
  refused({"a.comp", "-o", "a.comp"}, "'a.comp' " + over);
  refused({"a.comp", "-E", "-o", "sub/../a.comp"}, "'sub/../a.comp' " + over);
  refused({"a.comp", "-o", "link"}, "'link' " + over);
  refused({"a.comp", "-M", "-o", "a.comp"}, "'a.comp' " + over);
  refused({"a.comp", "-o", "x", "-MD", "-MF", "a.comp"}, "'a.comp' " + over);
  refused({"a.comp", "-o", "x", "-MD", "-MF", "./x"}, "'./x' would be written twice");
  refused({"-c", "a.comp", "sub/a.comp"}, "'a.comp.spv' would be written twice");
  refused({"-S", "a.comp", "sub/a.comp"}, "'a.comp.spvasm' would be written twice");
  CHECK(!f.has("a.comp.spv"));
  // The standard output and devices may be written more than once.
  CHECK(f.run({"-E", "a.comp", "sub/a.comp"}).exitCode == 0);
  CHECK(f.run({"-M", "a.comp", "sub/a.comp"}).exitCode == 0);
  CHECK(f.run({"a.comp", "-o", kNull, "-MD", "-MF", kNull}).exitCode == 0);
  CHECK(f.run({"-fshader-stage=comp", "-M", kNull, "-o", kNull}).exitCode != 2);
}

TEST_CASE("what the standard output does not take is an error") {
  const Folder f;
  f.write("a.comp", kGood);
  const std::string program = COOPC_PROGRAM;
  for (const char* arguments : {"--help", "--version", "--show-limits", "--list-diagnostics", "-E a.comp"}) {
    INFO(arguments);
    const ProcessResult r = f.shell(program + " " + arguments + " >/dev/full");
    CHECK(r.exitCode == 1);
    CHECK(r.stderrText.find("coopc: error: cannot write") == 0);
  }
}

TEST_CASE("diagnostics as JSON are one array") {
  const Folder f;
  f.write("a.comp", kBad);
  f.write("b.comp", kBad);
  f.write("c.comp", kGood);
  ProcessResult r = f.run({"--diagnostics-format=json", "-c", "a.comp", "b.comp"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText.substr(0, 3) == "[\n{");
  CHECK(r.stderrText.substr(r.stderrText.size() - 4) == "}\n]\n");
  CHECK(r.stderrText.find("\"a.comp\"") != std::string::npos);
  CHECK(r.stderrText.find("\"b.comp\"") != std::string::npos);
  CHECK(r.stderrText.find("][") == std::string::npos);
  CHECK(f.run({"--diagnostics-format=json", "c.comp"}).stderrText.empty());
}

TEST_CASE("texts about the program") {
  const Folder f;
  CHECK(f.run({"--help"}).stdoutText.find("--target-env=") != std::string::npos);
  CHECK(f.run({"-h"}).exitCode == 0);
  CHECK(f.run({"--version"}).stdoutText.find("coopc ") == 0);
  const ProcessResult list = f.run({"--list-diagnostics"});
  CHECK(list.exitCode == 0);
  CHECK(list.stdoutText.find("octal-digit-too-large\n") != std::string::npos);
}

TEST_CASE("messages about options name the values that there are") {
  Folder f;
  f.write("a.comp", kGood);
  const auto message = [&](const char* option) {
    return runProcess({COOPC_PROGRAM, option, "a.comp", "-o", "-"}, f.place(""), 60).stderrText;
  };
  CHECK(
      message("--target-env=bogus") ==
      "coopc: error: invalid value 'bogus' in '--target-env=bogus': vulkan, vulkan1.0, vulkan1.1, vulkan1.2, "
      "vulkan1.3, vulkan1.4, opengl, opengl4.5\n");
  CHECK(message("-mfmt=bogus") == "coopc: error: invalid value 'bogus' in '-mfmt=bogus': bin, c, num\n");
  CHECK(message("-std=bogus") ==
        "coopc: error: invalid value 'bogus' in '-std=bogus': a version as in #version, and its profile if "
        "any: 450, 450core, 310es\n");
  CHECK(message("--lower-spec=x") ==
        "coopc: error: invalid value 'x' in '--lower-spec=x': ID=VALUE, the value a number, true or false\n");
  CHECK(
      message("-fshader-stage=bogus").starts_with("coopc: error: stage not recognized: 'bogus': compute, "));
  CHECK(runProcess({COOPC_PROGRAM, "-D", "-E", "a.comp"}, f.place(""), 60).stderrText ==
        "coopc: error: argument to '-D' is missing\n");
}

TEST_CASE("a SpecId that a lowered module does not have is a warning") {
  Folder f;
  f.write("a.comp", kGood);
  const ProcessResult r = runProcess(
      {COOPC_PROGRAM, "--target-env=vulkan1.3", "--lower=none", "--lower-spec=77=1", "a.comp", "-o", "-"},
      f.place(""), 60);
  CHECK(r.exitCode == 0);
  CHECK(r.stderrText ==
        "coopc: warning: --lower-spec gives SpecId 77 a value, and no specialization constant has it\n");
}

TEST_CASE("called glslc, the entry point keeps its name") {
  const Folder f;
  f.write("a.comp", kGood);
  std::filesystem::create_symlink(COOPC_PROGRAM, f.place("glslc"));
  CHECK(f.run({"-fentry-point=other", "-S", "a.comp", "-o", "-"}).stdoutText.find("\"other\"") !=
        std::string::npos);
  const ProcessResult r =
      runProcess({"./glslc", "-fentry-point=other", "-S", "a.comp", "-o", "-"}, f.place(""), 60);
  CHECK(r.exitCode == 0);
  CHECK(r.stdoutText.find("\"main\"") != std::string::npos);
  CHECK(runProcess({"./glslc", "--version"}, f.place(""), 60).stdoutText.find("glslc of coopc ") == 0);
}

TEST_CASE("called glslc, messages, text, exit codes and the generator's word have glslc's form") {
  const Folder f;
  std::filesystem::create_symlink(COOPC_PROGRAM, f.place("glslc"));
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "./glslc");
    return runProcess(arguments, f.place(""), 60);
  };
  f.write("bad.comp",
          "#version 450\n#define a__b\nint x;\nint x;\n#line 7 \"other.glsl\"\nvoid main() { y; }\n");
  ProcessResult r = run({"bad.comp"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText ==
        "bad.comp:2: warning: names with two underscores in a row are reserved: `a__b`\n"
        "bad.comp:4: error: redeclaration of `x`\n"
        "other.glsl:7: error: `y` is not declared\n"
        "1 warning and 2 errors generated.\n");
  f.write("none.glsl", "#version 450\nvoid main() {}\n");
  r = run({"none.glsl"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText ==
        "glslc: error: 'none.glsl': .glsl file encountered but no -fshader-stage specified ahead\n");
  f.write("none", "#version 450\nvoid main() {}\n");
  CHECK(run({"none"}).stderrText ==
        "glslc: error: 'none': file not recognized: File format not recognized\n");
  // Like glslc, exit code 0 in spite of the error.
  f.write("define.comp", "#version 450\nvoid main() {}\n");
  r = run({"-Dfoo=1", "-D", "-E", "define.comp"});
  CHECK(r.exitCode == 0);
  CHECK(r.stderrText == "glslc: error: argument to '-D' is missing\n");
  CHECK(r.stdoutText.find("void main()") != std::string::npos);
  CHECK(run({"--target-env=bogus", "define.comp"}).stderrText ==
        "glslc: error: invalid value 'bogus' in '--target-env=bogus'\n");
  f.write("odd.comp", "#version 999\nvoid main() {}\n");
  CHECK(run({"-std=450", "odd.comp"}).stderrText ==
        "odd.comp:1: warning: version is forced to 450, but the text says 999\n1 warning generated.\n");
  r = run({"-bogus"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText == "glslc: error: unknown argument: '-bogus'\n");
  CHECK(run({"missing.comp"}).stderrText ==
        "glslc: error: cannot open input file: 'missing.comp': No such file or directory\n");
  f.write("a.comp", kGood);
  CHECK(run({"a.comp", "-o", "-"}).stdoutText.substr(8, 4) == std::string("\x0B\x00\x0D\x00", 4));
  CHECK(run({"-S", "a.comp", "-o", "-"}).stdoutText.find("; Generator: Google Shaderc over Glslang; 11\n") !=
        std::string::npos);
  CHECK(run({"-fgenerator=7", "a.comp", "-o", "-"}).stdoutText.substr(8, 4) == std::string("\x07\0\0\0", 4));
  // A pragma has precedence over the file's name, and an option over both.
  f.write("b.vert", "#version 450\n#pragma shader_stage(compute)\nvoid main() {}\n");
  CHECK(run({"-S", "b.vert", "-o", "-"}).stdoutText.find("OpEntryPoint GLCompute") != std::string::npos);
  f.write("c.vert", "#version 450\n#pragma shader_stage(vertex)\nvoid main() {}\n");
  CHECK(
      run({"-fshader-stage=compute", "-S", "c.vert", "-o", "-"}).stdoutText.find("OpEntryPoint GLCompute") !=
      std::string::npos);
}

TEST_CASE("called glslc, -E keeps indentation, and says what it adds for includes") {
  const Folder f;
  std::filesystem::create_symlink(COOPC_PROGRAM, f.place("glslc"));
  const auto text = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"./glslc", "-E"});
    return runProcess(arguments, f.place(""), 60).stdoutText;
  };
  f.write("plain.vert", "// first\n#version 150\n  int  a =\n\tf( 1 );\n");
  CHECK(text({"plain.vert"}) == "\n#version 150\n  int a =\n f(1);\n");
  f.write("part.glsl", "int b;\n\n  int c;");
  f.write("a.vert",
          "#version 150\nint a;\n#include \"part.glsl\"\nint d;\n  int e;\n#line 70 \"o\"\nint g;\n#include "
          "\"part.glsl\"\n");
  const auto expected = [](const char* version, const char* one, const char* four) {
    return std::string(version) + "#extension GL_GOOGLE_include_directive : enable\n#line " + one +
           " \"a.vert\"\n\nint a;\n#line " + one + " \"part.glsl\"\n int b;\n\n  int c;\n#line " + four +
           " \"a.vert\"\n int d;\n  int e;\n#line 70 \"o\"\n int g;\n#line " + one +
           " \"part.glsl\"\n int b;\n\n  int c;\n#line 72 \"o\"\n\n";
  };
  CHECK(text({"a.vert"}) == expected("#version 150\n", "0", "3"));
  CHECK(runProcess({"./glslc", "-E", "-std=450", "a.vert"}, f.place(""), 60).stderrText.empty());
  CHECK(text({"-std=450", "a.vert"}) == expected("#version 150\n", "1", "4"));
}

TEST_CASE("SPIR-V assembly is assembled") {
  const Folder f;
  f.write("a.comp", kGood);
  REQUIRE(f.run({"-S", "a.comp", "-o", "a.spvasm"}).exitCode == 0);
  const std::string header("\x03\x02\x23\x07\x00\x00\x01\x00\x00\x00\x07\x00", 12);
  const std::string module = f.run({"a.comp", "-o", "-"}).stdoutText;
  ProcessResult r = f.run({"a.spvasm", "-o", "-"});
  CHECK(r.exitCode == 0);
  CHECK(r.stdoutText.substr(0, 12) == header);
  CHECK(r.stdoutText.substr(20) == module.substr(20));
  CHECK(f.run({"--target-env=vulkan1.3", "a.spvasm", "-o", "-"}).stdoutText[6] == 1);
  CHECK(f.run({"--target-env=vulkan1.3", "a.spvasm", "-o", "-"}).stdoutText[5] == 6);
  CHECK(f.run({"-c", "-MD", "a.spvasm", "a.comp"}).exitCode == 0);
  CHECK(isModule(f.read("a.spv")));
  CHECK(isModule(f.read("a.comp.spv")));
  CHECK(f.read("a.spv.d") == "a.spv: a.spvasm\n");
  // As with glslc, an assembly file can only become a module. These options write nothing.
  for (const char* option : {"-E", "-S", "-M"}) {
    r = f.run({option, "a.spvasm"});
    CHECK(r.exitCode == 0);
    CHECK(r.stdoutText.empty());
    CHECK(r.stderrText.empty());
  }
  f.write("bad.spvasm", "OpCapability Shader\n  OpNope\n");
  r = f.run({"bad.spvasm"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText == "bad.spvasm:2:3: error: `OpNope` is not an opcode\n1 error generated.\n");
  // With a stage it is GLSL.
  CHECK(f.run({"-fshader-stage=compute", "a.spvasm"}).exitCode == 1);
}

TEST_CASE("same text, same bytes, whatever the folder") {
  const Folder f;
  f.write("x/a.comp", kGood);
  f.write("y/z/a.comp", kGood);
  CHECK(f.run({"x/a.comp", "-o", "1"}).exitCode == 0);
  CHECK(f.run({"y/z/a.comp", "-o", "2"}).exitCode == 0);
  CHECK(f.read("1") == f.read("2"));
}

TEST_CASE("messages have colors where they are asked for") {
  Folder f;
  f.write("bad.comp", "#version 450\nint x;\nint x;\nvoid main() {}\n");
  const auto messages = [&](const char* option) { return f.run({option, "bad.comp"}).stderrText; };
  const std::string plain = f.run({"bad.comp"}).stderrText;
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(messages("-fdiagnostics-color=never") == plain);
  CHECK(messages("-fdiagnostics-color=auto") == plain);  // the tests read a pipe, not a terminal
  std::string colored = messages("-fdiagnostics-color=always");
  for (const char* part : {"\x1b[1mbad.comp:3:5: \x1b[m", "\x1b[1;31merror: \x1b[m", "\x1b[1;36mnote: \x1b[m",
                           "\x1b[1;32m^\x1b[m"})
    CHECK(colored.find(part) != std::string::npos);
  for (size_t at; (at = colored.find('\x1b')) != std::string::npos;)
    colored.erase(at, colored.find('m', at) - at + 1);
  CHECK(colored == plain);
  CHECK(f.run({"-fdiagnostics-color=sometimes", "bad.comp"}).exitCode == 2);
}
