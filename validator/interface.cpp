// Locations and components of inputs and outputs, by Vulkan's chapter "Shader Interfaces".
#include "validator/interface.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <utility>

#include "spirv/number_type.hpp"

namespace coopc::validator {

namespace {

using Op = spv::Op;

// More locations than a stage of any device has. Larger arrays are cut off here.
constexpr uint32_t kMostLocations = 4096;
// Types that are visited: structures can contain one type a number of times that is exponential in their
// depth.
constexpr uint32_t kMostVisits = 1u << 16;

using Visit = std::function<void(uint32_t location, uint32_t component, const SlotType& number)>;

// Visits the words that a value takes, in order, and finds the location after them.
class Walk {
 public:
  Walk(const Context& c, const Visit& visit) : c_(c), visit_(visit) {}

  uint32_t operator()(Id type, uint32_t location, uint32_t component) {
    // A type that is its own element or member is invalid (SPIR-V 2.16.1), and has no end.
    if (location >= kMostLocations || visits_++ >= kMostVisits || depth_ >= Context::kMaxDepth)
      return kMostLocations;
    ++depth_;
    location = parts(type, location, component);
    --depth_;
    return location;
  }

 private:
  uint32_t parts(Id type, uint32_t location, uint32_t component) {
    if (const auto array = as<op::TypeArray>(c_.m, type)) {
      const Value length = c_.value(array.length());
      return repeat(array.elementType(), length.known ? length.bits : 1, location, component);
    }
    if (const auto matrix = as<op::TypeMatrix>(c_.m, type))
      return repeat(matrix.columnType(), matrix.columnCount(), location, component);
    if (const auto structure = as<op::TypeStruct>(c_.m, type)) {
      for (const Id member : structure.memberTypes()) location = (*this)(member, location, 0);
      return location;
    }
    return vector(type, location, component);
  }

  uint32_t repeat(Id element, uint64_t count, uint32_t location, uint32_t component) {
    for (uint64_t n = 0; n < count && location < kMostLocations; ++n) {
      const uint32_t next = (*this)(element, location, component);
      if (next == location) break;  // it takes no location
      location = next;
    }
    return location;
  }

  // 64-bit components take two words each, all others one; three or four of 64 bits take two locations.
  uint32_t vector(Id type, uint32_t location, uint32_t component) {
    const auto several = as<op::TypeVector>(c_.m, type);
    const Id scalar = several ? several.componentType() : type;
    const SlotType number = spirv::numberTypeName(c_.m, scalar);
    const bool wide = c_.isNumerical(scalar) && c_.width(scalar) > 32;
    const uint32_t words = (several ? several.componentCount() : 1) * (wide ? 2 : 1);
    for (uint32_t word = component; word < component + words && word / 4 < kMostLocations; ++word)
      visit_(location + word / 4, word % 4, number);
    return location + std::max(1u, (component + words + 3) / 4);
  }

  const Context& c_;
  const Visit& visit_;
  uint32_t visits_ = 0, depth_ = 0;
};

bool isInterpolation(spv::Decoration decoration) {
  return decoration == spv::Decoration::Flat || decoration == spv::Decoration::NoPerspective ||
         decoration == spv::Decoration::Centroid || decoration == spv::Decoration::Sample;
}

// Applies a decoration of a variable, or of a member of its block.
void decorate(InterfacePart& part, spv::Decoration decoration, uint32_t parameter) {
  if (decoration == spv::Decoration::Location) part.location = parameter;
  if (decoration == spv::Decoration::Component) part.component = parameter;
  if (decoration == spv::Decoration::Patch) part.patch = true;
  if (decoration == spv::Decoration::PerPrimitiveEXT) part.perPrimitive = true;
  if (decoration == spv::Decoration::PerViewNV) part.perView = true;
  if (decoration == spv::Decoration::PassthroughNV) part.passthrough = true;
  if (isInterpolation(decoration)) part.interpolation.push_back(decoration);
}

// Whether a stage's inputs or outputs are arrays with one element for each vertex.
bool isArrayed(spv::ExecutionModel model, spv::StorageClass storage) {
  switch (model) {
    case spv::ExecutionModel::TessellationControl: return true;
    case spv::ExecutionModel::TessellationEvaluation:
    case spv::ExecutionModel::Geometry: return storage == spv::StorageClass::Input;
    case spv::ExecutionModel::MeshEXT:
    case spv::ExecutionModel::MeshNV: return storage == spv::StorageClass::Output;
    default: return false;
  }
}

}  // namespace

// The decorations of variables and of members of structures, by what they decorate.
class StageInterface::Decorations {
 public:
  struct Given {
    Id target;
    uint32_t member = spirv::kNone;
    spv::Decoration decoration{};
    uint32_t parameter = 0;  // the first one
  };

  explicit Decorations(const spirv::Module& m) {
    const auto first = [](const auto& parameters) { return parameters.size() == 0 ? 0 : parameters[0]; };
    for (uint32_t n = 0; n < m.functionsAt; ++n) {
      if (const auto given = as<op::Decorate>(m, m.instructions[n]))
        all_.push_back({given.target(), spirv::kNone, given.decoration(), first(given.parameters())});
      if (const auto given = as<op::MemberDecorate>(m, m.instructions[n]))
        all_.push_back(
            {given.structureType(), given.member(), given.decoration(), first(given.parameters())});
    }
    std::stable_sort(all_.begin(), all_.end(), before);
  }
  std::span<const Given> of(Id target, uint32_t member = spirv::kNone) const {
    Given wanted;
    wanted.target = target;
    wanted.member = member;
    const auto [first, last] = std::equal_range(all_.begin(), all_.end(), wanted, before);
    return {all_.data() + (first - all_.begin()), size_t(last - first)};
  }

 private:
  static bool before(const Given& a, const Given& b) {
    return std::pair(a.target.index(), a.member) < std::pair(b.target.index(), b.member);
  }
  std::vector<Given> all_;
};

StageInterface::StageInterface(const Context& c, const StageEntry& entry, spv::StorageClass storage) : c_(c) {
  const Decorations decorations(c.m);
  for (const Id id : op::EntryPoint(c.m, *entry.instruction).interface()) {
    const auto variable = as<op::Variable>(c.m, id);
    if (variable && variable.storageClass() == storage) add(id, isArrayed(entry.model, storage), decorations);
    if (variable && storage == spv::StorageClass::Output)
      addPassedThrough(id, variable.storageClass(), decorations);
  }
  for (const InterfacePart& part : parts_)
    for (const auto& [slot, number] : slotsOf(part)) slots_.emplace(slot, number);
}

// Inputs of a geometry shader that it passes through are outputs as well (Vulkan, "Passthrough Interface
// Matching").
void StageInterface::addPassedThrough(Id input, spv::StorageClass storage, const Decorations& decorations) {
  if (storage != spv::StorageClass::Input) return;
  const size_t before = parts_.size();
  add(input, true, decorations);
  const auto isConsumed = [](const InterfacePart& part) { return !part.passthrough; };
  parts_.erase(std::remove_if(parts_.begin() + std::ptrdiff_t(before), parts_.end(), isConsumed),
               parts_.end());
}

// The element type of an array over views; any other type itself.
Id StageInterface::elementOf(Id type) const {
  const auto views = as<op::TypeArray>(c_.m, type);
  return views ? views.elementType() : type;
}

void StageInterface::add(Id variable, bool arrayed, const Decorations& decorations) {
  const auto pointer = c_.pointer(c_.m.typeOf(variable));
  if (!pointer) return;
  InterfacePart whole;
  whole.type = pointer->pointee;
  whole.variable = variable;
  bool perVertex = false;
  for (const Decorations::Given& given : decorations.of(variable)) {
    if (given.decoration == spv::Decoration::BuiltIn) return;
    perVertex = perVertex || given.decoration == spv::Decoration::PerVertexKHR;
    decorate(whole, given.decoration, given.parameter);
  }
  const auto vertices = as<op::TypeArray>(c_.m, whole.type);
  // A block has the decoration of its members.
  if (vertices && c_.isDecorated(vertices.elementType(), spv::Decoration::Block))
    for (const Decorations::Given& given : decorations.of(vertices.elementType(), 0))
      perVertex = perVertex || given.decoration == spv::Decoration::PerVertexKHR;
  if (((arrayed && !whole.patch) || perVertex) && vertices) whole.type = vertices.elementType();
  if (whole.perView) whole.type = elementOf(whole.type);
  const auto structure = as<op::TypeStruct>(c_.m, whole.type);
  if (!structure || !c_.isDecorated(whole.type, spv::Decoration::Block)) {
    parts_.push_back(std::move(whole));
    return;
  }

  // A block: its members have separate locations, or follow each other from the variable's location on.
  const Visit nothing = [](uint32_t, uint32_t, const SlotType&) {};
  whole.members = uint32_t(structure.memberTypes().size());
  uint32_t next = whole.location;
  for (uint32_t n = 0; n < whole.members; ++n) {
    InterfacePart member = whole;
    member.member = n;
    member.type = structure.memberTypes()[n];
    member.location = next;
    for (const Decorations::Given& given : decorations.of(whole.type, n)) {
      if (given.decoration == spv::Decoration::BuiltIn) return;  // all of its members are built in, or none
      decorate(member, given.decoration, given.parameter);
    }
    if (member.perView) member.type = elementOf(member.type);
    next = Walk(c_, nothing)(member.type, member.location, member.component);
    parts_.push_back(std::move(member));
  }
}

std::vector<std::pair<InterfaceSlot, SlotType>> StageInterface::slotsOf(const InterfacePart& part) const {
  std::vector<std::pair<InterfaceSlot, SlotType>> slots;
  const Visit keep = [&](uint32_t location, uint32_t component, const SlotType& number) {
    slots.emplace_back(InterfaceSlot{part.patch, location, component}, number);
  };
  Walk(c_, keep)(part.type, part.location, part.component);
  return slots;
}

const SlotType* StageInterface::at(const InterfaceSlot& slot) const {
  const auto found = slots_.find(slot);
  return found == slots_.end() ? nullptr : &found->second;
}

const InterfacePart* StageInterface::beginningAt(const InterfaceSlot& slot) const {
  for (const InterfacePart& part : parts_)
    if (InterfaceSlot{part.patch, part.location, part.component} == slot) return &part;
  return nullptr;
}

std::string StageInterface::nameOf(const InterfacePart& part) const {
  const auto nameOr = [&](std::string_view name, Id id) {
    return name.empty() ? "%" + std::to_string(id.index()) : std::string(name);
  };
  if (part.member == spirv::kNone) return "`" + nameOr(c_.nameOf(part.variable), part.variable) + "`";
  const auto pointer = c_.pointer(c_.m.typeOf(part.variable));
  Id type = pointer ? pointer->pointee : Id();
  if (const auto vertices = as<op::TypeArray>(c_.m, type)) type = vertices.elementType();
  std::string member = std::to_string(part.member);
  for (uint32_t n = 0; n < c_.m.functionsAt; ++n) {
    const auto name = as<op::MemberName>(c_.m, c_.m.instructions[n]);
    if (name && name.type() == type && name.member() == part.member && !name.name().empty())
      member = name.name().substr(0, Context::kMaxName);
  }
  return "`" + nameOr(c_.nameOf(type), type) + "." + member + "`";
}

namespace {

// Whether a function of the module, of whichever entry point, uses the variable; with a member, by an access
// chain to it. In a chain to a member of a block in an array, the vertex is the first index; it may be in a
// separate chain before it.
bool isUsed(const spirv::Module& m, Id variable, uint32_t member, bool arrayed) {
  std::map<Id, bool> pointers{{variable, arrayed}};  // with whether the vertex is still to be chosen
  for (size_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    bool names = false;
    m.forEachUse(i, [&](Id operand) { names = names || pointers.count(operand) != 0; });
    if (!names) continue;
    if (member == spirv::kNone) return true;
    if (i.op() != Op::OpAccessChain && i.op() != Op::OpInBoundsAccessChain) return true;  // as a whole
    const op::AnyAccessChain chain(m, i);
    const auto base = pointers.find(chain.base());
    if (base == pointers.end()) return true;
    const IdRange indices = chain.indexes();
    const size_t at = base->second ? 1 : 0;
    if (indices.size() <= at) {
      pointers.emplace(i.result, base->second && indices.size() == 0);
      continue;
    }
    const auto constant = as<op::Constant>(m, indices[at]);
    if (!constant || constant.value() == member) return true;
  }
  return false;
}

}  // namespace

DistanceArray findDistances(const Context& c, const StageEntry& entry, spv::StorageClass storage,
                            spv::BuiltIn builtIn) {
  const auto length = [&](Id type) {
    const auto array = as<op::TypeArray>(c.m, type);
    const Value value = array ? c.value(array.length()) : Value{};
    return value.known ? value.bits : 0;
  };
  const bool arrayed = isArrayed(entry.model, storage);
  std::map<Id, uint32_t> memberOf;  // by structure
  for (uint32_t n = 0; n < c.m.functionsAt; ++n) {
    const auto given = as<op::MemberDecorate>(c.m, c.m.instructions[n]);
    if (given && given.decoration() == spv::Decoration::BuiltIn && given.parameters().size() != 0 &&
        given.parameters()[0] == uint32_t(builtIn))
      memberOf.emplace(given.structureType(), given.member());
  }
  for (const Id id : op::EntryPoint(c.m, *entry.instruction).interface()) {
    const auto variable = as<op::Variable>(c.m, id);
    const auto pointer = c.pointer(c.m.typeOf(id));
    if (!variable || variable.storageClass() != storage || !pointer) continue;
    const auto vertices = as<op::TypeArray>(c.m, pointer->pointee);
    const Id element = arrayed && vertices ? vertices.elementType() : pointer->pointee;
    if (c.decoration(id, spv::Decoration::BuiltIn) == uint32_t(builtIn))
      return {id, length(element), isUsed(c.m, id, spirv::kNone, arrayed)};
    const auto block = as<op::TypeStruct>(c.m, element);
    const auto found = memberOf.find(element);
    if (!block || found == memberOf.end() || found->second >= block.memberTypes().size()) continue;
    const uint32_t member = found->second;
    return {id, length(block.memberTypes()[member]), isUsed(c.m, id, member, arrayed)};
  }
  return {};
}

namespace {

bool equivalent(const Context& a, Id first, const Context& b, Id second, uint32_t depth, uint32_t& visits) {
  if (visits++ >= kMostVisits || depth >= Context::kMaxDepth) return true;
  const Op op = a.typeOp(first);
  if (op != b.typeOp(second)) return false;
  const auto elements = [&](Id x, Id y) { return equivalent(a, x, b, y, depth + 1, visits); };
  switch (op) {
    case Op::OpTypeInt: return a.width(first) == b.width(second) && a.isSigned(first) == b.isSigned(second);
    case Op::OpTypeFloat: return a.width(first) == b.width(second) && a.encoding(first) == b.encoding(second);
    case Op::OpTypeVector: {
      const auto x = as<op::TypeVector>(a.m, first), y = as<op::TypeVector>(b.m, second);
      return x.componentCount() == y.componentCount() && elements(x.componentType(), y.componentType());
    }
    case Op::OpTypeMatrix: {
      const auto x = as<op::TypeMatrix>(a.m, first), y = as<op::TypeMatrix>(b.m, second);
      return x.columnCount() == y.columnCount() && elements(x.columnType(), y.columnType());
    }
    case Op::OpTypeArray: {
      const auto x = as<op::TypeArray>(a.m, first), y = as<op::TypeArray>(b.m, second);
      const Value m = a.value(x.length()), n = b.value(y.length());
      return (!m.known || !n.known || m.bits == n.bits) && elements(x.elementType(), y.elementType());
    }
    case Op::OpTypeStruct: {
      const IdRange x = as<op::TypeStruct>(a.m, first).memberTypes();
      const IdRange y = as<op::TypeStruct>(b.m, second).memberTypes();
      if (x.size() != y.size()) return false;
      for (size_t n = 0; n < x.size(); ++n)
        if (!elements(x[n], y[n])) return false;
      return true;
    }
    default: return true;
  }
}

}  // namespace

bool equivalentTypes(const Context& a, Id first, const Context& b, Id second) {
  uint32_t visits = 0;
  return equivalent(a, first, b, second, 0, visits);
}

}  // namespace coopc::validator
