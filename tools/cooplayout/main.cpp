// cooplayout: where the elements of matrices are. The program itself: words in, text out.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "tools/common/own_path.hpp"
#include "tools/common/standard_output.hpp"
#include "tools/cooplayout/commands.hpp"

namespace {

// Those that are installed with the program, which the build folder has at the same place.
coopc::cooplayout::ShippedMaps shippedMaps(const char* self) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path folder =
      fs::weakly_canonical(coopc::tool::ownPath(self), failed).parent_path() / COOPLAYOUT_MAPS;
  coopc::cooplayout::ShippedMaps maps{folder.string(), {}};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".txt") maps.names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(maps.names);
  return maps;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  std::string out;
  std::string err;
  const int code = coopc::cooplayout::run(words, out, err, shippedMaps(argc > 0 ? argv[0] : ""));
  std::fwrite(out.data(), 1, out.size(), stdout);
  std::fwrite(err.data(), 1, err.size(), stderr);
  return coopc::tool::afterOutput("cooplayout", code, 1);
}
