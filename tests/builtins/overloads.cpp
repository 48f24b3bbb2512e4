// Expands the tables' generic prototypes over component types and sizes, and texture functions over image
// types; see overloads.hpp.
#include "tests/builtins/overloads.hpp"

#include "frontend/check/builtins/availability.hpp"
#include "frontend/language/builtins/functions.hpp"
#include "frontend/language/texture_form.hpp"

namespace coopc::tests {

using namespace frontend;
using namespace frontend::builtins;

namespace {

// A checker with every extension enabled. The tables ask it what is available.
struct Everything {
  SourceManager sources;
  Diagnostics diagnostics{sources};
  Names names;
  CompileOptions options;
  Program program;
  Checker c{options, diagnostics, names, program};

  Everything() {
    c.version = 460;
    for (unsigned e = 0; e < static_cast<unsigned>(ExtensionId::Count); ++e)
      c.enabled.set(static_cast<ExtensionId>(e));
  }
};

std::string opaqueName(uint32_t packed) {
  for (uint16_t i = 0; i < typeNameCount(); ++i)
    if (builtinTypeName(i).basic == kErrorType && builtinTypeName(i).imageDesc == packed)
      return std::string(builtinTypeName(i).name);
  return "";
}

std::string formatOf(Scalar s) {
  switch (s) {
    case Scalar::Int: return "r32i";
    case Scalar::Uint: return "r32ui";
    case Scalar::Int64: return "r64i";
    case Scalar::Uint64: return "r64ui";
    default: return "r32f";
  }
}

// A constant operand that the function's rules accept.
std::string constantFor(const Prototype& p, uint32_t i, const std::string& type) {
  const BuiltinOp op = p.row->op;
  if (type == "int" && ((p.row->flags & kRowScoped) ||
                        (op >= BuiltinOp::ImageAtomicAdd && op <= BuiltinOp::ImageAtomicStore))) {
    // Scopes and semantics are the last operands: scope, storage, semantics (, storage, semantics).
    uint32_t first = 0;
    while (p.modes[first] != ParamMode::Constant) ++first;
    const bool arrives = op == BuiltinOp::ControlBarrierArrive, waits = op == BuiltinOp::ControlBarrierWait;
    if (op == BuiltinOp::ControlBarrier || arrives || waits) {
      if (i <= first + 1) return "gl_ScopeWorkgroup";
      ++first;
    }
    if (i == first) return "gl_ScopeDevice";
    if ((i - first) % 2 == 1) return "gl_StorageSemanticsBuffer";
    const bool load = op == BuiltinOp::AtomicLoad || op == BuiltinOp::ImageAtomicLoad || waits;
    const bool store = op == BuiltinOp::AtomicStore || op == BuiltinOp::ImageAtomicStore || arrives;
    const bool unequal = i - first == 4;
    return load || unequal ? "gl_SemanticsAcquire"
           : store         ? "gl_SemanticsRelease"
                           : "gl_SemanticsAcquireRelease";
  }
  if (type == "uint") return "2u";
  if (type == "int[4]" || type.find('[') != std::string::npos)
    return "ivec2[4](ivec2(0), ivec2(1), ivec2(2), ivec2(3))";
  return type + "(1)";
}

Overload makeCall(Everything& all, const Prototype& p, const std::string& function) {
  Overload o;
  o.function = function;
  const auto text = [&](TypeId t) { return all.c.typeText(t); };
  o.operation = static_cast<int>(p.row->op);
  std::string call = function + "(", locals;
  for (uint32_t i = 0; i < p.count; ++i) {
    if (i) {
      call += ", ";
      o.parameters += ", ";
    }
    const TypeId t = p.types[i];
    const TypeInfo info = all.c.type(t);
    const std::string id = "$" + std::to_string(i);  // $ becomes the overload's own prefix
    if (t == kAccelerationStructureType) {
      o.parameters += text(t);
      o.declarations += "layout(set = 0, binding = @) uniform " + text(t) + " " + id + ";\n";
      call += id;
      continue;
    }
    if (info.kind == TypeKind::Image) {
      const ImageDesc desc = info.image();
      const std::string name = opaqueName(desc.pack());
      o.parameters += name;
      o.declarations += "layout(set = 0, binding = @";
      if (desc.kind == ImageKind::Storage) o.declarations += ", " + formatOf(desc.sampled);
      o.declarations += ") uniform " + name + " " + id + ";\n";
      call += id;
      continue;
    }
    o.parameters += text(t);
    switch (p.modes[i]) {
      case ParamMode::Constant:
      case ParamMode::Offset: call += constantFor(p, i, text(t)); break;
      case ParamMode::AtomicMemory:
      case ParamMode::AtomicRead:
      case ParamMode::AtomicWrite:
        o.declarations +=
            "layout(set = 0, binding = @) buffer Block" + id + " { " + text(t) + " " + id + "; };\n";
        call += id;
        break;
      default:
        locals += "  " + text(t) + " " + id + ";\n";
        call += id;
        break;
    }
  }
  o.prototype = text(p.result) + " " + function + "(" + o.parameters + ")";
  o.body = locals + "  ";
  if (p.result != kVoidType) o.body += text(p.result) + " $r = ";
  o.body += call + ");\n";
  return o;
}

void addGeneric(Everything& all, const FnRow& r, const std::string& function, std::vector<Overload>& out) {
  const ParamPattern* pattern = params(r);
  bool usesN = false, usesC = false;
  const auto look = [&](Pattern t) {
    if (t == kVoidPattern) return;
    usesN = usesN || patternRows(t) == kSizeN || patternColumns(t) == kSizeN;
    usesC = usesC || patternRows(t) == kSizeC || patternColumns(t) == kSizeC;
  };
  for (uint32_t i = 0; i < r.paramCount; ++i) look(pattern[i].type);
  const uint32_t scalars = r.scalars == 0 ? 1u : r.scalars;
  for (uint32_t s = 0; s < static_cast<uint32_t>(Scalar::Count); ++s) {
    if (!((scalars >> s) & 1)) continue;
    for (uint32_t n = 1; n <= 4; ++n) {
      if (usesN ? !((r.sizes >> (n - 1)) & 1) : n > 1) continue;
      for (uint32_t columns = 1; columns <= 4; ++columns) {
        if (usesC ? !((r.sizes >> (columns - 1)) & 1) : columns > 1) continue;
        const auto typeOf = [&](Pattern t) -> TypeId {
          if (t == kVoidPattern) return kVoidType;
          if (isObjectPattern(t)) return objectType(t);
          const Scalar scalar =
              patternScalar(t) == kScalarT ? static_cast<Scalar>(s) : static_cast<Scalar>(patternScalar(t));
          const auto size = [&](uint32_t code) {
            return code == kSizeN ? n : code == kSizeC ? columns : code;
          };
          if (patternRows(t) == kSizeLong) {
            const ConstId length = all.program.constants.uint32(longPatternSize(t));
            return all.program.types.internParameterized(TypeKind::LongVector, scalar, {&length, 1});
          }
          return basicType(scalar, size(patternRows(t)), size(patternColumns(t)));
        };
        Prototype p;
        p.row = &r;
        p.result = typeOf(r.result);
        for (uint32_t i = 0; i < r.paramCount; ++i) p.add(typeOf(pattern[i].type), pattern[i].mode);
        out.push_back(makeCall(all, p, function));
      }
    }
  }
}

// Leaves out two forms that an extension adds to functions of other extensions: biases without a derivative
// group, and atomic functions of half vectors. The prologue of every overload would need that extension.
// Shader tests have these forms (emit/derivatives_none_bias.comp, textures/image_half_vectors.comp).
void addTextures(Everything& all, const FnRow& r, const std::string& function, std::vector<Overload>& out) {
  const ExtensionSet before = all.c.enabled;
  all.c.enabled.set(ExtensionId::GL_NV_compute_shader_derivatives, false);
  all.c.enabled.set(ExtensionId::GL_NV_shader_atomic_fp16_vector, false);
  for (uint16_t i = 0; i < typeNameCount(); ++i) {
    const BuiltinTypeName& type = builtinTypeName(i);
    if (type.basic != kErrorType || !builtinTypeAvailable(all.c, type)) continue;
    const ImageDesc desc = ImageDesc::unpack(type.imageDesc);
    if (desc.kind == ImageKind::SubpassInput || desc.kind == ImageKind::Attachment) continue;
    std::array<Prototype, kMaxTexturePrototypes> prototypes;
    const uint32_t n = texturePrototypes(all.c, r, all.program.types.image(desc), desc, prototypes);
    for (uint32_t k = 0; k < n; ++k) out.push_back(makeCall(all, prototypes[k], function));
  }
  all.c.enabled = before;
}

}  // namespace

std::vector<Overload> allOverloads() {
  Everything all;
  std::vector<Overload> out;
  for (uint16_t name = 0; name < functionNameCount(); ++name) {
    const std::string function(functionName(name));
    for (uint16_t i = firstRow(name); i != kNoRow; i = row(i).next) {
      const FnRow& r = row(i);
      if ((r.flags & (kRowCustom | kRowVariadic)) || !rowAvailable(all.c, r)) continue;
      if (r.flags & kRowTexture) {
        addTextures(all, r, function, out);
      } else {
        addGeneric(all, r, function, out);
      }
    }
  }
  return out;
}

std::string overloadPrologue(const Overload& overload) {
  const std::string& function = overload.function;
  Everything all;
  ExtensionSet needed = {ExtensionId::GL_EXT_shader_explicit_arithmetic_types};
  for (uint16_t name = 0; name < functionNameCount(); ++name) {
    if (functionName(name) != function) continue;
    for (uint16_t i = firstRow(name); i != kNoRow; i = row(i).next) {
      const FnRow& r = row(i);
      const Availability& a = rowAvailability(all.c, r);
      for (unsigned e = 0; e < static_cast<unsigned>(ExtensionId::Count); ++e)
        if (a.anyOf.has(static_cast<ExtensionId>(e))) {
          if (a.desktop == 0) needed.set(static_cast<ExtensionId>(e));
          break;
        }
      const auto scalars = [&](Pattern t) {
        if (t == makeObjectPattern(kRayQueryType)) needed.set(ExtensionId::GL_EXT_ray_query);
        if (t == makeObjectPattern(kAccelerationStructureType)) needed.set(ExtensionId::GL_EXT_ray_tracing);
        if (t == kVoidPattern || isObjectPattern(t)) return;
        const uint32_t s = patternScalar(t) == kScalarT ? r.scalars : 1u << patternScalar(t);
        if (overload.prototype.find("bf") != std::string::npos && (s & bit(Scalar::BFloat16)))
          needed.set(ExtensionId::GL_EXT_bfloat16);
        if (patternRows(t) == kSizeLong) needed.set(ExtensionId::GL_EXT_long_vector);
      };
      scalars(r.result);
      for (uint32_t k = 0; k < r.paramCount; ++k) scalars(params(r)[k].type);
      if (r.flags & kRowSubgroup) {
        needed.set(ExtensionId::GL_EXT_shader_subgroup_extended_types_int8);
        needed.set(ExtensionId::GL_EXT_shader_subgroup_extended_types_int16);
        needed.set(ExtensionId::GL_EXT_shader_subgroup_extended_types_int64);
        needed.set(ExtensionId::GL_EXT_shader_subgroup_extended_types_float16);
      }
      if (r.op == BuiltinOp::SubgroupQuadAll || r.op == BuiltinOp::SubgroupQuadAny)
        needed.set(ExtensionId::GL_KHR_shader_subgroup_vote);  // the reference asks for it too
      const bool atomic = r.op >= BuiltinOp::AtomicAdd && r.op <= BuiltinOp::AtomicStore;
      const bool image = r.op >= BuiltinOp::ImageSize && r.op <= BuiltinOp::ImageAtomicStore;
      if (atomic || (image && r.op >= BuiltinOp::ImageAtomicAdd)) {
        needed.set(ExtensionId::GL_EXT_shader_atomic_int64);
        needed.set(ExtensionId::GL_EXT_shader_atomic_float);
        needed.set(ExtensionId::GL_EXT_shader_atomic_float2);
        needed.set(ExtensionId::GL_KHR_memory_scope_semantics);
      }
      if (r.op == BuiltinOp::ControlBarrierArrive || r.op == BuiltinOp::ControlBarrierWait)
        needed.set(ExtensionId::GL_KHR_memory_scope_semantics);
      if (image || r.op == BuiltinOp::SparseImageLoad) needed.set(ExtensionId::GL_EXT_shader_image_int64);
      if (needsDerivatives(r.op)) needed.set(ExtensionId::GL_NV_compute_shader_derivatives);
      // Those are in tables by another extension alone.
      if (r.flags & kRowTexture && textureForm(r.op).sparse) needed.set(ExtensionId::GL_ARB_sparse_texture2);
      if (r.op == BuiltinOp::ImageLoadLod || r.op == BuiltinOp::ImageStoreLod ||
          r.op == BuiltinOp::SparseImageLoadLod)
        needed.set(ExtensionId::GL_EXT_shader_image_int64);
      if (r.flags & kRowTexture && !image) needed.set(ExtensionId::GL_EXT_texture_shadow_lod);
      if (r.flags & kRowTexture && !image) needed.set(ExtensionId::GL_EXT_samplerless_texture_functions);
    }
  }
  std::string text = "#version 460\n";
  for (unsigned e = 0; e < static_cast<unsigned>(ExtensionId::Count); ++e)
    if (needed.has(static_cast<ExtensionId>(e)))
      text += "#extension " + std::string(extensionName(static_cast<ExtensionId>(e))) + " : require\n";
  return text;
}

size_t overloadGroupEnd(const std::vector<Overload>& overloads, size_t from) {
  const auto small = [&](size_t i) { return overloads[i].prototype.find("bf") != std::string::npos; };
  size_t to = from + 1;
  while (to < overloads.size() && overloads[to].function == overloads[from].function &&
         small(to) == small(from))
    ++to;
  return to;
}

std::string overloadShader(const std::vector<Overload>& overloads, size_t from, size_t to,
                           const std::string& prologue) {
  std::string globals, functions, calls;
  uint32_t binding = 0;
  for (size_t i = from; i < to; ++i) {
    const std::string prefix = "o" + std::to_string(i) + "_";
    const auto expand = [&](const std::string& text) {
      std::string s;
      for (char c : text) {
        if (c == '$')
          s += prefix;
        else if (c == '@')
          s += std::to_string(binding++);
        else
          s += c;
      }
      return s;
    };
    globals += expand(overloads[i].declarations);
    functions += "void " + prefix + "call() {\n" + expand(overloads[i].body) + "}\n";
    calls += "  " + prefix + "call();\n";
  }
  const bool derivatives = prologue.find("compute_shader_derivatives") != std::string::npos;
  return prologue +
         (derivatives ? "layout(local_size_x = 8, local_size_y = 2, derivative_group_quadsNV) in;\n"
                      : "layout(local_size_x = 8) in;\n") +
         globals + functions + "void main() {\n" + calls + "}\n";
}

}  // namespace coopc::tests
