// Accesses of sixteen bytes. If elements of a row or column are contiguous, they are loaded as four words,
// provided that everything is aligned and inside. Elements from a decode function are packed into four words:
// all of them come from one block, whose position is computed once.
#include "spirv/lower/tensor_addressing/wide_access.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "spirv/instructions.hpp"
#include "spirv/lower/tensor_addressing/decode_call.hpp"

namespace coopc::spirv::lower::tensor {

namespace {

using layout::ClampMode;

constexpr uint32_t kBytes = 16;

class WideAccess {
 public:
  WideAccess(FunctionBody& f, const std::vector<Role>& roles) : f_(f), c_(f.c), a_(f.a), roles_(roles) {}

  void writeLoad(TensorFunction& made) {
    const uint32_t bytes = a_.matrix.componentBits / 8;
    const auto plainMask = spv::MemoryAccessMask::Aligned | spv::MemoryAccessMask::NonPrivatePointer;
    if (a_.store || (a_.memory.kind != Memory::Kind::Physical && !a_.vectors.variable) || a_.memory.unit ||
        a_.memory.elementBytes != bytes || !a_.operands.only(plainMask) ||
        (a_.checks() && a_.mode != ClampMode::Constant))
      return;
    const Dimension *along = nullptr, *across = nullptr;
    for (size_t n = 0; n < roles_.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      if (roles_[n] == Role::None) continue;
      const bool contiguous = c_.globals.constantValue(d.stride) == 1u;
      if ((contiguous ? along : across) != nullptr) return;
      (contiguous ? along : across) = &d;
      if (contiguous) made.wideAlongRows = roles_[n] == Role::Column;
    }
    if (along == nullptr || across == nullptr) return;
    write(
        made, "loadWideTensor", [&] { return isAligned(bytes, across->stride); },
        [&](Id four, const UInt& row, const UInt& column) { return load(four, bytes, row, column); });
  }

  // The offset along the blocks must be a multiple of the number of elements.
  void writeDecoded(TensorFunction& made) {
    const size_t last = roles_.size() - 1;
    const Dimension& along = a_.dimensions[last];
    const uint32_t bits = a_.matrix.componentBits, count = 8 * kBytes / bits;
    const std::optional<uint32_t> block = c_.globals.constantValue(along.blockSize);
    if (bits > 32 || roles_[last] == Role::None || !along.blocked || !block || *block % count != 0 ||
        (a_.checks() && a_.mode != ClampMode::Constant) ||
        std::count(roles_.begin(), roles_.end(), roles_[last]) != 1)
      return;
    made.wideAlongRows = roles_[last] == Role::Column;
    write(
        made, "decodeWideTensor",
        [&] {
          const UInt offset = f_.number(along.offset), rest = c_.u32(count - 1), over = offset & rest;
          return isInside(equal(over, 0));
        },
        [&](Id, const UInt& row, const UInt& column) { return decode(count, row, column); });
  }

 private:
  // `test` and `load(type of four words, row, column)` write the results of the two functions.
  template <class Test, class Load>
  void write(TensorFunction& made, const char* name, Test test, Load load) {
    const Id u32 = c_.globals.typeU32(), boolType = c_.globals.typeBool(),
             four = c_.globals.typeVector(u32, 4);
    std::vector<Id> types = f_.caller.types();
    made.wideTest = c_.writer.addFunction(boolType, types, [&](const std::vector<Id>& given) {
      f_.caller.bind(given, 0);
      const Bool may = test();
      c_.make<op::ReturnValue>({may});
    });
    c_.annotations.name(made.wideTest, "isWideTensor");
    types.insert(types.begin(), {u32, u32});
    made.wide = c_.writer.addFunction(four, types, [&](const std::vector<Id>& given) {
      f_.caller.bind(given, 2);
      const UInt row(c_, given[0]), column(c_, given[1]);
      const Id value = load(four, row, column);
      c_.make<op::ReturnValue>({value});
    });
    c_.annotations.name(made.wide, name);
  }

  // Whether the matrix is inside the tensor and `may` is true.
  Bool isInside(Bool may) {
    for (size_t n = 0; n < roles_.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      if (!d.checked) continue;
      const UInt offset = f_.number(d.offset), dimension = f_.number(d.dimension);
      const UInt count = c_.u32(roles_[n] == Role::None  ? 1
                                : roles_[n] == Role::Row ? a_.matrix.rows
                                                         : a_.matrix.columns);
      const UInt left = dimension - offset;
      may = both(may, offset <= dimension);
      may = both(may, count <= left);
    }
    return may;
  }

  Bool isAligned(uint32_t bytes, Id acrossStride) {
    const UInt zero = c_.u32(0), size = c_.u32(bytes), rest = c_.u32(kBytes - 1);
    const UInt base = f_.number(a_.memory.base), stride = f_.number(acrossStride);
    const UInt first = base * size, line = stride * size;
    UInt start = first;
    if (a_.memory.low) {
      const UInt low = f_.number(a_.memory.low);
      start = low + first;
    }
    const UInt unaligned = (start | line) & rest;
    Bool may = equal(unaligned, zero);
    for (size_t n = 0; n < roles_.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      // Offsets that are not in the base are added to the address as well.
      if (d.inBase) continue;
      const UInt offset = f_.number(d.offset), step = f_.number(d.stride), elements = offset * step;
      const UInt over = elements * size & rest;
      may = both(may, equal(over, zero));
    }
    return isInside(may);
  }

  Id load(NamedId four, uint32_t bytes, const UInt& row, const UInt& column) {
    UInt index = f_.number(a_.memory.base);
    // The function is only called if everything is aligned. The mask makes that visible to passes and drivers
    // that look at the address.
    if (a_.vectors.variable && !c_.globals.constantValue(index)) index = index & ~(kBytes / bytes - 1);
    for (size_t n = 0; n < roles_.size(); ++n) {
      const Dimension& d = a_.dimensions[n];
      const UInt stride = f_.number(d.stride);
      UInt at = roles_[n] == Role::Row ? row : roles_[n] == Role::Column ? column : c_.u32(0);
      if (!d.inBase) {
        const UInt offset = f_.number(d.offset);
        at = at + offset;
      }
      const UInt scaled = at * stride;
      index = index + scaled;
    }
    const uint32_t nonPrivate = a_.operands.mask & uint32_t(spv::MemoryAccessMask::NonPrivatePointer);
    if (a_.vectors.variable) {
      const UInt which = index / (kBytes / bytes);
      const Id pointer = f_.pointers.element(a_.vectors, which, [&](Id id) { return f_.in(id); });
      if (nonPrivate == 0) return c_.load(four, pointer);
      return c_.make<op::Load>(four, {.pointer = pointer, .memoryOperands = {nonPrivate}});
    }
    const Id type = c_.globals.typePointer(spv::StorageClass::PhysicalStorageBuffer, four);
    const Id low = f_.in(a_.memory.low), high = f_.in(a_.memory.high);
    const Id pointer = f_.pointers.physical(type, low, high, index, bytes);
    const uint32_t mask = nonPrivate | uint32_t(spv::MemoryAccessMask::Aligned);
    return c_.make<op::Load>(four, {.pointer = pointer, .memoryOperands = {mask, kBytes}});
  }

  // Packs consecutive components into a vector of 32-bit numbers.
  Id decode(uint32_t count, const UInt& row, const UInt& column) {
    ElementAddress first = addressOf(f_, row, column);
    const UInt mask = c_.u32(~(count - 1));
    const Id u32 = c_.globals.typeU32(), component = a_.matrix.component;
    const UInt start = first.inBlock.back() & mask;
    const uint32_t each = a_.decodesAtOnce != 0 ? a_.decodesAtOnce : 1;
    std::vector<Id> values;
    for (uint32_t n = 0; n < count; n += each) {
      const UInt step = c_.u32(n);
      first.inBlock.back() = n == 0 ? start : UInt(start | step);
      if (each == 1) {
        values.push_back(decodeElement(f_, first));
        continue;
      }
      const Id several = c_.globals.typeVector(component, each), value = decodeVector(f_, several, first);
      for (uint32_t k = 0; k < each; ++k) values.push_back(c_.extract(component, value, {k}));
    }
    const std::vector<Word> words = packed(values);
    const Id four = c_.globals.typeVector(u32, 4);
    return c_.make<op::CompositeConstruct>(four, {.constituents = words});
  }

  std::vector<Word> packed(const std::vector<Id>& values) {
    const Id u32 = c_.globals.typeU32(), component = a_.matrix.component;
    const uint32_t inWord = 32 / a_.matrix.componentBits;
    std::vector<Word> words;
    for (size_t n = 0; n < values.size(); n += inWord) {
      Id value = values[n];
      if (inWord > 1) {
        const Id several = c_.globals.typeVector(component, inWord);
        const std::vector<Word> parts(values.begin() + n, values.begin() + n + inWord);
        value = c_.make<op::CompositeConstruct>(several, {.constituents = parts});
      }
      words.push_back(inWord == 1 && component == u32 ? value : c_.make<op::Bitcast>(u32, {value}));
    }
    return words;
  }

  FunctionBody& f_;
  Code& c_;
  const Access& a_;
  const std::vector<Role>& roles_;
};

}  // namespace

void writeWideAccess(FunctionBody& f, const ElementAddress& element, TensorFunction& made) {
  WideAccess wide(f, element.roles);
  if (element.linear) wide.writeLoad(made);
  if (f.a.decode && f.a.wideLoads && !element.roles.empty()) wide.writeDecoded(made);
}

}  // namespace coopc::spirv::lower::tensor
