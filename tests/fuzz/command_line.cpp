// Command lines. The last byte chooses the form: one argument in each line, a response file, or a list of
// --batch. They are parsed, and run if they write no file. The files that they can read are in memory.
#include <string>
#include <vector>

#include "coopc/coopc.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tools/coopc/batch.hpp"
#include "tools/coopc/driver.hpp"
#include "tools/coopc/options.hpp"

using namespace coopc;
using namespace coopc::tool;
using coopc::fuzz::require;

namespace {

constexpr size_t kChoices = 1;
constexpr size_t kMostArguments = 64;

// Stands for the machine's folders, from which nothing is read.
constexpr const char* kNowhere = "/nonexistent/coopc-fuzz/";

bool isOutside(const std::string& argument) {
  return argument.find("/") != std::string::npos || argument.find("..") != std::string::npos;
}

void runArguments(const std::vector<std::string>& arguments, bool asGlslc) {
  for (const std::string& argument : arguments)
    if (isOutside(argument)) return;
  if (isBatch(arguments)) {
    BatchOptions batch;
    std::string error;
    require(parseBatchOptions(arguments, batch, error) || !error.empty(),
            "a batch refused without a message");
    return;
  }
  CommandLine line;
  std::string error;
  if (!parseCommandLine(arguments, line, error, kNowhere, asGlslc)) {
    require(!error.empty(), "a command line refused without a message");
    return;
  }
  if (line.show != CommandLine::Show::Nothing || !writtenFiles(line).empty() ||
      !line.lowering.profile.empty())
    return;
  for (const Input& input : line.inputs)
    if (input.path == "-") return;
  line.options.allowGlslang = false;
  line.options.memoryLimit = size_t{64} << 20;
  FileCache files;
  files.put(std::string(kNowhere) + "a.comp", "#version 450\nvoid main() {}\n");
  files.put(std::string(kNowhere) + "b.comp", "#version 450\n#include \"c.h\"\nvoid main() { int a = X; }\n");
  files.put(std::string(kNowhere) + "c.h", "#ifndef X\n#define X 1\n#endif\n");
  files.put(std::string(kNowhere) + "d.spvasm", "OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
  std::string out, err;
  const int code = runCommandLine(line, {files, kNowhere, &out, &err, nullptr});
  require(code == 0 || !err.empty() || !out.empty(), "a command line failed without a message");
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t capacity, unsigned seed) {
  return coopc::fuzz::mutateText(data, size, capacity, seed, kChoices);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Choices choices(data, size);
  const uint8_t choice = choices.byte();
  const std::string_view text = choices.text();
  std::vector<std::string> arguments;
  switch (choice % 4) {
    case 0:
    case 1:
      for (size_t at = 0; at < text.size() && arguments.size() < kMostArguments;) {
        const size_t end = std::min(text.find('\n', at), text.size());
        arguments.emplace_back(text.substr(at, end - at));
        at = end + 1;
      }
      runArguments(arguments, choice % 4 == 1);
      break;
    case 2:
      if (splitArguments(text, arguments) && arguments.size() <= kMostArguments)
        runArguments(arguments, false);
      break;
    default: {
      std::string error;
      const auto list = parseBatch(text, error);
      if (!list) {
        require(!error.empty(), "a list refused without a message");
        break;
      }
      const std::vector<BatchJob>& jobs = *list;
      for (size_t i = 0; i < jobs.size() && i < 4; ++i) {
        if (jobs[i].arguments.size() <= kMostArguments) runArguments(jobs[i].arguments, false);
      }
    }
  }
  return 0;
}
