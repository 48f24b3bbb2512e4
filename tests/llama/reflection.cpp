// Reads a module's buffers and push constants from its types and decorations.
#include "tests/llama/reflection.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "spirv/reader.hpp"

namespace coopc::tests::llama {
namespace {

namespace sp = coopc::spirv;

class ReflectionReader {
 public:
  ReflectionReader(const sp::Module& module, Reflection& result) : module_(module), result_(result) {}

  void read() {
    for (const sp::Instruction& i : module_.instructions) decorationsAndNames(i);
    for (const sp::Instruction& i : module_.instructions)
      if (i.op() == spv::Op::OpVariable) variable(i);
    for (const auto& [id, specId] : specIds_) specConstant(id, specId);
    std::sort(result_.push.begin(), result_.push.end(),
              [](const PushMember& a, const PushMember& b) { return a.offset < b.offset; });
  }

 private:
  using Member = std::pair<uint32_t, uint32_t>;  // structure, index

  std::string string(const sp::Instruction& i, uint32_t from) const {
    std::string text;
    for (uint32_t n = from; n < i.length; ++n)
      for (uint32_t shift = 0; shift < 32; shift += 8) {
        const char c = static_cast<char>(module_.word(i, n) >> shift & 0xFF);
        if (c == 0) return text;
        text += c;
      }
    return text;
  }

  void decorationsAndNames(const sp::Instruction& i) {
    const auto decoration = [&](uint32_t at) { return static_cast<spv::Decoration>(module_.word(i, at)); };
    switch (i.op()) {
      case spv::Op::OpExecutionModeId:
        if (static_cast<spv::ExecutionMode>(module_.word(i, 2)) == spv::ExecutionMode::LocalSizeId)
          workgroupWidth_ = module_.word(i, 3);
        break;
      case spv::Op::OpName: objectNames_[module_.word(i, 1)] = string(i, 2); break;
      case spv::Op::OpMemberName: names_[{module_.word(i, 1), module_.word(i, 2)}] = string(i, 3); break;
      case spv::Op::OpDecorate:
        if (decoration(2) == spv::Decoration::Binding) bindings_[module_.word(i, 1)] = module_.word(i, 3);
        if (decoration(2) == spv::Decoration::DescriptorSet) sets_[module_.word(i, 1)] = module_.word(i, 3);
        if (decoration(2) == spv::Decoration::SpecId) specIds_[module_.word(i, 1)] = module_.word(i, 3);
        if (decoration(2) == spv::Decoration::BuiltIn &&
            static_cast<spv::BuiltIn>(module_.word(i, 3)) == spv::BuiltIn::WorkgroupSize)
          workgroupSize_ = module_.word(i, 1);
        if (decoration(2) == spv::Decoration::ArrayStride) strides_[module_.word(i, 1)] = module_.word(i, 3);
        if (decoration(2) == spv::Decoration::NonWritable) readOnly_.insert(module_.word(i, 1));
        break;
      case spv::Op::OpMemberDecorate:
        if (decoration(3) == spv::Decoration::Offset)
          offsets_[{module_.word(i, 1), module_.word(i, 2)}] = module_.word(i, 4);
        if (decoration(3) == spv::Decoration::NonWritable)
          readOnlyMembers_.insert({module_.word(i, 1), module_.word(i, 2)});
        break;
      default: break;
    }
  }

  void specConstant(uint32_t id, uint32_t specId) {
    const sp::Instruction* size = module_.def(sp::Id(workgroupSize_));
    // Modules from SPIR-V 1.6 on name the constant itself, earlier ones a vector of it.
    const bool local =
        workgroupWidth_ == id || (size != nullptr && size->length > 3 && module_.word(*size, 3) == id);
    for (SpecConstant& other : result_.specConstants) {
      if (other.id != specId) continue;
      other.localSize = other.localSize || local;
      if (other.name.empty()) other.name = objectNames_[id];
      return;
    }
    result_.specConstants.push_back({specId, objectNames_[id], local});
  }

  void variable(const sp::Instruction& i) {
    const auto storage = static_cast<spv::StorageClass>(module_.word(i, 3));
    const sp::Instruction* pointer = module_.def(i.type);
    if (pointer == nullptr) return;
    const uint32_t pointee = module_.word(*pointer, 3);
    if (storage == spv::StorageClass::PushConstant) {
      members(pointee, "", 0);
    } else if (storage == spv::StorageClass::StorageBuffer || storage == spv::StorageClass::Uniform) {
      buffer(i.result.index(), pointee, storage == spv::StorageClass::Uniform);
    } else if (storage == spv::StorageClass::UniformConstant) {
      result_.otherBindings = true;
    }
  }

  void buffer(uint32_t id, uint32_t block, bool uniform) {
    BoundBuffer b;
    b.set = sets_[id];
    b.binding = bindings_[id];
    b.uniform = uniform;
    const sp::Instruction* structure = module_.def(sp::Id(block));
    if (structure == nullptr || structure->op() != spv::Op::OpTypeStruct || structure->length < 3) return;
    const uint32_t last = structure->length - 3u;
    b.element = elementOf(module_.word(*structure, 2 + last));
    b.written = readOnly_.count(id) == 0 && readOnlyMembers_.count({block, last}) == 0;
    for (BoundBuffer& other : result_.buffers) {
      if (other.set != b.set || other.binding != b.binding) continue;
      if (other.element == Element::Packed || (other.element == Element::I32 && b.element != Element::Packed))
        other.element = b.element;
      other.written = other.written || b.written;
      return;
    }
    result_.buffers.push_back(b);
  }

  Element elementOf(uint32_t type) const {
    const sp::Instruction* t = module_.def(sp::Id(type));
    if (t == nullptr) return Element::Packed;
    const uint32_t bits = module_.word(*t, 2);
    switch (t->op()) {
      case spv::Op::OpTypeRuntimeArray:
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix: return elementOf(module_.word(*t, 2));
      case spv::Op::OpTypeFloat:
        return bits == 32   ? Element::F32
               : bits == 16 ? Element::F16
               : bits == 64 ? Element::F64
                            : Element::Packed;
      case spv::Op::OpTypeInt: return bits == 32 ? Element::I32 : bits == 64 ? Element::I64 : Element::Packed;
      case spv::Op::OpTypeStruct:
        // A structure with one member is read as an array of the member's type.
        return t->length == 3 ? elementOf(module_.word(*t, 2)) : Element::Packed;
      default: return Element::Packed;
    }
  }

  uint32_t constant(uint32_t id) const {
    const sp::Instruction* c = module_.def(sp::Id(id));
    return c == nullptr ? 0 : module_.word(*c, 3);
  }

  void members(uint32_t type, const std::string& name, uint32_t offset) {
    const sp::Instruction* t = module_.def(sp::Id(type));
    if (t == nullptr) return;
    switch (t->op()) {
      case spv::Op::OpTypeStruct:
        for (uint32_t m = 0; m + 2 < t->length; ++m) {
          const std::string own = names_[{type, m}];
          members(module_.word(*t, 2 + m), name.empty() ? own : name + "." + own,
                  offset + offsets_[{type, m}]);
        }
        break;
      case spv::Op::OpTypeArray:
        for (uint32_t e = 0; e < std::min(constant(module_.word(*t, 3)), 64u); ++e)
          members(module_.word(*t, 2), name + "[" + std::to_string(e) + "]", offset + e * strides_[type]);
        break;
      case spv::Op::OpTypeVector: {
        const sp::Instruction* c = module_.def(module_.idAt(*t, 2));
        if (c == nullptr) break;
        for (uint32_t e = 0; e < module_.word(*t, 3); ++e)
          scalar(*c, name + "." + "xyzw"[e & 3], offset + e * module_.word(*c, 2) / 8);
        break;
      }
      default: scalar(*t, name, offset); break;
    }
  }

  void scalar(const sp::Instruction& t, const std::string& name, uint32_t offset) {
    PushMember m;
    m.name = name;
    m.offset = offset;
    // Members that are not numbers are addresses of buffers.
    const bool number = t.op() == spv::Op::OpTypeInt || t.op() == spv::Op::OpTypeFloat;
    m.bytes = number ? module_.word(t, 2) / 8 : 8;
    m.isFloat = t.op() == spv::Op::OpTypeFloat;
    result_.push.push_back(m);
    result_.pushBytes = std::max(result_.pushBytes, offset + m.bytes);
  }

  const sp::Module& module_;
  Reflection& result_;
  std::map<Member, std::string> names_;
  std::map<uint32_t, std::string> objectNames_;
  std::map<uint32_t, uint32_t> specIds_;  // by constant
  uint32_t workgroupSize_ = 0;            // the vector
  uint32_t workgroupWidth_ = 0;           // the constant of dimension x
  std::map<Member, uint32_t> offsets_;
  std::map<uint32_t, uint32_t> bindings_, sets_, strides_;
  std::set<uint32_t> readOnly_;
  std::set<Member> readOnlyMembers_;
};

}  // namespace

std::string reflect(std::span<const uint32_t> words, Reflection& result) {
  sp::ReadError error;
  const std::optional<sp::Module> module = sp::readModule(words, error);
  if (!module) return "not a readable module";
  ReflectionReader(*module, result).read();
  return {};
}

}  // namespace coopc::tests::llama
