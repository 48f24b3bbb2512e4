// Reports the memory that passes use to MemoryBudget.
#pragma once

#include "base/memory_budget.hpp"
#include "spirv/module.hpp"

namespace coopc::spirv {

/// Counts the instructions, and the tables by instruction and by id; a pass has several of these at a time.
/// Words are counted where they are stored.
inline void measurePasses(const Module& module) {
  constexpr size_t kTables = 4;
  MemoryBudget::measure(MemoryBudget::Part::Passes,
                        module.instructions.size() * (sizeof(Instruction) + kTables * sizeof(uint32_t)) +
                            module.bound * kTables * sizeof(uint32_t));
}

}  // namespace coopc::spirv
