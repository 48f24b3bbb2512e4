// A shader that the build compiled, and one that the program compiles.
#include <span>
#include <string_view>

#include "coopc/coopc.hpp"
#include "coopc/reflect.hpp"
#include "double.comp.h"

int main() {
  const coopc::Reflection built =
      coopc::reflect(std::span(double_comp, double_comp_size / sizeof double_comp[0]));
  const coopc::Result made = coopc::compile(std::string_view("#version 450\nvoid main() {}\n"), "a.comp", {});
  return built.ok() && built.bindings.size() == 1 && made.ok ? 0 : 1;
}
