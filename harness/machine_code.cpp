// One reader per form. It takes a line and returns the instruction's name, or nothing for labels, headers and
// comments.
#include "harness/machine_code.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace coopc::harness {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view trim(std::string_view text) {
  const size_t start = text.find_first_not_of(kBlanks);
  if (start == std::string_view::npos) return {};
  return text.substr(start, text.find_last_not_of(kBlanks) - start + 1);
}

std::string_view firstWord(std::string_view text) { return text.substr(0, text.find_first_of(" \t;")); }

bool isLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool isUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

// A predicate stands before the instruction: "@!p0 bra".
std::string_view withoutPredicate(std::string_view text) {
  if (!text.starts_with('@')) return text;
  const size_t end = text.find_first_of(kBlanks);
  return end == std::string_view::npos ? std::string_view() : trim(text.substr(end));
}

// Instructions are indented; "BB0:" is not.
std::string acoName(std::string_view line) {
  if (!line.starts_with('\t')) return {};
  const std::string_view name = firstWord(trim(line));
  return !name.empty() && isLower(name[0]) ? std::string(name) : std::string();
}

// "block.u 2 L6 [1] -> {" and "} -> [2, 3]" frame the blocks.
std::string nakName(std::string_view line) {
  std::string_view text = trim(line.substr(0, line.find("//")));
  if (text.empty() || text.starts_with("block") || text.starts_with('}')) return {};
  text = withoutPredicate(text);
  if (const size_t equals = text.find(" = "); equals != std::string_view::npos)
    text = trim(text.substr(equals + 3));
  const std::string_view name = firstWord(text);
  return !name.empty() && isLower(name[0]) ? std::string(name) : std::string();
}

// The header consists of comments, "@" directives, and one line that begins in upper case. The last operand
// of loads and stores of memory is the number of components.
std::string ir3Name(std::string_view line) {
  std::string_view text = trim(line);
  if (!text.empty() && text.back() == ':') return {};
  while (text.starts_with('(')) {
    const size_t end = text.find(')');
    if (end == std::string_view::npos) return {};
    text = trim(text.substr(end + 1));
  }
  const std::string_view mnemonic = firstWord(text);
  if (mnemonic.empty() || !isLower(mnemonic[0])) return {};
  std::string name(mnemonic);
  constexpr std::array<std::string_view, 8> kMemory = {"ldl.", "stl.", "ldlw.", "stlw.",
                                                       "ldg.", "stg.", "ldp.",  "stp."};
  const bool memory = std::any_of(kMemory.begin(), kMemory.end(),
                                  [&](std::string_view prefix) { return name.starts_with(prefix); });
  const size_t comma = text.rfind(',');
  if (memory && comma != std::string_view::npos) name += " x" + std::string(trim(text.substr(comma + 1)));
  return name;
}

// "        /*0010*/              @!P0 LDG.E.128 R4, [R2.64] ;"
std::string nvdisasmName(std::string_view line) {
  const size_t start = line.find("/*");
  const size_t end = line.find("*/");
  if (start == std::string_view::npos || end == std::string_view::npos ||
      line.find(';') == std::string_view::npos)
    return {};
  const std::string_view name = firstWord(withoutPredicate(trim(line.substr(end + 2))));
  return !name.empty() && isUpper(name[0]) ? std::string(name) : std::string();
}

std::string nameIn(std::string_view line, AssemblyForm form) {
  switch (form) {
    case AssemblyForm::Aco: return acoName(line);
    case AssemblyForm::Nak: return nakName(line);
    case AssemblyForm::Ir3: return ir3Name(line);
    case AssemblyForm::Nvdisasm: return nvdisasmName(line);
  }
  return {};
}

// The number in decimal digits after the first `mark` in the text, or 0.
uint32_t numberAfter(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  if (at == std::string_view::npos) return 0;
  uint32_t number = 0;
  for (size_t i = at + mark.size(); i < text.size() && text[i] >= '0' && text[i] <= '9' && number < 10000;
       ++i)
    number = number * 10 + static_cast<uint32_t>(text[i] - '0');
  return number;
}

// ds_load_b128, ds_load_2addr_b32, ds_load_u16_d16_hi; ds_read_... and ds_read2_... before RDNA3.
uint32_t acoSharedBytes(std::string_view name) {
  const bool newer = name.starts_with("ds_load_");
  if (!newer && !name.starts_with("ds_read")) return 0;
  const bool two = name.starts_with("ds_load_2addr_") || name.starts_with("ds_read2");
  uint32_t bits = 0;
  for (const std::string_view mark : {"_b", "_u", "_i"}) bits = std::max(bits, numberAfter(name, mark));
  return bits / 8 * (two ? 2 : 1);
}

// ldsm.16.m8n8.x4 gives each invocation two halves of each of the four 8x8 matrices; lds.b128.
uint32_t nakSharedBytes(std::string_view name) {
  if (name.starts_with("ldsm.")) return 4 * std::max(numberAfter(name, ".x"), 1u);
  if (!name.starts_with("lds.")) return 0;
  uint32_t bits = 0;
  for (const std::string_view mark : {".b", ".u", ".s"}) bits = std::max(bits, numberAfter(name, mark));
  return bits / 8;
}

// "ldl.u16 x4"
uint32_t ir3SharedBytes(std::string_view name) {
  if (!name.starts_with("ldl.")) return 0;
  uint32_t bits = 0;
  for (const std::string_view mark : {".u", ".f", ".s"}) bits = std::max(bits, numberAfter(name, mark));
  return bits / 8 * numberAfter(name, " x");
}

// LDS.128, LDS.U16, LDS (32 bits), LDSM.16.M88.4
uint32_t nvdisasmSharedBytes(std::string_view name) {
  if (name.starts_with("LDSM.")) {
    const std::string_view last = name.substr(name.rfind('.') + 1);
    return last == "4" ? 16 : last == "2" ? 8 : 4;
  }
  if (name != "LDS" && !name.starts_with("LDS.")) return 0;
  for (const std::string_view mark : {".U", ".S"}) {
    if (const uint32_t bits = numberAfter(name, mark); bits == 8 || bits == 16) return bits / 8;
  }
  const uint32_t bits = numberAfter(name, ".");
  return bits == 64 || bits == 128 ? bits / 8 : 4;
}

}  // namespace

std::optional<AssemblyForm> assemblyForm(std::string_view representation) {
  if (representation == "Assembly") return AssemblyForm::Aco;
  if (representation == "NAK assembly") return AssemblyForm::Nak;
  if (representation == "IR3 Assembly") return AssemblyForm::Ir3;
  return std::nullopt;
}

std::vector<CountedInstruction> countInstructions(std::string_view text, AssemblyForm form) {
  std::map<std::string, size_t> counts;
  for (size_t start = 0; start < text.size();) {
    const size_t end = std::min(text.find('\n', start), text.size());
    if (std::string name = nameIn(text.substr(start, end - start), form); !name.empty()) ++counts[name];
    start = end + 1;
  }
  std::vector<CountedInstruction> order;
  for (const auto& [name, count] : counts) order.push_back({name, count});
  std::stable_sort(order.begin(), order.end(), [](const CountedInstruction& a, const CountedInstruction& b) {
    return a.count > b.count;
  });
  return order;
}

bool multipliesMatrices(std::string_view name, AssemblyForm form) {
  switch (form) {
    case AssemblyForm::Aco: return name.starts_with("v_wmma_") || name.starts_with("v_swmmac_");
    case AssemblyForm::Nak: return name.starts_with("hmma.") || name.starts_with("imma.");
    case AssemblyForm::Ir3: return false;  // no such instructions
    case AssemblyForm::Nvdisasm:
      return name.find("MMA.") != std::string_view::npos;  // HMMA, IMMA, DMMA, QMMA, HGMMA ...
  }
  return false;
}

uint32_t sharedLoadBytes(std::string_view name, AssemblyForm form) {
  switch (form) {
    case AssemblyForm::Aco: return acoSharedBytes(name);
    case AssemblyForm::Nak: return nakSharedBytes(name);
    case AssemblyForm::Ir3: return ir3SharedBytes(name);
    case AssemblyForm::Nvdisasm: return nvdisasmSharedBytes(name);
  }
  return 0;
}

}  // namespace coopc::harness
