// base/json.hpp against nlohmann-json: what is read, what is refused, and what is written.
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "tests/support/random.hpp"

namespace coopc {
namespace {

using Theirs = nlohmann::ordered_json;

std::string writeByTheirs(const Theirs& theirs) {
  return theirs.dump(2, ' ', false, Theirs::error_handler_t::replace);
}

void same(const std::string& text) {
  INFO(text);
  json::Value ours;
  std::string error;
  const bool read = json::parse(text, ours, error);
  const Theirs theirs = Theirs::parse(text, nullptr, false);
  INFO(error);
  CHECK(read == !theirs.is_discarded());
  CHECK(error.empty() == read);
  if (read && !theirs.is_discarded()) CHECK(ours.dump() == writeByTheirs(theirs));
}

TEST_CASE("json: texts are read and written as by nlohmann-json, or refused by both") {
  for (const char* text :
       {"null", "true", "false", "0", "-0", "18446744073709551615", "-9223372036854775808", "\"\"", "[]",
        "{}", "[[],{},[[]]]", "{\"a\":1,\"b\":[true,null],\"a\":2}", " \t\r\n[ 1 , 2 ]\n",
        "\"\\u0041\\u00e9\\u20ac\\ud83d\\ude00\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
        "\"caf\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\"", "\"\\u0000\\u001f\x7f\"",
        // Invalid texts
        "", " ", "nul", "tru", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "[1,]", "[1 2]", "[", "]",
        "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "{", "\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
        "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\n\"", "\"\x01\"", "\"\x80\"", "\"\xC0\x80\"",
        "\"\xED\xA0\x80\"", "\"\xF5\x80\x80\x80\"", "\"\xE2\x82\"", "1 2", "[] x", "\xEF\xBB\xBF"})
    same(text);
  // Both parsers accept fractions and exponents. Ours keeps them as they are written.
  for (const char* text : {"1.5", "-0.25e-3", "1E9", "1e400000", "18446744073709551616"}) {
    json::Value value;
    std::string error;
    REQUIRE(json::parse(text, value, error));
    CHECK(value.dump() == text);
    CHECK((!value.isUnsigned() && !value.isString()));
  }
}

TEST_CASE("json: shipped profiles, and texts made from one by change") {
  std::ifstream file(COOPC_PROFILES "/lavapipe.json");
  std::stringstream stream;
  stream << file.rdbuf();
  const std::string profile = stream.str();
  REQUIRE(profile.size() > 1000);
  same(profile);
  const std::string text =
      "{\"name\": \"llvmpipe (LLVM 21) \xC3\xA9\\u00e9\", \"list\": [\"shaderFloat64\", \"shaderInt8\"], "
      "\"nested\": {\"on\": true, \"none\": null}, \"n\": -5, \"m\": 123}";
  same(text);
  tests::Xorshift random{0x9E3779B97F4A7C11u};
  int read = 0;
  constexpr std::string_view kBytes = "{}[]\",:\\u0019-etn \n\x80\xC3\xA9";
  for (int n = 0; n < 20000; ++n) {
    std::string changed = text;
    for (int k = 0; k <= n % 2; ++k) {
      const uint64_t state = random.next();
      changed[state % changed.size()] = kBytes[(state >> 32) % kBytes.size()];
    }
    json::Value ours;
    std::string error;
    const bool good = json::parse(changed, ours, error);
    const Theirs theirs = Theirs::parse(changed, nullptr, false);
    if (good == theirs.is_discarded()) FAIL_CHECK(changed << "\n" << error);
    if (!good || theirs.is_discarded()) continue;
    ++read;
    // Fractions and exponents stay as they are written.
    if (changed.find_first_of("eE.", text.find("\"n\"")) != std::string::npos) continue;
    if (ours.dump() != writeByTheirs(theirs)) FAIL_CHECK(changed);
  }
  CHECK((read > 1000 && read < 19000));
}

TEST_CASE("json: floating-point numbers are written as by nlohmann-json") {
  const double numbers[] = {0.0,
                            -0.0,
                            0.48,
                            0.1 + 0.2,
                            -12.5,
                            3.0,
                            123456789.0,
                            1.0 / 3.0,
                            std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::quiet_NaN()};
  for (const double number : numbers) {
    INFO(number);
    CHECK(json::Value(number).dump() == writeByTheirs(Theirs(number)));
  }
}

TEST_CASE("json: what is not UTF-8 is written as U+FFFD") {
  for (const char* text : {"a\x80z", "\xC3", "\xE2\x82z", "\xF0\x9F\x98", "\xED\xA0\x80", "\xC0\x80",
                           "\xFF\xFE", "\xE2\x28\xA1"}) {
    INFO(text);
    CHECK(json::stringText(text) == Theirs(text).dump(-1, ' ', false, Theirs::error_handler_t::replace));
  }
}

TEST_CASE("json: objects are built in order, and errors have a place") {
  json::Value value = {{"b", 1}, {"a", json::Value::array()}, {"c", {{"d", -1}}}};
  value["b"] = "x";
  value["a"].push_back(std::vector<uint32_t>{1, 2});
  CHECK(value.dump() ==
        "{\n  \"b\": \"x\",\n  \"a\": [\n    [\n      1,\n      2\n    ]\n  ],\n  \"c\": {\n    \"d\": -1\n  "
        "}\n}");
  std::string error;
  CHECK_FALSE(json::parse("{\n  \"a\": [1,\n    x]}", value, error));
  CHECK(error == "parse error at line 3, column 5: a value is missing");
  CHECK_FALSE(json::parse(std::string(1000, '['), value, error));
  CHECK(error == "parse error at line 1, column 201: values are nested too deeply");
  CHECK(json::parse(std::string(200, '[') + std::string(200, ']'), value, error));
}

}  // namespace
}  // namespace coopc
