// Records what llama.cpp's shader generator asks glslc for, without compiling anything:
//
//   coopc_record_variants GENERATOR SHADER_FOLDER WORK_FOLDER LIST
//
// runs the generator once for each .comp file of the folder, with this program in place of glslc. If
// COOPC_RECORD_TO is set, the program appends its arguments to that file, one per line, and an empty line.
// Fails if the recorded compiles are not those that the generator's header announces.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

#include "tests/llama/generator.hpp"
#include "tests/llama/variants.hpp"

namespace {

int record(const char* to, int count, char** arguments) {
  std::string text;
  for (int i = 1; i < count; ++i) text += std::string(arguments[i]) + "\n";
  text += "\n";
  // A single write in append mode, because several of these programs run at once.
  const int file = open(to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  const bool ok = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  return ok && close(file) == 0 ? 0 : 1;
}

int fail(const std::string& text) {
  std::fprintf(stderr, "coopc_record_variants: %s\n", text.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace coopc::tests::llama;
  namespace fs = std::filesystem;
  if (const char* to = std::getenv("COOPC_RECORD_TO")) return record(to, argc, argv);
  if (argc != 5) return fail("usage: coopc_record_variants GENERATOR SHADER_FOLDER WORK_FOLDER LIST");
  const Generator generator{argv[1], argv[2], argv[3]};
  const std::string unsorted = std::string(argv[4]) + ".part";
  fs::create_directories(argv[3]);
  fs::remove(unsorted);
  setenv("COOPC_RECORD_TO", unsorted.c_str(), 1);
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  // No modules are written, which the generator reports on stderr.
  for (const std::string& shader : generator.shaders())
    if (!generator.run(self, shader).exited()) return fail(shader + ": the generator failed");

  const std::vector<std::string> announced = generator.announcedNames();
  std::set<std::string> recorded;
  for (const Variant& v : readVariants(unsorted)) recorded.insert(v.name);
  if (announced.empty()) return fail("the generator announces nothing");
  for (const std::string& name : announced)
    if (recorded.count(name) == 0) return fail("`" + name + "` is announced but not compiled");
  if (recorded.size() != announced.size()) return fail("compiles are not announced");
  fs::rename(unsorted, argv[4]);
  return 0;
}
