// Shows, at a call that loads or stores a matrix, which memory it accesses: cooplayout's answer, from the
// document's module.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/base64.hpp"
#include "tools/cooplayout/programs/run.hpp"
#include "tools/coopls/server.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kAccesses[] = {"coopMatLoad",          "coopMatStore",  "coopMatLoadTensorNV",
                                          "coopMatStoreTensorNV", "tensorReadARM", "tensorWriteARM"};

// The number of rows and columns that a tooltip has room for, and the number of cells in a drawn matrix.
constexpr uint32_t kShown = 8;
constexpr size_t kDrawn = 4096;

// The facts that are shown, in this order.
constexpr std::string_view kFacts[] = {
    "matrix",  "dimensions", "strides",       "offsets",
    "spans",   "clamp mode", "memory layout", "array element offset and stride",
    "assumed", "warning"};

// One line of a table, its cells right-aligned.
std::string lineOf(const std::vector<std::string>& cells, size_t width) {
  std::string line;
  for (const std::string& cell : cells)
    line += std::string(width - std::min(width, cell.size()), ' ') + cell + "  ";
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// The first and last rows and columns of a table.
std::string shorten(const cooplayout::Grid& grid) {
  const auto shown = [](uint32_t count) {
    std::vector<std::optional<uint32_t>> indices;  // none: dots
    for (uint32_t n = 0; n < std::min(count, kShown); ++n) indices.emplace_back(n);
    if (count > kShown) {
      indices[kShown - 2].reset();
      indices[kShown - 1] = count - 1;
    }
    return indices;
  };
  std::vector<std::vector<std::string>> lines(1, {""});
  for (const auto column : shown(grid.columns)) lines[0].push_back(column ? std::to_string(*column) : "...");
  for (const auto row : shown(grid.rows)) {
    lines.push_back({row ? std::to_string(*row) : "..."});
    for (const auto column : shown(grid.columns))
      lines.back().push_back(row && column ? grid.cells[*row * size_t{grid.columns} + *column].text : "...");
  }
  size_t width = 3;
  for (const auto& line : lines)
    for (const std::string& cell : line) width = std::max(width, cell.size());
  std::string text;
  for (const auto& line : lines) text += lineOf(line, width);
  return text;
}

}  // namespace

std::string Server::accessPicture(const Place& place, const NameInfo& called) {
  if (called.kind != NameKind::BuiltinFunction ||
      std::ranges::find(kAccesses, called.name) == std::end(kAccesses))
    return {};
  const std::vector<uint32_t>& words = workspace_->moduleOf(place.asked);
  if (words.empty()) return {};
  const std::string bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
  const Query& query = *place.asked.query;
  // Columns in the module are bytes, whatever unit the client uses.
  const LineIndex lines(query.text(place.asked.file), Encoding::Utf8);
  const Json at = lines.position(place.offset);
  const std::optional<uint32_t> access =
      cooplayout::accessAt(bytes, query.files()[place.asked.file], at["line"].get<uint32_t>() + 1,
                           at["character"].get<uint32_t>() + 1);
  if (!access) return {};
  std::vector<std::string> question = {"--file", "-", "--load", std::to_string(*access), "--assume"};
  for (const auto& [name, value] : workspace_->valuesFor(query.files()[query.main()]))
    question.insert(question.end(), {"--set", name + "=" + std::to_string(value)});
  std::string error;
  const std::optional<cooplayout::Document> document = cooplayout::documentOf(
      cooplayout::kTensorCommand, question, error, &cooplayout::kProgramReader, &bytes);
  if (!document) return "not drawn: " + error;
  std::string text;
  for (const std::string_view name : kFacts)
    for (const cooplayout::Fact& fact : document->facts)
      if (fact.name == name) text += (text.empty() ? "" : "  \n") + fact.name + ": " + fact.value;
  const cooplayout::Grid& grid = *document->grid;
  text += "\n\n" + grid.title;
  if (grid.cells.empty()) return text;
  if (client_.drawsSvg && grid.cells.size() <= kDrawn)
    return text + "\n\n![elements in memory](data:image/svg+xml;base64," +
           base64(render(*document, cooplayout::Format::Svg)) + "|width=480)";
  return text + "\n\n```\n" + shorten(grid) + "```";
}

}  // namespace coopc::ls
