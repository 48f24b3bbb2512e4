// Loads and stores of whole objects and of their parts.
#include "tools/cooplayout/programs/variables.hpp"

#include <algorithm>

#include "spirv/composites.hpp"
#include "spirv/instructions.hpp"

namespace coopc::cooplayout {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spv::Op;

namespace {

constexpr uint32_t kMaxParts = 64;  // of a value that is loaded as a whole

}  // namespace

uint32_t Variables::partCount(Id type) const {
  if (const auto vector = as<op::TypeVector>(m_, type)) return vector.componentCount();
  if (const auto structure = as<op::TypeStruct>(m_, type)) return structure.memberTypes().size();
  if (const auto array = as<op::TypeArray>(m_, type)) {
    Missing missing;
    return values_.number(array.length(), missing).value_or(0);
  }
  return 0;
}

Place Variables::part(Place place, Id type, uint32_t n) const {
  std::string name = std::to_string(n);
  if (m_.opOf(type) == Op::OpTypeStruct) {
    const std::optional<std::string> member = values_.names().memberName(type, n);
    if (member) name = *member;
    // In a module without names, push constants are "push.0" and so on.
    if (!member && place.name.empty()) place.name = "push";
  } else {
    if (m_.opOf(type) == Op::OpTypeVector && n < 4) name = "xyzw"[n];
    place.index = n;
    place.lacking.clear();
  }
  if (place.inexact.empty()) place.path.push_back(n);
  place.name += (place.name.empty() ? "" : ".") + name;
  return place;
}

Value Variables::load(const Place& place, Id type) const {
  if (!place.inexact.empty()) return Missing{place.inexact};
  if (const std::optional<int64_t> given = values_.given(place.name))
    return spirv::lowBits(static_cast<uint64_t>(*given), values_.widthOf(type));
  // The parts of a vector or structure can be given separately.
  const uint32_t count = partCount(type);
  const bool known = place.path.size() < 8 && count != 0 && count <= kMaxParts;
  if (known) {
    Parts parts;
    for (uint32_t n = 0; n < count; ++n)
      parts.push_back(load(part(place, type, n), spirv::partType(m_, m_.def(type), n)));
    return parts;
  }
  for (std::vector<uint32_t> path = place.path;; path.pop_back()) {
    if (const auto stored = stored_.find({place.root, path}); stored != stored_.end()) {
      const Value* value = &stored->second;
      for (size_t n = path.size(); n < place.path.size(); ++n) {
        const auto* parts = std::get_if<Parts>(value);
        if (parts == nullptr || place.path[n] >= parts->size())
          return std::holds_alternative<Missing>(*value) ? *value : Value(Missing{place.name});
        value = &(*parts)[place.path[n]];
      }
      return *value;
    }
    if (path.empty()) return Missing{place.name};
  }
}

void Variables::store(const Place& place, const Value& value) {
  if (!place.root) return;
  // Replaces parts that were stored before. An inexact place replaces everything that may contain it.
  const auto first = stored_.lower_bound({place.root, place.path});
  auto last = first;
  while (last != stored_.end() && last->first.first == place.root &&
         std::equal(place.path.begin(), place.path.end(), last->first.second.begin(),
                    last->first.second.begin() +
                        static_cast<ptrdiff_t>(std::min(place.path.size(), last->first.second.size()))))
    ++last;
  stored_.erase(first, last);
  if (!place.inexact.empty()) {
    stored_[{place.root, place.path}] = Missing{place.inexact};
    return;
  }
  for (std::vector<uint32_t> path = place.path; !path.empty();) {
    path.pop_back();
    const auto stored = stored_.find({place.root, path});
    if (stored == stored_.end()) continue;
    Value* whole = &stored->second;
    for (size_t n = path.size(); n < place.path.size(); ++n) {
      auto* parts = std::get_if<Parts>(whole);
      if (parts == nullptr || place.path[n] >= parts->size()) return;
      whole = &(*parts)[place.path[n]];
    }
    *whole = value;
    return;
  }
  stored_[{place.root, place.path}] = value;
}

}  // namespace coopc::cooplayout
