// coopc-glslang: the glslang library as a separate program, for the stages and extensions that coopc does
// not compile. coopc starts it (api/glslang_client.cpp) with a socket as its standard input and speaks
// glslang_protocol.hpp to it; a text that crashes glslang ends this process and not its user's.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <list>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "api/protocol/glslang_protocol.hpp"
#include "coopc/coopc.hpp"

namespace {

using namespace coopc::glslang_protocol;

constexpr int kSocket = 0;
constexpr unsigned kCpuSeconds = 300;

// The extensions that #extension may name, from glslang's own list (CMakeLists.txt).
constexpr std::string_view kExtensions[] = {
#include "glslang_extensions.inc"
};

constexpr std::string_view kIncludeLine = "#extension GL_GOOGLE_include_directive : enable\n";

struct Request {
  coopc::Stage stage;
  coopc::TargetEnv env;
  uint32_t spirvVersion = 0;
  uint32_t forcedVersion = 0;
  uint32_t flags = 0;
  Output output = Output::Module;
  uint32_t bindingBase[6] = {};
  std::string preamble;  // the lines with #define and #undef
  std::vector<std::pair<std::string, int>> limits;
  std::vector<std::string> extensions;  // at least one of these must be known
  std::string name;
  std::string source;

  bool has(Flag flag) const { return (flags & flag) != 0; }
};

bool readRequest(std::string_view payload, Request& r) {
  PayloadReader in(payload);
  r.stage = static_cast<coopc::Stage>(in.number());
  r.env = static_cast<coopc::TargetEnv>(in.number());
  r.spirvVersion = in.number();
  r.forcedVersion = in.number();
  r.flags = in.number();
  r.output = static_cast<Output>(in.number());
  for (uint32_t& base : r.bindingBase) base = in.number();
  r.preamble = in.text();
  for (uint32_t n = in.number(); n != 0 && in.good(); --n) {
    const std::string name(in.text());
    r.limits.emplace_back(name, static_cast<int>(in.number()));
  }
  for (uint32_t n = in.number(); n != 0 && in.good(); --n) r.extensions.emplace_back(in.text());
  r.name = in.text();
  r.source = in.text();
  return in.good();
}

EShLanguage languageOf(coopc::Stage stage) {
  using coopc::Stage;
  switch (stage) {
    case Stage::FromSource:
    case Stage::Compute: return EShLangCompute;
    case Stage::Vertex: return EShLangVertex;
    case Stage::Fragment: return EShLangFragment;
    case Stage::Geometry: return EShLangGeometry;
    case Stage::TessControl: return EShLangTessControl;
    case Stage::TessEvaluation: return EShLangTessEvaluation;
    case Stage::Task: return EShLangTask;
    case Stage::Mesh: return EShLangMesh;
    case Stage::RayGeneration: return EShLangRayGen;
    case Stage::Intersection: return EShLangIntersect;
    case Stage::AnyHit: return EShLangAnyHit;
    case Stage::ClosestHit: return EShLangClosestHit;
    case Stage::Miss: return EShLangMiss;
    case Stage::Callable: return EShLangCallable;
  }
  return EShLangCompute;
}

glslang::EShTargetClientVersion clientOf(coopc::TargetEnv env) {
  switch (env) {
    case coopc::TargetEnv::Vulkan1_0: return glslang::EShTargetVulkan_1_0;
    case coopc::TargetEnv::Vulkan1_1: return glslang::EShTargetVulkan_1_1;
    case coopc::TargetEnv::Vulkan1_2: return glslang::EShTargetVulkan_1_2;
    case coopc::TargetEnv::Vulkan1_3: return glslang::EShTargetVulkan_1_3;
    case coopc::TargetEnv::Vulkan1_4: return glslang::EShTargetVulkan_1_4;
    case coopc::TargetEnv::OpenGL4_5: return glslang::EShTargetOpenGL_450;
  }
  return glslang::EShTargetVulkan_1_4;
}

TBuiltInResource resourcesOf(const Request& request) {
  TBuiltInResource resources = *GetDefaultResources();
  struct Row {
    std::string_view name;
    int TBuiltInResource::*field;
    int value;
  };
  static constexpr Row kRows[] = {
#define LIMIT(name, field, value) {#name, &TBuiltInResource::field, value},
#include "api/protocol/limits.def"
#undef LIMIT
  };
  for (const Row& row : kRows) resources.*row.field = row.value;
  for (const auto& [name, value] : request.limits)
    for (const Row& row : kRows)
      if (row.name == name) resources.*row.field = value;
  return resources;
}

// #include, which the compiler's user answers.
class Includer : public glslang::TShader::Includer {
 public:
  explicit Includer(const Request& request) : request_(request) {}

  IncludeResult* includeSystem(const char* name, const char* from, size_t depth) override {
    return ask(name, from, depth, true);
  }
  IncludeResult* includeLocal(const char* name, const char* from, size_t depth) override {
    return ask(name, from, depth, false);
  }
  void releaseInclude(IncludeResult*) override {}

 private:
  struct Found {
    std::string name;
    std::string text;
    IncludeResult result;
    Found(std::string_view n, std::string_view t)
        : name(n), text(t), result(name, text.data(), text.size(), nullptr) {}
  };

  IncludeResult* ask(const char* name, const char* from, size_t depth, bool angled) {
    if (!request_.has(kIncludes)) return nullptr;
    PayloadWriter out;
    out.text(name);
    out.text(from);
    out.number(static_cast<uint32_t>(depth));
    out.number(angled ? 1 : 0);
    Frame kind{};
    std::string payload;
    // If the other side is gone, there is nobody to compile for.
    if (!sendFrame(kSocket, Frame::IncludeAsk, out.bytes()) || !receiveFrame(kSocket, kind, payload) ||
        kind != Frame::IncludeReply)
      std::_Exit(1);
    PayloadReader in(payload);
    const bool found = in.number() != 0;
    const std::string_view shown = in.text();
    const std::string_view text = in.text();
    if (!found || !in.good()) return nullptr;
    return &found_.emplace_back(shown, text).result;
  }

  const Request& request_;
  std::list<Found> found_;
};

struct Finding {
  Severity severity;
  std::string file;
  uint32_t line;  // 0: without a place
  std::string text;
};

// Reads lines `SEVERITY: FILE:LINE: TEXT` and `SEVERITY: TEXT`. The line with the number of errors is left
// out.
void readLog(std::string_view log, std::vector<Finding>& findings) {
  for (size_t at = 0; at < log.size();) {
    const size_t end = std::min(log.find('\n', at), log.size());
    std::string_view line = log.substr(at, end - at);
    at = end + 1;
    // After "required extension not requested: Possible extensions include:" each of the extensions has its
    // own line.
    constexpr std::string_view kChoice = "Possible extensions include:";
    if (!findings.empty() && line.starts_with("GL_") && line.find(' ') == std::string_view::npos &&
        findings.back().text.find(kChoice) != std::string::npos) {
      findings.back().text += (findings.back().text.ends_with(':') ? " " : ", ") + std::string(line);
      continue;
    }
    Finding f{Severity::Warning, {}, 0, {}};
    constexpr std::string_view kError = "ERROR: ", kWarning = "WARNING: ", kInternal = "INTERNAL ERROR: ";
    auto starts = [&](std::string_view word) {
      if (line.substr(0, word.size()) != word) return false;
      line.remove_prefix(word.size());
      return true;
    };
    if (starts(kError) || starts(kInternal)) {
      f.severity = Severity::Error;
    } else if (!starts(kWarning)) {
      if (line.empty()) continue;
      // glslang says this about every such shader: "Warning, version 310 is not yet complete".
      if (line.substr(0, 9) == "Warning, ") continue;
    }
    if (line.find(" compilation errors.  No code generated.") != std::string_view::npos) continue;
    // FILE may contain colons; the place ends with `:NUMBER: `.
    for (size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
      size_t digits = colon + 1;
      uint32_t number = 0;
      while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9' && digits - colon < 9)
        number = number * 10 + static_cast<uint32_t>(line[digits++] - '0');
      if (digits == colon + 1 || line.substr(digits, 2) != ": ") continue;
      f.file = line.substr(0, colon);
      if (f.file == "-1") f.file = "<command line>";  // the number of the preamble
      f.line = number;
      line.remove_prefix(digits + 2);
      break;
    }
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    f.text = line;
    if (!f.text.empty()) findings.push_back(std::move(f));
  }
}

struct Answer {
  Status status = Status::Failed;
  std::vector<uint32_t> words;
  std::string text;
  std::vector<Finding> findings;
};

void compile(const Request& request, Answer& answer) {
  const EShLanguage language = languageOf(request.stage);
  const bool opengl = request.env == coopc::TargetEnv::OpenGL4_5;
  const bool plain = opengl && request.output == Output::Check;  // the language's own rules
  auto messages = static_cast<EShMessages>(EShMsgCascadingErrors | (plain ? EShMsgDefault : EShMsgSpvRules) |
                                           (opengl ? EShMsgDefault : EShMsgVulkanRules));
  if (request.has(kDebugInfo)) messages = static_cast<EShMessages>(messages | EShMsgDebugInfo);
  if (request.has(kHlslOffsets)) messages = static_cast<EShMessages>(messages | EShMsgHlslOffsets);
  const TBuiltInResource resources = resourcesOf(request);

  glslang::TShader shader(language);
  const char* strings[] = {request.source.data()};
  const int lengths[] = {static_cast<int>(request.source.size())};
  const char* names[] = {request.name.c_str()};
  shader.setStringsWithLengthsAndNames(strings, lengths, names, 1);
  shader.setPreamble(request.preamble.c_str());
  shader.setEntryPoint("main");
  const glslang::EShClient client = opengl ? glslang::EShClientOpenGL : glslang::EShClientVulkan;
  if (!plain) {
    shader.setEnvInput(glslang::EShSourceGlsl, language, client, 100);
    shader.setEnvClient(client, clientOf(request.env));
    shader.setEnvTarget(glslang::EShTargetSpv,
                        static_cast<glslang::EShTargetLanguageVersion>(request.spirvVersion));
  }
  shader.setAutoMapBindings(request.has(kAutoBindUniforms));
  shader.setAutoMapLocations(request.has(kAutoMapLocations));
  constexpr glslang::TResourceType kKinds[] = {glslang::EResSampler, glslang::EResTexture, glslang::EResImage,
                                               glslang::EResUbo,     glslang::EResSsbo,    glslang::EResUav};
  for (size_t i = 0; i < std::size(kKinds); ++i) shader.setShiftBinding(kKinds[i], request.bindingBase[i]);
  shader.setNanMinMaxClamp(request.has(kNanClamp));
  shader.setDebugInfo(request.has(kDebugInfo));
  if (request.has(kCombinedImageSampler))
    shader.setTextureSamplerTransformMode(EShTexSampTransUpgradeTextureRemoveSampler);

  Includer includer(request);
  const bool forced = request.forcedVersion != 0;
  // Without #version, a text has the first version of ESSL, or the first version of desktop GLSL if it
  // becomes a module.
  constexpr int kFirstEsVersion = 100, kFirstVersion = 110;
  const int version = forced  ? static_cast<int>(request.forcedVersion)
                      : plain ? kFirstEsVersion
                              : kFirstVersion;
  const EProfile profile = !forced                        ? ENoProfile
                           : request.has(kForcedEs)       ? EEsProfile
                           : request.forcedVersion >= 150 ? ECoreProfile
                                                          : ENoProfile;
  if (request.output == Output::Preprocessed) {
    messages = static_cast<EShMessages>(messages | EShMsgOnlyPreprocessor);
    const bool good =
        shader.preprocess(&resources, version, profile, forced, false, messages, &answer.text, includer);
    readLog(shader.getInfoLog(), answer.findings);
    if (good) answer.status = Status::Done;
    // coopc's line that enables #include for a text without an #extension line.
    if (answer.text.compare(0, kIncludeLine.size(), kIncludeLine) == 0)
      answer.text.erase(0, kIncludeLine.size());
    return;
  }
  const bool parsed = shader.parse(&resources, version, profile, forced, false, messages, includer);
  readLog(shader.getInfoLog(), answer.findings);
  if (!parsed) return;
  glslang::TProgram program;
  program.addShader(&shader);
  const bool linked = program.link(EShMsgDefault) && (plain || program.mapIO());
  readLog(program.getInfoLog(), answer.findings);
  if (!linked) return;
  if (request.output == Output::Check) {
    answer.status = Status::Done;
    return;
  }
  glslang::SpvOptions options;
  options.generateDebugInfo = request.has(kDebugInfo);
  options.disableOptimizer = true;
  spv::SpvBuildLogger logger;
  glslang::GlslangToSpv(*program.getIntermediate(language), answer.words, &logger, &options);
  readLog(logger.getAllMessages(), answer.findings);
  answer.status = Status::Done;
  for (const Finding& f : answer.findings)
    if (f.severity == Severity::Error) answer.status = Status::Failed;
}

bool serve(const std::string& payload) {
  Answer answer;
  Request request;
  if (!readRequest(payload, request)) return false;
  bool known = request.extensions.empty();
  for (const std::string& name : request.extensions)
    for (const std::string_view extension : kExtensions) known = known || extension == name;
  if (known)
    compile(request, answer);
  else
    answer.status = Status::ExtensionsUnknown;
  PayloadWriter out;
  out.number(static_cast<uint32_t>(answer.status));
  out.words(answer.words);
  out.text(answer.text);
  out.number(static_cast<uint32_t>(answer.findings.size()));
  for (const Finding& f : answer.findings) {
    out.number(static_cast<uint32_t>(f.severity));
    out.text(f.file);
    out.number(f.line);
    out.text(f.text);
  }
  return sendFrame(kSocket, Frame::Result, out.bytes());
}

// A compile that never ends must not outlast its user's patience. The limit is for one request.
void limitTime() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  rlimit cpu{};
  getrlimit(RLIMIT_CPU, &cpu);
  const rlim_t wanted = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + kCpuSeconds;
  cpu.rlim_cur = std::min(wanted, cpu.rlim_max);
  setrlimit(RLIMIT_CPU, &cpu);
}

}  // namespace

int main() {
  const rlimit core{0, 0};
  setrlimit(RLIMIT_CORE, &core);
  Frame kind{};
  std::string payload;
  PayloadWriter hello;
  hello.number(kVersion);
  // If nobody listens, the user has started this program by hand.
  if (!sendFrame(kSocket, Frame::Hello, hello.bytes()) || !receiveFrame(kSocket, kind, payload)) {
    std::fputs("coopc-glslang: compiles for coopc, which starts it\n", stderr);
    return 2;
  }
  glslang::InitializeProcess();
  do {
    limitTime();
    if (kind != Frame::Request || !serve(payload)) return 1;
  } while (receiveFrame(kSocket, kind, payload));
  // The library's own clean-up would only free what the end of the process frees.
  std::_Exit(0);
}
