// cooplayout workitem: matrices over the work-items of a subgroup or workgroup.
#include <algorithm>

#include "layout/access.hpp"
#include "tools/cooplayout/commands.hpp"

namespace coopc::cooplayout {
namespace {

using namespace layout;

constexpr Option kOptions[] = {
    {"--rows", Form::Value, "M", "rows of the matrix"},
    {"--columns", Form::Value, "N", "columns of the matrix"},
    kSchemeOption,
    kUseOption,
    kWorkItemsOption,
    {"--type", Form::Value, "TYPE", "the component's type, GLSL's name or f16, u8 ... (default f32)"},
    {"--element", Form::Value, "R,C", "which work-item holds the element in row R and column C"},
    {"--owner", Form::Value, "P,V", "which element work-item P holds as component V"},
    {"--work-item", Form::Value, "P", "all elements that a work-item holds"},
    {"--table", Form::Value, "NAME",
     "elements (default): the matrix with work-item.component; items: each work-item's elements"},
    {"--details", Form::Switch, "", "only the layout's parameters"},
    {"--explain", Form::Switch, "", "with --element, --owner or --work-item: the derivation, step by step"},
    {"--load", Form::Value, "P0,P1,H0,H1,S0,S1",
     "positions, shape and strides in memory: element indices instead of coordinates"},
    {"--transpose", Form::Switch, "",
     "with --load: shape and strides exchanged, as the texts' Transpose does"},
    {"--transpose-all", Form::Switch, "", "with --load: positions too, so that the tensor is transposed"},
    {"--rows-checked", Form::Switch, "", "with --load"},
    {"--columns-checked", Form::Switch, "", "with --load"},
};
constexpr Together kTogether[] = {
    {Together::One, "--element --owner --work-item --details --table"},
    {Together::Needs, "--explain", "--element --owner --work-item"},
    {Together::One, "--transpose --transpose-all"},
    {Together::Needs, "--transpose --transpose-all --rows-checked --columns-checked", "--load"},
};

std::string text(uint64_t n) { return std::to_string(n); }
std::string elementText(const MatrixElement& e) { return text(e.row) + "," + text(e.column); }

std::vector<Fact> details(const WorkItemLayout& l) {
  const bool byPseudoCode =
      l.of.scheme == Scheme::TinyTcOlder && l.of.use != Use::B && l.paddedColumns != l.of.columns;
  std::vector<Fact> facts = {
      {"layout", layoutText(l.of)},
      {"M x N", text(l.of.rows) + " x " + text(l.of.columns) + " of " + text(l.of.componentBytes) + " bytes"},
      {"S", text(l.of.workItems)},
      {"I (rows of a block)", text(l.blockRows)},
      {"J (columns with padding)",
       text(l.paddedColumns) + (byPseudoCode ? ", as in the older text's pseudo-code; " + text(l.of.columns) +
                                                   " by its definition"
                                             : "")},
      {"K = K1 K2 (blocks)", text(l.blocks) + " = " + text(l.innerBlocks) + " " + text(l.outerBlocks)},
      {"V (components of a work-item)", text(l.componentsByText())},
      {"operands of a channel", text(l.channelOperands)},
  };
  if (l.isPacked())
    facts.push_back({"32-bit entries of a work-item", text(l.components / l.channelOperands) + " of " +
                                                          text(l.channelOperands) + " channels"});
  facts.push_back({"mask", l.needsMask ? "needed: J > N" : "not needed: J = N"});
  return facts;
}

// Explains the owner of an element in a packed layout, which distributes entries of omega channels.
std::vector<std::string> explainPackedOwner(const WorkItemLayout& l, uint32_t row, uint32_t column) {
  const uint32_t o = l.channelOperands;
  const uint32_t entries = l.paddedColumns / o;
  const uint32_t i = row % l.blockRows;
  const uint32_t k = row / l.blockRows;
  const uint64_t linear = i + (column / o + uint64_t{entries} * k) * l.blockRows;
  const Owner owner = ownerOf(l, row, column);
  return {
      "row " + text(row) + " = i + k I with I = " + text(l.blockRows) + ": i = " + text(i) +
          ", k = " + text(k),
      "column " + text(column) + " = c + j omega with omega = " + text(o) +
          " channels: c = " + text(column % o) + ", j = " + text(column / o),
      "entry L = i + j I + k I J / omega = " + text(i) + " + " + text(column / o) + " * " +
          text(l.blockRows) + " + " + text(k) + " * " + text(l.blockRows) + " * " + text(entries) + " = " +
          text(linear),
      "work-item p = L mod S = " + text(linear) + " mod " + text(l.of.workItems) + " = " +
          text(owner.workItem),
      "component v = floor(L / S) omega + c = " + text(linear / l.of.workItems) + " * " + text(o) + " + " +
          text(column % o) + " = " + text(owner.component),
  };
}
std::vector<std::string> explainPackedElement(const WorkItemLayout& l, uint32_t p, uint32_t v) {
  const uint32_t o = l.channelOperands;
  const uint64_t linear = p + uint64_t{v / o} * l.of.workItems;
  const MatrixElement e = elementOf(l, p, v);
  return {
      "component " + text(v) + " = e omega + c with omega = " + text(o) + " channels: e = " + text(v / o) +
          ", c = " + text(v % o),
      "entry L = p + e S = " + text(p) + " + " + text(v / o) + " * " + text(l.of.workItems) + " = " +
          text(linear),
      "L = i + j I + k I J / omega with I = " + text(l.blockRows) +
          ", J / omega = " + text(l.paddedColumns / o) + ": i = " + text(linear % l.blockRows) +
          ", j = " + text(e.column / o) + ", k = " + text(e.row / l.blockRows),
      "row = i + k I = " + text(e.row) + ", column = c + j omega = " + text(e.column) +
          (e.inside ? "" : ", in the padding: column >= N = " + text(l.of.columns)),
  };
}

std::vector<std::string> explainOwner(const WorkItemLayout& l, uint32_t row, uint32_t column) {
  std::vector<std::string> steps;
  uint32_t i = row % l.blockRows;
  uint32_t j = column;
  const uint32_t k = row / l.blockRows;
  const uint32_t k1 = k % l.innerBlocks;
  const uint32_t k2 = k / l.innerBlocks;
  const std::string rows = text(l.blockRows);
  if (l.isPacked()) return explainPackedOwner(l, row, column);
  steps.push_back("row " + text(row) + " = i + k I with I = " + rows + ": i = " + text(i) +
                  ", k = " + text(k));
  steps.push_back("k = k1 + k2 K1 with K1 = " + text(l.innerBlocks) + ": k1 = " + text(k1) +
                  ", k2 = " + text(k2));
  if (l.isTransformed()) {
    const uint32_t o = l.channelOperands;
    const BlockElement to = vnniInverse(i, j, l.of.workItems, o);
    steps.push_back("VNNI, o = " + text(o) +
                    ": (i o mod S + j mod o, floor(i / (S / o)) + floor(j / o) o) = " + pairOf(to.i, to.j));
    i = to.i;
    j = to.j;
  }
  const uint32_t step = l.columnStep();
  const uint32_t u = j / step;
  steps.push_back("j = " + text(j) + " = floor(p / I) + u (S / I) with S / I = " + text(step) +
                  ": u = " + text(u));
  const Owner owner = ownerOf(l, row, column);
  steps.push_back("work-item p = i + (j mod S / I) I = " + text(i) + " + " + text(j % step) + " * " + rows +
                  " = " + text(owner.workItem));
  steps.push_back("component v = k1 + u K1 + k2 K1 (V / K) = " + text(k1) + " + " + text(u) + " * " +
                  text(l.innerBlocks) + " + " + text(k2) + " * " + text(l.innerBlocks) + " * " +
                  text(l.columnsHeld()) + " = " + text(owner.component));
  return steps;
}

std::vector<std::string> explainElement(const WorkItemLayout& l, uint32_t p, uint32_t v) {
  if (l.isPacked()) return explainPackedElement(l, p, v);
  std::vector<std::string> steps;
  const uint32_t k1 = v % l.innerBlocks;
  const uint32_t u = v / l.innerBlocks % l.columnsHeld();
  const uint32_t k2 = v / l.innerBlocks / l.columnsHeld();
  steps.push_back("component " + text(v) + " = w1 + u K1 + w2 K1 (V / K) with K1 = " + text(l.innerBlocks) +
                  ", V / K = " + text(l.columnsHeld()) + ": w1 = " + text(k1) + ", u = " + text(u) +
                  ", w2 = " + text(k2));
  const uint32_t i = p % l.blockRows;
  const uint32_t j = p / l.blockRows + u * l.columnStep();
  steps.push_back("i = p mod I = " + text(p) + " mod " + text(l.blockRows) + " = " + text(i));
  steps.push_back("j = floor(p / I) + u (S / I) = " + text(p / l.blockRows) + " + " + text(u) + " * " +
                  text(l.columnStep()) + " = " + text(j));
  if (l.isTransformed()) {
    const BlockElement from = vnni(i, j, l.of.workItems, l.channelOperands);
    steps.push_back(
        "VNNI, o = " + text(l.channelOperands) +
        ": (floor(i / o) + (j mod o)(S / o), i mod o + floor(j / o) o) = " + pairOf(from.i, from.j));
  }
  const MatrixElement e = elementOf(l, p, v);
  steps.push_back("row = i + (k1 + k2 K1) I = " + text(e.row) + ", column = j = " + text(e.column) +
                  (e.inside ? "" : ", in the padding: column >= N = " + text(l.of.columns)));
  return steps;
}

// Continues the explanation from the element to the place from which it is loaded.
std::string explainMemory(const MatrixMemory& memory, const MatrixElement& e, std::optional<int64_t> at) {
  const MatrixMemory m = normalize(memory);
  const auto term = [](int64_t position, uint32_t index, int64_t stride) {
    return "(" + std::to_string(position) + " + " + text(index) + ") * " + std::to_string(stride);
  };
  constexpr const char* kExchanged[] = {"", ", shape and strides exchanged", ", rows and columns exchanged"};
  return std::string("in memory") + kExchanged[static_cast<size_t>(memory.transpose)] + ": " +
         term(m.position[0], e.row, m.stride[0]) + " + " + term(m.position[1], e.column, m.stride[1]) +
         (at ? " = index " + std::to_string(*at) : ": not loaded, the component becomes 0");
}

std::optional<MatrixMemory> memoryOf(Arguments& arguments) {
  const auto numbers = arguments.numbers("--load", 6);
  if (!numbers) return std::nullopt;
  MatrixMemory m;
  for (size_t i = 0; i < 2; ++i) {
    m.position[i] = (*numbers)[i];
    m.shape[i] = (*numbers)[2 + i];
    m.stride[i] = (*numbers)[4 + i];
  }
  if (arguments.has("--transpose")) m.transpose = Transpose::ShapeAndStrides;
  if (arguments.has("--transpose-all")) m.transpose = Transpose::Everything;
  m.rowsChecked = arguments.has("--rows-checked");
  m.columnsChecked = arguments.has("--columns-checked");
  return m;
}

// The text of a work-item's cell: its element, or the element's place in memory.
std::string held(const WorkItemLayout& l, const std::optional<MatrixMemory>& memory, uint32_t p, uint32_t v) {
  if (memory) {
    const std::optional<int64_t> at = memoryIndexOf(l, *memory, p, v);
    return at ? std::to_string(*at) : "0";
  }
  const MatrixElement e = elementOf(l, p, v);
  return e.inside ? elementText(e) : "-";
}

void elementsTable(const WorkItemLayout& l, Document& document) {
  Grid& grid = document.grid.emplace();
  grid.title = "work-item.component of each element";
  grid.corner = "row\\column";
  grid.rows = l.of.rows;
  grid.columns = l.of.columns;
  for (uint32_t row = 0; row < grid.rows; ++row) {
    for (uint32_t column = 0; column < grid.columns; ++column) {
      const Owner owner = ownerOf(l, row, column);
      grid.cells.push_back({text(owner.workItem) + "." + text(owner.component), owner.workItem});
    }
  }
}

void itemsTable(const WorkItemLayout& l, const std::optional<MatrixMemory>& memory, Document& document) {
  Grid& grid = document.grid.emplace();
  grid.title = memory ? "index in memory of each work-item's components (0: not loaded)"
                      : "row,column of each work-item's components";
  grid.corner = "component\\work-item";
  grid.rows = l.components;
  grid.columns = l.of.workItems;
  for (uint32_t v = 0; v < grid.rows; ++v) {
    for (uint32_t p = 0; p < grid.columns; ++p) {
      const MatrixElement e = elementOf(l, p, v);
      grid.cells.push_back({held(l, memory, p, v), e.inside ? int64_t{e.row} : -1});
    }
  }
}

void addAccess(Arguments& arguments, const WorkItemLayout& l, const MatrixMemory& memory,
               Document& document) {
  checkCells(arguments, l.of.workItems, l.components);
  if (!arguments.error().empty()) return;
  std::vector<std::optional<uint64_t>> addresses;
  for (uint32_t p = 0; p < l.of.workItems; ++p) {
    for (uint32_t v = 0; v < l.components; ++v) {
      const std::optional<int64_t> at = memoryIndexOf(l, memory, p, v);
      // Transactions are aligned. Addresses before the base are treated as far away.
      addresses.push_back(at ? std::optional(static_cast<uint64_t>(*at) * l.of.componentBytes)
                             : std::nullopt);
    }
  }
  const AccessReport report = accessReport(addresses, l.components, l.of.componentBytes);
  document.facts.push_back({"components moved at once", text(report.vectorLength)});
  document.facts.push_back({"contiguous over work-items", report.contiguous ? "yes" : "no"});
  document.facts.push_back({"transactions of 32 bytes",
                            text(report.transactions) + ", at least " + text(report.leastTransactions)});
}

// Adds the place in memory of component `v` of work-item `p`.
void addMemory(const WorkItemLayout& l, const std::optional<MatrixMemory>& memory, uint32_t p, uint32_t v,
               bool explain, Document& document) {
  if (!memory) return;
  const std::optional<int64_t> at = memoryIndexOf(l, *memory, p, v);
  document.facts.push_back({"index in memory", at ? std::to_string(*at) : "none: not loaded"});
  if (explain) document.steps.push_back(explainMemory(*memory, elementOf(l, p, v), at));
}

// Answers which register holds an element.
void askElement(Arguments& arguments, const WorkItemLayout& l, const std::optional<MatrixMemory>& memory,
                Document& document) {
  const std::vector<int64_t> element = *arguments.numbers("--element", 2);
  if (element[0] < 0 || element[0] >= l.of.rows || element[1] < 0 || element[1] >= l.paddedColumns)
    return arguments.refuse({Rule::OutsideMatrix, {element[0], element[1], l.of.rows, l.paddedColumns}});
  const auto row = static_cast<uint32_t>(element[0]);
  const auto column = static_cast<uint32_t>(element[1]);
  const Owner owner = ownerOf(l, row, column);
  document.facts = {{"element", pairOf(row, column)},
                    {"work-item", text(owner.workItem)},
                    {"component", text(owner.component)}};
  if (const Answer<PackedPlace> packed = packedPlaceOf(l, row, column)) {
    document.facts.push_back({"32-bit entry", text(packed->entry)});
    document.facts.push_back({"lowest bit", text(packed->lowBit)});
  }
  const bool explain = arguments.has("--explain");
  if (explain) document.steps = explainOwner(l, row, column);
  addMemory(l, memory, owner.workItem, owner.component, explain, document);
}

// Answers which element a register holds.
void askOwner(Arguments& arguments, const WorkItemLayout& l, const std::optional<MatrixMemory>& memory,
              Document& document) {
  const std::vector<int64_t> owner = *arguments.numbers("--owner", 2);
  if (owner[0] < 0 || owner[0] >= l.of.workItems || owner[1] < 0 || owner[1] >= l.components)
    return arguments.refuse({Rule::OutsideWorkItem, {owner[0], l.of.workItems, owner[1], l.components}});
  const auto p = static_cast<uint32_t>(owner[0]);
  const auto v = static_cast<uint32_t>(owner[1]);
  const MatrixElement e = elementOf(l, p, v);
  document.facts = {{"work-item", text(p)},
                    {"component", text(v)},
                    {"element", pairOf(e.row, e.column)},
                    {"inside", e.inside ? "yes" : "no: padding"}};
  const bool explain = arguments.has("--explain");
  if (explain) document.steps = explainElement(l, p, v);
  addMemory(l, memory, p, v, explain, document);
}

void askWorkItem(Arguments& arguments, const WorkItemLayout& l, const std::optional<MatrixMemory>& memory,
                 Document& document) {
  const uint64_t wish = arguments.number("--work-item", 0);
  if (wish >= l.of.workItems)
    return arguments.refuse(
        {Rule::OutsideWorkItem, {static_cast<int64_t>(wish), l.of.workItems, 0, l.components}});
  const auto p = static_cast<uint32_t>(wish);
  checkCells(arguments, l.components, 1);
  if (!arguments.error().empty()) return;
  for (uint32_t v = 0; v < l.components; ++v) {
    document.facts.push_back({"component " + text(v), held(l, memory, p, v)});
    if (!arguments.has("--explain")) continue;
    for (const std::string& step : explainElement(l, p, v)) document.steps.push_back(step);
    if (memory)
      document.steps.push_back(explainMemory(*memory, elementOf(l, p, v), memoryIndexOf(l, *memory, p, v)));
  }
}

Document runWorkItem(Arguments& arguments) {
  Document document;
  if (!arguments.operands().empty())
    arguments.fail("'" + arguments.operands()[0] +
                   "' is not an option, and a matrix is described by options");
  const auto size = [&](const char* name) {
    if (!arguments.has(name)) arguments.fail(std::string(name) + " is missing");
    return number32(arguments, name, 0);
  };
  const uint32_t rows = size("--rows");
  const uint32_t columns = size("--columns");
  const WorkItemRequest request = workItemRequest(arguments, rows, columns, componentBytes(arguments, 4));
  const std::optional<MatrixMemory> memory = memoryOf(arguments);
  constexpr std::string_view kTables[] = {"elements", "items"};
  const uint32_t table = arguments.choice("--table", kTables, memory ? 1 : 0);
  arguments.numbers("--element", 2);
  arguments.numbers("--owner", 2);
  arguments.number("--work-item", 0);
  if (table == 0 && arguments.has("--table")) checkFactsShown(arguments, "--load");
  if (!arguments.error().empty()) return document;
  const Answer<WorkItemLayout> made = workItemLayout(request);
  if (!made) {
    arguments.refuse(made.broken());
    return document;
  }
  const WorkItemLayout& l = *made;
  if (arguments.has("--element")) {
    askElement(arguments, l, memory, document);
  } else if (arguments.has("--owner")) {
    askOwner(arguments, l, memory, document);
  } else if (arguments.has("--work-item")) {
    askWorkItem(arguments, l, memory, document);
  } else {
    document.facts = details(l);
    if (memory) addAccess(arguments, l, *memory, document);
    if (arguments.has("--details")) return document;
    checkCells(arguments, l.of.rows, l.paddedColumns);
    if (!arguments.error().empty()) return document;
    if (table == 0) {
      elementsTable(l, document);
    } else {
      itemsTable(l, memory, document);
    }
  }
  return document;
}

constexpr Example kExamples[] = {
    {"cooplayout workitem --rows 16 --columns 16 --element 3,9 --explain",
     "who holds row 3, column 9, and why?"},
    {"cooplayout workitem --rows 16 --columns 16 --work-item 19", "what does work-item 19 hold?"},
    {"cooplayout workitem --rows 4 --columns 15 --work-items 16 --table items", "each work-item's elements"},
    {"cooplayout workitem --rows 32 --columns 8 --scheme tinytc-newer --use a --type f16 --format svg > "
     "a.svg",
     "a picture of a packed matrix A"},
};

}  // namespace

const Command kWorkItemCommand = {"workitem",
                                  "a matrix over the work-items of a subgroup or workgroup",
                                  "--rows M --columns N [option ...]",
                                  kOptions,
                                  kTogether,
                                  kExamples,
                                  runWorkItem};

}  // namespace coopc::cooplayout
