// The complete table from memory to a matrix: lines of memory, with the elements in each cell.
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
  uint32_t perLine = 1;  ///< units per line
  uint32_t scale = 1;    ///< how much the names of rows and columns advance per unit: its bytes, or 1 for
                         ///< indices
  std::vector<Placed> elements;
};

/// How many units of `unitBytes` are in a line of 128 bytes; 1 if a unit is longer.
uint32_t unitsPerLine(uint32_t unitBytes);

/// Adds the lines that contain elements, ordered by their first unit; other lines are left out. A cell names
/// its elements in the order of the matrix, and neighbors in a row as "3,0..7"; "." means that there are
/// none. Refused if the table has too many cells.
void addMemoryTable(Arguments& arguments, MemoryTable table, Document& document);

}  // namespace coopc::cooplayout
