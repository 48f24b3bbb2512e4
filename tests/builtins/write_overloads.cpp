// Writes the shaders of overloads.hpp into a folder, one per built-in function, for comparison with compilers
// that are separate programs: write_overloads FOLDER [FUNCTION]. With a function's name, one shader per
// overload of it. Prints the prototypes.
#include <cstdio>

#include "tests/builtins/overloads.hpp"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const auto overloads = coopc::tests::allOverloads();
  const auto write = [&](const std::string& name, size_t from, size_t to) {
    const std::string path = std::string(argv[1]) + "/" + name + ".comp";
    std::FILE* f = std::fopen(path.c_str(), "w");
    if (!f) return false;
    const std::string text =
        coopc::tests::overloadShader(overloads, from, to, coopc::tests::overloadPrologue(overloads[from]));
    std::fwrite(text.data(), 1, text.size(), f);
    return std::fclose(f) == 0;
  };
  bool ok = true;
  for (size_t from = 0, to = 0; from < overloads.size(); from = to) {
    to = coopc::tests::overloadGroupEnd(overloads, from);
    const std::string& function = overloads[from].function;
    if (argc > 2 && function != argv[2]) continue;
    if (argc == 2) {
      for (size_t i = from; i < to; ++i) std::printf("%s\n", overloads[i].prototype.c_str());
      ok = write(function + "." + std::to_string(from), from, to) && ok;
      continue;
    }
    for (size_t i = from; i < to; ++i) {
      ok = write(function + "." + std::to_string(i), i, i + 1) && ok;
      std::printf("%s.%zu %s\n", function.c_str(), i, overloads[i].prototype.c_str());
    }
  }
  return ok ? 0 : 1;
}
