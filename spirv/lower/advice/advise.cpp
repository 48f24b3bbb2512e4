// How advice is made: settings are lowered one by one; occupancy follows from registers and workgroup memory;
// the cycles are the busiest unit's, or the time that too few subgroups cannot hide.
#include "spirv/lower/advice/advise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <utility>

#include "spirv/cfg.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/needs.hpp"
#include "spirv/lower/specialize.hpp"
#include "spirv/reader.hpp"
#include "spirv/structure.hpp"

namespace coopc::spirv::lower {
namespace {

// Cycles that subgroups of a workgroup wait for each other at a barrier.
constexpr double kBarrier = 30;
// The most constants whose combinations are tried.
constexpr size_t kMostSizes = 4;

// A constant with a larger value, or with 0 or 1, is not taken for a size of tiles.
constexpr uint64_t kLargestSize = 4096;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, value < 10 ? "%.2g" : value < 1e15 ? "%.0f" : "%.3g", value);
  return text;
}

std::string percent(double share) { return number(std::round(share * 100)) + " %"; }

void occupy(AdvisedSetting& s, const Processor& p) {
  const double subgroups = std::max(1.0, std::ceil(double(s.invocations) / s.subgroupSize));
  // A workgroup must fit: in large ones an invocation gets fewer registers.
  const double forAll = double(p.registerFile) * p.units / std::max(1.0, subgroups * s.subgroupSize);
  const uint32_t fit =
      uint32_t(std::min<double>(p.mostRegisters, std::floor(forAll / p.registerStep) * p.registerStep));
  const uint32_t most = std::max(p.registerStep, fit);
  const uint32_t values = s.cost.registers + p.ownRegisters;
  const auto tooMany = [&](uint32_t needed) { return needed > most ? needed - most : 0; };
  s.excess = tooMany(values);
  s.spills = tooMany(values + p.slackRegisters);
  s.registers =
      s.cost.hasMatrices ? std::max(values, std::min(most, uint32_t(values * p.matrixRegisters))) : values;
  const uint32_t given = (std::min(s.registers, most) + p.registerStep - 1) / p.registerStep * p.registerStep;
  const double waveOf = double(std::max(given, p.registerStep)) * s.subgroupSize;
  s.wavesBySubgroups = p.mostWaves;
  s.wavesByRegisters = std::floor(p.registerFile / waveOf);
  const double perUnit = subgroups / p.units;
  s.wavesByShared = s.sharedBytes == 0
                        ? p.mostWaves
                        : std::max(1.0, std::floor(double(p.sharedBytes) / s.sharedBytes)) * perUnit;
  const double least = std::min({s.wavesByRegisters, s.wavesByShared, s.wavesBySubgroups});
  s.waves = std::max(1.0, std::floor(least / perUnit)) * perUnit;
}

// Cycles of a unit for one subgroup's work, and the units that are busy in them.
struct Cycles {
  double matrix = 0, arithmetic = 0, shared = 0, global = 0;
  double all = 0;
  bool waits = false;  // too few subgroups to hide what one waits for
};

Cycles cyclesOf(const Work& w, const AdvisedSetting& s, const Processor& p) {
  Cycles c;
  c.matrix = w.matrixCycles;
  c.arithmetic = w.arithmetic * p.arithmetic;
  c.shared = std::max((w.sharedLoads + w.sharedStores) * p.sharedInstruction, w.sharedBytes * p.sharedByte);
  c.global = std::max(w.globalAccesses * p.globalInstruction, w.globalBytes * p.globalByte) +
             (w.privateAccesses + p.spillAccesses * w.spilled) * p.globalInstruction;
  const double busy = p.matrixIsArithmetic ? std::max({c.arithmetic + c.matrix, c.shared, c.global})
                                           : std::max({c.arithmetic, c.matrix, c.shared, c.global});
  // Loads of the next iteration are requested before this one multiplies.
  const double exposed =
      w.globalWaits * p.globalLatency +
      (w.globalAccesses > 0 ? std::max(0.0, p.globalLatency - c.matrix - c.arithmetic) : 0.0);
  const double alone = c.arithmetic + c.matrix + c.shared + c.global + w.waits * p.sharedLatency +
                       w.barriers * kBarrier + exposed;
  c.waits = alone / std::max(1.0, s.waves) > busy;
  c.all = std::max(busy, alone / std::max(1.0, s.waves));
  return c;
}

// Estimates the driver's own figure for one subgroup: for RADV, the cycles of a shader whose loops have eight
// iterations; for other drivers, the number of instructions.
double driverFigureOf(const AdvisedSetting& s, const Processor& p) {
  if (p.reportsCycles) return cyclesOf(s.cost.shader, s, p).all;
  const Work& w = s.cost.text;
  return w.arithmetic + w.scalar + w.matrixInstructions + w.sharedLoads + w.sharedStores + w.globalAccesses +
         w.privateAccesses + w.barriers + p.spillInstructions * s.spills;
}

void time(AdvisedSetting& s, const Processor& p) {
  Work w = s.cost.work;
  // A missing register is stored and loaded in each iteration, if the loop needs it at all: a compiler moves
  // values between the registers that the loop uses and the spilled ones.
  constexpr double kInLoop = 1.5;
  w.spilled = std::max(w.spilled, kInLoop * s.excess);
  const Cycles c = cyclesOf(w, s, p);
  s.products = w.products * std::ceil(double(s.invocations) / s.subgroupSize);
  if (w.products <= 0 || c.all <= 0) return;
  s.cycles = c.all / w.products * kProductsOfCycles;
  s.driverFigure = driverFigureOf(s, p) / s.cost.work.products;
  s.busyMatrix = c.matrix / c.all;
  s.busyArithmetic = c.arithmetic / c.all;
  s.busyShared = c.shared / c.all;
  s.busyGlobal = c.global / c.all;
  s.why.push_back("each subgroup computes " + number(w.products) + " multiply-adds in " +
                  (s.cost.isLoop ? "an iteration of the loop" : "the shader") + ", in " + number(c.all) +
                  " cycles" + (c.waits ? ", because too few subgroups hide the latency" : ""));
  s.why.push_back("busy: matrix unit " + percent(s.busyMatrix) + ", arithmetic " + percent(s.busyArithmetic) +
                  ", shared memory " + percent(s.busyShared) + ", global memory " + percent(s.busyGlobal));
  if (w.matrixInstructions > 0)
    s.why.push_back(number(w.matrixInstructions) + " matrix instructions, " + number(w.sharedLoads) +
                    " loads from shared memory");
}

void explain(AdvisedSetting& s) {
  const double least = std::min({s.wavesByRegisters, s.wavesByShared, s.wavesBySubgroups});
  const char* by = least == s.wavesBySubgroups   ? "the most that there are"
                   : least == s.wavesByRegisters ? "by registers"
                                                 : "by shared memory";
  s.why.insert(s.why.begin(), number(s.waves) + " subgroups at once: " + by + " (" +
                                  number(s.wavesByRegisters) + " by registers, " + number(s.wavesByShared) +
                                  " by shared memory, at most " + number(s.wavesBySubgroups) + ")");
  if (s.spills != 0) s.why.push_back(std::to_string(s.spills) + " registers are expected to be spilled");
}

AdvisedSetting adviseOne(std::span<const uint32_t> words, const AdviceRequest& request,
                         const std::vector<SpecializationValue>& values, const Processor& p) {
  AdvisedSetting s;
  s.values = values;
  LowerRequest lowering = request.lower;
  std::erase_if(lowering.values, [&](const SpecializationValue& v) {
    return std::ranges::any_of(values,
                               [&](const SpecializationValue& own) { return own.specId == v.specId; });
  });
  lowering.values.insert(lowering.values.end(), values.begin(), values.end());
  lowering.specDefaults = true;
  const LowerAnswer answer = lower(words, lowering);
  s.kind = answer.kind;
  if (answer.kind == LowerAnswer::Kind::Declined) {
    s.reason = answer.reasons.empty() ? "declined" : answer.reasons.front();
    return s;
  }
  ReadError error;
  std::optional<Module> read = readModule(answer.words, error);
  if (!read) {
    s.kind = LowerAnswer::Kind::Declined;
    s.reason = error.message;
    return s;
  }
  Module& module = *read;
  if (answer.kind == LowerAnswer::Kind::Native) {
    specialize(module, lowering.values, true);
    // Lowering has checked only what it has changed.
    Graphs graphs;
    if (const std::string fault = structureFault(module, FunctionWords::AsRead, graphs); !fault.empty()) {
      s.kind = LowerAnswer::Kind::Declined;
      s.reason = "not a valid module: " + fault;
      return s;
    }
  }
  s.invocations = uint32_t(std::clamp<uint64_t>(workgroupInvocations(module), 1, 1u << 16));
  s.subgroupSize =
      answer.subgroupSize != 0 ? answer.subgroupSize : lowering.target.subgroupSize(lowering.subgroupSize);
  s.subgroupSize = std::max(1u, s.subgroupSize);
  s.sharedBytes = uint32_t(std::min<uint64_t>(workgroupBytes(module), UINT32_MAX));
  const DeviceProfile& device = lowering.target.device;
  if ((device.maxInvocations != 0 && s.invocations > device.maxInvocations) ||
      (device.sharedMemory != 0 && s.sharedBytes > device.sharedMemory)) {
    s.kind = LowerAnswer::Kind::Declined;
    s.reason = device.sharedMemory != 0 && s.sharedBytes > device.sharedMemory
                   ? std::to_string(s.sharedBytes) + " bytes of workgroup memory, the device has " +
                         std::to_string(device.sharedMemory)
                   : "a workgroup of " + std::to_string(s.invocations) +
                         " invocations, the device has up to " + std::to_string(device.maxInvocations);
    return s;
  }
  s.cost = costOf(module, p, s.subgroupSize, s.invocations);
  if (!s.cost.known) return s;
  occupy(s, p);
  time(s, p);
  explain(s);
  return s;
}

// The specialization constants that the sizes of matrices and of the workgroup are computed from.
class SizeConstants {
 public:
  explicit SizeConstants(const Module& m) : m_(m) {}

  void add(Id id) {
    std::vector<Id> work{id};
    while (!work.empty()) {
      const Id next = work.back();
      work.pop_back();
      const Instruction* i = m_.def(next);
      if (i == nullptr || !seen_.insert(next).second) continue;
      if (i->op() == spv::Op::OpSpecConstantOp)
        for (const Id operand : op::SpecConstantOp(m_, *i).operands()) work.push_back(operand);
      if (i->op() == spv::Op::OpSpecConstantComposite)
        m_.forEachOperandId(*i, [&](Id part) { work.push_back(part); });
    }
  }
  bool contains(Id id) const { return m_.opOf(id) == spv::Op::OpSpecConstant && seen_.contains(id); }

 private:
  const Module& m_;
  std::set<Id> seen_;  // constants that sizes are computed from, those on the way too
};

// Whether the caller froze the constant, in all settings.
bool isGiven(const LowerRequest& request, uint32_t specId) {
  return std::any_of(request.values.begin(), request.values.end(),
                     [&](const SpecializationValue& value) { return value.specId == specId; });
}

std::vector<std::pair<uint32_t, std::string>> namesOf(std::span<const uint32_t> words) {
  ReadError error;
  std::vector<std::pair<uint32_t, std::string>> names;
  const std::optional<Module> module = readModule(words, error);
  if (!module) return names;
  const Module& m = *module;
  std::map<Id, std::string_view> nameOf;
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto name = as<op::Name>(m, i)) nameOf[name.target()] = name.name();
    const auto decorate = as<op::Decorate>(m, i);
    if (!decorate || decorate.decoration() != spv::Decoration::SpecId) continue;
    const auto named = nameOf.find(decorate.target());
    if (named != nameOf.end() && !named->second.empty())
      names.emplace_back(decorate.parameters()[0], named->second);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::vector<std::vector<SpecializationValue>> sizeSettings(std::span<const uint32_t> words,
                                                           const LowerRequest& request) {
  ReadError error;
  const std::optional<Module> module = readModule(words, error);
  if (!module) return {{}};
  const Module& m = *module;
  SizeConstants constants(m);
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto matrix = as<op::TypeCooperativeMatrixKHR>(m, i)) {
      constants.add(matrix.rows());
      constants.add(matrix.columns());
    }
    if (i.op() == spv::Op::OpExecutionModeId) m.forEachOperandId(i, [&](Id id) { constants.add(id); });
    const auto decorate = as<op::Decorate>(m, i);
    if (decorate && decorate.decoration() == spv::Decoration::BuiltIn &&
        spv::BuiltIn(decorate.parameters()[0]) == spv::BuiltIn::WorkgroupSize)
      constants.add(decorate.target());
  }
  std::vector<std::vector<SpecializationValue>> settings{{}};
  const ConstantEvaluator evaluator(m, request.values);
  size_t sizes = 0;
  for (uint32_t n = 0; n < m.functionsAt && sizes < kMostSizes; ++n) {
    const auto decorate = as<op::Decorate>(m, m.instructions[n]);
    if (!decorate || decorate.decoration() != spv::Decoration::SpecId ||
        !constants.contains(decorate.target()) || isGiven(request, decorate.parameters()[0]))
      continue;
    const ConstantValue value = evaluator.value(decorate.target());
    if (!value.known || value.bits < 2 || value.bits > kLargestSize || value.width > 32) continue;
    ++sizes;
    std::vector<std::vector<SpecializationValue>> more;
    for (const std::vector<SpecializationValue>& setting : settings) {
      for (const uint64_t bits : {value.bits, value.bits / 2, value.bits * 2}) {
        more.push_back(setting);
        more.back().push_back({decorate.parameters()[0], bits});
      }
    }
    settings = std::move(more);
  }
  return settings;
}

Advice advise(std::span<const uint32_t> words, const AdviceRequest& request) {
  Advice advice;
  const Processor processor = processorOf(request.lower.target);
  advice.processor = processor.name;
  advice.isProcessorKnown = processor.known;
  advice.unit = processor.unit;
  advice.names = namesOf(words);
  const auto settings = request.settings.empty() ? sizeSettings(words, request.lower) : request.settings;
  for (const auto& values : settings) advice.settings.push_back(adviseOne(words, request, values, processor));
  const auto order = [](const AdvisedSetting& s) {
    const bool declined = s.kind == LowerAnswer::Kind::Declined;
    return std::pair(declined ? 2 : s.cycles == 0 ? 1 : 0, s.cycles);
  };
  std::stable_sort(advice.settings.begin(), advice.settings.end(),
                   [&](const AdvisedSetting& a, const AdvisedSetting& b) { return order(a) < order(b); });
  return advice;
}

}  // namespace coopc::spirv::lower
