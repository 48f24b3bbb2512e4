// The explicit layout of blocks in modules (Offset, ArrayStride, MatrixStride, major orders), for generated
// declarations. coopc's layout, the reference compiler's, and that of the specifications' rules
// (block_declarations.hpp) must be the same. COOPC_BLOCK_DECLARATIONS (a count) and COOPC_BLOCK_SEED select
// other runs by hand. A shader that fails is left in the current folder as blocks-SEED.comp.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <map>
#include <string>
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "coopc/coopc.hpp"
#include "spirv/enums_supplement.hpp"
#include "spirv/instruction_walk.hpp"
#include "tests/emit/block_declarations.hpp"
#include "tests/support/process.hpp"
#include "tests/support/reference_target.hpp"
#include "tests/support/spirv_checks.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace coopc;
using namespace coopc::tests;

namespace {

uint64_t numberFromEnvironment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

// The layouts of a module's blocks, as text.
class ModuleBlocks {
 public:
  explicit ModuleBlocks(const std::vector<uint32_t>& words) {
    spirv::InstructionWalk i(words);
    while (i.next()) {
      switch (i.op()) {
        case spv::Op::OpName: names_[i[1]] = i.text(2); break;
        case spv::Op::OpDecorate:
          if (spv::Decoration(i[2]) == spv::Decoration::ArrayStride) strides_[i[1]] = i[3];
          if (spv::Decoration(i[2]) == spv::Decoration::Block) blocks_.push_back(i[1]);
          break;
        case spv::Op::OpMemberDecorate: {
          Member& m = members_[{i[1], i[2]}];
          switch (spv::Decoration(i[3])) {
            case spv::Decoration::Offset: m.offset = i[4]; break;
            case spv::Decoration::MatrixStride: m.matrixStride = i[4]; break;
            case spv::Decoration::RowMajor: m.rowMajor = true; break;
            default: break;
          }
          break;
        }
        case spv::Op::OpConstant: constants_[i[2]] = i[3]; break;
        default:
          if (i.op() >= spv::Op::OpTypeVoid && i.op() <= spv::Op::OpTypePointer)
            types_[i[1]].assign(i.words().begin(), i.words().end());
          if (i.op() == spirv::enums::OpTypeVectorIdEXT)
            types_[i[1]].assign(i.words().begin(), i.words().end());
          break;
      }
    }
  }

  // The layouts by the blocks' names.
  std::map<std::string, std::string> layouts() const {
    std::map<std::string, std::string> all;
    for (const uint32_t block : blocks_) all[names_.at(block)] = layout(block, {});
    return all;
  }
  // The offsets of a block's members.
  std::vector<uint64_t> memberOffsets(const std::string& name) const {
    std::vector<uint64_t> offsets;
    for (const uint32_t block : blocks_)
      if (names_.at(block) == name)
        for (uint32_t m = 0; members_.count({block, m}) != 0; ++m)
          offsets.push_back(members_.at({block, m}).offset);
    return offsets;
  }

 private:
  struct Member {
    uint32_t offset = ~0u, matrixStride = 0;
    bool rowMajor = false;
  };

  std::string layout(uint32_t id, const Member& holder) const {
    const auto found = types_.find(id);
    if (found == types_.end()) return "?";
    const std::vector<uint32_t>& w = found->second;
    const auto op = static_cast<spv::Op>(w[0] & spv::OpCodeMask);
    switch (op) {
      case spv::Op::OpTypeInt: return (w[3] != 0 ? "i" : "u") + std::to_string(w[2]);
      case spv::Op::OpTypeFloat:
        return "f" + std::to_string(w[2]) + (w.size() > 3 ? "e" + std::to_string(w[3]) : "");
      case spv::Op::OpTypeVector: return layout(w[2], holder) + "x" + std::to_string(w[3]);
      case spv::Op::OpTypeMatrix:
        return layout(w[2], holder) + "x" + std::to_string(w[3]) + (holder.rowMajor ? "r" : "c") +
               std::to_string(holder.matrixStride);
      case spv::Op::OpTypeArray:
        return layout(w[2], holder) + "[" + std::to_string(constants_.at(w[3])) + "*" + stride(id) + "]";
      case spv::Op::OpTypeRuntimeArray: return layout(w[2], holder) + "[*" + stride(id) + "]";
      case spv::Op::OpTypePointer: return "pointer";
      case spv::Op::OpTypeStruct: {
        std::string text = "{";
        for (uint32_t m = 2; m < w.size(); ++m) {
          const auto d = members_.find({id, m - 2});
          const Member member = d == members_.end() ? Member{} : d->second;
          text += std::to_string(member.offset) + ":" + layout(w[m], member) + " ";
        }
        return text + "}";
      }
      default:
        if (op == spirv::enums::OpTypeVectorIdEXT)
          return layout(w[2], holder) + "x" + std::to_string(constants_.at(w[3]));
        return "?";
    }
  }

  std::string stride(uint32_t id) const {
    const auto found = strides_.find(id);
    return found == strides_.end() ? "?" : std::to_string(found->second);
  }

  std::map<uint32_t, std::string> names_;
  std::map<uint32_t, uint32_t> strides_, constants_;
  std::map<std::pair<uint32_t, uint32_t>, Member> members_;
  std::map<uint32_t, std::vector<uint32_t>> types_;
  std::vector<uint32_t> blocks_;
};

std::vector<uint32_t> compileByReference(const std::string& text, std::string& problem) {
  glslang::TShader shader(EShLangCompute);
  const char* source = text.c_str();
  setReference(shader, source);
  glslang::TProgram program;
  std::vector<uint32_t> words;
  program.addShader(&shader);
  if (!shader.parse(GetDefaultResources(), 450, false, kReferenceRules) || !program.link(kReferenceRules)) {
    problem = std::string(shader.getInfoLog()) + program.getInfoLog();
    return words;
  }
  glslang::SpvOptions options;
  options.disableOptimizer = true;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &options);
  return words;
}

#ifdef COOPC_REFERENCE_COMPILER
// Compiles by running the newest glslc.
std::vector<uint32_t> compileByNewest(const std::string& text, const std::vector<std::string>& options,
                                      std::string& problem) {
  const TemporaryFolder folder;  // several of these tests run at the same time
  folder.write("reference.comp", text);
  const std::string file = folder.place("reference.comp"), module = folder.place("reference.spv");
  std::vector<std::string> arguments = {COOPC_REFERENCE_COMPILER, "--target-env=vulkan1.3", file, "-o",
                                        module};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProcessResult result = runProcess(arguments, "", 60);
  if (!result.exited() || result.exitCode != 0) {
    problem = result.stderrText;
    return {};
  }
  return readModule(module);
}
#endif

using Reference = std::function<std::vector<uint32_t>(const std::string& text, std::string& problem)>;

struct Run {
  BlockDeclarations::Options options;
  bool hlslOffsets = false;
  bool validate = true;
};

// "" or what is wrong with the shader of this seed. `compared` counts blocks.
std::string compareBlocks(uint64_t seed, const Run& run, const Reference& reference, uint64_t& compared) {
  const BlockDeclarations declarations(seed, run.options);
  const std::string text = declarations.text() + "void main() {}\n";
  Options options;
  options.targetEnv = TargetEnv::Vulkan1_3;
  options.hlslOffsets = run.hlslOffsets;
  const Result ours = compile(text, "blocks.comp", options);
  if (!ours.ok) return ours.messages;
  if (run.validate)
    if (const std::string verdict = validateLinked(ours.words, {"vulkan1.3", true}); !verdict.empty())
      return verdict;
  std::string problem;
  const std::vector<uint32_t> theirs = reference(text, problem);
  if (theirs.empty()) return "the reference compiler: " + problem;
  const ModuleBlocks a(ours.words), b(theirs);
  const auto left = a.layouts(), right = b.layouts();
  for (const Block& block : declarations.blocks()) {
    const auto x = left.find(block.name), y = right.find(block.name);
    if (x == left.end() || y == right.end()) return block.name + " is in one module only";
    if (x->second != y->second)
      problem += block.name + ":\n  ours      " + x->second + "\n  reference " + y->second + "\n";
    if (!run.hlslOffsets && a.memberOffsets(block.name) != declarations.memberOffsets(block))
      problem += block.name + ": not by the texts' rules: " + x->second + "\n";
    ++compared;
  }
  return problem;
}

void compareAll(uint64_t blocks, const Run& run, const Reference& reference) {
  const uint64_t from = numberFromEnvironment("COOPC_BLOCK_SEED", 1);
  uint64_t compared = 0, failed = 0;
  for (uint64_t seed = from; compared < blocks && failed < 10; ++seed) {
    const std::string problem = compareBlocks(seed, run, reference, compared);
    if (problem.empty()) continue;
    ++failed;
    INFO("seed " << seed << "\n" << BlockDeclarations(seed, run.options).text());
    FAIL_CHECK(problem);
  }
  CHECK(compared >= blocks);
}

}  // namespace

TEST_CASE("blocks are laid out as by the reference compiler and by the texts") {
  glslang::InitializeProcess();
  Run run;
  compareAll(numberFromEnvironment("COOPC_BLOCK_DECLARATIONS", 10000), run, compileByReference);
  glslang::FinalizeProcess();
}

#ifdef COOPC_REFERENCE_COMPILER
TEST_CASE("blocks are laid out as by the newest reference compiler") {
  Run run;
  run.options.newest = true;
  run.validate = false;  // the linked validator does not support these types
  compareAll(
      numberFromEnvironment("COOPC_NEWEST_BLOCK_DECLARATIONS", 600), run,
      [](const std::string& text, std::string& problem) { return compileByNewest(text, {}, problem); });
}

// Without components of eight bytes, because the reference lets members overlap there (docs/glslc.md).
TEST_CASE("blocks have the offsets of HLSL as by the newest reference compiler") {
  Run run;
  run.options.narrow = true;
  run.hlslOffsets = true;
  run.validate =
      false;  // the validator counts a matrix's last stride in full, and rejects the reference's modules too
  compareAll(numberFromEnvironment("COOPC_NEWEST_BLOCK_DECLARATIONS", 600), run,
             [](const std::string& text, std::string& problem) {
               return compileByNewest(text, {"-fhlsl-offsets"}, problem);
             });
}
#endif
