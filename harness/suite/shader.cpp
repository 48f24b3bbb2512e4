// Numbers that are specialization or push constants get other defaults than their values, so that a compiler
// that uses the default shows.
#include "harness/suite/shader.hpp"

#include <cstring>

#include "harness/fill.hpp"

namespace coopc::harness::suite {

std::string_view glslName(NumberType type) {
  switch (type) {
    case NumberType::F16: return "float16_t";
    case NumberType::BF16: return "bfloat16_t";
    case NumberType::F32: return "float";
    case NumberType::F64: return "double";
    case NumberType::E4M3: return "floate4m3_t";
    case NumberType::E5M2: return "floate5m2_t";
    case NumberType::S8: return "int8_t";
    case NumberType::S16: return "int16_t";
    case NumberType::S32: return "int";
    case NumberType::S64: return "int64_t";
    case NumberType::U8: return "uint8_t";
    case NumberType::U16: return "uint16_t";
    case NumberType::U32: return "uint";
    case NumberType::U64: return "uint64_t";
  }
  return "";
}

std::string_view useName(Use use) { return use == Use::A ? "a" : use == Use::B ? "b" : "acc"; }
std::string_view memoryName(Memory m) {
  return m == Memory::Buffer ? "buffer" : m == Memory::Reference ? "reference" : "shared";
}
std::string_view givenName(Given g) {
  return g == Given::Literal ? "literal" : g == Given::Specialization ? "spec" : "push";
}

namespace {

// The size of an element type that arrays in shared memory can have.
size_t bytesOf(std::string_view element) {
  for (const NumberType t : {NumberType::F16, NumberType::BF16, NumberType::F32, NumberType::S8,
                             NumberType::U8, NumberType::S32, NumberType::U32, NumberType::U16}) {
    if (glslName(t) == element) return byteSize(t);
  }
  return element == "uvec4" ? 16 : 8;  // uvec2, u16vec4
}

}  // namespace

std::string Shader::number(int64_t value, bool isSigned) {
  if (given_ != Given::PushConstant) return constant(value, isSigned);
  for (const Constant& c : pushed_) {
    if (c.value == value && c.isSigned == isSigned) return c.name;
  }
  // Every device has 128 bytes of push constants; references take some of them.
  if (pushed_.size() >= 20) return constant(value, isSigned);
  pushed_.push_back({"p" + std::to_string(pushed_.size()), value, isSigned});
  return pushed_.back().name;
}

std::string Shader::constant(int64_t value, bool isSigned) {
  if (given_ == Given::Literal) {
    return isSigned ? std::to_string(value) : std::to_string(static_cast<uint32_t>(value)) + "u";
  }
  for (const Constant& c : constants_) {
    if (c.value == value && c.isSigned == isSigned) return c.name;
  }
  constants_.push_back({"K" + std::to_string(constants_.size()), value, isSigned});
  return constants_.back().name;
}

std::string Shader::matrix(const ShaderMatrix& type) {
  if (type.type == NumberType::BF16) bfloat_ = true;
  std::string text = "coopmat<";
  text += glslName(type.type);
  text += type.scope == Scope::Workgroup ? ", gl_ScopeWorkgroup, " : ", gl_ScopeSubgroup, ";
  text += constant(type.rows) + ", " + constant(type.columns) + ", ";
  text += type.use == Use::A   ? "gl_MatrixUseA>"
          : type.use == Use::B ? "gl_MatrixUseB>"
                               : "gl_MatrixUseAccumulator>";
  return text;
}

void Shader::note(const std::string& text) {
  if (text.find("bfloat16_t") != std::string::npos) bfloat_ = true;
}

std::string Shader::buffer(const std::string& element, Memory memory, std::vector<uint8_t> contents,
                           bool output) {
  note(element);
  if (memory == Memory::Reference) references_ = true;
  const std::string index = std::to_string(arrays_.size());
  arrays_.push_back({element, memory, 0, output});
  contents_.push_back(std::move(contents));
  return memory == Memory::Shared ? "s" + index : "b" + index + ".x";
}

Program Shader::finish() {
  Program program;
  note(types_ + globals_ + body_);
  std::string& text = program.source;
  text =
      "#version 460\n"
      "#extension GL_KHR_cooperative_matrix : require\n";
  if (nv2_) text += "#extension GL_NV_cooperative_matrix2 : require\n";
  if (references_) text += "#extension GL_EXT_buffer_reference : require\n";
  if (subgroups_) text += "#extension GL_KHR_shader_subgroup_basic : require\n";
  if (bfloat_) text += "#extension GL_EXT_bfloat16 : require\n";
  text +=
      "#extension GL_EXT_shader_explicit_arithmetic_types : require\n"
      "#extension GL_EXT_shader_8bit_storage : require\n"
      "#extension GL_EXT_shader_16bit_storage : require\n"
      "#extension GL_KHR_memory_scope_semantics : require\n"
      "\n";
  uint32_t id = 0;
  for (const Constant& c : constants_) {
    text += "layout(constant_id = " + std::to_string(id) + ") const " + (c.isSigned ? "int " : "uint ") +
            c.name + " = " + (c.isSigned ? "1" : "16u") + ";\n";
    program.specializations.push_back({id, static_cast<uint32_t>(c.value), 4});
    ++id;
  }
  if (given_ == Given::Literal) {
    text += "layout(local_size_x = " + std::to_string(invocations_) + ") in;\n";
  } else {
    text += "layout(local_size_x_id = " + std::to_string(id) + ", local_size_y = 1, local_size_z = 1) in;\n";
    program.specializations.push_back({id, invocations_, 4});
  }

  text += types_;
  std::string members;
  std::string before;
  std::string after;
  uint32_t offset = 0;
  for (size_t i = 0; i < arrays_.size(); ++i) {
    const Array& array = arrays_[i];
    const std::string n = std::to_string(i);
    if (array.memory == Memory::Reference) {
      text += "layout(buffer_reference, std430, buffer_reference_align = 16) buffer R" + n + " { " +
              array.element + " x[]; };\n";
      members += "  R" + n + " b" + n + ";\n";
      program.addresses.push_back({offset, static_cast<uint32_t>(i)});
      offset += 8;
      continue;
    }
    text += "layout(set = 0, binding = " + n + ", std430) buffer B" + n + " { " + array.element +
            " x[]; } b" + n + ";\n";
    if (array.memory != Memory::Shared) continue;
    const std::string count = std::to_string(contents_[i].size() / bytesOf(array.element)) + "u";
    text += "shared " + array.element + " s" + n + "[" + count + "];\n";
    const std::string loop =
        "  for (uint i = gl_LocalInvocationIndex; i < " + count + "; i += gl_WorkGroupSize.x) ";
    before += loop + "s" + n + "[i] = b" + n + ".x[i];\n";
    if (array.output) after += loop + "b" + n + ".x[i] = s" + n + "[i];\n";
  }
  for (const Constant& c : pushed_) {
    members += std::string("  ") + (c.isSigned ? "int " : "uint ") + c.name + ";\n";
  }
  if (!members.empty()) text += "layout(push_constant) uniform Parameters {\n" + members + "};\n";
  program.pushConstants.resize(offset + 4 * pushed_.size());
  for (const Constant& c : pushed_) {
    const auto bits = static_cast<uint32_t>(c.value);
    std::memcpy(program.pushConstants.data() + offset, &bits, 4);
    offset += 4;
  }
  text += globals_ + "\nvoid main() {\n";
  if (!before.empty()) text += before + "  barrier();\n";
  text += body_;
  if (!after.empty()) text += "  barrier();\n" + after;
  text += "}\n";
  program.buffers = std::move(contents_);
  program.invocations = invocations_;
  return program;
}

std::vector<uint8_t> poison(NumberType type, uint64_t count) {
  return std::vector<uint8_t>(count * byteSize(type), kPoisonByte);
}

int64_t datum(NumberType type, uint64_t place, uint64_t seed) {
  const uint64_t h = hash(seed, place) >> 8;
  switch (type) {
    case NumberType::U8: return static_cast<int64_t>(h % 251);
    case NumberType::S8:
    case NumberType::BF16: return static_cast<int64_t>(h % 251) - 125;
    case NumberType::F16: return static_cast<int64_t>(h % 4001) - 2000;
    case NumberType::U32: return static_cast<int64_t>(h % 2000000011);
    default: return static_cast<int64_t>(h % 16000001) - 8000000;
  }
}

uint64_t bitsOf(NumberType type, int64_t value) {
  return isFloat(type) ? fromDouble(type, static_cast<double>(value)) : fromInt64(type, value);
}

std::vector<uint8_t> dataOf(NumberType type, uint64_t count, uint64_t seed) {
  std::vector<uint8_t> bytes(count * byteSize(type));
  for (uint64_t i = 0; i < count; ++i) storeBits(type, bytes.data(), i, bitsOf(type, datum(type, i, seed)));
  return bytes;
}

Expected keepAll(uint32_t buffer, NumberType type, uint64_t count) {
  Expected expected;
  expected.buffer = buffer;
  expected.type = type;
  expected.bits.assign(count, 0);
  expected.kinds.assign(count, Expected::kKeep);
  return expected;
}

}  // namespace coopc::harness::suite
