// coopc as a library, for C++: GLSL shaders to SPIR-V.
//
//     coopc::Options options;
//     options.targetEnv = coopc::TargetEnv::Vulkan1_3;
//     const coopc::Result result = coopc::compile(text, "shader.comp", options);
//     if (!result.ok) std::fputs(result.messages.c_str(), stderr);
//     else use(result.words);
//
// The same text, name and options give the same words. coopc.h is the interface for C, with a stable binary
// interface.
//
// Ownership: results and all their members belong to the caller; arguments are only read, during the call. A
// FileCache must outlive the options that have its resolver.
// Threads: there is no global state. Any number of calls may run in any number of threads, also with the same
// options. Any number of threads may call members of a FileCache or GlslangPool at once; other objects are
// not locked.
// Errors: errors in programs are reported as diagnostics, and wrong options as Status::BadArgument, never as
// exceptions. If memory is exhausted, std::bad_alloc is thrown. Exceptions of the caller's own functions
// (Options::include, Options::cancelled) pass through.
// Units: sizes, lengths and columns are in bytes, lines and columns count from 1; modules are 32-bit words in
// this machine's byte order.
//
// Stack: 512 KiB are enough for any text. If the calling thread has less left, the nesting limit is lower
// (Options::stackBytes); 64 KiB are the minimum.
#pragma once

#if (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) < 202002L
#error "coopc's C++ interface needs C++20 (-std=c++20, /std:c++20); older programs can use its C interface"
#endif

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
  None,   ///< -O0: one Function variable for each variable, only what the language requires is folded
  Speed,  ///< -O
  Size,   ///< -Os
};

enum class Output {
  Module,        ///< Result::words
  Assembly,      ///< Result::words and Result::text, as SPIRV-Tools' assembler reads it
  Preprocessed,  ///< Result::text: the text after preprocessing; nothing is compiled
  Dependencies,  ///< Result::dependencies only; nothing is compiled
  /// Result::diagnostics only. With OpenGL4_5 only GLSL's own rules apply: texts of any version pass, and so
  /// do features that SPIR-V lacks.
  Check,
};

enum class Severity { Note, Warning, Error, Fatal };

/// How a compile ended. The same values as in coopc_status (status.h).
enum class Status {
  Ok,              ///< no errors
  InputError,      ///< the text has errors: Result::diagnostics
  BadArgument,     ///< an option is out of its range: Result::messages says which; nothing was compiled
  OutOfMemory,     ///< Options::memoryLimit was exceeded; exhausted memory throws std::bad_alloc instead
  HelperMissing,   ///< the text needs coopc-glslang, which was not found
  Internal,        ///< a defect of the compiler, or of coopc-glslang
  Cancelled,       ///< by Options::cancelled; there are no diagnostics
  CallbackFailed,  ///< only in the C interface; here the exception passes through
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
  /// The parts of the message that depend on the program, such as names and types, in the order of the format
  /// of this kind of diagnostic: programs that offer corrections need not parse the message.
  std::vector<std::string> arguments;
  std::string clause;      ///< the clause of the specification that has the rule, or empty
  std::string suggestion;  ///< a replacement for the text at this place, or empty
  std::string file;        ///< after #line; empty: without a place
  uint32_t line = 0;       ///< 1-based, after #line
  uint32_t column = 0;     ///< 1-based, in bytes
  uint32_t length = 0;     ///< bytes concerned
  std::vector<Note> notes;
};

/// A text that several compiles in any threads read without copying it. Copies of the object share the text.
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
  std::shared_ptr<const frontend::LexedText> lexed_;  ///< if a FileCache keeps tokens
};

/// The text of a file ("-": the standard input), or no text if it cannot be read; `error`, if given, gets the
/// reason (a value of errno). A file that is too large to compile is truncated.
COOPC_API SharedText readFile(const std::string& path, int* error = nullptr);

struct Include {
  std::string name;  ///< shown in messages and dependencies, and the next resolver's `from`
  std::string text;
  SharedText shared = {};  ///< used instead of `text`, if it has a text
  /// False: there is no such file, as if the resolver returned nothing, but `missing` is used.
  bool found = true;
  std::vector<std::string> missing = {};  ///< paths at which it was not found; they go to Result::missing
};
/// Finds an included file: the name as written, whether it is in angle brackets, the name of the including
/// file, and the including file's depth (1: the file given to compile). Returns nothing if there is no such
/// file. Called in the thread that compiles.
using IncludeResolver = std::function<std::optional<Include>(std::string_view name, bool angled,
                                                             std::string_view from, uint32_t depth)>;

struct Macro {
  std::string name;   ///< also `F(x)`
  std::string value;  ///< none is an empty macro, as `-D NAME` alone
  bool undefine = false;
};

/// A limit of the implementation, one of limits(). It is the value of a gl_Max... constant, and checks use
/// it.
struct Limit {
  std::string name;  ///< "MaxComputeWorkGroupSizeX"
  int value = 0;
};

/// Switches a warning on or off by its identifier (`missing-return`). `all` means the warnings that are off
/// by default, about code that glslang accepts silently.
struct WarningSwitch {
  std::string id;
  bool on = true;
};

/// The kind of a resource: the index of a binding base.
enum class ResourceKind { Sampler, Texture, Image, UniformBuffer, StorageBuffer, Uav };
struct StageBindingBase {
  Stage stage = Stage::Compute;
  ResourceKind kind = ResourceKind::Sampler;
  uint32_t base = 0;
};

/// Keeps programs coopc-glslang running for the next compile, because starting one costs a tenth of a second.
/// Any number of threads may use a pool; each uses its own program while it compiles. The programs end with
/// the pool.
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
  Stage stage = Stage::Compute;  ///< not taken from the name; stageByName() gives a file extension's stage
  /// With stage FromSource: the stage of a text that names none; FromSource: an error.
  Stage defaultStage = Stage::FromSource;
  TargetEnv targetEnv = TargetEnv::Vulkan1_0;
  /// SPIR-V version as major << 16 | minor << 8; 0: the version of the environment (1.0, 1.3, 1.5, 1.6, 1.6).
  uint32_t spirvVersion = 0;
  Optimization optimization = Optimization::None;
  Output output = Output::Module;
  bool debugInfo = false;         ///< -g: lines, columns and the source
  bool suppressWarnings = false;  ///< -w
  bool warningsAsErrors = false;  ///< -Werror: the warnings that are on
  /// Warnings that cite a clause of a specification are errors, unless `warnings` turns them off.
  bool strict = false;
  /// -WID, -Wno-ID, -Wall, in order; unknown identifiers have no effect
  std::vector<WarningSwitch> warnings;
  bool coloredMessages = false;  ///< Result::messages has colors, as terminals show them (ECMA-48)
  /// Result::messages and preprocessed text have glslc's form: `FILE:LINE: error: TEXT`, without columns,
  /// source lines and notes.
  bool glslcForm = false;
  uint32_t forcedVersion = 0;  ///< -std=: the language version, which overrides #version; 0: no override
  bool forcedEs = false;       ///< forcedVersion is a version of ESSL
  std::vector<Macro> macros;   ///< in order; the last definition of a name counts
  IncludeResolver include;     ///< with one, #include needs no #extension (as in glslc); without one it fails
  std::string entryPoint = "main";
  bool autoBindUniforms = false;  ///< -fauto-bind-uniforms
  bool autoMapLocations = false;  ///< -fauto-map-locations
  /// By ResourceKind: a number that is added to bindings, and the first binding of -fauto-bind-uniforms.
  uint32_t bindingBase[6] = {0, 0, 0, 0, 0, 0};
  /// the same for one stage; the last match overrides bindingBase
  std::vector<StageBindingBase> stageBindingBase;
  std::vector<Limit> limits;      ///< -flimit; the last one of a name wins
  bool nanClamp = false;          ///< -fnan-clamp: min, max and clamp prefer operands that are not NaN
  bool invertY = false;           ///< -finvert-y: of vertex, tessellation evaluation and geometry shaders
  bool preserveBindings = false;  ///< -fpreserve-bindings: optimization keeps unused resources
  /// -O0 keeps unused resources, push constants and specialization constants, so that a pipeline layout can
  /// be made from the module; false is -fno-unused-interface. Other levels remove them.
  bool unusedInterface = true;
  /// -fgenerator=: the generator word of the module's header; 0: the compiler's default.
  uint32_t generator = 0;
  /// Whether the program coopc-glslang may be used. It compiles shaders for OpenGL, shaders that need an
  /// extension that only glslang supports, and the option autoCombinedImageSampler.
  bool allowGlslang = true;
  std::string glslangProgram;  ///< its path; "": the variable COOPC_GLSLANG, or where it is installed
  std::shared_ptr<GlslangPool> glslangPool;  ///< none: the program is started for each compile that needs it
  bool hlslOffsets = false;  ///< -fhlsl-offsets: members of blocks are laid out as in HLSL (docs/glslc.md)
  bool autoCombinedImageSampler = false;  ///< -fauto-combined-image-sampler
  /// Called between the steps of a compile and at each #include, in its thread: true ends it
  /// (Status::Cancelled).
  std::function<bool()> cancelled;
  /// The bytes left on the stack; 0: the library asks the system, which works in the system's threads, but
  /// not in fibers with their own stacks.
  size_t stackBytes = 0;
  /// Limit of the compile's memory in bytes; 0: no limit. A compile that exceeds it ends with
  /// Status::OutOfMemory. Memory that grows with the text is counted as it grows: copies and lines of the
  /// text, names of files, tokens, names, the typed program, diagnostics and their texts, the module, tables
  /// of the passes, and text output. Memory of callbacks, caches and coopc-glslang is not counted. While an
  /// array grows, its old and new memory both exist, and tables have overhead, so a compile may take up to
  /// about three times the limit.
  size_t memoryLimit = 0;
  /// With debugInfo at Optimization::None: functions, scopes, types and variables too
  /// (NonSemantic.Shader.DebugInfo); false: lines, columns and the source alone, as other levels have them.
  bool debugScopes = true;
};

/// A compile's result. Its members belong to the caller, who may move the words out of it.
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
  /// Files that #include did not find (FileCache's resolver, Include::missing), each once: once one of them
  /// exists, another compile may find another file. Watch them together with the dependencies.
  std::vector<std::string> missing;
};

/// The SPIR-V version of the modules that a compile with these options makes.
COOPC_API uint32_t spirvVersionFor(const Options& options);

/// Compiles `source`; `name` is used in messages.
COOPC_API Result compile(std::string_view source, std::string_view name, const Options& options = {});
COOPC_API Result compile(const SharedText& source, std::string_view name, const Options& options = {});

/// Files that compiles share. Each is opened and read at most once, and a missing file is looked for at most
/// once, until invalidate() or refresh() drops it. Any number of threads may call members while others
/// compile: a running compile keeps its texts. A text lives as long as the cache or a copy of the SharedText.
class COOPC_API FileCache {
 public:
  /// How much of a file is kept. Tokens: also its tokens, for all compiles that get the text from this cache,
  /// which is faster as soon as two of them read the same file. A text then takes about five times its size.
  /// Beyond 256 MiB in all, and for texts with lexical errors, each compile makes its own tokens.
  enum class Keep { Text, Tokens };
  explicit FileCache(Keep keep = Keep::Tokens);
  ~FileCache();
  FileCache(const FileCache&) = delete;
  FileCache& operator=(const FileCache&) = delete;

  /// The file's text, or none if it cannot be read; `error`, if given, gets the reason (a value of errno).
  SharedText read(const std::string& path, int* error = nullptr);
  /// Puts a text at `path`, which replaces the file on disk until invalidate(path): for generated or unsaved
  /// texts.
  void put(const std::string& path, std::string_view text);
  /// Drops a file, also one that put() added: the next compile reads it again. True if it was known.
  bool invalidate(const std::string& path);
  /// Drops all files.
  void invalidateAll();
  /// Drops files that have changed on disk (size, modification time or identity), were deleted, or were
  /// missing and exist now. Returns their paths. Files that put() added stay.
  std::vector<std::string> refresh();
  /// #include as glslc searches: "NAME" in the including file's folder, then in each folder of `folders`;
  /// <NAME> only in those. Relative paths start in `directory` ("": the current one), which is not part of
  /// the names. The cache must outlive the resolver.
  IncludeResolver resolver(std::vector<std::string> folders, std::string directory = {});
  /// The number of files in the cache: read, put, or not found.
  uint64_t countFiles() const;
  /// The number of files lexed so far, each once; compiles read their tokens.
  uint64_t countLexed() const;

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

/// Compiles all jobs with `threads` threads (0: one for each processor), this one included. `done` is called
/// once for each job as it ends, in the thread that compiled it. Each result is the same as compile()'s.
/// After an exception of `done` no further job starts; it is thrown here.
COOPC_API void compileAll(const std::vector<Job>& jobs,
                          const std::function<void(size_t job, Result&& result)>& done, unsigned threads = 0);
/// The same; results in the order of the jobs.
COOPC_API std::vector<Result> compileAll(const std::vector<Job>& jobs, unsigned threads = 0);

/// Calls body(0) to body(count - 1), each once, in `threads` threads (0: one for each processor), including
/// this one. After an exception no further call starts; it is thrown here. compileAll uses this function.
COOPC_API void parallelFor(size_t count, unsigned threads, const std::function<void(size_t)>& body);

/// The stage with this name in `#pragma shader_stage(NAME)`, glslc's -fshader-stage=NAME or a file extension
/// ("compute", "comp"). False, and `stage` unchanged, if there is none.
COOPC_API bool stageByName(std::string_view name, Stage& stage);

/// A module as text that SPIRV-Tools' assembler reads back to the same words, or "" if the words are not a
/// module; `error`, if given, gets the reason.
COOPC_API std::string disassemble(std::span<const uint32_t> words, std::string* error = nullptr);

/// Assembles a text, as `spirv-as` takes it and disassemble() writes it, to the words of a module of
/// `spirvVersion` (major << 16 | minor << 8, 1.0 to 1.6). The module is not validated. Empty if the text has
/// errors; `error`, if given, gets LINE:COLUMN: TEXT.
COOPC_API std::vector<uint32_t> assembleText(std::string_view text, uint32_t spirvVersion,
                                             std::string* error = nullptr);

/// Whether this version of GLSL (450), or with `es` of ESSL (310), exists.
COOPC_API bool isLanguageVersion(uint32_t version, bool es);

/// Whether this is the identifier of a warning, or `all`.
COOPC_API bool isWarning(std::string_view id);

/// All limits with their default values, in a fixed order.
COOPC_API std::vector<Limit> limits();

/// "1 warning and 2 errors generated.\n", or "" if both are 0.
COOPC_API std::string summary(uint32_t errors, uint32_t warnings);

/// The identifiers of all kinds of diagnostics, in a fixed order.
COOPC_API std::vector<std::string> diagnosticIds();

/// "0.1.0"
COOPC_API std::string_view version();

}  // namespace coopc
