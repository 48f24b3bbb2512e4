// The order of the passes, and what happens when they cannot continue.
#include "spirv/opt/optimize.hpp"

#include <algorithm>
#include <span>

#include "spirv/cfg.hpp"
#include "spirv/opt/pass_memory.hpp"
#include "spirv/opt/passes.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"
#include "spirv/writer.hpp"

namespace coopc::spirv {

namespace {

std::optional<Module> read(const std::vector<uint32_t>& words, const OptOptions& options, ReadError& error) {
#ifdef NDEBUG
  constexpr bool kAlwaysCheck = false;
#else
  constexpr bool kAlwaysCheck = true;
#endif
  if (options.trusted && !kAlwaysCheck) {
    if (std::optional<Module> module = indexModule(words)) return module;
  }
  return readModule(words, error);
}

void prepare(Module& module, const OptOptions& options, Graphs& graphs) {
  module.idLimit = std::max(options.idLimit, module.bound);
  // Passes need new ids: first use those that the module leaves out.
  if (module.bound > kMaxIdBound / 2 && compactIds(module)) graphs.forget();
  if (!options.keepDebug && stripDebug(module)) graphs.noteMoves();
}

constexpr int kMostRounds = 4;

// Runs passes one after the other, until a limit is passed or one of them breaks the module.
class Runner {
 public:
  Runner(Module& module, const OptOptions& options, Graphs& graphs)
      : module_(module), options_(options), graphs_(graphs) {
    // A fault that a module already had is not the pass's.
    check_ = options.checkPasses && structureFault(module).empty();
  }

  // `trim` removes the declarations of capabilities that became unnecessary.
  template <class Trim>
  void run(Trim&& trim) {
    if (options_.level == OptLevel::Speed) {
      pass("merge_returns", [&](Module& module) { return mergeReturns(module, graphs_); });
      const bool inlined = pass("inline", [&](Module& module) {
        return options_.quick ? inlineInHelpers(module, graphs_) : inlineFunctions(module, graphs_);
      });
      if (inlined && !options_.quick) deadCode();
    }
    if (pass("private_to_local", privateToLocal)) graphs_.noteMoves();
    pass("control_flow", [&](Module& module) { return removeUnreachable(module, graphs_); });
    values();
    // Removing branches that folding has decided leaves blocks empty, and allows more folding. Real shaders
    // settle in two or three rounds; the last round changes nothing. Each round is linear.
    bool leftBehind = true;  // by control_flow: what only removed branches used
    for (int round = 0; round < (options_.quick ? 1 : kMostRounds) && !isStopped(); ++round) {
      if (round > 0) values();
      const bool changed = pass("memory and dead_code", [&](Module& module) {
        return eliminateDeadCodeAndMemory(module, options_.keepBindings, graphs_);
      });
      leftBehind = pass("control_flow", [&](Module& module) { return simplifyControlFlow(module, graphs_); });
      if (!changed && !leftBehind) break;
    }
    if (leftBehind && !options_.quick) deadCode();
    pass("trim_capabilities", trim);
    pass("compact_ids", compactIds);
  }

  const std::string& fault() const { return fault_; }

 private:
  bool isStopped() const { return module_.overflow() || !fault_.empty(); }

  template <class Pass>
  bool pass(const char* name, Pass&& run) {
    if (isStopped()) return false;
    const bool changed = run(module_);
    measurePasses(module_);
    if (check_ && !module_.overflow()) {
      if (const std::string fault = structureFault(module_); !fault.empty())
        fault_ = std::string("internal error: ") + name + ": " + fault;
    }
    return changed;
  }

  bool deadCode() {
    return pass("dead_code",
                [&](Module& module) { return eliminateDeadCode(module, options_.keepBindings, graphs_); });
  }

  void values() {
    pass("simplify_variables", [&](Module& module) { return simplifyVariables(module, graphs_); });
  }

  Module& module_;
  const OptOptions& options_;
  Graphs& graphs_;
  bool check_ = false;
  std::string fault_;
};

}  // namespace

bool optimize(std::vector<uint32_t>& words, const OptOptions& options, std::string* error) {
  if (options.level == OptLevel::None) return true;
  ReadError readError;
  std::optional<Module> given = read(words, options, readError);
  if (!given) {
    if (error != nullptr) *error = "word " + std::to_string(readError.word) + ": " + readError.message;
    return false;
  }
  Module& module = *given;
  Graphs graphs;
  prepare(module, options, graphs);
  Runner runner(module, options, graphs);
  runner.run([&](Module& m) { return trimCapabilities(m, words); });
  if (!runner.fault().empty()) {
    if (error != nullptr) *error = runner.fault();
    return false;
  }
  if (module.overflow()) {
    // If ids run out, the module stays as it was, except for changes that need no new ids.
    module = Module();  // freed before the words are read again: two modules take twice the memory
    given = read(words, options, readError);
    if (!given) return false;  // not possible, as they were read before
    graphs.forget();
    prepare(module, options, graphs);
    compactIds(module);
  }
  words = writeModule(module);
  return true;
}

bool optimize(Module& module, std::span<const uint32_t> original, const OptOptions& options, Graphs& graphs,
              std::string* error) {
  if (options.level == OptLevel::None) return true;
  const ExplainedDeclarations before = explainedDeclarations(module);
  prepare(module, options, graphs);
  Runner runner(module, options, graphs);
  runner.run([&](Module& m) { return trimCapabilities(m, original, before); });
  if (runner.fault().empty()) return true;
  if (error != nullptr) *error = runner.fault();
  return false;
}

bool optimize(std::vector<uint32_t>& words, OptLevel level, std::string* error) {
  OptOptions options;
  options.level = level;
  return optimize(words, options, error);
}

}  // namespace coopc::spirv
