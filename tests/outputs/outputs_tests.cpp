// Whole outputs of many programs, as they were when the files in recorded/ were written: modules,
// lowered modules, advice, messages, findings and reflections. The other tests say what an output must be;
// these notice that one has changed. After an intended change COOPC_UPDATE_EXPECTED=1 rewrites the records;
// what has changed in a module can be seen by `coopc --emit=asm` of both builds.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/lower.hpp"
#include "coopc/profiles.hpp"
#include "coopc/reflect.hpp"
#include "coopc/validate.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/opt/optimize.hpp"
#include "tests/outputs/inputs.hpp"
#include "tests/outputs/records.hpp"
#include "tests/support/mutation.hpp"
#include "tests/support/random.hpp"

namespace coopc::tests {
namespace {

using Words = std::vector<uint32_t>;

std::filesystem::path recordFile(const char* name) {
  return std::filesystem::path(COOPC_OUTPUT_RECORDS) / name;
}

// --- Modules

// Appends the words without the header's generator word, which differs between versions of coopc.
void append(const Words& module, Words& all) {
  for (size_t n = 0; n < module.size(); ++n)
    if (n != spirv::kHeaderGenerator) all.push_back(module[n]);
}

// Checks the modules of all groups with these options. A group that compiles to no module has no line.
void checkModules(const char* file, const std::vector<void (*)(Options&)>& settings, size_t least) {
  Record record(recordFile(file));
  for (const InputGroup& group : inputGroups()) {
    if (record.hasEnoughDifferences()) break;
    std::string line;
    bool any = false;
    for (const auto& set : settings) {
      Words all;
      for (const InputShader& shader : group.shaders) {
        Options options = inputOptions(shader);
        set(options);
        const Words words = compile(shader.text, shader.name, options).words;
        any = any || !words.empty();
        append(words, all);
      }
      line += (line.empty() ? "" : " ") + fingerprintOf(all);
    }
    if (any) record.add(group.name, line);
  }
  record.finish(least);
}

TEST_CASE("modules without optimization, with and without debug information, are the recorded ones") {
  checkModules("modules.txt",
               {[](Options&) {}, [](Options& o) { o.debugInfo = true; },
                [](Options& o) {
                  o.targetEnv = TargetEnv::Vulkan1_0;
                  o.nanClamp = o.invertY = o.autoBindUniforms = o.autoMapLocations = true;
                  o.unusedInterface = false;
                  for (uint32_t& base : o.bindingBase) base = 3;
                }},
               1000);
}

TEST_CASE("modules at -O and -Os are the recorded ones") {
  checkModules("optimized.txt",
               {[](Options& o) { o.optimization = Optimization::Speed; },
                [](Options& o) { o.optimization = Optimization::Size; }},
               1000);
}

// Whether lowering changes the module for a target that has none of the extensions.
bool hasWorkForLowering(const Words& words) {
  spirv::InstructionWalk i(words);
  while (i.next())
    if (i.op() == spv::Op::OpExtension &&
        (i.text(1).find("cooperative") != std::string::npos || i.text(1).find("tensor") != std::string::npos))
      return true;
  return false;
}

std::vector<std::string> loweringNames() {
  std::vector<std::string> names;
  for (const LoweringTarget& target : loweringTargets()) names.emplace_back(target.name);
  for (const ShippedProfile& profile : shippedProfiles()) names.emplace_back(profile.name);
  return names;
}

TEST_CASE("lowered modules are the recorded ones") {
  const std::vector<std::string> targets = loweringNames();
  Record record(recordFile("lowered.txt"));
  size_t lowered = 0;
  for (const InputGroup& group : inputGroups()) {
    if (record.hasEnoughDifferences()) break;
    std::string line;
    size_t next = seedOf(group.name);
    for (const InputShader& shader : group.shaders) {
      Options compileOptions = inputOptions(shader);
      compileOptions.optimization = Optimization::Speed;
      const Words words = compile(shader.text, shader.name, compileOptions).words;
      if (words.empty() || !hasWorkForLowering(words)) continue;
      Words all;
      std::string rendered;
      for (size_t n = 0; n < targets.size(); ++n, ++next) {
        LowerOptions options;
        options.profile = targets[next % targets.size()];
        options.specDefaults = next % 2 == 0;
        options.optimize = next % 3 != 0;
        if (next % 5 == 0) options.without = "nv";
        if (next % 7 == 0) options.without = "vulkan-memory-model";
        const LowerResult result = lower(words, options);
        lowered += result.kind == Lowering::Lowered ? 1 : 0;
        append(result.words, all);
        rendered += renderJson(result);
      }
      line += (line.empty() ? "" : " ") + fingerprintOf(all) + " " + fingerprintOf(rendered);
    }
    if (!line.empty()) record.add(group.name, line);
  }
  record.finish(100);
  if (!record.hasEnoughDifferences()) CHECK(lowered > 400);
}

// The figures for each program, with the defaults of its specialization constants, on some of the devices.
TEST_CASE("advice on settings is the recorded one") {
  constexpr size_t kDevices = 3;
  const std::span<const ShippedProfile> profiles = shippedProfiles();
  Record record(recordFile("advice.txt"));
  size_t estimated = 0;
  for (const InputGroup& group : inputGroups()) {
    if (record.hasEnoughDifferences()) break;
    std::string line;
    size_t next = seedOf(group.name);
    for (const InputShader& shader : group.shaders) {
      const Words words = compile(shader.text, shader.name, inputOptions(shader)).words;
      if (words.empty() || !hasWorkForLowering(words)) continue;
      std::string rendered;
      for (size_t n = 0; n < kDevices; ++n, ++next) {
        AdviceOptions options;
        options.lower.profile = profiles[next % profiles.size()].name;
        options.lower.specDefaults = true;
        options.settings = {{}};
        const AdviceResult advice = advise(words, options);
        estimated += std::ranges::count_if(advice.settings, [](const auto& s) { return s.cycles > 0; });
        rendered += renderJson(advice) + renderText(advice);
      }
      line += (line.empty() ? "" : " ") + fingerprintOf(rendered);
    }
    if (!line.empty()) record.add(group.name, line);
  }
  record.finish(100);
  if (!record.hasEnoughDifferences()) CHECK(estimated > 100);
}

// --- Messages

std::string describe(const Diagnostic& d) {
  std::string text = d.id + ":" + std::to_string(int(d.severity)) + ":" + std::to_string(d.line) + ":" +
                     std::to_string(d.column) + ":" + std::to_string(d.length) + ":" + d.suggestion;
  for (const std::string& argument : d.arguments) text += "," + argument;
  for (const Note& note : d.notes)
    text += ";" + std::to_string(note.line) + ":" + std::to_string(note.column);
  return text + "\n";
}

// Compares kinds, places and arguments of messages, with all warnings. Their wording is tested by
// tests/shaders.
TEST_CASE("messages of programs and of changed programs are the recorded ones") {
  constexpr size_t kChanges = 4;
  const std::vector<std::string> vocabulary = {
      "int",    "vec3",      "uniform", "highp",       "in",
      "buffer", "float16_t", "x",       "gl_Position", "layout(location = 1)",
      "flat",   "shared",    "mat2"};
  Record record(recordFile("messages.txt"));
  size_t messages = 0;
  for (const InputGroup& group : inputGroups()) {
    if (record.hasEnoughDifferences()) break;
    std::string all;
    for (const InputShader& shader : group.shaders) {
      Random random(shader.text.size());
      const bool ofFile = group.shaders.size() == 1;  // the shaders of a larger group are many and similar
      for (size_t n = 0; n <= (ofFile ? kChanges : 0); ++n) {
        Options options = inputOptions(shader);
        options.output = Output::Check;
        options.warnings = {{"all", true}};
        const Result result =
            compile(n == 0 ? shader.text : mutate(shader.text, vocabulary, random), shader.name, options);
        messages += result.diagnostics.size();
        for (const Diagnostic& d : result.diagnostics) all += describe(d);
      }
    }
    record.add(group.name, fingerprintOf(all));
  }
  record.finish(1000);
  if (!record.hasEnoughDifferences()) CHECK(messages > 5000);
}

// --- Broken modules

// Where the instructions of a module are.
std::vector<size_t> instructionsOf(const Words& words) {
  std::vector<size_t> at;
  spirv::InstructionWalk i(words);
  while (i.next()) at.push_back(i.at());
  return at;
}

// Changes one operand: to an operand of another instruction, by 1, or to a small number.
void changeOperand(Words& words, const std::vector<size_t>& instructions, Xorshift& random) {
  const auto operand = [&]() -> uint32_t& {
    for (;;) {
      const size_t at = instructions[random.below(instructions.size())];
      const size_t length = words[at] >> spv::WordCountShift;
      if (length > 1) return words[at + 1 + random.below(length - 1)];
    }
  };
  uint32_t& changed = operand();
  switch (random.below(4)) {
    case 0: changed += 1; break;
    case 1: changed = random.below(32); break;
    default: changed = operand(); break;
  }
}

struct BaseModule {
  std::string name;
  Words words;
};

// All modules that no compile makes, all compiled modules with something to lower, and a quarter of the
// others.
std::vector<BaseModule> baseModules() {
  std::vector<BaseModule> modules;
  for (auto& [name, words] : inputModules()) modules.push_back({name, std::move(words)});
  for (const InputGroup& group : inputGroups()) {
    const uint32_t n = seedOf(group.name);
    const InputShader& shader = group.shaders.front();
    Options options = inputOptions(shader);
    options.optimization = n % 4 == 0 ? Optimization::Speed : Optimization::None;
    options.debugInfo = n % 3 == 0;
    Words words = compile(shader.text, shader.name, options).words;
    if (words.empty()) continue;
    if (n % 4 == 0 || hasWorkForLowering(words)) modules.push_back({group.name, std::move(words)});
  }
  return modules;
}

TEST_CASE("findings in changed modules and their reflections are the recorded ones") {
  constexpr size_t kChanges = 24;
  const std::span<const ShippedProfile> profiles = shippedProfiles();
  Record record(recordFile("findings.txt"));
  size_t changed = 0, findings = 0;
  for (const BaseModule& module : baseModules()) {
    if (record.hasEnoughDifferences()) break;
    const std::vector<size_t> instructions = instructionsOf(module.words);
    const size_t seed = seedOf(module.name);
    Xorshift random{0x9E3779B97F4A7C15u + seed};
    std::string rendered, reflected;
    // The first two rounds use the module as it is, with and without a device.
    for (size_t n = 0; n < kChanges + 2; ++n, ++changed) {
      Words words = module.words;
      if (n >= 2) changeOperand(words, instructions, random);
      ValidateOptions options;
      if (n % 2 == 1) options.profile = profiles[(seed + n) % profiles.size()].text;
      const CheckedFile file{module.name, validate(words, options)};
      findings += file.result.findings.size();
      rendered += renderText(file);
      const Reflection reflection = reflect(words, {.specializations = {}, .profile = options.profile});
      reflected += reflection.ok() ? renderJson(reflection) : reflection.error;
    }
    record.add(module.name, fingerprintOf(rendered) + " " + fingerprintOf(reflected));
  }
  record.finish(200);
  if (record.hasEnoughDifferences()) return;
  CHECK(changed > 5000);
  CHECK(findings > 2000);
}

// --- Pipelines

using Pipeline = std::vector<Words>;

// The modules of each generated program of several stages, and combinations of shaders that were not written
// for each other.
std::vector<std::pair<std::string, Pipeline>> pipelines() {
  std::vector<std::pair<std::string, Pipeline>> all;
  std::map<Stage, std::vector<Words>> ofStage;
  for (const InputGroup& group : inputGroups()) {
    if (group.name.starts_with("builtins/")) continue;
    Pipeline modules;
    for (const InputShader& shader : group.shaders) {
      if (shader.stage == Stage::Compute) continue;
      Words words = compile(shader.text, shader.name, inputOptions(shader)).words;
      if (words.empty()) continue;
      ofStage[shader.stage].push_back(words);
      modules.push_back(std::move(words));
    }
    if (modules.size() > 1) all.emplace_back(group.name, std::move(modules));
  }
  const std::vector<std::vector<Stage>> kinds = {
      {Stage::Vertex, Stage::Fragment},
      {Stage::Vertex, Stage::Geometry, Stage::Fragment},
      {Stage::Vertex, Stage::TessControl, Stage::TessEvaluation, Stage::Fragment},
      {Stage::Mesh, Stage::Fragment},
      {Stage::Task, Stage::Mesh, Stage::Fragment}};
  for (size_t kind = 0; kind < kinds.size(); ++kind)
    for (size_t n = 0; n < 60; ++n) {
      Pipeline modules;
      for (const Stage stage : kinds[kind])
        modules.push_back(ofStage[stage].at(n * (modules.size() + 1) % ofStage[stage].size()));
      all.emplace_back("pipeline" + std::to_string(kind) + "/" + std::to_string(n), std::move(modules));
    }
  return all;
}

// The instructions before the first function: types, variables, decorations, entry points.
std::vector<size_t> declarationsOf(const Words& words) {
  std::vector<size_t> at;
  spirv::InstructionWalk i(words);
  while (i.next() && i.op() != spv::Op::OpFunction) at.push_back(i.at());
  return at;
}

TEST_CASE("findings in pipelines of changed modules are the recorded ones") {
  constexpr size_t kChanges = 8;
  Record record(recordFile("pipelines.txt"));
  size_t findings = 0;
  for (const auto& [name, pipeline] : pipelines()) {
    if (record.hasEnoughDifferences()) break;
    Xorshift random{0xE7037ED1A0B428DBu + pipeline.front().size()};
    std::string rendered;
    for (size_t n = 0; n <= kChanges; ++n) {
      Pipeline changed = pipeline;
      if (n > 0) {
        Words& module = changed[n % changed.size()];
        changeOperand(module, declarationsOf(module), random);
      }
      std::vector<PipelineModule> modules;
      std::vector<ValidateResult> results;
      for (const Words& words : changed) {
        modules.push_back({words, n % 3 == 0 ? "main" : ""});
        results.push_back(validate(words));
      }
      validatePipeline(modules, {}, results);
      for (ValidateResult& result : results) {
        findings += result.findings.size();
        rendered += renderText({"module", std::move(result)});
      }
    }
    record.add(name, fingerprintOf(rendered));
  }
  record.finish(300);
  if (!record.hasEnoughDifferences()) CHECK(findings > 1000);
}

TEST_CASE("modules that no compile makes, and changed ones, are optimized and lowered as recorded") {
  constexpr size_t kChanges = 6;
  Record record(recordFile("module_passes.txt"));
  size_t optimized = 0;
  const std::vector<std::string> targets = loweringNames();
  for (const BaseModule& module : baseModules()) {
    if (record.hasEnoughDifferences()) break;
    const std::vector<size_t> instructions = instructionsOf(module.words);
    Xorshift random{0xA0761D6478BD642Fu + seedOf(module.name)};
    Words all;
    std::string rendered;
    for (size_t n = 0; n <= kChanges; ++n) {
      Words words = module.words;
      if (n > 0) changeOperand(words, instructions, random);
      LowerOptions options;
      options.profile = targets[n % targets.size()];
      const LowerResult lowered = lower(words, options);
      rendered += renderJson(lowered);
      append(lowered.words, all);
      // The optimizer only takes valid modules.
      if (n > 0 && !validate(words).ok()) continue;
      optimized +=
          spirv::optimize(words, n % 2 == 0 ? spirv::OptLevel::Speed : spirv::OptLevel::Size, nullptr) ? 1
                                                                                                       : 0;
      append(words, all);
    }
    record.add(module.name, fingerprintOf(all) + " " + fingerprintOf(rendered));
  }
  record.finish(200);
  if (!record.hasEnoughDifferences()) CHECK(optimized > 200);
}

}  // namespace
}  // namespace coopc::tests
