// cooplayout device: the element-to-invocation map of a driver's matrices, read from a file of
// layout/measured.hpp's form (docs/cooplayout.md), as cooprun --layouts writes it. Shipped maps are chosen by
// name.
#include <algorithm>

#include "layout/measured.hpp"
#include "tools/cooplayout/commands.hpp"

namespace coopc::cooplayout {
namespace {

constexpr Option kOptions[] = {
    {"--list", Form::Switch, "", "list the matrices of the file"},
    {"--matrix", Form::Value, "N", "which matrix, from 0 (the default)"},
    {"--details", Form::Switch, "", "only the matrix's parameters"},
    {"--element", Form::Value, "R,C", "which invocation holds the element in row R and column C"},
    {"--owner", Form::Value, "P,V", "which element invocation P holds as component V"},
    {"--work-item", Form::Value, "P", "all elements that an invocation holds"},
    {"--table", Form::Value, "NAME",
     "elements (default): the matrix with invocation.component; items: each invocation's elements"},
};
constexpr Together kTogether[] = {
    {Together::One, "--list --details --element --owner --work-item --table"},
    {Together::Never, "--matrix", "--list"},
};

std::string text(uint64_t n) { return std::to_string(n); }

std::string shippedNames(const ShippedMaps& maps) {
  std::string names;
  for (const std::string& name : maps.names) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "none" : names;
}

std::optional<layout::MeasuredDevice> fileOf(Arguments& arguments) {
  const ShippedMaps& maps = arguments.maps();
  if (arguments.operands().size() != 1) {
    arguments.fail("one file is needed, or the name of a shipped map: " + shippedNames(maps));
    return std::nullopt;
  }
  std::string path = arguments.operands()[0];
  const bool ships = std::find(maps.names.begin(), maps.names.end(), path) != maps.names.end();
  if (ships) path = maps.folder + "/" + path + ".txt";
  const std::optional<std::string> content = textOf(arguments, path);
  if (!content) return std::nullopt;
  layout::MeasuredDevice file;
  if (const std::optional<layout::Broken> broken = layout::read(*content, file)) {
    arguments.refuse(path + ": " + describe(*broken));
    return std::nullopt;
  }
  return file;
}

// Lists the matrices, each group under the command that measured it.
void list(const layout::MeasuredDevice& file, Document& document) {
  for (size_t i = 0; i < file.matrices.size(); ++i) {
    const layout::MeasuredMatrix& m = file.matrices[i];
    if (i == 0 || m.verified != file.matrices[i - 1].verified)
      document.facts.push_back({"verified by", m.verified});
    document.facts.push_back({"matrix " + text(i), m.name()});
  }
}

void details(const layout::MeasuredMatrix& m, Document& document) {
  uint64_t holders = 0;
  uint64_t shared = 0;
  for (const std::vector<layout::Holder>& owners : m.owners) {
    holders += owners.size();
    shared += owners.size() > 1 ? 1 : 0;
  }
  const uint64_t components = m.components();
  document.facts.push_back({"rows x columns", text(m.rows) + " x " + text(m.columns)});
  document.facts.push_back({"invocations", text(m.invocations)});
  document.facts.push_back({"components of each", text(components)});
  document.facts.push_back({"components without an element", text(components * m.invocations - holders)});
  document.facts.push_back({"elements held more than once", text(shared)});
}

void addElement(Arguments& arguments, const layout::MeasuredMatrix& m, Document& document) {
  const std::vector<int64_t> element = *arguments.numbers("--element", 2);
  const auto owners = layout::ownersOf(m, element[0], element[1]);
  if (!owners) return arguments.refuse(owners.broken());
  document.facts.push_back({"invocation.component", print(*owners)});
}

void addOwner(Arguments& arguments, const layout::MeasuredMatrix& m, Document& document) {
  const std::vector<int64_t> owner = *arguments.numbers("--owner", 2);
  const auto element = layout::elementOf(m, owner[0], owner[1]);
  if (!element) return arguments.refuse(element.broken());
  document.facts.push_back({"element", pairOf(element->row, element->column)});
}

void addWorkItem(Arguments& arguments, const layout::MeasuredMatrix& m, Document& document) {
  const uint64_t wish = arguments.number("--work-item", 0);
  if (wish >= m.invocations)
    return arguments.refuse({layout::Rule::MeasuredInvocation, {static_cast<int64_t>(wish), m.invocations}});
  std::vector<std::pair<uint32_t, std::string>> held;
  for (size_t i = 0; i < m.owners.size(); ++i) {
    for (const layout::Holder& owner : m.owners[i]) {
      if (owner.invocation == wish) held.emplace_back(owner.component, pairOf(i / m.columns, i % m.columns));
    }
  }
  std::sort(held.begin(), held.end());
  for (const auto& [component, element] : held)
    document.facts.push_back({"component " + text(component), element});
}

void elementsTable(const layout::MeasuredMatrix& m, Document& document) {
  Grid& grid = document.grid.emplace();
  grid.title = "invocation.component of each element";
  grid.corner = "row\\column";
  grid.rows = m.rows;
  grid.columns = m.columns;
  for (const std::vector<layout::Holder>& owners : m.owners)
    grid.cells.push_back({print(owners), owners[0].invocation});
}

void itemsTable(Arguments& arguments, const layout::MeasuredMatrix& m, Document& document) {
  checkCells(arguments, m.components(), m.invocations);
  if (!arguments.error().empty()) return;
  Grid& grid = document.grid.emplace();
  grid.title = "row,column of each invocation's components (-: holds none)";
  grid.corner = "component\\invocation";
  grid.rows = m.components();
  grid.columns = m.invocations;
  for (const std::optional<layout::MeasuredElement>& e : layout::elementsByOwner(m)) {
    grid.cells.push_back(e ? Cell{text(e->row) + "," + text(e->column), e->row} : Cell{"-", -1});
  }
}

Document runDevice(Arguments& arguments) {
  Document document;
  constexpr std::string_view kTables[] = {"elements", "items"};
  const uint32_t table = arguments.choice("--table", kTables, 0);
  const uint64_t which = arguments.number("--matrix", 0);
  arguments.numbers("--element", 2);
  arguments.numbers("--owner", 2);
  arguments.number("--work-item", 0);
  if (!arguments.error().empty()) return document;
  const std::optional<layout::MeasuredDevice> file = fileOf(arguments);
  if (!file) return document;
  document.facts = {{"device", file->device}, {"driver", file->driver}};
  if (arguments.has("--list")) {
    list(*file, document);
    return document;
  }
  if (which >= file->matrices.size()) {
    arguments.refuse(Condition::MatrixNumber,
                     "there is no matrix " + text(which) + " of the map's " + text(file->matrices.size()));
    return document;
  }
  const layout::MeasuredMatrix& m = file->matrices[which];
  document.facts.push_back({"verified by", m.verified});
  document.facts.push_back({"matrix", m.name()});
  if (arguments.has("--element")) {
    addElement(arguments, m, document);
  } else if (arguments.has("--owner")) {
    addOwner(arguments, m, document);
  } else if (arguments.has("--work-item")) {
    addWorkItem(arguments, m, document);
  } else {
    details(m, document);
    if (arguments.has("--details")) return document;
    if (table == 0) {
      elementsTable(m, document);
    } else {
      itemsTable(arguments, m, document);
    }
  }
  return document;
}

constexpr Example kExamples[] = {
    {"cooplayout device nvidia-h200 --list", "which matrices were measured? (also lavapipe and nvidia-mma)"},
    {"cooplayout device nvidia-h200 --matrix 0 --element 3,9",
     "who holds row 3, column 9 of the first of them?"},
    {"cooplayout device nvidia-h200 --matrix 0 --work-item 12", "what does invocation 12 hold?"},
    {"cooplayout device nvidia-mma --matrix 2 --format svg > a.svg", "a picture of the whole matrix"},
};

}  // namespace

const Command kDeviceCommand = {"device",
                                "which invocation of a device holds which element, as it was measured",
                                "FILE|NAME [option ...]",
                                kOptions,
                                kTogether,
                                kExamples,
                                runDevice};

}  // namespace coopc::cooplayout
