// GL_EXT_shader_tile_image: tile image variables have an attachment type and a location, which selects a
// color attachment. Attachments and subpass inputs exclude each other. Subpass inputs select input
// attachments (GL_KHR_vulkan_glsl).
#include "frontend/check/extensions/tile_image.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "frontend/check/builtins/availability.hpp"
#include "frontend/program/constant_values.hpp"
#include "frontend/program/type_queries.hpp"

namespace coopc::frontend {
namespace {

// Consecutive locations or input attachments of one variable.
struct Range {
  uint64_t first, end;
  VarId variable;
  bool overlaps(const Range& other) const { return first < other.end && other.first < end; }
};

Range rangeFrom(const Program& p, uint32_t first, VarId v) {
  int64_t count = 1;
  for (TypeId t = p.variables[v].type; p.types.kind(t) == TypeKind::Array; t = p.types[t].element()) {
    const ConstId given = p.types[t].hasArraySize() ? p.types[t].arraySize() : ConstId();
    const int64_t size = defaultInteger(p, given).value_or(1);
    count = std::min(count * std::max<int64_t>(size, 1), int64_t{1} << 32);
  }
  return {first, first + static_cast<uint64_t>(count), v};
}

Range rangeOf(const Program& p, VarId v) {
  return rangeFrom(p, p.interfaceOf(p.variables[v].interface).location, v);
}

// Ranges of variables that do not overlap.
class DisjointRanges {
 public:
  // Adds the range, or returns one that it overlaps, the first in the order of locations.
  const Range* add(const Range& range) {
    const Range* other = firstOverlap(range);
    if (other == nullptr) byFirst_.emplace(range.first, range);
    return other;
  }
  template <class Body>
  void forOverlaps(const Range& range, Body&& body) const {
    for (auto i = from(range); i != byFirst_.end() && range.overlaps(i->second); ++i) body(i->second);
  }

 private:
  using Map = std::map<uint64_t, Range>;
  // The first that ends after the start of `range`.
  Map::const_iterator from(const Range& range) const {
    auto i = byFirst_.lower_bound(range.first);
    if (i != byFirst_.begin() && std::prev(i)->second.end > range.first) --i;
    return i;
  }
  const Range* firstOverlap(const Range& range) const {
    const auto i = from(range);
    return i != byFirst_.end() && range.overlaps(i->second) ? &i->second : nullptr;
  }

  Map byFirst_;
};

// "numerically compatible": float, signed and unsigned integers (4.4.x).
int numericalClass(Scalar s) { return isFloatScalar(s) ? 0 : isSignedScalar(s) ? 1 : 2; }

struct TileImages {
  Checker& c;
  Program& p = c.program;
  DisjointRanges ranges = {};

  void add(VarId v);
  void compareOutputs() const;
};

void TileImages::add(VarId v) {
  const Variable& variable = p.variables[v];
  if (p.interfaceOf(variable.interface).location == kNoLayout) return;  // reported
  const std::string_view name = c.names.text(variable.name);
  const Range range = rangeOf(p, v);
  const auto most = static_cast<uint64_t>(builtinConstantValue(c, "gl_MaxDrawBuffers"));
  if (range.end > most) {
    c.report(DiagKind::TileImageRange, variable.loc, {name, range.end - 1, most});
    return;
  }
  if (const Range* other = ranges.add(range)) {
    const Variable& earlier = p.variables[other->variable];
    c.report(DiagKind::TileImageOverlap, variable.loc,
             {name, std::max(range.first, other->first), c.names.text(earlier.name)})
        .note(earlier.loc, "the other one is here");
  }
}

void TileImages::compareOutputs() const {
  for (const VarId g : p.globals) {
    const Variable& output = p.variables[g];
    const Interface part = p.interfaceOf(output.interface);
    if (output.storage != Storage::Output || output.builtin != 0 || part.location == kNoLayout ||
        !isBasic(elementOf(p, output.type)))
      continue;
    const Range taken = rangeOf(p, g);
    ranges.forOverlaps(taken, [&](const Range& range) {
      const Variable& tile = p.variables[range.variable];
      const TypeId attachment = elementOf(p, tile.type);
      if (numericalClass(c.type(attachment).image().sampled) ==
          numericalClass(basicScalar(elementOf(p, output.type))))
        return;
      c.report(DiagKind::TileImageOutput, tile.loc,
               {c.names.text(tile.name), c.typeText(attachment), std::max(range.first, taken.first),
                c.names.text(output.name)})
          .note(output.loc, "the output is here");
    });
  }
}

}  // namespace

bool checkTileImage(Checker& c, const Qualifiers& q, const Declarator& d) {
  if (d.type == kErrorType) return false;
  const std::string_view name = c.names.text(d.name);
  if (!isAttachment(c.program, d.type)) {
    c.report(DiagKind::TileImageType, d.loc, {name, "of type `" + c.typeText(d.type) + "`"});
    return false;
  }
  if (q.storage != StorageWord::TileImage) {
    c.report(DiagKind::AttachmentStorage, d.loc, {name, c.typeText(d.type)});
    return false;
  }
  if (!q.layout.has(LayoutId::Location) && !q.layout.failed) {
    // A qualifier that is not allowed here is probably the wrong one.
    checkLayoutPlace(c, q, LayoutPlace::TileImage, "a tile image variable");
    if (q.layout.present().empty()) c.report(DiagKind::TileImageLocation, d.loc, {name});
    return false;
  }
  return true;
}

void finishTileImages(Checker& c) {
  const Program& p = c.program;
  if (!p.extensionsSeen.has(ExtensionId::GL_EXT_shader_tile_image)) return;
  TileImages images{c};
  VarId subpass, attachment;
  for (const VarId g : p.globals) {
    const Variable& v = p.variables[g];
    const TypeId element = v.type == kErrorType ? kErrorType : elementOf(p, v.type);
    if (p.types.kind(element) == TypeKind::Image && p.types[element].image().kind == ImageKind::SubpassInput)
      subpass = g;
    if (v.storage != Storage::TileImage || v.type == kErrorType) continue;
    if (!attachment) attachment = g;
    images.add(g);
  }
  if (subpass && attachment)
    c.report(DiagKind::AttachmentsAndSubpasses, p.variables[attachment].loc,
             {c.names.text(p.variables[attachment].name)})
        .note(p.variables[subpass].loc, "the subpass input is here");
  images.compareOutputs();
}

void finishSubpassInputs(Checker& c) {
  const Program& p = c.program;
  if (p.stage != Stage::Fragment) return;
  // The attachments that are read, for each kind of image.
  std::map<std::pair<bool, int>, DisjointRanges> read;
  for (const VarId g : p.globals) {
    const Variable& v = p.variables[g];
    if (v.inputAttachment == kNoLayout || !v.used || v.type == kErrorType) continue;
    const Range range = rangeFrom(p, v.inputAttachment, g);
    const ImageDesc image = p.types[elementOf(p, v.type)].image();
    const Range* other = read[{image.multisampled, numericalClass(image.sampled)}].add(range);
    if (other == nullptr) continue;
    const Variable& earlier = p.variables[other->variable];
    c.report(DiagKind::InputAttachmentTwice, v.loc,
             {c.names.text(v.name), std::max(range.first, other->first), c.names.text(earlier.name)})
        .note(earlier.loc, "the other one is here");
  }
}

}  // namespace coopc::frontend
