// Capabilities, extensions and versions: what is used is declared, what is declared is used.
#include <algorithm>

#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

namespace enums = spirv::enums;

// The instructions of these extensions.
bool ours(uint32_t n) {
  return (n >= 4456 && n <= 4460) || (n >= 5288 && n <= 5293) || n == 5302 || n == 5303 || n == 5363 ||
         (n >= 5366 && n <= 5379) || n == 5382 || n == 5384 || n == 5390;
}

struct Known {
  uint32_t capability;
  const char* what;  // a use, for the message
};
constexpr Known kCapabilities[] = {
    {6022, "cooperative matrix type"},
    {uint32_t(enums::CapabilityCooperativeMatrixReductionsEXT), "reduction"},
    {5431, "change of use or transposition"},
    {5429, "change of use"},
    {uint32_t(enums::CapabilityCooperativeMatrixPerElementOperationsEXT), "per-element operation"},
    {5433, "tensor load or store"},
    {5434, "decode function"},
    {5438, "coordinate"},
    {5439, "tensor layout or view"},
    {5447, "vector decode function"},
    {5116, "bfloat16 type"},
    {5117, "dot product of bfloat16 vectors"},
    {5118, "cooperative matrix of bfloat16"},
    {4212, "8-bit float type"},
    {4213, "cooperative matrix of 8-bit floats"},
    {5394, "cooperative vector"},
    {5435, "cooperative vector training instruction"},
};
constexpr size_t kCount = sizeof kCapabilities / sizeof kCapabilities[0];

struct Version {
  std::string_view extension;
  uint32_t least;
};
constexpr Version kVersions[] = {
    {"SPV_KHR_cooperative_matrix", 0x00010300}, {"SPV_NV_cooperative_matrix2", 0x00010600},
    {"SPV_NV_tensor_addressing", 0x00010600},   {"SPV_NV_cooperative_matrix_decode_vector", 0x00010600},
    {"SPV_NV_cooperative_vector", 0x00010600},
};

std::string versionText(uint32_t version) {
  return std::to_string(version >> 16 & 0xFF) + "." + std::to_string(version >> 8 & 0xFF);
}

std::string capabilityName(uint32_t capability) {
  const std::string_view name = spirv::enumerantName(spirv::OperandKind::Capability, capability);
  return name.empty() ? std::to_string(capability) : std::string(name);
}

class Capabilities {
 public:
  explicit Capabilities(Context& c) : c_(c) {}

  void run() {
    for (const Instruction& i : c_.m.instructions) use(i);
    declared();
    extensions();
  }

 private:
  void mark(uint32_t capability) {
    for (size_t n = 0; n < kCount; ++n) {
      if (kCapabilities[n].capability == capability) used_[n] = true;
    }
  }

  // One of these must be declared.
  void need(const Instruction& i, std::initializer_list<uint32_t> any, const std::string& what) {
    bool have = false;
    for (uint32_t capability : any) {
      have = have || c_.declares(spv::Capability(capability));
      mark(capability);
    }
    if (!have && missing_.insert(*any.begin()).second) {
      c_.report(Rule::CapabilityMissing, &i, what + " needs capability " + capabilityName(*any.begin()));
    }
  }

  void use(const Instruction& i) {
    const uint32_t n = i.opcode;
    if (ours(n)) {
      const spirv::OpInfo* info = spirv::opInfo(n);
      const auto capabilities = spirv::grammarCapabilities(info->capabilityList);
      bool have = capabilities.empty();
      for (uint16_t capability : capabilities) {
        have = have || c_.declares(spv::Capability(capability));
        mark(capability);
      }
      if (!have) {
        // Where two have it, the one of the extension that is declared reads better.
        uint32_t named = capabilities[0];
        for (uint16_t capability : capabilities) {
          const bool nv = capabilityName(capability).find("NV") != std::string::npos;
          if (nv && c_.hasExtension("SPV_NV_cooperative_matrix2")) named = capability;
        }
        // Once each, at the first use.
        if (missing_.insert(named).second) {
          c_.report(Rule::CapabilityMissing, &i,
                    std::string(spirv::opName(n)) + " needs capability " + capabilityName(named));
        }
      }
    }
    switch (i.op()) {
      case Op::OpTypeFloat:
        if (c_.isBfloat16(i.result)) mark(5116);
        if (c_.isFloat8(i.result)) mark(4212);
        break;
      case Op::OpTypeCooperativeMatrixKHR:
        if (c_.isBfloat16(c_.word(i, 2))) mark(5118);
        if (c_.isFloat8(c_.word(i, 2))) mark(4213);
        break;
      case Op::OpDot:
        if (const Instruction* v = c_.type(c_.m.typeOf(c_.word(i, 3)));
            v != nullptr && v->op() == Op::OpTypeVector && c_.isBfloat16(c_.word(*v, 2))) {
          mark(5117);
        }
        break;
      case Op::OpCooperativeMatrixLoadTensorNV:
      case Op::OpCooperativeMatrixStoreTensorNV: {
        uint32_t at = i.op() == Op::OpCooperativeMatrixLoadTensorNV ? 6 : 4;
        const uint32_t memory = c_.word(i, at++);
        for (uint32_t bit : {0x2u, 0x8u, 0x10u, 0x10000u, 0x20000u}) at += (memory & bit) != 0 ? 1 : 0;
        const uint32_t mask = c_.word(i, at);
        if ((mask & 2) != 0) need(i, {5434}, "DecodeFunc");
        if ((mask & 4) != 0) need(i, {5447}, "DecodeVectorFunc");
        break;
      }
      case Op::OpConvertFToU:
      case Op::OpConvertFToS:
      case Op::OpConvertSToF:
      case Op::OpConvertUToF:
      case Op::OpUConvert:
      case Op::OpSConvert:
      case Op::OpFConvert: {
        const auto to = c_.matrix(i.type), from = c_.matrixOf(c_.word(i, 3));
        if (to && from && to->use != from->use) {
          mark(5431);
          mark(5429);
        }
        break;
      }
      case Op::OpDecorate:
        if (c_.word(i, 2) == uint32_t(enums::DecorationSaturatedToLargestFloat8NormalConversionEXT)) {
          saturated(i);
        }
        break;
      default: break;
    }
  }

  // SPV_EXT_float8: the decoration stands on conversions to 8-bit floats only.
  void saturated(const Instruction& i) {
    const Instruction* target = c_.m.def(c_.word(i, 1));
    const Op op = target == nullptr ? Op::OpNop : target->op();
    bool fits = op == Op::OpFConvert || op == Op::OpConvertSToF || op == Op::OpConvertUToF;
    if (fits) {
      Id t = target->type;
      if (const auto matrix = c_.matrix(t)) t = matrix->component;
      if (const auto vector = c_.coopVec(t)) t = vector->component;
      if (const Instruction* v = c_.type(t); v != nullptr && v->op() == Op::OpTypeVector) t = c_.word(*v, 2);
      fits = c_.isFloat8(t);
    }
    if (!fits) {
      c_.report(
          Rule::SaturatedConversion, &i,
          "decorates " + std::string(spirv::opName(uint32_t(op))) + ", no conversion to an 8-bit float");
    }
  }

  void declared() {
    for (const Context::Declared& d : c_.capabilities()) {
      const auto known = std::find_if(std::begin(kCapabilities), std::end(kCapabilities),
                                      [&](const Known& k) { return k.capability == d.capability; });
      if (known == std::end(kCapabilities)) continue;
      const spirv::EnumerantInfo* info = spirv::enumerantInfo(spirv::OperandKind::Capability, d.capability);
      if (info != nullptr && info->extensionList.count != 0) {
        bool have = false;
        std::string names;
        for (uint32_t at : spirv::grammarExtensions(info->extensionList)) {
          have = have || c_.hasExtension(spirv::grammarString(at));
          names += (names.empty() ? "" : " or ") + std::string(spirv::grammarString(at));
        }
        if (!have) {
          c_.report(Rule::ExtensionMissing, d.at,
                    "capability " + capabilityName(d.capability) + " needs " + names);
        }
      }
      if (!used_[size_t(known - std::begin(kCapabilities))]) {
        c_.report(Rule::CapabilityUnused, d.at,
                  "capability " + capabilityName(d.capability) + " is declared, but no " + known->what +
                      " is used");
      }
      if (d.capability == 6022 || d.capability == 5394) {
        if (c_.shader() && !c_.declares(spv::Capability::VulkanMemoryModel)) {
          c_.report(d.capability == 6022 ? Rule::MatrixMemoryModel : Rule::CoopVecMemoryModel, d.at,
                    capabilityName(d.capability) + " is declared, VulkanMemoryModel is not");
        }
      }
      if (d.capability == 5433 && !c_.hasExtension("SPV_NV_tensor_addressing")) {
        c_.report(Rule::ExtensionRequires, d.at,
                  "capability " + capabilityName(d.capability) + " needs SPV_NV_tensor_addressing");
      }
    }
  }

  void extensions() {
    const struct {
      std::string_view extension, needs;
    } requires_[] = {{"SPV_NV_cooperative_matrix2", "SPV_KHR_cooperative_matrix"},
                     {"SPV_NV_cooperative_matrix_decode_vector", "SPV_NV_cooperative_matrix2"}};
    for (const Context::Extension& e : c_.extensions()) {
      for (const Version& v : kVersions) {
        if (v.extension == e.name && c_.m.version < v.least) {
          c_.report(Rule::ExtensionVersion, e.at,
                    std::string(e.name) + " needs SPIR-V " + versionText(v.least) + ", the module is " +
                        versionText(c_.m.version));
        }
      }
      for (const auto& r : requires_) {
        if (r.extension == e.name && !c_.hasExtension(r.needs)) {
          c_.report(Rule::ExtensionRequires, e.at, std::string(e.name) + " needs " + std::string(r.needs));
        }
      }
      if (e.name == "SPV_KHR_cooperative_matrix" && c_.shader() && c_.m.version >= 0x00010300 &&
          c_.m.version < 0x00010500 && !c_.hasExtension("SPV_KHR_vulkan_memory_model")) {
        c_.report(Rule::ExtensionRequires, e.at,
                  "SPV_KHR_cooperative_matrix needs SPV_KHR_vulkan_memory_model below SPIR-V 1.5");
      }
      // Used: a capability that it gives is declared, or another declared extension requires it.
      bool known = false, used = false;
      for (const Known& k : kCapabilities) {
        const spirv::EnumerantInfo* info = spirv::enumerantInfo(spirv::OperandKind::Capability, k.capability);
        if (info == nullptr) continue;
        for (uint32_t at : spirv::grammarExtensions(info->extensionList)) {
          if (spirv::grammarString(at) != e.name) continue;
          known = true;
          used = used || c_.declaresItself(spv::Capability(k.capability)) ||
                 c_.declares(spv::Capability(k.capability));
        }
      }
      for (const auto& r : requires_) used = used || (r.needs == e.name && c_.hasExtension(r.extension));
      if (known && !used) {
        c_.report(Rule::ExtensionUnused, e.at,
                  std::string(e.name) + " is declared, but none of its capabilities is");
      }
    }
  }

  Context& c_;
  bool used_[kCount] = {};
  std::set<uint32_t> missing_;
};

}  // namespace

void checkCapabilities(Context& c) { Capabilities(c).run(); }

}  // namespace coopc::validator
