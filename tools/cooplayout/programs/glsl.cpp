// Completes a text with the declarations that it lacks. For each of the compiler's errors about an undeclared
// name, or about a variable whose type is unknown, a declaration is added, and the text is compiled again.
// Tokens are read only to find the position of the name.
#include "tools/cooplayout/programs/glsl.hpp"

#include <algorithm>
#include <set>

#include "coopc/coopc.hpp"
#include "tools/cooplayout/programs/module.hpp"
#include "tools/cooplayout/programs/pieces.hpp"

namespace coopc::cooplayout {
namespace {

constexpr std::string_view kExtensions[] = {
    "GL_KHR_cooperative_matrix",
    "GL_NV_cooperative_matrix2",
    "GL_NV_cooperative_matrix_decode_vector",
    "GL_ARM_cooperative_matrix_layouts",
    "GL_ARM_tensors",
    "GL_ARM_tensors_bfloat16",
    "GL_ARM_tensors_float_e4m3",
    "GL_ARM_tensors_float_e5m2",
    "GL_EXT_shader_explicit_arithmetic_types",
    "GL_EXT_shader_16bit_storage",
    "GL_EXT_shader_8bit_storage",
    "GL_EXT_bfloat16",
    "GL_EXT_float_e4m3",
    "GL_EXT_float_e5m2",
    "GL_EXT_buffer_reference",
    "GL_EXT_buffer_reference2",
    "GL_EXT_buffer_reference_uvec2",
    "GL_EXT_scalar_block_layout",
    "GL_EXT_control_flow_attributes",
    "GL_EXT_nonuniform_qualifier",
    "GL_EXT_null_initializer",
    "GL_KHR_memory_scope_semantics",
    "GL_KHR_shader_subgroup_basic",
};

// A change of the text; positions are in the text as it was given.
struct Edit {
  size_t at = 0;
  size_t removed = 0;
  std::string text;
};

bool isError(const Diagnostic& d) {
  return d.severity == Severity::Error || d.severity == Severity::Fatal || d.id == "division-by-zero";
}

class Text {
 public:
  explicit Text(const ProgramText& program)
      : program_(program), pieces_(program.text, program.values), values_(program.values) {
    strict_ = pieces_.isShader() && pieces_.hasVersion();
    overrideConstants();
  }

  std::optional<CompiledText> compile(std::string& error) {
    // A text that needs more declarations than this is not a text for this tool.
    constexpr uint32_t kMaxRounds = 64;
    Result result;
    for (uint32_t round = 0; round < kMaxRounds; ++round) {
      result = attempt();
      bool changed = false;
      repaired_.clear();
      for (const Diagnostic& d : result.diagnostics) {
        if (!isError(d)) continue;
        if (round == 0) atFirst_.insert(keyOf(d));
        changed = repair(d) || changed;
      }
      if (!changed) break;
    }
    const bool bad = std::any_of(result.diagnostics.begin(), result.diagnostics.end(), isError);
    if (result.ok && !bad)
      return CompiledText{std::move(result.words), pieces_.isShader(), placesOfUnknown()};
    error = result.status == Status::InputError || bad ? errors(result) : result.messages;
    return std::nullopt;
  }

 private:
  // --set replaces the values of constants in the text.
  void overrideConstants() {
    for (const auto& [name, value] : values_) {
      for (const InitializedConstant& constant : pieces_.constantsOf(name)) {
        const bool yesOrNo = constant.type == "bool";
        edits_.push_back({constant.at, constant.size,
                          yesOrNo ? (value != 0 ? "true" : "false")
                                  : std::to_string(value) + (value > INT32_MAX ? "u" : "")});
      }
    }
  }

  Result attempt() {
    Options options;
    options.stage = Stage::FromSource;
    options.defaultStage = Stage::Compute;
    const size_t ending = program_.name.rfind('.');
    if (ending != std::string::npos) stageByName(program_.name.substr(ending + 1), options.stage);
    options.targetEnv = TargetEnv::Vulkan1_4;
    options.allowGlslang = false;
    options.debugInfo = true;
    if (!strict_) {
      options.forcedVersion = 460;
      options.autoBindUniforms = true;
    }
    options.warnings = {{"division-by-zero", true}};
    for (const std::string& name : pieces_.macros())
      options.macros.push_back({name, std::to_string(values_.at(name))});
    FileCache files;
    if (!program_.name.empty()) options.include = files.resolver({});
    applied_ = edits_;
    if (!pieces_.isShader()) wrap();
    addPrelude();
    std::stable_sort(applied_.begin(), applied_.end(),
                     [](const Edit& a, const Edit& b) { return a.at < b.at; });
    std::string text;
    size_t done = 0;
    for (const Edit& edit : applied_) {
      text.append(pieces_.text(), done, edit.at - done).append(edit.text);
      done = edit.at + edit.removed;
    }
    text.append(pieces_.text(), done);
    return coopc::compile(text, program_.name, options);
  }

  // Puts a function main around the statements. Declarations that are only allowed outside of functions, and
  // everything before them, stay outside.
  void wrap() {
    const std::vector<Statement>& statements = pieces_.statements();
    size_t first = statements.size();
    while (first > 0 && !statements[first - 1].isGlobal) --first;
    std::string calls;
    std::vector<Edit> around;
    for (size_t n = 0; n < first; ++n) {
      const Statement& s = statements[n];
      if (s.isDeclaration || typed_.contains(s.at)) continue;
      const std::string name = "coopc_part" + std::to_string(n);
      around.push_back({s.at, 0, "void " + name + "() { "});
      around.push_back({s.end, 0, " }"});
      calls += name + "(); ";
    }
    const size_t at = first < statements.size() ? statements[first].at : pieces_.text().size();
    const std::string main = "void main() { " + calls;
    // Functions that nothing calls would not be compiled, so calls are added.
    std::string uncalled;
    for (const Statement& s : statements) uncalled += s.call;
    if (first == statements.size()) {
      around.push_back({at, 0, "\n" + main + uncalled + "}\n"});
    } else {
      around.push_back({at, 0, main});
      around.push_back({pieces_.text().size(), 0, "\n;" + uncalled + "}\n"});
    }
    // Goes before types that are added at the same places.
    applied_.insert(applied_.begin(), around.begin(), around.end());
  }

  // Adds extensions and declarations after #version, or at the start of a text without one, with #version.
  void addPrelude() {
    if (strict_ && declarations_.empty()) return;
    std::string prelude;
    if (!pieces_.hasVersion()) prelude += "#version 460\n";
    for (const std::string_view extension : kExtensions) {
      if (!strict_) prelude += "#extension " + std::string(extension) + " : enable\n";
    }
    if (!pieces_.isShader()) prelude += "layout(local_size_x = 32) in;\n";
    for (const auto& [name, declaration] : declarations_) prelude += declaration;
    const size_t at = pieces_.afterVersion();
    prelude += "#line " + std::to_string(pieces_.lineOf(at)) + "\n";
    applied_.insert(applied_.begin(), {at, 0, prelude});
  }

  // The offset in the given text of a diagnostic's place, whose line is already a line of the given text.
  // npos: the place is in another file.
  size_t offsetOf(const Diagnostic& d) const {
    if (!isHere(d)) return std::string::npos;
    const size_t start = pieces_.lineStart(d.line);
    const size_t end = pieces_.lineStart(size_t{d.line} + 1);
    int64_t shift = 0;
    const auto wanted = static_cast<int64_t>(d.column) - 1;
    for (const Edit& edit : applied_) {
      if (edit.at < start || edit.at >= end) continue;
      // An edit that ends with a line feed moves the text after it to the next line, so columns stay.
      if (edit.text.ends_with('\n')) continue;
      const int64_t at = static_cast<int64_t>(edit.at - start) + shift;
      if (wanted < at) break;
      if (wanted < at + static_cast<int64_t>(edit.text.size())) return edit.at;
      shift += static_cast<int64_t>(edit.text.size()) - static_cast<int64_t>(edit.removed);
    }
    return std::min(end, start + static_cast<size_t>(std::max<int64_t>(0, wanted - shift)));
  }
  std::string placeOf(size_t offset) const {
    const size_t line = pieces_.lineOf(offset);
    return std::to_string(line) + ":" + std::to_string(offset - pieces_.lineStart(line) + 1);
  }
  bool isHere(const Diagnostic& d) const { return d.file == program_.name && d.line != 0; }

  // Adds the declaration that the error asks for. False if it asks for none, or the text has it already.
  bool repair(const Diagnostic& d) {
    const size_t at = offsetOf(d);
    if (d.id == "no-implicit-conversion" && d.arguments.at(0) == "initializer")
      return retype(at, d.arguments.at(1));
    const bool reserved = d.id == "reserved-keyword";
    if (d.id != "undeclared-name" && !reserved) return makeMemory(d) || makeCondition(at);
    const std::string name = d.arguments.at(0);
    // Other errors about the same name may disappear after that.
    if (!reserved && !repaired_.insert(name).second) return false;
    const NamePlace place = pieces_.placeOf(at, name);
    if (reserved && place.kind != NamePlace::Kind::Memory) return false;
    if (values_.contains(name)) return declare(name, "const " + numberText(name));
    if (place.kind == NamePlace::Kind::Structure && declareStructure(name)) return true;
    if (strict_) return false;
    switch (place.kind) {
      case NamePlace::Kind::Matrix:
        for (const std::string_view size : {kAnyRows, kAnyColumns})
          declare(std::string(size), constantText(std::string(size)));
        return declare(name, "coopmat<float, gl_ScopeSubgroup, " + std::string(kAnyRows) + ", " +
                                 std::string(kAnyColumns) + ", gl_MatrixUseAccumulator> " + name +
                                 (place.indexed ? "[64]" : "") + ";\n");
      case NamePlace::Kind::Memory:
        declareMemory();
        return replace({place.from, place.to - place.from, std::string(kAnyMemory)});
      case NamePlace::Kind::Decode: return replace({place.from, place.to - place.from, ""});
      case NamePlace::Kind::Assigned: return giveType(place, name);
      default: break;
    }
    if (!declare(name, constantText(name))) return false;
    unknown_.push_back({name, at, d, false});
    return true;
  }

  bool declare(const std::string& name, const std::string& declaration) {
    if (declarationOf(name) != nullptr) return false;
    declarations_.emplace_back(name, declaration);
    return true;
  }
  std::string* declarationOf(const std::string& name) {
    const auto found = std::find_if(declarations_.begin(), declarations_.end(),
                                    [&](const auto& known) { return known.first == name; });
    return found == declarations_.end() ? nullptr : &found->second;
  }
  void declareMemory() {
    declare(std::string(kAnyMemory), "layout(set = 0, binding = 0) buffer coopc_any_buffer { uint " +
                                         std::string(kAnyMemory) + "[]; };\n");
  }
  // Declares an array for a name without a value, if the error is about the array of a macro that loads or
  // stores.
  bool makeMemory(const Diagnostic& d) {
    if (d.id != "matrix-argument" || d.arguments.at(0) != "2") return false;
    const auto unknown = std::find_if(unknown_.begin(), unknown_.end(), [&](const Unknown& u) {
      return u.diagnostic.line == d.line && u.name != pieces_.at(u.at);
    });
    if (unknown == unknown_.end()) return false;
    declareMemory();
    *declarationOf(unknown->name) = "#define " + unknown->name + " " + std::string(kAnyMemory) + "\n";
    unknown_.erase(unknown);
    return true;
  }
  // Declares a condition for a name without a value, if the error says that a number is not allowed there.
  bool makeCondition(size_t at) {
    const auto unknown = std::find_if(unknown_.begin(), unknown_.end(), [&](const Unknown& u) {
      return at != std::string::npos && u.name == pieces_.at(at) && !u.isCondition;
    });
    if (unknown == unknown_.end()) return false;
    unknown->isCondition = true;
    std::string& declaration = *declarationOf(unknown->name);
    declaration.replace(declaration.find(" int "), 5, " bool ");
    declaration.replace(declaration.rfind('1'), 1, "true");
    return true;
  }
  bool replace(Edit edit) {
    for (const Edit& known : edits_) {
      if (known.at < edit.at + edit.removed && edit.at < known.at + known.removed) return false;
    }
    edits_.push_back(std::move(edit));
    return true;
  }
  // The declaration of a constant whose value is unknown.
  std::string constantText(const std::string& name) {
    return "layout(constant_id = " + std::to_string(kFirstUnknown + unknowns_++) + ") const int " + name +
           " = 1;\n";
  }
  std::string numberText(const std::string& name) const {
    const int64_t value = values_.at(name);
    return (value > INT32_MAX ? "uint " : "int ") + name + " = " + std::to_string(value) +
           (value > INT32_MAX ? "u;\n" : ";\n");
  }
  // Declares a structure such as `parameters`, if --set has parameters.rows.
  bool declareStructure(const std::string& name) {
    std::string members;
    std::string values;
    for (auto given = values_.lower_bound(name + "."); given != values_.end(); ++given) {
      if (!given->first.starts_with(name + ".")) break;
      const std::string member = given->first.substr(name.size() + 1);
      if (member.find('.') != std::string::npos) continue;
      members += "int " + member + "; ";
      values += (values.empty() ? "" : ", ") + std::string("int(") + std::to_string(given->second) +
                (given->second > INT32_MAX ? "u)" : ")");
    }
    if (members.empty()) return false;
    const std::string type = "coopc_any_" + name;
    return declare(name, "struct " + type + " { " + members + "}; const " + type + " " + name + " = " + type +
                             "(" + values + ");\n");
  }

  // For `name = value;` without a declaration: adds the type int, until the compiler reports the value's
  // type.
  bool giveType(const NamePlace& place, const std::string& name) {
    const std::string constant = pieces_.isAssignedOnce(name) ? "const " : "";
    if (typed_.contains(place.from) || !replace({place.from, 0, constant + "int "})) return false;
    typed_[place.from] = {place.to, edits_.size() - 1};
    return true;
  }
  bool retype(size_t at, const std::string& type) {
    for (auto& [from, typed] : typed_) {
      if (at < from || at >= typed.end || typed.isFinal) continue;
      std::string& text = edits_[typed.edit].text;
      const bool number = type == "int" || type == "uint" || type == "bool";
      text = (number && text.starts_with("const ") ? "const " : "") + type + " ";
      typed.isFinal = true;
      return true;
    }
    return false;
  }

  // "3:14: MESSAGE; did you mean `x`? [IDENTIFIER; CLAUSE]". `at`: the place in the given text.
  std::string describe(const Diagnostic& d, size_t at) const {
    std::string text;
    if (at != std::string::npos)
      text = placeOf(at) + ": ";
    else if (!d.file.empty())
      text = d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": ";
    text += d.message;
    if (!d.suggestion.empty()) text += "; did you mean `" + d.suggestion + "`?";
    return text + " [" + d.id + (d.clause.empty() ? "" : "; " + d.clause) + "]";
  }
  // Identifies an error by line and message. The message about a missing token also names the token that
  // follows, which depends on the declared names, so it is left out.
  static std::pair<uint32_t, std::string> keyOf(const Diagnostic& d) {
    return {d.line, d.id == "expected-token" ? d.id : d.message};
  }
  // The text of the errors. An error that the first compile did not report comes from a name that was
  // declared as a number and is not one. If there are only such errors, the undeclared names are reported
  // instead.
  std::string errors(const Result& result) const {
    std::string text;
    uint32_t count = 0;
    const auto add = [&](const std::string& line) {
      if (++count <= 10) text += (text.empty() ? "" : "\n") + line;
    };
    for (const Diagnostic& d : result.diagnostics) {
      if (isError(d) && (unknown_.empty() || atFirst_.contains(keyOf(d)))) add(describe(d, offsetOf(d)));
    }
    if (count != 0) return text;
    for (const Unknown& unknown : unknown_) add(describe(unknown.diagnostic, unknown.at));
    if (count == 0) add(result.messages);
    return text;
  }
  std::map<std::string, std::string> placesOfUnknown() const {
    std::map<std::string, std::string> places;
    for (const Unknown& unknown : unknown_) {
      if (unknown.at != std::string::npos) places[unknown.name] = placeOf(unknown.at);
    }
    return places;
  }

  struct Typed {
    size_t end = 0;   // the statement's end
    size_t edit = 0;  // which edit has the type
    bool isFinal = false;
  };
  struct Unknown {
    std::string name;
    size_t at = 0;
    Diagnostic diagnostic;
    bool isCondition = false;
  };

  const ProgramText& program_;
  const Pieces pieces_;
  const std::map<std::string, int64_t>& values_;
  bool strict_ = false;  // a whole shader with its version: only names of --set are declared
  std::vector<Edit> edits_;
  std::vector<Edit> applied_;  // edits_ and the function around, in the order of the last compiled text
  std::vector<std::pair<std::string, std::string>>
      declarations_;                // the names that they declare, and their texts
  std::map<size_t, Typed> typed_;   // by the name's position
  std::set<std::string> repaired_;  // names repaired since the last compile
  std::vector<Unknown> unknown_;
  std::set<std::pair<uint32_t, std::string>> atFirst_;  // errors of the first compile, by keyOf()
  uint32_t unknowns_ = 0;
};

}  // namespace

std::optional<CompiledText> compileText(const ProgramText& program, std::string& error) {
  return Text(program).compile(error);
}

}  // namespace coopc::cooplayout
