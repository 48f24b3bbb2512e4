// Modules that no compiler writes: the reader, the disassembler and the passes must handle any words.
#include <algorithm>
#include <filesystem>
#include <map>

#include <catch2/catch_test_macros.hpp>

#include "spirv/builder.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/opt/optimize.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"
#include "tests/spirv/spirv_text.hpp"
#include "tests/support/random.hpp"
#include "tests/support/text_file.hpp"

namespace coopc::tests {
namespace {

using spirv::Builder;
using spirv::Id;
using spirv::Section;
namespace op = spirv::op;

enum class Outcome { Refused, Read, Sound, Valid };

// Optimizes the words at each level. Unreadable words must give an error of one line; readable words must
// give a readable module, which is well-formed and valid if the words were. `whole`: also ask SPIRV-Tools'
// validator.
Outcome through(const std::vector<uint32_t>& words, bool whole = false) {
  spirv::ReadError error;
  const std::optional<spirv::Module> module = spirv::readModule(words, error);
  if (!module) {
    CHECK(!error.message.empty());
    CHECK(error.message.find('\n') == std::string::npos);
    CHECK(error.word <= words.size());
    std::vector<uint32_t> same = words;
    std::string message;
    CHECK_FALSE(spirv::optimize(same, spirv::OptLevel::Speed, &message));
    CHECK(message.find(error.message) != std::string::npos);
    CHECK(same == words);
    return Outcome::Refused;
  }
  CHECK(!spirv::disassemble(*module).empty());
  const bool sound = spirv::structureFault(*module).empty();
  const bool valid = whole && sound && validate(words).empty();
  for (const spirv::OptLevel level : {spirv::OptLevel::Speed, spirv::OptLevel::Size}) {
    std::vector<uint32_t> result = words;
    spirv::OptOptions options;
    options.level = level;
    options.checkPasses = true;
    std::string message;
    const bool optimized = spirv::optimize(result, options, &message);
    INFO(message);
    CHECK(optimized);
    // An invalid module may become another invalid one.
    if (!sound) continue;
    const std::optional<spirv::Module> after = spirv::readModule(result, error);
    INFO(error.message);
    REQUIRE(after);
    CHECK(spirv::structureFault(*after) == "");
    if (valid) CHECK(validate(result) == "");
  }
  return valid ? Outcome::Valid : sound ? Outcome::Sound : Outcome::Read;
}

TEST_CASE("changed words neither crash nor hang") {
  namespace fs = std::filesystem;
  Xorshift random{88172645463325252u};
  size_t read = 0;
  std::map<Outcome, size_t> outcomes;
  std::vector<fs::path> paths;
  for (const auto& entry : fs::recursive_directory_iterator(COOPC_PASS_CASES))
    if (entry.path().extension() == ".spvasm" && entry.path().stem() != "prelude")
      paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());  // so that the changes are the same on every file system
  for (const fs::path& path : paths) {
    const std::string source = fileText(path);
    const std::string prelude = fileText(fs::path(COOPC_PASS_CASES) / "prelude.spvasm");
    const bool whole = source.rfind("; whole module", 0) == 0;
    const std::vector<uint32_t> good = assemble(whole ? source : prelude + source);
    ++read;
    std::vector<size_t> starts;
    spirv::InstructionWalk walk(good);
    while (walk.next()) starts.push_back(walk.at());
    for (int round = 0; round < 200; ++round) {
      std::vector<uint32_t> words = good;
      for (uint32_t k = 0, n = 1 + random.below(3); k < n; ++k) {
        const size_t at = starts[random.below(starts.size())];
        const uint32_t length = good[at] >> spv::WordCountShift;
        const size_t other = starts[random.below(starts.size())];
        switch (random.below(5)) {
          case 0: words[at + random.below(length)] = random.below(good[3]); break;
          case 1: words[at + random.below(length)] ^= 1u << random.below(32); break;
          case 2: words[at + random.below(length)] += 1; break;
          case 3:
            if ((good[other] >> spv::WordCountShift) == length) words[at] = good[other];
            break;
          default:
            if (length > 1 && other + 1 < words.size())
              words[at + 1 + random.below(length - 1)] = words[other + 1];
            break;
        }
      }
      ++outcomes[through(words, true)];
    }
  }
  CHECK(read > 20);
  // A lower count would mean that one kind of input was hardly tried.
  for (const Outcome o : {Outcome::Refused, Outcome::Read, Outcome::Sound, Outcome::Valid})
    CHECK(outcomes[o] > 100);
}

// The frame of a module with one entry point; `body` writes the function's blocks after the entry label.
template <class Body>
std::vector<uint32_t> module(Builder& b, Body&& body) {
  const Id main = b.id();
  b.capability(spv::Capability::Shader);
  b.memoryModel(spv::AddressingModel::Logical, spv::MemoryModel::GLSL450);
  b.entryPoint(spv::ExecutionModel::GLCompute, main, "main", {});
  b.make<op::ExecutionMode>(
      Section::ExecutionModes,
      {.entryPoint = main, .mode = spv::ExecutionMode::LocalSize, .parameters = {1, 1, 1}});
  const Id none = b.typeVoid();
  const Id function = b.typeFunction(none, {});
  b.beginFunction(main, none, spv::FunctionControlMask::MaskNone, function);
  b.label(b.id());
  body();
  b.make<op::Return>(Section::Functions);
  b.endFunction();
  return b.finish(0x00010600, 0);
}

TEST_CASE("deep nesting of selections costs no stack") {
  Builder b;
  const Id boolean = b.typeBool();
  const Id type = b.typePointer(spv::StorageClass::Function, boolean);
  const Outcome outcome = through(module(b, [&] {
    const Id variable = b.localVariable(type);
    std::vector<Id> merges;
    for (int n = 0; n < 20000; ++n) {
      const Id condition = b.make<op::Load>(Section::Functions, boolean, {.pointer = variable});
      const Id then = b.id();
      merges.push_back(b.id());
      b.make<op::SelectionMerge>(Section::Functions, {.mergeBlock = merges.back()});
      b.make<op::BranchConditional>(Section::Functions,
                                    {.condition = condition, .trueLabel = then, .falseLabel = merges.back()});
      b.label(then);
      b.make<op::Store>(Section::Functions, {.pointer = variable, .object = condition});
    }
    while (!merges.empty()) {
      b.make<op::Branch>(Section::Functions, {.targetLabel = merges.back()});
      b.label(merges.back());
      merges.pop_back();
    }
  }));
  CHECK(outcome == Outcome::Sound);
}

TEST_CASE("calls that double at each level stop growing") {
  Builder b;
  const Id none = b.typeVoid();
  const Id function = b.typeFunction(none, {});
  const Id pointer = b.typePointer(spv::StorageClass::Private, b.typeInt(32, true));
  const Id counter = b.uniqueConstant<op::Variable>(pointer, {.storageClass = spv::StorageClass::Private});
  std::vector<uint32_t> words = module(b, [&] {
    std::vector<Id> levels;
    for (int n = 0; n < 40; ++n) levels.push_back(b.id());
    b.make<op::FunctionCall>(Section::Functions, none, {.function = levels.back()});
    b.make<op::Return>(Section::Functions);
    b.endFunction();
    for (int n = 0; n < 40; ++n) {
      b.beginFunction(levels[size_t(n)], none, spv::FunctionControlMask::MaskNone, function);
      b.label(b.id());
      for (int call = 0; call < 2 && n > 0; ++call) {
        b.make<op::FunctionCall>(Section::Functions, none, {.function = levels[size_t(n) - 1]});
      }
      b.make<op::Store>(Section::Functions, {.pointer = counter, .object = b.constantI32(n)});
      if (n != 39) {
        b.make<op::Return>(Section::Functions);
        b.endFunction();
      }
    }
  });
  through(words);
}

TEST_CASE("functions that call each other stay") {
  Builder b;
  const Id none = b.typeVoid();
  const Id function = b.typeFunction(none, {});
  std::vector<uint32_t> words = module(b, [&] {
    const Id ping = b.id(), pong = b.id();
    b.make<op::FunctionCall>(Section::Functions, none, {.function = ping});
    b.make<op::Return>(Section::Functions);
    b.endFunction();
    b.beginFunction(ping, none, spv::FunctionControlMask::MaskNone, function);
    b.label(b.id());
    b.make<op::FunctionCall>(Section::Functions, none, {.function = pong});
    b.make<op::Return>(Section::Functions);
    b.endFunction();
    b.beginFunction(pong, none, spv::FunctionControlMask::MaskNone, function);
    b.label(b.id());
    b.make<op::FunctionCall>(Section::Functions, none, {.function = ping});
  });
  through(words);
}

TEST_CASE("big switches, long insert chains and wide structures stay linear") {
  Builder b;
  const Id uintType = b.typeInt(32, false);
  const Id pointer = b.typePointer(spv::StorageClass::Function, uintType);
  const Id array = b.type<op::TypeArray>({.elementType = uintType, .length = b.constantU32(60000)});
  const Id arrayPointer = b.typePointer(spv::StorageClass::Function, array);
  const Outcome outcome = through(module(b, [&] {
    const Id variable = b.localVariable(pointer);
    const Id wide = b.localVariable(arrayPointer);
    for (uint32_t n = 0; n < 20000; ++n) {
      const Id element =
          b.make<op::AccessChain>(Section::Functions, pointer, {.base = wide, .indexes = {b.constantU32(n)}});
      b.make<op::Store>(Section::Functions, {.pointer = element, .object = b.constantU32(n)});
    }
    const Id selector = b.make<op::Load>(Section::Functions, uintType, {.pointer = variable});
    const Id merge = b.id();
    std::vector<Id> cases;
    for (int n = 0; n < 20000; ++n) cases.push_back(b.id());
    b.make<op::SelectionMerge>(Section::Functions, {.mergeBlock = merge});
    b.beginOp(Section::Functions, spv::Op::OpSwitch);
    b.push(selector);
    b.push(merge);
    for (uint32_t n = 0; n < 20000; ++n) {
      b.push(n);
      b.push(cases[n]);
    }
    b.endOp();
    for (uint32_t n = 0; n < 20000; ++n) {
      b.label(cases[n]);
      b.make<op::Store>(Section::Functions, {.pointer = variable, .object = b.constantU32(n)});
      b.make<op::Branch>(Section::Functions, {.targetLabel = merge});
    }
    b.label(merge);
  }));
  CHECK(outcome == Outcome::Sound);
}

TEST_CASE("many ways out of one construct stay linear") {
  Builder b;
  const Id boolean = b.typeBool();
  const Id type = b.typePointer(spv::StorageClass::Function, boolean);
  const Outcome outcome = through(module(b, [&] {
    const Id variable = b.localVariable(type);
    const Id header = b.id(), first = b.id(), back = b.id(), merge = b.id();
    b.make<op::Branch>(Section::Functions, {.targetLabel = header});
    b.label(header);
    b.make<op::LoopMerge>(Section::Functions, {.mergeBlock = merge, .continueTarget = back});
    b.make<op::Branch>(Section::Functions, {.targetLabel = first});
    b.label(first);
    for (int n = 0; n < 20000; ++n) {
      const Id condition = b.make<op::Load>(Section::Functions, boolean, {.pointer = variable});
      const Id leave = b.id(), go = b.id();
      b.make<op::SelectionMerge>(Section::Functions, {.mergeBlock = go});
      b.make<op::BranchConditional>(Section::Functions,
                                    {.condition = condition, .trueLabel = leave, .falseLabel = go});
      b.label(leave);
      b.make<op::Branch>(Section::Functions, {.targetLabel = back});
      b.label(go);
      b.make<op::Store>(Section::Functions, {.pointer = variable, .object = condition});
    }
    b.make<op::Branch>(Section::Functions, {.targetLabel = merge});
    b.label(back);
    b.make<op::Branch>(Section::Functions, {.targetLabel = header});
    b.label(merge);
  }));
  CHECK(outcome == Outcome::Sound);
}

TEST_CASE("many combined images between many calls stay linear") {
  constexpr int kCount = 3000;
  Builder b;
  const Id real = b.typeFloat(32);
  const Id point = b.typeVector(real, 2), color = b.typeVector(real, 4);
  const Id image = b.type<op::TypeImage>({.sampledType = real,
                                          .dim = spv::Dim::Dim2D,
                                          .depth = 0,
                                          .arrayed = 0,
                                          .ms = 0,
                                          .sampled = 1,
                                          .imageFormat = spv::ImageFormat::Unknown});
  const Id sampler = b.type<op::TypeSampler>();
  const Id sampled = b.type<op::TypeSampledImage>({.imageType = image});
  const Id zero = b.constantNull(real), origin = b.constantNull(point);
  const auto resource = [&](Id type) {
    const Id pointer = b.typePointer(spv::StorageClass::UniformConstant, type);
    return b.uniqueConstant<op::Variable>(pointer, {.storageClass = spv::StorageClass::UniformConstant});
  };
  const Id images = resource(image), samplers = resource(sampler);
  const Id boolean = b.typeBool(), none = b.typeVoid();
  const Id pointer = b.typePointer(spv::StorageClass::Private, boolean);
  const Id switches = b.uniqueConstant<op::Variable>(pointer, {.storageClass = spv::StorageClass::Private});
  const Id function = b.typeFunction(none, {}), pointFunction = b.typeFunction(point, {});
  const Id callee = b.id();
  const Outcome outcome = through(module(b, [&] {
    const Id i = b.make<op::Load>(Section::Functions, image, {.pointer = images});
    const Id s = b.make<op::Load>(Section::Functions, sampler, {.pointer = samplers});
    for (int n = 0; n < kCount; ++n) {
      const Id both = b.make<op::SampledImage>(Section::Functions, sampled, {.image = i, .sampler = s});
      const Id at = b.make<op::FunctionCall>(Section::Functions, point, {.function = callee});
      b.make<op::ImageSampleExplicitLod>(Section::Functions, color,
                                         {.sampledImage = both,
                                          .coordinate = at,
                                          .imageOperands = spv::ImageOperandsMask::Lod,
                                          .parameters = {zero}});
    }
    b.make<op::Return>(Section::Functions);
    b.endFunction();
    // Several blocks, so that each call splits the caller's block.
    b.beginFunction(callee, point, spv::FunctionControlMask::MaskNone, pointFunction);
    b.label(b.id());
    const Id condition = b.make<op::Load>(Section::Functions, boolean, {.pointer = switches});
    const Id then = b.id(), merge = b.id();
    b.make<op::SelectionMerge>(Section::Functions, {.mergeBlock = merge});
    b.make<op::BranchConditional>(Section::Functions,
                                  {.condition = condition, .trueLabel = then, .falseLabel = merge});
    b.label(then);
    b.make<op::Branch>(Section::Functions, {.targetLabel = merge});
    b.label(merge);
    b.make<op::ReturnValue>(Section::Functions, {.value = origin});
    b.endFunction();
    // A last function, which is left open for the frame to end.
    const Id last = b.id();
    b.beginFunction(last, none, spv::FunctionControlMask::MaskNone, function);
    b.label(b.id());
  }));
  CHECK(outcome == Outcome::Sound);
}

}  // namespace
}  // namespace coopc::tests
