// The compiler, the validator and reflection for the page: GLSL in, one JSON object out. Compiled to
// WebAssembly and run in a worker (page/src/compiler.js). The page allocates the memory, and the answer stays
// valid until the next call.
#include <string>
#include <string_view>
#include <vector>

#include "coopc/coopc.hpp"
#include "coopc/reflect.hpp"
#include "coopc/validate.hpp"
#include "page/command_line.hpp"
#include "tools/cooplayout/programs/run.hpp"

namespace {

std::string& answer() {
  static std::string last;
  return last;
}

// A string as a JSON string.
std::string quote(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (result += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += "\\u00";
      result += kHex[static_cast<unsigned char>(c) >> 4];
      result += kHex[c & 15];
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string findings(const std::vector<uint32_t>& words) {
  const coopc::ValidateResult checked = coopc::validate(words);
  std::string result = "[";
  for (const coopc::Finding& f : checked.findings) {
    constexpr const char* kSeverities[] = {"note", "warning", "error"};
    result += (result.size() > 1 ? ",{" : "{");
    result += "\"rule\":" + quote(f.rule != nullptr ? f.rule->id : "") +
              ",\"severity\":" + quote(kSeverities[static_cast<size_t>(f.severity)]) +
              ",\"message\":" + quote(f.message) + ",\"clause\":" + quote(f.clause) +
              ",\"line\":" + std::to_string(f.source.line) + ",\"instruction\":" + quote(f.disassembly) + "}";
  }
  return result + "]";
}

// The loads and stores of matrices, as the tab for tensor addressing counts them.
std::string accesses(std::string_view source) {
  std::string error;
  std::string result = "[";
  for (const std::string& name :
       coopc::cooplayout::kProgramReader.list({source, "", {}}, error).value_or(std::vector<std::string>()))
    result += (result.size() > 1 ? "," : "") + quote(name);
  return result + "]";
}

}  // namespace

extern "C" {

// Compiles `size` bytes at `text` as a compute shader for Vulkan 1.4, without glslang, and checks the module.
// `level`: 0 is -O0, 1 is -O, 2 is -Os. Returns {"ok", "diagnostics": [...], "assembly", "bytes", "findings":
// [...], "accesses": [...], "reflection"} as JSON; the last one is what `coopc --reflect` writes, null
// without a module.
const char* compiler_run(const char* text, int size, int level) {
  coopc::Options options;
  options.targetEnv = coopc::TargetEnv::Vulkan1_4;
  options.optimization = static_cast<coopc::Optimization>(level);
  options.output = coopc::Output::Assembly;
  options.allowGlslang = false;
  const std::string_view source(text, static_cast<size_t>(size));
  const coopc::Result result = coopc::compile(source, "shader.comp", options);
  std::string found = "[]";
  std::string reflection = "null";
  if (result.ok) {
    reflection = coopc::renderJson(coopc::reflect(result.words));
    // Findings need a module with lines to have a place in the text. The module that is shown has no lines.
    options.debugInfo = true;
    options.output = coopc::Output::Module;
    found = findings(coopc::compile(source, "shader.comp", options).words);
  }
  answer() = std::string("{\"ok\":") + (result.ok ? "true" : "false") +
             ",\"diagnostics\":" + (result.json.empty() ? "[]" : result.json) +
             ",\"bytes\":" + std::to_string(result.words.size() * 4) + ",\"assembly\":" + quote(result.text) +
             ",\"findings\":" + found + ",\"accesses\":" + (result.ok ? accesses(source) : "[]") +
             ",\"reflection\":" + reflection + "}";
  return answer().c_str();
}

// Runs a command line of cooplayout that contains GLSL. Its words are in `words`, separated by NULs, and
// request JSON. Returns its answer, or {"error"}.
const char* compiler_layout(const char* words, int size) {
  const std::vector<std::string> line = coopc::page::commandLine(words, size);
  std::string error;
  answer().clear();
  if (coopc::cooplayout::run(line, answer(), error) != 0) answer() = "{\"error\":" + quote(error) + "}";
  return answer().c_str();
}
}
