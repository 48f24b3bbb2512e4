// The whole table from memory to a matrix: lines of memory, and in each cell the elements that are there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cooplayout/arguments.hpp"
#include "tools/cooplayout/output.hpp"

namespace coopc::cooplayout {

/// Element (row, column) of the matrix is at unit `at` of memory.
struct Placed {
  uint64_t at = 0;
  uint32_t row = 0;
  uint32_t column = 0;
};

struct MemoryTable {
  std::string title;
  std::string corner;
  uint32_t perLine = 1;  ///< units of a line
  uint32_t scale = 1;    ///< what a unit adds to the names of rows and columns: its bytes, or 1 for indices
  std::vector<Placed> elements;
};

/// The units of `unitBytes` in a line of 128 bytes, which is one unit where a unit is longer.
uint32_t unitsPerLine(uint32_t unitBytes);

/// The lines that have elements, by their first unit; lines without any are left out. A cell names its elements in the order of the
/// matrix, neighbours of a row as "3,0..7"; "." has none. Refused where the table has too many cells.
void addMemoryTable(Arguments& arguments, MemoryTable table, Document& document);

}  // namespace coopc::cooplayout
