// A value as the machine computes it: a number, a tensor layout or view, a pointer, a composite, or what is
// missing to compute it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "layout/tensor.hpp"
#include "spirv/id.hpp"

namespace coopc::cooplayout {

struct Missing {
  std::string name;
  bool refused = false;  ///< `name` is the message of a broken rule
};

/// A pointer: an object and the indexes into it.
struct Place {
  spirv::Id root;
  std::vector<uint32_t> path;
  std::string name;               ///< "parameters.rows", "gl_WorkGroupID.x"
  std::optional<uint32_t> index;  ///< the last index into an array
  std::string lacking;            ///< what is missing to compute that index
  std::string inexact = {};       ///< what is missing to compute any index; the path ends before that
};

/// A layout or a view, and what was assumed about it: "dimension 0 = 1024 (rows)".
template <class T>
struct Described : T {
  std::vector<std::string> assumed = {};
};
using KnownLayout = Described<layout::TensorLayout>;
using KnownView = Described<layout::TensorView>;

struct Value;
using Parts = std::vector<Value>;
/// A number has its type's bits, zero-extended; a boolean is 0 or 1.
struct Value : std::variant<Missing, uint64_t, KnownLayout, KnownView, Place, Parts> {
  using variant::variant;
};

}  // namespace coopc::cooplayout
