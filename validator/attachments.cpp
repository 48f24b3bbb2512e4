// Vulkan's rules for variables that stand for attachments of a render pass: the tile attachment interface and
// the fragment input attachment interface.
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "validator/context.hpp"

namespace coopc::validator {

namespace {

namespace enums = spirv::enums;

struct AnyImageQuery
    : op::AnyOf<spv::Op::OpImageQueryFormat, spv::Op::OpImageQueryOrder, spv::Op::OpImageQuerySizeLod,
                spv::Op::OpImageQuerySize, spv::Op::OpImageQueryLod, spv::Op::OpImageQueryLevels,
                spv::Op::OpImageQuerySamples> {
  using AnyOf::AnyOf;
  Id image() const { return id(3); }
};

// Marks the functions, in c.functions(), that the roots call directly or indirectly, and the roots.
std::vector<bool> reachedFrom(const Context& c, std::span<const Id> roots) {
  std::vector<bool> reached(c.functions().size());
  std::vector<const Function*> open;
  const auto mark = [&](Id id) {
    const Function* f = c.function(id);
    if (f == nullptr) return;
    const auto index = size_t(f - c.functions().data());
    if (!reached[index]) open.push_back(f);
    reached[index] = true;
  };
  for (const Id root : roots) mark(root);
  while (!open.empty()) {
    const Function* f = open.back();
    open.pop_back();
    for (const auto& [callee, at] : f->calls) mark(callee);
  }
  return reached;
}

// ------------------------------------------------------------------------------------------ tile attachments

// Whether the image was loaded from a tile attachment, alone or combined with a sampler. An image that a
// function has as its parameter is not followed.
bool isTileAttachment(const Context& c, Id image) {
  for (uint32_t depth = 0; depth < Context::kMaxDepth; ++depth) {
    if (const auto combined = as<op::SampledImage>(c.m, image)) {
      image = combined.image();
    } else if (const auto part = as<op::Image>(c.m, image)) {
      image = part.sampledImage();
    } else if (const auto copy = as<op::CopyObject>(c.m, image)) {
      image = copy.operand();
    } else if (const auto load = as<op::Load>(c.m, image)) {
      const auto pointer = c.pointer(c.m.typeOf(load.pointer()));
      return pointer && pointer->storage == enums::StorageClassTileAttachmentQCOM;
    } else {
      return false;
    }
  }
  return false;
}

void checkTileAttachments(Context& c) {
  std::vector<Id> entryPoints;  // of stages other than compute
  std::vector<const Instruction*> stores;
  for (const Instruction& i : c.m.instructions) {
    const auto entry = as<op::EntryPoint>(c.m, i);
    if (entry && entry.executionModel() != spv::ExecutionModel::GLCompute)
      entryPoints.push_back(entry.entryPoint());
    if (const auto query = as<AnyImageQuery>(c.m, i); query && isTileAttachment(c, query.image()))
      c.report(Rule::TileAttachmentQuery, &i, "the image is a tile attachment");
    if (const auto write = as<op::ImageWrite>(c.m, i); write && isTileAttachment(c, write.image()))
      stores.push_back(&i);
  }
  if (stores.empty() || entryPoints.empty()) return;
  const std::vector<bool> reached = reachedFrom(c, entryPoints);
  auto store = stores.begin();
  for (size_t f = 0; f < reached.size(); ++f)
    for (; store != stores.end() && c.indexOf(**store) < c.functions()[f].last; ++store)
      if (reached[f])
        c.report(Rule::TileAttachmentStore, *store,
                 "the image is a tile attachment, and an entry point of a stage other than compute calls "
                 "this function");
}

// ----------------------------------------------------------------------------------------- input attachments

// The input attachments that a variable reads: an array has consecutive ones. An array without a size has at
// least one.
struct InputAttachments {
  Id variable;
  uint64_t first = 0, end = 0;
  Defaults byDefault;
  // Multisampled or not, and the kind of numbers: depth is read as floats, stencil as unsigned integers
  // ("per image aspect"). A specialization constant may decide whether a shader reads the variable for one
  // sample or the one for several.
  std::pair<bool, int> kind;
};

std::optional<InputAttachments> inputAttachments(const Context& c, const Instruction& i) {
  const auto variable = as<op::Variable>(c.m, i);
  if (!variable) return std::nullopt;
  const auto index = c.decoration(i.result, spv::Decoration::InputAttachmentIndex);
  const auto pointer = c.pointer(i.type);
  if (!index || !pointer) return std::nullopt;
  Id type = pointer->pointee;
  InputAttachments found{i.result, *index, 0, {}, {}};
  uint64_t count = 1;
  for (uint32_t depth = 0; depth < Context::kMaxDepth; ++depth) {
    if (const auto array = as<op::TypeArray>(c.m, type)) {
      const Value length = c.value(array.length());
      if (!length.known || length.bits == 0) return std::nullopt;
      found.byDefault = found.byDefault | length.byDefault;
      count = std::min(count * std::min(length.bits, uint64_t{1} << 31), uint64_t{1} << 32);
      type = array.elementType();
    } else if (const auto unsized = as<op::TypeRuntimeArray>(c.m, type)) {
      type = unsized.elementType();
    } else {
      break;
    }
  }
  const auto image = as<op::TypeImage>(c.m, type);
  if (!image || image.dim() != spv::Dim::SubpassData) return std::nullopt;
  const Id sampled = image.sampledType();
  const int numbers = !c.isInt(sampled) ? 0 : c.isSigned(sampled) ? 1 : 2;
  found.end = found.first + count;
  found.kind = {image.ms() != 0, numbers};
  return found;
}

std::string nameOf(const Context& c, Id id) {
  const std::string_view name = c.nameOf(id);
  return name.empty() ? "%" + std::to_string(id.index()) : "`" + std::string(name) + "`";
}

// Compares the variables of `all` that one entry point uses.
void compare(Context& c, const std::vector<InputAttachments>& all, const std::vector<bool>& used,
             std::set<uint32_t>& reported) {
  // Variables that do not overlap, by the first attachment of each.
  std::map<std::pair<bool, int>, std::map<uint64_t, uint32_t>> read;
  for (uint32_t n = 0; n < all.size(); ++n) {
    if (!used[n]) continue;
    const InputAttachments& own = all[n];
    std::map<uint64_t, uint32_t>& others = read[own.kind];
    auto other = others.lower_bound(own.first);
    if (other != others.begin() && all[std::prev(other)->second].end > own.first) --other;
    if (other == others.end() || all[other->second].first >= own.end) {
      others.emplace(own.first, n);
      continue;
    }
    const InputAttachments& earlier = all[other->second];
    if (reported.insert(n).second)
      c.report(Rule::InputAttachmentTwice, c.m.def(own.variable),
               "input attachment " + std::to_string(std::max(own.first, earlier.first)) +
                   " is also read through " + nameOf(c, earlier.variable),
               own.byDefault | earlier.byDefault);
  }
}

void checkInputAttachments(Context& c) {
  std::vector<InputAttachments> all;
  std::vector<Id> entryPoints;
  for (uint32_t n = 0; n < c.m.functionsAt; ++n) {
    const Instruction& i = c.m.instructions[n];
    if (const auto found = inputAttachments(c, i)) all.push_back(*found);
    const auto entry = as<op::EntryPoint>(c.m, i);
    if (entry && entry.executionModel() == spv::ExecutionModel::Fragment)
      entryPoints.push_back(entry.entryPoint());
  }
  if (all.size() < 2 || entryPoints.empty()) return;
  std::unordered_map<uint32_t, uint32_t> indexOf;
  for (uint32_t n = 0; n < all.size(); ++n) indexOf.emplace(all[n].variable.index(), n);
  std::vector<std::vector<uint32_t>> uses(c.functions().size());
  for (size_t f = 0; f < uses.size(); ++f) {
    for (uint32_t n = c.functions()[f].first; n < c.functions()[f].last; ++n)
      c.m.forEachUse(c.m.instructions[n], [&](Id id) {
        if (const auto found = indexOf.find(id.index()); found != indexOf.end())
          uses[f].push_back(found->second);
      });
    std::sort(uses[f].begin(), uses[f].end());
    uses[f].erase(std::unique(uses[f].begin(), uses[f].end()), uses[f].end());
  }
  // Each entry point is followed alone: two of them may read one attachment. Entry points that use the same
  // variables are compared once. Checking time must not grow with the product of both numbers, so only the
  // first entry points are checked.
  constexpr size_t kMostEntryPoints = 256;
  if (entryPoints.size() > kMostEntryPoints) entryPoints.resize(kMostEntryPoints);
  std::set<uint32_t> reported;
  std::set<std::vector<bool>> compared;
  for (const Id& entryPoint : entryPoints) {
    const std::vector<bool> reached = reachedFrom(c, {&entryPoint, 1});
    std::vector<bool> used(all.size());
    for (size_t f = 0; f < reached.size(); ++f)
      if (reached[f])
        for (const uint32_t n : uses[f]) used[n] = true;
    if (compared.insert(used).second) compare(c, all, used, reported);
  }
}

}  // namespace

void checkAttachments(Context& c) {
  if (c.hasExtension("SPV_QCOM_tile_shading")) checkTileAttachments(c);
  if (c.declares(spv::Capability::InputAttachment)) checkInputAttachments(c);
}

}  // namespace coopc::validator
