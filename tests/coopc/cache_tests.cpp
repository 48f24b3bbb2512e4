// --cache: when a kept result is taken, and when it must not be. A result that is taken has a new time.
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "tests/coopc/folder.hpp"

using namespace coopc::tests;

namespace {

constexpr const char* kText =
    "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
    "#include \"a.glsl\"\nlayout(local_size_x = SIZE) in;\nvoid main() {}\n";

// The files of all results.
std::vector<std::filesystem::path> results(const Folder& f, const std::string& cache = "cache") {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(f.place(cache)))
    if (entry.path().extension() == ".coopc-result") files.push_back(entry.path());
  return files;
}

// Runs a compile that must succeed, and returns the module.
std::string compile(const Folder& f, std::vector<std::string> options = {}) {
  options.insert(options.end(), {"--cache", "cache", "a.comp", "-o", "-"});
  const ProcessResult r = f.run(options);
  CHECK(r.exitCode == 0);
  return r.stdoutText;
}

// Whether such a run takes a cached result, which sets the time of the result's file.
bool takes(const Folder& f, const std::vector<std::string>& options = {}) {
  const auto longAgo = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1000);
  const size_t before = results(f).size();
  for (const auto& file : results(f)) std::filesystem::last_write_time(file, longAgo);
  const std::string module = compile(f, options);
  CHECK(isModule(module));
  size_t touched = 0;
  for (const auto& file : results(f))
    touched += std::filesystem::last_write_time(file) > longAgo + std::chrono::hours(1) ? 1 : 0;
  CHECK(touched == 1);
  return results(f).size() == before;
}

}  // namespace

TEST_CASE("a result is kept, and taken while nothing has changed") {
  const Folder f;
  f.write("a.comp", kText);
  f.write("a.glsl", "#define SIZE 2\n");
  const std::string without = f.run({"a.comp", "-o", "-"}).stdoutText;
  CHECK(compile(f) == without);
  REQUIRE(results(f).size() == 1);
  CHECK(takes(f));
  CHECK(compile(f) == without);
  // The result is the same for any output file, and for any device for which it is lowered.
  const ProcessResult r = f.run({"--cache", "cache", "a.comp", "-o", "b.spv", "-MD", "-MF", "b.d"});
  CHECK(r.exitCode == 0);
  CHECK(f.read("b.spv") == without);
  CHECK(f.read("b.d") == "b.spv: a.comp a.glsl\n");
  CHECK(f.run({"--cache", "cache", "--lower=none", "a.comp"}).exitCode == 0);
  CHECK(results(f).size() == 1);
}

TEST_CASE("another text, include, option, name or kind of output has a result of its own") {
  const Folder f;
  f.write("a.comp", kText);
  f.write("a.glsl", "#define SIZE 2\n");
  const std::string two = compile(f);
  CHECK_FALSE(takes(f, {"-O"}));
  CHECK_FALSE(takes(f, {"-DX=1"}));
  CHECK_FALSE(takes(f, {"-DX", "-fubo-binding-base", "comp", "3"}));
  CHECK_FALSE(takes(f, {"-DX", "-fubo-binding-base", "comp", "4"}));
  CHECK_FALSE(takes(f, {"-flimit=MaxSamples 8"}));
  f.write("limits", "MaxSamples 9");
  CHECK_FALSE(takes(f, {"-flimit-file", "limits"}));
  f.write("limits", "MaxSamples 10");
  CHECK_FALSE(takes(f, {"-flimit-file", "limits"}));
  CHECK(takes(f, {"-flimit-file", "limits"}));
  f.write("a.glsl", "#define SIZE 3\n");
  CHECK_FALSE(takes(f));
  const std::string three = compile(f);
  CHECK(three != two);
  f.write("a.glsl", "#define SIZE 2\n");
  CHECK(takes(f));
  CHECK(compile(f) == two);
  f.write("a.comp", std::string(kText) + "\n");
  CHECK_FALSE(takes(f));
  const size_t before = results(f).size();
  std::filesystem::copy_file(f.place("a.comp"), f.place("b.comp"));
  CHECK(f.run({"--cache", "cache", "b.comp", "-o", "-"}).exitCode == 0);
  CHECK(f.run({"--cache", "cache", "-S", "a.comp", "-o", "-"}).exitCode == 0);
  CHECK(results(f).size() == before + 2);
}

TEST_CASE("a file that was missing and exists now is included") {
  const Folder f;
  f.write("a.comp", kText);
  f.write("second/a.glsl", "#define SIZE 2\n");
  const std::vector<std::string> folders = {"-Ifirst", "-Isecond"};
  const std::string two = compile(f, folders);
  CHECK(takes(f, folders));
  f.write("first/a.glsl", "#define SIZE 3\n");
  CHECK(compile(f, folders) != two);
  std::filesystem::remove(f.place("first/a.glsl"));
  CHECK(compile(f, folders) == two);
}

TEST_CASE("warnings come with a kept result, and errors are not kept") {
  const Folder f;
  f.write("a.comp",
          "#version 450\nlayout(binding = 0) buffer B { int b; };\nvoid main() { int a; b = a; }\n");
  const ProcessResult first = f.run({"--cache", "cache", "-Wall", "a.comp"});
  const ProcessResult second = f.run({"--cache", "cache", "-Wall", "a.comp"});
  CHECK(first.exitCode == 0);
  CHECK(first.stderrText.find("1 warning generated.") != std::string::npos);
  CHECK(second.stderrText == first.stderrText);
  REQUIRE(results(f).size() == 1);
  const std::string json =
      f.run({"--cache", "json", "--diagnostics-format=json", "-Wall", "a.comp"}).stderrText;
  CHECK(json == f.run({"--diagnostics-format=json", "-Wall", "a.comp"}).stderrText);
  CHECK(json == f.run({"--cache", "json", "--diagnostics-format=json", "-Wall", "a.comp"}).stderrText);
  f.write("a.comp", "#version 450\nvoid main() { x; }\n");
  const ProcessResult wrong = f.run({"--cache", "cache", "-Wall", "a.comp"});
  CHECK(wrong.exitCode == 1);
  CHECK(f.run({"--cache", "cache", "-Wall", "a.comp"}).stderrText == wrong.stderrText);
  CHECK(results(f).size() == 1);
}

TEST_CASE("a damaged result is not taken, nor a folder that cannot be written an error") {
  const Folder f;
  f.write("a.comp", kText);
  f.write("a.glsl", "#define SIZE 2\n");
  const std::string module = compile(f);
  REQUIRE(results(f).size() == 1);
  const std::string name = std::filesystem::relative(results(f)[0], f.path()).string();
  const std::string whole = f.read(name);
  REQUIRE(whole.size() > 400);
  size_t tried = 0;
  for (size_t at = 0; at < whole.size(); at += whole.size() / 40) {
    std::string changed = whole;
    changed[at] = char(changed[at] ^ 0x20);
    f.write(name, changed);
    CHECK(compile(f) == module);
    f.write(name, whole.substr(0, at));
    CHECK(compile(f) == module);
    ++tried;
  }
  CHECK(tried >= 40);
  f.write("file", "");
  CHECK(f.run({"--cache", "file", "a.comp", "-o", "-"}).stdoutText == module);
}

TEST_CASE("results that were not used for the longest time are removed") {
  const Folder f;
  f.write("a.comp", "#version 450\nvoid main() {}\n");
  const std::string large(3000, ' ');
  // Results contain the shader's text, so these are large. About every 64th run checks the folder's size.
  std::string list;
  for (int n = 0; n < 600; ++n) {
    const std::string name = "b" + std::to_string(n) + ".comp";
    f.write(name, "#version 450\nvoid main() {}\n//" + large + std::to_string(n) + "\n");
    list += name + " -o " + name + ".spv\n";
  }
  f.write("list", list);
  // Files that are not results stay, however old they are.
  f.write("cache/mine", std::string(2'000'000, 'x'));
  f.write("cache/folder/mine.coopc-result", "mine");
  std::filesystem::last_write_time(f.place("cache/mine"),
                                   std::filesystem::file_time_type::clock::now() - std::chrono::hours(1000));
  CHECK(f.run({"--batch", "list", "--cache", "cache", "--cache-size", "1", "-j2"}).exitCode == 0);
  uintmax_t sum = 0;
  for (const auto& file : results(f)) sum += std::filesystem::file_size(file);
  CHECK(sum > 700'000);
  CHECK(sum < 1'400'000);
  CHECK(f.has("cache/mine"));
  CHECK(f.has("cache/folder/mine.coopc-result"));
  CHECK(f.run({"--cache-size", "0", "a.comp"}).exitCode == 2);
}

TEST_CASE("of one text, four results are kept, the ones that were used last") {
  const Folder f;
  f.write("a.comp", kText);
  const auto of = [&](int size) {
    f.write("a.glsl", "#define SIZE " + std::to_string(size) + "\n");
    return compile(f);
  };
  std::vector<std::string> modules;
  for (int size = 1; size <= 6; ++size) modules.push_back(of(size));
  CHECK(results(f).size() == 4);
  for (int size = 1; size <= 6; ++size) CHECK(of(size) == modules[size - 1]);
  CHECK(results(f).size() == 4);
}

TEST_CASE("another coopc-glslang has results of its own") {
  const Folder f;
  f.write("a.comp", kText);
  f.write("a.glsl", "#define SIZE 2\n");
  f.write("helper", "1");
  compile(f);
  CHECK_FALSE(takes(f, {"--glslang=helper"}));
  CHECK(takes(f, {"--glslang=helper"}));
  f.write("helper", "23");
  CHECK_FALSE(takes(f, {"--glslang=helper"}));
}

TEST_CASE("several processes share a folder") {
  const Folder f;
  f.write("a.comp", kText);
  f.write("a.glsl", "#define SIZE 2\n");
  const ProcessResult r = f.shell("for n in 1 2 3 4 5 6; do for k in 1 2 3 4 5; do " COOPC_PROGRAM
                                  " --cache cache -DX=$k a.comp -o $n.spv || echo failed; done & done; wait");
  CHECK(r.stdoutText.empty());
  // Processes that made the same result at the same time may have kept it twice.
  CHECK(results(f).size() >= 5);
  CHECK(results(f).size() <= 20);
  const std::string module = compile(f, {"-DX=3"});
  for (const char* name : {"1.spv", "6.spv"}) CHECK(f.read(name) == module);
}
