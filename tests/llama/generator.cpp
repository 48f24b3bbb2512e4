// Runs llama.cpp's generator with a program in place of glslc.
#include "tests/llama/generator.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace coopc::tests::llama {

std::vector<std::string> Generator::shaders() const {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().extension() == ".comp") files.push_back(entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

ProcessResult Generator::run(const std::string& glslc, const std::string& shader) const {
  return runProcess({program, "--glslc", glslc, "--source", folder + "/" + shader, "--output-dir", output,
                     "--target-cpp", output + "/" + shader + ".cpp"},
                    "", 600);
}

std::vector<std::string> Generator::announcedNames() const {
  const std::string header = output + "/shaders.hpp";
  std::vector<std::string> names;
  if (!runProcess({program, "--output-dir", output, "--target-hpp", header}, "", 60).exited()) return names;
  // Lines are "extern const unsigned char NAME_data[];".
  constexpr std::string_view kStart = "extern const unsigned char ";
  constexpr std::string_view kEnd = "_data[];";
  std::ifstream in(header);
  for (std::string line; std::getline(in, line);)
    if (line.rfind(kStart, 0) == 0 && line.size() > kStart.size() + kEnd.size())
      names.push_back(line.substr(kStart.size(), line.size() - kStart.size() - kEnd.size()));
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace coopc::tests::llama
