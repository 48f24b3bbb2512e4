// When parts of the language are available: from a version of the profile on, or by an extension. Parts with
// a name (functions, types, symbols) have a condition in their tables. Parts without a name are features,
// whose conditions are in features.def.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/language/extension.hpp"

namespace coopc::frontend {

/// Alternative extensions, each of which is enough. Messages name the first of the list.
struct AnyExtension : ExtensionSet {
  ExtensionId named = kAllExtensions;  ///< kAllExtensions: the list is empty

  constexpr AnyExtension() = default;
  constexpr AnyExtension(std::initializer_list<ExtensionId> list) : ExtensionSet(list) {
    if (list.size() != 0) named = *list.begin();
  }
};

struct Availability {
  uint16_t desktop = 0;  ///< from this #version on; 0 if from none
  uint16_t es = 0;       ///< the same for `#version N es`
  AnyExtension anyOf{};  ///< or by any of these

  constexpr bool holds(bool inEs, uint32_t version, const ExtensionSet& enabled) const {
    const uint16_t first = inEs ? es : desktop;
    return (first != 0 && version >= first) || enabled.any(anyOf);
  }
  friend constexpr bool operator==(const Availability& a, const Availability& b) {
    return a.desktop == b.desktop && a.es == b.es && a.anyOf.bits == b.anyOf.bits &&
           a.anyOf.named == b.anyOf.named;
  }
};
constexpr Availability byExtension(AnyExtension anyOf) { return {0, 0, anyOf}; }

enum class Feature : uint8_t {
#define FEATURE(name, desktop, es, needs, ...) name,
#include "frontend/language/features.def"
  Count
};

namespace detail {
using enum ExtensionId;
inline constexpr std::array<Availability, static_cast<size_t>(Feature::Count)> kFeatures = {{
#define FEATURE(name, desktop, es, needs, ...) {desktop, es, {__VA_ARGS__}},
#include "frontend/language/features.def"
}};
}  // namespace detail

constexpr const Availability& availability(Feature feature) {
  return detail::kFeatures[static_cast<size_t>(feature)];
}
std::string_view featureName(Feature feature);  ///< "ScalarLayout", for the tests
/// The text in messages for what a feature needs in a profile: "GL_EXT_scalar_block_layout", "#version 400 or
/// GL_ARB_gpu_shader_fp64".
std::string featureNeeds(Feature feature, bool es);
/// "450", "320 es".
std::string versionText(uint32_t version, bool es);

}  // namespace coopc::frontend
