// Random programs of several stages, as cases of cooprun. Every stage has random statements
// (random_programs.hpp) over the values of the preceding stage, in interfaces of random types, and the
// results of all stages reach a render target or an image. Numbers are whole or exact floating-point numbers,
// and inputs of fragment shaders are flat, so all correct compilers and drivers give the same bytes.
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
