// GLSL extensions as data: what extensions.def says about each. (Keywords, operations, functions and symbols
// are in other tables.) If an extension has rules, they are in check/extensions/.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace coopc::frontend {

enum class ExtensionId : uint8_t {
#define EXTENSION(name, desktop, es, spirv, checked) name,
#include "frontend/language/extensions.def"
  Count
};
constexpr ExtensionId kAllExtensions = ExtensionId::Count;

enum class ExtensionBehavior : uint8_t { Disable, Warn, Enable, Require };

/// A set of extensions, by value.
struct ExtensionSet {
  std::array<uint64_t, 4> bits{};
  static_assert(static_cast<unsigned>(ExtensionId::Count) <= 256);

  constexpr ExtensionSet() = default;
  constexpr ExtensionSet(std::initializer_list<ExtensionId> list) {
    for (ExtensionId e : list) set(e);
  }
  constexpr void set(ExtensionId e, bool on = true) {
    const auto i = static_cast<unsigned>(e);
    const uint64_t bit = uint64_t{1} << (i % 64);
    bits[i / 64] = on ? bits[i / 64] | bit : bits[i / 64] & ~bit;
  }
  constexpr bool has(ExtensionId e) const {
    const auto i = static_cast<unsigned>(e);
    return (bits[i / 64] >> (i % 64)) & 1;
  }
  constexpr bool any(const ExtensionSet& of) const {
    for (size_t i = 0; i < bits.size(); ++i)
      if ((bits[i] & of.bits[i]) != 0) return true;
    return false;
  }
  constexpr bool operator==(const ExtensionSet&) const = default;
  constexpr bool empty() const { return !(bits[0] | bits[1] | bits[2] | bits[3]); }
  constexpr void add(const ExtensionSet& more) {
    for (size_t i = 0; i < bits.size(); ++i) bits[i] |= more.bits[i];
  }
  /// Calls `f` with each extension, in order.
  template <class F>
  constexpr void forEach(F&& f) const {
    for (unsigned i = 0; i < bits.size(); ++i)
      for (uint64_t left = bits[i]; left != 0; left &= left - 1)
        f(static_cast<ExtensionId>(i * 64 + static_cast<unsigned>(std::countr_zero(left))));
  }
};

/// In force without a directive, and not affected by `all`.
inline constexpr ExtensionSet kAlwaysEnabled = {ExtensionId::GL_KHR_vulkan_glsl};

/// The extensions of a profile, a version and a target: what `all` means (GLSL 4.60, 3.3).
ExtensionSet extensionsOf(bool es, uint32_t version, uint32_t spirvVersion);

/// Where a target whose SPIR-V is too old for an extension is reported.
enum class TargetCheck : uint8_t { Use, Directive };

struct ExtensionInfo {
  uint16_t minVersion;    ///< smallest desktop #version; 0 if not for desktop
  uint16_t minEsVersion;  ///< smallest `#version N es`; 0 if not for ES
  uint32_t minSpirv;      ///< smallest SPIR-V version that supports its features
  bool spirvAtDirective;  ///< a smaller target is an error at #extension, not only at a use
  ExtensionSet implies;   ///< switched together with it; not transitive, so indirect ones are listed as well
};
const ExtensionInfo& extensionInfo(ExtensionId id);
std::string_view extensionName(ExtensionId id);  ///< "GL_KHR_cooperative_matrix"
/// A note that names the first Vulkan environment that supports that version of SPIR-V, as spelled on the
/// command line.
std::string targetHint(uint32_t spirvVersion);
/// The extension of that name; kAllExtensions if there is none.
ExtensionId findExtension(std::string_view name);

}  // namespace coopc::frontend
