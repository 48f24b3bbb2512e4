// coopc under the name glslangValidator. A command line that coopc and glslang both accept gives the same
// exit code, the same files, and messages of the same form, for the same lines, in the same stream. Only the
// wording of the messages differs.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/coopc/folder.hpp"

using namespace coopc::tests;

namespace {

void writeInputs(const Folder& f) {
  f.write("a.comp",
          "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint a[]; };\n"
          "void main() { a[0] = 1u; }\n");
  f.write("a.comp.glsl", f.read("a.comp"));
  f.write("plain", f.read("a.comp"));
  f.write("a.vert", "#version 450\nvoid main() { gl_Position = vec4(1); }\n");
  f.write("a.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }\n");
  f.write("bad.comp", "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {\n  missing[0] = 1u;\n}\n");
  f.write("bad.vert", "#version 450\nvoid main() {\n  gl_Position = missing;\n}\n");
  f.write("gl.frag",
          "#version 330\nin vec3 v;\nuniform sampler2D t;\nuniform float q;\nout vec4 c;\n"
          "void main() { c = texture(t, v.xy) * q; }\n");
  f.write("old.frag",
          "#version 110\nvarying vec3 v;\nuniform sampler2D t;\nvoid main() { gl_FragColor = texture2D(t, "
          "v.xy); }\n");
  f.write("late.frag", "#version 450\nvarying vec3 v;\nvoid main() {}\n");
  f.write("es.frag",
          "precision mediump float;\nvarying vec2 v;\nuniform sampler2D t;\n"
          "void main() { gl_FragColor = texture2D(t, v); }\n");
  f.write("desktop.frag", "varying vec2 v;\nvoid main() { gl_FragColor = vec4(v, 0.0, 1.0); }\n");
  f.write("part.frag", "#version 450\nfloat part() { return 1.0; }\n");
  f.write("part_gl.frag", "#version 330\nuniform float q;\nfloat part() { return q; }\n");
  f.write(
      "other.frag",
      "#version 450\nfloat part();\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(part()); }\n");
  f.write(
      "other_gl.frag",
      "#version 330\nfloat part();\nuniform float q;\nout vec4 c;\nvoid main() { c = vec4(part() * q); }\n");
  f.write("macro.comp", "#version 450\nlayout(local_size_x = X) in;\nvoid main() {}\n");
  f.write("limits.conf",
          "MaxDrawBuffers 5\nwhileLoops 1\nMaxNothing 3\nMaxComputeWorkGroupSizeX "
          "64\nMaxComputeWorkGroupSizeY 64\n"
          "MaxComputeWorkGroupSizeZ 64\n");
  f.write("folder/part.glsl", "int part() { return 1; }\n");
  f.write("rooted.comp",
          "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include </part.glsl>\nvoid "
          "main() { part(); }\n");
  f.write("includes.comp",
          "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"part.glsl\"\nvoid "
          "main() { part(); }\n");
}

struct Command {
  std::vector<std::string> arguments;
  const char* input = "";  // of the standard input
};

const std::vector<Command>& commands() {
  static const std::vector<Command> kCommands = {
      {{"a.comp"}},
      {{"-V", "a.comp"}},
      {{"-V100", "a.comp"}},
      {{"-V", "a.comp.glsl"}},
      {{"-V", "plain"}},
      {{"-V", "-S", "comp", "plain"}},
      {{"-V", "-S", "nothing", "plain"}},
      {{"-V", "a.comp", "-o", "out.spv"}},
      {{"-o", "out.spv", "-V", "a.comp"}},
      {{"-o", "out.spv", "a.comp"}},
      {{"a.vert", "a.frag"}},
      {{"-l", "a.vert", "a.frag"}},
      {{"-V", "a.vert", "a.frag"}},
      {{"-V", "a.vert", "bad.comp"}},
      {{"-V", "a.comp", "a.comp.glsl"}},
      {{"bad.comp"}},
      {{"bad.vert"}},
      {{"-V", "bad.comp"}},
      {{"-V", "bad.vert"}},
      {{"-C", "-V", "bad.comp"}},
      {{"-V", "-s", "bad.comp"}},
      {{"-V", "--quiet", "a.comp"}},
      {{"-V", "--quiet", "bad.comp"}},
      {{"part.frag"}},
      {{"-l", "part.frag"}},
      {{"-V", "part.frag"}},
      {{"-V", "--quiet", "part.frag"}},
      {{"part_gl.frag"}},
      {{"-V", "part_gl.frag"}},
      {{"other.frag"}},
      {{"other_gl.frag"}},
      {{"-l", "other_gl.frag"}},
      {{"part.frag", "other.frag", "bad.comp"}},
      {{"-V", "--error-column", "bad.vert"}},
      {{"gl.frag"}},
      {{"old.frag"}},
      {{"es.frag"}},
      {{"-d", "desktop.frag"}},
      {{"desktop.frag"}},
      {{"-V", "late.frag"}},
      {{"-V", "missing.comp"}},
      {{}},
      {{"-Q"}},
      {{"-V", "-DX=2", "macro.comp"}},
      {{"-V", "--D", "X=2", "macro.comp"}},
      {{"-V", "--define-macro", "X=2", "macro.comp"}},
      {{"-V", "macro.comp"}},
      {{"-V", "-Ifolder", "includes.comp"}},
      {{"-V", "includes.comp"}},
      {{"-V", "-Ifolder", "rooted.comp"}},
      {{"-V", "rooted.comp"}},
      {{"-V", "-Os", "a.comp"}},
      {{"-V", "-g", "a.comp"}},
      {{"-V", "-Od", "-gVS", "a.comp"}},
      {{"--target-env", "vulkan1.3", "a.comp"}},
      {{"--target-env", "vulkan9", "a.comp"}},
      {{"--client", "vulkan100", "a.comp"}},
      {{"-V", "--target-env", "spirv1.5", "a.comp"}},
      {{"-x", "-V", "a.comp"}},
      {{"-V", "--vn", "words", "a.comp", "-o", "words.h"}},
      {{"-V", "--variable-name", "words", "a.comp"}},
      {{"-V", "--depfile", "a.d", "a.comp"}},
      {{"-V", "--depfile", "a.d", "a.vert", "a.frag"}},
      {{"-V", "-o", "nowhere/a.spv", "a.comp"}},
      {{"--vn", "words", "a.comp"}},
      {{"--stdin", "-S", "comp"}, "a.comp"},
      {{"--stdin", "-C", "-S", "comp"}, "bad.comp"},
      {{"--stdin", "-V", "-S", "comp"}, "a.comp"},
      {{"--stdin", "-V", "-S", "comp"}, "bad.comp"},
      {{"--stdin", "-V"}, "a.comp"},
      {{"-E", "a.comp"}},
      {{"-E", "-V", "a.comp"}},
      {{"-V", "--aml", "--amb", "a.comp"}},
      {{"-V", "--auto-map-locations", "--auto-map-bindings", "a.frag"}},
      {{"-V", "--shift-ssbo-binding", "7", "a.comp"}},
      {{"-V", "--shift-ssbo-binding", "comp", "7", "a.comp"}},
      {{"-V", "--sep", "main", "-e", "other", "a.comp"}},
      {{"-V", "-e", "other", "a.comp"}},
      {{"-G", "a.frag"}},
      {{"-V", "--invert-y", "a.vert"}},
      {{"-V", "--nan-clamp", "-t", "a.comp"}},
      {{"-V", "--spirv-val", "a.comp"}},
      {{"-w", "-V", "a.comp"}},
      {{"--glsl-version", "460", "-V", "a.comp"}},
      {{"a.comp", "-D"}},
      {{"-V", "-P#define X 2", "macro.comp"}},
      {{"-V", "--P", "#define X 2", "macro.comp"}},
      {{"-V", "--preamble-text", "#define X 2\n#define Y 3", "macro.comp"}},
      {{"-V", "-P#define Y 2", "bad.comp"}},
      {{"-l", "-P#define Y 2", "old.frag"}},
      {{"-V", "a.comp", "limits.conf"}},
      {{"-l", "-q", "a.vert", "gl.frag"}},
      {{"-l", "-q", "-V", "--reflect-all-block-variables", "a.comp"}},
      {{"-l", "-q", "bad.comp"}},
      {{"-V", "--TARGET-ENV", "vulkan1.2", "a.comp"}},
      {{"-V", "--p", "#define X 2", "macro.comp"}},
      {{"-V", "a.comp", "nothing.conf"}},
  };
  return kCommands;
}

// The effects of a command on which a caller can rely.
struct Seen {
  int exitCode = 0;
  std::set<std::string> files;
  std::string rules;     // of a.d
  std::string place[2];  // "ERROR: a.comp:3", the first one in the standard output and in the standard error
  bool names[2] = {};    // whether a stream has a line that is an input's name
};

std::set<std::string> filesIn(const std::filesystem::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    names.insert(entry.path().lexically_relative(folder).string());
  return names;
}

Seen run(const std::string& program, const Command& command) {
  const Folder f;
  std::filesystem::create_symlink(COOPC_PROGRAM, f.place("glslangValidator"));
  std::filesystem::create_directory(f.place("folder"));
  writeInputs(f);
  const std::set<std::string> before = filesIn(f.place(""));
  std::vector<std::string> arguments = command.arguments;
  arguments.insert(arguments.begin(), program);
  const ProcessResult r = runProcess(arguments, f.place(""), 60,
                                     *command.input == 0 ? std::string(kNull) : f.place(command.input));
  Seen seen;
  seen.exitCode = r.exitCode;
  const std::set<std::string> after = filesIn(f.place(""));
  std::set_difference(after.begin(), after.end(), before.begin(), before.end(),
                      std::inserter(seen.files, seen.files.end()));
  if (f.has("a.d")) seen.rules = f.read("a.d");
  const std::string* const streams[] = {&r.stdoutText, &r.stderrText};
  for (size_t n = 0; n < 2; ++n) {
    std::istringstream lines(*streams[n]);
    for (std::string line; std::getline(lines, line);) {
      // Later ones differ: glslang stops at the first error, or adds that an entry point is missing.
      const size_t file = line.find(' '), colon = line.find(':', file), end = line.find(':', colon + 1);
      const bool placed = line.starts_with("ERROR: ") && end != std::string::npos &&
                          line.find_first_not_of("0123456789", colon + 1) == end;
      if (placed && seen.place[n].empty()) seen.place[n] = line.substr(0, end);
      seen.names[n] |= line == "stdin" || before.contains(line);
    }
  }
  return seen;
}

std::string text(const std::set<std::string>& words) {
  std::string all;
  for (const std::string& w : words) all += "[" + w + "]";
  return all;
}

}  // namespace

TEST_CASE("called glslangValidator, exit codes, files and places of messages are glslang's") {
  const std::string reference = COOPC_REFERENCE_GLSLANG;
  if (reference.empty()) SKIP("no glslang; get it by: ./setup newest_tools");
  size_t ran = 0, errors = 0, files = 0;
  for (const Command& command : commands()) {
    std::string line;
    for (const std::string& a : command.arguments) line += " " + a;
    INFO("glslang" << line << (*command.input == 0 ? "" : std::string(" < ") + command.input));
    const Seen own = run("./glslangValidator", command), other = run(reference, command);
    CHECK(own.exitCode == other.exitCode);
    CHECK(text(own.files) == text(other.files));
    CHECK(own.rules == other.rules);
    for (size_t n = 0; n < 2; ++n) {
      INFO((n == 0 ? "standard output" : "standard error"));
      CHECK(own.place[n] == other.place[n]);
      CHECK(own.names[n] == other.names[n]);
      errors += own.place[n].empty() ? 0 : 1;
    }
    files += own.files.size();
    ++ran;
  }
  CHECK(ran == commands().size());
  CHECK(errors >= 10);
  CHECK(files >= 25);
}

TEST_CASE("called glslangValidator, messages have glslang's form") {
  const Folder f;
  std::filesystem::create_symlink(COOPC_PROGRAM, f.place("glslangValidator"));
  std::filesystem::create_directory(f.place("folder"));
  writeInputs(f);
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "./glslangValidator");
    return runProcess(arguments, f.place(""), 60);
  };
  ProcessResult r = run({"-V", "bad.comp"});
  CHECK(r.exitCode == 2);
  CHECK(r.stdoutText == "SPIR-V is not generated for failed compile or link\n");
  CHECK(r.stderrText ==
        "bad.comp\nERROR: bad.comp:4: 'missing' : `missing` is not declared (GLSL 4.60, 4.2.2 \"Types of "
        "Scope\")\n"
        "ERROR: 1 compilation errors.  No code generated.\n\n\n");
  // Without linking, parts of a program are accepted; what only linking finds has its own exit code.
  r = run({"part.frag", "other.frag"});
  CHECK(r.exitCode == 0);
  CHECK(r.stdoutText == "part.frag\nother.frag\n");
  f.write("warned.frag",
          "#version 450\n#extension GL_FOO_bar : enable\nfloat helper(float x) { return x; }\n");
  r = run({"warned.frag"});
  CHECK(r.exitCode == 0);
  CHECK(r.stdoutText ==
        "warned.frag\nWARNING: 0:2: 'GL_FOO_bar' : extension not supported: GL_FOO_bar\n\n\n");
  // Several files of one stage are not joined, and a part of a program alone is not at fault.
  r = run({"-l", "part.frag", "other.frag"});
  CHECK(r.exitCode == 3);
  CHECK(r.stderrText.find("main") == std::string::npos);
  CHECK(r.stderrText.find("ERROR: Linking frag stage: coopc does not join several files of one stage\n") !=
        std::string::npos);
  r = run({"-V", "--quiet", "other.frag"});
  CHECK(r.exitCode == 3);
  CHECK(r.stderrText ==
        "ERROR: other.frag:4: 'part' : function `part` is called but not defined (GLSL 4.60, 6.1 \"Function "
        "Definitions\")\n"
        "ERROR: 1 compilation errors.  No code generated.\n\n\n");
  // Also without -V and -G, a syntax error has coopc's message, and later errors are reported as well.
  f.write("syntax.comp", "#version 450\nvoid main() { int x = 1 + ;\n y = 3; }\n");
  r = run({"syntax.comp"});
  CHECK(r.stdoutText.find("0:2: ';' : expected an expression, found `;`") != std::string::npos);
  CHECK(r.stdoutText.find("0:3: 'y' : `y` is not declared") != std::string::npos);
  r = run({"--error-column", "bad.comp"});
  CHECK(
      r.stdoutText ==
      "bad.comp\nERROR: 0:4:3: 'missing' : `missing` is not declared (GLSL 4.60, 4.2.2 \"Types of Scope\")\n"
      "ERROR: 1 compilation errors.  No code generated.\n\n\n");
  r = run({"-V", "a.comp", "-o", "a.comp"});
  CHECK(r.exitCode == 1);
  CHECK(
      r.stderrText ==
      "a.comp\n./glslangValidator: Error: 'a.comp' would be written over an input file (use -h for usage)\n");
  for (const std::string unsupported : {"-i", "-R", "--no-link", "--fua", "--rsb"}) {
    r = run({"-V", unsupported, "a.comp"});
    CHECK(r.exitCode == 1);
    CHECK(r.stderrText == "./glslangValidator: Error: " + unsupported +
                              ": not supported by coopc (docs/glslang.md) (use -h for usage)\n");
  }
  r = run({"-V", "a.comp", "x.hlsl"});
  CHECK(r.stderrText ==
        "./glslangValidator: Error: x.hlsl: HLSL is not supported by coopc (docs/glslang.md) (use -h for "
        "usage)\n");
  CHECK(run({"--version"}).stdoutText.starts_with("glslang of coopc "));
  CHECK(run({"-H", "a.comp"}).stdoutText.find("OpEntryPoint GLCompute") != std::string::npos);
  // The text form has the module's words.
  CHECK(run({"-V", "a.comp", "-o", "a.spv"}).exitCode == 0);
  CHECK(run({"-V", "-x", "a.comp", "-o", "a.txt"}).exitCode == 0);
  std::string numbers = f.read("a.txt"), bytes;
  for (size_t at = numbers.find("0x"); at != std::string::npos; at = numbers.find("0x", at + 1)) {
    const auto word = static_cast<uint32_t>(std::stoul(numbers.substr(at, 10), nullptr, 16));
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift);
  }
  CHECK(bytes == f.read("a.spv"));
  // As with glslang, -g writes lines, and -gV also scopes and variables.
  const std::string lines = run({"-H", "-V", "-g", "a.comp"}).stdoutText;
  CHECK(lines.find("OpLine") != std::string::npos);
  CHECK(lines.find("NonSemantic") == std::string::npos);
  CHECK(run({"-H", "-V", "-gV", "a.comp"}).stdoutText.find("NonSemantic.Shader.DebugInfo") !=
        std::string::npos);
}

TEST_CASE("called glslangValidator, a preamble and limits are read, and messages keep their lines") {
  const Folder f;
  std::filesystem::create_symlink(COOPC_PROGRAM, f.place("glslangValidator"));
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "./glslangValidator");
    return runProcess(arguments, f.place(""), 60);
  };
  const std::string body = "layout(location = 0) out vec4 c;\nvoid main() {\n  c = vec4(X) * wrong;\n}\n";
  const auto places = [&](const std::string& name, const std::string& text) {
    f.write(name, text);
    const ProcessResult r = run({"-V", "-P#define X 2.0\n#define Y 1", "-P#define Z 1", name});
    CHECK(r.exitCode == 2);
    std::string found;
    std::istringstream lines(r.stderrText);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("ERROR: " + name)) found += line.substr(7, line.find('\'') - 7);
    return found;
  };
  // The preamble is inserted after #version, which may follow comments, or else at the start of the text.
  CHECK(places("a.frag", "/* one\n two */ // three\n# version 450 core\n" + body) == "a.frag:6: ");
  CHECK(places("b.frag", "#version 450\n" + body) == "b.frag:4: ");
  CHECK(places("c.frag", "#version 310 es\nprecision highp float;\n" + body) == "c.frag:5: ");
  CHECK(places("g.frag", "\xef\xbb\xbf#version 450\n" + body) == "g.frag:4: ");
  CHECK(places("h.frag", "#version 450 /* one\n two */\n" + body) == "h.frag:5: ");
  CHECK(places("j.frag", "#version 450 // one /* two\n/* */" + body) == "j.frag:4: ");
  CHECK(places("i.frag", "#version 450 \\\n core\n" + body) == "i.frag:5: ");
  f.write("d.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(X); }\n");
  CHECK(run({"-V", "d.frag", "-P#define X gl_MaxDrawBuffers"}).exitCode == 0);
  CHECK(run({"-V", "d.frag"}).exitCode == 2);
  // The interface of each text, with and without a module.
  f.write("e.comp",
          "#version 450\nlayout(local_size_x = 8) in;\nlayout(binding = 3) buffer Seen { uint a; };\nvoid "
          "main() { a = 1u; }\n");
  for (const char* target : {"-l", "-V"}) {
    const ProcessResult reflected = run({target, "-q", "e.comp"});
    CHECK(reflected.exitCode == 0);
    CHECK(reflected.stdoutText.find("\"Seen\"") != std::string::npos);
    CHECK(f.has("comp.spv") == (std::string_view(target) == "-V"));
  }
  // Limits, as -c prints them.
  const ProcessResult limits = run({"-c"});
  CHECK(limits.exitCode == 0);
  CHECK(limits.stdoutText.find("\nMaxDrawBuffers 8\n") != std::string::npos);
  f.write("few.conf", "MaxDrawBuffers 5\n");
  const std::vector<std::string> command = {"-H", "d.frag", "-P#define X gl_MaxDrawBuffers"};
  CHECK(run(command).stdoutText.find("OpConstant %float 8") != std::string::npos);
  std::vector<std::string> limited = command;
  limited.emplace_back("few.conf");
  CHECK(run(limited).stdoutText.find("OpConstant %float 5") != std::string::npos);
  f.write("few.conf", "MaxDrawBuffers 5\nMaxDrawBuffers many\nMaxDrawBuffers 6\n");
  const ProcessResult faulty = run(limited);
  CHECK(faulty.stdoutText.find("OpConstant %float 5") != std::string::npos);
  CHECK((faulty.stdoutText + faulty.stderrText)
            .find("MaxDrawBuffers is not followed by a number in the configuration file") !=
        std::string::npos);
}

// coopc accepts each option that the newest glslang's --help lists, and docs/glslang.md has it.
TEST_CASE("called glslangValidator, no option of glslang is unknown") {
  const std::string reference = COOPC_REFERENCE_GLSLANG;
  if (reference.empty()) SKIP("no glslang; get it by: ./setup newest_tools");
  const Folder f;
  std::filesystem::create_symlink(COOPC_PROGRAM, f.place("glslangValidator"));
  const std::string help = runProcess({reference, "--help"}, f.place(""), 60).stdoutText;
  std::ifstream file(COOPC_SOURCES "/docs/glslang.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  REQUIRE(page.find("| option | state |") != std::string::npos);
  std::set<std::string> options;
  std::istringstream lines(help.substr(help.find("Options:")));
  for (std::string line; std::getline(lines, line);) {
    const size_t start = line.find_first_not_of(' ');
    if (start != 2 || line[2] != '-') continue;
    // `--shift-ubo-bindings | --sub |`, `-D<name[=def]>`, `-Os`
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word.size() < 2 || word[0] != '-' || word.starts_with("-f{")) continue;
      options.insert(word.substr(0, word.find_first_of("<[{,;.)")));
      if (line.find(" | ") == std::string::npos) break;
    }
  }
  CHECK(options.size() > 100);
  for (const std::string& option : options) {
    INFO(option);
    // Some options take a value, so one is given: the only error looked for is an unknown option.
    const ProcessResult r = runProcess({"./glslangValidator", option, "x"}, f.place(""), 60);
    CHECK(r.stderrText.find("unrecognized command-line option") == std::string::npos);
    const bool named = std::ranges::any_of(std::string_view("` [N"), [&](char behind) {
      return page.find("`" + option + behind) != std::string::npos;
    });
    CHECK(named);
  }
}
