// Covering arrays: which values of which axes must meet in the cases of an operation, which of them do, and
// the cases that are missing. Data and plain search; what the axes mean is the business of the files that
// make cases.
//
// All pairs of values of different axes are wanted, and all combinations within the sets of axes that an
// operation names. An exclusion says, with a reason, what cannot meet. A combination that no case can hold
// because of several exclusions is found by search.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace coopc::harness::suite {

/// One way in which the cases of an operation differ.
struct Axis {
  std::string name;
  std::vector<std::string> values;  ///< all different
};

/// The index of a value for each axis.
constexpr uint32_t kOpen = UINT32_MAX;  ///< not chosen yet
using Choice = std::vector<uint32_t>;

/// Values that cannot meet.
struct Exclusion {
  std::string reason;
  std::vector<uint32_t> axes;                   ///< that it looks at
  std::function<bool(const Choice&)> excluded;  ///< asked when all of them are chosen
};

struct Operation {
  std::string feature;  ///< as of SuiteCase
  std::string part;     ///< "fixed" or "flexible" shapes
  std::vector<Axis> axes;
  /// Sets of axes, in rising order, whose combinations are all wanted; pairs of axes need no entry.
  std::vector<std::vector<uint32_t>> wholes;
  std::vector<Exclusion> exclusions;
};

/// The choice of a case that has these values, in the order of the axes; empty: one of them is not of this
/// operation.
Choice choiceOf(const Operation& operation, const std::vector<std::string>& values);

/// The choices to add to `have` so that every wanted and possible combination occurs. Deterministic, greedy:
/// each addition starts from one combination that is not met and takes the values that meet most of the
/// others.
std::vector<Choice> missingChoices(const Operation& operation, const std::vector<Choice>& have);

struct Coverage {
  uint64_t wanted = 0;
  uint64_t met = 0;
  /// How many combinations are impossible, by reason, or by several ("one; another") if they leave no value
  /// of the other axes.
  std::map<std::string, uint64_t> impossible;
  std::vector<std::string> unmet;  ///< possible, but in no case: "scope=wg128 size=largest"
};
/// The part of what is wanted that `have` meets; the tests compare it with what missingChoices() adds.
Coverage coverageOf(const Operation& operation, const std::vector<Choice>& have);

}  // namespace coopc::harness::suite
