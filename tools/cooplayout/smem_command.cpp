// cooplayout smem: matrices in shared memory in CuTe's notation, canonical layouts, descriptors, bank
// conflicts.
#include <algorithm>

#include "layout/banks.hpp"
#include "layout/descriptor.hpp"
#include "layout/notation.hpp"
#include "tools/cooplayout/commands.hpp"
#include "tools/cooplayout/memory_table.hpp"
#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {
namespace {

using namespace layout;

constexpr Option kOptions[] = {
    {"--type", Form::Value, "TYPE", "the element's type, GLSL's name or f16, tf32, u8 ... (default f16)"},
    {"--bits", Form::Value, "N", "the element's size instead of its type"},
    {"--canonical", Form::Value, "MAJOR,SWIZZLE",
     "instead of a layout: k or mn, and a swizzle of 0, 32, 64 or 128 bytes; with:"},
    {"--m", Form::Value, "N", "repeating patterns across rows (default 1)"},
    {"--k", Form::Value, "N", "repeating patterns across columns (default 1)"},
    {"--lbo", Form::Value, "BYTES", "leading dimension byte offset (default: packed)"},
    {"--sbo", Form::Value, "BYTES", "stride dimension byte offset (default: packed)"},
    {"--descriptor", Form::Value, "BITS", "decode a descriptor of 64 bits"},
    {"--instruction", Form::Value, "BITS",
     "with --descriptor: the instruction descriptor, to check the restrictions"},
    {"--generation", Form::Value, "N",
     "generation of the tensor cores that read the descriptor: 5 (default, tcgen05) or 4 (wgmma)"},
    {"--compose", Form::Value, "LAYOUT", "the layout composed with LAYOUT (layout o LAYOUT)"},
    {"--divide", Form::Value, "LAYOUT", "the layout divided into tiles LAYOUT"},
    {"--product", Form::Value, "LAYOUT", "the layout repeated by LAYOUT"},
    {"--complement", Form::Value, "SIZE", "the layout that completes this one to SIZE addresses"},
    {"--inverse", Form::Switch, "", "the layout that undoes this one"},
    {"--coalesce", Form::Switch, "", "the same layout with as few modes as possible"},
    {"--details", Form::Switch, "", "only the layout's parameters"},
    {"--element", Form::Value, "R,C", "where an element is"},
    {"--address", Form::Value, "BYTE", "which elements start at a byte"},
    {"--explain", Form::Switch, "", "with --element or --address: the derivation, step by step"},
    {"--no-swizzle", Form::Switch, "", "without the swizzle, for comparison"},
    {"--table", Form::Value, "NAME",
     "byte (default), index (in elements), bank, reader: which of up to 32 work-items reads it, down a "
     "column; or "
     "memory: from address to element"},
    {"--along", Form::Value, "NAME", "with --table reader: column (default), or row"},
    {"--access", Form::Value, "BYTES", "bank conflicts of accesses of 4, 8 or 16 bytes (default 16)"},
};
constexpr Together kTogether[] = {
    {Together::One, "--descriptor --details --element --address --table"},
    {Together::One, "--type --bits"},
    {Together::One, "--compose --divide --product --complement --inverse --coalesce"},
    {Together::Needs, "--m --k --lbo --sbo", "--canonical"},
    {Together::Needs, "--instruction", "--descriptor"},
    {Together::Needs, "--explain", "--element --address"},
    {Together::Needs, "--along", "--table"},
    {Together::Never, "--access --generation", "--element --address"},
    {Together::Never,
     "--type --bits --canonical --compose --divide --product --complement --inverse --coalesce --no-swizzle "
     "--access",
     "--descriptor"},
};
constexpr std::string_view kGenerations[] = {"4", "5"};
enum Table : uint32_t { kByte, kIndex, kBank, kReader, kMemory };
constexpr std::string_view kTables[] = {"byte", "index", "bank", "reader", "memory"};

std::string text(uint64_t n) { return std::to_string(n); }

std::string hex(uint64_t n) {
  std::string digits;
  for (; n != 0 || digits.empty(); n >>= 4) digits.insert(digits.begin(), "0123456789abcdef"[n & 15]);
  return "0x" + digits;
}

std::string swizzleName(SwizzleMode mode) {
  switch (mode) {
    case SwizzleMode::None: return "none";
    case SwizzleMode::Bytes128Atom32: return "128 bytes with 32-byte atoms";
    case SwizzleMode::Bytes128: return "128 bytes";
    case SwizzleMode::Bytes64: return "64 bytes";
    default: return "32 bytes";
  }
}

Generation generationOf(Arguments& arguments) {
  return arguments.choice("--generation", kGenerations, 1) == 0 ? Generation::Fourth : Generation::Fifth;
}

Document decodeDescriptor(Arguments& arguments) {
  Document document;
  const Generation generation = generationOf(arguments);
  const uint64_t bits = arguments.number("--descriptor", 0);
  const auto instruction = number32(arguments, "--instruction", 0);
  if (!arguments.operands().empty())
    arguments.fail("'" + arguments.operands()[0] + "' has no effect with --descriptor");
  if (!arguments.error().empty()) return document;
  const Answer<SharedMemoryDescriptor> made = decode(bits);
  if (!made) {
    arguments.refuse(made.broken());
    return document;
  }
  const SharedMemoryDescriptor& d = *made;
  document.facts = {
      {"address", text(d.address)},
      {d.leadingIsAbsolute ? "leading dimension address" : "leading dimension offset", text(d.leadingOffset)},
      {"stride dimension offset", text(d.strideOffset)},
      {"version", text(d.version)},
      {"base offset", text(d.baseOffset)},
      {"leading dimension mode", d.leadingIsAbsolute ? "absolute address" : "relative offset"},
      {"swizzle", swizzleName(d.swizzle)},
      {"other bits", hex(d.otherBits)},
  };
  if (const std::optional<Broken> broken = checkRestrictions(d, instruction))
    document.facts.push_back({"restriction", describe(*broken)});
  if (const std::optional<Broken> broken = checkGeneration(d, generation))
    document.facts.push_back({"finding", describe(*broken)});
  return document;
}

struct Subject {
  cute::SwizzledLayout layout;
  uint32_t bits = 16;
  uint32_t rows = 0;
  uint32_t columns = 0;
  std::optional<Canonical> given;  // its parameters, if options give them

  int64_t coordinate(uint32_t row, uint32_t column) const { return int64_t{row} + int64_t{column} * rows; }
  uint64_t byte(uint32_t row, uint32_t column) const { return byte(row, column, layout.swizzle); }
  uint64_t byte(uint32_t row, uint32_t column, const Swizzle& swizzle) const {
    return swizzle(static_cast<uint64_t>(layout.layout(coordinate(row, column))) * bits / 8);
  }
};

std::optional<Canonical> canonicalFrom(Arguments& arguments, uint32_t bits) {
  const std::string value = *arguments.text("--canonical");
  constexpr std::pair<std::string_view, SwizzleMode> kSwizzles[] = {{"0", SwizzleMode::None},
                                                                    {"32", SwizzleMode::Bytes32},
                                                                    {"64", SwizzleMode::Bytes64},
                                                                    {"128", SwizzleMode::Bytes128}};
  const size_t comma = value.find(',');
  const std::string major = value.substr(0, comma);
  const std::string width = comma == std::string::npos ? "0" : value.substr(comma + 1);
  const auto found = std::find_if(std::begin(kSwizzles), std::end(kSwizzles),
                                  [&](const auto& s) { return s.first == width; });
  if ((major != "k" && major != "mn") || found == std::end(kSwizzles)) {
    arguments.fail("'" + value + "' is not k or mn with 0, 32, 64 or 128 for --canonical");
    return std::nullopt;
  }
  Canonical c = packOffsets({major == "k" ? Major::K : Major::MN, found->second, bits,
                             number32(arguments, "--m", 1), number32(arguments, "--k", 1), 0, 0});
  c.leadingBytes = arguments.number("--lbo", c.leadingBytes);
  c.strideBytes = arguments.number("--sbo", c.strideBytes);
  if (arguments.has("--lbo") && !c.usesLeadingOffset())
    arguments.refuse(Condition::LeadingUnused, "--lbo has no meaning in " + value);
  if (!arguments.error().empty()) return std::nullopt;
  if (const Answer<cute::SwizzledLayout> layout = canonicalLayout(c); !layout) {
    arguments.refuse(layout.broken());
    return std::nullopt;
  }
  return c;
}

// Whether the notation is a symbolic form of the document, with letters in place of a layout's numbers.
bool hasLetters(std::string_view notation) {
  if (const size_t o = notation.find("> o"); o != std::string_view::npos) notation.remove_prefix(o + 3);
  return notation.find_first_of("TmkLSBO") != std::string_view::npos;
}

// For a symbolic form, the options that make a layout of it.
std::string symbolicForm(const std::string& notation) {
  std::string form(notation);
  if (const size_t o = form.find("> o"); o != std::string::npos) form.erase(0, o + 3);
  std::erase_if(form, [](char c) { return c == ' ' || c == '\t'; });
  constexpr std::pair<SwizzleMode, const char*> kWidths[] = {{SwizzleMode::None, "0"},
                                                             {SwizzleMode::Bytes32, "32"},
                                                             {SwizzleMode::Bytes64, "64"},
                                                             {SwizzleMode::Bytes128, "128"}};
  for (const Major major : {Major::K, Major::MN}) {
    for (const auto& [mode, width] : kWidths) {
      if (form != canonicalText(major, mode)) continue;
      Canonical c;
      c.major = major;
      c.mode = mode;
      return "'" + notation + "' is a form with letters: --canonical " + (major == Major::K ? "k," : "mn,") +
             width + " makes a layout of it, with --type, --m, --k, " +
             (c.usesLeadingOffset() ? "--lbo, " : "") + "--sbo";
    }
  }
  return "'" + notation +
         "' has letters, and is none of the canonical layouts, which --canonical MAJOR,SWIZZLE makes";
}

std::optional<cute::SwizzledLayout> readLayout(Arguments& arguments, const std::string& notation) {
  Answer<cute::SwizzledLayout> layout = parseLayout(notation);
  if (layout) return *std::move(layout);
  if (layout.broken().rule == Rule::Syntax && hasLetters(notation))
    arguments.refuse(Condition::SymbolicForm, symbolicForm(notation));
  else
    arguments.refuse(layout.broken());
  return std::nullopt;
}

// Applies the operation that the options request, if any, to `s`. Operations are defined on shapes and
// strides. A swizzle is applied to addresses last, so operations that only change coordinates keep it; no
// other operation accepts one.
void applyAlgebra(Arguments& arguments, cute::SwizzledLayout& s) {
  using Operation = Answer<cute::Layout> (*)(const cute::Layout&, const cute::Layout&);
  struct Binary {
    const char* name;
    Operation operation;
    bool keepsSwizzle;
  };
  constexpr Binary kBinary[] = {{"--compose", cute::compose, true},
                                {"--divide", cute::divide, true},
                                {"--product", cute::product, false}};
  const auto refuseSwizzle = [&](const Swizzle& swizzle, const std::string& what) {
    if (swizzle.bits == 0) return;
    arguments.refuse(Condition::SwizzledOperand, what + " has a swizzle");
  };
  std::optional<Answer<cute::Layout>> result;
  for (const auto& [name, operation, keepsSwizzle] : kBinary) {
    if (!arguments.has(name)) continue;
    const auto b = readLayout(arguments, *arguments.text(name));
    if (!b) return;
    refuseSwizzle(b->swizzle, "the layout of " + std::string(name));
    if (!keepsSwizzle) refuseSwizzle(s.swizzle, "the layout that " + std::string(name) + " repeats");
    result = operation(s.layout, b->layout);
  }
  if (arguments.has("--complement")) {
    const uint64_t size = arguments.number("--complement", 1);
    refuseSwizzle(s.swizzle, "the layout that --complement completes");
    if (!arguments.error().empty()) return;
    result = cute::complement(s.layout, static_cast<int64_t>(std::min<uint64_t>(size, cute::kMaxSize + 1)));
  }
  if (arguments.has("--inverse")) {
    refuseSwizzle(s.swizzle, "the layout that --inverse undoes");
    result = cute::inverse(s.layout);
  }
  if (arguments.has("--coalesce")) result = Answer<cute::Layout>(cute::coalesce(s.layout));
  if (!result || !arguments.error().empty()) return;
  if (!*result) return arguments.refuse(result->broken());
  s.layout = **result;
}

// Up to 32 work-items read along rows or columns, `bytes` each, beginning with the first element. At the end
// of a row or column they continue with the next one. Accesses that would reach beyond the matrix do not
// exist.
struct Walk {
  uint32_t elements = 1;                              // the elements of one access
  bool downColumns = false;                           // these elements are in one column
  std::vector<std::pair<uint32_t, uint32_t>> starts;  // row and column of each work-item's first element

  uint32_t rowStep() const { return downColumns ? elements : 1; }
  uint32_t columnStep() const { return downColumns ? 1 : elements; }
};
Walk walkOf(const Subject& s, bool alongRows, uint32_t bytes) {
  Walk walk;
  walk.elements = std::max(1u, bytes * 8 / s.bits);
  // One access reads the elements that are contiguous in memory.
  walk.downColumns = s.rows > 1 && s.layout.layout(1) == 1;
  const uint32_t rowCount = s.rows / walk.rowStep();
  const uint32_t columnCount = s.columns / walk.columnStep();
  for (uint32_t i = 0; i < 32 && i < rowCount * columnCount; ++i) {
    walk.starts.emplace_back((alongRows ? i / columnCount : i % rowCount) * walk.rowStep(),
                             (alongRows ? i % columnCount : i / rowCount) * walk.columnStep());
  }
  return walk;
}

// Why the accesses of a walk cannot be made, or "". Each access takes its elements from consecutive bytes.
std::string whyNoAccess(const Subject& s, const Walk& walk, uint32_t bytes, const Swizzle& swizzle) {
  const auto [what, extent] = walk.downColumns ? std::pair{"column", s.rows} : std::pair{"row", s.columns};
  if (walk.starts.empty()) {
    return "none: " +
           describe(Condition::AccessFits, "an access takes " + text(walk.elements) + " elements along a " +
                                               what + ", and a " + what + " has " + text(extent));
  }
  const auto at = [&](std::pair<uint32_t, uint32_t> start, uint32_t e) {
    return std::pair{start.first + (walk.downColumns ? e : 0), start.second + (walk.downColumns ? 0 : e)};
  };
  for (const auto& start : walk.starts) {
    const uint64_t first = s.byte(start.first, start.second, swizzle);
    for (uint32_t e = 1; e < walk.elements; ++e) {
      const auto [row, column] = at(start, e);
      if (s.byte(row, column, swizzle) == first + uint64_t{e} * s.bits / 8) continue;
      const auto [lastRow, lastColumn] = at(start, walk.elements - 1);
      return "none: " +
             describe(Condition::AccessContiguous,
                      "the " + text(bytes) + " bytes at byte " + text(first) + " are not elements " +
                          pairOf(start.first, start.second) + " to " + pairOf(lastRow, lastColumn));
    }
  }
  return "";
}

// "conflict-free: no, 32 accesses in 32 passes instead of 4"
std::string conflicts(const Subject& s, bool alongRows, uint32_t bytes, bool swizzled) {
  const Swizzle swizzle = swizzled ? s.layout.swizzle : Swizzle{};
  const Walk walk = walkOf(s, alongRows, bytes);
  if (const std::string why = whyNoAccess(s, walk, bytes, swizzle); !why.empty()) return why;
  std::vector<uint64_t> addresses;
  for (const auto& [row, column] : walk.starts) addresses.push_back(s.byte(row, column, swizzle));
  const Answer<BankReport> report = bankConflicts(addresses, bytes);
  if (!report) return "none: " + describe(report.broken());
  const auto counted = [](uint64_t n, const char* one, const char* many) {
    return text(n) + " " + (n == 1 ? one : many);
  };
  return std::string("conflict-free: ") + (report->conflicts() == 0 ? "yes, " : "no, ") +
         counted(addresses.size(), "access", "accesses") + " in " +
         counted(report->passes, "pass", "passes") +
         (report->conflicts() == 0 ? "" : " instead of " + text(report->parts));
}

std::string formOf(Major major, SwizzleMode mode) {
  return std::string(major == Major::K ? "K-major" : "MN-major") + ", " +
         std::string(canonicalText(major, mode));
}

std::string offsetText(uint64_t bytes, std::string_view meaning, bool repeats, const char* count) {
  return text(bytes) + " bytes, encoded " + text(bytes >> 4) + ": " + std::string(meaning) +
         (repeats ? "" : " (" + std::string(count) + " = 1: no address depends on it)");
}

// Adds which canonical layout it is, with its parameters and descriptor; or why it is not canonical.
void addCanonical(const Subject& s, bool overlaps, Generation generation, std::vector<Fact>& facts) {
  const Answer<Canonical> c = s.given ? Answer<Canonical>(*s.given) : canonicalOf(s.layout, s.bits);
  if (!c) {
    const Answer<SwizzleMode> mode = swizzleModeOf(s.layout.swizzle);
    facts.push_back(
        {"canonical", "no: " + describe(c.broken()) +
                          (mode ? " (compared with " + formOf(nearestMajor(s.layout), *mode) + ")" : "")});
    return;
  }
  const Swizzle swizzle = *swizzleOf(c->mode);
  const auto spelled = [](const Swizzle& w) {
    return "Swizzle<" + text(w.bits) + "," + text(w.base) + "," + text(w.shift) + ">";
  };
  facts.push_back(
      {"canonical", std::string(c->major == Major::K ? "K-major" : "MN-major") + ", swizzle " +
                        swizzleName(c->mode) + ": " + std::string(canonicalText(c->major, c->mode)) +
                        (swizzle == s.layout.swizzle || (swizzle.bits == 0 && s.layout.swizzle.bits == 0)
                             ? ""
                             : "; " + spelled(s.layout.swizzle) + " acts as " + spelled(swizzle) + " here")});
  facts.push_back({"T, m, k", text(c->elementsPerChunk()) + ", " + text(c->m) + ", " + text(c->k)});
  const bool plainMn = c->major == Major::MN && c->mode == SwizzleMode::None;
  const std::string_view leading = leadingOffsetMeaning(c->major, c->mode);
  facts.push_back({"LBO", c->usesLeadingOffset()
                              ? offsetText(c->leadingBytes, leading, c->leadingRepeats(), plainMn ? "k" : "m")
                              : std::string(leading)});
  facts.push_back({"SBO", offsetText(c->strideBytes, strideOffsetMeaning(c->major, c->mode),
                                     c->strideRepeats(), c->major == Major::K || plainMn ? "m" : "k")});
  const Answer<uint64_t> bits = encode(descriptorOf(*c, 0, generation));
  facts.push_back({"descriptor at address 0", bits ? hex(*bits) : "none: " + describe(bits.broken())});
  if (const std::optional<Broken> broken = checkWidth(*c))
    facts.push_back({"finding", describe(*broken)});
  else if (overlaps)
    facts.push_back({"finding", "the canonical layout overlaps: its offsets are smaller than its patterns"});
}

std::vector<Fact> details(const Subject& s, uint32_t bytes, Generation generation) {
  std::vector<Fact> facts = {
      {"layout", print(s.layout)},
      {"elements", text(s.rows) + " x " + text(s.columns) + " of " + text(s.bits) + " bits"}};
  const std::optional<Broken> shared = cute::whyNotInjective(s.layout.layout);
  if (shared) {
    facts.push_back({"injective", "no: " + describe(*shared)});
    if (const Answer<int64_t> distinct = cute::distinctAddresses(s.layout.layout))
      facts.push_back({"different addresses",
                       text(static_cast<uint64_t>(*distinct)) + " of " + text(uint64_t{s.rows} * s.columns)});
  } else {
    facts.push_back({"injective", "yes"});
  }
  addCanonical(s, shared.has_value(), generation, facts);
  facts.push_back({"accesses of " + text(bytes) + " bytes down a column", conflicts(s, false, bytes, true)});
  facts.push_back({"along a row", conflicts(s, true, bytes, true)});
  if (s.layout.swizzle.bits != 0) {
    facts.push_back({"without the swizzle, down a column", conflicts(s, false, bytes, false)});
    facts.push_back({"without the swizzle, along a row", conflicts(s, true, bytes, false)});
  }
  return facts;
}

std::vector<std::string> explain(const Subject& s, uint32_t row, uint32_t column) {
  std::vector<std::string> steps;
  int64_t rest = s.coordinate(row, column);
  int64_t index = 0;
  std::string sum;
  steps.push_back(pairOf(row, column) + " is coordinate " + std::to_string(rest) + " of " +
                  print(s.layout.layout));
  for (const cute::Mode& mode : s.layout.layout.modes()) {
    const int64_t digit = rest % mode.extent;
    rest /= mode.extent;
    index += digit * mode.stride;
    sum += (sum.empty() ? "" : " + ") + std::to_string(digit) + " * " + std::to_string(mode.stride);
  }
  steps.push_back("digit * stride: " + sum + " = index " + std::to_string(index));
  const uint64_t plain = static_cast<uint64_t>(index) * s.bits / 8;
  steps.push_back("* " + text(s.bits) + " bits = byte " + text(plain));
  const Swizzle& w = s.layout.swizzle;
  if (w.bits != 0) {
    const uint64_t read = plain >> (w.base + w.shift) & ((uint64_t{1} << w.bits) - 1);
    steps.push_back("swizzle: bits " + text(w.base + w.shift) + " to " + text(w.base + w.shift + w.bits - 1) +
                    " are " + text(read) + ", onto bits " + text(w.base) + " to " +
                    text(w.base + w.bits - 1) + ": byte " + text(w(plain)));
  }
  steps.push_back("bank " + text(s.byte(row, column) / kBankBytes % kBanks));
  return steps;
}

// Shows which of up to 32 work-items that read along rows or columns reads each element.
void addReaders(const Subject& s, bool alongRows, uint32_t bytes, Document& document) {
  Grid& grid = document.grid.emplace();
  Walk walk = walkOf(s, alongRows, bytes);
  if (!whyNoAccess(s, walk, bytes, s.layout.swizzle).empty()) walk.starts.clear();
  grid.title = "which of " + text(walk.starts.size()) + " work-items reads each element of " +
               print(s.layout) + ", " + text(bytes) + " bytes at once";
  grid.corner = "row\\column";
  grid.rows = s.rows;
  grid.columns = s.columns;
  grid.cells.assign(size_t{s.rows} * s.columns, {".", -1});
  for (size_t i = 0; i < walk.starts.size(); ++i) {
    const auto [row, column] = walk.starts[i];
    for (uint32_t r = row; r < row + walk.rowStep(); ++r) {
      for (uint32_t c = column; c < column + walk.columnStep(); ++c)
        grid.cells[size_t{r} * s.columns + c] = {text(i), static_cast<int64_t>(i)};
    }
  }
}

void addTable(const Subject& s, uint32_t table, Document& document) {
  Grid& grid = document.grid.emplace();
  grid.title = std::string(kTables[table]) + " of each element of " + print(s.layout) +
               "; colors: groups of 16 bytes in 128";
  grid.corner = "row\\column";
  grid.rows = s.rows;
  grid.columns = s.columns;
  for (uint32_t row = 0; row < s.rows; ++row) {
    for (uint32_t column = 0; column < s.columns; ++column) {
      const uint64_t byte = s.byte(row, column);
      const uint64_t shown = table == kByte ? byte
                             : table == kIndex
                                 ? static_cast<uint64_t>(s.layout.layout(s.coordinate(row, column)))
                                 : byte / kBankBytes % kBanks;
      grid.cells.push_back({text(shown), static_cast<int64_t>(byte / 16 % 8)});
    }
  }
}

// Shows lines of 128 bytes, with the elements that start in them.
void addMemory(Arguments& arguments, const Subject& s, Document& document) {
  MemoryTable table;
  // The unit is an element if all elements start at multiples of their size and a line has a whole number of
  // elements.
  uint32_t unit = std::max(1u, s.bits / 8);
  if (s.bits % 8 != 0 || kBankBytes * kBanks % unit != 0) unit = 1;
  for (uint32_t row = 0; row < s.rows; ++row) {
    for (uint32_t column = 0; column < s.columns; ++column) {
      table.elements.push_back({s.byte(row, column), row, column});
      if (table.elements.back().at % unit != 0) unit = 1;
    }
  }
  for (Placed& element : table.elements) element.at /= unit;
  table.title = "row,column of the elements of " + print(s.layout) + " that start at each byte (.: none)";
  table.corner = "line\\byte";
  table.perLine = kBankBytes * kBanks / unit;
  table.scale = unit;
  addMemoryTable(arguments, std::move(table), document);
}

std::optional<Subject> subjectOf(Arguments& arguments) {
  const uint32_t bytes = componentBytes(arguments, 2);
  Subject s;
  s.bits = number32(arguments, "--bits", 8 * bytes);
  if (!arguments.error().empty()) return std::nullopt;
  if (s.bits == 0 || s.bits > 1024) {
    arguments.refuse(Condition::ElementBits, "an element has " + text(s.bits) + " bits");
    return std::nullopt;
  }
  const size_t layouts = arguments.operands().size();
  if (layouts > (arguments.has("--canonical") ? 0 : 1))
    arguments.fail("'" + arguments.operands().back() + "' is one layout too many");
  std::optional<cute::SwizzledLayout> layout;
  if (arguments.has("--canonical")) {
    s.given = canonicalFrom(arguments, s.bits);
    if (s.given) layout = *canonicalLayout(*s.given);
  } else if (layouts == 1) {
    layout = readLayout(arguments, arguments.operands()[0]);
  } else {
    arguments.fail("one layout in CuTe's notation is needed, or --canonical or --descriptor");
  }
  if (!layout) return std::nullopt;
  s.layout = *std::move(layout);
  if (arguments.has("--no-swizzle")) s.layout.swizzle = Swizzle{};
  const cute::SwizzledLayout made = s.layout;
  applyAlgebra(arguments, s.layout);
  if (!(s.layout.layout == made.layout) || arguments.has("--no-swizzle")) s.given.reset();
  if (!arguments.error().empty()) return std::nullopt;
  // The first mode is the rows; the others are the columns.
  const auto rows = static_cast<uint64_t>(s.layout.layout.mode(0).size());
  const uint64_t columns = static_cast<uint64_t>(s.layout.layout.size()) / rows;
  checkCells(arguments, rows, columns);
  if (!arguments.error().empty()) return std::nullopt;
  s.rows = static_cast<uint32_t>(rows);
  s.columns = static_cast<uint32_t>(columns);
  return s;
}

// Answers which address an element has.
void askElement(Arguments& arguments, const Subject& s, Document& document) {
  const std::vector<int64_t> element = *arguments.numbers("--element", 2);
  if (element[0] < 0 || element[0] >= s.rows || element[1] < 0 || element[1] >= s.columns) {
    return arguments.refuse(Condition::OutsideColumns, "element (" + std::to_string(element[0]) + ", " +
                                                           std::to_string(element[1]) +
                                                           ") is not in the layout's " + text(s.rows) +
                                                           " rows and " + text(s.columns) + " columns");
  }
  const auto row = static_cast<uint32_t>(element[0]);
  const auto column = static_cast<uint32_t>(element[1]);
  document.facts = {{"element", pairOf(row, column)},
                    {"index", std::to_string(s.layout.layout(s.coordinate(row, column)))},
                    {"byte", text(s.byte(row, column))},
                    {"bank", text(s.byte(row, column) / kBankBytes % kBanks)}};
  if (arguments.has("--explain")) document.steps = explain(s, row, column);
}

// Answers which elements are at an address.
void askAddress(Arguments& arguments, const Subject& s, Document& document) {
  const uint64_t address = arguments.number("--address", 0);
  uint32_t count = 0;
  for (uint32_t row = 0; row < s.rows; ++row) {
    for (uint32_t column = 0; column < s.columns; ++column) {
      if (s.byte(row, column) != address) continue;
      document.facts.push_back({"element " + text(++count), pairOf(row, column)});
      if (!arguments.has("--explain")) continue;
      for (std::string& step : explain(s, row, column)) document.steps.push_back(std::move(step));
    }
  }
  document.facts.push_back({"elements", text(count)});
}

Document runSmem(Arguments& arguments) {
  if (arguments.has("--descriptor")) return decodeDescriptor(arguments);
  Document document;
  constexpr std::string_view kWays[] = {"column", "row"};
  const uint32_t table = arguments.choice("--table", kTables, kByte);
  const bool alongRows = arguments.choice("--along", kWays, 0) == 1;
  if (arguments.has("--along") && table != kReader)
    arguments.fail("--along has an effect only with --table reader");
  if (!arguments.has("--details") && table != kReader) checkFactsShown(arguments, "--access");
  if (!arguments.has("--details")) checkFactsShown(arguments, "--generation");
  const Generation generation = generationOf(arguments);
  const uint32_t bytes = number32(arguments, "--access", 16);
  if (const Answer<BankReport> report = bankConflicts({}, bytes); !report) arguments.refuse(report.broken());
  arguments.numbers("--element", 2);
  arguments.number("--address", 0);
  if (!arguments.error().empty()) return document;
  const std::optional<Subject> made = subjectOf(arguments);
  if (!made || !arguments.error().empty()) return document;
  const Subject& s = *made;
  if (arguments.has("--element")) {
    askElement(arguments, s, document);
  } else if (arguments.has("--address")) {
    askAddress(arguments, s, document);
  } else {
    document.facts = details(s, bytes, generation);
    if (arguments.has("--details")) return document;
    if (table == kReader) {
      addReaders(s, alongRows, bytes, document);
    } else if (table == kMemory) {
      addMemory(arguments, s, document);
    } else {
      addTable(s, table, document);
    }
  }
  return document;
}

constexpr Example kExamples[] = {
    {"cooplayout smem '(64,64):(64,1)' --details", "64 x 64 halves by rows: are there bank conflicts?"},
    {"cooplayout smem '(64,64):(72,1)' --details", "and with 16 bytes of padding after each row?"},
    {"cooplayout smem --canonical k,128 --type bf16 --k 4 --details",
     "the layout of a matrix instruction's operand, and its byte offsets"},
    {"cooplayout smem 'Swizzle<3,4,3> o (8,64):(64,1)' --element 3,9 --explain",
     "where does a swizzle put (3, 9)?"},
    {"cooplayout smem --descriptor 0x4000404000010000", "what does a descriptor say?"},
};

}  // namespace

const Command kSmemCommand = {
    "smem",
    "a matrix in shared memory: CuTe's notation, canonical layouts, descriptors, banks",
    "LAYOUT|--canonical MAJOR,SWIZZLE|--descriptor BITS [option ...]",
    kOptions,
    kTogether,
    kExamples,
    runSmem};

}  // namespace coopc::cooplayout
