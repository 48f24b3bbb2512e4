// Chooses cases that cover all pairs of values: backtracking over the open axes, trying first the values that
// cover most.
#include "harness/suite/coverage.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace coopc::harness::suite {
namespace {

// All combinations of a set of axes, numbered with the last axis fastest.
struct Goal {
  std::vector<uint32_t> axes;
  std::vector<uint32_t> counts;  // of the axes' values
  std::vector<bool> met;

  // kOpen if one of the axes is open.
  uint32_t indexIn(const Choice& choice) const {
    uint32_t index = 0;
    for (size_t i = 0; i < axes.size(); ++i) {
      const uint32_t value = choice[axes[i]];
      if (value == kOpen) return kOpen;
      index = index * counts[i] + value;
    }
    return index;
  }
  void putInto(Choice& choice, uint32_t index) const {
    for (size_t i = axes.size(); i-- > 0;) {
      choice[axes[i]] = index % counts[i];
      index /= counts[i];
    }
  }
};

class Search {
 public:
  explicit Search(const Operation& operation) : operation_(operation) {
    const auto count = static_cast<uint32_t>(operation.axes.size());
    for (const auto& whole : operation.wholes) addGoal(whole);
    for (uint32_t a = 0; a < count; ++a) {
      for (uint32_t b = a + 1; b < count; ++b) {
        const bool within =
            std::any_of(operation.wholes.begin(), operation.wholes.end(), [&](const auto& whole) {
              return std::find(whole.begin(), whole.end(), a) != whole.end() &&
                     std::find(whole.begin(), whole.end(), b) != whole.end();
            });
        if (!within) addGoal({a, b});
      }
    }
    goalsOf_.resize(count);
    for (size_t g = 0; g < goals_.size(); ++g) {
      for (const uint32_t axis : goals_[g].axes) goalsOf_[axis].push_back(g);
    }
    exclusionsOf_.resize(count);
    for (size_t e = 0; e < operation.exclusions.size(); ++e) {
      for (const uint32_t axis : operation.exclusions[e].axes) exclusionsOf_[axis].push_back(e);
    }
    // Axes with many values first: they restrict the others most.
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0u);
    std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
      return operation.axes[a].values.size() > operation.axes[b].values.size();
    });
  }

  std::vector<Goal>& goals() { return goals_; }

  void mark(const Choice& choice) {
    for (Goal& goal : goals_) goal.met[goal.indexIn(choice)] = true;
  }

  // Null: no exclusion applies to the values chosen so far.
  const Exclusion* against(const Choice& choice) const {
    for (const Exclusion& exclusion : operation_.exclusions) {
      if (holds(exclusion, choice)) return &exclusion;
    }
    return nullptr;
  }

  // Chooses the open axes; false if that is impossible. `greedy`: so that many combinations are covered.
  // `reasons`: gets the exclusions that prevented choices.
  bool fill(Choice& choice, bool greedy, std::set<std::string>* reasons = nullptr) {
    uint32_t axis = kOpen;
    for (const uint32_t a : order_) {
      if (choice[a] == kOpen) {
        axis = a;
        break;
      }
    }
    if (axis == kOpen) return true;
    const auto values = static_cast<uint32_t>(operation_.axes[axis].values.size());
    struct Candidate {
      uint32_t gain;
      uint32_t value;
    };
    std::vector<Candidate> candidates;
    for (uint32_t i = 0; i < values; ++i) {
      // Starts at another value each time, so that values without gain are used in turn.
      choice[axis] = (i + turn_) % values;
      const auto bad = std::find_if(exclusionsOf_[axis].begin(), exclusionsOf_[axis].end(),
                                    [&](size_t e) { return holds(operation_.exclusions[e], choice); });
      if (bad != exclusionsOf_[axis].end()) {
        if (reasons != nullptr) reasons->insert(operation_.exclusions[*bad].reason);
        continue;
      }
      candidates.push_back({greedy ? gainOf(choice, axis) : 0, choice[axis]});
    }
    ++turn_;
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.gain > b.gain; });
    for (const Candidate& candidate : candidates) {
      choice[axis] = candidate.value;
      if (fill(choice, greedy, reasons)) return true;
    }
    choice[axis] = kOpen;
    return false;
  }

 private:
  void addGoal(std::vector<uint32_t> axes) {
    Goal goal;
    size_t all = 1;
    for (const uint32_t axis : axes) {
      goal.counts.push_back(static_cast<uint32_t>(operation_.axes[axis].values.size()));
      all *= goal.counts.back();
    }
    goal.axes = std::move(axes);
    goal.met.resize(all);
    goals_.push_back(std::move(goal));
  }

  static bool holds(const Exclusion& exclusion, const Choice& choice) {
    return std::none_of(exclusion.axes.begin(), exclusion.axes.end(),
                        [&](uint32_t axis) { return choice[axis] == kOpen; }) &&
           exclusion.excluded(choice);
  }

  uint32_t gainOf(const Choice& choice, uint32_t axis) const {
    uint32_t gain = 0;
    for (const size_t g : goalsOf_[axis]) {
      const uint32_t index = goals_[g].indexIn(choice);
      if (index != kOpen && !goals_[g].met[index]) ++gain;
    }
    return gain;
  }

  const Operation& operation_;
  std::vector<Goal> goals_;
  std::vector<std::vector<size_t>> goalsOf_;
  std::vector<std::vector<size_t>> exclusionsOf_;
  std::vector<uint32_t> order_;
  uint32_t turn_ = 0;
};

}  // namespace

Choice choiceOf(const Operation& operation, const std::vector<std::string>& values) {
  if (values.size() != operation.axes.size()) return {};
  Choice choice;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::vector<std::string>& known = operation.axes[i].values;
    const auto it = std::find(known.begin(), known.end(), values[i]);
    if (it == known.end()) return {};
    choice.push_back(static_cast<uint32_t>(it - known.begin()));
  }
  return choice;
}

std::vector<Choice> missingChoices(const Operation& operation, const std::vector<Choice>& have) {
  Search search(operation);
  for (const Choice& choice : have) search.mark(choice);
  std::vector<Choice> added;
  for (Goal& goal : search.goals()) {
    for (uint32_t i = 0; i < goal.met.size(); ++i) {
      if (goal.met[i]) continue;
      Choice choice(operation.axes.size(), kOpen);
      goal.putInto(choice, i);
      if (search.against(choice) != nullptr || !search.fill(choice, true)) continue;
      search.mark(choice);
      added.push_back(std::move(choice));
    }
  }
  return added;
}

Coverage coverageOf(const Operation& operation, const std::vector<Choice>& have) {
  Search search(operation);
  for (const Choice& choice : have) search.mark(choice);
  Coverage coverage;
  for (const Goal& goal : search.goals()) {
    for (uint32_t i = 0; i < goal.met.size(); ++i) {
      ++coverage.wanted;
      if (goal.met[i]) {
        ++coverage.met;
        continue;
      }
      Choice choice(operation.axes.size(), kOpen);
      goal.putInto(choice, i);
      if (const Exclusion* exclusion = search.against(choice)) {
        ++coverage.impossible[exclusion->reason];
        continue;
      }
      Choice whole = choice;
      std::set<std::string> reasons;
      if (!search.fill(whole, false, &reasons)) {
        std::string all;
        for (const std::string& reason : reasons) all += (all.empty() ? "" : "; ") + reason;
        ++coverage.impossible[all];
        continue;
      }
      std::string text;
      for (const uint32_t axis : goal.axes) {
        text += (text.empty() ? "" : " ") + operation.axes[axis].name + "=" +
                operation.axes[axis].values[choice[axis]];
      }
      coverage.unmet.push_back(std::move(text));
    }
  }
  return coverage;
}

}  // namespace coopc::harness::suite
