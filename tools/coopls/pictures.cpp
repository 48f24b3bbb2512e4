// Shows which memory a load or store of a matrix reaches, beside the call: cooplayout's answer about it, from
// the document's module.
#include <algorithm>
#include <array>
#include <cstring>

#include "tools/cooplayout/programs/run.hpp"
#include "tools/coopls/server.hpp"

namespace coopc::ls {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kAccesses[] = {"coopMatLoad",          "coopMatStore",  "coopMatLoadTensorNV",
                                          "coopMatStoreTensorNV", "tensorReadARM", "tensorWriteARM"};

// The rows and columns of a matrix that a tooltip has room for, and the cells of a drawn one.
constexpr size_t kShown = 8, kDrawn = 4096;

// RFC 4648, 4.
std::string base64Of(std::string_view bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - at);
    uint32_t bits = 0;
    for (size_t n = 0; n < 3; ++n)
      bits = bits << 8 | (n < count ? static_cast<unsigned char>(bytes[at + n]) : 0u);
    for (size_t n = 0; n < 4; ++n) text += n <= count ? kDigits[bits >> (18 - 6 * n) & 63] : '=';
  }
  return text;
}

// One line of a table, its cells right-aligned.
std::string lineOf(const std::vector<std::string>& cells, size_t width) {
  std::string line;
  for (const std::string& cell : cells)
    line += std::string(width - std::min(width, cell.size()), ' ') + cell + "  ";
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

// The first and last rows and columns of a table.
std::string shortened(const Json& rows) {
  const auto shown = [](size_t count) {
    std::vector<std::optional<size_t>> indices;
    for (size_t n = 0; n < count; ++n) {
      if (count <= kShown || n + 2 < kShown || n + 1 == count)
        indices.push_back(n);
      else if (n + 2 == kShown)
        indices.push_back(std::nullopt);  // dots
    }
    return indices;
  };
  std::vector<std::vector<std::string>> lines(1, {""});
  for (const auto column : shown(rows[0].size()))
    lines[0].push_back(column ? std::to_string(*column) : "...");
  size_t width = 3;
  for (const auto row : shown(rows.size())) {
    lines.push_back({row ? std::to_string(*row) : "..."});
    for (const auto column : shown(rows[0].size()))
      lines.back().push_back(row && column ? rows[*row][*column].get<std::string>() : "...");
  }
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
  const std::vector<uint32_t>& words = moduleOf(place.asked);
  if (words.empty()) return {};
  const std::string bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t));
  const Query& query = *place.asked.query;
  // The module counts bytes, whatever the client counts.
  const LineIndex lines(query.text(place.asked.file), Encoding::Utf8);
  const Json at = lines.position(place.offset);
  const std::optional<uint32_t> access =
      cooplayout::accessAt(bytes, query.files()[place.asked.file], at["line"].get<uint32_t>() + 1,
                           at["character"].get<uint32_t>() + 1);
  if (!access) return {};
  std::vector<std::string> question = {"tensor",  "--file", "-", "--load", std::to_string(*access),
                                       "--assume"};
  for (const auto& [name, value] : workspace_->values())
    question.insert(question.end(), {"--set", name + "=" + std::to_string(value)});
  const auto ask = [&](const char* format, std::string& out) {
    std::vector<std::string> line = question;
    line.insert(line.end(), {"--format", format});
    std::string error;
    if (cooplayout::run(line, out, error, {}, &bytes) != 0) out = "not drawn: " + error;
    return error.empty();
  };
  std::string answer;
  if (!ask("json", answer)) return answer;
  const Json document = Json::parse(answer);
  const Json& rows = document.at("cells");
  std::string text;
  for (const char* name : {"matrix", "dimensions", "strides", "offsets", "spans", "clamp mode",
                           "memory layout", "array element offset and stride", "assumed", "warning"})
    if (document.at("facts").contains(name))
      text += (text.empty() ? "" : "  \n") + std::string(name) + ": " +
              document["facts"][name].get<std::string>();
  text += "\n\n" + document.at("title").get<std::string>();
  if (rows.empty()) return text;
  std::string svg;
  if (drawsSvg_ && rows.size() * rows[0].size() <= kDrawn && ask("svg", svg))
    return text + "\n\n![elements in memory](data:image/svg+xml;base64," + base64Of(svg) + "|width=480)";
  return text + "\n\n```\n" + shortened(rows) + "```";
}

}  // namespace coopc::ls
