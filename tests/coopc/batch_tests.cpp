// --batch: jobs give the bytes and messages of single runs, whatever the threads; wrong lists and jobs.
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "tests/coopc/folder.hpp"

using namespace coopc::tests;

namespace {

constexpr const char* kShader =
    "#version 450\n#include \"lib/size.glsl\"\nlayout(local_size_x = SIZE) in;\n"
    "layout(binding = 0) buffer B { uint x[]; };\nvoid main() { x[gl_GlobalInvocationID.x] += VALUE; }\n";

void writeShaders(const Folder& f) {
  f.write("a.comp", kShader);
  f.write("lib/size.glsl", "#define SIZE 32\n");
  f.write("bad.comp", "#version 450\n#include \"lib/size.glsl\"\nvoid main() {\n  int a = 09;\n}\n");
  f.write("warn.comp", "#version 450\n#define a__b\nvoid main() {}\n");
}

}  // namespace

TEST_CASE("batch: modules, texts, dependency files and messages are those of single runs") {
  const Folder single, batch;
  writeShaders(single);
  writeShaders(batch);
  nlohmann::json jobs = nlohmann::json::array();
  std::string messages;
  int failed = 0;
  std::vector<std::string> files;
  auto add = [&](std::vector<std::string> arguments, const std::vector<std::string>& outputs) {
    const ProcessResult r = single.run(arguments);
    messages += r.stderrText;
    jobs.push_back(arguments);
    if (r.exitCode != 0) {
      ++failed;
      const std::string name = outputs.empty() ? "" : ": " + outputs.front();
      messages += "coopc: error: job " + std::to_string(jobs.size()) + " failed" + name + "\n";
    }
    files.insert(files.end(), outputs.begin(), outputs.end());
  };
  for (int i = 0; i < 40; ++i) {
    const std::string name = "out" + std::to_string(i);
    std::vector<std::string> arguments = {i % 7 == 3 ? "bad.comp" : "a.comp", "-DVALUE=" + std::to_string(i),
                                          "-o", name, i % 2 == 0 ? "-O" : "-O0"};
    if (i % 3 == 0) arguments.insert(arguments.end(), {"-MD", "-MF", name + ".deps"});
    if (i % 5 == 0) arguments.emplace_back("-S");
    if (i % 4 == 1) arguments.emplace_back("-g");
    add(arguments, {name, name + ".deps"});
  }
  add({"warn.comp", "-o", "w"}, {"w"});
  add({"-c", "a.comp", "bad.comp", "-DVALUE=1"}, {"a.comp.spv", "bad.comp.spv"});
  add({"missing.comp", "-o", "m"}, {"m"});
  add({"-bogus"}, {});
  batch.write("jobs.json", jobs.dump());
  messages +=
      "coopc: error: " + std::to_string(failed) + " of " + std::to_string(jobs.size()) + " jobs failed\n";
  for (const char* threads : {"-j1", "-j4"}) {
    INFO(threads);
    const ProcessResult r = batch.run({"--batch", "jobs.json", threads});
    CHECK(r.exitCode == 1);
    CHECK(r.stdoutText.empty());
    CHECK(r.stderrText == messages);
    for (const std::string& file : files) {
      INFO(file);
      CHECK(batch.has(file) == single.has(file));
      CHECK(batch.read(file) == single.read(file));
    }
  }
  CHECK(isModule(batch.read("out1")));
}

TEST_CASE("batch: nothing is said when all is well") {
  const Folder f;
  writeShaders(f);
  f.write("jobs.json", R"([["a.comp", "-DVALUE=1", "-o", "1"], ["a.comp", "-DVALUE=2", "-o", "2"]])");
  const ProcessResult r = f.run({"--batch=jobs.json"});
  CHECK(r.exitCode == 0);
  CHECK(r.stdoutText.empty());
  CHECK(r.stderrText.empty());
  CHECK(f.read("1") != f.read("2"));
}

TEST_CASE("batch: forms of the list") {
  const Folder f;
  writeShaders(f);
  f.write("sub/b.comp",
          "#version 450\n#include <size.glsl>\nlayout(local_size_x = SIZE) in;\nvoid main() {}\n");
  f.write("sub/args", "-O");
  const std::string directory = std::filesystem::path(f.place("sub")).string();
  nlohmann::json list;
  list["arguments"] = {"-I", "../lib", "-DVALUE=7"};
  list["directory"] = "sub";
  list["jobs"] = {
      {{"arguments", {"b.comp", "@args", "-o", "../1.spv"}}, {"name", "first"}},
      {{"directory", directory}, {"command", "glslc -DX='1 2' b.comp -o ../2.spv"}, {"file", "b.comp"}},
      {{"directory", directory},
       {"arguments", {"glslc", "b.comp", "-o", "3.spv"}},
       {"file", "b.comp"},
       {"output", "3"}},
      {"-S", "b.comp", "-o", "-"},
  };
  f.write("list.json", list.dump(2));
  ProcessResult r = f.run({"--batch", "list.json"});
  CHECK(r.stderrText.empty());
  CHECK(r.exitCode == 0);
  CHECK(isModule(f.read("1.spv")));
  CHECK(isModule(f.read("2.spv")));
  CHECK(f.read("sub/3.spv") == f.read("2.spv"));
  CHECK(r.stdoutText.find("LocalSize 32 1 1") != std::string::npos);
  // Jobs as lines. The command line's arguments come before those of each job.
  f.write("list.txt", "# comment\n\na.comp '-DTWO=a b' -o l1.spv\r\na.comp -O0 -o l2.spv\n");
  f.write("marked.json", "\xEF\xBB\xBF[[\"a.comp\", \"-DVALUE=3\", \"-o\", \"marked.spv\"]]\r\n");
  CHECK(f.run({"--batch", "marked.json"}).stderrText.empty());
  CHECK(isModule(f.read("marked.spv")));
  r = f.run({"--batch", "list.txt", "-DVALUE=3", "-O"});
  CHECK(r.stderrText.empty());
  CHECK(isModule(f.read("l1.spv")));
  CHECK(f.read("l2.spv") == [&] {
    f.run({"a.comp", "-DVALUE=3", "-o", "l3.spv"});
    return f.read("l3.spv");
  }());
  r = f.run({"--batch", "-"}, R"([["a.comp", "-DVALUE=1", "-o", "s.spv"]])");
  CHECK(r.exitCode == 0);
  CHECK(isModule(f.read("s.spv")));
  f.write("empty.json", "[]");
  CHECK(f.run({"--batch", "empty.json"}).exitCode == 0);
}

TEST_CASE("batch: wrong lists are wrong usage") {
  const Folder f;
  writeShaders(f);
  for (const char* text :
       {"[", "[1]", "{}", "{\"jobs\": 1}", "[[1]]", "[{}]", "[{\"arguments\": [\"a.comp\"], \"extra\": 1}]",
        "{\"jobs\": [], \"extra\": 1}", "[{\"arguments\": 1}]", "[{\"command\": \"\"}]",
        "{\"jobs\": [], \"arguments\": [1]}", "[[\"a\\u0000b\"]]",
        "[{\"arguments\": [\"a.comp\"], \"command\": \"x a.comp\"}]", "[[\"\xff\"]]", "a.comp '-o",
        "[{\"command\": \"x 'a.comp\"}]"}) {
    INFO(text);
    f.write("list", text);
    const ProcessResult r = f.run({"--batch", "list"});
    CHECK(r.exitCode == 2);
    CHECK(r.stderrText.find("coopc: error: 'list': ") == 0);
  }
  f.write("deep", std::string(200000, '['));
  CHECK(f.run({"--batch", "deep"}).exitCode == 2);
  CHECK(f.run({"--batch", "missing"}).exitCode == 2);
  CHECK(f.run({"--batch"}).exitCode == 2);
  f.write("good", "[]");
  CHECK(f.run({"--batch", "good", "-j0"}).exitCode == 2);
  CHECK(f.run({"--batch", "good", "-jx"}).exitCode == 2);
  CHECK(f.run({"--batch", "good", "--batch", "good"}).exitCode == 2);
}

TEST_CASE("batch: a file of dependencies is one job's") {
  const Folder f;
  writeShaders(f);
  f.write("list", "a.comp -DVALUE=1 -MD -MF all.d -o 1.spv\na.comp -DVALUE=1 -MD -MF ./all.d -o 2.spv\n");
  const ProcessResult r = f.run({"--batch", "list"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText.find("'./all.d' is written by job 1 already") != std::string::npos);
  CHECK(f.read("all.d").substr(0, 6) == "1.spv:");
}

TEST_CASE("batch: a job is refused what a run of its own is refused") {
  const Folder f;
  writeShaders(f);
  f.write("sub/a.comp", kShader);
  f.write("list", "-c a.comp sub/a.comp -DVALUE=1\na.comp -DVALUE=1 -o ./a.comp\n");
  const ProcessResult r = f.run({"--batch", "list"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText.find("coopc: error: 'a.comp.spv' would be written twice\n") == 0);
  CHECK(r.stderrText.find("coopc: error: './a.comp' would be written over the input file 'a.comp'\n") !=
        std::string::npos);
  CHECK(f.read("a.comp") == kShader);
  CHECK(!f.has("a.comp.spv"));
}

TEST_CASE("batch: the report is JSON whatever bytes a name has") {
  const Folder f;
  f.write("list", "no\xFFthing.comp -o a\xFE.spv\n");
  CHECK(f.run({"--batch", "list", "--batch-report=report.json"}).exitCode == 1);
  const nlohmann::json report = nlohmann::json::parse(f.read("report.json"));
  REQUIRE(report.size() == 1);
  CHECK(report[0]["name"] == "a\xEF\xBF\xBD.spv");
}

TEST_CASE("batch: jobs that cannot run fail by themselves") {
  const Folder f;
  writeShaders(f);
  f.write("list.json", R"([["a.comp", "-DVALUE=1", "-o", "1.spv"],
                           ["a.comp", "-DVALUE=2", "-o", "lib/../1.spv"],
                           ["a.comp", "-DVALUE=2", "-o", "1.spv"],
                           ["-fshader-stage=comp", "-", "-o", "2.spv"],
                           ["--version"],
                           ["a.comp", "-DVALUE=3", "-o", "3.spv"]])");
  const ProcessResult r = f.run({"--batch", "list.json", "--batch-report=report.json"});
  CHECK(r.exitCode == 1);
  CHECK(r.stderrText.find("'1.spv' is written by job 1 already") != std::string::npos);
  CHECK(r.stderrText.find("'lib/../1.spv' is written by job 1 already") != std::string::npos);
  CHECK(r.stderrText.find("4 of 6 jobs failed") != std::string::npos);
  CHECK(isModule(f.read("3.spv")));
  f.run({"a.comp", "-DVALUE=1", "-o", "expected"});
  CHECK(f.read("1.spv") == f.read("expected"));
  const nlohmann::json report = nlohmann::json::parse(f.read("report.json"));
  REQUIRE(report.size() == 6);
  CHECK(report[0]["exit_code"] == 0);
  CHECK(report[0]["name"] == "1.spv");
  CHECK(report[0]["messages"] == "");
  CHECK(report[1]["exit_code"] == 2);
  CHECK(report[5]["job"] == 6);
  CHECK(report[5]["milliseconds"].get<double>() > 0);
}

TEST_CASE("batch: a job's macro counts before that of the list") {
  const Folder f;
  f.write("a.comp", "#version 450\nlayout(local_size_x = X) in;\nvoid main() {}\n");
  f.write(
      "jobs.json",
      R"({"arguments": ["-DX=1"], "jobs": [["a.comp", "-S", "-DX=4", "-o", "4"], ["a.comp", "-S", "-o", "1"]]})");
  const ProcessResult r = f.run({"-DX=8", "--batch", "jobs.json"});
  CHECK(r.exitCode == 0);
  CHECK(r.stderrText.empty());
  CHECK(f.read("4").find("LocalSize 4 1 1") != std::string::npos);
  CHECK(f.read("1").find("LocalSize 1 1 1") != std::string::npos);
}
