// The rules of transform feedback.
#include "frontend/check/transform_feedback.hpp"

#include <algorithm>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/check/interfaces.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

constexpr uint64_t kFarEnd = 1u << 20;  // beyond every stride: arrays are not walked further

bool isBuffer(Checker& c, uint32_t buffer, SourceLoc loc) {
  const int32_t limit = builtinConstantValue(c, "gl_MaxTransformFeedbackBuffers");
  if (static_cast<int64_t>(buffer) < limit) return true;
  c.report(DiagKind::CaptureBufferRange, loc, {buffer, limit});
  return false;
}

void declareStride(Checker& c, uint32_t buffer, const LayoutQualifiers& layout) {
  if (!layout.has(LayoutId::XfbStride)) return;
  std::vector<uint32_t>& strides = c.program.capture.strides;
  if (buffer >= strides.size()) strides.resize(buffer + 1u, kNoLayout);
  const uint32_t stride = layout.get(LayoutId::XfbStride);
  if (strides[buffer] != kNoLayout && strides[buffer] != stride)
    c.report(DiagKind::CaptureStrides, layout.at(LayoutId::XfbStride), {stride, strides[buffer], buffer});
  else if (stride % 4 != 0)
    c.report(DiagKind::CaptureStride, layout.at(LayoutId::XfbStride), {stride, buffer, 4});
  strides[buffer] = stride;
}

bool anyCapture(const LayoutQualifiers& layout) {
  return layout.has(LayoutId::XfbBuffer) || layout.has(LayoutId::XfbOffset) ||
         layout.has(LayoutId::XfbStride);
}

// The components of a type in memory order, each at a multiple of its size. The size of a type that contains
// 64-bit numbers is rounded up to 8 bytes.
struct Packer {
  const Program& p;

  static uint64_t alignTo(uint64_t at, uint64_t size) { return (at + size - 1) / size * size; }

  bool wide(TypeId type) const {
    for (const Scalar s : {Scalar::Double, Scalar::Int64, Scalar::Uint64})
      if (containsScalar(p, type, s)) return true;
    return false;
  }
  uint32_t first(TypeId type) const {
    for (;;) {
      if (isBasic(type)) return scalarBits(basicScalar(type)) / 8;
      const TypeInfo info = p.types[type];
      if (info.kind == TypeKind::Array)
        type = info.element();
      else if (info.kind == TypeKind::Struct && p.structs[info.structure()].members.size() != 0)
        type = p.membersOf(info.structure())[0].type;
      else
        return 4;
    }
  }
  uint32_t alignment(TypeId type) const { return wide(type) ? 8 : first(type); }

  uint64_t end(TypeId type, uint64_t at) const {
    if (isBasic(type)) {
      const uint64_t size = scalarBits(basicScalar(type)) / 8;
      return alignTo(at, size) + size * basicRows(type) * basicColumns(type);
    }
    const TypeInfo info = p.types[type];
    if (info.kind == TypeKind::Array) {
      const int64_t count = info.hasArraySize() ? defaultInteger(p, info.arraySize()).value_or(1) : 1;
      for (int64_t i = 0; i < count && at < kFarEnd; ++i) at = end(info.element(), at);
      return at;
    }
    if (info.kind != TypeKind::Struct) return at;
    const bool padded = wide(type);
    if (padded) at = alignTo(at, 8);
    for (const Member& m : p.membersOf(info.structure())) at = end(m.type, at);
    return padded ? alignTo(at, 8) : at;
  }
};

struct Captured {
  uint32_t buffer;
  uint64_t begin, end;
  bool wide;
  NameId name;
  SourceLoc loc;
};

struct Capture {
  Checker& c;
  Program& p = c.program;
  Packer packer{c.program};
  std::vector<Captured> list = {};

  void add(TypeId type, const Interface& part, NameId name, SourceLoc loc) {
    const uint32_t align = packer.alignment(type);
    if (part.captureOffset % align != 0)
      c.report(DiagKind::CaptureOffset, loc, {part.captureOffset, c.names.text(name), align});
    list.push_back({part.captureBuffer, part.captureOffset, packer.end(type, part.captureOffset),
                    packer.wide(type), name, loc});
  }
  void block(Variable& v, StructId id);
  void variable(Variable& v);
  void compare();
  void strides();
};

// In an array of blocks, SPIR-V counts the buffers of the elements itself (Vulkan, "Transform Feedback").
void Capture::block(Variable& v, StructId id) {
  Interface own = p.interfaceOf(v.interface);
  uint64_t next = own.captureOffset;
  const IdRange<MemberId> members = p.structs[id].members;
  for (uint32_t i = 0; i < members.size(); ++i) {
    Member& m = p.members[members[i]];
    Interface part = p.interfaceOf(m.interface);
    if (part.captureOffset == kNoLayout) {
      if (own.captureOffset == kNoLayout || m.type == kErrorType) continue;
      part.captureBuffer = own.captureBuffer;
      part.captureOffset = static_cast<uint32_t>(Packer::alignTo(next, packer.alignment(m.type)));
      m.interface = p.interfaces.add(part);
    }
    add(m.type, part, m.name, m.loc);
    next = list.back().end;
  }
  if (own.captureOffset == kNoLayout) return;
  own.captureBuffer = own.captureOffset = kNoLayout;
  v.interface = p.interfaces.add(own);
}

void Capture::variable(Variable& v) {
  if (v.storage != Storage::Output || v.type == kErrorType) return;
  const Interface part = p.interfaceOf(v.interface);
  TypeId type = v.type;
  if (isArrayed(c, v.storage, part.patch) && p.types.kind(type) == TypeKind::Array)
    type = p.types[type].element();
  const TypeId element = elementOf(p, type);
  if (const StructInfo* s = structInfoOf(p, element); s != nullptr && s->block)
    block(v, p.types[element].structure());
  else if (part.captureOffset != kNoLayout)
    add(type, part, v.name, v.loc);
}

void Capture::compare() {
  std::stable_sort(list.begin(), list.end(), [](const Captured& a, const Captured& b) {
    return a.buffer != b.buffer ? a.buffer < b.buffer : a.begin < b.begin;
  });
  for (size_t i = 1; i < list.size(); ++i) {
    const Captured& a = list[i - 1];
    const Captured& b = list[i];
    if (a.buffer != b.buffer || b.begin >= a.end) continue;
    c.report(DiagKind::CaptureOverlap, b.loc, {c.names.text(b.name), b.begin, b.buffer, c.names.text(a.name)})
        .note(a.loc, "the other one is here");
  }
}

void Capture::strides() {
  std::vector<uint32_t>& strides = p.capture.strides;
  const int64_t limit = int64_t{4} * builtinConstantValue(c, "gl_MaxTransformFeedbackInterleavedComponents");
  for (uint32_t buffer = 0;
       buffer < std::max<size_t>(strides.size(), list.empty() ? 0 : list.back().buffer + 1u); ++buffer) {
    if (buffer >= strides.size()) strides.resize(buffer + 1u, kNoLayout);
    const Captured* furthest = nullptr;
    bool wide = false;
    for (const Captured& x : list) {
      if (x.buffer != buffer) continue;
      wide |= x.wide;
      if (furthest == nullptr || x.end > furthest->end) furthest = &x;
    }
    uint32_t& stride = strides[buffer];
    const SourceLoc loc = furthest != nullptr ? furthest->loc : SourceLoc{};
    if (stride == kNoLayout) {
      stride = furthest == nullptr ? 0 : static_cast<uint32_t>(Packer::alignTo(furthest->end, wide ? 8 : 4));
    } else {
      if (wide && stride % 8 != 0) c.report(DiagKind::CaptureStride, loc, {stride, buffer, 8});
      if (furthest != nullptr && furthest->end > stride)
        c.report(DiagKind::CaptureStrideSmall, loc,
                 {c.names.text(furthest->name), furthest->end, buffer, stride});
    }
    if (stride > limit) c.report(DiagKind::CaptureStrideLimit, loc, {stride, buffer, limit});
  }
}

}  // namespace

void declareCaptureDefaults(Checker& c, const LayoutQualifiers& layout) {
  if (!anyCapture(layout)) return;
  c.program.capture.on = true;
  uint32_t& buffer = c.outputDefaults.captureBuffer;
  if (layout.has(LayoutId::XfbBuffer) &&
      isBuffer(c, layout.get(LayoutId::XfbBuffer), layout.at(LayoutId::XfbBuffer)))
    buffer = layout.get(LayoutId::XfbBuffer);
  declareStride(c, buffer, layout);
}

void captureQualifiers(Checker& c, const Qualifiers& q, const Qualifiers* outer, NameId name,
                       Interface& part) {
  if (!anyCapture(q.layout)) return;
  c.program.capture.on = true;
  const bool inherits = outer != nullptr && outer->layout.has(LayoutId::XfbBuffer);
  const uint32_t inherited =
      inherits ? outer->layout.get(LayoutId::XfbBuffer) : c.outputDefaults.captureBuffer;
  uint32_t buffer = inherited;
  if (q.layout.has(LayoutId::XfbBuffer)) {
    const SourceLoc loc = q.layout.at(LayoutId::XfbBuffer);
    const uint32_t own = q.layout.get(LayoutId::XfbBuffer);
    if (outer != nullptr && own != inherited)
      c.report(DiagKind::CaptureBufferOfMember, loc, {c.names.text(name), own, inherited});
    else if (isBuffer(c, own, loc))
      buffer = own;
  }
  declareStride(c, buffer, q.layout);
  if (!q.layout.has(LayoutId::XfbOffset)) return;
  part.captureBuffer = buffer;
  part.captureOffset = q.layout.get(LayoutId::XfbOffset);
}

void finishCapture(Checker& c) {
  if (!c.program.capture.on) return;
  Capture capture{c};
  for (const VarId g : c.program.globals) capture.variable(c.program.variables[g]);
  capture.compare();
  capture.strides();
}

}  // namespace coopc::frontend
