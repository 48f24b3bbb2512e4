// cooplayout's commands for the page: words in, JSON out. Compiled to WebAssembly, and called from
// page/src/layout.js. The page allocates the memory, and results stay valid until the next call.
#include <string>
#include <vector>

#include "page/command_line.hpp"
#include "tools/cooplayout/commands.hpp"

namespace {

struct Results {
  std::string out;
  std::string err;
};
Results& results() {
  static Results last;
  return last;
}

}  // namespace

extern "C" {

// Runs a command line, whose words are in `words`, separated by NULs. Returns the program's exit code.
int layout_run(const char* words, int size) {
  const std::vector<std::string> line = coopc::page::commandLine(words, size);
  Results& last = results();
  last = {};
  return coopc::cooplayout::answer(line, last.out, last.err, {}, nullptr);
}

// The output of the last command: its answer, and its errors.
const char* layout_out() { return results().out.c_str(); }
const char* layout_err() { return results().err.c_str(); }
}
