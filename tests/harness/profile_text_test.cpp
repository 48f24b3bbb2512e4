// Shipped profiles have the form that `cooprun --dump-profile` writes, byte for byte, so that a new one can
// be compared with cmp.
#include <filesystem>
#include <iterator>
#include <string>

#include <catch2/catch_test_macros.hpp>

#include "tests/support/text_file.hpp"
#include "tools/cooprun/json_text.hpp"

namespace coopc::cooprun {
namespace {

using Json = nlohmann::ordered_json;

TEST_CASE("profiles that ship are written as cooprun writes them") {
  size_t profiles = 0;
  for (const auto& entry : std::filesystem::directory_iterator(COOPC_PROFILES_DIR)) {
    INFO(entry.path().string());
    const std::string text = tests::fileText(entry.path());
    CHECK(profileText(Json::parse(text)) == text);
    ++profiles;
  }
  CHECK(profiles >= 2);
}

TEST_CASE("a profile's objects of a list have a line each, lists of words are wrapped") {
  Json profile{{"name", "x"},
               {"shapes", Json::array({Json{{"m", 8}, {"saturating", false}}, Json{{"m", 16}}})}};
  for (int i = 0; i < 20; ++i) profile["features"].push_back("feature" + std::to_string(i));
  profile["vectors"] = Json{{"stages", Json::array({"compute"})}, {"most", 512}};
  profile["none"] = Json::array();
  CHECK(profileText(profile) == R"({
  "name": "x",
  "shapes": [
    {"m": 8, "saturating": false},
    {"m": 16}
  ],
  "features": ["feature0", "feature1", "feature2", "feature3", "feature4", "feature5", "feature6", "feature7",
    "feature8", "feature9", "feature10", "feature11", "feature12", "feature13", "feature14", "feature15",
    "feature16", "feature17", "feature18", "feature19"],
  "vectors": {
    "stages": ["compute"],
    "most": 512
  },
  "none": []
}
)");
}

}  // namespace
}  // namespace coopc::cooprun
