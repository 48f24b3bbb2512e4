// GL_EXT_abort: abortEXT becomes OpAbortKHR (SPV_KHR_abort). Its message is one value: the text, as an array
// of bytes that ends with 0, and the other arguments, by the rules of scalar packing.
//
//   %text_constant = OpConstantDataKHR %bytes "..."          without ArrayStride (SPV_KHR_constant_data,
//                                                            OpConstantDataKHR)
//   %value = OpCompositeConstruct %struct { %bytes, ... } %text_constant ...
//   OpAbortKHR %message { %bytesWithStride, ... } %value     "must logically match"
#include "emit/builtins/call.hpp"
#include "frontend/program/block_layout.hpp"
#include "spirv/enums_supplement.hpp"

namespace coopc::emit {

using namespace frontend;

namespace en = spirv::enums;

namespace {

constexpr LayoutKey kScalarPacking = layoutKey(Packing::Scalar, false);

// The members of the message, as values and with offsets.
struct Message {
  Emitter& e;
  std::vector<Id> values, valueTypes, types;
  std::vector<uint32_t> offsets;
  std::vector<TypeId> given;  // kErrorType: the text
  uint64_t size = 0;

  void addText(std::string_view text);
  void add(TypeId type, Id value);
  Id structOf(const std::vector<Id>& members) const;
  void decorate(Id type) const;
};

void Message::addText(std::string_view text) {
  e.declareFor(en::OpConstantDataKHR);
  e.useScalar(Scalar::Uint8);
  const Id byte = e.type(basicType(Scalar::Uint8));
  const uint32_t length = static_cast<uint32_t>(text.size()) + 1;
  const Id count = e.u32(length);
  // A new type, so that only this array gets the decorations, and not others of the same length.
  const Id bytes = e.b.uniqueType<op::TypeArray>({.elementType = byte, .length = count});
  e.b.decorate(bytes, en::DecorationUTFEncodedKHR);
  const Id laidOut = e.b.uniqueType<op::TypeArray>({.elementType = byte, .length = count});
  e.b.decorate(laidOut, en::DecorationUTFEncodedKHR);
  e.b.decorate(laidOut, spv::Decoration::ArrayStride, {1u});
  std::vector<uint32_t> data((length + 3) / 4);
  for (size_t i = 0; i < text.size(); ++i)
    data[i / 4] |= static_cast<uint32_t>(static_cast<unsigned char>(text[i])) << (i % 4 * 8);
  values.push_back(e.b.constant<op::ConstantDataKHR>(bytes, {.data = data}));
  valueTypes.push_back(bytes);
  types.push_back(laidOut);
  offsets.push_back(0);
  given.push_back(kErrorType);
  size = length;
}

void Message::add(TypeId type, Id value) {
  const bool isBool = isBasic(type) && basicScalar(type) == Scalar::Bool;
  const TypeId held = isBool ? basicType(Scalar::Uint, basicRows(type)) : type;
  e.types.useType(held);
  const Id laidOut = isBasic(held) ? e.type(held) : e.types.type(held, kScalarPacking);
  values.push_back(e.memory.convertLayout(value, type, kPlain, kScalarPacking));
  valueTypes.push_back(laidOut);
  types.push_back(laidOut);
  const MemoryLayout layout = layoutOf(e.program, held, Packing::Scalar, Major::Column);
  const uint64_t align = layout.align == 0 ? 1 : layout.align;
  size = (size + align - 1) / align * align;
  offsets.push_back(static_cast<uint32_t>(size));
  given.push_back(held);
  size += layout.size;
}

Id Message::structOf(const std::vector<Id>& members) const {
  const Id id = e.b.id();
  e.b.typeWithId<op::TypeStruct>(id, {.memberTypes = members});
  return id;
}

void Message::decorate(Id type) const {
  for (uint32_t i = 0; i < offsets.size(); ++i) {
    TypeId inner = given[i];
    while (inner != kErrorType && !isBasic(inner) && e.kind(inner) == TypeKind::Array)
      inner = e.info(inner).element();
    if (inner != kErrorType && isMatrixType(inner)) {
      const uint32_t stride = layoutOf(e.program, inner, Packing::Scalar, Major::Column).stride;
      e.b.memberDecorate(type, i, spv::Decoration::ColMajor);
      e.b.memberDecorate(type, i, spv::Decoration::MatrixStride, {stride});
    }
    e.b.memberDecorate(type, i, spv::Decoration::Offset, {offsets[i]});
  }
}

}  // namespace

void emitAbort(Emitter& e, ExprId call) {
  const BuiltinCall c(e, call);
  e.declareFor(en::OpAbortKHR);
  Message message{e, {}, {}, {}, {}, {}, 0};
  message.addText(c.count() == 0 ? std::string_view() : e.names.text(e.expr(c.args[0]).string()));
  for (uint32_t i = 1; i < c.count(); ++i) message.add(c.argType(i), c.arg(i));
  const Id valueType = message.structOf(message.valueTypes);
  e.b.name(valueType, "AbortValue");
  const Id type = message.structOf(message.types);
  e.b.name(type, "AbortMessage");
  message.decorate(type);
  const Id value = e.make<op::CompositeConstruct>(valueType, {.constituents = message.values});
  e.make<op::AbortKHR>({.messageType = type, .message = value});
  e.open = false;
}

}  // namespace coopc::emit
