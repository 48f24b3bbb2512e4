// Whether a kept device meets the needs of a run.
#include "vulkan/executor/kept_devices.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace coopc::vk {

bool covers(const Requirements& all, const Requirements& needs) {
  return all.features.covers(needs.features) &&
         std::includes(all.extensions.begin(), all.extensions.end(), needs.extensions.begin(),
                       needs.extensions.end());
}

void add(Requirements& all, const Requirements& needs) {
  all.features.add(needs.features);
  std::vector<std::string> extensions;
  std::set_union(all.extensions.begin(), all.extensions.end(), needs.extensions.begin(),
                 needs.extensions.end(), std::back_inserter(extensions));
  all.extensions = std::move(extensions);
}

}  // namespace coopc::vk
