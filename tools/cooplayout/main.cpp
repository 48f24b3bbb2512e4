// cooplayout: explains where the elements of matrices are. This is the program's main function: words in,
// text out.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/file_path.hpp"
#include "base/system.hpp"
#include "tools/common/own_path.hpp"
#include "tools/common/standard_output.hpp"
#include "tools/cooplayout/programs/run.hpp"

namespace {

// The maps that are installed with the program. In the build folder they have the same relative path.
coopc::cooplayout::ShippedMaps shippedMaps(const std::string& self) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path folder =
      fs::weakly_canonical(coopc::filePath(coopc::tool::ownPath(self.c_str())), failed).parent_path() /
      COOPLAYOUT_MAPS;
  coopc::cooplayout::ShippedMaps maps{coopc::pathText(folder), {}};
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".txt") maps.names.push_back(coopc::pathText(entry.path().stem()));
  }
  std::ranges::sort(maps.names);
  return maps;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words = coopc::startProgram(argc, argv);
  const std::string self = words.front();
  words.erase(words.begin());
  std::string out;
  std::string err;
  const int code = coopc::cooplayout::run(words, out, err, shippedMaps(self));
  std::fwrite(out.data(), 1, out.size(), stdout);
  std::fwrite(err.data(), 1, err.size(), stderr);
  return coopc::tool::afterOutput("cooplayout", code, 1);
}
