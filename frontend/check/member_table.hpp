// Members of structures by name.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// Finds members by name in constant time, also in structures of thousands of members. The table of a
/// structure is made at the first question for one of its members; small structures have none.
class MemberTable {
 public:
  /// The first member of that name in a complete structure.
  std::optional<uint32_t> find(const Program& program, StructId s, NameId name);

 private:
  /// Structures of this size on have a table; smaller ones are searched faster than a table is asked.
  static constexpr size_t kMinMembers = 32;

  std::unordered_map<StructId, std::unordered_map<NameId, uint32_t>> tables_;
};

}  // namespace coopc::frontend
