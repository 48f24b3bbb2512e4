// Members of structures by name.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "frontend/program/program.hpp"

namespace coopc::frontend {

/// Finds members by name in constant time, even in structures with thousands of members. The table of a
/// structure is made when a member is first looked up; small structures have no table.
class MemberTable {
 public:
  /// The first member of that name in a complete structure.
  std::optional<uint32_t> find(const Program& program, StructId s, NameId name);

 private:
  /// Structures with at least this many members have a table; searching smaller ones is faster.
  static constexpr size_t kMinMembers = 32;

  std::unordered_map<StructId, std::unordered_map<NameId, uint32_t>> tables_;
};

}  // namespace coopc::frontend
