// Device profiles: descriptions of Vulkan devices in JSON, as `cooprun --dump-profile` writes them. The
// validator checks modules against a profile, lowering rewrites modules for it. vulkan_profile.hpp makes the
// profile of a live device.
//
// Ownership: the shipped ones live as long as the program. Threads: there is no global state; calls may run
// in many threads. Errors: only std::bad_alloc is thrown. Units: a profile's sizes are bytes.
#pragma once

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "coopc's C++ interface needs C++20 (-std=c++20, /std:c++20); older programs can use its C interface"
#endif

#include <span>
#include <string>
#include <string_view>

#include "coopc/export.h"

namespace coopc {

/// The shipped device profiles: "h200", "lavapipe" and so on.
struct ShippedProfile {
  std::string_view name;
  std::string_view text;  ///< JSON, NUL-terminated
};
COOPC_API std::span<const ShippedProfile> shippedProfiles();
/// The shipped profile of that name; null if there is none.
COOPC_API const ShippedProfile* findShippedProfile(std::string_view name);
/// Why the text of a profile cannot be used, in the words of ValidateResult::error; empty: it can be used.
/// Here an empty text is not a profile.
COOPC_API std::string profileError(std::string_view profile);

}  // namespace coopc
