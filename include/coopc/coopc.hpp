// coopc as a library, for C++: GLSL compute shaders to SPIR-V.
//
//     coopc::Options options;
//     options.targetEnv = coopc::TargetEnv::Vulkan1_3;
//     const coopc::Result result = coopc::compile(text, "shader.comp", options);
//     if (!result.ok) std::fputs(result.messages.c_str(), stderr);
//     else use(result.words);
//
// The same text, name and options give the same words. coopc.h is the same for C, with a stable binary interface.
//
// Ownership: results and all their members are the caller's; what is passed is only read, for as long as the call takes. A FileCache
// must outlive the options that have its resolver.
// Threads: a call keeps nothing, and there is no global state: any number of calls in any number of threads, also with the same options.
// Members of FileCache and GlslangPool may be called by any threads at once; other objects are not locked.
// Errors: wrong programs end in diagnostics and wrong options in Status::BadArgument, never in exceptions. Memory that cannot be had ends
// in std::bad_alloc, and what the caller's own functions (Options::include, Options::cancelled) throw passes through.
// Units: sizes, lengths and columns are bytes, lines and columns count from 1; modules are 32-bit words in this machine's byte order.
//
// Stack: 512 KiB are enough for any text. In a thread that has less, or in a deep place of one, texts may nest less deeply
// (Options::stackBytes); 64 KiB are the least that a compile needs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coopc/export.h"

namespace coopc {

namespace frontend {
class LexedText;
}

enum class Stage {
  FromSource,  ///< `#pragma shader_stage(compute)` in the text; an error without one
  Compute,
  Vertex,
  Fragment,
  Geometry,
  TessControl,
  TessEvaluation,
  Task,
  Mesh,
  RayGeneration,
  Intersection,
  AnyHit,
  ClosestHit,
  Miss,
  Callable,
};

enum class TargetEnv {
  Vulkan1_0,
  Vulkan1_1,
  Vulkan1_2,
  Vulkan1_3,
  Vulkan1_4,
  OpenGL4_5,  ///< through glslang
};

enum class Optimization {
  None,   ///< -O0: one Function variable for each variable, nothing but what the language requires is folded
  Speed,  ///< -O
  Size,   ///< -Os
};

enum class Output {
  Module,        ///< Result::words
  Assembly,      ///< Result::words and Result::text, as SPIRV-Tools' assembler reads it
  Preprocessed,  ///< Result::text: the text after preprocessing; nothing is compiled
  Dependencies,  ///< Result::dependencies only; nothing is compiled
};

enum class Severity { Note, Warning, Error, Fatal };

/// How a compile ended; coopc_status of status.h.
enum class Status {
  Ok,              ///< no errors
  InputError,      ///< Result::diagnostics say what is wrong with the text
  BadArgument,     ///< an option is out of its range: Result::messages says which; nothing was compiled
  OutOfMemory,     ///< Options::memoryLimit is reached; where memory cannot be had, std::bad_alloc is thrown
  HelperMissing,   ///< the text needs coopc-glslang, which was not found
  Internal,        ///< a defect of the compiler, or of coopc-glslang
  Cancelled,       ///< Options::cancelled said so; there are no diagnostics
  CallbackFailed,  ///< of the C interface: here the exception passes through
};

struct Note {
  std::string message;
  std::string file;  ///< empty: a note without a place
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t length = 0;
};

struct Diagnostic {
  std::string id;  ///< "undeclared-name": one of diagnosticIds()
  Severity severity = Severity::Error;
  std::string message;
  std::string clause;      ///< the rule's place in its specification, or empty
  std::string suggestion;  ///< a replacement for what stands at the place, or empty
  std::string file;        ///< after #line; empty: without a place
  uint32_t line = 0;       ///< 1-based, after #line
  uint32_t column = 0;     ///< 1-based, in bytes
  uint32_t length = 0;     ///< bytes concerned
  std::vector<Note> notes;
};

/// A text that several compiles, in any threads, read without copying it. Copies of it are the same text.
class COOPC_API SharedText {
 public:
  SharedText() = default;  ///< no text
  explicit SharedText(std::string_view text);
  std::string_view view() const { return {chars_.get(), size_}; }
  explicit operator bool() const { return chars_ != nullptr; }

 private:
  friend struct SharedTextAccess;
  std::shared_ptr<const char[]> chars_;
  size_t size_ = 0;
  std::shared_ptr<const frontend::LexedText> lexed_;  ///< where a FileCache keeps tokens
};

/// The text of a file ("-": of the standard input); none where it cannot be read: `error`, where given, gets the reason
/// (errno's numbers). What is longer than any text that compiles is cut.
COOPC_API SharedText readFile(const std::string& path, int* error = nullptr);

struct Include {
  std::string name;  ///< shown in messages and dependencies, and the next resolver's `from`
  std::string text;
  SharedText shared = {};  ///< where there is one, instead of `text`
  bool found =
      true;  ///< false: there is no such file, as for a resolver that gives nothing, but `missing` counts
  std::vector<std::string> missing = {};  ///< where it was looked for first, in vain: goes to Result::missing
};
/// Finds what #include asks for: the name as written, whether in angle brackets, the name of the file that asks, and how
/// deep it stands (1: the file given to compile). Nothing: there is no such file. Called in the thread that compiles.
using IncludeResolver = std::function<std::optional<Include>(std::string_view name, bool angled,
                                                             std::string_view from, uint32_t depth)>;

struct Macro {
  std::string name;   ///< also `F(x)`
  std::string value;  ///< none is an empty macro, as `-D NAME` alone
  bool undefine = false;
};

/// One of limits(): a number that the language's gl_Max... constants and checks use.
struct Limit {
  std::string name;  ///< "MaxComputeWorkGroupSizeX"
  int value = 0;
};

/// One warning, by the identifier that diagnostics have (`missing-return`), switched on or off; `all`: the ones that are off by
/// default, about code that is allowed and seldom meant.
struct WarningSwitch {
  std::string id;
  bool on = true;
};

/// What is bound: the index of a binding base.
enum class ResourceKind { Sampler, Texture, Image, UniformBuffer, StorageBuffer, Uav };
struct StageBindingBase {
  Stage stage = Stage::Compute;
  ResourceKind kind = ResourceKind::Sampler;
  uint32_t base = 0;
};

/// Programs coopc-glslang that were started, kept for the next compile: a first one costs a tenth of a second. For any number
/// of threads, each of which has one of its own while it compiles. They end with the pool.
class COOPC_API GlslangPool {
 public:
  GlslangPool();
  ~GlslangPool();
  GlslangPool(const GlslangPool&) = delete;
  GlslangPool& operator=(const GlslangPool&) = delete;

 private:
  friend struct GlslangPoolAccess;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct Options {
  Stage stage = Stage::Compute;
  TargetEnv targetEnv = TargetEnv::Vulkan1_0;
  /// SPIR-V version as major << 16 | minor << 8; 0: what the environment has (1.0, 1.3, 1.5, 1.6, 1.6).
  uint32_t spirvVersion = 0;
  Optimization optimization = Optimization::None;
  Output output = Output::Module;
  bool debugInfo = false;         ///< -g: lines, columns and the source
  bool suppressWarnings = false;  ///< -w
  bool warningsAsErrors = false;  ///< -Werror
  bool strict = false;            ///< warnings about what a specification forbids are errors
  std::vector<WarningSwitch>
      warnings;                  ///< -WID, -Wno-ID, -Wall, in order; identifiers of no warning do nothing
  bool coloredMessages = false;  ///< Result::messages has colors, as terminals show them (ECMA-48)
  uint32_t forcedVersion = 0;    ///< -std=: the language version whatever #version says; 0: none
  bool forcedEs = false;
  std::vector<Macro> macros;  ///< in order
  IncludeResolver include;    ///< with one, #include needs no #extension (as in glslc); without one it fails
  std::string entryPoint = "main";
  bool autoBindUniforms = false;  ///< -fauto-bind-uniforms
  bool autoMapLocations = false;  ///< -fauto-map-locations
  /// First binding of -fauto-bind-uniforms, by ResourceKind.
  uint32_t bindingBase[6] = {0, 0, 0, 0, 0, 0};
  std::vector<StageBindingBase>
      stageBindingBase;           ///< the same for one stage; the last that fits goes before bindingBase
  std::vector<Limit> limits;      ///< -flimit; the last of a name counts
  bool nanClamp = false;          ///< -fnan-clamp: min, max and clamp prefer what is not NaN
  bool invertY = false;           ///< -finvert-y: of vertex shaders
  bool preserveBindings = false;  ///< -fpreserve-bindings: optimization keeps unused resources
  /// -O0 keeps resources, push constants and specialization constants that nothing uses, so that a pipeline's layout can be made
  /// of the module; false is -fno-unused-interface. Other levels remove them.
  bool unusedInterface = true;
  uint32_t generator =
      0;  ///< -fgenerator=: the generator's word of the module's header; 0: as the compiler has it
  /// Stages other than compute, compute shaders that ask for an extension that only glslang knows, and the two options
  /// below go through the program coopc-glslang, if it may be used.
  bool allowGlslang = true;
  std::string glslangProgram;  ///< its path; "": COOPC_GLSLANG of the environment, or where it is installed
  std::shared_ptr<GlslangPool> glslangPool;  ///< none: the program is started for each compile that needs it
  bool hlslOffsets = false;                  ///< -fhlsl-offsets: members of blocks lie as in HLSL
  bool autoCombinedImageSampler = false;     ///< -fauto-combined-image-sampler
  /// Asked between the steps of a compile and at each #include, in its thread: true ends it (Status::Cancelled).
  std::function<bool()> cancelled;
  /// What is left of the stack, in bytes; 0: found by itself, which it is in threads of the system, but not in fibers that have
  /// stacks of their own.
  size_t stackBytes = 0;
  /// Bytes that the compile may take, about: more end it (Status::OutOfMemory). What grows with the text counts: copies of texts,
  /// tokens, names, the program, the module and the passes' tables; not what callbacks, caches and coopc-glslang take. 0: no limit.
  size_t memoryLimit = 0;
};

/// A compile's result. Its members are the caller's: words are moved out of it without a copy.
struct Result {
  Status status = Status::InputError;
  bool ok = false;  ///< status is Ok
  std::vector<uint32_t> words;
  std::string text;
  std::vector<Diagnostic> diagnostics;
  std::string messages;  ///< the diagnostics as text with carets; empty when there are none
  std::string json;      ///< the diagnostics as one JSON array
  uint32_t errorCount = 0;
  uint32_t warningCount = 0;
  std::vector<std::string> dependencies;  ///< names of all files read, the main one first
  /// Files that were looked for in vain by #include (FileCache's resolver, Include::missing), each once: where one of them
  /// comes to be, a compile again may find another file. Whatever watches the dependencies watches these too.
  std::vector<std::string> missing;
};

/// Compiles `source`; `name` is what messages call it.
COOPC_API Result compile(std::string_view source, std::string_view name, const Options& options = {});
COOPC_API Result compile(const SharedText& source, std::string_view name, const Options& options = {});

/// Files that compiles share: each is opened and read at most once, and a file that is not there is looked for at most once,
/// until it is said to have changed (invalidate(), refresh()). All members may be called in any number of threads, while
/// others compile: a compile that runs keeps the texts that it has. A text stays as long as the cache or a copy of it.
class COOPC_API FileCache {
 public:
  /// What is kept of a file. Tokens: what lexing makes of it too, for all compiles that get the text from this cache: that
  /// pays as soon as two of them read the same file. A text takes about five times its size then; beyond 256 MiB, and for
  /// the rare text that cannot be lexed without its compile (one with lexical errors), compiles lex for themselves.
  enum class Keep { Text, Tokens };
  explicit FileCache(Keep keep = Keep::Tokens);
  ~FileCache();
  FileCache(const FileCache&) = delete;
  FileCache& operator=(const FileCache&) = delete;

  /// The file's text; none where it cannot be read: `error`, where given, gets the reason (errno's numbers).
  SharedText read(const std::string& path, int* error = nullptr);
  /// Makes `text` what is read at `path`, whatever lies on disk, until invalidate(path): generated texts, unsaved ones.
  void put(const std::string& path, std::string_view text);
  /// Forgets a file, one made by put() too: the next compile reads it anew. True where it was known.
  bool invalidate(const std::string& path);
  /// Forgets all files.
  void invalidateAll();
  /// Forgets files that have another size, time of change or identity than when they were read, that are gone, or that were
  /// missing and are there. Gives their paths. Those of put() stay.
  std::vector<std::string> refresh();
  /// #include as glslc searches: "NAME" in the including file's folder, then in each folder of `folders`; <NAME> in those
  /// only. Relative paths start in `directory` ("": the current one), which names do not show. The cache must outlive what
  /// is returned.
  IncludeResolver resolver(std::vector<std::string> folders, std::string directory = {});
  /// Files that are known: read, put, or looked for in vain.
  uint64_t opened() const;
  /// Files lexed so far, each once: compiles read the tokens of these and lex none of them.
  uint64_t lexed() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// One of many compiles.
struct Job {
  SharedText source;
  std::string name;
  Options options;
};

/// Compiles all jobs with `threads` threads (0: one for each processor), this one included. `done` is called once for each
/// job as it ends, in the thread that compiled it. Each result is that of compile(). An exception of `done` ends the rest,
/// and is thrown here.
COOPC_API void compileAll(const std::vector<Job>& jobs,
                          const std::function<void(size_t job, Result&& result)>& done, unsigned threads = 0);
/// The same; results in the order of the jobs.
COOPC_API std::vector<Result> compileAll(const std::vector<Job>& jobs, unsigned threads = 0);

/// Calls body(0) to body(count - 1), each once, in `threads` threads (0: one for each processor), this one included: what
/// compileAll is made of. After an exception no further call starts; it is thrown here.
COOPC_API void parallelFor(size_t count, unsigned threads, const std::function<void(size_t)>& body);

/// The stage that `#pragma shader_stage(NAME)`, glslc's -fshader-stage=NAME and file extensions name ("compute", "comp").
/// False, and `stage` untouched, where no stage has that name.
COOPC_API bool stageByName(std::string_view name, Stage& stage);

/// A module as text that SPIRV-Tools' assembler reads back to the same words. "" where the words are not a module: `error`, where
/// given, gets the reason.
COOPC_API std::string disassemble(std::span<const uint32_t> words, std::string* error = nullptr);

/// Whether a warning has this identifier, or it is `all`.
COOPC_API bool isWarning(std::string_view id);

/// All limits with the values that they have without -flimit, in a fixed order.
COOPC_API std::vector<Limit> limits();

/// "1 warning and 2 errors generated.\n", or nothing.
COOPC_API std::string summary(uint32_t errors, uint32_t warnings);

/// The identifiers of all kinds of diagnostics, in a fixed order.
COOPC_API std::vector<std::string> diagnosticIds();

/// "0.1.0"
COOPC_API std::string_view version();

}  // namespace coopc
