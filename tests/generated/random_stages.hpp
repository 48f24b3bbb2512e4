// Random programs of several stages, as cases of cooprun: every stage has random statements
// (random_programs.hpp) over what the stage before it passes on, in interfaces of random types, and what
// all stages computed reaches a target or an image. Whole numbers and exact floating-point numbers only,
// flat where they are interpolated, so that all right compilers and drivers leave the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coopc::tests {

/// A file of a case.
struct RandomFile {
  std::string name;
  std::string text;
};

/// The kinds of cases: "compute", "vertex" (and fragment), "tessellation", "geometry", "mesh" (with and
/// without a task shader), "rays" (all six stages).
const std::vector<std::string_view>& randomStageKinds();

/// The case NAME.toml and its shaders.
std::vector<RandomFile> randomStages(std::string_view kind, uint64_t seed, const std::string& name);

}  // namespace coopc::tests
