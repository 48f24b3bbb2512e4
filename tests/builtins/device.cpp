// Runs shaders of value tests; see device.hpp.
#include "tests/builtins/device.hpp"

#include "coopc/coopc.hpp"
#include "frontend/parse/parser.hpp"
#include "frontend/program/walk.hpp"
#include "harness/lowering.hpp"
#include "tests/builtins/coverage.hpp"
#include "tests/builtins/overloads.hpp"
#include "tests/support/spirv_checks.hpp"
#include "vulkan/executor/preflight.hpp"

namespace coopc::tests {

namespace {

bool noting = false;
Coverage noted;
// For the current test: the number of shaders that ran, and the reasons why others did not, with their
// counts.
size_t ran = 0;
std::map<std::string, size_t> leftOut;

std::vector<void (*)()>& bodies() {
  static std::vector<void (*)()> all;
  return all;
}

// The names of functions by operation and parameters. One operation may have several names.
const std::multimap<std::pair<int, std::string>, std::string>& overloadsByCall() {
  static const auto map = [] {
    std::multimap<std::pair<int, std::string>, std::string> m;
    for (const Overload& o : allOverloads()) m.emplace(std::pair(o.operation, o.parameters), o.function);
    return m;
  }();
  return map;
}

bool containsWord(const std::string& text, const std::string& word) {
  const auto partOfWord = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || !partOfWord(text[at - 1])) && !partOfWord(text[at + word.size()])) return true;
  return false;
}

}  // namespace

void leaveOut(const std::string& reason) { ++leftOut[reason]; }

bool notingCoverage() { return noting; }

ValuesTest::ValuesTest(void (*body)()) { bodies().push_back(body); }

void runValuesTest(void (*body)()) {
  ran = 0;
  leftOut.clear();
  body();
  if (leftOut.empty()) return;
  std::string text;
  for (const auto& [reasons, shaders] : leftOut)
    text += "\n" + std::to_string(shaders) + (shaders == 1 ? " shader: " : " shaders: ") + reasons;
  if (ran == 0) SKIP("the device lacks" << text);
  WARN("left out, " << ran << " shaders ran" << text);
}

Coverage coverage() {
  noting = true;
  noted = {};
  for (void (*body)() : bodies()) body();
  noting = false;
  return std::move(noted);
}

void noteCalls(const std::string& text, const std::vector<std::string>& lacks) {
  frontend::CompileOptions options;
  options.env = frontend::TargetEnv::Vulkan1_3;
  options.spirvVersion = 0x00010600;
  frontend::SourceManager sources;
  frontend::Names names;
  frontend::Diagnostics diagnostics(sources);
  frontend::Program program;
  const frontend::FileId file = sources.addFile("test.comp", text);
  frontend::parseProgram(options, frontend::preprocess(options, sources, diagnostics, names, file),
                         diagnostics, names, program);
  std::set<std::string> calls;
  for (const frontend::Expr& e : program.exprs) {
    if (e.op != frontend::ExprOp::CallBuiltin) continue;
    std::string parameters;
    frontend::forEachOperand(program, e, [&](frontend::ExprId argument) {
      const frontend::TypeId type = program.exprs[argument].type;
      parameters += (parameters.empty() ? "" : ", ") + frontend::typeName(program, names, type);
    });
    const auto [from, to] = overloadsByCall().equal_range({static_cast<int>(e.builtin()), parameters});
    for (auto i = from; i != to; ++i)
      if (containsWord(text, i->second)) calls.insert(i->second + "(" + parameters + ")");
  }
  for (const std::string& call : calls) {
    if (lacks.empty())
      noted.executed.insert(call);
    else
      noted.skipped[call].insert(lacks.begin(), lacks.end());
  }
}

bool runShader(ShaderRun& run) {
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  const Result compiled = compile(run.text, "test.comp", options);
  INFO(run.text);
  INFO(compiled.messages);
  REQUIRE(compiled.ok);
  vk::RunRequest request;
  request.module = compiled.words;
  request.groups = {run.groups, 1, 1};
  request.dispatches = run.dispatches;
  for (uint32_t i = 0; i < run.buffers.size(); ++i) {
    vk::RunBuffer b;
    b.name = "b" + std::to_string(i);
    b.binding = i;
    b.contents = run.buffers[i];
    b.bytes = b.contents.size();
    request.buffers.push_back(std::move(b));
  }
  request.images = run.images;
  if (noting) {
    noteCalls(run.text, vk::preflight(testDevice(), request).reasons);
    return false;
  }
  vk::Preflight possible = vk::preflight(testDevice(), request);
  spirv::lower::LowerAnswer answer;  // owns the module that runs
  if (run.lowers) {
    const auto targets = harness::loweringTargets(testDevice(), "", "");
    REQUIRE(targets);
    harness::lowerWhereNeeded(testDevice(), &*targets, request, possible, answer);
    if (answer.kind == spirv::lower::LowerAnswer::Kind::Lowered)
      CHECK(validateLinked(answer.words, {}) == "");
    if (possible.kind == vk::RunOutcome::Kind::Skipped) {
      for (const std::string& r : possible.reasons) ++leftOut[r];
      return false;
    }
  }
  request.devices = &keptDevices();
  const vk::RunOutcome outcome = vk::run(vulkan(), testDevice(), request);
  std::string reasons;
  for (const std::string& r : outcome.reasons) reasons += (reasons.empty() ? "" : "; ") + r;
  if (outcome.kind == vk::RunOutcome::Kind::Skipped) {
    ++leftOut[reasons];
    return false;
  }
  ++ran;
  INFO(reasons);
  REQUIRE(outcome.kind == vk::RunOutcome::Kind::Done);
  CHECK(outcome.strayWrites.empty());
  for (size_t i = 0; i < run.buffers.size(); ++i) run.buffers[i] = std::move(request.buffers[i].contents);
  run.images = std::move(request.images);
  return true;
}

bool runShader(const std::string& text, std::vector<std::vector<uint8_t>>& buffers, uint32_t groups,
               std::vector<vk::RunImage> images) {
  ShaderRun run{text, std::move(buffers), std::move(images), groups, 1};
  const bool done = runShader(run);
  buffers = std::move(run.buffers);
  return done;
}

}  // namespace coopc::tests
