// Writes a view of each instruction (instructions.inc): a class whose functions return the operands, by the
// names that the grammar has for them. It contains a structure (Fields) by which new instructions name the
// same operands, and one (At) of the words at which they begin, for changes in place. The base of the views
// is in spirv/instructions.hpp, the types of fields are in spirv/operand_fields.hpp.
#include "instruction_views.hpp"

#include <cctype>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

using nlohmann::json;

namespace {

// Function names for operands whose names in the grammar are not words, or are C++ keywords.
const std::map<std::string, std::string> kNames = {
    {"Argument 0, Argument 1, ...", "arguments"},
    {"Array member", "arrayMember"},
    {"D~ref~", "dref"},
    {"Default", "defaultLabel"},
    {"Member 0 type, member 1 type, ...", "memberTypes"},
    {"Operand 1, Operand 2, ...", "operands"},
    {"Parameter 0 Type, Parameter 1 Type, ...", "parameterTypes"},
    {"The name of the opaque type.", "name"},
    {"Value, Name, Value, Name, ...", "valuesAndNames"},
    {"Variable, Parent, ...", "incoming"},
};

// Whether an instruction belongs to a vendor whose instructions no code of this project reads or makes.
bool isForeign(const std::string& name) {
  for (const std::string vendor : {"ALTERA", "HUAWEI", "INTEL"})
    if (name.size() > vendor.size() && name.ends_with(vendor)) return true;
  return false;
}

// Whether only OpenCL kernels have an instruction.
bool isKernels(const json& row) {
  if (!row.contains("capabilities")) return false;
  static const std::set<std::string> kOfKernels = {"DeviceEnqueue", "Kernel", "NamedBarrier", "Pipes",
                                                   "PipeStorage"};
  for (const json& capability : row["capabilities"])
    if (!kOfKernels.contains(capability.get<std::string>())) return false;
  return true;
}

std::string withoutOp(const std::string& opname) { return opname.substr(2); }

// "Cooperative Matrix Operands" and "MatrixOffset" as the name of a function: the first word in lower case.
std::string asFunctionName(const std::string& text) {
  const auto special = kNames.find(text);
  if (special != kNames.end()) return special->second;
  std::string name;
  bool starts = false;
  for (const char c : text) {
    if (!std::isalnum(static_cast<unsigned char>(c))) {
      starts = true;
      continue;
    }
    name += starts ? char(std::toupper(c)) : c;
    starts = false;
  }
  // "MS" and "SBTOffset" become "ms" and "sbtOffset".
  for (size_t i = 0; i < name.size() && std::isupper(static_cast<unsigned char>(name[i])); ++i) {
    if (i > 0 && i + 1 < name.size() && std::islower(static_cast<unsigned char>(name[i + 1]))) break;
    name[i] = char(std::tolower(name[i]));
  }
  return name;
}

// Enumerants that are numbers to the rest of the code, because the oldest headers lack most encodings
// (spirv/enums_supplement.hpp) and all tensor operands (spirv/tensors.hpp).
bool isNumber(const std::string& kind) { return kind == "FPEncoding" || kind == "TensorOperands"; }

struct Kind {
  std::string category;
  bool hasParameters = false;  // of some of its enumerants
};

std::map<std::string, Kind> readKinds(const json& core) {
  std::map<std::string, Kind> kinds;
  for (const json& row : core["operand_kinds"]) {
    Kind kind{row["category"].get<std::string>()};
    if (row.contains("enumerants"))
      for (const json& enumerant : row["enumerants"]) kind.hasParameters |= enumerant.contains("parameters");
    kinds[row["kind"].get<std::string>()] = kind;
  }
  return kinds;
}

class View {
 public:
  View(const std::map<std::string, Kind>& kinds, const json& operands) : kinds_(kinds) {
    for (const json& operand : operands)
      if (!add(operand)) break;
  }

  const std::vector<std::string>& functions() const { return functions_; }
  // The words at which operands begin, where that is the same in all instructions of the opcode.
  const std::string& places() const { return places_; }

 private:
  void function(const std::string& type, const std::string& name, const std::string& value) {
    functions_.push_back("  " + type + " " + name + "() const { return " + value + "; }\n");
  }

  std::string at() const {
    return afterText_ ? "afterText(" + std::to_string(at_) + ")" : std::to_string(at_);
  }

  // Returns false if the places of later operands are only known at run time: after an operand whose number
  // of words varies.
  bool add(const json& operand) {
    const std::string kind = operand["kind"].get<std::string>(), quantifier = operand.value("quantifier", "");
    const std::string name = asFunctionName(operand.value("name", kind));
    if (kind == "IdResultType" || kind == "IdResult") return ++at_, true;
    if (!afterText_) places_ += (places_.empty() ? "" : ", ") + name + " = " + std::to_string(at_);
    if (quantifier == "*") return addRange(kind, name), false;
    if (afterText_) return false;
    const std::string category = kinds_.at(kind).category;
    if (quantifier == "?" && category != "ValueEnum" && kind != "MemoryAccess")
      function("bool", "has" + std::string(1, char(std::toupper(name[0]))) + name.substr(1),
               "has(" + at() + ")");
    if (category == "Id") {
      function("Id", name, "id(" + at() + ")");
    } else if (kind == "LiteralInteger" || kind == "LiteralExtInstInteger") {
      function("uint32_t", name, "word(" + at() + ")");
    } else if (kind == "LiteralString") {
      function("std::string_view", name, "text(" + at() + ")");
      return afterText_ = true;
    } else if (kind == "LiteralContextDependentNumber") {
      function("uint32_t", name, "word(" + at() + ")");
      function("uint64_t", name + "64", "word64(" + at() + ")");
      return false;
    } else if (kind == "LiteralSpecConstantOpInteger") {
      function("spv::Op", name, "spv::Op(word(" + at() + "))");
      function("IdRange", "operands", "ids(" + std::to_string(at_ + 1) + ")");
      return false;
    } else if (kind == "MemoryAccess") {
      function("MemoryOperands", "memoryOperands", "memoryOperandsAt(words(), " + at() + ")");
      const bool addressing = quantifier.empty();  // OpCooperativeMatrixLoadTensorNV and its counterpart
      if (addressing)
        function("TensorAddressingOperands", "tensorAddressingOperands",
                 "tensorAddressingOperandsOf(words())");
      return false;
    } else {
      addEnumerant(kind, name, quantifier == "?");
      if (kinds_.at(kind).hasParameters) {
        function("LiteralRange", "parameters", "literals(" + std::to_string(at_ + 1) + ")");
        return false;
      }
    }
    return ++at_, true;
  }

  void addRange(const std::string& kind, const std::string& name) {
    if (kinds_.at(kind).category == "Id") function("IdRange", name, "ids(" + at() + ")");
    if (kind == "PairIdRefIdRef") function("IdPairRange", name, "idPairs(" + at() + ")");
    if (kind == "PairIdRefLiteralInteger") function("IdLiteralRange", name, "idLiterals(" + at() + ")");
    if (kind == "LiteralInteger") function("LiteralRange", name, "literals(" + at() + ")");
    // A literal of an OpSwitch has as many words as its selector's type: Module::switchWords().
    if (kind == "PairLiteralIntegerIdRef") function("LiteralRange", name + "s", "literals(" + at() + ")");
  }

  void addEnumerant(const std::string& kind, const std::string& name, bool optional) {
    const bool mask = kinds_.at(kind).category == "BitEnum";
    const std::string type = isNumber(kind) ? "uint32_t" : "spv::" + kind + (mask ? "Mask" : "");
    // No bit is set where a mask is missing; 0 is an enumerant of most other kinds.
    if (optional && !mask)
      function("std::optional<" + type + ">", name, "optionalWord<" + type + ">(" + at() + ")");
    else
      function(type, name, type == "uint32_t" ? "word(" + at() + ")" : type + "(word(" + at() + "))");
  }

  const std::map<std::string, Kind>& kinds_;
  std::vector<std::string> functions_;
  std::string places_;
  uint32_t at_ = 1;
  bool afterText_ = false;
};

// The structure Fields of a view: a field for each operand after result type and result, in their order.
class Maker {
 public:
  Maker(const std::map<std::string, Kind>& kinds, const json& operands) : kinds_(kinds) {
    for (const json& operand : operands) add(operand);
  }

  bool hasType() const { return hasType_; }
  bool hasResult() const { return hasResult_; }

  void write(std::FILE* out) const {
    if (names_.empty()) return;
    std::fprintf(out, "  struct Fields {\n");
    for (const std::string& field : fields_) std::fputs(field.c_str(), out);
    // If each field is one operand, the words are an array.
    if (isFixed_)
      std::fprintf(out, "    std::array<Word, %zu> words() const { return {", names_.size());
    else
      std::fprintf(out, "    FieldWords words() const { return {");
    for (size_t i = 0; i < names_.size(); ++i)
      std::fprintf(out, "%s%s", i == 0 ? "" : ", ", names_[i].c_str());
    std::fprintf(out, "}; }\n  };\n");
  }

 private:
  void add(const json& operand) {
    const std::string kind = operand["kind"].get<std::string>(), quantifier = operand.value("quantifier", "");
    std::string name = asFunctionName(operand.value("name", kind));
    if (kind == "IdResultType") return void(hasType_ = true);
    if (kind == "IdResult") return void(hasResult_ = true);
    const std::string category = kinds_.at(kind).category;
    if (quantifier == "*") return list(listType(kind), kind == "PairLiteralIntegerIdRef" ? name + "s" : name);
    if (kind == "LiteralString")
      return list(quantifier == "?" ? "std::optional<std::string_view>" : "std::string_view", name);
    // A mask or an enumerant whose operands follow it.
    if (kind == "MemoryAccess" || kind == "TensorAddressingOperands")
      return list("WordList", kind == "MemoryAccess" ? "memoryOperands" : name);
    if (kind == "LiteralContextDependentNumber") return list("LiteralList", name);
    if (kind == "LiteralSpecConstantOpInteger") {
      field("Given<spv::Op> " + name, name);
      return list("WordList", "operands");  // indexes are literals
    }
    one(kind, name, quantifier == "?");
    if (kinds_.at(kind).hasParameters) list("WordList", "parameters");
  }

  // An operand of one word. Those that may be missing at the instruction's end are missing unless they are
  // given.
  void one(const std::string& kind, const std::string& name, bool optional) {
    const std::string category = kinds_.at(kind).category;
    const bool mask = category == "BitEnum";
    std::string type = "uint32_t";
    if (category == "Id") type = "Id";
    if ((mask || category == "ValueEnum") && !isNumber(kind)) type = "spv::" + kind + (mask ? "Mask" : "");
    if (optional) {
      isFixed_ = false;
      field((type == "Id" ? "OptionalId " : "std::optional<" + type + "> ") + name + " = {}", name);
    } else {
      field(mask ? type + " " + name + " = {}" : "Given<" + type + "> " + name, name);
    }
  }

  static std::string listType(const std::string& kind) {
    if (kind == "PairIdRefIdRef") return "IdPairList";
    if (kind == "LiteralInteger") return "LiteralList";
    return kind == "PairIdRefLiteralInteger" || kind == "PairLiteralIntegerIdRef" ? "WordList" : "IdList";
  }

  void list(const std::string& type, std::string name) {
    isFixed_ = false;
    // OpCopyMemory has memory operands twice: the target's, then the source's.
    for (const std::string& other : names_)
      if (other == name) name = "source" + std::string(1, char(std::toupper(name[0]))) + name.substr(1);
    field(type + " " + name + " = {}", name);
  }

  void field(const std::string& declaration, const std::string& name) {
    fields_.push_back("    " + declaration + ";\n");
    names_.push_back(name);
  }

  const std::map<std::string, Kind>& kinds_;
  std::vector<std::string> fields_, names_;
  bool hasType_ = false, hasResult_ = false;
  bool isFixed_ = true;
};

// Whether an instruction has a result type, a result and then `count` operands, which are ids.
bool hasIdsOnly(const std::map<std::string, Kind>& kinds, const json& row, size_t count) {
  const json& operands = row["operands"];
  if (operands.size() != count + 2 || operands[0]["kind"] != "IdResultType") return false;
  for (const json& operand : operands)
    if (operand.contains("quantifier") || kinds.at(operand["kind"].get<std::string>()).category != "Id")
      return false;
  return true;
}

// Writes a function that tells whether an opcode is one of such instructions.
void writeOpcodes(std::FILE* out, const std::map<std::string, Kind>& kinds, const json& core,
                  const char* name, size_t count) {
  std::set<uint32_t> opcodes;
  for (const json& row : core["instructions"])
    if (row.contains("operands") && hasIdsOnly(kinds, row, count))
      opcodes.insert(row["opcode"].get<uint32_t>());
  std::fprintf(out, "constexpr bool %s(spv::Op op) {\n  switch (uint32_t(op)) {\n", name);
  for (const uint32_t opcode : opcodes) std::fprintf(out, "    case %u:\n", opcode);
  std::fprintf(out, "      return true;\n    default: return false;\n  }\n}\n");
}

}  // namespace

void writeInstructionViews(std::FILE* out, const json& core) {
  const std::map<std::string, Kind> kinds = readKinds(core);
  std::fprintf(out, "// Generated from the SPIR-V grammar; see spirv/grammar/instruction_views.cpp.\n");
  for (const json& row : core["instructions"]) {
    const std::string name = row["opname"].get<std::string>();
    if (isForeign(name) || isKernels(row)) continue;
    const json operands = row.value("operands", json::array());
    const View view(kinds, operands);
    const Maker maker(kinds, operands);
    std::fprintf(out, "struct %s : Of<%u%s> {\n  using Of::Of;\n", withoutOp(name).c_str(),
                 row["opcode"].get<uint32_t>(),
                 maker.hasType()     ? ", Gives::TypedResult"
                 : maker.hasResult() ? ", Gives::Result"
                                     : "");
    for (const std::string& function : view.functions()) std::fputs(function.c_str(), out);
    if (!view.places().empty())
      std::fprintf(out, "  struct At { static constexpr uint32_t %s; };\n", view.places().c_str());
    maker.write(out);
    std::fprintf(out, "};\n");
    if (!row.contains("aliases")) continue;
    for (const json& alias : row["aliases"])
      std::fprintf(out, "using %s = %s;\n", withoutOp(alias.get<std::string>()).c_str(),
                   withoutOp(name).c_str());
  }
  writeOpcodes(out, kinds, core, "hasOneId", 1);
  writeOpcodes(out, kinds, core, "hasTwoIds", 2);
}

void writeExtendedFields(std::FILE* out, const json& core, const char* name, const json& set) {
  const std::map<std::string, Kind> kinds = readKinds(core);
  std::fprintf(out, "namespace %s {\n", name);
  for (const json& row : set["instructions"]) {
    std::fprintf(out, "struct %s : Extended<%u> {\n", row["opname"].get<std::string>().c_str(),
                 row["opcode"].get<uint32_t>());
    Maker(kinds, row.value("operands", json::array())).write(out);
    std::fprintf(out, "};\n");
  }
  std::fprintf(out, "}  // namespace %s\n", name);
}
