// Runs modules of one shader on the same inputs, and compares the bytes that they write.
#include "tests/llama/execution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <pthread.h>

#include "harness/number.hpp"
#include "tests/llama/rewriting.hpp"
#include "vulkan/executor/module_info.hpp"
#include "vulkan/executor/preflight.hpp"

namespace coopc::tests::llama {
namespace {

namespace hn = coopc::harness;

// Nothing if the type is not a float.
std::optional<NumberType> floatType(Element element) {
  switch (element) {
    case Element::F16: return NumberType::F16;
    case Element::F32: return NumberType::F32;
    case Element::F64: return NumberType::F64;
    case Element::I32:
    case Element::I64:
    case Element::Packed: break;
  }
  return std::nullopt;
}

// The number of bytes that are compared as one number.
size_t stepOf(std::optional<NumberType> type) { return type ? byteSize(*type) : 4; }

double numberAt(NumberType type, const std::vector<uint8_t>& bytes, size_t at) {
  return hn::toDouble(type, hn::loadBits(type, &bytes[at], 0));
}

Element elementOf(const Reflection& reflection, size_t buffer) {
  return buffer < reflection.buffers.size() ? reflection.buffers[buffer].element : Element::F32;
}

void compareBuffer(Element element, const std::string& binding, const std::vector<uint8_t>& a,
                   const std::vector<uint8_t>& b, Difference& d) {
  const std::optional<NumberType> type = floatType(element);
  const size_t step = stepOf(type);
  size_t compared = 0;
  double squares = 0, largest = 0;
  for (size_t at = 0; at + step <= a.size(); at += step) {
    if (std::memcmp(&a[at], &b[at], step) == 0) continue;
    if (d.numbers++ == 0) {
      d.first = at;
      d.binding = binding;
    }
    if (!type) {
      d.worst = d.ofTypical = INFINITY;
      continue;
    }
    const double x = numberAt(*type, a, at), y = numberAt(*type, b, at);
    if ((std::isnan(x) && std::isnan(y)) || x == y) continue;
    const double error = std::fabs(x - y) / (1 + std::fabs(y));
    if (std::isnan(error) || error > d.worst) {
      d.worst = std::isnan(error) ? INFINITY : error;
      d.worstPair = {x, y};
    }
    largest = std::max(largest, std::isnan(error) ? INFINITY : std::fabs(x - y));
    squares += y * y;
    ++compared;
  }
  if (largest > 0) {
    const double typical = std::sqrt(squares / double(compared));
    d.ofTypical = std::max(d.ofTypical, std::isfinite(typical) && typical > 0 ? largest / typical : INFINITY);
  }
}

using Buffers = std::vector<vk::RunBuffer>;

Difference compareAll(const Reflection& reflection, const Buffers& a, const Buffers& b) {
  Difference d;
  for (size_t i = 0; i < a.size(); ++i)
    compareBuffer(elementOf(reflection, i), a[i].name, a[i].contents, b[i].contents, d);
  return d;
}

void countChanges(const Reflection& reflection, const Buffers& before, const Buffers& after,
                  Comparison& result) {
  for (size_t b = 0; b < before.size(); ++b) {
    const std::optional<NumberType> type = floatType(elementOf(reflection, b));
    const std::vector<uint8_t>& now = after[b].contents;
    const size_t step = stepOf(type);
    for (size_t at = 0; at + step <= now.size(); at += step) {
      if (std::memcmp(&now[at], &before[b].contents[at], step) == 0) continue;
      result.changed += step;
      if (type && std::isnan(numberAt(*type, now, at))) result.nans += step;
    }
  }
}

class Comparer {
 public:
  Comparer(const vk::Instance& instance, const vk::PhysicalDevice& device, const Reflection& reflection,
           const vk::RunRequest& request, const Modules& modules, const ExecutionOptions& options)
      : instance_(instance),
        device_(device),
        reflection_(reflection),
        request_(request),
        modules_(modules),
        options_(options) {}

  Comparison compare() {
    for (size_t k = 0; k < kModules; ++k) {
      forgetUnrolling(modules_[k]);
      if (!runModule(k, modules_[k], after_[k], &result_.pipelineMilliseconds[k])) return std::move(result_);
    }
    result_.kind = Comparison::Kind::Done;
    countChanges(reflection_, request_.buffers, after_[kReference], result_);
    result_.plain = compareAll(reflection_, after_[kPlain], after_[kReference]);
    result_.optimized = compareAll(reflection_, after_[kOptimized], after_[kPlain]);
    for (uint32_t n = 0; n < options_.repeats; ++n)
      if (!repeats(kReference)) return std::move(result_);
    if (!result_.plain.same() || !result_.optimized.same()) explain();
    return std::move(result_);
  }

 private:
  enum class Fusing { Yes, No };
  bool runModule(size_t k, const std::vector<uint32_t>& words, Buffers& after, double* milliseconds = nullptr,
                 Fusing fusing = Fusing::Yes) {
    options_.begins(k);
    vk::RunRequest own = request_;
    own.module = words;
    const std::string name = moduleName(k, options_.lowered != nullptr);
    spirv::lower::LowerAnswer answer;  // owns the module's words
    if (options_.lowered != nullptr && (k == kOptimized || options_.lowersAll)) {
      answer = hn::lowerFor(*options_.lowered, own);
      if (answer.kind != spirv::lower::LowerAnswer::Kind::Lowered) {
        const bool native = answer.kind == spirv::lower::LowerAnswer::Kind::Native;
        result_.kind = native ? Comparison::Kind::Native : Comparison::Kind::Declined;
        result_.reasons = std::move(answer.reasons);
        return false;
      }
      if (fusing == Fusing::No) forbidContraction(answer.words);
      hn::useLowered(device_, answer, vk::readModuleInfo(answer.words), own);
    }
    const vk::RunOutcome outcome = vk::run(instance_, device_, own);
    if (milliseconds != nullptr) *milliseconds = outcome.pipelineMilliseconds;
    using RunKind = vk::RunOutcome::Kind;
    if (outcome.kind == RunKind::Done && outcome.strayWrites.empty()) {
      after = std::move(own.buffers);
      return true;
    }
    result_.kind = outcome.lost                       ? Comparison::Kind::Lost
                   : outcome.kind == RunKind::Skipped ? Comparison::Kind::NotRunnable
                                                      : Comparison::Kind::Failed;
    for (const std::string& reason : outcome.reasons) result_.reasons.push_back(name + ": " + reason);
    for (const std::string& stray : outcome.strayWrites) result_.reasons.push_back(name + ": " + stray);
    return false;
  }

  // Runs a module once more, and notes a race if it writes other results. Returns whether it ran.
  bool repeats(size_t k) {
    Buffers again;
    if (!runModule(k, modules_[k], again)) return false;
    result_.races = result_.races || !compareAll(reflection_, again, after_[k]).same();
    return true;
  }

  // Finds out why there are differences.
  void explain() {
    // Other modules run in between, because two consecutive runs of one module may not show a race.
    for (const size_t k : {kReference, kPlain, kReference, kOptimized, kReference, kPlain})
      if (!result_.races && !repeats(k)) return;
    if (result_.races) return;
    // Differences that remain if the driver may not fuse multiplications and additions are the compilers'
    // fault.
    std::array<Buffers, kModules> unfused;
    for (size_t k = 0; k < kModules; ++k) {
      if (k == kReference && result_.plain.same()) continue;
      forbidContraction(modules_[k]);
      if (!runModule(k, modules_[k], unfused[k], nullptr, Fusing::No)) return;
    }
    result_.plain.sameUnfused =
        !result_.plain.same() && compareAll(reflection_, unfused[kPlain], unfused[kReference]).same();
    result_.optimized.sameUnfused =
        !result_.optimized.same() && compareAll(reflection_, unfused[kOptimized], unfused[kPlain]).same();
  }

  const vk::Instance& instance_;
  const vk::PhysicalDevice& device_;
  const Reflection& reflection_;
  const vk::RunRequest& request_;
  Modules modules_;
  const ExecutionOptions& options_;
  std::array<Buffers, kModules> after_;
  Comparison result_;
};

}  // namespace

const char* moduleName(size_t index, bool lowered) {
  if (index == kOptimized && lowered) return "coopc -O0, lowered";
  constexpr const char* kNames[kModules] = {"glslc -O0", "coopc -O0", "coopc -O"};
  return index < kModules ? kNames[index] : "";
}

std::string knownReferenceFault(const Subject& subject, double worst) {
  if (subject.name == "tri_f16") {
    return "float16_t(0) of an integer, where 16-bit numbers may only be stored, becomes 3.1e-11 in the "
           "reference's module";
  }
  // On an H200 it is up to 0.04: sums of some hundred terms, in a type with 11 bits of precision.
  if (subject.name == "flash_attn_f32_f16_f16acc_cm2" && worst <= 0.1) {
    return "the reference's module has the constant 3 * 0.6931 as an f16 that is rounded towards zero, "
           "coopc's the nearest";
  }
  return {};
}

vk::RunRequest requestOf(const Subject& subject, const Reflection& reflection, const Target& target,
                         const Setting& setting) {
  vk::RunRequest r;
  r.groups = setting.groups;
  r.specializations = specializations(subject, reflection, target, setting);
  r.pushConstants = pushConstants(subject, reflection, setting);
  r.matrices = setting.matrices;
  r.robustBufferAccess = true;
  for (const BoundBuffer& b : reflection.buffers) {
    vk::RunBuffer buffer;
    buffer.name = std::to_string(b.binding);
    buffer.kind = b.uniform ? vk::RunBuffer::Kind::Uniform : vk::RunBuffer::Kind::Storage;
    buffer.set = b.set;
    buffer.binding = b.binding;
    buffer.contents = contents(subject, b);
    if (b.uniform) buffer.contents.resize(std::min<size_t>(buffer.contents.size(), 16384));
    buffer.bytes = buffer.contents.size();
    r.buffers.push_back(std::move(buffer));
  }
  for (const PushMember& m : reflection.push) {
    if (m.bytes != 8) continue;
    vk::RunBuffer memory;
    memory.name = m.name;
    memory.kind = vk::RunBuffer::Kind::AddressOnly;
    memory.contents.resize(kBufferBytes);
    memory.bytes = kBufferBytes;
    vk::AddressPatch patch;
    patch.offset = m.offset;
    patch.target = r.buffers.size();
    r.buffers.push_back(std::move(memory));
    r.addresses.push_back(patch);
  }
  return r;
}

Comparison compareModules(const vk::Instance& instance, const vk::PhysicalDevice& device,
                          const Reflection& reflection, const vk::RunRequest& request, const Modules& modules,
                          const ExecutionOptions& options) {
  vk::RunRequest own = request;
  own.timeoutSeconds = options.timeoutSeconds;
  own.devices = options.devices;
  return Comparer(instance, device, reflection, own, modules, options).compare();
}

std::vector<std::string> missingFor(const vk::PhysicalDevice& device, vk::RunRequest request,
                                    std::span<const uint32_t> module) {
  request.module = module;
  vk::Preflight possible = vk::preflight(device, request);
  return possible.kind == vk::RunOutcome::Kind::Done ? std::vector<std::string>()
                                                     : std::move(possible.reasons);
}

void prepareForDrivers() {
  setenv("LP_NUM_THREADS", "1", 0);
  // Without this, LLVM's optimizer takes minutes for unrolled loops with barriers.
  setenv("GALLIVM_DEBUG", "nopt", 1);
  setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
  setenv("__GL_SHADER_DISK_CACHE", "0", 1);
  // Mesa handles nested control flow recursively: 256 levels if a loop that returns is unrolled.
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, size_t{256} << 20);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

Target targetOf(const vk::PhysicalDevice& device) {
  Target target;
  target.subgroupSize = device.subgroupSize;
  target.matrixSize = 16;
  const auto fits = [&](uint32_t size) {
    return std::any_of(
        device.matrices.fixed.begin(), device.matrices.fixed.end(), [&](const vk::MatrixProperty& p) {
          return p.m == size && p.n == size && p.k == size && p.a == VK_COMPONENT_TYPE_FLOAT16_KHR;
        });
  };
  if (!fits(16) && fits(8)) target.matrixSize = 8;
  return target;
}

}  // namespace coopc::tests::llama
