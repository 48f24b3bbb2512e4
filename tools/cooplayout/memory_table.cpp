// Sorts elements by their place in memory, and divides them into lines.
#include "tools/cooplayout/memory_table.hpp"

#include <algorithm>
#include <tuple>

#include "tools/cooplayout/commands.hpp"

namespace coopc::cooplayout {
namespace {

// The names of the elements in [first, last), which share one place: "0,3", "0,3 2,3", "1,0..31".
std::string elementsText(std::vector<Placed>::const_iterator first,
                         std::vector<Placed>::const_iterator last) {
  std::string text;
  while (first != last) {
    auto end = first + 1;
    while (end != last && end->row == first->row && end->column == (end - 1)->column + 1) ++end;
    text += (text.empty() ? "" : " ") + std::to_string(first->row) + "," + std::to_string(first->column);
    if (end - first > 1) text += ".." + std::to_string((end - 1)->column);
    first = end;
  }
  return text;
}

}  // namespace

uint32_t unitsPerLine(uint32_t unitBytes) { return std::max(1u, 128 / std::max(1u, unitBytes)); }

void addMemoryTable(Arguments& arguments, MemoryTable table, Document& document) {
  std::vector<Placed>& elements = table.elements;
  std::sort(elements.begin(), elements.end(), [](const Placed& a, const Placed& b) {
    return std::tie(a.at, a.row, a.column) < std::tie(b.at, b.row, b.column);
  });
  uint64_t lines = 0;
  for (size_t i = 0; i < elements.size(); ++i)
    lines += i == 0 || elements[i].at / table.perLine != elements[i - 1].at / table.perLine ? 1 : 0;
  checkCells(arguments, lines, table.perLine);
  if (!arguments.error().empty()) return;
  Grid& grid = document.grid.emplace();
  grid.title = std::move(table.title);
  grid.corner = std::move(table.corner);
  grid.rows = static_cast<uint32_t>(lines);
  grid.columns = table.perLine;
  grid.cells.resize(lines * table.perLine, {".", -1});
  for (uint32_t c = 0; c < table.perLine; ++c)
    grid.columnNames.push_back(std::to_string(uint64_t{c} * table.scale));
  for (auto first = elements.cbegin(); first != elements.cend();) {
    const uint64_t line = first->at / table.perLine;
    const auto last =
        std::find_if(first, elements.cend(), [&](const Placed& e) { return e.at != first->at; });
    if (first == elements.cbegin() || line != (first - 1)->at / table.perLine)
      grid.rowNames.push_back(std::to_string(line * table.perLine * table.scale));
    grid.cells[(grid.rowNames.size() - 1) * table.perLine + first->at % table.perLine] = {
        elementsText(first, last), static_cast<int64_t>(first->row)};
    first = last;
  }
}

}  // namespace coopc::cooplayout
