// Makes the flat tables of built-ins out of the topic tables at compile time: rows chained by name, a pool of
// parameter patterns, the availability conditions without repetition, and one open-addressing hash table over
// the names of functions, variables, constants and types. Everything refers by index; nothing is initialized
// at run time.
#include <algorithm>
#include <span>

#include "frontend/language/builtins/functions.hpp"
#include "frontend/language/builtins/names.hpp"
#include "frontend/language/names.hpp"
#include "frontend/language/tables/arithmetic_types.hpp"
#include "frontend/language/tables/integer_dot.hpp"
#include "frontend/language/tables/math.hpp"
#include "frontend/language/tables/matrix.hpp"
#include "frontend/language/tables/memory.hpp"
#include "frontend/language/tables/subgroup.hpp"
#include "frontend/language/tables/symbols.hpp"
#include "frontend/language/tables/types.hpp"

namespace coopc::frontend {
namespace builtins {
namespace {

// The functions of extensions.def.
constexpr FnDef kExtensionFunctions[] = {
#define FUNCTION(name, text, operation, signature, scalars, sizes, flags, stages) \
  {text, BuiltinOp::operation, byExtension({ExtensionId::name}), signature, scalars, sizes, flags, stages},
#include "frontend/language/extensions.def"
};

constexpr std::span<const FnDef> kTopics[] = {
    kMathFunctions,           kMemoryFunctions,     kSparseFunctions, kSubgroupFunctions,
    kArithmeticTypeFunctions, kIntegerDotFunctions, kMatrixFunctions, kExtensionFunctions};

constexpr size_t countRows() {
  size_t n = 0;
  for (std::span<const FnDef> topic : kTopics) n += topic.size();
  return n;
}
constexpr size_t countParams() {
  size_t n = 0;
  for (std::span<const FnDef> topic : kTopics)
    for (const FnDef& d : topic) {
      for (char c : d.signature) n += c == ',' ? 1 : 0;
      if (d.signature.size() > 2 && d.signature.substr(d.signature.size() - 2) != "()") ++n;
    }
  return n;
}
constexpr size_t countChars() {
  size_t n = 0;
  for (std::span<const FnDef> topic : kTopics)
    for (const FnDef& d : topic) n += d.name.size();
  return n;
}

constexpr size_t kRows = countRows();
constexpr size_t kParams = countParams();
constexpr size_t kChars = countChars();
constexpr size_t kMaxAvailabilities = 96;
constexpr size_t kSymbolCount = std::size(kSymbols);
constexpr size_t kTypeCount = std::size(kTypeNames);
constexpr size_t kSlots = 4096;

// The contents of a hash slot: kind (2 bits), index (14 bits), the hash's upper half.
using SlotKind = BuiltinMeaning::Kind;
struct Slot {
  uint32_t bits = 0;
  static constexpr Slot make(SlotKind kind, size_t index, uint32_t hash) {
    return {static_cast<uint32_t>(kind) << 14 | static_cast<uint32_t>(index) | (hash & 0xFFFF0000u)};
  }
  constexpr SlotKind kind() const { return static_cast<SlotKind>((bits >> 14) & 3); }
  constexpr uint16_t index() const { return static_cast<uint16_t>(bits & 0x3FFF); }
  constexpr bool hashMatches(uint32_t hash) const { return (bits ^ hash) >> 16 == 0; }
};

struct FunctionName {
  uint16_t offset = 0;
  uint16_t firstRow = 0;
  uint8_t length = 0;
};

struct Tables {
  std::array<FnRow, kRows> rows{};
  std::array<ParamPattern, kParams> params{};
  std::array<Availability, kMaxAvailabilities> availabilities{};
  std::array<FunctionName, kRows> names{};
  std::array<char, kChars> chars{};
  uint16_t nameCount = 0;
  uint16_t availabilityCount = 0;

  constexpr std::string_view text(const FunctionName& n) const { return {chars.data() + n.offset, n.length}; }
};

constexpr Tables makeTables() {
  Tables t;
  std::array<Slot, kSlots> slots{};       // of the names so far
  std::array<uint16_t, kRows> lastRow{};  // by name
  size_t rows = 0, params = 0, chars = 0, latest = 0;
  for (std::span<const FnDef> topic : kTopics) {
    for (const FnDef& d : topic) {
      FnRow r{};
      r.op = d.op;
      r.flags = d.flags;
      r.sizes = d.sizes;
      r.scalars = d.scalars;
      r.stages = d.stages;
      r.next = kNoRow;
      r.firstParam = static_cast<uint16_t>(params);
      r.result = kVoidPattern;
      if (!d.signature.empty()) {
        SignatureReader reader{d.signature};
        r.result = reader.type();
        reader.expect('(');
        while (reader.peek() != ')') {
          if (params > r.firstParam) reader.expect(',');
          t.params[params++] = reader.param();
        }
        reader.expect(')');
        r.paramCount = static_cast<uint8_t>(params - r.firstParam);
      }
      // The rows of one extension are adjacent, so the latest condition is tried first: compilers limit the
      // steps of such a function.
      size_t a = latest;
      if (a >= t.availabilityCount || !(t.availabilities[a] == d.availability))
        for (a = 0; a < t.availabilityCount && !(t.availabilities[a] == d.availability);) ++a;
      latest = a;
      if (a == t.availabilityCount) t.availabilities[t.availabilityCount++] = d.availability;
      r.availability = static_cast<uint16_t>(a);

      const uint32_t hash = hashName(d.name);
      uint32_t slot = hash & (kSlots - 1);
      while (slots[slot].bits != 0 &&
             !(slots[slot].hashMatches(hash) && t.text(t.names[slots[slot].index()]) == d.name))
        slot = (slot + 1) & (kSlots - 1);
      if (slots[slot].bits == 0) {
        FunctionName n;
        n.offset = static_cast<uint16_t>(chars);
        n.length = static_cast<uint8_t>(d.name.size());
        n.firstRow = static_cast<uint16_t>(rows);
        for (char c : d.name) t.chars[chars++] = c;
        t.names[t.nameCount] = n;
        slots[slot] = Slot::make(SlotKind::Function, t.nameCount, hash);
        ++t.nameCount;
      } else {
        t.rows[lastRow[slots[slot].index()]].next = static_cast<uint16_t>(rows);
      }
      lastRow[slots[slot].index()] = static_cast<uint16_t>(rows);
      t.rows[rows++] = r;
    }
  }
  return t;
}

constexpr Tables kTables = makeTables();

constexpr std::string_view nameOf(SlotKind kind, size_t index) {
  switch (kind) {
    case SlotKind::Function: return kTables.text(kTables.names[index]);
    case SlotKind::Symbol: return kSymbols[index].name;
    default: return kTypeNames[index].name;
  }
}

constexpr void addSlots(std::array<Slot, kSlots>& slots, SlotKind kind, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t hash = hashName(nameOf(kind, i));
    uint32_t slot = hash & (kSlots - 1);
    while (slots[slot].bits != 0) slot = (slot + 1) & (kSlots - 1);
    slots[slot] = Slot::make(kind, i, hash);
  }
}
constexpr std::array<Slot, kSlots> makeSlots() {
  std::array<Slot, kSlots> slots{};
  addSlots(slots, SlotKind::Function, kTables.nameCount);
  addSlots(slots, SlotKind::Symbol, kSymbolCount);
  addSlots(slots, SlotKind::Type, kTypeCount);
  return slots;
}
constexpr std::array<Slot, kSlots> kSlotTable = makeSlots();

static_assert(kTables.nameCount + kSymbolCount + kTypeCount < kSlots / 2, "the hash table is too full");
static_assert(kRows < 0x3FFF && kChars < 0xFFFF);
static_assert(std::all_of(kTables.rows.begin(), kTables.rows.end(),
                          [](const FnRow& r) { return r.paramCount <= kMaxParams; }));

}  // namespace

const FnRow& row(uint16_t index) { return kTables.rows[index]; }
uint16_t rowCount() { return static_cast<uint16_t>(kRows); }
const ParamPattern* params(const FnRow& r) { return kTables.params.data() + r.firstParam; }
const Availability& availability(const FnRow& r) { return kTables.availabilities[r.availability]; }
uint16_t firstRow(uint16_t name) { return kTables.names[name].firstRow; }
std::string_view functionName(uint16_t name) { return kTables.text(kTables.names[name]); }
uint16_t functionNameCount() { return kTables.nameCount; }
uint16_t symbolCount() { return static_cast<uint16_t>(kSymbolCount); }
uint16_t typeNameCount() { return static_cast<uint16_t>(kTypeCount); }

}  // namespace builtins

BuiltinMeaning findBuiltin(std::string_view text, uint32_t hash) {
  using builtins::kSlots;
  for (uint32_t i = hash & (kSlots - 1);; i = (i + 1) & (kSlots - 1)) {
    const builtins::Slot s = builtins::kSlotTable[i];
    if (s.bits == 0) return {};
    if (s.hashMatches(hash) && builtins::nameOf(s.kind(), s.index()) == text) return {s.kind(), s.index()};
  }
}

const BuiltinSymbol& builtinSymbol(uint16_t index) { return builtins::kSymbols[index]; }

std::string_view builtinConstantName(std::string_view prefix, uint64_t value) {
  for (const BuiltinSymbol& symbol : builtins::kSymbols)
    if (symbol.constant && static_cast<uint64_t>(symbol.value) == value && symbol.name.starts_with(prefix))
      return symbol.name;
  return {};
}
const BuiltinTypeName& builtinTypeName(uint16_t index) { return builtins::kTypeNames[index]; }

}  // namespace coopc::frontend
