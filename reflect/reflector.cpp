// The queries that all parts of reflection share, and the order of the parts.
#include "reflect/reflector.hpp"

#include "spirv/reader.hpp"

namespace coopc::reflecting {

using spv::Decoration;
using spv::Op;

namespace {

uint64_t key(Id id, uint32_t member) { return uint64_t{id.index()} << 32 | member; }

}  // namespace

void Decorations::take(spv::Decoration decoration, spirv::LiteralRange parameters) {
  const uint32_t operand = parameters[0];
  switch (decoration) {
    case Decoration::DescriptorSet: set = operand; break;
    case Decoration::Binding: binding = operand; break;
    case Decoration::Location: location = operand; break;
    case Decoration::Component: component = operand; break;
    case Decoration::Index: index = operand; break;
    case Decoration::BuiltIn: builtIn = operand; break;
    case Decoration::SpecId: specId = operand; break;
    case Decoration::Offset: offset = operand; break;
    case Decoration::InputAttachmentIndex: inputAttachment = operand; break;
    case spirv::enums::DecorationBankNV: bank = operand; break;
    case spirv::enums::DecorationMemberOffsetNV: memberOffset = operand; break;
    case Decoration::ArrayStride: arrayStride = operand; break;
    case Decoration::MatrixStride: matrixStride = operand; break;
    case Decoration::Block: block = true; break;
    case Decoration::BufferBlock: bufferBlock = true; break;
    case Decoration::RowMajor: rowMajor = true; break;
    case Decoration::NonReadable: nonReadable = true; break;
    case Decoration::NonWritable: nonWritable = true; break;
    case Decoration::Coherent: coherent = true; break;
    case Decoration::Volatile: isVolatile = true; break;
    case Decoration::Restrict: isRestrict = true; break;
    default: break;
  }
}

// OpGroupDecorate (SPIR-V 3.56.3).
void Decorations::take(const Decorations& group) {
  static constexpr uint32_t Decorations::*kNumbers[] = {&Decorations::set,      &Decorations::binding,
                                                        &Decorations::location, &Decorations::component,
                                                        &Decorations::builtIn,  &Decorations::specId,
                                                        &Decorations::offset,   &Decorations::inputAttachment,
                                                        &Decorations::bank,     &Decorations::memberOffset,
                                                        &Decorations::index};
  for (auto member : kNumbers) {
    if (group.*member != kNotReflected) this->*member = group.*member;
  }
  static constexpr uint32_t Decorations::*kStrides[] = {&Decorations::arrayStride,
                                                        &Decorations::matrixStride};
  for (auto member : kStrides) {
    if (group.*member != 0) this->*member = group.*member;
  }
  static constexpr bool Decorations::*kFlags[] = {&Decorations::block,       &Decorations::bufferBlock,
                                                  &Decorations::rowMajor,    &Decorations::nonReadable,
                                                  &Decorations::nonWritable, &Decorations::coherent,
                                                  &Decorations::isVolatile,  &Decorations::isRestrict};
  for (auto member : kFlags) this->*member = this->*member || group.*member;
}

Reflector::Reflector(const spirv::Module& module, std::span<const spirv::SpecializationValue> values,
                     std::span<const DescriptorSize> sizes, Reflection& out)
    : m_(module), constants_(module, values), out_(out) {
  for (uint32_t n = 0; n < m_.functionsAt; ++n) {
    const Instruction& i = m_.instructions[n];
    switch (i.op()) {
      case Op::OpName: names_[key(op::Name(m_, i).target(), kWhole)] = &i; break;
      case Op::OpMemberName: {
        const op::MemberName name(m_, i);
        names_[key(name.type(), name.member())] = &i;
        break;
      }
      case Op::OpDecorate: {
        const op::Decorate decorate(m_, i);
        decorations_[key(decorate.target(), kWhole)].take(decorate.decoration(), decorate.parameters());
        break;
      }
      case Op::OpMemberDecorate: {
        const op::MemberDecorate decorate(m_, i);
        decorations_[key(decorate.structureType(), decorate.member())].take(decorate.decoration(),
                                                                            decorate.parameters());
        break;
      }
      case Op::OpGroupDecorate: {
        const op::GroupDecorate decorate(m_, i);
        const Decorations group = decorations(decorate.decorationGroup());
        for (const Id target : decorate.targets()) decorations_[key(target, kWhole)].take(group);
        break;
      }
      case Op::OpGroupMemberDecorate: {
        const op::GroupMemberDecorate decorate(m_, i);
        const Decorations group = decorations(decorate.decorationGroup());
        for (const auto [target, member] : decorate.targets()) decorations_[key(target, member)].take(group);
        break;
      }
      case Op::OpDecorateId: {
        const op::DecorateId decorate(m_, i);
        if (decorate.decoration() == spirv::enums::DecorationArrayStrideIdEXT)
          decorations_[key(decorate.target(), kWhole)].arrayStrideId = Id(decorate.parameters()[0]);
        break;
      }
      case spirv::enums::OpMemberDecorateIdEXT: {
        const op::MemberDecorateIdEXT decorate(m_, i);
        if (decorate.decoration() == spirv::enums::DecorationOffsetIdEXT)
          decorations_[key(decorate.structureType(), decorate.member())].offsetId =
              Id(decorate.parameters()[0]);
        break;
      }
      default: break;
    }
  }
  giveSizes(sizes);
}

const Decorations& Reflector::decorations(Id id, uint32_t member) const {
  static constexpr Decorations kNone;
  const auto at = decorations_.find(key(id, member));
  return at == decorations_.end() ? kNone : at->second;
}

std::string Reflector::name(Id id, uint32_t member) const {
  const auto at = names_.find(key(id, member));
  if (at == names_.end()) return {};
  const Instruction& i = *at->second;
  return std::string(member == kWhole ? op::Name(m_, i).name() : op::MemberName(m_, i).name());
}

ReflectedNumber Reflector::number(Id constant) const {
  const spirv::ConstantValue value = constants_.value(constant);
  ReflectedNumber n;
  n.known = value.known;
  n.specialized = bool(value.byDefault);
  n.value = value.known ? value.bits : 0;
  switch (m_.opOf(constant)) {
    case Op::OpSpecConstant:
    case Op::OpSpecConstantTrue:
    case Op::OpSpecConstantFalse: n.specId = decorations(constant).specId; break;
    default: break;
  }
  return n;
}

uint32_t Reflector::typeIndex(Id type) const {
  const auto at = typeIndices_.find(type);
  return at == typeIndices_.end() ? kNotReflected : at->second;
}

std::string Reflector::componentName(uint32_t index) const {
  const ReflectedType* t = type(index);
  if (t == nullptr) return {};
  switch (t->kind) {
    case ReflectedTypeKind::Int:
    case ReflectedTypeKind::Uint:
    case ReflectedTypeKind::Float: return t->name;
    case ReflectedTypeKind::Vector:
    case ReflectedTypeKind::CooperativeMatrix:
    case ReflectedTypeKind::CooperativeVector:
      t = type(t->element);
      return t == nullptr ? std::string() : t->name;
    default: return {};
  }
}

uint32_t Reflector::pointee(Id pointerType) const {
  const auto pointer = as<op::TypePointer>(m_, pointerType);
  return pointer ? typeIndex(pointer.type()) : kNotReflected;
}

void Reflector::run() {
  out_.version = m_.version;
  out_.generator = m_.generator;
  reflectTypes();
  reflectVariables();
  reflectHeaps();
  collectFunctions();
  reflectEntryPoints();
  reflectAccesses();
  sortBindings();
  reflectMatrices();
  reflectRequirements();
}

}  // namespace coopc::reflecting

namespace coopc {

Reflection reflect(std::span<const uint32_t> words, const ReflectOptions& options) {
  Reflection out;
  spirv::ReadError error;
  const std::optional<spirv::Module> module = spirv::readModule(words, error, true);
  if (!module) {
    out.error = error.message;
    out.errorWord = uint32_t(error.word);
    return out;
  }
  std::vector<spirv::SpecializationValue> values;
  for (const Specialization& s : options.specializations) values.push_back({s.id, s.value});
  reflecting::Reflector(*module, values, options.descriptorSizes, out).run();
  reflecting::askDevice(words, options, out);
  return out;
}

Reflection reflectBytes(std::span<const unsigned char> bytes, const ReflectOptions& options) {
  spirv::ReadError error;
  if (const auto words = spirv::wordsFromBytes(bytes, error)) return reflect(*words, options);
  Reflection out;
  out.error = error.message;
  out.errorWord = uint32_t(error.word);
  return out;
}

}  // namespace coopc
