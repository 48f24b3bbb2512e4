// The conditions for which cooplayout refuses a request, and the form of all refusals: what is wrong, then
// the rule in brackets.
#pragma once

#include <cstdint>
#include <string>

#include "layout/rule.hpp"

namespace coopc::cooplayout {

/// The conditions, in the order of conditions.def.
enum class Condition : uint8_t {
#define CONDITION(name, identifier, clause) name,
#include "conditions.def"
#undef CONDITION
};

/// "what is wrong [program.no-value; GLSL 4.2.2: ...]"
std::string describe(Condition condition, const std::string& whatIsWrong);
/// The same for a rule in layout/rules.def: "m must be ... [workitem.rows-power-of-two; Coopmatrix layout,
/// general layout]"
std::string describe(const layout::Broken& broken);

}  // namespace coopc::cooplayout
