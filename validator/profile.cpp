// The device level: a module against a device profile. profile_vectors.cpp has the rules of cooperative
// vectors.
#include "validator/profile.hpp"

#include <algorithm>

#include "base/spirv_version.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

namespace vulkan = spirv::vulkan;
using vulkan::Answer;

class Device {
 public:
  Device(Context& c, const Profile& p) : c_(c), p_(p) {}

  void run() {
    declarations();
    workgroup();
    bool anyMatrix = false, workgroupScope = false;
    Defaults scopeByDefault;  // of the first matrix of Workgroup scope; a matrix whose scope is certain takes
                              // precedence
    for (const Instruction& i : c_.m.instructions) {
      if (i.op() == Op::OpTypeCooperativeMatrixKHR) {
        if (!anyMatrix && c_.m.version < kSpirv16) {
          c_.report(Rule::FullSubgroups, &i,
                    "the module is below SPIR-V 1.6: its pipeline must require full subgroups");
        }
        anyMatrix = true;
        const Value scope = c_.value(c_.matrix(i.result)->scope);
        if (scope.is(uint64_t(spv::Scope::Workgroup))) {
          if (!workgroupScope || !scope.byDefault) scopeByDefault = scope.byDefault;
          workgroupScope = true;
        }
        type(i);
      }
      if (i.op() == Op::OpCooperativeMatrixMulAddKHR) mulAdd(i);
    }
    checkSharedMemory(workgroupScope, scopeByDefault);
    if (anyMatrix) stages();
    if (workgroupScope && sizeKnown_ && p_.maxScopeInvocations != 0 &&
        invocations_ > p_.maxScopeInvocations) {
      c_.report(Rule::DeviceWorkgroupSize, sizeAt_,
                "the workgroup has " + std::to_string(invocations_) + " invocations, " + p_.name +
                    " allows " + std::to_string(p_.maxScopeInvocations) + " with matrices of scope Workgroup",
                sizeByDefault_ | scopeByDefault);
    }
  }

 private:
  bool has(const char* feature) const { return p_.features.count(feature) != 0; }

  void declarations() {
    for (const Context::Declared& d : c_.capabilities()) {
      if (lacks(d.capability)) reportMissing(d);
    }
    for (const Context::Extension& e : c_.extensions()) {
      const vulkan::SpirvExtension* needs = vulkan::findSpirvExtension(e.name);
      if (needs == nullptr || vulkan::offers(p_, *needs) != Answer::No) continue;
      c_.report(Rule::DeviceExtension, e.at,
                p_.name + " lacks " + std::string(vulkan::name(needs->extensions[0])) + ", which " +
                    std::string(e.name) + " needs");
    }
  }

  // If the profile has no list of extensions, an extension is not assumed to make up for a missing feature.
  bool lacks(uint32_t capability) const {
    if (vulkan::offers(p_, capability) == Answer::No) return true;
    bool feature = false;
    for (const vulkan::Alternative& a : vulkan::alternatives(capability)) {
      const Answer answer = vulkan::offers(p_, a);
      if (answer == Answer::Yes) return false;
      if (answer == Answer::Unknown && a.kind != vulkan::Alternative::Kind::Extension) return false;
      feature |= a.kind == vulkan::Alternative::Kind::Feature;
    }
    return feature;
  }

  void reportMissing(const Context::Declared& d) {
    const std::string name(spirv::enumerantName(spirv::OperandKind::Capability, d.capability));
    const vulkan::Alternative& first = vulkan::alternatives(d.capability).front();
    switch (first.kind) {
      case vulkan::Alternative::Kind::Feature:
        return c_.report(Rule::DeviceFeature, d.at,
                         p_.name + " lacks the feature " + std::string(vulkan::name(first.feature())) +
                             " of capability " + name);
      case vulkan::Alternative::Kind::Extension:
        return c_.report(Rule::DeviceExtension, d.at,
                         p_.name + " lacks " + std::string(vulkan::name(first.extension())) +
                             ", which capability " + name + " needs");
      case vulkan::Alternative::Kind::Version:
        return c_.report(Rule::DeviceExtension, d.at,
                         p_.name + " lacks Vulkan " + std::string(vulkan::name(first.version())) +
                             ", which capability " + name + " needs");
      case vulkan::Alternative::Kind::Property: return;  // profiles do not list properties
    }
  }

  void workgroup() {
    for (const spirv::WorkgroupSize& size : c_.workgroupSizes()) {
      sizeKnown_ = size.n[0].known && size.n[1].known && size.n[2].known;
      sizeByDefault_ = size.n[0].byDefault | size.n[1].byDefault | size.n[2].byDefault;
      invocations_ = 1;
      for (const Value& v : size.n) invocations_ *= v.bits <= 0xFFFF ? v.bits : 0xFFFF;
      sizeAt_ = size.at;
    }
    if (sizeKnown_ && p_.maxInvocations != 0 && invocations_ > p_.maxInvocations) {
      c_.report(Rule::DeviceWorkgroupSize, sizeAt_,
                "the workgroup has " + std::to_string(invocations_) + " invocations, " + p_.name +
                    " allows " + std::to_string(p_.maxInvocations),
                sizeByDefault_);
    }
  }

  // `bySize`: only shapes for workgroups of the module's size count.
  bool scopeFits(const MatrixShape& s, bool workgroupScope, bool bySize) const {
    if (s.workgroup != workgroupScope) return false;
    return !bySize || !s.workgroup || s.invocations == 0 || s.invocations == invocations_;
  }

  struct Size {
    Value rows, columns, scope, use;
    std::string name;  // the component's, of any format
    std::optional<NumberType> component;
    bool known = false;
    Defaults byDefault;
  };
  Size sizeOf(const MatrixOperands& t) const {
    Size s{c_.value(t.rows), c_.value(t.columns), c_.value(t.scope), c_.value(t.use), {}, {}, false, {}};
    s.known = s.rows.known && s.columns.known && s.scope.known && s.use.known && c_.isNumerical(t.component);
    s.byDefault = s.rows.byDefault | s.columns.byDefault | s.scope.byDefault | s.use.byDefault;
    if (!s.known) return s;
    s.name = spirv::numberTypeName(c_.m, t.component);
    s.component = spirv::numberTypeOf(c_.m, t.component);
    return s;
  }

  static bool dimensionFits(uint64_t size, uint64_t shape, bool flexible) {
    return flexible ? size != 0 && size % shape == 0 : size == shape;
  }

  bool typeFits(const Size& s, const MatrixShape& shape, bool flexible, bool bySize) const {
    if (!scopeFits(shape, s.scope.is(uint64_t(spv::Scope::Workgroup)), bySize)) return false;
    const uint64_t rows = s.use.bits == 1 ? shape.k : shape.m, columns = s.use.bits == 0 ? shape.k : shape.n;
    if (!dimensionFits(s.rows.bits, rows, flexible) || !dimensionFits(s.columns.bits, columns, flexible))
      return false;
    if (s.use.bits == 0) return s.component == shape.a;
    if (s.use.bits == 1) return s.component == shape.b;
    return s.component == shape.c || s.component == shape.result;
  }

  void type(const Instruction& i) {
    const MatrixOperands t = *c_.matrix(i.result);
    const Size s = sizeOf(t);
    if (!s.known || s.use.bits > 2) return;
    if (s.scope.is(uint64_t(spv::Scope::Workgroup)) && !has("cooperativeMatrixWorkgroupScope")) {
      return c_.report(Rule::DeviceScope, &i, p_.name + " has no matrices of scope Workgroup",
                       s.scope.byDefault);
    }
    const bool rows = s.rows.bits > p_.maxDimension, columns = s.columns.bits > p_.maxDimension;
    if (p_.maxDimension != 0 && (rows || columns)) {
      const bool certain = (rows && !s.rows.byDefault) || (columns && !s.columns.byDefault);
      return c_.report(Rule::DeviceMaxDimension, &i,
                       "a " + c_.describe(t.type) + " is larger than " + std::to_string(p_.maxDimension) +
                           ", which " + p_.name + " allows",
                       certain ? Defaults() : s.rows.byDefault | s.columns.byDefault);
    }
    const auto offered = [&](bool bySize) {
      return any(
          [&](const MatrixShape& shape, bool flexible) { return typeFits(s, shape, flexible, bySize); });
    };
    // A type that the device never offers is a worse fault than one that it lacks for this workgroup size.
    const bool somewhere = offered(false);
    if (somewhere && (!sizeKnown_ || offered(true) || reportsSize())) return;
    c_.report(Rule::DeviceMatrixType, &i,
              p_.name + " offers no " + c_.describe(t.type) +
                  (somewhere ? " for " + std::to_string(invocations_) + " invocations" : std::string()),
              somewhere ? sizeByDefault_ | s.byDefault : s.byDefault);
  }

  // If no shape fits the default workgroup size, that is reported once.
  bool reportsSize() {
    if (!sizeByDefault_) return false;
    const bool before = sizeReported_;
    sizeReported_ = true;
    return before;
  }

  // Whether there is a shape that fits. If the profile has no list, there may be one. `fits` takes a shape
  // and whether it is a flexible one.
  template <class F>
  bool any(F&& fits) const {
    if (!p_.fixed) return true;
    for (const MatrixShape& shape : *p_.fixed) {
      if (fits(shape, false)) return true;
    }
    if (!has("cooperativeMatrixFlexibleDimensions")) return false;
    if (!p_.flexible) return true;
    for (const MatrixShape& shape : *p_.flexible) {
      if (fits(shape, true)) return true;
    }
    return false;
  }

  void mulAdd(const Instruction& i) {
    const op::CooperativeMatrixMulAddKHR view(c_.m, i);
    const auto a = c_.matrixOf(view.a()), b = c_.matrixOf(view.b()), c = c_.matrixOf(view.c()),
               r = c_.matrix(i.type);
    if (!a || !b || !c || !r) return;
    const Size sa = sizeOf(*a), sb = sizeOf(*b), sc = sizeOf(*c), sr = sizeOf(*r);
    if (!sa.known || !sb.known || !sc.known || !sr.known) return;
    const bool workgroupScope = sr.scope.is(uint64_t(spv::Scope::Workgroup));
    const bool saturating = (uint32_t(view.cooperativeMatrixOperands()) &
                             uint32_t(spv::CooperativeMatrixOperandsMask::SaturatingAccumulationKHR)) != 0;
    const auto fits = [&](const MatrixShape& s, bool flexible, bool bySize) {
      return scopeFits(s, workgroupScope, bySize) && s.saturating == saturating && s.a == sa.component &&
             s.b == sb.component && s.c == sc.component && s.result == sr.component &&
             dimensionFits(sa.rows.bits, s.m, flexible) && dimensionFits(sa.columns.bits, s.k, flexible) &&
             dimensionFits(sb.columns.bits, s.n, flexible);
    };
    const auto offered = [&](bool bySize) {
      return any([&](const MatrixShape& s, bool flexible) { return fits(s, flexible, bySize); });
    };
    const bool somewhere = offered(false);
    if (somewhere && (!sizeKnown_ || offered(true) || reportsSize())) return;
    const Defaults byDefault = sa.byDefault | sb.byDefault | sr.byDefault;
    c_.report(Rule::DeviceMulAdd, &i,
              p_.name + " offers no " + c_.describe(sa.rows) + "x" + c_.describe(sb.columns) + "x" +
                  c_.describe(sa.columns) + " product of " + sa.name + " and " + sb.name + ", " + sc.name +
                  " to " + sr.name + (saturating ? ", saturating" : "") +
                  (somewhere ? " for " + std::to_string(invocations_) + " invocations" : ""),
              somewhere ? sizeByDefault_ | byDefault : byDefault);
  }

  void checkSharedMemory(bool workgroupScope, const Defaults& scopeByDefault) {
    uint64_t total = 0;
    const Instruction* last = nullptr;
    Defaults sizeByDefault;
    spirv::WorkgroupMemory memory = c_.workgroupMemory();
    for (const Instruction& i : c_.m.instructions) {
      const auto variable = as<op::Variable>(c_.m, i);
      if (!variable || variable.storageClass() != spv::StorageClass::Workgroup) continue;
      const auto pointer = c_.pointer(i.type);
      if (!pointer) continue;
      const spirv::WorkgroupExtent extent = memory.extent(pointer->pointee);
      total = spirv::WorkgroupMemory::append(total, extent);
      sizeByDefault |= extent.byDefault;
      last = &i;
    }
    const uint64_t least =
        workgroupScope ? p_.sharedMemory - std::min(p_.sharedMemory, p_.reserved) : p_.sharedMemory;
    if (p_.sharedMemory != 0 && total > least) {
      c_.report(Rule::DeviceSharedMemory, last,
                "shared memory is at least " + std::to_string(total) + " bytes, " + p_.name + " has " +
                    std::to_string(least) +
                    (workgroupScope ? " beside what matrices of scope Workgroup reserve" : ""),
                total > p_.sharedMemory ? sizeByDefault : sizeByDefault | scopeByDefault);
    }
  }

  // For profiles without the list: Vulkan allows only compute in cooperativeMatrixSupportedStages.
  void stages() {
    checkStages(c_, p_, p_.matrixStages.value_or(std::set<std::string>{"compute"}),
                {kHoldsMatrix, Rule::DeviceStage, "cooperative matrices"});
  }

  Context& c_;
  const Profile& p_;
  bool sizeKnown_ = false, sizeReported_ = false;
  Defaults sizeByDefault_;
  uint64_t invocations_ = 0;
  const Instruction* sizeAt_ = nullptr;
};

}  // namespace

bool checkProfile(Context& c, std::string_view source, std::string& error) {
  std::optional<Profile> read = readProfile(source, error);
  if (!read) return false;
  Profile& profile = *read;
  if (profile.name.empty()) profile.name = "the device";
  Device(c, profile).run();
  checkVectorProfile(c, profile);
  checkTensorProfile(c, profile);
  return true;
}

// On known devices, rows and columns of all matrices are multiples of 8 and at most 1024: the smallest
// granularity and the largest dimension of the shipped profiles and of the drivers whose sources are open.
void checkShapes(Context& c) {
  for (const Instruction& i : c.m.instructions) {
    if (i.op() == Op::OpFunction) break;
    if (i.op() != Op::OpTypeCooperativeMatrixKHR) continue;
    const MatrixOperands t = *c.matrix(i.result);
    for (Id id : {t.rows, t.columns}) {
      const Value v = c.value(id);
      if (!v.known || v.byDefault || (v.bits != 0 && v.bits % 8 == 0 && v.bits <= 1024)) continue;
      c.report(Rule::ShapeUnknown, &i, "no known device offers a " + c.describe(t.type));
      break;
    }
  }
}

}  // namespace coopc::validator
