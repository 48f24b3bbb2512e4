// The answers of cooplayout and their renderings: facts (name and value), steps of a derivation, and a table
// with colored cells.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coopc::cooplayout {

enum class Format : uint8_t { Text, Csv, Json, Markdown, Svg };

struct Fact {
  std::string name;
  std::string value;
};

struct Cell {
  std::string text;
  /// Cells with the same number have the same color; -1: none.
  int64_t color = -1;
};

struct Grid {
  std::string title;
  std::string corner;  ///< the meaning of rows and columns: "row\\column"
  uint32_t rows = 0;
  uint32_t columns = 0;
  std::vector<Cell> cells;  ///< row by row
  /// The names of rows and columns, unless they are numbers.
  std::vector<std::string> rowNames;
  std::vector<std::string> columnNames;

  std::string rowName(uint32_t row) const { return rowNames.empty() ? std::to_string(row) : rowNames[row]; }
  std::string columnName(uint32_t column) const {
    return columnNames.empty() ? std::to_string(column) : columnNames[column];
  }
};

struct Document {
  std::vector<Fact> facts;
  std::vector<std::string> steps;
  std::optional<Grid> grid;
};

/// "text", "csv", "json", "markdown" or "svg".
std::optional<Format> formatOf(std::string_view name);

/// The whole answer, ending in a line feed. CSV is the table, or facts and steps if there is no table. SVG is
/// only the table, and requires one.
std::string render(const Document& document, Format format);

}  // namespace coopc::cooplayout
