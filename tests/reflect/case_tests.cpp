// Whole reflections: cases/NAME.spvasm is a module, NAME.expected its reflection as JSON.
// COOPC_UPDATE_EXPECTED=1 in the environment rewrites the expectations.
#include "coopc/reflect.hpp"
#include "tests/reflect/cases.hpp"

namespace coopc::tests {
namespace {

TEST_CASE("modules have the expected reflections") {
  const std::vector<std::filesystem::path> files = reflectionCases();
  CHECK(files.size() == 9);
  for (const std::filesystem::path& file : files) {
    INFO(file.string());
    checkExpected(file, renderJson(reflect(wordsOf(file))));
  }
}

// Values that JSON does not show, because it has null for them.
TEST_CASE("numbers that are not known are 0") {
  const Reflection r =
      reflect(wordsOf(std::filesystem::path(COOPC_REFLECT_CASES) / "several_entry_points.spvasm"));
  size_t unknown = 0;
  for (const ReflectedBinding& b : r.bindings) {
    if (b.count.known) continue;
    CHECK(b.count.value == 0);
    ++unknown;
  }
  CHECK(unknown == 1);
}

}  // namespace
}  // namespace coopc::tests
