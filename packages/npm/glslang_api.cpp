// The module of coopc/glslang: compiles one text of a known stage, without options beyond those of
// compileGLSL(), and therefore without the passes of -O, JSON and the helper. glslang.mjs and module.mjs call
// these functions. Only one result exists at a time; the caller frees it before the next call.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/spirv_version.hpp"
#include "emit/emit.hpp"
#include "frontend/base/render.hpp"
#include "frontend/parse/parser.hpp"
#include "frontend/preprocess/preprocessor.hpp"

namespace {

namespace fe = coopc::frontend;

std::vector<uint32_t> words;
std::string messages;

}  // namespace

extern "C" {

// Compiles `length` bytes of UTF-8 for `stage` (frontend/language/stages.def: 0 is compute) and Vulkan 1.0,
// into SPIR-V 1.`minor`. `debug`: with lines and the source. Returns whether there are no errors.
int glslang_compile(const char* text, size_t length, int stage, int minor, int debug) {
  fe::CompileOptions options;
  options.stage = static_cast<fe::Stage>(stage);
  options.env = fe::TargetEnv::Vulkan1_0;
  options.spirvVersion = coopc::kSpirv10 | static_cast<uint32_t>(minor) << 8;
  options.debugInfo = debug != 0;
  words.clear();
  messages.clear();
  fe::SourceManager sources;
  fe::Names names;
  fe::Diagnostics diagnostics(sources);
  const fe::FileId file = sources.addFile("shader", std::string_view(text, length));
  if (file == fe::SourceManager::kNoFile) {
    diagnostics.report(fe::DiagKind::SourceTooLarge, {}, {options.limits.sourceBytes});
  } else {
    const fe::PreprocessedSource source = fe::preprocess(options, sources, diagnostics, names, file);
    fe::Program program;
    if (!diagnostics.fatal()) {
      fe::parseProgram(options, source, diagnostics, names, program);
      if (diagnostics.errorCount() == 0)
        coopc::emit::emitModule(options, program, names, sources, diagnostics, words);
    }
  }
  if (diagnostics.errorCount() == 0) return 1;
  diagnostics.sortByPlace(file);
  messages = fe::renderText(diagnostics, [&](uint32_t name) { return names.text(fe::NameId(name)); });
  return 0;
}

// The result of the last glslang_compile(): the module, or the messages.
const uint32_t* glslang_words() { return words.data(); }
size_t glslang_word_count() { return words.size(); }
const char* glslang_messages() { return messages.data(); }
size_t glslang_messages_length() { return messages.size(); }

}  // extern "C"
