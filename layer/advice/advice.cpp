// How shapes are advised: product.comp is lowered with tiles of several sizes for each number of invocations,
// as a pipeline's module would be, and the model estimates registers and spills. Nothing else of the model is
// used, because only these agree with drivers' compilers well enough (docs/records/advice.md).
//
// Workgroups are ordered by the largest tile that fits, because there each loaded element takes part in most
// multiply-adds; ties go to fewer invocations, which hold more sums each and read less from workgroup memory.
// What the model finds is kept in the layer's cache.
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

class FitSearch {
 public:
  FitSearch(const lower::Target& target, std::span<const uint32_t> module) : module_(module) {
    request_.lower.target = target;
  }

  WorkgroupFit find(uint32_t invocations) {
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

  bool hasLowered() const { return hasLowered_; }

 private:
  WorkgroupFit estimate(uint32_t invocations, uint32_t sums) {
    WorkgroupFit fit;
    fit.invocations = invocations;
    chooseTile(invocations * sums, fit);
    request_.settings = {{{kRowsId, fit.rows}, {kColumnsId, fit.columns}, {kInvocationsId, invocations}}};
    const lower::Advice advice = lower::advise(module_, request_);
    const lower::AdvisedSetting& s = advice.settings.front();
    if (s.kind == lower::LowerAnswer::Kind::Declined || !s.cost.known) return fit;
    hasLowered_ = true;
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
  bool hasLowered_ = false;  // any product
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
  // Whether lowering makes products of the advised tile of this shape.
  bool matchesNativeShape(const MatrixProperty& p) const {
    return std::ranges::any_of(fits, [&](const WorkgroupFit& fit) {
      return fit.invocations == p.workgroupInvocations && fit.m == p.m && fit.n == p.n && fit.k == p.k;
    });
  }

  std::string describe(const std::string& device) const {
    const auto name = [](VkComponentTypeKHR type) { return vk::componentTypeName(type); };
    std::string line = "workgroups on " + device + " for " + name(types.a) + ", " + name(types.b) + " -> " +
                       name(types.result) + ":";
    const char* separator = " ";
    for (const WorkgroupFit& fit : fits) {
      const std::string number = std::to_string(fit.invocations);
      line += separator + (isLeftOut(fit) ? "not " + number : number);
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

// workgroupFits(), or its earlier result.
std::vector<WorkgroupFit> findFits(const Offer& offer, const TypeAdvice& advice, Cache* cache) {
  const std::span<const uint32_t> product = productOf(advice.types.a, advice.types.result);
  const auto ask = [&] {
    return workgroupFits(offer.target, advice.types.a, advice.types.result, advice.numbers);
  };
  if (cache == nullptr || product.empty() || !lower::processorOf(offer.target).known) return ask();
  CacheKey key;
  key.device = offer.key;
  key.module = keep(product);
  key.workgroups = advice.numbers;
  if (const std::shared_ptr<const Lowered> earlier = cache->find(key)) return earlier->fits;
  auto answer = std::make_shared<Lowered>();
  answer->fits = ask();
  cache->put(key, answer);
  return answer->fits;
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

// One of the layer's own shapes with its place in the list.
struct RankedShape {
  MatrixProperty shape;
  size_t place = 0;       // of its number of invocations
  size_t types = 0;       // of its types, in the offer's order
  bool isNative = false;  // lowering makes products of this very shape
};

bool comesBefore(const RankedShape& a, const RankedShape& b) {
  return std::tuple(a.place, a.types, !a.isNative) < std::tuple(b.place, b.types, !b.isNative);
}

// The shapes whose numbers of invocations are not left out.
std::vector<RankedShape> rank(std::span<const MatrixProperty> own, std::span<const TypeAdvice> types) {
  std::vector<RankedShape> listed;
  for (const MatrixProperty& p : own) {
    const auto t =
        std::ranges::find_if(types, [&](const TypeAdvice& advice) { return isSameTypes(advice.types, p); });
    const std::optional<size_t> place = t->placeOf(p.workgroupInvocations);
    if (place) listed.push_back({p, *place, size_t(t - types.begin()), t->matchesNativeShape(p)});
  }
  return listed;
}

}  // namespace

std::vector<WorkgroupFit> workgroupFits(const lower::Target& target, VkComponentTypeKHR operand,
                                        VkComponentTypeKHR sum, const std::vector<uint32_t>& invocations) {
  std::vector<WorkgroupFit> fits;
  const std::span<const uint32_t> module = productOf(operand, sum);
  if (module.empty() || !lower::processorOf(target).known) return fits;
  FitSearch search(target, module);
  for (const uint32_t n : invocations) fits.push_back(search.find(n));
  if (!search.hasLowered()) fits.clear();
  return fits;
}

AdvisedShapes adviseShapes(const Offer& offer, Cache* cache) {
  AdvisedShapes advised{offer.flexible, offer.maxScopeInvocations, {}};
  const auto isOwn = [&](size_t n) {
    return n >= offer.driversFlexible && offer.flexible[n].scope == VK_SCOPE_WORKGROUP_KHR;
  };
  std::vector<MatrixProperty> own, others;
  for (size_t n = 0; n < offer.flexible.size(); ++n) (isOwn(n) ? own : others).push_back(offer.flexible[n]);
  const std::vector<TypeAdvice> types = adviseTypes(offer, own, cache);
  for (const TypeAdvice& t : types)
    if (!t.fits.empty()) advised.why.push_back(t.describe(offer.device.name));
  if (advised.why.empty()) return advised;
  std::vector<RankedShape> listed = rank(own, types);
  // The driver's own entries stay, and so does what they need.
  const auto largest = [](uint32_t least, const auto& shapes, auto&& shapeOf) {
    for (const auto& each : shapes) {
      const MatrixProperty& p = shapeOf(each);
      if (p.scope == VK_SCOPE_WORKGROUP_KHR) least = std::max(least, p.workgroupInvocations);
    }
    return least;
  };
  const auto itself = [](const MatrixProperty& p) -> const MatrixProperty& { return p; };
  const uint32_t ofOthers = largest(0, others, itself);
  const uint32_t stays =
      largest(ofOthers, listed, [](const RankedShape& r) -> const MatrixProperty& { return r.shape; });
  if (stays < largest(ofOthers, own, itself)) advised.maxScopeInvocations = stays;
  std::ranges::stable_sort(listed, comesBefore);
  advised.flexible = std::move(others);
  for (const RankedShape& r : listed) advised.flexible.push_back(r.shape);
  return advised;
}

}  // namespace coopc::layer
