// The tables of availability: the extensions that enable each feature, and what each extension enables.
#include <set>
#include <string>
#include <string_view>

#include <catch2/catch_test_macros.hpp>

#include "frontend/language/availability.hpp"
#include "frontend/language/builtins/functions.hpp"
#include "frontend/language/builtins/names.hpp"

using namespace coopc::frontend;

namespace {

constexpr auto kFeatureCount = static_cast<unsigned>(Feature::Count);

// Extensions that enable nothing, with the reasons.
struct Inert {
  ExtensionId extension;
  std::string_view reason;
};
constexpr Inert kInert[] = {
#define OPENS_NOTHING(name, reason) {ExtensionId::name, reason},
#include "frontend/language/extensions.def"
};

// The extensions that enable something.
ExtensionSet openers() {
  ExtensionSet set;
  for (unsigned i = 0; i < kFeatureCount; ++i) set.add(availability(static_cast<Feature>(i)).anyOf);
#define IMPLIES(name, other) set.set(ExtensionId::name);
#define KEYWORD(name, word, token, stages) set.set(ExtensionId::name);
#include "frontend/language/extensions.def"
  // The built-in tables also name the extensions of the rows FUNCTION, CONSTANT and VARIABLE.
  for (uint16_t i = 0; i < builtins::rowCount(); ++i) set.add(builtins::availability(builtins::row(i)).anyOf);
  for (uint16_t i = 0; i < builtins::symbolCount(); ++i) set.add(builtinSymbol(i).anyOf);
  for (uint16_t i = 0; i < builtins::typeNameCount(); ++i) set.add(builtinTypeName(i).anyOf);
  return set;
}

}  // namespace

TEST_CASE("each feature has an extension that opens it, and a text for messages", "[language]") {
  std::set<std::string_view> names;
  for (unsigned i = 0; i < kFeatureCount; ++i) {
    const auto feature = static_cast<Feature>(i);
    INFO(featureName(feature));
    CHECK(names.insert(featureName(feature)).second);
    const Availability& a = availability(feature);
    REQUIRE(!a.anyOf.empty());
    CHECK(a.anyOf.has(a.anyOf.named));
    for (const bool es : {false, true}) {
      // The text names extensions that enable the feature, and the version that has it, if there is one.
      std::string text = featureNeeds(feature, es);
      const uint32_t version = es ? a.es : a.desktop;
      if (version != 0) {
        const std::string first = "#version " + versionText(version, es) + " or ";
        REQUIRE(text.starts_with(first));
        text.erase(0, first.size());
      }
      for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find(" or ", at), text.size());
        const ExtensionId named = findExtension(std::string_view(text).substr(at, end - at));
        INFO(text);
        REQUIRE(named != kAllExtensions);
        CHECK(a.anyOf.has(named));
        at = end + 4;
      }
    }
  }
}

TEST_CASE("a feature is open by version, or by any of its extensions", "[language]") {
  const auto open = [](Feature f, bool es, uint32_t version, const ExtensionSet& on) {
    return availability(f).holds(es, version, on);
  };
  CHECK(!open(Feature::DoubleLiterals, false, 330, {}));
  CHECK(open(Feature::DoubleLiterals, false, 400, {}));
  CHECK(!open(Feature::DoubleLiterals, true, 320, {}));
  CHECK(open(Feature::DoubleLiterals, true, 310,
             {ExtensionId::GL_EXT_shader_explicit_arithmetic_types_float64}));
  CHECK(!open(Feature::PreciseQualifier, true, 310, {}));
  CHECK(open(Feature::PreciseQualifier, true, 320, {}));
  CHECK(open(Feature::PreciseQualifier, true, 310, {ExtensionId::GL_EXT_gpu_shader5}));
  CHECK(!open(Feature::ScalarLayout, false, 460, {ExtensionId::GL_EXT_buffer_reference}));
  CHECK(featureNeeds(Feature::DoubleLiterals, false) == "#version 400 or GL_ARB_gpu_shader_fp64");
  CHECK(featureNeeds(Feature::DoubleLiterals, true) == "GL_EXT_shader_explicit_arithmetic_types_float64");
  CHECK(featureNeeds(Feature::ScalarLayout, false) == "GL_EXT_scalar_block_layout");
}

TEST_CASE("an extension opens something, or says why it is accepted", "[language]") {
  ExtensionSet inert;
  for (const Inert& row : kInert) {
    INFO(extensionName(row.extension));
    CHECK(!inert.has(row.extension));
    CHECK(!row.reason.empty());
    inert.set(row.extension);
  }
  const ExtensionSet open = openers();
  for (unsigned i = 0; i < static_cast<unsigned>(ExtensionId::Count); ++i) {
    const auto extension = static_cast<ExtensionId>(i);
    INFO(extensionName(extension));
    CHECK(open.has(extension) != inert.has(extension));
  }
}
