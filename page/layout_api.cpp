// cooplayout's commands for the page: words in, JSON out. Compiled to WebAssembly, and called from
// page/src/layout.js; memory is the page's to allocate, and results stay until the next call.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

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

// Runs a command line, whose words stand in `words` with a NUL between two of them. Returns the program's
// exit code.
int layout_run(const char* words, int size) {
  const std::string_view text(words, static_cast<size_t>(size));
  std::vector<std::string> line;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find('\0', start), text.size());
    line.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  Results& last = results();
  last = {};
  return coopc::cooplayout::answer(line, last.out, last.err, {}, nullptr);
}

// What the last command wrote: its answer, and its errors.
const char* layout_out() { return results().out.c_str(); }
const char* layout_err() { return results().err.c_str(); }
}
