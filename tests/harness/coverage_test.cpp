// Covering arrays: the search against plain enumeration, and what the conformance suite's list covers.
#include "harness/suite/coverage.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include <catch2/catch_test_macros.hpp>

#include "harness/suite/suite.hpp"
#include "tests/harness/shipped_profile.hpp"

using namespace coopc::harness::suite;
using namespace coopc::tests;

namespace {

Axis axis(const char* name, uint32_t count) {
  Axis result{name, {}};
  for (uint32_t i = 0; i < count; ++i) result.values.push_back(std::to_string(i));
  return result;
}

// Four axes; some values exclude one another, and one combination is impossible only through two exclusions
// together.
Operation small() {
  Operation operation;
  operation.feature = "small";
  operation.axes = {axis("a", 4), axis("b", 3), axis("c", 5), axis("d", 2)};
  operation.wholes = {{0, 1, 2}};
  operation.exclusions.push_back(
      {"a 3 has no b 2", {0, 1}, [](const Choice& c) { return c[0] == 3 && c[1] == 2; }});
  operation.exclusions.push_back(
      {"c 4 needs d 0", {2, 3}, [](const Choice& c) { return c[2] == 4 && c[3] == 1; }});
  operation.exclusions.push_back(
      {"a 0 needs d 1", {0, 3}, [](const Choice& c) { return c[0] == 0 && c[3] == 0; }});
  return operation;
}

bool possible(const Operation& operation, const Choice& choice) {
  return std::none_of(operation.exclusions.begin(), operation.exclusions.end(),
                      [&](const Exclusion& e) { return e.excluded(choice); });
}

std::vector<Choice> allOf(const Operation& operation) {
  std::vector<Choice> all{{}};
  for (const Axis& each : operation.axes) {
    std::vector<Choice> longer;
    for (const Choice& choice : all) {
      for (uint32_t v = 0; v < each.values.size(); ++v) {
        longer.push_back(choice);
        longer.back().push_back(v);
      }
    }
    all = std::move(longer);
  }
  return all;
}

// The combinations of values that the choices have on these axes.
std::set<std::vector<uint32_t>> seen(const std::vector<Choice>& choices, const std::vector<uint32_t>& axes) {
  std::set<std::vector<uint32_t>> result;
  for (const Choice& choice : choices) {
    std::vector<uint32_t> values;
    for (const uint32_t a : axes) values.push_back(choice[a]);
    result.insert(std::move(values));
  }
  return result;
}

uint64_t impossibleIn(const Coverage& coverage) {
  uint64_t sum = 0;
  for (const auto& [reason, count] : coverage.impossible) sum += count;
  return sum;
}

}  // namespace

TEST_CASE("what is added meets all that plain enumeration finds possible") {
  const Operation operation = small();
  std::vector<Choice> can;
  for (const Choice& choice : allOf(operation)) {
    if (possible(operation, choice)) can.push_back(choice);
  }
  for (const std::vector<Choice>& have :
       {std::vector<Choice>{}, std::vector<Choice>{{1, 0, 0, 0}, {1, 0, 1, 1}}}) {
    std::vector<Choice> list = have;
    for (Choice& choice : missingChoices(operation, have)) {
      CHECK(possible(operation, choice));
      list.push_back(std::move(choice));
    }
    CHECK(list.size() < can.size());
    for (const std::vector<uint32_t>& axes :
         {std::vector<uint32_t>{0, 1, 2}, {0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}) {
      CHECK(seen(list, axes) == seen(can, axes));
    }
    const Coverage coverage = coverageOf(operation, list);
    CHECK(coverage.unmet.empty());
    // 60 triples of the first three axes and three pairs with the last one.
    CHECK(coverage.wanted == 4 * 3 * 5 + 2 * (4 + 3 + 5));
    CHECK(coverage.met == seen(can, {0, 1, 2}).size() + seen(can, {0, 3}).size() + seen(can, {1, 3}).size() +
                              seen(can, {2, 3}).size());
    CHECK(coverage.met + impossibleIn(coverage) == coverage.wanted);
    CHECK(coverage.impossible.at("a 3 has no b 2") == 5);
    // a 0 with c 4 excludes both values of d, whichever of the three values b has.
    CHECK(coverage.impossible.at("a 0 needs d 1; c 4 needs d 0") == 3);
    CHECK(missingChoices(operation, list).empty());
  }
}

TEST_CASE("what a list leaves out is named") {
  Operation operation = small();
  operation.wholes.clear();
  std::vector<Choice> list = missingChoices(operation, {});
  REQUIRE(coverageOf(operation, list).unmet.empty());
  list.erase(std::remove_if(list.begin(), list.end(), [](const Choice& c) { return c[0] == 2 && c[1] == 1; }),
             list.end());
  const Coverage coverage = coverageOf(operation, list);
  CHECK(std::find(coverage.unmet.begin(), coverage.unmet.end(), "a=2 b=1") != coverage.unmet.end());
}

TEST_CASE("choices by the values' names") {
  const Operation operation = small();
  CHECK(choiceOf(operation, {"3", "0", "4", "1"}) == Choice{3, 0, 4, 1});
  CHECK(choiceOf(operation, {"3", "0", "4"}).empty());
  CHECK(choiceOf(operation, {"3", "0", "5", "1"}).empty());
}

TEST_CASE("in the suite's list all pairs of values meet, for every operation") {
  for (const char* profile : {"h200.json", "lavapipe.json"}) {
    const TargetDevice device = target(profile);
    std::vector<Operation> operations;
    const std::vector<SuiteCase> cases = generate(device, 1, &operations);
    std::map<std::string, std::vector<const SuiteCase*>> byFeature;
    for (const SuiteCase& subject : cases) byFeature[subject.feature].push_back(&subject);
    std::set<std::string> covered;
    for (const Operation& operation : operations) {
      INFO(profile << " " << operation.feature << " " << operation.part);
      covered.insert(operation.feature);
      std::vector<Choice> have;
      for (const SuiteCase* subject : byFeature[operation.feature]) {
        const Choice choice = choiceOf(operation, subject->traits);
        if (choice.empty()) continue;
        // The first property of a case is also in its name.
        const std::string& name = subject->name;
        CHECK(name.find("." + subject->traits[0] + ".") != std::string::npos);
        have.push_back(choice);
      }
      CHECK_FALSE(have.empty());
      const Coverage coverage = coverageOf(operation, have);
      CHECK(coverage.unmet == std::vector<std::string>{});
      CHECK(coverage.met + impossibleIn(coverage) == coverage.wanted);

      // The axes that the suite must have: scope and workgroup size, types with their uses, sizes, the
      // memory, and how numbers are given.
      std::set<std::string> names;
      for (const Axis& each : operation.axes) names.insert(each.name);
      for (const char* name : {"scope", "types", "size", "numbers"}) CHECK(names.count(name) == 1);
      CHECK(names.count("memory") + names.count("source") == 1);
      // Checked independently: some case has each value of each axis, unless no combination can have it.
      for (uint32_t a = 0; a < operation.axes.size(); ++a) {
        for (uint32_t v = 0; v < operation.axes[a].values.size(); ++v) {
          INFO(operation.axes[a].name << " " << operation.axes[a].values[v]);
          const bool any = std::any_of(have.begin(), have.end(), [&](const Choice& c) { return c[a] == v; });
          const bool notShared =
              operation.axes[a].values[v] == "shared" &&
              (operation.feature == "tensor-load-decode" || operation.feature == "tensor-store-partial");
          const bool noSuchSize =
              operation.axes[a].name == "size" && v != 0;                 // on devices with few registers
          const bool emptyConversion = operation.axes[a].name == "data";  // on devices without floats
          if (profile == std::string("h200.json"))
            CHECK((any || notShared || noSuchSize));
          else
            CHECK((any || notShared || noSuchSize || emptyConversion || operation.part == "flexible"));
        }
      }
    }
    for (const auto& [feature, list] : byFeature) {
      INFO(feature);
      CHECK((covered.count(feature) == 1 || feature == "multiply-add-saturating"));
    }
  }
}

TEST_CASE("why values do not meet, on the device with all features") {
  const TargetDevice device = target("h200.json");
  std::vector<Operation> operations;
  const std::vector<SuiteCase> cases = generate(device, 1, &operations);
  std::set<std::string> reasons;
  std::map<std::string, std::vector<std::vector<std::string>>> traits;
  for (const SuiteCase& subject : cases) traits[subject.feature].push_back(subject.traits);
  for (const Operation& operation : operations) {
    std::vector<Choice> have;
    for (const auto& values : traits[operation.feature]) {
      Choice choice = choiceOf(operation, values);
      if (!choice.empty()) have.push_back(std::move(choice));
    }
    for (const auto& [all, count] : coverageOf(operation, have).impossible) {
      for (size_t at = 0; at < all.size();) {
        const size_t end = std::min(all.find("; ", at), all.size());
        reasons.insert(all.substr(at, end - at));
        at = end + 2;
      }
    }
  }
  CHECK(reasons == std::set<std::string>{
                       "a decode function reads a storage buffer or a buffer reference",
                       "bfloat16 has no arithmetic", "integers have no fractions", "of integers only",
                       "shared memory of several workgroups is not one tensor",
                       "the array is larger than shared memory", "the arrays are larger than shared memory",
                       "the values of a codebook and of scales are negative",
                       "too large for the registers, or no larger than the other sizes"});
}
