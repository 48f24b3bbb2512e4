// The memory of the machine: what was stored last at each place, and values that are given from outside.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "tools/cooplayout/programs/values.hpp"

namespace coopc::cooplayout {

class Variables {
 public:
  Variables(const spirv::Module& module, const Values& values) : m_(module), values_(values) {}

  void clear() { stored_.clear(); }
  /// The value given from outside, or else the value stored last.
  Value load(const Place& place, spirv::Id type) const;
  void store(const Place& place, const Value& value);
  /// Part `n` of the object at `place`, whose type is `type`.
  Place part(Place place, spirv::Id type, uint32_t n) const;

 private:
  uint32_t partCount(spirv::Id type) const;

  const spirv::Module& m_;
  const Values& values_;
  std::map<std::pair<spirv::Id, std::vector<uint32_t>>, Value> stored_;
};

}  // namespace coopc::cooplayout
