// Look-ups in the tables of the SPIR-V grammar (grammar/tables.inc, which grammar/generate.cpp writes).
#include "spirv/grammar.hpp"

#include <algorithm>
#include <iterator>

#include "spirv/enums_supplement.hpp"
#include "spirv/grammar_names.hpp"

namespace coopc::spirv {
namespace {

// Rows that grammar_names.hpp looks up.
struct EnumerantAlias {
  OperandKind kind;
  uint32_t value;
  uint32_t nameAt;
};
struct ExtInstName {
  uint32_t number;
  uint32_t nameAt;
};
struct ExtInstSet {
  uint32_t nameAt;  // what OpExtInstImport calls it; a version may follow
  GrammarList nameList;
};

#include "spirv/grammar/tables.inc"

template <class Row>
const Row* findByValue(const Row* first, size_t count, uint32_t value, uint32_t Row::*key) {
  const Row* end = first + count;
  const Row* it =
      std::lower_bound(first, end, value, [key](const Row& row, uint32_t v) { return row.*key < v; });
  return it != end && it->*key == value ? it : nullptr;
}

// Whether an operand has ids, itself or as parameters of an enumerant.
constexpr bool hasIds(OperandKind kind) {
  if (isIdKind(kind)) return true;
  if (kind >= OperandKind::LiteralSpecConstantOpInteger && kind <= OperandKind::PairIdRefIdRef) return true;
  const GrammarList enumerants = kKinds[size_t(kind)].enumerantList;
  for (size_t e = enumerants.at; e < enumerants.at + enumerants.count; ++e) {
    const GrammarList parameters = kEnumerants[e].parameterList;
    for (size_t p = parameters.at; p < parameters.at + parameters.count; ++p)
      if (isIdKind(kOperands[p].kind)) return true;
  }
  return false;
}

constexpr IdOperands idOperandsOf(const OpInfo& info) {
  IdOperands result;
  const OperandInfo* at = kOperands + info.operandList.at;
  const OperandInfo* end = at + info.operandList.count;
  while (at != end && at->kind <= OperandKind::IdResult) ++at;
  if (info.onlyIds()) return {IdOperands::kAll, IdOperands::Rest::Ids};
  for (; at != end && isIdKind(at->kind) && at->quantifier == Quantifier::One; ++at) ++result.ids;
  result.rest = IdOperands::Rest::Literals;
  for (; at != end; ++at)
    if (hasIds(at->kind)) result.rest = IdOperands::Rest::Grammar;
  return result;
}

constexpr CoreIdOperands makeCoreIdOperands() {
  CoreIdOperands table{};
  for (const OpInfo& info : kOps)
    if (info.opcode < table.size()) table[info.opcode] = idOperandsOf(info);
  // Their parameters are literals; OpDecorateId has those that are ids.
  for (const spv::Op op : {spv::Op::OpDecorate, spv::Op::OpMemberDecorate})
    table[uint32_t(op)].rest = IdOperands::Rest::Literals;
  // The selector's type gives the width of the literals: it is looked up before a walk may replace the
  // selector.
  table[uint32_t(spv::Op::OpSwitch)].ids = 0;
  return table;
}

}  // namespace

constinit const CoreIdOperands kCoreIdOperands = makeCoreIdOperands();

constinit const OpTable kOpTable = {kOpIndex, std::size(kOpIndex), kOps};

std::string_view opName(uint32_t opcode) {
  const OpInfo* info = opInfo(opcode);
  return info == nullptr ? std::string_view("Op?") : name(*info);
}

const EnumerantInfo* enumerantInfo(OperandKind kind, uint32_t value) {
  if (size_t(kind) >= std::size(kKinds)) return nullptr;
  const GrammarList list = kKinds[size_t(kind)].enumerantList;
  const EnumerantInfo* first = kEnumerants + list.at;
  if (value >= 64 || list.count == 0) return findByValue(first, list.count, value, &EnumerantInfo::value);
  // Small values have few gaps, so each is at its own index or shortly before it.
  const EnumerantInfo* at = first + std::min<uint32_t>(value, list.count - 1u);
  while (at != first && at->value > value) --at;
  return at->value == value ? at : nullptr;
}

std::string_view enumerantName(OperandKind kind, uint32_t value) {
  const EnumerantInfo* info = enumerantInfo(kind, value);
  return info == nullptr ? std::string_view() : name(*info);
}

std::string_view kindName(OperandKind kind) {
  return size_t(kind) < std::size(kKinds) ? grammarString(kKindNames[size_t(kind)]) : std::string_view();
}

bool isBitEnum(OperandKind kind) {
  return size_t(kind) < std::size(kKinds) && kKinds[size_t(kind)].category == 2;
}

bool isValueEnum(OperandKind kind) {
  return size_t(kind) < std::size(kKinds) && kKinds[size_t(kind)].category == 1;
}

std::string_view neededExtension(uint16_t rowVersion, GrammarList extensions, uint32_t version,
                                 std::string_view vendor) {
  if (extensions.count == 0 || uint32_t{rowVersion} << 8 <= version) return {};
  for (const std::string_view wanted : {vendor, std::string_view("KHR")}) {
    if (wanted.empty() || extensions.count == 1) continue;
    for (const uint32_t at : grammarExtensions(extensions)) {
      const std::string_view name = extensionName(at);
      const size_t prefix = std::string_view("SPV_").size();
      if (name.substr(prefix, wanted.size()) == wanted && name.substr(prefix + wanted.size(), 1) == "_")
        return name;
    }
  }
  return extensionName(grammarExtensions(extensions)[0]);
}

const ExtInstInfo* glslStd450Info(uint32_t number) {
  return findByValue(kGlslStd450, std::size(kGlslStd450), number, &ExtInstInfo::number);
}

std::span<const OpAlias> opAliases() { return kOpAliases; }

std::optional<uint32_t> enumerantValue(OperandKind kind, std::string_view name) {
  if (size_t(kind) >= std::size(kKinds)) return std::nullopt;
  const GrammarList list = kKinds[size_t(kind)].enumerantList;
  for (const EnumerantInfo& row : std::span(kEnumerants + list.at, list.count))
    if (spirv::name(row) == name) return row.value;
  for (const EnumerantAlias& row : kEnumerantAliases)
    if (row.kind == kind && grammarString(row.nameAt) == name) return row.value;
  return std::nullopt;
}

std::string_view capabilityName(uint32_t capability) {
  return enumerantName(OperandKind::Capability, capability);
}

std::optional<uint32_t> extInstNumber(std::string_view set, std::string_view name) {
  if (set == "GLSL.std.450") {
    for (const ExtInstInfo& row : kGlslStd450)
      if (grammarString(row.nameAt) == name) return row.number;
    return std::nullopt;
  }
  for (const ExtInstSet& known : kExtInstSets) {
    if (!set.starts_with(grammarString(known.nameAt))) continue;
    for (const ExtInstName& row : std::span(kExtInstNames + known.nameList.at, known.nameList.count))
      if (grammarString(row.nameAt) == name) return row.number;
  }
  return std::nullopt;
}

std::string_view name(const OpInfo& info) { return grammarString(kOpNames[&info - kOps]); }

std::string_view name(const EnumerantInfo& info) {
  return grammarString(kEnumerantNames[&info - kEnumerants]);
}

std::string_view grammarString(uint32_t nameAt) { return kNames + nameAt; }

std::string_view extensionName(uint32_t at) { return kExtensionNames + at; }

std::span<const OperandInfo> grammarOperands(GrammarList list) { return {kOperands + list.at, list.count}; }

std::span<const uint16_t> grammarCapabilities(GrammarList list) {
  return {kCapabilityLists + list.at, list.count};
}

std::span<const uint16_t> grammarExtensions(GrammarList list) {
  return {kExtensionLists + list.at, list.count};
}

uint32_t literalStringWords(const uint32_t* words, uint32_t available) {
  for (uint32_t i = 0; i < available; ++i) {
    const uint32_t w = words[i];
    // A zero byte anywhere in the word: the classic carry trick.
    if (((w - 0x01010101u) & ~w & 0x80808080u) != 0) return i + 1;
  }
  return 0;
}

}  // namespace coopc::spirv
