// cooplayout device: the element-to-invocation map of a driver's matrices, read from a file of layout/measured.hpp's form
// (docs/layouts.md), as cooprun --layouts writes it. Maps that ship go by their names.
#include <algorithm>

#include "layout/measured.hpp"
#include "tools/cooplayout/commands.hpp"

namespace coopc::cooplayout {
namespace {

constexpr Option kOptions[] = {
    {"--list", Form::Switch, "", "the matrices of the file"},
    {"--matrix", Form::Value, "N", "the table of matrix N, from 0 (the default)"},
    {"--element", Form::Value, "R,C", "who holds an element"},
    {"--work-item", Form::Value, "P", "the elements that an invocation holds"},
};

std::string shippedNames(const ShippedMaps& maps) {
  std::string text;
  for (const std::string& name : maps.names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::optional<layout::MeasuredDevice> fileOf(Arguments& arguments) {
  const ShippedMaps& maps = arguments.maps();
  if (arguments.operands().size() != 1) {
    arguments.fail("one file is needed, or the name of a map that ships: " + shippedNames(maps));
    return std::nullopt;
  }
  std::string path = arguments.operands()[0];
  const bool ships = std::find(maps.names.begin(), maps.names.end(), path) != maps.names.end();
  if (ships) path = maps.folder + "/" + path + ".txt";
  const std::optional<std::string> text = textOf(arguments, path);
  if (!text) return std::nullopt;
  layout::MeasuredDevice file;
  if (const auto wrong = layout::read(*text, file)) {
    arguments.fail(path + ": " + *wrong);
    return std::nullopt;
  }
  return file;
}

// The matrices, each group under the command that measured it.
void list(const layout::MeasuredDevice& file, Document& document) {
  for (size_t i = 0; i < file.matrices.size(); ++i) {
    const layout::MeasuredMatrix& m = file.matrices[i];
    if (i == 0 || m.verified != file.matrices[i - 1].verified)
      document.facts.push_back({"verified by", m.verified});
    document.facts.push_back({"matrix " + std::to_string(i), m.name()});
  }
}

Document runDevice(Arguments& arguments) {
  Document document;
  const std::optional<layout::MeasuredDevice> file = fileOf(arguments);
  if (!file) return document;
  document.facts = {{"device", file->device}, {"driver", file->driver}};
  if (arguments.has("--list")) {
    list(*file, document);
    return document;
  }
  const uint64_t which = arguments.number("--matrix", 0);
  const auto element = arguments.numbers("--element", 2);
  if (which >= file->matrices.size())
    arguments.fail("matrix " + std::to_string(which) + " of " + std::to_string(file->matrices.size()) +
                   " does not exist");
  if (!arguments.error().empty()) return document;
  const layout::MeasuredMatrix& m = file->matrices[which];
  document.facts.push_back({"verified by", m.verified});
  document.facts.push_back({"matrix", m.name()});
  if (element) {
    const auto [row, column] = std::pair{(*element)[0], (*element)[1]};
    if (row < 0 || row >= m.rows || column < 0 || column >= m.columns) {
      arguments.fail("there is no such element in " + m.name());
      return document;
    }
    document.facts.push_back(
        {"invocation.component", print(m.owners[static_cast<size_t>(row * m.columns + column)])});
    return document;
  }
  if (arguments.has("--work-item")) {
    const uint64_t wish = arguments.number("--work-item", 0);
    for (size_t i = 0; i < m.owners.size(); ++i) {
      for (const layout::Holder& owner : m.owners[i]) {
        if (owner.invocation == wish)
          document.facts.push_back(
              {"component " + std::to_string(owner.component), pairOf(i / m.columns, i % m.columns)});
      }
    }
    return document;
  }
  Grid& grid = document.grid.emplace();
  grid.title = "invocation.component of each element";
  grid.corner = "row\\column";
  grid.rows = m.rows;
  grid.columns = m.columns;
  for (const std::vector<layout::Holder>& owners : m.owners)
    grid.cells.push_back({print(owners), owners[0].invocation});
  return document;
}

}  // namespace

const Command kDeviceCommand = {"device",
                                "which invocation of a device holds which element, as it was measured",
                                "FILE|NAME [option ...]", kOptions, runDevice};

}  // namespace coopc::cooplayout
