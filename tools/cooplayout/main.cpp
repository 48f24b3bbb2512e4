// cooplayout: where the elements of matrices are. The program itself: words in, text out.
#include <cstdio>

#include "tools/common/standard_output.hpp"
#include "tools/cooplayout/commands.hpp"

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  std::string out;
  std::string err;
  const int code = coopc::cooplayout::run(words, out, err);
  std::fwrite(out.data(), 1, out.size(), stdout);
  std::fwrite(err.data(), 1, err.size(), stderr);
  return coopc::tool::afterOutput("cooplayout", code, 1);
}
