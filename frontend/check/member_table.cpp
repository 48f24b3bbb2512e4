// A table for each large structure whose members have been looked up.
#include "frontend/check/member_table.hpp"

namespace coopc::frontend {

std::optional<uint32_t> MemberTable::find(const Program& program, StructId s, NameId name) {
  const auto members = program.membersOf(s);
  if (members.size() < kMinMembers) {
    for (uint32_t i = 0; i < members.size(); ++i)
      if (members[i].name == name) return i;
    return {};
  }
  auto& table = tables_[s];
  if (table.empty())
    for (uint32_t i = 0; i < members.size(); ++i) table.try_emplace(members[i].name, i);
  const auto found = table.find(name);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace coopc::frontend
