// Whole reflections: cases/NAME.spvasm is a module, NAME.expected its reflection as JSON.
// COOPC_UPDATE_EXPECTED=1 in the environment rewrites the expectations.
#include <algorithm>

#include "coopc/reflect.hpp"
#include "tests/reflect/cases.hpp"

namespace coopc::tests {
namespace {

TEST_CASE("modules have the expected reflections") {
  const std::vector<std::filesystem::path> files = reflectionCases();
  CHECK(files.size() == 10);
  for (const std::filesystem::path& file : files) {
    INFO(file.string());
    checkExpected(file, renderJson(reflect(wordsOf(file))));
  }
}

TEST_CASE("offsets and strides in heaps follow from the sizes of descriptors that are given") {
  const std::vector<uint32_t> words = wordsOf(std::filesystem::path(COOPC_REFLECT_CASES) / "heaps.spvasm");
  const auto named = [](const Reflection& r, std::string_view name) -> const ReflectedType& {
    const auto at =
        std::find_if(r.types.begin(), r.types.end(), [&](const ReflectedType& t) { return t.name == name; });
    REQUIRE(at != r.types.end());
    return *at;
  };
  const auto offsets = [&](const Reflection& r) {
    std::vector<uint32_t> list;
    for (const ReflectedMember& m : named(r, "Material").members) {
      CHECK(m.bySizes);
      list.push_back(m.offset);
    }
    return list;
  };
  const auto stride = [&](const Reflection& r) {
    return r.types[named(r, "Materials").members[0].type].arrayStride;
  };
  constexpr uint32_t kNone = kNotReflected;
  const Reflection unknown = reflect(words);
  CHECK(offsets(unknown) == std::vector<uint32_t>{0, kNone, kNone, 256});
  CHECK(stride(unknown) == 0);
  ReflectOptions options;
  options.descriptorSizes = {{ReflectedBindingKind::SampledImage, 40},
                             {ReflectedBindingKind::StorageImage, 8}};
  const Reflection images = reflect(words, options);
  CHECK(offsets(images) == std::vector<uint32_t>{0, 40, 80, 256});
  CHECK(stride(images) == 0);
  options.descriptorSizes.push_back({ReflectedBindingKind::UniformBuffer, 16});
  options.specializations = {{3, 128}};
  const Reflection all = reflect(words, options);
  CHECK(stride(all) == 96);
  REQUIRE(all.heaps.size() == 4);
  CHECK(all.heaps[1].offset.value == 128);
  CHECK(all.heaps[1].offset.specId == 3);
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
