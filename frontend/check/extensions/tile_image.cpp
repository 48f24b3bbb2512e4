// GL_EXT_shader_tile_image: tile image variables have an attachment type and a location, which selects a
// color attachment. Attachments and subpass inputs exclude each other. Subpass inputs select input
// attachments (GL_KHR_vulkan_glsl).
#include "frontend/check/extensions/tile_image.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

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

// "numerically compatible": float, signed and unsigned integers (4.4.x).
int numericalClass(Scalar s) { return isFloatScalar(s) ? 0 : isSignedScalar(s) ? 1 : 2; }

struct TileImages {
  Checker& c;
  Program& p = c.program;
  std::vector<Range> ranges = {};

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
  for (const Range& other : ranges) {
    if (!range.overlaps(other)) continue;
    const Variable& earlier = p.variables[other.variable];
    c.report(DiagKind::TileImageOverlap, variable.loc,
             {name, std::max(range.first, other.first), c.names.text(earlier.name)})
        .note(earlier.loc, "the other one is here");
    return;
  }
  ranges.push_back(range);
}

void TileImages::compareOutputs() const {
  for (const VarId g : p.globals) {
    const Variable& output = p.variables[g];
    const Interface part = p.interfaceOf(output.interface);
    if (output.storage != Storage::Output || output.builtin != 0 || part.location == kNoLayout ||
        !isBasic(elementOf(p, output.type)))
      continue;
    const Range taken = rangeOf(p, g);
    for (const Range& range : ranges) {
      const Variable& tile = p.variables[range.variable];
      const TypeId attachment = elementOf(p, tile.type);
      if (!range.overlaps(taken) || numericalClass(c.type(attachment).image().sampled) ==
                                        numericalClass(basicScalar(elementOf(p, output.type))))
        continue;
      c.report(DiagKind::TileImageOutput, tile.loc,
               {c.names.text(tile.name), c.typeText(attachment), std::max(range.first, taken.first),
                c.names.text(output.name)})
          .note(output.loc, "the output is here");
    }
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
    if (q.layout.present.empty()) c.report(DiagKind::TileImageLocation, d.loc, {name});
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
  // For each kind of image, the attachments that are read, by the first attachment of each variable. They do
  // not overlap.
  std::map<std::pair<bool, int>, std::map<uint64_t, Range>> read;
  for (const VarId g : p.globals) {
    const Variable& v = p.variables[g];
    if (v.inputAttachment == kNoLayout || !v.used || v.type == kErrorType) continue;
    const Range range = rangeFrom(p, v.inputAttachment, g);
    const ImageDesc image = p.types[elementOf(p, v.type)].image();
    std::map<uint64_t, Range>& ranges = read[{image.multisampled, numericalClass(image.sampled)}];
    auto other = ranges.lower_bound(range.first);
    if (other != ranges.begin() && range.overlaps(std::prev(other)->second)) --other;
    if (other == ranges.end() || !range.overlaps(other->second)) {
      ranges.emplace(range.first, range);
      continue;
    }
    const Variable& earlier = p.variables[other->second.variable];
    c.report(DiagKind::InputAttachmentTwice, v.loc,
             {c.names.text(v.name), std::max(range.first, other->first), c.names.text(earlier.name)})
        .note(earlier.loc, "the other one is here");
  }
}

}  // namespace coopc::frontend
