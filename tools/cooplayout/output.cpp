// Renders documents, with one function for each format.
#include "tools/cooplayout/output.hpp"

#include <algorithm>
#include <map>

namespace coopc::cooplayout {
namespace {

constexpr std::string_view kFormats[] = {"text", "csv", "json", "markdown", "svg"};

std::string escape(std::string_view text, Format format) {
  std::string result;
  for (const char c : text) {
    switch (format) {
      case Format::Json:
        if (c == '"' || c == '\\') result += '\\';
        if (c == '\n') {
          result += "\\n";
          continue;
        }
        break;
      case Format::Csv:
        if (c == '"') result += '"';
        break;
      case Format::Markdown:
        if (c == '|') result += '\\';
        break;
      case Format::Svg:
        if (c == '<') {
          result += "&lt;";
          continue;
        }
        if (c == '&') {
          result += "&amp;";
          continue;
        }
        break;
      default: break;
    }
    result += c;
  }
  if (format == Format::Json) return "\"" + result + "\"";
  if (format == Format::Csv && text.find_first_of(",\"\n") != std::string_view::npos)
    return "\"" + result + "\"";
  return result;
}

std::string pad(std::string_view text, size_t width) {
  std::string result(text);
  result.resize(std::max(width, result.size()), ' ');
  return result;
}

void removeTrailingBlanks(std::string& line) { line.erase(line.find_last_not_of(' ') + 1); }

std::string gridAsText(const Grid& grid) {
  size_t first = grid.corner.size();
  for (uint32_t r = 0; r < grid.rows; ++r) first = std::max(first, grid.rowName(r).size());
  std::vector<size_t> widths(grid.columns);
  for (uint32_t c = 0; c < grid.columns; ++c) {
    widths[c] = grid.columnName(c).size();
    for (uint32_t r = 0; r < grid.rows; ++r)
      widths[c] = std::max(widths[c], grid.cells[size_t{r} * grid.columns + c].text.size());
  }
  std::string text = grid.title.empty() ? "" : grid.title + "\n";
  std::string line = pad(grid.corner, first);
  for (uint32_t c = 0; c < grid.columns; ++c) line += "  " + pad(grid.columnName(c), widths[c]);
  removeTrailingBlanks(line);
  text += line + "\n";
  for (uint32_t r = 0; r < grid.rows; ++r) {
    line = pad(grid.rowName(r), first);
    for (uint32_t c = 0; c < grid.columns; ++c)
      line += "  " + pad(grid.cells[size_t{r} * grid.columns + c].text, widths[c]);
    removeTrailingBlanks(line);
    text += line + "\n";
  }
  return text;
}

std::string asText(const Document& d) {
  std::string text;
  size_t width = 0;
  for (const Fact& fact : d.facts) width = std::max(width, fact.name.size());
  for (const Fact& fact : d.facts) text += pad(fact.name, width) + "  " + fact.value + "\n";
  if (!d.steps.empty() && !text.empty()) text += "\n";
  for (const std::string& step : d.steps) text += step + "\n";
  if (d.grid && !text.empty()) text += "\n";
  if (d.grid) text += gridAsText(*d.grid);
  return text;
}

std::string asCsv(const Document& d) {
  std::string text;
  if (!d.grid) {
    text = "name,value\n";
    for (const Fact& fact : d.facts)
      text += escape(fact.name, Format::Csv) + "," + escape(fact.value, Format::Csv) + "\n";
    for (const std::string& step : d.steps) text += "step," + escape(step, Format::Csv) + "\n";
    return text;
  }
  text = escape(d.grid->corner, Format::Csv);
  for (uint32_t c = 0; c < d.grid->columns; ++c) text += "," + escape(d.grid->columnName(c), Format::Csv);
  text += "\n";
  for (uint32_t r = 0; r < d.grid->rows; ++r) {
    text += escape(d.grid->rowName(r), Format::Csv);
    for (uint32_t c = 0; c < d.grid->columns; ++c)
      text += "," + escape(d.grid->cells[size_t{r} * d.grid->columns + c].text, Format::Csv);
    text += "\n";
  }
  return text;
}

std::string asJson(const Document& d) {
  std::string text = "{";
  const auto key = [&](const char* name) {
    text += text.size() > 1 ? ",\n " : "\n ";
    text += escape(name, Format::Json) + ": ";
  };
  if (!d.facts.empty()) {
    key("facts");
    text += "{";
    // Keys must be unique: the second "warning" is called "warning 2".
    std::map<std::string, size_t> seen;
    for (size_t i = 0; i < d.facts.size(); ++i) {
      const size_t times = ++seen[d.facts[i].name];
      text += (i != 0 ? ", " : "") +
              escape(d.facts[i].name + (times > 1 ? " " + std::to_string(times) : ""), Format::Json) + ": " +
              escape(d.facts[i].value, Format::Json);
    }
    text += "}";
  }
  const auto strings = [&](const std::vector<std::string>& list) {
    text += "[";
    for (size_t i = 0; i < list.size(); ++i) text += (i != 0 ? ", " : "") + escape(list[i], Format::Json);
    text += "]";
  };
  if (!d.steps.empty()) {
    key("steps");
    strings(d.steps);
  }
  if (d.grid) {
    key("title");
    text += escape(d.grid->title, Format::Json);
    if (!d.grid->rowNames.empty()) {
      key("rows");
      strings(d.grid->rowNames);
    }
    if (!d.grid->columnNames.empty()) {
      key("columns");
      strings(d.grid->columnNames);
    }
    key("cells");
    text += "[";
    for (uint32_t r = 0; r < d.grid->rows; ++r) {
      text += r != 0 ? ",\n  [" : "\n  [";
      for (uint32_t c = 0; c < d.grid->columns; ++c) {
        text +=
            (c != 0 ? ", " : "") + escape(d.grid->cells[size_t{r} * d.grid->columns + c].text, Format::Json);
      }
      text += "]";
    }
    text += "\n ]";
  }
  return text + "\n}\n";
}

std::string asMarkdown(const Document& d) {
  std::string text;
  if (!d.facts.empty()) {
    text += "| | |\n|---|---|\n";
    for (const Fact& fact : d.facts)
      text +=
          "| " + escape(fact.name, Format::Markdown) + " | " + escape(fact.value, Format::Markdown) + " |\n";
  }
  if (!d.steps.empty()) text += text.empty() ? "" : "\n";
  for (const std::string& step : d.steps) text += "    " + step + "\n";
  if (!d.grid) return text;
  if (!text.empty()) text += "\n";
  if (!d.grid->title.empty()) text += d.grid->title + "\n\n";
  text += "| " + escape(d.grid->corner, Format::Markdown) + " |";
  for (uint32_t c = 0; c < d.grid->columns; ++c)
    text += " " + escape(d.grid->columnName(c), Format::Markdown) + " |";
  text += "\n|---|";
  for (uint32_t c = 0; c < d.grid->columns; ++c) text += "---|";
  text += "\n";
  for (uint32_t r = 0; r < d.grid->rows; ++r) {
    text += "| " + escape(d.grid->rowName(r), Format::Markdown) + " |";
    for (uint32_t c = 0; c < d.grid->columns; ++c)
      text += " " + escape(d.grid->cells[size_t{r} * d.grid->columns + c].text, Format::Markdown) + " |";
    text += "\n";
  }
  return text;
}

// Hues that distinguish neighboring numbers: steps of the golden angle, in three lightnesses.
std::string colorOf(int64_t number) {
  const int64_t hue = number * 137 % 360;
  const int64_t light = 62 + number / 8 % 3 * 10;
  return "hsl(" + std::to_string(hue) + ",65%," + std::to_string(light) + "%)";
}

std::string asSvg(const Grid& grid) {
  // Large tables have no text: it could not be read, and would be most of the file.
  const bool texts = grid.cells.size() <= 8192;
  size_t longest = 1;
  for (const Cell& cell : grid.cells) longest = std::max(longest, cell.text.size());
  const size_t width = texts ? 10 + 7 * longest : 8;
  const size_t height = texts ? 20 : 8;
  size_t longestRow = 0;
  for (uint32_t r = 0; r < grid.rows; ++r) longestRow = std::max(longestRow, grid.rowName(r).size());
  const size_t left = std::max<size_t>(40, 10 + 7 * longestRow);
  const size_t top = 36;
  const std::string totalWidth =
      std::to_string(std::max(left + width * grid.columns + 8, 8 + 7 * grid.title.size()));
  const std::string totalHeight = std::to_string(top + height * grid.rows + 8);
  std::string svg =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + totalWidth + "\" height=\"" + totalHeight +
      "\" viewBox=\"0 0 " + totalWidth + " " + totalHeight +
      "\" font-family=\"monospace\" font-size=\"11\" text-anchor=\"middle\">\n<rect width=\"100%\" "
      "height=\"100%\" fill=\"#fff\"/>\n<text x=\"4\" y=\"13\" text-anchor=\"start\">" +
      escape(grid.title, Format::Svg) + "</text>\n";
  // One path per color, for all its cells.
  std::map<int64_t, std::string> paths;
  for (uint32_t r = 0; r < grid.rows; ++r) {
    for (uint32_t c = 0; c < grid.columns; ++c) {
      const int64_t color = grid.cells[size_t{r} * grid.columns + c].color;
      paths[color] += "M" + std::to_string(left + width * c) + " " + std::to_string(top + height * r) + "h" +
                      std::to_string(width) + "v" + std::to_string(height) + "h-" + std::to_string(width) +
                      "z";
    }
  }
  for (const auto& [color, path] : paths) {
    svg += "<path fill=\"" + (color < 0 ? std::string("#eee") : colorOf(color)) +
           "\" stroke=\"#fff\" stroke-width=\"" + (texts ? "1" : "0.5") + "\" d=\"" + path + "\"/>\n";
  }
  const auto label = [&](size_t x, size_t y, const std::string& text) {
    svg += "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\">" + text + "</text>\n";
  };
  const uint32_t every = texts ? 1 : 16;
  for (uint32_t c = 0; c < grid.columns; c += every)
    label(left + width * c + width / 2, top - 6, escape(grid.columnName(c), Format::Svg));
  for (uint32_t r = 0; r < grid.rows; r += every)
    label(left / 2, top + height * r + (texts ? 14 : 8), escape(grid.rowName(r), Format::Svg));
  for (uint32_t r = 0; texts && r < grid.rows; ++r) {
    for (uint32_t c = 0; c < grid.columns; ++c) {
      label(left + width * c + width / 2, top + height * r + 14,
            escape(grid.cells[size_t{r} * grid.columns + c].text, Format::Svg));
    }
  }
  return svg + "</svg>\n";
}

}  // namespace

std::optional<Format> formatOf(std::string_view name) {
  const auto* found = std::find(std::begin(kFormats), std::end(kFormats), name);
  if (found == std::end(kFormats)) return std::nullopt;
  return static_cast<Format>(found - std::begin(kFormats));
}

std::string render(const Document& document, Format format) {
  switch (format) {
    case Format::Csv: return asCsv(document);
    case Format::Json: return asJson(document);
    case Format::Markdown: return asMarkdown(document);
    case Format::Svg: return asSvg(document.grid.value_or(Grid{}));
    default: return asText(document);
  }
}

}  // namespace coopc::cooplayout
