// Tensors of SPV_ARM_tensors where a device has none: a tensor becomes a storage buffer of its elements, and
// a uniform buffer that describes it: for each dimension, the outermost first, a uvec4 of its size, its
// stride in elements, and two numbers that are not read. Which bindings the descriptions have is in the
// report.
//
//   layout(set = 0, binding = 1) uniform tensorARM<float16_t, 2> t;
//
//   layout(set = 0, binding = 1) buffer Elements { float16_t elements[]; } t;
//   layout(set = 0, binding = N) uniform Description { uvec4 dimensions[2]; } of_t;
//
//   %v = OpTensorReadARM %half %t %coordinates OutOfBoundsValueARM %two
//
//   %inside = (coordinates[0] < dimensions[0].x && coordinates[1] < dimensions[1].x)
//   %v = inside ? elements[coordinates[0] * dimensions[0].y + coordinates[1] * dimensions[1].y] : %two
//
// Elements outside of the tensor are read as the value for them, or 0, and are not written. Arrays go on
// along the innermost dimension. Booleans are bytes, as in VK_FORMAT_R8_BOOL_ARM: 0 is false. Functions that
// take tensors have been inlined before.
#include "spirv/tensors.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "spirv/constants.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/number_type.hpp"

namespace coopc::spirv::lower {
namespace {

// Longer arrays are read and written by a loop.
constexpr uint32_t kWrittenOut = 8;
// Of the ranks that Vulkan's devices may list (maxTensorDimensionCount), with much to spare.
constexpr uint32_t kMaxRank = 64;

class Tensors {
 public:
  Tensors(Module& module, const TensorBufferOptions& options, Report& report)
      : code_(module), m_(module), o_(options), report_(report), constants_(module) {}

  void run() {
    findVariables();
    if (report_.refused()) return;
    place();
    if (report_.refused()) return;
    for (Tensor& t : tensors_) {
      declare(t);
      byVariable_[t.variable] = &t;
    }
    code_.rewrite([&](const Instruction& i) { return rewrite(i); });
    if (code_.fault())
      report_.refuse(Refusal::ControlFlow, "an access to a tensor is in a loop header that cannot be split");
    if (report_.refused()) return;
    for (const Tensor& t : tensors_) becomeBuffer(t);
    dropTypes();
    dropDeclarations();
    code_.finish();
    std::ranges::stable_sort(tensors_, {}, [](const Tensor& t) { return std::pair(t.set, t.binding); });
    for (const Tensor& t : tensors_) {
      report_.tensors.push_back({t.set, t.binding, t.description, t.rank});
      report_.rewrites.push_back(
          {"the tensor at set " + std::to_string(t.set) + ", binding " + std::to_string(t.binding),
           "a storage buffer, and a description of it, a uniform buffer at binding " +
               std::to_string(t.description)});
    }
  }

 private:
  struct Tensor {
    Id variable;
    Id type;     // the tensor type
    Id arrays;   // if the variable is an array of tensors: its type
    Id element;  // as in the tensor
    Id stored;   // as in the buffer
    uint32_t rank = 0;
    uint32_t set = 0, binding = 0, description = 0;
    Id elements;   // the type of the buffer's variable, without the pointer
    Id described;  // the variable of the description
  };

  // A tensor operand: the tensor, and which one of its array.
  struct Operand {
    const Tensor* tensor = nullptr;
    Id index;
    bool nonUniform = false;
  };

  void refuse(std::string why) { report_.refuse(Refusal::Unsupported, std::move(why)); }

  Id pointee(Id pointerType) const { return as<op::TypePointer>(m_, code_.global(pointerType)).type(); }
  bool isTensor(Id type) const {
    const Instruction* t = m_.def(type);
    return t != nullptr && t->op() == enums::OpTypeTensorARM;
  }
  // The type of the elements of an array, of known length or not; none for other types.
  Id elementOfArray(Id type) const {
    const Instruction* t = m_.def(type);
    const bool array =
        t != nullptr && (t->op() == spv::Op::OpTypeArray || t->op() == spv::Op::OpTypeRuntimeArray);
    return array ? op::TypeOfElements(m_, *t).elementType() : Id();
  }
  bool isTensorOrArray(Id type) const { return isTensor(type) || isTensor(elementOfArray(type)); }
  // Whether values of a type are tensors, arrays of them or pointers to either.
  bool isOpaque(Id type) const {
    const auto pointer = as<op::TypePointer>(m_, m_.def(type));
    return isTensorOrArray(pointer ? pointer.type() : type);
  }

  // --- Variables
  void findVariables() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      if (!as<op::Variable>(m_, i)) continue;
      const Id type = pointee(i.type);
      if (isTensor(elementOfArray(elementOfArray(type)))) return refuse("an array of arrays of tensors");
      if (!isTensorOrArray(type)) continue;
      Tensor t;
      t.variable = i.result;
      t.type = isTensor(type) ? type : elementOfArray(type);
      if (t.type != type) t.arrays = type;
      const TensorShape shape = tensorShapeOf(m_.wordsOf(*m_.def(t.type)));
      t.element = shape.element;
      if (!shape.rank) return refuse("a tensor whose type has no rank");
      const ConstantValue rank = constants_.value(shape.rank);
      if (!rank.known || rank.byDefault)
        return report_.refuse(Refusal::SizeUnknown,
                              "the rank of a tensor depends on a specialization constant that has no value");
      if (rank.bits == 0 || rank.bits > kMaxRank)
        return refuse("a tensor of rank " + std::to_string(rank.bits));
      t.rank = rank.u32();
      t.stored = storedAs(t.element);
      if (!t.stored) return refuse("a tensor whose elements are not numbers");
      tensors_.push_back(t);
    }
  }

  // Booleans have no layout in memory.
  Id storedAs(Id element) {
    const Instruction* t = m_.def(element);
    if (t == nullptr) return {};
    if (t->op() == spv::Op::OpTypeBool) return code_.type(spv::Op::OpTypeInt, {8u, 0u});
    return (t->op() == spv::Op::OpTypeInt || t->op() == spv::Op::OpTypeFloat) && bytesOf(element) != 0
               ? element
               : Id();
  }
  uint32_t bytesOf(Id type) const {
    const Instruction* t = code_.global(type);
    const auto integer = as<op::TypeInt>(m_, t);
    const uint32_t width = integer ? integer.width() : as<op::TypeFloat>(m_, t).width();
    return isNumberWidth(width) ? width / 8 : 0;
  }

  // Sets and bindings, and those of the descriptions: where the caller says, or behind the last binding of
  // the set.
  void place() {
    std::map<Id, std::pair<std::optional<uint32_t>, std::optional<uint32_t>>> bound;
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const auto decorate = as<op::Decorate>(m_, m_.instructions[n]);
      if (!decorate || decorate.parameters().empty()) continue;
      if (decorate.decoration() == spv::Decoration::DescriptorSet)
        bound[decorate.target()].first = decorate.parameters().front();
      if (decorate.decoration() == spv::Decoration::Binding)
        bound[decorate.target()].second = decorate.parameters().front();
    }
    using Place = std::pair<uint32_t, uint32_t>;
    std::set<Place> taken;
    std::map<uint32_t, uint64_t> next;  // by set
    for (const auto& [id, where] : bound) {
      if (!where.second) continue;
      taken.insert({where.first.value_or(0), *where.second});
      uint64_t& free = next[where.first.value_or(0)];
      free = std::max(free, uint64_t{*where.second} + 1);
    }
    for (Tensor& t : tensors_) {
      const auto where = bound[t.variable];
      t.set = where.first.value_or(0);
      t.binding = where.second.value_or(0);
    }
    std::map<Place, uint32_t> descriptions;
    std::map<Place, const Tensor*> first;
    for (const Tensor& t : tensors_) {
      descriptions[{t.set, t.binding}] = 0;
      const Tensor& other = *first.try_emplace({t.set, t.binding}, &t).first->second;
      if (t.rank != other.rank || bytesOf(t.stored) != bytesOf(other.stored))
        return refuse("tensors of different ranks or sizes of elements at set " + std::to_string(t.set) +
                      ", binding " + std::to_string(t.binding) + ": one description cannot be for both");
    }
    for (auto& [where, description] : descriptions) {
      const uint64_t binding =
          o_.descriptions ? uint64_t{*o_.descriptions} + where.second : next[where.first]++;
      const std::string what = "the description of the tensor at set " + std::to_string(where.first) +
                               ", binding " + std::to_string(where.second) + " would be at binding " +
                               std::to_string(binding);
      if (binding > std::numeric_limits<uint32_t>::max()) return refuse(what + ", which does not exist");
      description = uint32_t(binding);
      if (!taken.insert({where.first, description}).second) return refuse(what + ", which is taken");
    }
    for (Tensor& t : tensors_) t.description = descriptions[{t.set, t.binding}];
  }

  // --- Buffers
  Id block(Id member, uint32_t stride) {
    const Id structure = code_.declare(spv::Op::OpTypeStruct, kNoId, {member});
    code_.decorate(member, spv::Decoration::ArrayStride, {stride});
    code_.decorate(structure, spv::Decoration::Block);
    code_.decorateMember(structure, 0, spv::Decoration::Offset, {0u});
    return structure;
  }

  // The block, or as many of them as there are tensors.
  Id arrayLike(const Tensor& t, Id structure) {
    const Instruction* array = m_.def(t.arrays);
    if (array == nullptr) return structure;
    if (array->op() == spv::Op::OpTypeRuntimeArray)
      return code_.declare(spv::Op::OpTypeRuntimeArray, kNoId, {structure});
    const Id length = op::TypeArray(m_, *array).length();
    return code_.declare(spv::Op::OpTypeArray, kNoId, {structure, length});
  }

  void declare(Tensor& t) {
    Id& elements = elementBlocks_[t.stored];
    if (!elements) {
      elements = block(code_.declare(spv::Op::OpTypeRuntimeArray, kNoId, {t.stored}), bytesOf(t.stored));
      code_.name(elements, "TensorElements");
    }
    t.elements = arrayLike(t, elements);
    Id& description = descriptionBlocks_[t.rank];
    if (!description) {
      const Id u32 = code_.typeU32(), dimension = code_.typeVector(u32, 4), count = code_.u32(t.rank);
      description = block(code_.declare(spv::Op::OpTypeArray, kNoId, {dimension, count}), 16);
      code_.name(description, "TensorDescription");
    }
    const Id descriptions = arrayLike(t, description);
    t.described = code_.variable(spv::StorageClass::Uniform, descriptions);
    code_.decorate(t.described, spv::Decoration::DescriptorSet, {t.set});
    code_.decorate(t.described, spv::Decoration::Binding, {t.description});
    // Buffers of small numbers need what tensors of them do not.
    const uint32_t bytes = bytesOf(t.stored);
    if (bytes == 1) {
      code_.capability(spv::Capability::StorageBuffer8BitAccess);
      if (m_.version < 0x00010500) code_.extension("SPV_KHR_8bit_storage");
    } else if (bytes == 2) {
      code_.capability(spv::Capability::StorageBuffer16BitAccess);
      if (m_.version < 0x00010300) code_.extension("SPV_KHR_16bit_storage");
    }
  }

  // The variable keeps its id, and with it its name, decorations and places in interfaces.
  void becomeBuffer(const Tensor& t) {
    const Id pointer = code_.typePointer(spv::StorageClass::StorageBuffer, t.elements);
    Instruction& i = m_.instructions[m_.definitions[t.variable.index()]];
    m_.setType(i, pointer);
    m_.words[i.at + 3] = uint32_t(spv::StorageClass::StorageBuffer);
  }

  // --- Accesses
  bool rewrite(const Instruction& i) {
    if (report_.refused() || m_.overflow()) return false;
    switch (i.op()) {
      case enums::OpTensorReadARM:
      case enums::OpTensorWriteARM:
      case enums::OpTensorQuerySizeARM: access(i); return true;
      case spv::Op::OpAccessChain:
      case spv::Op::OpInBoundsAccessChain:
      case spv::Op::OpLoad:
      case spv::Op::OpCopyObject: return isOpaque(i.type);  // whoever uses it finds the variable by it
      case spv::Op::OpFunctionParameter:
      case spv::Op::OpFunctionCall:
      case spv::Op::OpPhi:
      case spv::Op::OpSelect:
      case spv::Op::OpUndef:
        if (isOpaque(i.type)) refuse(std::string(opName(i.opcode)) + " of a tensor");
        return false;
      default: return false;
    }
  }

  // From the value back to the variable. Without loops: chains of copies are limited.
  Operand operandOf(Id value) {
    Operand found;
    const Instruction* i = withoutCopies(m_, value);
    found.nonUniform = code_.isNonUniform(value);
    const auto load = as<op::Load>(m_, i);
    if (!load) return {};
    found.nonUniform =
        found.nonUniform || code_.isNonUniform(i->result) || code_.isNonUniform(load.pointer());
    i = withoutCopies(m_, load.pointer());
    if (i != nullptr && isAccessChain(i->op()) && !indexesElements(i->op())) {
      const op::AnyAccessChain chain(m_, *i);
      found.nonUniform = found.nonUniform || code_.isNonUniform(i->result);
      if (chain.indexes().size() != 1) return {};
      found.index = chain.indexes()[0];
      i = withoutCopies(m_, chain.base());
    }
    if (i == nullptr) return {};
    const auto at = byVariable_.find(i->result);
    if (at == byVariable_.end() || bool(at->second->arrays) != bool(found.index)) return {};
    found.tensor = at->second;
    return found;
  }

  Id pointerTo(const Operand& o, spv::StorageClass storage, Id part, Id variable,
               std::initializer_list<Id> indexes) {
    std::vector<Word> words{variable};
    if (o.index) words.push_back(o.index);
    words.push_back(code_.u32(0));  // the block's member
    for (const Id index : indexes) words.push_back(index);
    const Id type = code_.typePointer(storage, part);
    const Id pointer = code_.op(spv::Op::OpAccessChain, type, Operands(words));
    if (o.nonUniform) code_.setNonUniform(pointer);
    return pointer;
  }

  // A number of the description: 0: the dimension's size; 1: its stride.
  Id described(const Operand& o, uint32_t dimension, uint32_t number) {
    const Id u32 = code_.typeU32();
    const Id pointer = pointerTo(o, spv::StorageClass::Uniform, u32, o.tensor->described,
                                 {code_.u32(dimension), code_.u32(number)});
    return code_.load(u32, pointer);
  }

  void access(const Instruction& i) {
    const TensorAccess access = tensorAccessOf(m_.wordsOf(i));
    const Operand o = operandOf(access.tensor);
    if (o.tensor == nullptr)
      return refuse("a tensor that is neither a variable nor one of an array that is a variable");
    if (i.op() == enums::OpTensorQuerySizeARM) return query(i, o, access);
    const auto array = as<op::TypeArray>(m_, m_.def(m_.typeOf(access.coordinates)));
    const ConstantValue length = array ? constants_.value(array.length()) : ConstantValue{};
    if (!array || !length.is(o.tensor->rank) || !numberType(m_, array.elementType()))
      return refuse("coordinates of a tensor that are not as many as its dimensions");
    begin(o, access, array.elementType());
    if (i.op() == enums::OpTensorReadARM)
      read(i, o, access);
    else
      write(o, access);
  }

  void query(const Instruction& i, const Operand& o, const TensorAccess& access) {
    const ConstantValue dimension = constants_.value(access.dimension);
    if (!dimension.known || dimension.byDefault)
      return report_.refuse(
          Refusal::SizeUnknown,
          "the dimension whose size is asked for depends on a specialization constant that has no value");
    if (dimension.bits >= o.tensor->rank)
      return refuse("the size of a dimension that a tensor does not have");
    const auto result = as<op::TypeInt>(m_, m_.def(i.type));
    if (!result || !isNumberWidth(result.width())) return refuse("the size of a tensor that is no integer");
    Id size = described(o, dimension.u32(), 0);
    const Id u32 = code_.typeU32();
    const Id type = code_.type(spv::Op::OpTypeInt, {result.width(), 0u});
    if (type != u32) size = code_.op(spv::Op::OpUConvert, type, {size});
    code_.opAs(type == i.type ? spv::Op::OpCopyObject : spv::Op::OpBitcast, i.type, i.result, {size});
  }

  // What the elements of an access have in common: where the first one is, how many are left in its line of
  // the innermost dimension (0: it is outside), and from one to the next.
  struct Line {
    Id inside, first, left, stride;  // inside: whether the first one is
  };

  // Whether a coordinate is less than the size, and its 32 bits.
  std::pair<Id, Id> coordinate(const TensorAccess& access, uint32_t n, Id type, Id size) {
    const Id boolean = code_.typeBool(), u32 = code_.typeU32();
    const Id value = code_.extract(type, access.coordinates, {n});
    const auto integer = as<op::TypeInt>(m_, code_.global(type));
    if (integer.width() == 64) {
      const Id u64 = code_.type(spv::Op::OpTypeInt, {64u, 0u}),
               wide = code_.op(spv::Op::OpUConvert, u64, {size});
      const Id in = code_.op(spv::Op::OpULessThan, boolean, {value, wide});
      return {in, code_.op(spv::Op::OpUConvert, u32, {value})};
    }
    Id bits = value;
    if (integer.width() < 32)  // negative ones become large ones
      bits = code_.op(integer.signedness() != 0 ? spv::Op::OpSConvert : spv::Op::OpUConvert, u32, {value});
    else if (type != u32)
      bits = code_.op(spv::Op::OpBitcast, u32, {value});
    return {code_.less(bits, size), bits};
  }

  void begin(const Operand& o, const TensorAccess& access, Id coordinateType) {
    const Id boolean = code_.typeBool(), u32 = code_.typeU32();
    Id inside, at, last, size;
    for (uint32_t d = 0; d < o.tensor->rank; ++d) {
      size = described(o, d, 0);
      line_.stride = described(o, d, 1);
      const auto [in, bits] = coordinate(access, d, coordinateType, size);
      inside = inside ? code_.op(spv::Op::OpLogicalAnd, boolean, {inside, in}) : in;
      const Id term = code_.mul(bits, line_.stride);
      at = at ? code_.add(at, term) : term;
      last = bits;
    }
    line_.inside = inside;
    line_.first = at;
    const Id left = code_.sub(size, last), none = code_.u32(0);
    line_.left = code_.op(spv::Op::OpSelect, u32, {inside, left, none});
  }

  // Of element `n` of an access.
  Id isInside(Id n) { return code_.constantValue(n) == 0u ? line_.inside : code_.less(n, line_.left); }
  Id elementPointer(const Operand& o, Id n) {
    const Id offset = code_.mul(n, line_.stride), at = code_.add(line_.first, offset);
    return pointerTo(o, spv::StorageClass::StorageBuffer, o.tensor->stored, o.tensor->variable, {at});
  }

  // The memory operands of a load or store that is like an access.
  static void memoryOperands(const TensorAccess& access, std::vector<Word>& words) {
    using Mask = spv::MemoryAccessMask;
    uint32_t mask = 0;
    const auto given = [&](uint32_t bit, Mask operand) {
      if (access.has(bit)) mask |= uint32_t(operand);
    };
    given(enums::TensorOperandsNontemporalARM, Mask::Nontemporal);
    given(enums::TensorOperandsMakeElementAvailableARM, Mask::MakePointerAvailable);
    given(enums::TensorOperandsMakeElementVisibleARM, Mask::MakePointerVisible);
    given(enums::TensorOperandsNonPrivateElementARM, Mask::NonPrivatePointer);
    if (mask == 0) return;
    words.push_back(mask);
    if (access.available) words.push_back(access.available);
    if (access.visible) words.push_back(access.visible);
  }

  Id load(const Operand& o, const TensorAccess& access, Id n) {
    std::vector<Word> words{elementPointer(o, n)};
    memoryOperands(access, words);
    const Tensor& t = *o.tensor;
    const Id value = code_.op(spv::Op::OpLoad, t.stored, Operands(words));
    if (t.stored == t.element) return value;
    const Id u32 = code_.typeU32(), zero = code_.u32(0);
    const Id wide = code_.op(spv::Op::OpUConvert, u32, {value});
    return code_.op(spv::Op::OpINotEqual, t.element, {wide, zero});
  }

  void store(const Operand& o, const TensorAccess& access, Id n, Id value) {
    const Tensor& t = *o.tensor;
    if (t.stored != t.element) {
      const Id u32 = code_.typeU32(), one = code_.u32(1), zero = code_.u32(0);
      const Id number = code_.op(spv::Op::OpSelect, u32, {value, one, zero});
      value = code_.op(spv::Op::OpUConvert, t.stored, {number});
    }
    std::vector<Word> words{elementPointer(o, n), value};
    memoryOperands(access, words);
    code_.append(m_.make(spv::Op::OpStore, Operands(words)));
  }

  // The number of elements of an array type; 0: it is none. Refuses where it is not known.
  std::optional<uint32_t> lengthOf(Id type) {
    const auto array = as<op::TypeArray>(m_, m_.def(type));
    if (!array) return 0;
    const ConstantValue length = constants_.value(array.length());
    if (length.known && !length.byDefault && length.bits != 0 && length.bits <= UINT32_MAX)
      return length.u32();
    report_.refuse(Refusal::SizeUnknown,
                   "the number of elements that are read from a tensor or written to it depends on a "
                   "specialization constant that has no value");
    return std::nullopt;
  }

  void read(const Instruction& i, const Operand& o, const TensorAccess& access) {
    const std::optional<uint32_t> length = lengthOf(i.type);
    if (!length) return;
    const Id element = o.tensor->element;
    const Id outside = access.outOfBoundsValue ? access.outOfBoundsValue : code_.null(element);
    const auto one = [&](Id n, Id result) {
      const Id inside = isInside(n);
      return code_.chooseAs(
          inside, element, result, [&] { return load(o, access, n); }, [&] { return outside; });
    };
    if (*length == 0) {
      one(code_.u32(0), i.result);
      return;
    }
    if (*length <= kWrittenOut) {
      std::vector<Word> words;
      for (uint32_t n = 0; n < *length; ++n) words.push_back(one(code_.u32(n), Id()));
      return code_.opAs(spv::Op::OpCompositeConstruct, i.type, i.result, Operands(words));
    }
    const Id variable = code_.localVariable(i.type), count = code_.u32(*length);
    code_.loop(count, Unroll::No, [&](Id n) {
      const Id value = one(n, Id());
      const Id place = code_.access(spv::StorageClass::Function, element, variable, {n});
      code_.store(place, value);
    });
    code_.opAs(spv::Op::OpLoad, i.type, i.result, {variable});
  }

  void write(const Operand& o, const TensorAccess& access) {
    const Id type = m_.typeOf(access.object), element = o.tensor->element;
    const std::optional<uint32_t> length = lengthOf(type);
    if (!length) return;
    const auto one = [&](Id n, Id value) {
      const Id inside = isInside(n);
      code_.ifThen(inside, [&] { store(o, access, n, value); });
    };
    if (*length == 0) return one(code_.u32(0), access.object);
    if (*length <= kWrittenOut) {
      for (uint32_t n = 0; n < *length; ++n) {
        const Id at = code_.u32(n), value = code_.extract(element, access.object, {n});
        one(at, value);
      }
      return;
    }
    const Id variable = code_.localVariable(type), count = code_.u32(*length);
    code_.store(variable, access.object);
    code_.loop(count, Unroll::No, [&](Id n) {
      const Id inside = isInside(n);
      code_.ifThen(inside, [&] {
        const Id place = code_.access(spv::StorageClass::Function, element, variable, {n});
        const Id value = code_.load(element, place);
        store(o, access, n, value);
      });
    });
  }

  // --- Declarations
  // What held tensors: their types, those of pointers and arrays, and of functions that took them.
  void dropTypes() {
    // A function's type stands behind those of its parameters.
    std::vector<bool> gone(m_.bound);
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      const Instruction& i = m_.instructions[n];
      bool opaque = i.op() == enums::OpTypeTensorARM || (isType(i.op()) && isOpaque(i.result));
      if (i.op() == spv::Op::OpTypeFunction)
        std::as_const(m_).forEachUse(i, [&](Id id) { opaque = opaque || gone[id.index()]; });
      if (opaque) gone[i.result.index()] = true;
    }
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      if (i.result && gone[i.result.index()]) i.opcode = uint16_t(spv::Op::OpNop);
    }
  }
  static bool isType(spv::Op op) {
    return op == spv::Op::OpTypePointer || op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray;
  }

  void dropDeclarations() {
    for (uint32_t n = 0; n < m_.functionsAt; ++n) {
      Instruction& i = m_.instructions[n];
      const auto capability = as<op::Capability>(m_, i);
      bool gone = as<op::Extension>(m_, i).name() == "SPV_ARM_tensors";
      if (capability && capability.capability() == enums::CapabilityTensorsARM) gone = true;
      if (capability && capability.capability() == enums::CapabilityStorageTensorArrayDynamicIndexingARM) {
        gone = true;
        code_.capability(spv::Capability::StorageBufferArrayDynamicIndexing);
        code_.capability(spv::Capability::UniformBufferArrayDynamicIndexing);
      }
      if (capability && capability.capability() == enums::CapabilityStorageTensorArrayNonUniformIndexingARM) {
        gone = true;
        code_.capability(spv::Capability::StorageBufferArrayNonUniformIndexing);
        code_.capability(spv::Capability::UniformBufferArrayNonUniformIndexing);
        if (m_.version < 0x00010500) code_.extension("SPV_EXT_descriptor_indexing");
      }
      if (gone) i.opcode = uint16_t(spv::Op::OpNop);
    }
    if (m_.version < 0x00010300) code_.extension("SPV_KHR_storage_buffer_storage_class");
  }

  Code code_;
  Module& m_;
  const TensorBufferOptions& o_;
  Report& report_;
  ConstantEvaluator constants_;
  std::vector<Tensor> tensors_;
  std::map<Id, const Tensor*> byVariable_;
  std::map<Id, Id> elementBlocks_;            // by the elements' type
  std::map<uint32_t, Id> descriptionBlocks_;  // by rank
  Line line_;                                 // of the access that is being written
};

}  // namespace

void lowerTensors(Module& module, const TensorBufferOptions& options, Report& report) {
  Tensors(module, options, report).run();
}

}  // namespace coopc::spirv::lower
