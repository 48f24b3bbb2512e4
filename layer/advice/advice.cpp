// How shapes are advised: product.comp is lowered with tiles of several sizes for each number of invocations,
// as a pipeline's module would be, and the model estimates registers and spills. Nothing else of the model is
// used, because only these agree with drivers' compilers well enough (docs/records/advice.md).
//
// Between numbers of invocations, the one with the largest tile comes first: each element that it loads takes
// part in most multiply-adds. Of equally large tiles, the one of fewer invocations comes first: each of them
// has more sums, so that it reads less from workgroup memory. What the model finds is kept in the layer's
// cache of lowered modules.
#include "layer/advice/advice.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "spirv/lower/advice/advise.hpp"
#include "spirv/lower/advice/processor.hpp"

namespace coopc::layer {
namespace {

namespace lower = spirv::lower;
using vk::MatrixProperty;

// The specialization constants of product.comp.
constexpr uint32_t kRowsId = 0, kColumnsId = 1, kInvocationsId = 2;

constexpr uint32_t kProductF16F16[] = {
#include "product_float16_t_float16_t.spv.inc"
};
constexpr uint32_t kProductF16F32[] = {
#include "product_float16_t_float.spv.inc"
};
constexpr uint32_t kProductS8S32[] = {
#include "product_int8_t_int.spv.inc"
};
constexpr uint32_t kProductBf16Bf16[] = {
#include "product_bfloat16_t_bfloat16_t.spv.inc"
};
constexpr uint32_t kProductBf16F32[] = {
#include "product_bfloat16_t_float.spv.inc"
};
constexpr uint32_t kProductFloat8F16[] = {
#include "product_floate5m2_t_float16_t.spv.inc"
};
constexpr uint32_t kProductFloat8F32[] = {
#include "product_floate5m2_t_float.spv.inc"
};

// The module of these types, or of types whose lowered code takes the same registers; empty if there is none.
// One product stands for s8 and u8, and one for e4m3 and e5m2: devices are assumed to multiply both or
// neither.
std::span<const uint32_t> productOf(VkComponentTypeKHR operand, VkComponentTypeKHR sum) {
  const bool halves = sum == VK_COMPONENT_TYPE_FLOAT16_KHR;
  switch (operand) {
    case VK_COMPONENT_TYPE_FLOAT16_KHR:
      return halves ? std::span<const uint32_t>(kProductF16F16) : kProductF16F32;
    case VK_COMPONENT_TYPE_SINT8_KHR:
    case VK_COMPONENT_TYPE_UINT8_KHR: return kProductS8S32;
#ifdef VK_KHR_shader_bfloat16
    case VK_COMPONENT_TYPE_BFLOAT16_KHR:
      return sum == VK_COMPONENT_TYPE_BFLOAT16_KHR ? std::span<const uint32_t>(kProductBf16Bf16)
                                                   : kProductBf16F32;
#endif
#ifdef VK_EXT_shader_float8
    case VK_COMPONENT_TYPE_FLOAT8_E4M3_EXT:
    case VK_COMPONENT_TYPE_FLOAT8_E5M2_EXT:
      return halves ? std::span<const uint32_t>(kProductFloat8F16) : kProductFloat8F32;
#endif
    default: return {};
  }
}

// Sums of an invocation, in the tiles that are tried: with fewer, a product loads more than it computes; with
// more, no device has the registers.
constexpr uint32_t kSums[] = {16, 32, 64, 128};
constexpr size_t kFirstTried = 2;
// The largest tile that is tried: the largest of llama.cpp's products, and of those that were measured
// (docs/records/llama.md, tile sizes on an H200).
constexpr uint32_t kMostComponents = 256 * 128;

// Programs were written for the numbers of invocations that NVIDIA's driver lists, up to 256
// (profiles/h200.json). llama.cpp uses its shaders for this extension only where 128 and 256 are listed.
// These are never left out.
constexpr uint32_t kAlwaysListed = 256;

// The tile of so many components: as many rows as columns, or twice as many.
void chooseTile(uint32_t components, WorkgroupFit& fit) {
  fit.columns = 1;
  while (uint64_t{fit.columns} * fit.columns * 4 <= components) fit.columns *= 2;
  fit.rows = components / fit.columns;
}

class Fits {
 public:
  Fits(const lower::Target& target, std::span<const uint32_t> module) : module_(module) {
    request_.lower.target = target;
  }

  WorkgroupFit of(uint32_t invocations) {
    size_t most = std::size(kSums) - 1;
    while (most > 0 && uint64_t{kSums[most]} * invocations > kMostComponents) --most;
    size_t at = std::min(kFirstTried, most);
    WorkgroupFit fit = estimate(invocations, kSums[at]);
    if (fit.fits) {
      while (at < most) {
        const WorkgroupFit larger = estimate(invocations, kSums[++at]);
        if (!larger.fits) break;
        fit = larger;
      }
      return fit;
    }
    while (!fit.fits && at > 0) fit = estimate(invocations, kSums[--at]);
    return fit;
  }

  // Whether any product was lowered.
  bool any() const { return any_; }

 private:
  WorkgroupFit estimate(uint32_t invocations, uint32_t sums) {
    WorkgroupFit fit;
    fit.invocations = invocations;
    chooseTile(invocations * sums, fit);
    request_.settings = {{{kRowsId, fit.rows}, {kColumnsId, fit.columns}, {kInvocationsId, invocations}}};
    const lower::Advice advice = lower::advise(module_, request_);
    const lower::AdvisedSetting& s = advice.settings.front();
    if (s.kind == lower::LowerAnswer::Kind::Declined || !s.cost.known) return fit;
    any_ = true;
    fit.fits = s.spills == 0;
    fit.registers = s.registers;
    fit.spills = s.spills;
    fit.excess = s.excess;
    fit.m = s.cost.m;
    fit.n = s.cost.n;
    fit.k = s.cost.k;
    return fit;
  }

  std::span<const uint32_t> module_;
  lower::AdviceRequest request_;
  bool any_ = false;
};

bool isSameTypes(const MatrixProperty& p, const MatrixProperty& q) {
  return p.a == q.a && p.b == q.b && p.c == q.c && p.result == q.result && p.saturating == q.saturating;
}

// Larger tiles first; a workgroup that is never left out may have none.
bool isBetter(const WorkgroupFit& a, const WorkgroupFit& b) {
  const auto key = [](const WorkgroupFit& fit) {
    const uint64_t tile = fit.fits ? uint64_t{fit.rows} * fit.columns : 0;
    return std::tuple(UINT64_MAX - tile, fit.invocations);
  };
  return key(a) < key(b);
}

std::string sizeOf(const WorkgroupFit& fit) {
  return std::to_string(fit.rows) + "x" + std::to_string(fit.columns);
}

// The advice for one combination of types.
struct TypeAdvice {
  MatrixProperty types;
  std::vector<uint32_t> numbers;   // of invocations, in the offer's order
  std::vector<WorkgroupFit> fits;  // for these numbers, the best first; empty: nothing is known

  // Compilers may hold values in fewer registers than the model expects, but not more values than registers:
  // only then is a number left out.
  static bool isLeftOut(const WorkgroupFit& fit) {
    return !fit.fits && (fit.excess != 0 || fit.registers == 0) && fit.invocations > kAlwaysListed;
  }
  // The place of a number of invocations in the list; none if it is left out.
  std::optional<size_t> placeOf(uint32_t invocations) const {
    if (fits.empty()) return size_t(std::ranges::find(numbers, invocations) - numbers.begin());
    const auto at = std::ranges::find(fits, invocations, &WorkgroupFit::invocations);
    if (at == fits.end() || isLeftOut(*at)) return std::nullopt;
    return size_t(at - fits.begin());
  }
  bool isGranule(const MatrixProperty& p) const {
    return std::ranges::any_of(fits, [&](const WorkgroupFit& fit) {
      return fit.invocations == p.workgroupInvocations && fit.m == p.m && fit.n == p.n && fit.k == p.k;
    });
  }

  std::string text(const std::string& device) const {
    const auto name = [](VkComponentTypeKHR type) { return vk::componentTypeName(type); };
    std::string line = "workgroups on " + device + " for " + name(types.a) + ", " + name(types.b) + " -> " +
                       name(types.result) + ":";
    const char* separator = " ";
    for (const WorkgroupFit& fit : fits) {
      const std::string of = std::to_string(fit.invocations);
      line += separator + (isLeftOut(fit) ? "not " + of : of);
      if (fit.fits) {
        line += " (" + sizeOf(fit) + " in " + std::to_string(fit.registers) + " registers)";
      } else if (fit.registers == 0) {
        line += " (" + sizeOf(fit) + " is declined)";
      } else {
        line += " (" + sizeOf(fit) + (fit.excess != 0 ? " spills " : " may spill ") +
                std::to_string(fit.spills) + ")";
      }
      separator = ", ";
    }
    return line;
  }
};

// The members of a WorkgroupFit as words, for the cache.
constexpr size_t kWordsOfFit = 10;
std::vector<uint32_t> wordsOf(std::span<const WorkgroupFit> fits) {
  std::vector<uint32_t> words;
  for (const WorkgroupFit& f : fits)
    words.insert(words.end(), {f.invocations, f.fits ? 1u : 0u, f.rows, f.columns, f.registers, f.spills,
                               f.excess, f.m, f.n, f.k});
  return words;
}
std::vector<WorkgroupFit> fitsIn(std::span<const uint32_t> words) {
  std::vector<WorkgroupFit> fits;
  for (; words.size() >= kWordsOfFit; words = words.subspan(kWordsOfFit))
    fits.push_back({words[0], words[1] != 0, words[2], words[3], words[4], words[5], words[6], words[7],
                    words[8], words[9]});
  return fits;
}

// workgroupFits(), or its earlier result. An entry of the cache for a product has numbers of invocations
// instead of specialization values, and no module's pipeline has its device's key.
std::vector<WorkgroupFit> findFits(const Offer& offer, const TypeAdvice& of, Cache* cache) {
  const std::span<const uint32_t> module = productOf(of.types.a, of.types.result);
  if (module.empty() || !lower::processorOf(offer.target).known) return {};
  CacheKey key;
  key.device = offer.key + "\nworkgroups";
  key.module = keep(module);
  for (const uint32_t n : of.numbers) key.values.push_back({0, n});
  if (cache != nullptr) {
    if (const std::shared_ptr<const Lowered> earlier = cache->find(key)) return fitsIn(earlier->words);
  }
  const std::vector<WorkgroupFit> fits = workgroupFits(offer.target, of.types.a, of.types.result, of.numbers);
  if (cache != nullptr) {
    auto entry = std::make_shared<Lowered>();
    entry->kind = lower::LowerAnswer::Kind::Lowered;
    entry->words = wordsOf(fits);
    cache->put(key, entry);
  }
  return fits;
}

// The layer's own entries of workgroup scope, and the advice for each combination of their types.
std::vector<TypeAdvice> adviseTypes(const Offer& offer, std::span<const MatrixProperty> own, Cache* cache) {
  std::vector<TypeAdvice> all;
  for (const MatrixProperty& p : own) {
    if (std::ranges::any_of(all, [&](const TypeAdvice& t) { return isSameTypes(t.types, p); })) continue;
    TypeAdvice advice;
    advice.types = p;
    for (const MatrixProperty& q : own) {
      if (isSameTypes(p, q) &&
          std::ranges::find(advice.numbers, q.workgroupInvocations) == advice.numbers.end())
        advice.numbers.push_back(q.workgroupInvocations);
    }
    // The same registers, so the same answer.
    const auto same = std::ranges::find_if(all, [&](const TypeAdvice& t) {
      return t.numbers == advice.numbers &&
             productOf(t.types.a, t.types.result).data() == productOf(p.a, p.result).data();
    });
    if (same != all.end()) {
      advice.fits = same->fits;
    } else {
      advice.fits = findFits(offer, advice, cache);
      std::ranges::stable_sort(advice.fits, isBetter);
    }
    all.push_back(std::move(advice));
  }
  return all;
}

}  // namespace

std::vector<WorkgroupFit> workgroupFits(const lower::Target& target, VkComponentTypeKHR operand,
                                        VkComponentTypeKHR sum, const std::vector<uint32_t>& invocations) {
  std::vector<WorkgroupFit> fits;
  const std::span<const uint32_t> module = productOf(operand, sum);
  if (module.empty() || !lower::processorOf(target).known) return fits;
  Fits of(target, module);
  for (const uint32_t n : invocations) fits.push_back(of.of(n));
  if (!of.any()) fits.clear();
  return fits;
}

AdvisedShapes adviseShapes(const Offer& offer, Cache* cache) {
  AdvisedShapes advised{offer.flexible, offer.maxScopeInvocations, {}};
  const auto isOwn = [&](size_t n) {
    return n >= offer.driversFlexible && offer.flexible[n].scope == VK_SCOPE_WORKGROUP_KHR;
  };
  std::vector<MatrixProperty> own;
  for (size_t n = 0; n < offer.flexible.size(); ++n)
    if (isOwn(n)) own.push_back(offer.flexible[n]);
  const std::vector<TypeAdvice> types = adviseTypes(offer, own, cache);
  for (const TypeAdvice& t : types)
    if (!t.fits.empty()) advised.why.push_back(t.text(offer.device.name));
  if (advised.why.empty()) return advised;
  using Key = std::tuple<size_t, size_t, bool>;
  std::vector<std::pair<Key, MatrixProperty>> listed;
  uint32_t most = 0, mostListed = 0;
  // The driver's own entries stay, and so does what they need.
  for (size_t n = 0; n < std::min(offer.driversFlexible, offer.flexible.size()); ++n)
    if (offer.flexible[n].scope == VK_SCOPE_WORKGROUP_KHR)
      most = mostListed = std::max(mostListed, offer.flexible[n].workgroupInvocations);
  for (const MatrixProperty& p : own) {
    most = std::max(most, p.workgroupInvocations);
    const auto t =
        std::ranges::find_if(types, [&](const TypeAdvice& of) { return isSameTypes(of.types, p); });
    const std::optional<size_t> place = t->placeOf(p.workgroupInvocations);
    if (!place) continue;
    listed.push_back({{*place, size_t(t - types.begin()), !t->isGranule(p)}, p});
    mostListed = std::max(mostListed, p.workgroupInvocations);
  }
  if (mostListed < most) advised.maxScopeInvocations = mostListed;
  std::ranges::stable_sort(listed, {}, &std::pair<Key, MatrixProperty>::first);
  advised.flexible.clear();
  for (size_t n = 0; n < offer.flexible.size(); ++n)
    if (!isOwn(n)) advised.flexible.push_back(offer.flexible[n]);
  for (const auto& [key, p] : listed) advised.flexible.push_back(p);
  return advised;
}

}  // namespace coopc::layer
