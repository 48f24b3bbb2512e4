// cooplayout tensor: maps (row, column) of a matrix through a view and a layout to memory, and back.
// layout/strided.hpp converts plain loads to tensor loads; only their description differs.
#include <algorithm>
#include <set>

#include "layout/access.hpp"
#include "layout/clamp_mode_names.hpp"
#include "tools/cooplayout/commands.hpp"
#include "tools/cooplayout/memory_table.hpp"
#include "tools/cooplayout/tensor_description.hpp"

namespace coopc::cooplayout {
namespace {

using namespace layout;

constexpr Option kOptions[] = {
    {"--file", Form::Value, "FILE",
     "the statements from a file, a whole shader or a SPIR-V module (- is the standard input)"},
    {"--load", Form::Value, "N",
     "the load or store number N, from 0 (default: the first of a shader or module, the last of "
     "statements)"},
    {"--list", Form::Switch, "", "list the loads and stores of matrices with their numbers"},
    {"--set", Form::Value, "NAME=N",
     "the value of a constant, a push constant, gl_WorkGroupID.x ...; may be repeated"},
    {"--assume", Form::Switch, "",
     "assume missing values, and name them: dimensions 1024, offsets 0, strides packed"},
    {"--rows", Form::Value, "M", "rows of the matrix (default: as declared, else by the spans)"},
    {"--columns", Form::Value, "N", "columns of the matrix (the same default)"},
    {"--type", Form::Value, "TYPE", "the component type (default: as declared, else f32)"},
    {"--block-bytes", Form::Value, "N",
     "size of the structure that a decode function takes (default: the component's)"},
    {"--array-bytes", Form::Value, "N",
     "size of the array's elements, which an element offset and the stride of coopMatLoad count (default: as "
     "they "
     "are declared, else the block's or component's)"},
    {"--store", Form::Switch, "", "a store instead of a load"},
    {"--dimensions", Form::Value, "N,...",
     "dimensions of a tensor, outermost first, instead of GLSL; its layout:"},
    {"--strides", Form::Value, "N,...", "strides (default: packed)"},
    {"--offsets", Form::Value, "N,...", "offsets of the slice (default: 0)"},
    {"--spans", Form::Value, "N,...", "spans of the slice (default: the dimensions)"},
    {"--block-size", Form::Value, "N,...", "size of the blocks that a decode function takes"},
    {"--clamp", Form::Value, "MODE",
     "clamp mode: undefined (default), constant, clamp-to-edge, repeat or mirror-repeat"},
    {"--clamp-value", Form::Value, "N", "the value for the mode constant"},
    {"--view", Form::Value, "P,...", "a view that permutes the span's dimensions"},
    {"--view-dimensions", Form::Value, "N,...", "dimensions of the view, if they differ from the slice's"},
    {"--view-strides", Form::Value, "N,...", "strides of the view's dimensions (default: packed)"},
    {"--clip", Form::Value, "R,M,C,N", "only M rows from R on and N columns from C on are loaded or stored"},
    {"--element-offset", Form::Value, "N", "where the tensor starts, in elements of the array"},
    {"--details", Form::Switch, "", "only the layout's parameters"},
    {"--element", Form::Value, "R,C", "the coordinates and the address of one element"},
    {"--index", Form::Value, "N", "the elements of the matrix that reach memory at index N"},
    {"--byte", Form::Value, "N", "the elements of the matrix that start at byte N of memory"},
    {"--table", Form::Value, "NAME",
     "index (default), byte, coord (in the tensor), or block (block coordinate and inside it); from memory "
     "to "
     "elements: memory (by bytes) or memory-index"},
    {"--explain", Form::Switch, "", "with --element, --index or --byte: the derivation, step by step"},
    {"--access", Form::Switch, "", "the cost of the load if the matrix is distributed over work-items:"},
    kSchemeOption,
    {"--use", Form::Value, "NAME", "acc, a or b (default: as the matrix is declared, else acc)"},
    kWorkItemsOption,
};
constexpr Together kTogether[] = {
    {Together::One, "--list --details --element --index --byte --access --table"},
    {Together::Never, "--load --rows --columns --type --block-bytes --array-bytes --store --dimensions",
     "--list"},
    {Together::Needs,
     "--strides --offsets --spans --block-size --clamp --clamp-value --view --view-dimensions --clip "
     "--element-offset",
     "--dimensions"},
    {Together::Needs, "--view-strides", "--view-dimensions"},
    {Together::Never, "--file --load --set --assume", "--dimensions"},
    {Together::Never, "--assume", "--list"},
    {Together::Needs, "--explain", "--element --index --byte"},
    {Together::Needs, "--scheme --work-items", "--access"},
    {Together::Needs, "--use", "--access --dimensions"},
};
enum Table : uint32_t { kIndex, kByte, kCoord, kBlock, kMemory, kMemoryIndex };
constexpr std::string_view kTables[] = {"index", "byte", "coord", "block", "memory", "memory-index"};

struct Subject {
  TensorProgram program;
  uint32_t indexBytes = 4;
  const TensorView* view() const { return program.view ? &*program.view : nullptr; }
  Trace trace(uint32_t row, uint32_t column) const {
    return traceElement(*program.layout, view(), row, column, program.columns, program.access);
  }
};

std::string text(uint64_t n) { return std::to_string(n); }

std::string outcomeText(Outcome outcome, const TensorLayout& t) {
  switch (outcome) {
    case Outcome::Element: return "element";
    case Outcome::Skipped: return "outside the clip region";
    case Outcome::ClampValue: return "clamp value " + text(t.clampValue);
    case Outcome::Discarded: return "out of bounds: the store is dropped";
    default: return "undefined";
  }
}
// The text for a cell, and for the table's title.
struct Mark {
  Outcome outcome;
  const char* cell;
  const char* meaning;
};
constexpr Mark kMarks[] = {
    {Outcome::Skipped, ".", "clipped"},
    {Outcome::ClampValue, "c", "clamp value"},
    {Outcome::Discarded, "x", "dropped"},
    {Outcome::Undefined, "?", "undefined"},
};

std::string modeName(ClampMode mode) {
  std::string name(namesOf(mode).name);
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

std::string signedText(const SignedCoord& coord, uint32_t dim) {
  std::string result = "(";
  for (uint32_t i = 0; i < dim; ++i) result += (i != 0 ? ", " : "") + std::to_string(coord[i]);
  return result + ")";
}

const char* orderName(const StridedMatrix& m) {
  return m.memoryLayout == MemoryLayout::RowMajor ? "row-major" : "column-major";
}

const char* useName(Use use) {
  switch (use) {
    case Use::A: return "A";
    case Use::B: return "B";
    default: return "accumulator";
  }
}

// Warnings about strides and offsets that break rules. All answers about the layout have them.
std::vector<Fact> warnings(const Subject& s) {
  std::vector<Fact> facts;
  const auto add = [&](const std::optional<Broken>& broken) {
    if (broken) facts.push_back({"warning", describe(*broken)});
  };
  if (s.program.plain) {
    add(checkAlignment(*s.program.plain));
    return facts;
  }
  add(checkStride(*s.program.layout));
  add(checkBase(s.program.elementOffset, s.program.elementBytes));
  return facts;
}

std::vector<Fact> details(const Subject& s) {
  const TensorLayout& t = *s.program.layout;
  std::vector<Fact> facts = {
      {"matrix", text(s.program.rows) + " x " + text(s.program.columns) + ", " +
                     (s.program.access == Access::Store ? "stored" : "loaded")},
      {"component", text(s.program.componentBytes) + " bytes"},
  };
  if (s.program.use) facts.push_back({"use", useName(*s.program.use)});
  if (!s.program.assumed.empty()) {
    std::string all;
    for (const std::string& one : s.program.assumed) all += (all.empty() ? "" : ", ") + one;
    facts.push_back({"assumed", all});
  }
  if (!s.program.tensor.empty()) facts.push_back({"elements of tensor", s.program.tensor});
  if (const auto& plain = s.program.plain) {
    facts.push_back({"memory layout", orderName(*plain)});
    facts.push_back({"array element offset and stride", text(plain->offset) + " and " + text(plain->stride) +
                                                            " of " + text(plain->elementBytes) + " bytes"});
  }
  facts.insert(facts.end(), {{"dimensions", coordText(t.dimension, t.dim)},
                             {"strides", coordText(t.stride, t.dim)},
                             {"offsets", signedText(t.offset, t.dim)},
                             {"spans", coordText(t.span, t.dim)},
                             {"clamp mode", modeName(t.clampMode)}});
  if (t.clampMode == ClampMode::Constant) facts.push_back({"clamp value", text(t.clampValue)});
  if (t.blockSize != Coord{1, 1, 1, 1, 1}) facts.push_back({"block size", coordText(t.blockSize, t.dim)});
  facts.push_back({"storage", text(storageExtent(t)) + " of " + text(s.indexBytes) + " bytes"});
  if (s.program.elementOffset != 0)
    facts.push_back(
        {"element offset", text(s.program.elementOffset) + " of " + text(s.program.elementBytes) + " bytes"});
  if (const TensorView* v = s.view()) {
    facts.push_back({"view's permutation", coordText(v->permutation, v->dim)});
    if (v->hasDimensions) {
      facts.push_back({"view's dimensions", coordText(v->dimension, v->dim)});
      facts.push_back({"view's strides", coordText(v->stride, v->dim)});
    }
    if (v->clipRowSpan != 0xFFFFFFFFu || v->clipColSpan != 0xFFFFFFFFu || v->clipRowOffset != 0 ||
        v->clipColOffset != 0) {
      facts.push_back({"clip", "rows from " + text(v->clipRowOffset) + ", " + text(v->clipRowSpan) +
                                   "; columns from " + text(v->clipColOffset) + ", " + text(v->clipColSpan)});
    }
  }
  return facts;
}

uint64_t byteOf(const Subject& s, uint32_t index) {
  return byteOffsetAt(s.program.elementOffset, s.program.elementBytes, index, s.indexBytes);
}
// Indices are relative to the tensor's base. A plain load has no base; its indices are relative to the start
// of the array.
uint64_t indexOf(const Subject& s, uint32_t index) {
  return s.program.plain ? byteOf(s, index) / s.indexBytes : index;
}

// "array element 12" or "array element 12, byte 10 in it"
std::string arrayElement(const StridedMatrix& m, uint64_t byte) {
  const uint64_t in = byte % m.elementBytes;
  return text(byte / m.elementBytes) + (in == 0 ? "" : ", byte " + text(in) + " in it");
}

std::vector<std::string> explainPlain(const StridedMatrix& m, uint32_t row, uint32_t column) {
  const bool byRows = m.memoryLayout == MemoryLayout::RowMajor;
  const uint32_t line = byRows ? row : column;
  const uint32_t inLine = byRows ? column : row;
  const uint64_t start = stridedByte(m, byRows ? row : 0, byRows ? 0 : column);
  const uint64_t byte = stridedByte(m, row, column);
  return {
      std::string(orderName(m)) + ": " + (byRows ? "row " : "column ") + text(line) +
          " starts at array element offset " + text(m.offset) + " + " + text(line) + " * stride " +
          text(m.stride) + " = " + text(start / m.elementBytes),
      "times " + text(m.elementBytes) + " bytes = byte " + text(start),
      "plus " + (byRows ? std::string("column ") : "row ") + text(inLine) + " * " + text(m.componentBytes) +
          " bytes of a component = byte " + text(byte),
      "byte " + text(byte) + " / " + text(m.componentBytes) + " = index " + text(byte / m.componentBytes),
  };
}

std::vector<std::string> explain(const Subject& s, uint32_t row, uint32_t column) {
  if (s.program.plain) return explainPlain(*s.program.plain, row, column);
  const TensorLayout& t = *s.program.layout;
  const Trace trace = s.trace(row, column);
  std::vector<std::string> steps;
  if (const TensorView* v = s.view()) {
    if (!trace.linear) {
      steps.push_back(pairOf(row, column) + " is outside the clip region: nothing is loaded or stored");
      return steps;
    }
    const uint32_t width = std::min(s.program.columns, v->clipColSpan);
    steps.push_back(pairOf(row, column) + " in the clip region: (" + text(row - v->clipRowOffset) + " * " +
                    text(width) + " + " + text(column - v->clipColOffset) + ") = index " +
                    text(*trace.linear));
    if (!trace.viewCoord) {
      steps.push_back("a dimension of the view is 0: undefined");
      return steps;
    }
    const Coord& dimensions = v->hasDimensions ? v->dimension : t.span;
    steps.push_back("divided by the view's dimensions " + coordText(dimensions, v->dim) + " in the order " +
                    coordText(v->permutation, v->dim) + ": view coordinate " +
                    coordText(*trace.viewCoord, v->dim));
    steps.push_back(
        "times the view's strides" +
        (v->hasDimensions ? " " + coordText(v->stride, v->dim) : std::string(", those of the span")) +
        ": index in the span " + text(*trace.spanIndex));
  } else {
    steps.push_back("row " + text(row) + " * " + text(s.program.columns) + " columns + " + text(column) +
                    " = index in the span " + text(*trace.spanIndex));
  }
  if (!trace.spanCoord) {
    steps.push_back("a span is 0: undefined");
    return steps;
  }
  steps.push_back("divided by the spans " + coordText(t.span, t.dim) + ": span coordinate " +
                  coordText(*trace.spanCoord, t.dim));
  const TensorPosition& at = *trace.position;
  if (trace.outcome != Outcome::Element) {
    steps.push_back("plus the offsets " + signedText(t.offset, t.dim) + ", in a tensor of " +
                    coordText(t.dimension, t.dim) + " with clamp mode " + modeName(t.clampMode) + ": " +
                    outcomeText(trace.outcome, t));
    return steps;
  }
  steps.push_back("plus the offsets " + signedText(t.offset, t.dim) + ": " + signedText(at.unclamped, t.dim));
  steps.push_back("with clamp mode " + modeName(t.clampMode) + " in a tensor of " +
                  coordText(t.dimension, t.dim) + ": tensor coordinate " + coordText(at.tensorCoord, t.dim));
  if (t.blockSize != Coord{1, 1, 1, 1, 1}) {
    steps.push_back("divided by the block size " + coordText(t.blockSize, t.dim) + ": block " +
                    coordText(at.blockCoord, t.dim) + ", in it " + coordText(at.coordInBlock, t.dim));
  }
  steps.push_back("times the strides " + coordText(t.stride, t.dim) + ": index " + text(*trace.index));
  if (s.program.elementBytes == s.indexBytes) {
    steps.push_back("(element offset " + text(s.program.elementOffset) + " + " + text(*trace.index) + ") * " +
                    text(s.indexBytes) + " bytes = byte " + text(byteOf(s, *trace.index)));
  } else {
    steps.push_back("element offset " + text(s.program.elementOffset) + " * " + text(s.program.elementBytes) +
                    " bytes + " + text(*trace.index) + " * " + text(s.indexBytes) + " bytes = byte " +
                    text(byteOf(s, *trace.index)));
  }
  return steps;
}

void addTable(const Subject& s, uint32_t table, Document& document) {
  const TensorLayout& t = *s.program.layout;
  Grid& grid = document.grid.emplace();
  constexpr const char* kTitles[] = {"index in memory of each element", "byte of each element",
                                     "tensor coordinate of each element",
                                     "block coordinate:coordinate in the block of each element"};
  std::set<Outcome> seen;
  grid.corner = "row\\column";
  grid.rows = s.program.rows;
  grid.columns = s.program.columns;
  for (uint32_t row = 0; row < grid.rows; ++row) {
    for (uint32_t column = 0; column < grid.columns; ++column) {
      const Trace trace = s.trace(row, column);
      if (trace.outcome != Outcome::Element) {
        const auto* mark = std::find_if(std::begin(kMarks), std::end(kMarks),
                                        [&](const Mark& m) { return m.outcome == trace.outcome; });
        grid.cells.push_back({mark->cell, -1});
        seen.insert(trace.outcome);
        continue;
      }
      const TensorPosition& at = *trace.position;
      std::string cell;
      if (table == kIndex) cell = text(indexOf(s, *trace.index));
      if (table == kByte) cell = text(byteOf(s, *trace.index));
      if (table == kCoord) cell = coordText(at.tensorCoord, t.dim);
      if (table == kBlock) cell = coordText(at.blockCoord, t.dim) + ":" + coordText(at.coordInBlock, t.dim);
      // Each line of 128 bytes has its own color.
      grid.cells.push_back({std::move(cell), static_cast<int64_t>(byteOf(s, *trace.index) / 128)});
    }
  }
  std::string marks;
  for (const Mark& mark : kMarks) {
    if (seen.contains(mark.outcome))
      marks += (marks.empty() ? "" : ", ") + std::string(mark.cell) + " " + mark.meaning;
  }
  grid.title = kTitles[table] + (marks.empty() ? "" : " (" + marks + ")");
}

// From memory to the matrix: by bytes from the start of the buffer, or by indices from the tensor's base.
void addMemory(Arguments& arguments, const Subject& s, bool byBytes, Document& document) {
  MemoryTable table;
  for (uint32_t row = 0; row < s.program.rows; ++row) {
    for (uint32_t column = 0; column < s.program.columns; ++column) {
      const Trace trace = s.trace(row, column);
      if (!trace.index) continue;
      table.elements.push_back(
          {byBytes ? byteOf(s, *trace.index) / s.indexBytes : indexOf(s, *trace.index), row, column});
    }
  }
  table.perLine = unitsPerLine(s.indexBytes);
  table.scale = byBytes ? s.indexBytes : 1;
  const std::string what = s.program.access == Access::Store ? "stored to" : "loaded from";
  table.title = "row,column of the elements " + what + " each " + (byBytes ? "byte" : "index") +
                ", in units of " + text(s.indexBytes) + " bytes (.: none)";
  table.corner = byBytes ? "line\\byte" : "line\\index";
  addMemoryTable(arguments, std::move(table), document);
}

void addAccess(Arguments& arguments, const Subject& s, Document& document) {
  const Answer<WorkItemLayout> made =
      workItemLayout(workItemRequest(arguments, s.program.rows, s.program.columns, s.program.componentBytes,
                                     s.program.use.value_or(Use::Accumulator)));
  if (!made) return arguments.refuse(made.broken());
  const WorkItemLayout& l = *made;
  checkCells(arguments, l.of.workItems, l.components);
  if (!arguments.error().empty()) return;
  std::vector<std::optional<uint64_t>> addresses;
  for (uint32_t p = 0; p < l.of.workItems; ++p) {
    for (uint32_t v = 0; v < l.components; ++v) {
      const MatrixElement e = elementOf(l, p, v);
      std::optional<uint64_t> address;
      if (e.inside) {
        const Trace trace = s.trace(e.row, e.column);
        if (trace.index) address = byteOf(s, *trace.index);
      }
      addresses.push_back(address);
    }
  }
  const AccessReport report = accessReport(addresses, l.components, s.indexBytes);
  document.facts.push_back({"layout over work-items", layoutText(l.of)});
  document.facts.push_back(
      {"work-items", text(l.of.workItems) + ", with " + text(l.components) + " components each"});
  document.facts.push_back({"components moved at once", text(report.vectorLength)});
  document.facts.push_back({"contiguous over work-items", report.contiguous ? "yes" : "no"});
  document.facts.push_back({"transactions of 32 bytes",
                            text(report.transactions) + ", at least " + text(report.leastTransactions)});
}

std::optional<std::string> statements(Arguments& arguments) {
  const std::optional<std::string> path = arguments.text("--file");
  if (!path) {
    std::string all;
    for (const std::string& operand : arguments.operands()) {
      const size_t last = operand.find_last_not_of(" \t\r\n");
      const bool ends = last != std::string::npos && (operand[last] == ';' || operand[last] == '}');
      all += operand + (ends ? "\n" : ";\n");
    }
    if (all.empty())
      arguments.fail(
          "statements are missing: give them as an argument or by --file, or a tensor by --dimensions");
    return all;
  }
  if (!arguments.operands().empty()) arguments.fail("statements and --file exclude each other");
  return textOf(arguments, *path);
}

// The sizes of the matrix and its memory. Options take precedence over the text's declarations, which take
// precedence over defaults.
void takeSizes(Arguments& arguments, Subject& s) {
  TensorProgram& p = s.program;
  if (p.rows == 0 && p.layout) {
    // By default, the matrix is the whole span, with its innermost dimension as columns.
    const TensorLayout& t = *p.layout;
    uint64_t outer = 1;
    for (uint32_t i = 0; i + 1 < t.dim; ++i) outer = std::min<uint64_t>(outer * t.span[i], UINT32_MAX);
    p.rows = static_cast<uint32_t>(outer);
    p.columns = t.span[t.dim - 1];
  }
  p.rows = number32(arguments, "--rows", p.rows);
  p.columns = number32(arguments, "--columns", p.columns);
  p.componentBytes = componentBytes(arguments, p.componentBytes == 0 ? 4 : p.componentBytes);
  s.indexBytes = number32(arguments, "--block-bytes", p.componentBytes);
  if (s.indexBytes == 0) arguments.fail("--block-bytes is at least 1");
  p.elementBytes = number32(arguments, "--array-bytes", p.elementBytes == 0 ? s.indexBytes : p.elementBytes);
  if (p.elementBytes == 0) arguments.fail("--array-bytes is at least 1");
  if (arguments.has("--store")) p.access = Access::Store;
  if (p.rows == 0 || p.columns == 0) {
    const bool said = p.layout || (arguments.has("--rows") && arguments.has("--columns"));
    arguments.refuse(Condition::NoElements,
                     "the matrix has " + text(p.rows) + " rows and " + text(p.columns) + " columns" +
                         (said ? "" : "; --rows and --columns give it some where it is not declared"));
  }
  checkCells(arguments, p.rows, p.columns);
}

// Converts a plain load or store to a tensor load or store.
void takePlain(Arguments& arguments, Subject& s) {
  TensorProgram& p = s.program;
  if (arguments.has("--block-bytes"))
    return arguments.fail(
        "--block-bytes has no effect with coopMatLoad and coopMatStore, which decode nothing");
  StridedMatrix& plain = *p.plain;
  plain.rows = p.rows;
  plain.columns = p.columns;
  plain.componentBytes = p.componentBytes;
  plain.elementBytes = p.elementBytes;
  const Answer<StridedTensor> tensor = tensorOf(plain, p.access);
  if (!tensor) return arguments.refuse(tensor.broken());
  p.layout = tensor->layout;
  p.view = tensor->view;
  p.elementOffset = tensor->base;
  p.elementBytes = p.componentBytes;
}

std::optional<std::map<std::string, int64_t>> namesOf(Arguments& arguments) {
  std::map<std::string, int64_t> names;
  for (const std::string& setting : arguments.texts("--set")) {
    const size_t equals = setting.find('=');
    const std::optional<int64_t> value =
        equals == std::string::npos ? std::nullopt : numberOf(std::string_view(setting).substr(equals + 1));
    if (!value) {
      arguments.fail("'" + setting + "' is not NAME=N for --set");
      return std::nullopt;
    }
    names[setting.substr(0, equals)] = *value;
  }
  return names;
}

// The program of the command line, in the form for the reader of programs. No value after a mistake.
std::optional<ProgramText> programText(Arguments& arguments, std::string& source) {
  std::optional<std::map<std::string, int64_t>> names = namesOf(arguments);
  const std::optional<std::string> text = names ? statements(arguments) : std::nullopt;
  if (!text || !arguments.error().empty()) return std::nullopt;
  if (arguments.programs() == nullptr) {
    arguments.refuse(Condition::NoCompiler, "GLSL and SPIR-V cannot be read here");
    return std::nullopt;
  }
  source = *text;
  return ProgramText{source, arguments.text("--file").value_or(""), std::move(*names),
                     arguments.has("--assume")};
}

// Lists the loads and stores of matrices: with lines for a text, with instructions for a module.
Document listAccesses(Arguments& arguments) {
  Document document;
  std::string source;
  const std::optional<ProgramText> program = programText(arguments, source);
  if (!program) return document;
  std::string error;
  const std::optional<std::vector<AccessName>> accesses = arguments.programs()->list(*program, error);
  if (!accesses) {
    arguments.refuse(error);
    return document;
  }
  for (size_t i = 0; i < accesses->size(); ++i) document.facts.push_back({text(i), (*accesses)[i]});
  return document;
}

// The load or store that a program describes.
std::optional<TensorProgram> readProgram(Arguments& arguments) {
  std::string source;
  const std::optional<ProgramText> text = programText(arguments, source);
  if (!text) return std::nullopt;
  std::optional<uint32_t> which;
  if (arguments.has("--load")) which = number32(arguments, "--load", 0);
  std::string error;
  const std::optional<TensorProgram> program = arguments.programs()->read(*text, which, error);
  if (!program) arguments.refuse(error);
  return program;
}

std::optional<Subject> subjectOf(Arguments& arguments) {
  const bool described = arguments.has("--dimensions");
  if (described && !arguments.operands().empty())
    arguments.fail("statements and --dimensions exclude each other");
  const std::optional<TensorProgram> program =
      described ? readTensorDescription(arguments) : readProgram(arguments);
  if (!program || !arguments.error().empty()) return std::nullopt;
  Subject s;
  s.program = *program;
  if (!s.program.layout && !s.program.plain) {
    arguments.refuse(Condition::NoLayout,
                     "the statements make no tensor layout, and load or store no matrix");
    return std::nullopt;
  }
  takeSizes(arguments, s);
  if (s.program.plain && arguments.error().empty()) takePlain(arguments, s);
  return s;
}

// Answers which memory an element has.
void askElement(Arguments& arguments, const Subject& s, Document& document) {
  const std::vector<int64_t> element = *arguments.numbers("--element", 2);
  if (element[0] < 0 || element[0] >= s.program.rows || element[1] < 0 || element[1] >= s.program.columns) {
    return arguments.refuse(Condition::OutsideTensorMatrix,
                            "element (" + std::to_string(element[0]) + ", " + std::to_string(element[1]) +
                                ") is not in the matrix of " + text(s.program.rows) + " rows and " +
                                text(s.program.columns) + " columns");
  }
  const auto row = static_cast<uint32_t>(element[0]);
  const auto column = static_cast<uint32_t>(element[1]);
  const TensorLayout& t = *s.program.layout;
  const Trace trace = s.trace(row, column);
  document.facts.push_back({"element", pairOf(row, column)});
  document.facts.push_back({"outcome", outcomeText(trace.outcome, t)});
  if (trace.index) {
    const uint64_t byte = byteOf(s, *trace.index);
    if (s.program.plain)
      document.facts.push_back({"array element", arrayElement(*s.program.plain, byte)});
    else
      document.facts.push_back({"tensor coordinate", coordText(trace.position->tensorCoord, t.dim)});
    document.facts.push_back({"index", text(indexOf(s, *trace.index))});
    document.facts.push_back({"byte", text(byte)});
  }
  if (arguments.has("--explain")) document.steps = explain(s, row, column);
}

// Answers which elements a place in memory has.
void askMemory(Arguments& arguments, const Subject& s, Document& document) {
  const bool byByte = arguments.has("--byte");
  const uint64_t wish = arguments.number(byByte ? "--byte" : "--index", 0);
  uint32_t count = 0;
  for (uint32_t row = 0; row < s.program.rows; ++row) {
    for (uint32_t column = 0; column < s.program.columns; ++column) {
      const Trace trace = s.trace(row, column);
      if (!trace.index || (byByte ? byteOf(s, *trace.index) : indexOf(s, *trace.index)) != wish) continue;
      document.facts.push_back({"element " + text(++count), pairOf(row, column)});
      if (!arguments.has("--explain")) continue;
      for (std::string& step : explain(s, row, column)) document.steps.push_back(std::move(step));
    }
  }
  document.facts.push_back({"elements", text(count)});
}

Document runTensor(Arguments& arguments) {
  if (arguments.has("--list")) return listAccesses(arguments);
  Document document;
  const uint32_t table = arguments.choice("--table", kTables, kIndex);
  arguments.numbers("--element", 2);
  for (const char* name : {"--index", "--byte"}) arguments.number(name, 0);
  const std::optional<Subject> made = arguments.error().empty() ? subjectOf(arguments) : std::nullopt;
  if (!made || !arguments.error().empty()) return document;
  const Subject& s = *made;
  const auto warn = [&] {
    for (Fact& fact : warnings(s)) document.facts.push_back(std::move(fact));
  };
  if (arguments.has("--element")) {
    askElement(arguments, s, document);
    warn();
  } else if (arguments.has("--index") || arguments.has("--byte")) {
    askMemory(arguments, s, document);
    warn();
  } else {
    document.facts = details(s);
    warn();
    if (arguments.has("--details")) return document;
    if (arguments.has("--access")) {
      addAccess(arguments, s, document);
    } else if (table == kMemory || table == kMemoryIndex) {
      addMemory(arguments, s, table == kMemory, document);
    } else {
      addTable(s, table, document);
    }
  }
  return document;
}

constexpr Example kExamples[] = {
    {"cooplayout tensor 'sliceTensorLayoutNV(setTensorLayoutDimensionNV(createTensorLayoutNV(2), 100, 50), "
     "10, 8, 20, 8)'",
     "rows 10 to 17 and columns 20 to 27 of a tensor of 100 x 50: where is each element?"},
    {"cooplayout tensor 'coopMatLoad(m, a, 0, 64, gl_CooperativeMatrixLayoutColumnMajor)' --rows 16 "
     "--columns 16 --type "
     "f16 --element 3,9 --explain",
     "a plain load, by columns that are 64 elements apart: where is row 3, column 9, and why?"},
    {"cooplayout tensor 'coopMatLoad(m, a, 0, 64, gl_CooperativeMatrixLayoutRowMajor)' --rows 16 --columns "
     "16 --type f16 "
     "--access",
     "how many transactions does it take when the matrix lies over 32 work-items?"},
    {"cooplayout tensor --file shaders/load_row_major.comp --set rows=64 --set columns=64 --set row=16 --set "
     "column=32 "
     "--byte 2112",
     "the first load of a shader (or of a SPIR-V module): which element is read from byte 2112?"},
};

}  // namespace

const Command kTensorCommand = {"tensor",
                                "loads and stores of matrices as GLSL spells them: matrix to memory and back",
                                "'STATEMENTS'|--file FILE|--dimensions N,... [option ...]",
                                kOptions,
                                kTogether,
                                kExamples,
                                runTensor};

}  // namespace coopc::cooplayout
