// Turns the SPIR-V grammar (JSON of SPIRV-Headers) into C++: tables (tables.inc), and a view of each
// instruction (instructions.inc). Both are checked in.
//
//   generate spirv.core.grammar.json extinst.glsl.std.450.grammar.json tables.inc instructions.inc
//   [SET=extinst.json...]
//
// Further instruction sets have the name that OpExtInstImport gives them. Only names and numbers of their
// instructions are kept: their operands are ids.
//
// In the tables everything is by offset into flat arrays, so that the tables are plain read-only data without
// relocations. Names are apart from the rows, and the names of extensions apart from those: programs that
// only write modules are linked without the other names. spirv/grammar.hpp explains the rows. Exit code 1
// with one line when a file cannot be read or written.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "instruction_views.hpp"

using nlohmann::json;

namespace {

struct List {
  size_t at = 0;
  size_t count = 0;
};

// Texts that end in NUL, each only once.
struct Texts {
  std::string all;
  std::map<std::string, size_t> known;
};
Texts names;
Texts extensionNames;
std::vector<size_t> rowNames;  // of the rows of the table that is being written
std::map<std::string, unsigned> kindIndex;
std::vector<std::string> kindNames;
std::vector<std::pair<unsigned, unsigned>> operands;  // kind, quantifier
std::vector<uint32_t> capabilities;
std::vector<size_t> extensions;
std::map<std::string, uint32_t> capabilityValue;

[[noreturn]] void fail(const std::string& message) {
  std::fprintf(stderr, "generate: %s\n", message.c_str());
  std::exit(1);
}

json load(const char* path) {
  std::ifstream file(path);
  if (!file) fail(std::string("cannot read ") + path);
  json result = json::parse(file, nullptr, false);
  if (result.is_discarded()) fail(std::string("not JSON: ") + path);
  return result;
}

size_t intern(const std::string& text, Texts& texts = names) {
  const auto [it, isNew] = texts.known.try_emplace(text, texts.all.size());
  if (isNew) {
    texts.all += text;
    texts.all += '\0';
  }
  return it->second;
}

unsigned kindOf(const std::string& name) {
  const auto [it, isNew] = kindIndex.try_emplace(name, unsigned(kindNames.size()));
  if (isNew) kindNames.push_back(name);
  return it->second;
}

uint32_t valueOf(const json& value) {
  if (value.is_number()) return value.get<uint32_t>();
  return uint32_t(std::stoul(value.get<std::string>(), nullptr, 0));
}

// 0x0103 for "1.3"; 0xFFFF if no core version has it.
unsigned versionOf(const json& row) {
  const std::string text = row.value("version", std::string("1.0"));
  if (text == "None") return 0xFFFF;
  const size_t dot = text.find('.');
  if (dot == std::string::npos) return 0x0100;
  return unsigned(std::stoul(text.substr(0, dot)) << 8 | std::stoul(text.substr(dot + 1)));
}

// Ends a list of the last entries of `all`: an equal sequence before them is used instead.
template <class Entry>
List finished(List list, std::vector<Entry>& all) {
  const auto from = all.begin() + static_cast<std::ptrdiff_t>(list.at);
  const auto found = std::search(all.begin(), from, from, all.end());
  if (found == from) return list;
  list.at = static_cast<size_t>(found - all.begin());
  all.erase(from, all.end());
  return list;
}

List addOperands(const json& row, const char* key) {
  List list{operands.size(), 0};
  if (!row.contains(key)) return list;
  for (const json& operand : row[key]) {
    const std::string quantifier = operand.value("quantifier", std::string());
    operands.emplace_back(kindOf(operand["kind"].get<std::string>()), quantifier == "?"   ? 1u
                                                                      : quantifier == "*" ? 2u
                                                                                          : 0u);
    ++list.count;
  }
  return finished(list, operands);
}

List addCapabilities(const json& row) {
  List list{capabilities.size(), 0};
  if (!row.contains("capabilities")) return list;
  for (const json& name : row["capabilities"]) {
    const auto it = capabilityValue.find(name.get<std::string>());
    if (it == capabilityValue.end()) continue;
    capabilities.push_back(it->second);
    ++list.count;
  }
  return finished(list, capabilities);
}

List addExtensions(const json& row) {
  List list{extensions.size(), 0};
  if (!row.contains("extensions")) return list;
  for (const json& name : row["extensions"]) {
    extensions.push_back(intern(name.get<std::string>(), extensionNames));
    ++list.count;
  }
  return finished(list, extensions);
}

struct Enumerant {
  uint32_t value;
  std::string name;
  const json* row;
};

void printList(std::FILE* out, const List& list) {
  std::fprintf(out, "{%zu, %zu}", list.count != 0 ? list.at : 0, list.count);
}

// The names of the rows that were written last.
void printRowNames(std::FILE* out, const char* table) {
  std::fprintf(out, "constexpr uint16_t %s[] = {", table);
  for (size_t i = 0; i < rowNames.size(); ++i)
    std::fprintf(out, "%s%zu,", i % 20 == 0 ? "\n" : "", rowNames[i]);
  std::fprintf(out, "};\n");
  rowNames.clear();
}

// The end of a row for an instruction or enumerant: its requirements.
void printNeeds(std::FILE* out, const json& row) {
  std::fprintf(out, ", ");
  printList(out, addCapabilities(row));
  std::fprintf(out, ", ");
  printList(out, addExtensions(row));
  std::fprintf(out, "},\n");
}

// Enumerants of extensions that coopc supports and the headers still lack.
void addNewerEnumerants(json& core) {
  const json capability = {{"enumerant", "BFloat16ArithmeticEXT"},
                           {"value", 6226},
                           {"capabilities", {"BFloat16TypeKHR"}},
                           {"extensions", {"SPV_EXT_bfloat16_arithmetic"}},
                           {"version", "None"}};
  for (json& kind : core["operand_kinds"]) {
    if (kind["kind"] != "Capability") continue;
    for (const json& row : kind["enumerants"])
      if (valueOf(row["value"]) == valueOf(capability["value"])) return;
    kind["enumerants"].push_back(capability);
  }
}

// Numbers the operand kinds, beginning with those of operand_kinds.inc, and records the value of each
// capability under all its names.
void readKinds(const json& core) {
#define X(name) kindOf(#name);
#include "operand_kinds.inc"
#undef X
  for (const json& kind : core["operand_kinds"]) {
    kindOf(kind["kind"].get<std::string>());
    if (kind["kind"] != "Capability") continue;
    for (const json& row : kind["enumerants"]) {
      capabilityValue[row["enumerant"].get<std::string>()] = valueOf(row["value"]);
      if (row.contains("aliases")) {
        for (const json& alias : row["aliases"]) {
          capabilityValue[alias.get<std::string>()] = valueOf(row["value"]);
        }
      }
    }
  }
}

// OpInfo::flags; see spirv/grammar.hpp.
unsigned flagsOf(const json& row, const List& ops) {
  const std::string opClass = row.value("class", std::string());
  unsigned flags = opClass == "Type-Declaration" ? 4 : 0;
  bool onlyIds = true;
  for (size_t i = 0; i < ops.count; ++i) {
    const unsigned kind = operands[ops.at + i].first;
    if (kind == kindIndex["IdResultType"]) flags |= 1;
    if (kind == kindIndex["IdResult"]) flags |= 2;
    if (kind > kindIndex["IdMemorySemantics"] && kind != kindIndex["PairIdRefIdRef"]) onlyIds = false;
  }
  if (onlyIds) flags |= 8;
  return flags;
}

// Older grammars repeat an opcode for each of its names: the first one counts.
std::map<uint32_t, const json*> byOpcode(const json& grammar) {
  std::map<uint32_t, const json*> rows;
  for (const json& row : grammar["instructions"]) rows.try_emplace(row["opcode"].get<uint32_t>(), &row);
  return rows;
}

void writeInstructions(std::FILE* out, const json& core) {
  std::fprintf(out, "constexpr OpInfo kOps[] = {\n");
  std::vector<unsigned> opIndex;
  unsigned index = 0;
  for (const auto& [opcode, row] : byOpcode(core)) {
    opIndex.resize(opcode + 1);
    opIndex[opcode] = ++index;
    const List ops = addOperands(*row, "operands");
    const unsigned flags = flagsOf(*row, ops);
    rowNames.push_back(intern((*row)["opname"].get<std::string>()));
    std::fprintf(out, "{%u, %u, 0x%04X, ", opcode, flags, versionOf(*row));
    printList(out, ops);
    printNeeds(out, *row);
  }
  std::fprintf(out, "};\n");
  printRowNames(out, "kOpNames");
  std::fprintf(out, "constexpr uint16_t kOpIndex[] = {");
  for (size_t i = 0; i < opIndex.size(); ++i) std::fprintf(out, "%s%u,", i % 40 == 0 ? "\n" : "", opIndex[i]);
  std::fprintf(out, "};\n");
}

// The enumerants of one kind, sorted by value, with the first name of each. Returns how many there are.
size_t writeEnumerants(std::FILE* out, const json& kind) {
  std::vector<Enumerant> rows;
  for (const json& row : kind["enumerants"]) {
    rows.push_back({valueOf(row["value"]), row["enumerant"].get<std::string>(), &row});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Enumerant& a, const Enumerant& b) { return a.value < b.value; });
  size_t count = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i > 0 && rows[i].value == rows[i - 1].value) continue;
    const json& row = *rows[i].row;
    const List parameters = addOperands(row, "parameters");
    rowNames.push_back(intern(rows[i].name));
    std::fprintf(out, "{0x%Xu, 0x%04X, ", rows[i].value, versionOf(row));
    printList(out, parameters);
    printNeeds(out, row);
    ++count;
  }
  return count;
}

void writeKinds(std::FILE* out, const json& core) {
  std::vector<std::string> kindRows(kindNames.size());
  std::vector<size_t> namesOfKinds(kindNames.size());
  std::fprintf(out, "constexpr EnumerantInfo kEnumerants[] = {\n");
  size_t first = 0;
  for (const json& kind : core["operand_kinds"]) {
    const std::string name = kind["kind"].get<std::string>();
    const std::string category = kind.value("category", std::string());
    if (category != "BitEnum" && category != "ValueEnum") continue;
    const size_t count = writeEnumerants(out, kind);
    char text[96];
    namesOfKinds[kindOf(name)] = intern(name);
    std::snprintf(text, sizeof text, "{%u, {%zu, %zu}},", category == "BitEnum" ? 2u : 1u, first, count);
    kindRows[kindOf(name)] = text;
    first += count;
  }
  std::fprintf(out, "};\n");
  printRowNames(out, "kEnumerantNames");
  std::fprintf(out, "constexpr KindInfo kKinds[] = {\n");
  for (size_t i = 0; i < kindNames.size(); ++i) {
    if (kindRows[i].empty()) {
      namesOfKinds[i] = intern(kindNames[i]);
      std::fprintf(out, "{0, {0, 0}},\n");
    } else {
      std::fprintf(out, "%s\n", kindRows[i].c_str());
    }
  }
  std::fprintf(out, "};\n");
  rowNames = namesOfKinds;
  printRowNames(out, "kKindNames");
}

void writeExtendedInstructions(std::FILE* out, const json& glsl) {
  std::fprintf(out, "constexpr ExtInstInfo kGlslStd450[] = {\n");
  for (const auto& [number, row] : byOpcode(glsl)) {
    const List ops = addOperands(*row, "operands");
    std::fprintf(out, "{%u, %zu, {%zu, %zu}},\n", number, intern((*row)["opname"].get<std::string>()), ops.at,
                 ops.count);
  }
  std::fprintf(out, "};\n");
}

// The other names of opcodes and enumerants: texts use them, the rows have the first one only.
void writeAliases(std::FILE* out, const json& core) {
  std::fprintf(out, "constexpr OpAlias kOpAliases[] = {\n");
  std::map<uint32_t, std::string> firstNames;
  const auto opAlias = [&](uint32_t opcode, const std::string& name) {
    if (firstNames[opcode] != name) std::fprintf(out, "{%u, %zu},\n", opcode, intern(name));
  };
  for (const json& row : core["instructions"]) {
    const uint32_t opcode = row["opcode"].get<uint32_t>();
    firstNames.try_emplace(opcode, row["opname"].get<std::string>());
    opAlias(opcode, row["opname"].get<std::string>());
    for (const json& alias : row.value("aliases", json::array())) opAlias(opcode, alias.get<std::string>());
  }
  std::fprintf(out, "};\nconstexpr EnumerantAlias kEnumerantAliases[] = {\n");
  for (const json& kind : core["operand_kinds"]) {
    if (!kind.contains("enumerants")) continue;
    const unsigned number = kindOf(kind["kind"].get<std::string>());
    std::map<uint32_t, std::string> first;
    const auto alias = [&](uint32_t value, const std::string& name) {
      if (first[value] != name)
        std::fprintf(out, "{OperandKind(%u), 0x%Xu, %zu},\n", number, value, intern(name));
    };
    for (const json& row : kind["enumerants"]) {
      const uint32_t value = valueOf(row["value"]);
      first.try_emplace(value, row["enumerant"].get<std::string>());
      alias(value, row["enumerant"].get<std::string>());
      for (const json& other : row.value("aliases", json::array())) alias(value, other.get<std::string>());
    }
  }
  std::fprintf(out, "};\n");
}

// Sets of extended instructions besides GLSL.std.450: names and numbers.
void writeSets(std::FILE* out, const std::vector<std::string>& arguments) {
  std::string sets;
  size_t count = 0;
  std::fprintf(out, "constexpr ExtInstName kExtInstNames[] = {\n");
  for (const std::string& argument : arguments) {
    const size_t equal = argument.find('=');
    if (equal == std::string::npos) fail("not of the form SET=FILE: " + argument);
    const json set = load(argument.substr(equal + 1).c_str());
    const size_t first = count;
    for (const auto& [number, row] : byOpcode(set)) {
      std::fprintf(out, "{%u, %zu},\n", number, intern((*row)["opname"].get<std::string>()));
      ++count;
    }
    char text[96];
    std::snprintf(text, sizeof text, "{%zu, {%zu, %zu}},\n", intern(argument.substr(0, equal)), first,
                  count - first);
    sets += text;
  }
  std::fprintf(out, "};\nconstexpr ExtInstSet kExtInstSets[] = {\n%s};\n", sets.c_str());
}

void writeTexts(std::FILE* out, const char* table, const std::string& texts) {
  if (texts.size() > 0xFFFF) fail(std::string("offsets need more than 16 bits: ") + table);
  std::fprintf(out, "constexpr char %s[] =\n", table);
  for (size_t at = 0; at < texts.size();) {
    const size_t end = texts.find('\0', at);
    std::fprintf(out, "\"%s\\0\"\n", texts.substr(at, end - at).c_str());
    at = end + 1;
  }
  std::fprintf(out, ";\n");
}

// The flat arrays to which the rows refer: written last, when all entries have been collected.
void writeLists(std::FILE* out) {
  std::fprintf(out, "constexpr OperandInfo kOperands[] = {");
  for (size_t i = 0; i < operands.size(); ++i) {
    std::fprintf(out, "%s{OperandKind(%u), Quantifier(%u)},", i % 8 == 0 ? "\n" : "", operands[i].first,
                 operands[i].second);
  }
  std::fprintf(out, "};\nconstexpr uint16_t kCapabilityLists[] = {");
  for (size_t i = 0; i < capabilities.size(); ++i) {
    std::fprintf(out, "%s%u,", i % 20 == 0 ? "\n" : "", capabilities[i]);
  }
  std::fprintf(out, "};\nconstexpr uint16_t kExtensionLists[] = {");
  for (size_t i = 0; i < extensions.size(); ++i) {
    std::fprintf(out, "%s%zu,", i % 20 == 0 ? "\n" : "", extensions[i]);
  }
  std::fprintf(out, "};\n");
  writeTexts(out, "kExtensionNames", extensionNames.all);
  writeTexts(out, "kNames", names.all);
}

// The grammar of a set that is among the arguments.
json loadSet(const std::string& name, int argc, char** argv) {
  for (int i = 5; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.starts_with(name + "=")) return load(argument.substr(name.size() + 1).c_str());
  }
  fail("no set " + name);
}

template <class Write>
void writeFile(const char* path, Write&& write) {
  std::FILE* out = std::fopen(path, "wb");  // the same bytes on every system
  if (out == nullptr) fail(std::string("cannot write ") + path);
  write(out);
  if (std::fclose(out) != 0) fail(std::string("cannot write ") + path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) fail("usage: generate CORE.json GLSL.json TABLES.inc INSTRUCTIONS.inc [SET=FILE.json...]");
  json core = load(argv[1]);
  addNewerEnumerants(core);
  const json glsl = load(argv[2]);
  readKinds(core);

  writeFile(argv[3], [&](std::FILE* out) {
    std::fprintf(out, "// Generated from the SPIR-V grammar; see spirv/grammar/generate.cpp.\n");
    writeInstructions(out, core);
    writeKinds(out, core);
    writeExtendedInstructions(out, glsl);
    writeAliases(out, core);
    writeSets(out, std::vector<std::string>(argv + 5, argv + argc));
    writeLists(out);
  });
  writeFile(argv[4], [&](std::FILE* out) {
    writeInstructionViews(out, core);
    writeExtendedFields(out, core, "glsl450", glsl);
    writeExtendedFields(out, core, "debug", loadSet("NonSemantic.Shader.DebugInfo", argc, argv));
  });
  return 0;
}
