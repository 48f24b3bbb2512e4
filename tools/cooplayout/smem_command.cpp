// cooplayout smem: matrices in shared memory in CuTe's notation, canonical layouts, descriptors, bank conflicts.
#include <algorithm>

#include "layout/banks.hpp"
#include "layout/descriptor.hpp"
#include "layout/notation.hpp"
#include "tools/cooplayout/commands.hpp"
#include "tools/cooplayout/tensor_program.hpp"

namespace coopc::cooplayout {
namespace {

using namespace layout;

constexpr Option kOptions[] = {
    {"--type", Form::Value, "TYPE", "the element's type, GLSL's name or f16, tf32, u8 ... (default f16)"},
    {"--bits", Form::Value, "N", "the element's size instead of its type"},
    {"--canonical", Form::Value, "MAJOR,SWIZZLE",
     "instead of a layout: k or mn, and 0, 32, 64 or 128 bytes; with:"},
    {"--m", Form::Value, "N", "repeating patterns across rows (default 1)"},
    {"--k", Form::Value, "N", "repeating patterns across columns (default 1)"},
    {"--lbo", Form::Value, "BYTES", "leading dimension byte offset (default: packed)"},
    {"--sbo", Form::Value, "BYTES", "stride dimension byte offset (default: packed)"},
    {"--descriptor", Form::Value, "BITS", "decodes a descriptor of 64 bits"},
    {"--instruction", Form::Value, "BITS",
     "with --descriptor: the instruction descriptor, for the restrictions"},
    {"--compose", Form::Value, "LAYOUT", "the layout o LAYOUT; likewise:"},
    {"--divide", Form::Value, "LAYOUT", "the layout divided into tiles LAYOUT"},
    {"--product", Form::Value, "LAYOUT", "the layout repeated by LAYOUT"},
    {"--complement", Form::Value, "SIZE", "the layout that completes this one to SIZE addresses"},
    {"--inverse", Form::Switch, "", "the layout that undoes this one"},
    {"--coalesce", Form::Switch, "", "the same layout with as few modes as possible"},
    {"--element", Form::Value, "R,C", "where an element is"},
    {"--address", Form::Value, "BYTE", "which elements start at a byte"},
    {"--explain", Form::Switch, "", "with --element: the derivation, step by step"},
    {"--no-swizzle", Form::Switch, "", "without the swizzle, for the picture beside"},
    {"--table", Form::Value, "NAME",
     "byte (default), index (in elements), bank, or reader: which of 32 work-items reads it, down a column"},
    {"--along", Form::Value, "NAME", "with --table reader: column (default), or row"},
    {"--access", Form::Value, "BYTES", "bank conflicts of accesses of 4, 8 or 16 bytes (default 16)"},
};

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

Document decoded(Arguments& arguments) {
  Document document;
  const uint64_t bits = arguments.number("--descriptor", 0);
  const Answer<SharedMemoryDescriptor> made = decode(bits);
  if (!made) {
    arguments.fail(described(made.broken()));
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
  const auto instruction = static_cast<uint32_t>(arguments.number("--instruction", 0));
  if (const std::optional<Broken> broken = restrictionBroken(d, instruction))
    document.facts.push_back({"restriction", described(*broken)});
  return document;
}

struct Subject {
  cute::SwizzledLayout layout;
  uint32_t bits = 16;
  uint32_t rows = 0;
  uint32_t columns = 0;

  int64_t coordinate(uint32_t row, uint32_t column) const { return int64_t{row} + int64_t{column} * rows; }
  uint64_t byte(uint32_t row, uint32_t column) const {
    return layout.byteAddress(coordinate(row, column), bits);
  }
};

std::optional<cute::SwizzledLayout> canonicalFrom(Arguments& arguments, uint32_t bits) {
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
  Canonical c = packed({major == "k" ? Major::K : Major::MN, found->second, bits,
                        static_cast<uint32_t>(arguments.number("--m", 1)),
                        static_cast<uint32_t>(arguments.number("--k", 1)), 0, 0});
  c.leadingBytes = arguments.number("--lbo", c.leadingBytes);
  c.strideBytes = arguments.number("--sbo", c.strideBytes);
  Answer<cute::SwizzledLayout> layout = canonicalLayout(c);
  if (!layout) {
    arguments.fail(described(layout.broken()));
    return std::nullopt;
  }
  return *std::move(layout);
}

std::optional<cute::SwizzledLayout> parsed(Arguments& arguments, const std::string& notation) {
  Answer<cute::SwizzledLayout> layout = parseLayout(notation);
  if (!layout) {
    arguments.fail(described(layout.broken()));
    return std::nullopt;
  }
  return *std::move(layout);
}

// The operation that the options ask for; nothing where they ask for none.
std::optional<Answer<cute::Layout>> algebra(Arguments& arguments, const cute::Layout& a) {
  using Operation = Answer<cute::Layout> (*)(const cute::Layout&, const cute::Layout&);
  constexpr std::pair<const char*, Operation> kBinary[] = {
      {"--compose", cute::compose}, {"--divide", cute::divide}, {"--product", cute::product}};
  for (const auto& [name, operation] : kBinary) {
    if (!arguments.has(name)) continue;
    const auto b = parsed(arguments, *arguments.text(name));
    if (!b) return Answer<cute::Layout>(Rule::Syntax);
    return operation(a, b->layout);
  }
  if (arguments.has("--complement"))
    return cute::complement(
        a, static_cast<int64_t>(std::min<uint64_t>(arguments.number("--complement", 1), cute::kMaxSize + 1)));
  if (arguments.has("--inverse")) return cute::inverse(a);
  if (arguments.has("--coalesce")) return Answer<cute::Layout>(cute::coalesce(a));
  return std::nullopt;
}

// 32 work-items walk along rows or columns, `bytes` each, from the first element on; the other index goes on where a walk ends.
struct Walk {
  // Of an access, in elements: one of the two is 1.
  uint32_t rowStep = 1;
  uint32_t columnStep = 1;
  std::vector<std::pair<uint32_t, uint32_t>> starts;  // row and column of each work-item's first element
};
Walk walkOf(const Subject& s, bool alongRows, uint32_t bytes) {
  const uint32_t elements = std::max(1u, bytes * 8 / s.bits);
  // A step takes the elements that lie together in memory.
  const bool together = s.rows > 1 && s.layout.layout(1) == 1;
  Walk walk;
  (together ? walk.rowStep : walk.columnStep) = elements;
  const uint32_t rowCount = std::max(1u, s.rows / walk.rowStep);
  const uint32_t columnCount = std::max(1u, s.columns / walk.columnStep);
  for (uint32_t i = 0; i < 32 && i < rowCount * columnCount; ++i) {
    walk.starts.emplace_back((alongRows ? i / columnCount : i % rowCount) * walk.rowStep,
                             (alongRows ? i % columnCount : i / rowCount) * walk.columnStep);
  }
  return walk;
}

std::string conflicts(const Subject& s, bool alongRows, uint32_t bytes, bool swizzled) {
  std::vector<uint64_t> addresses;
  for (const auto& [row, column] : walkOf(s, alongRows, bytes).starts) {
    const uint64_t plain = static_cast<uint64_t>(s.layout.layout(s.coordinate(row, column))) * s.bits / 8;
    addresses.push_back(swizzled ? s.layout.swizzle(plain) : plain);
  }
  const Answer<BankReport> report = bankConflicts(addresses, bytes);
  if (!report) return described(report.broken());
  return text(report->passes) + " passes, " + text(report->parts) + " without conflicts";
}

std::vector<Fact> details(const Subject& s, uint32_t bytes) {
  std::vector<Fact> facts = {
      {"layout", print(s.layout)},
      {"elements", text(s.rows) + " x " + text(s.columns) + " of " + text(s.bits) + " bits"}};
  if (const std::optional<Broken> shared = cute::whyNotInjective(s.layout.layout)) {
    facts.push_back({"injective", "no: " + described(*shared)});
    if (const Answer<int64_t> distinct = cute::distinctAddresses(s.layout.layout))
      facts.push_back({"different addresses", text(static_cast<uint64_t>(*distinct))});
  } else {
    facts.push_back({"injective", "yes"});
  }
  const Answer<Canonical> c = canonicalOf(s.layout, s.bits);
  if (!c) {
    facts.push_back({"canonical", "no: " + described(c.broken())});
  } else {
    facts.push_back({"canonical", std::string(c->major == Major::K ? "K-major" : "MN-major") + ", swizzle " +
                                      swizzleName(c->mode) + ": " +
                                      std::string(canonicalText(c->major, c->mode))});
    facts.push_back({"T, m, k", text(c->elementsPerChunk()) + ", " + text(c->m) + ", " + text(c->k)});
    const std::string leading(leadingOffsetMeaning(c->major, c->mode));
    facts.push_back({"LBO", c->usesLeadingOffset() ? text(c->leadingBytes) + " bytes, encoded " +
                                                         text(c->leadingBytes >> 4) + ": " + leading
                                                   : leading});
    facts.push_back({"SBO", text(c->strideBytes) + " bytes, encoded " + text(c->strideBytes >> 4) + ": " +
                                std::string(strideOffsetMeaning(c->major, c->mode))});
    if (const Answer<uint64_t> bits = encode(descriptorOf(*c, 0)))
      facts.push_back({"descriptor at address 0", hex(*bits)});
  }
  facts.push_back(
      {"32 accesses of " + text(bytes) + " bytes down a column", conflicts(s, false, bytes, true)});
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

// Who reads each element, of 32 work-items that walk along rows or columns.
void addReaders(const Subject& s, bool alongRows, uint32_t bytes, Document& document) {
  Grid& grid = document.grid.emplace();
  grid.title = "which of 32 work-items reads each element of " + print(s.layout) + ", " + text(bytes) +
               " bytes at once";
  grid.corner = "row\\column";
  grid.rows = s.rows;
  grid.columns = s.columns;
  grid.cells.assign(size_t{s.rows} * s.columns, {".", -1});
  const Walk walk = walkOf(s, alongRows, bytes);
  for (size_t i = 0; i < walk.starts.size(); ++i) {
    const auto [row, column] = walk.starts[i];
    for (uint32_t r = row; r < std::min(s.rows, row + walk.rowStep); ++r) {
      for (uint32_t c = column; c < std::min(s.columns, column + walk.columnStep); ++c)
        grid.cells[size_t{r} * s.columns + c] = {text(i), static_cast<int64_t>(i)};
    }
  }
}

void addTable(const Subject& s, uint32_t table, Document& document) {
  Grid& grid = document.grid.emplace();
  constexpr const char* kTitles[] = {"byte", "index", "bank"};
  grid.title = std::string(kTitles[table]) + " of each element of " + print(s.layout) +
               "; colours: groups of 16 bytes in 128";
  grid.corner = "row\\column";
  grid.rows = s.rows;
  grid.columns = s.columns;
  for (uint32_t row = 0; row < s.rows; ++row) {
    for (uint32_t column = 0; column < s.columns; ++column) {
      const uint64_t byte = s.byte(row, column);
      const uint64_t shown = table == 0   ? byte
                             : table == 1 ? static_cast<uint64_t>(s.layout.layout(s.coordinate(row, column)))
                                          : byte / kBankBytes % kBanks;
      grid.cells.push_back({text(shown), static_cast<int64_t>(byte / 16 % 8)});
    }
  }
}

std::optional<Subject> subjectOf(Arguments& arguments) {
  const uint32_t bytes = componentBytes(arguments, 2);
  Subject s;
  s.bits = static_cast<uint32_t>(std::min<uint64_t>(arguments.number("--bits", uint64_t{8} * bytes), 1024));
  if (s.bits == 0) arguments.fail("elements of 0 bits");
  if (!arguments.error().empty()) return std::nullopt;
  std::optional<cute::SwizzledLayout> layout;
  if (arguments.has("--canonical")) {
    layout = canonicalFrom(arguments, s.bits);
  } else if (arguments.operands().size() == 1) {
    layout = parsed(arguments, arguments.operands()[0]);
  } else {
    arguments.fail("one layout in CuTe's notation is needed, or --canonical or --descriptor");
  }
  if (!layout) return std::nullopt;
  s.layout = *std::move(layout);
  if (arguments.has("--no-swizzle")) s.layout.swizzle = Swizzle{};
  if (const auto result = algebra(arguments, s.layout.layout)) {
    if (!*result) {
      arguments.fail(described(result->broken()));
      return std::nullopt;
    }
    s.layout = {Swizzle{}, **result};
  }
  if (s.layout.layout.size() > static_cast<int64_t>(kMaxCells)) {
    arguments.fail("the layout has more than " + text(kMaxCells) + " elements");
    return std::nullopt;
  }
  // The first mode is rows; what is left is columns.
  s.rows = static_cast<uint32_t>(s.layout.layout.mode(0).size());
  s.columns = static_cast<uint32_t>(s.layout.layout.size()) / s.rows;
  return s;
}

Document runSmem(Arguments& arguments) {
  if (arguments.has("--descriptor")) return decoded(arguments);
  Document document;
  constexpr std::string_view kTables[] = {"byte", "index", "bank", "reader"};
  constexpr std::string_view kWays[] = {"column", "row"};
  const uint32_t table = arguments.choice("--table", kTables, 0);
  const bool alongRows = arguments.choice("--along", kWays, 0) == 1;
  const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(arguments.number("--access", 16), 1024));
  const auto element = arguments.numbers("--element", 2);
  const std::optional<Subject> made = subjectOf(arguments);
  if (!made || !arguments.error().empty()) return document;
  const Subject& s = *made;
  if (element) {
    const int64_t row = (*element)[0];
    const int64_t column = (*element)[1];
    if (row < 0 || row >= s.rows || column < 0 || column >= s.columns) {
      arguments.fail(described({Rule::OutsideLayout, {row + column * s.rows, s.layout.layout.size()}}));
      return document;
    }
    const auto r = static_cast<uint32_t>(row);
    const auto c = static_cast<uint32_t>(column);
    document.facts = {{"element", pairOf(r, c)},
                      {"index", std::to_string(s.layout.layout(s.coordinate(r, c)))},
                      {"byte", text(s.byte(r, c))},
                      {"bank", text(s.byte(r, c) / kBankBytes % kBanks)}};
    if (arguments.has("--explain")) document.steps = explain(s, r, c);
    return document;
  }
  if (arguments.has("--address")) {
    const uint64_t address = arguments.number("--address", 0);
    uint32_t count = 0;
    for (uint32_t row = 0; row < s.rows; ++row) {
      for (uint32_t column = 0; column < s.columns; ++column) {
        if (s.byte(row, column) == address)
          document.facts.push_back({"element " + text(++count), pairOf(row, column)});
      }
    }
    document.facts.push_back({"elements", text(count)});
    return document;
  }
  document.facts = details(s, bytes);
  if (table == 3) {
    addReaders(s, alongRows, bytes, document);
  } else {
    addTable(s, table, document);
  }
  return document;
}

}  // namespace

const Command kSmemCommand = {
    "smem", "a matrix in shared memory: CuTe's notation, canonical layouts, descriptors, banks",
    "LAYOUT|--canonical MAJOR,SWIZZLE|--descriptor BITS [option ...]", kOptions, runSmem};

}  // namespace coopc::cooplayout
