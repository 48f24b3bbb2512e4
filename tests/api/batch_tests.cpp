// Many compiles in one call, and files that they share.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.h"
#include "coopc/coopc.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace coopc;
namespace fs = std::filesystem;

namespace {

std::string shader(int i) {
  const std::string end = i % 5 == 4 ? "undeclared;" : "x[0] += SIZE;";
  return "#version 450\n#include \"a.glsl\"\n#include <b.glsl>\nlayout(local_size_x = " +
         std::to_string(i + 1) + ") in;\nlayout(binding = 0) buffer B { uint x[]; };\nvoid main() { " + end +
         " }\n";
}

}  // namespace

TEST_CASE("compileAll gives what compile gives, each file read once") {
  const tests::TemporaryFolder folder;
  folder.write("shaders/a.glsl", "#include \"deep/c.glsl\"\n");
  folder.write("shaders/deep/c.glsl", "#define SIZE 3\n");
  folder.write("lib/b.glsl", "\n");
  FileCache files;
  Options options;
  options.include = files.resolver({"none", "lib"}, folder.place(""));
  std::vector<Job> jobs;
  for (int i = 0; i < 30; ++i)
    jobs.push_back({SharedText(shader(i)), "shaders/" + std::to_string(i) + ".comp", options});
  std::vector<Result> single;
  for (const Job& job : jobs) single.push_back(compile(job.source.view(), job.name, job.options));
  const uint64_t opened = files.countFiles();
  // a.glsl, c.glsl, and two attempts to open b.glsl, which is in the second folder.
  CHECK(opened == 4);
  for (unsigned threads : {0u, 1u, 5u}) {
    INFO(threads);
    const std::vector<Result> all = compileAll(jobs, threads);
    REQUIRE(all.size() == jobs.size());
    for (size_t i = 0; i < all.size(); ++i) {
      INFO(i);
      CHECK(all[i].ok == (i % 5 != 4));
      CHECK(all[i].words == single[i].words);
      CHECK(all[i].messages == single[i].messages);
      CHECK(all[i].dependencies == single[i].dependencies);
    }
  }
  CHECK(files.countFiles() == opened);
  // A cache that keeps no tokens: each compile lexes the text itself.
  FileCache texts(FileCache::Keep::Text);
  for (Job& job : jobs) job.options.include = texts.resolver({"none", "lib"}, folder.place(""));
  const std::vector<Result> streamed = compileAll(jobs);
  for (size_t i = 0; i < jobs.size(); ++i) CHECK(streamed[i].words == single[i].words);
  CHECK(texts.countFiles() == opened);
  CHECK(texts.countLexed() == 0);
  CHECK(single[0].dependencies ==
        std::vector<std::string>{"shaders/0.comp", "shaders/a.glsl", "shaders/deep/c.glsl", "lib/b.glsl"});
  CHECK(compileAll({}).empty());
}

TEST_CASE("a file that cannot be read is an error of its own, and no empty text") {
  FileCache files;
  int error = 0;
  const SharedText none = files.read("no/such/file.comp", &error);
  CHECK(error == ENOENT);
  const Result result = compile(none, "no/such/file.comp");
  CHECK_FALSE(result.ok);
  CHECK(result.status == Status::BadArgument);
  CHECK(result.messages == "no/such/file.comp: error: there is no text: the file was not read\n");
  CHECK(compile(SharedText(""), "empty.comp").status == Status::InputError);
}

TEST_CASE("a file that many compiles read is lexed once, the main one too") {
  const tests::TemporaryFolder folder;
  folder.write("main.comp", shader(0));
  folder.write("a.glsl", "#define SIZE 3\n");
  folder.write("lib/b.glsl", "#define UNUSED \"//\"\n");  // compiles lex this line, because whether it is
                                                          // needed depends on its conditional group
  FileCache files;
  Options options;
  options.include = files.resolver({"lib"}, folder.place(""));
  options.output = Output::Preprocessed;
  const Result single = compile(shader(0), "main.comp", options);
  CHECK(files.countLexed() == 1);
  const uint64_t opened = files.countFiles();
  std::atomic<int> different = 0;
  parallelFor(50, 4, [&](size_t) {
    const Result result = compile(files.read(folder.place("main.comp")), "main.comp", options);
    if (!result.ok || result.text != single.text || result.text.empty()) ++different;
  });
  CHECK(different == 0);
  CHECK(files.countFiles() == opened + 1);
  CHECK(files.countLexed() == 2);
}

TEST_CASE("tokens of texts that are no longer kept do not count for the cache's limit") {
  FileCache files;
  constexpr int kTexts = 20;  // whose tokens together exceed the limit
  const std::string text(size_t{1} << 20, ';');
  SharedText held;
  for (int n = 0; n < kTexts; ++n) {
    files.put("a.glsl", text);
    held = files.read("a.glsl");
  }
  CHECK(files.countLexed() == kTexts);
  CHECK(files.invalidate("a.glsl"));
  CHECK(held.view() == text);
}

TEST_CASE("compileAll calls once for each job, and hands on what is thrown") {
  std::vector<Job> jobs(20, Job{SharedText("#version 450\nvoid main() {}\n"), "a.comp", {}});
  std::vector<std::atomic<int>> calls(jobs.size());
  compileAll(
      jobs, [&](size_t i, Result&& result) { calls[i] += result.ok ? 1 : 100; }, 3);
  for (const std::atomic<int>& count : calls) CHECK(count == 1);
  std::atomic<int> started = 0;
  CHECK_THROWS_AS(compileAll(
                      jobs,
                      [&](size_t, Result&&) {
                        ++started;
                        throw std::runtime_error("enough");
                      },
                      1),
                  std::runtime_error);
  CHECK(started == 1);
}

TEST_CASE("a file cache reads texts, and says why it does not") {
  const tests::TemporaryFolder folder;
  folder.write("a", "text\n");
  folder.write("empty", "");
  FileCache files;
  int error = -1;
  const SharedText text = files.read(folder.place("a"), &error);
  CHECK(text.view() == "text\n");
  CHECK(error == 0);
  // Later changes of the file are not seen.
  folder.write("a", "other\n");
  CHECK(files.read(folder.place("a")).view().data() == text.view().data());
  CHECK(files.read(folder.place("empty")));
  CHECK(files.read(folder.place("empty")).view().empty());
  CHECK(!files.read(folder.place("missing"), &error));
  CHECK(error == ENOENT);
  CHECK(!files.read(folder.place(""), &error));
  CHECK(error == EISDIR);
  const IncludeResolver resolve = files.resolver({});
  CHECK(!resolve("", false, "x", 1));
  CHECK(!resolve("-", false, "x", 1));
  CHECK(!resolve(std::string_view("a\0b", 3), false, "x", 1));
  CHECK(resolve(folder.place("a"), true, "x", 1)->name == folder.place("a"));
}

TEST_CASE("a file cache forgets what changed") {
  const tests::TemporaryFolder folder;
  folder.write("a", "one\n");
  folder.write("b", "two\n");
  FileCache files;
  auto text = [&](const char* name) { return std::string(files.read(folder.place(name)).view()); };
  CHECK(text("a") == "one\n");
  CHECK(text("b") == "two\n");
  CHECK(!files.read(folder.place("later")));
  files.put(folder.place("made"), "in memory\n");
  CHECK(text("made") == "in memory\n");
  CHECK(files.refresh().empty());

  const SharedText before = files.read(folder.place("a"));
  folder.write("a", "longer than one\n");
  folder.write("later", "here\n");
  std::vector<std::string> expected = {folder.place("a"), folder.place("later")};
  std::sort(expected.begin(), expected.end());
  CHECK(files.refresh() == expected);
  CHECK(text("a") == "longer than one\n");
  CHECK(text("later") == "here\n");
  CHECK(before.view() == "one\n");

  folder.write("b", "2\n");
  CHECK(text("b") == "two\n");
  CHECK(files.invalidate(folder.place("b")));
  CHECK(!files.invalidate(folder.place("b")));
  CHECK(text("b") == "2\n");
  CHECK(files.invalidate(folder.place("made")));
  CHECK(!files.read(folder.place("made")));
  files.invalidateAll();
  CHECK(files.countFiles() == 0);
}

TEST_CASE("files that #include looked for in vain are named") {
  const tests::TemporaryFolder folder;
  folder.write("second/found.glsl", "#define SIZE 2\n");
  FileCache files;
  Options options;
  options.include = files.resolver({"first", "second"}, folder.place(""));
  const std::string source =
      "#version 450\n#include <found.glsl>\nlayout(local_size_x = SIZE) in;\nvoid main() {}\n";
  Result result = compile(source, "a.comp", options);
  CHECK(result.status == Status::Ok);
  CHECK(result.missing == std::vector<std::string>{folder.place("first/found.glsl")});
  result = compile("#version 450\n#include \"nowhere\"\nvoid main() {}\n", "a.comp", options);
  CHECK(result.status == Status::InputError);
  CHECK(result.missing == std::vector<std::string>{folder.place("nowhere"), folder.place("first/nowhere"),
                                                   folder.place("second/nowhere")});
  folder.write("first/found.glsl", "#define SIZE 3\n");
  CHECK(files.refresh() == std::vector<std::string>{folder.place("first/found.glsl")});
  result = compile(source, "a.comp", options);
  CHECK(result.missing.empty());
  CHECK(result.dependencies == std::vector<std::string>{"a.comp", "first/found.glsl"});
}

TEST_CASE("C: many compiles, and files that they share") {
  const tests::TemporaryFolder folder;
  folder.write("lib/size.glsl", "#define SIZE 2\n");
  coopc_file_cache* files = coopc_file_cache_create();
  coopc_options* options = coopc_options_create();
  const char* folders[] = {"lib"};
  REQUIRE(coopc_options_set_file_cache(options, files, folders, 1, folder.place("").c_str()) == 1);
  const std::string good =
      "#version 450\n#include \"size.glsl\"\nlayout(local_size_x = SIZE) in;\nvoid main() {}\n";
  const std::string bad = "#version 450\nvoid main() { x; }\n";
  const coopc_job jobs[] = {{good.data(), good.size(), "good.comp", options},
                            {bad.data(), bad.size(), "bad.comp", options},
                            {good.data(), good.size(), nullptr, nullptr}};
  coopc_result* results[3];
  REQUIRE(coopc_compile_all(jobs, 3, 2, results) == 1);
  CHECK(coopc_result_ok(results[0]) == 1);
  CHECK(coopc_result_dependency_count(results[0]) == 2);
  CHECK(coopc_result_missing_count(results[0]) == 1);
  CHECK(coopc_file_cache_put(files, folder.place("lib/size.glsl").c_str(), "#define SIZE 0\n", 15) == 1);
  coopc_result* again = coopc_compile(good.data(), good.size(), "good.comp", options);
  CHECK(coopc_result_status(again) == COOPC_STATUS_INPUT_ERROR);
  coopc_result_destroy(again);
  CHECK(coopc_file_cache_invalidate(files, folder.place("lib/size.glsl").c_str()) == 1);
  CHECK(coopc_file_cache_refresh(files) == 0);
  CHECK(coopc_file_cache_invalidate(files, nullptr) == 1);
  CHECK(coopc_result_ok(results[1]) == 0);
  CHECK(coopc_result_ok(results[2]) == 0);
  for (coopc_result* result : results) coopc_result_destroy(result);
  coopc_options_destroy(options);
  coopc_file_cache_destroy(files);
}

TEST_CASE("limits change the language's constants") {
  const std::string text =
      "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { int x[]; };\n"
      "void main() { x[0] = gl_MaxComputeWorkGroupSize.y; x[1] = gl_MaxComputeImageUniforms; }\n";
  Options options;
  options.output = Output::Assembly;
  options.limits = {
      {"MaxComputeWorkGroupSizeY", 77}, {"MaxComputeImageUniforms", 5}, {"MaxComputeImageUniforms", 99}};
  const Result r = compile(text, "a.comp", options);
  REQUIRE(r.ok);
  CHECK(r.text.find("OpConstant %int 77") != std::string::npos);
  CHECK(r.text.find("OpConstant %int 99") != std::string::npos);
  const std::vector<Limit> all = limits();
  CHECK(all.size() > 100);
  bool found = false;
  for (const Limit& limit : all)
    found = found || (limit.name == "MaxComputeWorkGroupSizeZ" && limit.value == 64);
  CHECK(found);
  coopc_options* c = coopc_options_create();
  CHECK(coopc_options_set_limit(c, "MaxSamples", 8) == 1);
  CHECK(coopc_options_set_limit(c, "MaxNothing", 8) == 0);
  CHECK(coopc_options_set_binding_base(c, COOPC_STAGE_COMPUTE, 5, 8) == 1);
  CHECK(coopc_options_set_binding_base(c, COOPC_STAGE_FROM_SOURCE, 6, 8) == 0);
  coopc_options_destroy(c);
}

TEST_CASE("min, max and clamp around NaN") {
  const std::string text =
      "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { float x[]; };\n"
      "void main() { x[0] = min(x[1], x[2]) + max(x[1], x[2]) + clamp(x[3], x[4], x[5]); }\n";
  Options options;
  options.output = Output::Assembly;
  Result r = compile(text, "a.comp", options);
  for (const char* name : {" FMin ", " FMax ", " FClamp "}) CHECK(r.text.find(name) != std::string::npos);
  options.nanClamp = true;
  r = compile(text, "a.comp", options);
  for (const char* name : {" NMin ", " NMax ", " NClamp "}) CHECK(r.text.find(name) != std::string::npos);
  for (const char* name : {" FMin ", " FMax ", " FClamp "}) CHECK(r.text.find(name) == std::string::npos);
}

TEST_CASE("resources that nothing uses stay where bindings are preserved") {
  const std::string text =
      "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { float x[]; };\n"
      "layout(binding = 3) buffer Unused { float y[]; };\nvoid main() { x[0] = 1.0; }\n";
  Options options;
  options.output = Output::Assembly;
  options.optimization = Optimization::Speed;
  CHECK(compile(text, "a.comp", options).text.find("Binding 3") == std::string::npos);
  options.preserveBindings = true;
  CHECK(compile(text, "a.comp", options).text.find("Binding 3") != std::string::npos);
}

TEST_CASE("what a pipeline can see stays at -O0, used or not") {
  const std::string text =
      "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { float x[]; };\n"
      "layout(binding = 3) uniform U { float y[4]; };\nlayout(push_constant) uniform P { uint z; };\n"
      "layout(binding = 4) uniform sampler2D t;\nlayout(constant_id = 7) const uint C = 5;\n"
      "shared uint s[C];\nvoid main() { x[0] = 1.0; }\n";
  constexpr const char* kInterface[] = {"Binding 3", "PushConstant", "Binding 4", "SpecId 7"};
  Options options;
  options.output = Output::Assembly;
  for (const char* part : kInterface)
    CHECK(compile(text, "a.comp", options).text.find(part) != std::string::npos);
  CHECK(compile(text, "a.comp", options).text.find("Workgroup") == std::string::npos);
  for (const Optimization level : {Optimization::None, Optimization::Speed, Optimization::Size}) {
    options.optimization = level;
    options.unusedInterface = level != Optimization::None;
    for (const char* part : kInterface)
      CHECK(compile(text, "a.comp", options).text.find(part) == std::string::npos);
  }
}

TEST_CASE("storage buffers below SPIR-V 1.3 are of class Uniform") {
  const std::string head = "#version 450\n";
  const std::string text =
      "layout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { float x[]; } b[2];\n"
      "void main() { b[gl_LocalInvocationID.x].x[0] = 1.0; }\n";
  Options options;
  options.output = Output::Assembly;
  const auto contains = [&](const std::string& source, const char* what) {
    return compile(source, "a.comp", options).text.find(what) != std::string::npos;
  };
  CHECK(contains(head + text, "BufferBlock"));
  CHECK(contains(head + text, "StorageBufferArrayDynamicIndexing"));
  CHECK_FALSE(contains(head + text, "SPV_KHR_storage_buffer_storage_class"));
  const std::string pragma = head + "#pragma use_storage_buffer\n" + text;
  CHECK_FALSE(contains(pragma, "BufferBlock"));
  CHECK(contains(pragma, "SPV_KHR_storage_buffer_storage_class"));
  options.targetEnv = TargetEnv::Vulkan1_1;
  CHECK_FALSE(contains(head + text, "BufferBlock"));
  CHECK_FALSE(contains(head + text, "SPV_KHR_storage_buffer_storage_class"));
}

TEST_CASE("the generator's word of the header") {
  const std::string text = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n";
  for (const Optimization level : {Optimization::None, Optimization::Speed}) {
    Options options;
    options.optimization = level;
    CHECK(compile(text, "a.comp", options).words[2] == 0);
    options.generator = 0x00120003;
    CHECK(compile(text, "a.comp", options).words[2] == 0x00120003);
  }
}

TEST_CASE("binding bases of one stage") {
  const std::string text =
      "#version 450\nlayout(local_size_x = 1) in;\nbuffer B { float x[]; };\nvoid main() { x[0] = 1.0; }\n";
  Options options;
  options.output = Output::Assembly;
  options.autoBindUniforms = true;
  options.bindingBase[static_cast<int>(ResourceKind::StorageBuffer)] = 5;
  CHECK(compile(text, "a.comp", options).text.find("Binding 5") != std::string::npos);
  options.stageBindingBase = {{Stage::Compute, ResourceKind::StorageBuffer, 7},
                              {Stage::Vertex, ResourceKind::StorageBuffer, 9}};
  CHECK(compile(text, "a.comp", options).text.find("Binding 7") != std::string::npos);
}
