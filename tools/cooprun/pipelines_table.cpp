// The text, the comparison and the CSV use the same table of columns.
#include "tools/cooprun/pipelines_table.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string_view>

namespace coopc::cooprun {
namespace {

using Json = nlohmann::ordered_json;

struct FigureColumn {
  std::string_view key;      // in JSON and CSV
  std::string_view heading;  // in the text
};

constexpr FigureColumn kFigures[] = {
    {"milliseconds", "ms"},
    {"subgroupSize", "subgroup"},
    {"registers", "regs"},
    {"mostRegisters", "most"},
    {"spills", "spills"},
    {"scratchBytes", "scratch"},
    {"sharedBytes", "shared"},
    {"instructions", "instr"},
    {"matrixInstructions", "matrix"},
    {"sharedLoads1", "ld1"},
    {"sharedLoads2", "ld2"},
    {"sharedLoads4", "ld4"},
    {"sharedLoads8", "ld8"},
    {"sharedLoads16", "ld16"},
    {"waves", "waves"},
    {"cycles", "cycles"},
    {"inverseThroughput", "inverse"},
    {"stalls", "stalls"},
};

std::optional<double> figure(const Json& row, std::string_view key) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string number(double value, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

bool isMade(const Json& row) { return row.value("verdict", "") == "made"; }

std::string reasonsOf(const Json& row) {
  std::string text;
  if (const auto found = row.find("reasons"); found != row.end()) {
    for (const Json& reason : *found) text += (text.empty() ? "" : "; ") + reason.get<std::string>();
  }
  return text;
}

// B's figure divided by A's.
std::optional<double> multiple(const Json& a, const Json& b, std::string_view key) {
  const std::optional<double> before = figure(a, key);
  const std::optional<double> after = figure(b, key);
  if (!before || !after) return std::nullopt;
  if (*before == 0) return *after == 0 ? std::optional<double>(1) : std::nullopt;
  return *after / *before;
}

// Whether this row and the next are the two sides of one module.
bool isFirstSide(const std::vector<Json>& rows, size_t i) {
  return i + 1 < rows.size() && rows[i].contains("side") &&
         rows[i]["name"] == rows[i + 1].value("name", "") && rows[i]["side"] != rows[i + 1].value("side", "");
}

class Lines {
 public:
  void add(std::string first, std::vector<std::string> cells, std::string rest) {
    width_ = std::max(width_, first.size());
    cells.resize(std::size(kFigures));
    for (size_t c = 0; c < cells.size(); ++c) widths_[c] = std::max(widths_[c], cells[c].size());
    lines_.push_back({std::move(first), std::move(cells), std::move(rest)});
  }
  // Columns without any number are left out.
  std::string text() const {
    std::string result;
    for (const Line& line : lines_) {
      std::string row = line.first + std::string(width_ - line.first.size(), ' ');
      if (line.rest.empty()) {
        for (size_t c = 0; c < line.cells.size(); ++c) {
          if (widths_[c] == 0) continue;
          const size_t width = std::max(widths_[c], kFigures[c].heading.size());
          row += "  " + std::string(width - line.cells[c].size(), ' ') + line.cells[c];
        }
      } else {
        row += "  " + line.rest;
      }
      result += row + "\n";
    }
    return result;
  }
  std::string heading() const {
    std::string row(width_, ' ');
    for (size_t c = 0; c < std::size(kFigures); ++c) {
      if (widths_[c] == 0) continue;
      const size_t width = std::max(widths_[c], kFigures[c].heading.size());
      row += "  " + std::string(width - kFigures[c].heading.size(), ' ') + std::string(kFigures[c].heading);
    }
    return row + "\n";
  }

 private:
  struct Line {
    std::string first;
    std::vector<std::string> cells;
    std::string rest;  // instead of the cells
  };
  std::vector<Line> lines_;
  size_t width_ = 0;
  std::array<size_t, std::size(kFigures)> widths_{};
};

std::vector<std::string> cellsOf(const Json& row) {
  std::vector<std::string> cells;
  for (const FigureColumn& column : kFigures) {
    const std::optional<double> value = figure(row, column.key);
    cells.push_back(value ? number(*value, column.key == "milliseconds" ? "%.1f" : "%.0f") : "");
  }
  return cells;
}

// "registers: 3 smaller, 4 equal, 1 larger, median 1.00"
std::string summary(const std::vector<Json>& rows) {
  std::string text;
  for (const FigureColumn& column : kFigures) {
    size_t smaller = 0, equal = 0, larger = 0;
    std::vector<double> multiples;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!isFirstSide(rows, i)) continue;
      const std::optional<double> before = figure(rows[i], column.key);
      const std::optional<double> after = figure(rows[i + 1], column.key);
      if (!before || !after) continue;
      ++(*after < *before ? smaller : *after > *before ? larger : equal);
      if (const auto value = multiple(rows[i], rows[i + 1], column.key)) multiples.push_back(*value);
    }
    if (smaller + larger == 0) continue;
    std::sort(multiples.begin(), multiples.end());
    text += std::string(column.key) + ": " + std::to_string(smaller) + " smaller, " + std::to_string(equal) +
            " equal, " + std::to_string(larger) + " larger";
    if (!multiples.empty()) text += ", median " + number(multiples[multiples.size() / 2], "%.3f");
    text += "\n";
  }
  return text;
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

}  // namespace

void addFigures(const harness::PipelineFigures& figures, Json& row) {
  const auto add = [&](const char* key, const auto& value) {
    if (value) row[key] = *value;
  };
  add("subgroupSize", figures.subgroupSize);
  add("registers", figures.registers);
  add("mostRegisters", figures.mostRegisters);
  add("spills", figures.spills);
  add("scratchBytes", figures.scratchBytes);
  add("sharedBytes", figures.sharedBytes);
  add("instructions", figures.instructions);
  add("matrixInstructions", figures.matrixInstructions);
  for (size_t i = 0; figures.sharedLoads && i < figures.sharedLoads->size(); ++i)
    row["sharedLoads" + std::to_string(harness::kSharedLoadBytes[i])] = (*figures.sharedLoads)[i];
  add("waves", figures.waves);
  add("cycles", figures.cycles);
  add("inverseThroughput", figures.inverseThroughput);
  add("stalls", figures.stalls);
}

std::string tableAsText(const std::vector<Json>& rows) {
  Lines lines;
  for (size_t i = 0; i < rows.size(); ++i) {
    std::string name = rows[i].value("name", "");
    if (rows[i].contains("side")) name += " " + rows[i].value("side", "");
    if (isMade(rows[i])) {
      lines.add(name, cellsOf(rows[i]), "");
    } else {
      lines.add(name, {}, rows[i].value("verdict", "") + ": " + reasonsOf(rows[i]));
    }
    if (i == 0 || !isFirstSide(rows, i - 1) || !isMade(rows[i - 1]) || !isMade(rows[i])) continue;
    std::vector<std::string> multiples;
    for (const FigureColumn& column : kFigures) {
      const auto value = multiple(rows[i - 1], rows[i], column.key);
      multiples.push_back(value ? number(*value, "%.2f") : "");
    }
    lines.add("  ratio", std::move(multiples), "");
  }
  return lines.heading() + lines.text() + summary(rows);
}

std::string tableAsCsv(const std::vector<Json>& rows) {
  std::string text = "name,side,verdict";
  for (const FigureColumn& column : kFigures) text += "," + std::string(column.key);
  text += ",reasons\n";
  for (const Json& row : rows) {
    text += csvField(row.value("name", "")) + "," + csvField(row.value("side", "")) + "," +
            row.value("verdict", "");
    for (const FigureColumn& column : kFigures) {
      const std::optional<double> value = figure(row, column.key);
      text += "," + (value ? number(*value, column.key == "milliseconds" ? "%.3f" : "%.0f") : "");
    }
    text += "," + csvField(reasonsOf(row)) + "\n";
  }
  return text;
}

}  // namespace coopc::cooprun
