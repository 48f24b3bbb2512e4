// Runs each phase on inputs of n, 2n and 4n parts of each kind, so that its instructions can be counted:
//
//   coopc_growth [--scale N] [--divide N] [--list] [--seconds] [--no-counts] [KIND...]
//
// Each measured phase runs inside growthMeasured(), which profilers find by its name. If the kernel counts
// instructions (perf_event_open), this program counts them itself. Otherwise growth_test runs it under
// `valgrind --tool=callgrind --toggle-collect=growthMeasured --dump-after=growthMeasured` and takes the
// counts in order. The output has one line for each call, with tabs between the kind, the phase, n, and the
// count or "-". --seconds prints processor time instead of instructions, to find candidates in large inputs.
// --scale multiplies each n that no limit of the language bounds, --divide divides it, and --no-counts does
// not use the kernel's counter.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
#include "coopc/reflect.hpp"
#include "coopc/validate.hpp"
#include "spirv/assembler.hpp"
#include "spirv/disassembler.hpp"
#include "spirv/opt/optimize.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"
#include "spirv/writer.hpp"
#include "tests/growth/kinds.hpp"
#include "translate/addresses.hpp"
#include "translate/features.hpp"
#include "translate/integers.hpp"

// Gives the measured code a name, by which profilers find it.
extern "C" [[gnu::noinline]] void growthMeasured(const std::function<void()>& work);
extern "C" void growthMeasured(const std::function<void()>& work) { work(); }

namespace {

using coopc::tests::growth::Input;
using coopc::tests::growth::Kind;
using coopc::tests::growth::Outcome;
using Words = std::vector<uint32_t>;

// The kernel's count of this thread's instructions. Most virtual machines do not have it.
class Counter {
 public:
  Counter() {
#ifdef __linux__
    perf_event_attr wanted{};
    wanted.size = sizeof wanted;
    wanted.type = PERF_TYPE_HARDWARE;
    wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
    wanted.exclude_kernel = 1;
    wanted.exclude_hv = 1;
    file_ = int(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, 0));
#endif
  }
  bool works() const { return file_ >= 0; }
  uint64_t count(const std::function<void()>& work) const {
    uint64_t instructions = 0;
#ifdef __linux__
    ioctl(file_, PERF_EVENT_IOC_RESET, 0);
    ioctl(file_, PERF_EVENT_IOC_ENABLE, 0);
    growthMeasured(work);
    ioctl(file_, PERF_EVENT_IOC_DISABLE, 0);
    if (read(file_, &instructions, sizeof instructions) != ssize_t(sizeof instructions)) instructions = 0;
#endif
    return instructions;
  }

 private:
  int file_ = -1;
};

class Runner {
 public:
  Runner(bool seconds, bool counts) : seconds_(seconds), counts_(counts) {}

  bool run(const Kind& kind, uint32_t n) {
    kind_ = &kind;
    n_ = n;
    good_ = true;
    const Input input = kind.make(n);
    Words words;
    if (input.assembly)
      assemble(input, words);
    else
      compile(input, words);
    if (good_ && kind.outcome == Outcome::Module) phases(words);
    return good_;
  }

 private:
  void compile(const Input& input, Words& words) {
    coopc::Options options;
    options.targetEnv = coopc::TargetEnv::Vulkan1_3;
    options.debugInfo = input.debugInfo;
    options.suppressWarnings = !input.warnings && kind_->outcome == Outcome::Module;
    if (input.warnings) options.warnings.push_back({"all", true});
    options.include = [&](std::string_view name, bool, std::string_view,
                          uint32_t) -> std::optional<coopc::Include> {
      for (size_t n = 0; n < input.includes.size(); ++n) {
        // Searches from the last result on, so that the test's own work is the same for each file.
        const size_t at = (nextInclude_ + n) % input.includes.size();
        if (input.includes[at].first != name) continue;
        nextInclude_ = at + 1;
        return coopc::Include{.name = input.includes[at].first, .text = input.includes[at].second};
      }
      return std::nullopt;
    };
    coopc::Result result;
    nextInclude_ = 0;
    measured("front end", [&] { result = coopc::compile(input.text, "growth.comp", options); });
    if (result.ok != (kind_->outcome == Outcome::Module))
      wrong(result.ok ? "compiles" : result.messages.substr(0, 500));
    words = std::move(result.words);
  }

  void assemble(const Input& input, Words& words) {
    coopc::spirv::AssemblyError error;
    std::optional<Words> found;
    measured("assembler", [&] { found = coopc::spirv::assemble(input.text, 0x00010600, error); });
    if (!found) return wrong("line " + std::to_string(error.line) + ": " + error.message);
    words = std::move(*found);
  }

  void phases(const Words& words) {
    coopc::spirv::ReadError readError;
    const std::optional<coopc::spirv::Module> read = coopc::spirv::readModule(words, readError);
    if (!read) return wrong(readError.message);
    const coopc::spirv::Module& module = *read;
    if (const std::string fault = coopc::spirv::structureFault(module); !fault.empty()) return wrong(fault);
    std::string text;
    measured("disassembler", [&] { text = coopc::spirv::disassemble(module); });
    Words optimized = words;
    std::string error;
    bool done = false;
    measured("optimizer", [&] {
      coopc::spirv::OptOptions options;
      options.keepBindings = true;
      done = coopc::spirv::optimize(optimized, options, &error);
    });
    if (!done) wrong(error);
    measured("validator", [&] { (void)coopc::renderText({"growth.spv", coopc::validate(words)}); });
    coopc::ValidateOptions device;
    device.profile = coopc::findShippedProfile("rdna3")->text;
    measured("validator, device", [&] { (void)coopc::validate(words, device); });
    measured("reflection", [&] { (void)coopc::renderJson(coopc::reflect(words)); });
    lower("khr", words);
    lower("none", words, "vulkan-memory-model");
    lower("rdna2", words);  // whose registers are counted
    translate(lower("none", words));
  }

  Words lower(const std::string& target, const Words& words, std::string_view without = {}) {
    coopc::LowerOptions options;
    options.profile = target;
    options.without = without;
    options.specDefaults = true;
    coopc::LowerResult result;
    measured("lowering, " + target + (without.empty() ? "" : " without " + std::string(without)),
             [&] { result = coopc::lower(words, options); });
    if (result.kind == coopc::Lowering::Declined && !reported_) {
      reported_ = true;
      for (const std::string& reason : result.reasons)
        std::fprintf(stderr, "%s, %u: not lowered for %s: %s\n", kind_->name, n_, target.c_str(),
                     reason.c_str());
    }
    return result.kind == coopc::Lowering::Lowered ? result.words : words;
  }

  // Runs our steps before and after SPIRV-Cross, whose own growth is not measured.
  void translate(const Words& words) {
    using namespace coopc::translating;
    measured("translation", [&] {
      coopc::spirv::ReadError error;
      std::optional<coopc::spirv::Module> read = coopc::spirv::readModule(words, error);
      if (!read) return;
      coopc::spirv::Module& module = *read;
      (void)coopc::spirv::structureFault(module);
      (void)simplifyAddresses(module);
      (void)matchIntegers(module);
      for (const auto language :
           {coopc::ShadingLanguage::Glsl, coopc::ShadingLanguage::Hlsl, coopc::ShadingLanguage::Msl})
        (void)lacking(module, language);
      std::vector<std::string> extensions = glslExtensions(module);
      (void)glslLayouts(module, extensions);
      (void)findMisplacedConstants(module);
      (void)metalVersion(module);
      escapeStrings(module);
      (void)coopc::spirv::writeModule(module);
    });
  }

  void measured(const std::string& phase, const std::function<void()>& work) {
    std::string count = "-";
    if (seconds_) {
      const std::clock_t start = std::clock();
      growthMeasured(work);
      count = std::to_string(std::clock() - start);
    } else if (counts_ && counter_.works()) {
      count = std::to_string(counter_.count(work));
    } else {
      growthMeasured(work);
    }
    std::printf("%s\t%s\t%u\t%s\n", kind_->name, phase.c_str(), n_, count.c_str());
  }

  void wrong(const std::string& why) {
    std::fprintf(stderr, "%s, %u: %s\n", kind_->name, n_, why.c_str());
    good_ = false;
  }

  bool seconds_, counts_;
  Counter counter_;
  const Kind* kind_ = nullptr;
  uint32_t n_ = 0;
  size_t nextInclude_ = 0;
  bool good_ = true, reported_ = false;
};

int usage() {
  std::fprintf(stderr,
               "usage: coopc_growth [--scale N] [--divide N] [--list] [--seconds] [--no-counts] [KIND...]\n");
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  uint32_t scale = 1, divide = 1;
  bool list = false, seconds = false, counts = true;
  std::vector<std::string_view> wanted;
  for (int n = 1; n < argc; ++n) {
    const std::string_view argument = argv[n];
    if (argument == "--list")
      list = true;
    else if (argument == "--seconds")
      seconds = true;
    else if (argument == "--no-counts")
      counts = false;
    else if (argument == "--scale" && n + 1 < argc)
      scale = uint32_t(std::strtoul(argv[++n], nullptr, 10));
    else if (argument == "--divide" && n + 1 < argc)
      divide = uint32_t(std::strtoul(argv[++n], nullptr, 10));
    else
      wanted.push_back(argument);
  }
  if (scale == 0 || divide == 0) return usage();
  bool good = true;
  size_t found = 0;
  Runner runner(seconds, counts);
  for (const auto kinds : {coopc::tests::growth::textKinds(), coopc::tests::growth::matrixKinds(),
                           coopc::tests::growth::moduleKinds()}) {
    for (const Kind& kind : kinds) {
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), kind.name) == wanted.end()) continue;
      ++found;
      if (list) {
        std::printf("%s\n", kind.name);
        continue;
      }
      const uint32_t n = kind.limited ? kind.size : std::max(4u, kind.size * scale / divide);
      for (const uint32_t factor : {1u, 2u, 4u}) good = runner.run(kind, n * factor) && good;
      std::fflush(stdout);
    }
  }
  if (found < wanted.size()) return usage();
  return good ? 0 : 1;
}
