// The names of vendors' sets of extended instructions. Each is also the name of the SPIR-V extension that
// defines the set.
#pragma once

#include <string_view>

namespace coopc::spirv {

inline constexpr std::string_view kTrinaryMinMaxSet = "SPV_AMD_shader_trinary_minmax";
inline constexpr std::string_view kGcnSet = "SPV_AMD_gcn_shader";
inline constexpr std::string_view kBallotSet = "SPV_AMD_shader_ballot";
inline constexpr std::string_view kVertexParameterSet = "SPV_AMD_shader_explicit_vertex_parameter";

}  // namespace coopc::spirv
