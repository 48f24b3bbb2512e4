// A built-in is available from a version of the profile on, or by any of the extensions that its row names.
#include "frontend/check/builtins/availability.hpp"

#include <spirv/unified1/spirv.hpp11>

#include "frontend/base/characters.hpp"
#include "frontend/check/builtins/prototypes.hpp"
#include "frontend/language/builtins/functions.hpp"

namespace coopc::frontend {

namespace {

bool available(const Checker& c, uint16_t desktop, uint16_t es, const ExtensionSet& anyOf) {
  const uint16_t first = c.es ? es : desktop;
  return (first != 0 && c.version >= first) || c.enabled.any(anyOf);
}

}  // namespace

const Availability& builtins::rowAvailability(const Checker& c, const FnRow& r) {
  const bool derivative = (r.flags & kRowDerivative) != 0 && !contains(r.stages, c.options.stage);
  return derivative ? frontend::availability(Feature::ComputeDerivatives) : availability(r);
}

bool builtins::rowAvailable(const Checker& c, const FnRow& r) {
  if (!contains(r.stages, c.options.stage) &&
      ((r.flags & kRowDerivative) == 0 || !contains(kWorkgroups, c.options.stage)))
    return false;
  return rowAvailability(c, r).holds(c.es, c.version, c.enabled);
}

bool builtins::rowOfOtherStage(const Checker& c, const FnRow& r) {
  return !contains(r.stages, c.options.stage) && availability(r).holds(c.es, c.version, c.enabled);
}

int32_t builtinConstantValue(const Checker& c, const BuiltinSymbol& symbol, unsigned component) {
  int32_t value = component == 0 ? symbol.value : symbol.more[component - 1];
  const bool vector = !isScalarType(symbol.type);
  for (const LimitValue& limit : c.options.limitValues) {
    std::string_view name = limit.name;
    std::string_view own = symbol.name.substr(3);
    if (vector) {
      // MaxComputeWorkGroupSizeX is gl_MaxComputeWorkGroupSize.x, MaxMeshWorkGroupSizeX_EXT
      // gl_MaxMeshWorkGroupSizeEXT.x.
      for (const std::string_view vendor : {"EXT", "NV"})
        if (own.ends_with(vendor) && name.ends_with(vendor)) {
          own.remove_suffix(vendor.size());
          name.remove_suffix(vendor.size());
          if (name.ends_with('_')) name.remove_suffix(1);
        }
      if (name.empty() || name.back() != static_cast<char>('X' + component)) continue;
      name.remove_suffix(1);
    }
    if (own == name) value = limit.value;
  }
  return value;
}

int32_t builtinConstantValue(Checker& c, std::string_view name, unsigned component) {
  const uint16_t index = c.names[c.names.intern(name)].builtinSymbol;
  return builtinConstantValue(c, builtinSymbol(static_cast<uint16_t>(index - 1)), component);
}

bool builtinSymbolOfStage(const Checker& c, const BuiltinSymbol& symbol) {
  return contains(symbol.inputs | symbol.outputs, c.options.stage);
}
namespace {
// If both extensions are enabled and declare a variable, that of GL_EXT_mesh_shader counts. GL_NV_mesh_shader
// has no gl_NumWorkGroups (7.1; Vulkan, VUID-NumWorkgroups-NumWorkgroups-04296).
bool meshSymbolAvailable(const Checker& c, const BuiltinSymbol& symbol) {
  if (c.has(ExtensionId::GL_EXT_mesh_shader)) return !symbol.anyOf.has(ExtensionId::GL_NV_mesh_shader);
  return symbol.spvBuiltIn != static_cast<uint32_t>(spv::BuiltIn::NumWorkgroups) ||
         !c.has(ExtensionId::GL_NV_mesh_shader);
}
}  // namespace

bool builtinSymbolAvailable(const Checker& c, const BuiltinSymbol& symbol) {
  if (symbol.spvBuiltIn == kPlainOutput && c.version >= 420)
    return false;  // only in the compatibility profile from then on
  if (contains(kTask | kMesh, c.options.stage) && !symbol.constant && !meshSymbolAvailable(c, symbol))
    return false;
  // GLSL 1.50 has gl_Layer in geometry shaders, and 4.30 in fragment shaders.
  const bool layerRead =
      symbol.spvBuiltIn == uint32_t(spv::BuiltIn::Layer) && c.options.stage == Stage::Fragment;
  if (layerRead && c.version < 430 && !c.es) return c.enabled.any(symbol.anyOf);
  return builtinSymbolOfStage(c, symbol) && builtinMemberAvailable(c, symbol);
}

bool builtinMemberAvailable(const Checker& c, const BuiltinSymbol& symbol) {
  // In these stages of ESSL, only the extensions of geometry_point_size and tessellation_point_size provide
  // it, no version does.
  if (c.es && symbol.spvBuiltIn == static_cast<uint32_t>(spv::BuiltIn::PointSize) && !symbol.constant) {
    if (c.options.stage == Stage::Geometry)
      return c.has(ExtensionId::GL_EXT_geometry_point_size) || c.has(ExtensionId::GL_OES_geometry_point_size);
    if (contains(kTessellation, c.options.stage))
      return c.has(ExtensionId::GL_EXT_tessellation_point_size) ||
             c.has(ExtensionId::GL_OES_tessellation_point_size);
  }
  // Vulkan, VUID-ViewportMaskNV-ViewportMaskNV-04409; GL_NV_viewport_array2 has the member, for OpenGL.
  if (symbol.spvBuiltIn == static_cast<uint32_t>(spv::BuiltIn::ViewportMaskNV) &&
      c.options.stage == Stage::TessControl)
    return false;
  return available(c, symbol.minVersion, symbol.minEsVersion, symbol.anyOf);
}
bool builtinTypeAvailable(const Checker& c, const BuiltinTypeName& type) {
  return available(c, type.minVersion, type.minEsVersion, type.anyOf);
}

void forEachBuiltinName(const Checker& c, void (*visit)(void*, std::string_view), void* context) {
  for (uint16_t n = 0; n < builtins::functionNameCount(); ++n) {
    for (uint16_t r = builtins::firstRow(n); r != builtins::kNoRow; r = builtins::row(r).next) {
      const builtins::FnRow& fn = builtins::row(r);
      if (!builtins::rowAvailable(c, fn)) continue;
      visit(context, builtins::functionName(n));
      break;
    }
  }
  for (uint16_t i = 0; i < builtins::symbolCount(); ++i)
    if (const BuiltinSymbol& s = builtinSymbol(i); builtinSymbolAvailable(c, s)) visit(context, s.name);
  for (uint16_t i = 0; i < builtins::typeNameCount(); ++i)
    if (const BuiltinTypeName& t = builtinTypeName(i); builtinTypeAvailable(c, t)) visit(context, t.name);
}

std::string extensionNames(const Checker& c, const ExtensionSet& set) {
  std::string text;
  for (unsigned i = 0; i < static_cast<unsigned>(ExtensionId::Count); ++i) {
    const auto id = static_cast<ExtensionId>(i);
    if (!set.has(id)) continue;
    const ExtensionInfo& info = extensionInfo(id);
    if ((c.es ? info.minEsVersion : info.minVersion) == 0) continue;  // of the other language
    if (!text.empty()) text += " or ";
    text += extensionName(id);
  }
  return text;
}

std::string_view builtinNameInOtherCase(const Checker& c, std::string_view wrong, std::string& needs) {
  const auto same = [&](std::string_view name) { return equalsIgnoringCase(name, wrong); };
  for (uint16_t i = 0; i < builtins::symbolCount(); ++i) {
    const BuiltinSymbol& s = builtinSymbol(i);
    if (!same(s.name) || !builtinSymbolOfStage(c, s)) continue;
    if (!builtinSymbolAvailable(c, s)) needs = extensionNames(c, s.anyOf);
    return s.name;
  }
  for (uint16_t n = 0; n < builtins::functionNameCount(); ++n)
    if (same(builtins::functionName(n))) return builtins::functionName(n);
  for (uint16_t i = 0; i < builtins::typeNameCount(); ++i) {
    const BuiltinTypeName& t = builtinTypeName(i);
    if (same(t.name)) return t.name;
  }
  return {};
}

void warnOfExtension(Checker& c, std::string_view name, const ExtensionSet& anyOf, SourceLoc loc) {
  if (!anyOf.any(c.warnOn)) return;
  for (unsigned e = 0; e < static_cast<unsigned>(ExtensionId::Count); ++e) {
    const auto id = static_cast<ExtensionId>(e);
    if (!anyOf.has(id) || !c.has(id)) continue;
    if (!c.warnOn.has(id)) return;  // another extension provides it without a warning
  }
  for (unsigned e = 0; e < static_cast<unsigned>(ExtensionId::Count); ++e) {
    const auto id = static_cast<ExtensionId>(e);
    if (!anyOf.has(id) || !c.warnOn.has(id)) continue;
    c.report(DiagKind::ExtensionUsed, loc, {name, extensionName(id)});
    return;
  }
}

}  // namespace coopc::frontend
