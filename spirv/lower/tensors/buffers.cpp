// Tensors as buffers: see buffers.hpp. Booleans are bytes, as in VK_FORMAT_R8_BOOL_ARM: 0 is false.
#include "spirv/lower/tensors/buffers.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/spirv_version.hpp"
#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/number_type.hpp"
#include "spirv/tensors.hpp"

namespace coopc::spirv::lower {
namespace {

// More than any rank that Vulkan's devices list (maxTensorDimensionCount).
constexpr uint32_t kMaxRank = 64;

bool isTensor(const Module& m, Id type) { return m.opOf(type) == enums::OpTypeTensorARM; }

// The type of the elements of an array, of known length or not; none for other types.
Id elementOfArray(const Module& m, Id type) {
  const Instruction* t = m.def(type);
  const bool array =
      t != nullptr && (t->op() == spv::Op::OpTypeArray || t->op() == spv::Op::OpTypeRuntimeArray);
  return array ? op::TypeOfElements(m, *t).elementType() : Id();
}

bool isTensorOrArray(const Module& m, Id type) {
  return isTensor(m, type) || isTensor(m, elementOfArray(m, type));
}

uint32_t bytesOf(const Code& code, Id type) {
  const Module& m = code.module();
  const Instruction* t = code.globals.definition(type);
  const auto integer = as<op::TypeInt>(m, t);
  const uint32_t width = integer ? integer.width() : as<op::TypeFloat>(m, t).width();
  return isNumberWidth(width) ? width / 8 : 0;
}

// The type of an element in the buffer; none if elements are not numbers. Booleans have no layout in memory.
Id findStoredType(Code& code, Id element) {
  switch (code.module().opOf(element)) {
    case spv::Op::OpTypeBool: return code.globals.type<op::TypeInt>({.width = 8, .signedness = 0});
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat: return bytesOf(code, element) != 0 ? element : Id();
    default: return {};
  }
}

// The tensor of a variable, without its bindings. Refuses tensors that buffers cannot replace.
TensorVariable readTensor(Code& code, const ConstantEvaluator& constants, const Instruction& variable,
                          Id type, Report& report) {
  const Module& m = code.module();
  const auto refuse = [&](std::string why) { report.refuse(Refusal::Unsupported, std::move(why)); };
  TensorVariable t;
  t.variable = variable.result;
  t.type = isTensor(m, type) ? type : elementOfArray(m, type);
  if (t.type != type) t.arrays = type;
  const ArmTensorType shape = armTensorTypeOf(m.wordsOf(*m.def(t.type)));
  t.element = shape.element;
  if (!shape.rank) {
    refuse("a tensor whose type has no rank");
    return t;
  }
  const ConstantValue rank = constants.value(shape.rank);
  if (!rank.known || rank.byDefault) {
    report.refuseUnknown("the rank of a tensor", rank);
    return t;
  }
  if (rank.bits == 0 || rank.bits > kMaxRank) {
    refuse("a tensor of rank " + std::to_string(rank.bits));
    return t;
  }
  t.rank = rank.u32();
  t.stored = findStoredType(code, t.element);
  if (!t.stored) refuse("a tensor whose elements are not numbers");
  t.bytes = t.stored ? bytesOf(code, t.stored) : 0;
  return t;
}

// A descriptor: set and binding.
using Place = std::pair<uint32_t, uint32_t>;

struct Bound {
  std::optional<uint32_t> set, binding;
};
std::map<Id, Bound> boundVariables(const Module& m) {
  std::map<Id, Bound> bound;
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const auto decorate = as<op::Decorate>(m, m.instructions[n]);
    if (!decorate || decorate.parameters().empty()) continue;
    if (decorate.decoration() == spv::Decoration::DescriptorSet)
      bound[decorate.target()].set = decorate.parameters().front();
    if (decorate.decoration() == spv::Decoration::Binding)
      bound[decorate.target()].binding = decorate.parameters().front();
  }
  return bound;
}

// A block with an array as its only member.
Id block(Code& code, Id array, uint32_t stride) {
  const Id structure = code.globals.declare<op::TypeStruct>({.memberTypes = {array}});
  code.annotations.decorate(array, spv::Decoration::ArrayStride, {stride});
  code.annotations.decorate(structure, spv::Decoration::Block);
  code.annotations.decorateMember(structure, 0, spv::Decoration::Offset, {0u});
  return structure;
}

Id elementBlock(Code& code, const TensorVariable& t) {
  const Id elements = code.globals.declare<op::TypeRuntimeArray>({t.stored});
  const Id made = block(code, elements, t.bytes);
  code.annotations.name(made, "TensorElements");
  return made;
}

Id descriptionBlock(Code& code, uint32_t rank) {
  const Id u32 = code.globals.typeU32(), dimension = code.globals.typeVector(u32, 4), count = code.u32(rank);
  const Id dimensions = code.globals.declare<op::TypeArray>({.elementType = dimension, .length = count});
  const Id made = block(code, dimensions, 16);
  code.annotations.name(made, "TensorDescription");
  return made;
}

// The block, or an array with one for each tensor.
Id arrayLike(Code& code, const TensorVariable& t, Id structure) {
  const Module& m = code.module();
  const Instruction* array = m.def(t.arrays);
  if (array == nullptr) return structure;
  if (array->op() == spv::Op::OpTypeRuntimeArray)
    return code.globals.declare<op::TypeRuntimeArray>({structure});
  const Id length = op::TypeArray(m, *array).length();
  return code.globals.declare<op::TypeArray>({.elementType = structure, .length = length});
}

// Declares capabilities that buffers of small numbers need and tensors of them do not.
void declareSmallStorage(Code& code, uint32_t bytes) {
  const uint32_t version = code.module().version;
  if (bytes == 1) {
    code.preamble.capability(spv::Capability::StorageBuffer8BitAccess);
    if (version < kSpirv15) code.preamble.extension("SPV_KHR_8bit_storage");
  } else if (bytes == 2) {
    code.preamble.capability(spv::Capability::StorageBuffer16BitAccess);
    if (version < kSpirv13) code.preamble.extension("SPV_KHR_16bit_storage");
  }
}

}  // namespace

bool holdsTensors(const Module& module, Id type) {
  const auto pointer = as<op::TypePointer>(module, module.def(type));
  return isTensorOrArray(module, pointer ? pointer.type() : type);
}

std::vector<TensorVariable> findTensors(Code& code, Report& report) {
  const Module& m = code.module();
  const ConstantEvaluator constants(m);
  std::vector<TensorVariable> tensors;
  for (uint32_t n = 0; n < m.functionsAt && !report.isRefused(); ++n) {
    const Instruction& i = m.instructions[n];
    if (!as<op::Variable>(m, i)) continue;
    const Id type = as<op::TypePointer>(m, m.def(i.type)).type();
    if (isTensor(m, elementOfArray(m, elementOfArray(m, type))))
      report.refuse(Refusal::Unsupported, "an array of arrays of tensors");
    if (isTensorOrArray(m, type)) tensors.push_back(readTensor(code, constants, i, type, report));
  }
  return tensors;
}

void placeDescriptions(const Module& module, const TensorBufferOptions& options,
                       std::vector<TensorVariable>& tensors, Report& report) {
  const auto refuse = [&](std::string why) { report.refuse(Refusal::Unsupported, std::move(why)); };
  std::map<Id, Bound> bound = boundVariables(module);
  std::set<Place> taken;
  std::map<uint32_t, uint64_t> next;  // the first free binding, by set
  for (const auto& [id, where] : bound) {
    if (!where.binding) continue;
    taken.insert({where.set.value_or(0), *where.binding});
    uint64_t& free = next[where.set.value_or(0)];
    free = std::max(free, uint64_t{*where.binding} + 1);
  }
  std::map<Place, uint32_t> descriptions;
  std::map<Place, const TensorVariable*> first;
  for (TensorVariable& t : tensors) {
    const Bound& where = bound[t.variable];
    t.set = where.set.value_or(0);
    t.binding = where.binding.value_or(0);
    descriptions[{t.set, t.binding}] = 0;
    const TensorVariable& other = *first.try_emplace({t.set, t.binding}, &t).first->second;
    if (t.rank != other.rank || t.bytes != other.bytes)
      return refuse("tensors of different ranks or sizes of elements at set " + std::to_string(t.set) +
                    ", binding " + std::to_string(t.binding) + ": one description cannot be for both");
  }
  for (auto& [where, description] : descriptions) {
    const uint64_t binding =
        options.descriptions ? uint64_t{*options.descriptions} + where.second : next[where.first]++;
    const std::string what = "the description of the tensor at set " + std::to_string(where.first) +
                             ", binding " + std::to_string(where.second) + " would be at binding " +
                             std::to_string(binding);
    if (binding > std::numeric_limits<uint32_t>::max()) return refuse(what + ", which does not exist");
    description = uint32_t(binding);
    if (!taken.insert({where.first, description}).second) return refuse(what + ", which is taken");
  }
  for (TensorVariable& t : tensors) t.description = descriptions[{t.set, t.binding}];
}

void declareBuffers(Code& code, std::vector<TensorVariable>& tensors) {
  std::map<Id, Id> elementBlocks;            // by the elements' type
  std::map<uint32_t, Id> descriptionBlocks;  // by rank
  for (TensorVariable& t : tensors) {
    Id& elements = elementBlocks[t.stored];
    if (!elements) elements = elementBlock(code, t);
    t.elements = arrayLike(code, t, elements);
    Id& description = descriptionBlocks[t.rank];
    if (!description) description = descriptionBlock(code, t.rank);
    const Id descriptions = arrayLike(code, t, description);
    t.described = code.globals.variable(spv::StorageClass::Uniform, descriptions);
    code.annotations.decorate(t.described, spv::Decoration::DescriptorSet, {t.set});
    code.annotations.decorate(t.described, spv::Decoration::Binding, {t.description});
    declareSmallStorage(code, t.bytes);
  }
}

void becomeBuffer(Code& code, const TensorVariable& tensor) {
  Module& m = code.module();
  const Id pointer = code.globals.typePointer(spv::StorageClass::StorageBuffer, tensor.elements);
  m.instructions[m.definitions[tensor.variable.index()]] =
      m.make<op::Variable>(pointer, tensor.variable, {.storageClass = spv::StorageClass::StorageBuffer});
}

}  // namespace coopc::spirv::lower
