// Covering arrays: which values of which axes must occur together in the cases of an operation, which of
// these combinations occur, and the cases that are missing. Data and plain search; the files that make cases
// give the axes their meaning.
//
// All pairs of values of different axes are required, and all combinations within the sets of axes that an
// operation names. An exclusion says, with a reason, which values cannot occur together. A combination that
// several exclusions make impossible is found by search.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace coopc::harness::suite {

/// A property in which the cases of an operation differ.
struct Axis {
  std::string name;
  std::vector<std::string> values;  ///< all different
};

/// The index of a value for each axis.
constexpr uint32_t kOpen = UINT32_MAX;  ///< not chosen yet
using Choice = std::vector<uint32_t>;

/// Values that cannot occur together.
struct Exclusion {
  std::string reason;
  std::vector<uint32_t> axes;                   ///< that it looks at
  std::function<bool(const Choice&)> excluded;  ///< asked when all of them are chosen
};

struct Operation {
  std::string feature;  ///< as of SuiteCase
  std::string part;     ///< "fixed" or "flexible" shapes
  std::vector<Axis> axes;
  /// Sets of axes, in ascending order, whose combinations are all required; pairs of axes need no entry.
  std::vector<std::vector<uint32_t>> wholes;
  std::vector<Exclusion> exclusions;
};

/// The choice of a case that has these values, in the order of the axes; empty if a value is not one of this
/// operation.
Choice choiceOf(const Operation& operation, const std::vector<std::string>& values);

/// The choices to add to `have` so that every required and possible combination occurs. Deterministic and
/// greedy: each addition starts from one combination that is missing and takes the values that cover most of
/// the others.
std::vector<Choice> missingChoices(const Operation& operation, const std::vector<Choice>& have);

struct Coverage {
  uint64_t wanted = 0;
  uint64_t met = 0;
  /// How many combinations are impossible, by reason, or by several ("one; another") if they leave no value
  /// of the other axes.
  std::map<std::string, uint64_t> impossible;
  std::vector<std::string> unmet;  ///< possible, but in no case: "scope=wg128 size=largest"
};
/// The required combinations that `have` covers; the tests compare them with the additions of
/// missingChoices().
Coverage coverageOf(const Operation& operation, const std::vector<Choice>& have);

}  // namespace coopc::harness::suite
