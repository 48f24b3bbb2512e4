// generate KIND SEED COUNT FOLDER: writes COUNT random programs as cases of cooprun (KIND-SEED.toml and so
// on); generate --kinds lists the kinds.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/generated/random_blocks.hpp"
#include "tests/generated/random_matrices.hpp"
#include "tests/generated/random_stages.hpp"

using namespace coopc::tests;

namespace {

std::vector<RandomFile> filesOf(const std::string& kind, uint64_t seed) {
  const std::string name = kind + "_" + std::to_string(seed);
  if (kind == "matrices" || kind == "tensors") return randomMatrices(kind == "tensors", seed, name);
  if (kind == "blocks") return randomBlocks(seed, name);
  return randomStages(kind, seed, name);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--kinds") {
    for (const std::string_view kind : randomStageKinds())
      std::printf("%.*s\n", int(kind.size()), kind.data());
    std::puts("matrices\ntensors\nblocks");
    return 0;
  }
  if (argc != 5) {
    std::fprintf(stderr, "usage: generate KIND SEED COUNT FOLDER | generate --kinds\n");
    return 2;
  }
  const std::string kind = argv[1];
  const uint64_t from = std::strtoull(argv[2], nullptr, 10), count = std::strtoull(argv[3], nullptr, 10);
  const std::filesystem::path folder = argv[4];
  bool known = kind == "matrices" || kind == "tensors" || kind == "blocks";
  for (const std::string_view k : randomStageKinds()) known = known || k == kind;
  if (!known) {
    std::fprintf(stderr, "generate: no kind %s\n", kind.c_str());
    return 2;
  }
  std::filesystem::create_directories(folder);
  for (uint64_t seed = from; seed < from + count; ++seed)
    for (const RandomFile& file : filesOf(kind, seed)) {
      std::ofstream out(folder / file.name, std::ios::binary);
      out << file.text;
      if (!out.flush()) {
        std::fprintf(stderr, "generate: cannot write %s\n", file.name.c_str());
        return 1;
      }
    }
  return 0;
}
