// Reflects the capabilities and extensions that the module declares, and the alternatives that enable each on
// a device: the rows of spirv/vulkan.hpp.
#include "base/spirv_version.hpp"
#include "reflect/reflector.hpp"
#include "spirv/grammar_names.hpp"
#include "spirv/instruction_walk.hpp"
#include "spirv/vulkan.hpp"

namespace coopc::reflecting {

namespace vulkan = spirv::vulkan;
using vulkan::Alternative;
using Enabler = ReflectedEnabler;

namespace {

std::string text(std::string_view s) { return std::string(s); }

std::string useText(vulkan::Use use) {
  switch (use) {
    case vulkan::Use::Any: return {};
    case vulkan::Use::BufferMemory: return "buffer memory";
    case vulkan::Use::SharedMemory: return "shared memory";
    case vulkan::Use::ImageMemory: return "image memory";
    case vulkan::Use::SubgroupScope: return "subgroup scope";
    case vulkan::Use::DeviceScope: return "device scope";
    case vulkan::Use::Width4: return "width 4";
    case vulkan::Use::Width6: return "width 6";
    case vulkan::Use::Width16: return "width 16";
    case vulkan::Use::Width32: return "width 32";
    case vulkan::Use::Width64: return "width 64";
  }
  return {};
}

Enabler enabler(const Alternative& a) {
  Enabler e;
  e.when = useText(a.use);
  switch (a.kind) {
    case Alternative::Kind::Version:
      e.kind = Enabler::Kind::Version;
      e.name = text(vulkan::name(a.version()));
      break;
    case Alternative::Kind::Extension:
      e.kind = Enabler::Kind::Extension;
      e.name = text(vulkan::name(a.extension()));
      break;
    case Alternative::Kind::Property:
      e.kind = Enabler::Kind::Property;
      e.name = text(vulkan::name(a.property()));
      break;
    case Alternative::Kind::Feature: {
      e.kind = Enabler::Kind::Feature;
      e.name = text(vulkan::name(a.feature()));
      e.member = text(vulkan::member(a.feature()));
      const vulkan::Structure structure = vulkan::info(a.feature()).structure;
      e.structure = text(vulkan::name(structure));
      const vulkan::StructureInfo& info = vulkan::info(structure);
      if (info.promoted != vulkan::Version::Never) e.version = text(vulkan::name(info.promoted));
      for (const vulkan::Extension extension : info.extensions) {
        if (extension != vulkan::Extension::None) e.extensions.push_back(text(vulkan::name(extension)));
      }
      break;
    }
  }
  return e;
}

// Vulkan, appendix "Vulkan Environment for SPIR-V", "Versions and Formats".
const char* vulkanOf(uint32_t version) {
  if (version <= kSpirv10) return "1.0";
  if (version <= kSpirv13) return "1.1";
  if (version <= kSpirv15) return "1.2";
  return "1.3";
}

}  // namespace

void Reflector::reflectRequirements() {
  out_.vulkan = vulkanOf(m_.version);
  for (const Instruction& i : m_.instructions) {
    if (i.op() == spv::Op::OpFunction) break;
    if (i.op() == spv::Op::OpCapability) {
      ReflectedRequirement& r = out_.capabilities.emplace_back();
      r.number = uint32_t(op::Capability(m_, i).capability());
      r.name = text(spirv::capabilityName(r.number));
      if (r.name.empty()) r.name = text(vulkan::capabilityName(r.number));
      r.known = !vulkan::capabilityName(r.number).empty();
      for (const Alternative& a : vulkan::alternatives(r.number)) r.alternatives.push_back(enabler(a));
    } else if (i.op() == spv::Op::OpExtension) {
      ReflectedRequirement& r = out_.extensions.emplace_back();
      r.name = text(op::Extension(m_, i).name());
      const vulkan::SpirvExtension* e = vulkan::findSpirvExtension(r.name);
      r.known = e != nullptr;
      if (e == nullptr) continue;
      if (e->promoted != vulkan::Version::Never)
        r.alternatives.push_back(
            {Enabler::Kind::Version, text(vulkan::name(e->promoted)), {}, {}, {}, {}, {}});
      for (const vulkan::Extension extension : e->extensions) {
        if (extension != vulkan::Extension::None)
          r.alternatives.push_back(
              {Enabler::Kind::Extension, text(vulkan::name(extension)), {}, {}, {}, {}, {}});
      }
    }
  }
}

}  // namespace coopc::reflecting
