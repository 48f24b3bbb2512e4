// Each question is one walk over the module. The languages: GLSL 4.60 with its extensions, HLSL for shader
// model 6, the Metal Shading Language Specification (2.1 has its scalar types).
#include "translate/features.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/instructions.hpp"
#include "spirv/literal_operands.hpp"
#include "translate/block_layouts.hpp"

namespace coopc::translating {

namespace {

namespace op = spirv::op;
using spirv::as;
using spirv::Id;
using spirv::Instruction;

constexpr const char* kLanguageNames[] = {"GLSL", "HLSL", "MSL"};

// Types that SPIRV-Cross can name in some language.
bool isKnownType(spv::Op op) {
  switch (op) {
    case spv::Op::OpTypeVoid:
    case spv::Op::OpTypeBool:
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeSampledImage:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
    case spv::Op::OpTypeStruct:
    case spv::Op::OpTypePointer:
    case spv::Op::OpTypeFunction:
    case spv::Op::OpTypeForwardPointer:
    case spv::Op::OpTypeAccelerationStructureKHR:
    case spv::Op::OpTypeRayQueryKHR: return true;
    default: return false;
  }
}

// Whether the module has calls of debugPrintfEXT.
bool prints(const spirv::Module& m) {
  return std::any_of(m.instructions.begin(), m.instructions.begin() + m.functionsAt,
                     [&](const Instruction& i) {
                       return i.op() == spv::Op::OpExtInstImport &&
                              op::ExtInstImport(m, i).name() == "NonSemantic.DebugPrintf";
                     });
}

// "", or what is wrong with a floating-point type for the language.
std::string lackingFloat(const spirv::Module& m, const Instruction& type, ShadingLanguage language) {
  const std::string name = kLanguageNames[size_t(language)];
  const op::TypeFloat number(m, type);
  const std::optional<uint32_t> hasEncoding = number.floatingPointEncoding();
  if (!hasEncoding) {
    if (number.width() == 64 && language == ShadingLanguage::Msl)
      return "the module has 64-bit floats, which MSL does not have";
    return {};
  }
  const auto encoding = spv::FPEncoding(*hasEncoding);
  if (encoding == spv::FPEncoding::BFloat16KHR) {
    if (language != ShadingLanguage::Hlsl) return {};
    return "the module has bfloat16, which HLSL does not have";
  }
  if (encoding != spv::FPEncoding::Float8E4M3EXT && encoding != spv::FPEncoding::Float8E5M2EXT)
    return "the module has floats of an encoding that SPIRV-Cross does not support";
  return language == ShadingLanguage::Glsl ? ""
                                           : "the module has 8-bit floats, which " + name + " does not have";
}

// The type whose width requires an extension for subgroup operations in GLSL; "" for others.
const char* subgroupExtension(const spirv::Module& m, Id type) {
  const auto vector = as<op::TypeVector>(m, type);
  const Id scalar = vector ? vector.componentType() : type;
  const uint32_t bits = as<op::NumberType>(m, scalar).width();
  if (m.opOf(scalar) == spv::Op::OpTypeFloat)
    return bits == 16 ? "GL_EXT_shader_subgroup_extended_types_float16" : "";
  return bits == 8    ? "GL_EXT_shader_subgroup_extended_types_int8"
         : bits == 16 ? "GL_EXT_shader_subgroup_extended_types_int16"
         : bits == 64 ? "GL_EXT_shader_subgroup_extended_types_int64"
                      : "";
}

// The text as it stands between the quotes of a literal (GL_EXT_debug_printf, with the escapes of C).
std::string escape(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      case '\r': out += "\\r"; break;
      case '\a': out += "\\a"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\v': out += "\\v"; break;
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      default:
        if (uint8_t(c) >= 0x20 && c != 0x7F) {
          out += c;
        } else {  // three octal digits, so that none of the text is taken for one
          out += '\\';
          for (const int shift : {6, 3, 0}) out += char('0' + (uint8_t(c) >> shift & 7));
        }
    }
  }
  return out;
}

// For messages: names may be missing, positions are not.
std::string describe(const spirv::Module& m, const Block& block) {
  if (block.storage == spv::StorageClass::PushConstant) return "the push-constant block";
  uint32_t set = 0, binding = 0;
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const auto decorate = as<op::Decorate>(m, m.instructions[n]);
    if (!decorate || decorate.target() != block.variable) continue;
    if (decorate.decoration() == spv::Decoration::DescriptorSet) set = decorate.parameters()[0];
    if (decorate.decoration() == spv::Decoration::Binding) binding = decorate.parameters()[0];
  }
  return "the uniform block of set " + std::to_string(set) + ", binding " + std::to_string(binding);
}

// Whether `text` has `mark` with only white space before it on its line, as comments of SPIRV-Cross have.
// Sets the position after it.
size_t afterMark(const std::string& text, std::string_view mark) {
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    const size_t before = text.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    if (at == 0 || before == std::string::npos || text[before] == '\n') return at + mark.size();
  }
  return std::string::npos;
}

}  // namespace

std::string lacking(const spirv::Module& m, ShadingLanguage language) {
  if (language == ShadingLanguage::Hlsl && prints(m))
    return "the module has debugPrintfEXT, which HLSL does not have";
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const Instruction& i = m.instructions[n];
    if (const auto declared = as<op::Capability>(m, i);
        declared && declared.capability() == spirv::enums::CapabilityDescriptorHeapEXT)
      return "the module reads descriptor heaps, which SPIRV-Cross does not support";
    const spirv::OpInfo* info = spirv::opInfo(i.op());
    if (info == nullptr || !info->isType()) continue;
    if (!isKnownType(i.op()))
      return "the module has an " + std::string(spirv::opName(i.opcode)) +
             ", which SPIRV-Cross does not support";
    if (i.op() != spv::Op::OpTypeFloat) continue;
    if (std::string why = lackingFloat(m, i, language); !why.empty()) return why;
  }
  return {};
}

std::string findMisplacedConstants(const spirv::Module& m) {
  const BlockLayouts layouts(m);
  for (const Block& block : layouts.blocks()) {
    const bool constants =
        block.storage == spv::StorageClass::PushConstant || block.storage == spv::StorageClass::Uniform;
    if (!constants || layouts.isBufferBlock(block.type)) continue;
    if (!layouts.fits(block.type, Placement::HlslConstants, Offsets::Written))
      return "the members of " + describe(m, block) + " lie where no constant buffer of HLSL puts them";
  }
  return {};
}

std::vector<std::string> glslExtensions(const spirv::Module& m) {
  std::set<std::string> found;
  for (size_t n = m.functionsAt; n < m.instructions.size(); ++n) {
    const Instruction& i = m.instructions[n];
    const auto operation = as<op::GroupNonUniformOperation>(m, i);
    if (!operation) continue;
    // Votes and counts have their type in an operand; all others have it in the result.
    for (const Id type : {i.type, m.typeOf(operation.value())})
      if (const std::string_view extension = subgroupExtension(m, type); !extension.empty())
        found.emplace(extension);
  }
  return {found.begin(), found.end()};
}

std::vector<DeclaredLayout> glslLayouts(const spirv::Module& m, std::vector<std::string>& extensions) {
  constexpr const char* kNames[] = {"std140", "std430", "scalar"};
  const BlockLayouts layouts(m);
  std::vector<DeclaredLayout> found;
  bool scalar = false;
  for (const Block& block : layouts.blocks()) {
    const auto name = [&](Offsets offsets) -> const char* {
      const std::optional<Placement> placement = layouts.inGlsl(block, offsets);
      if (!placement) return nullptr;
      const bool uniform = block.storage == spv::StorageClass::Uniform && !layouts.isBufferBlock(block.type);
      scalar = scalar || *placement == Placement::Scalar || (uniform && *placement == Placement::Std430);
      return kNames[size_t(*placement)];
    };
    const bool variable = bool(block.variable);
    found.push_back({(variable ? block.variable : block.type).index(), variable, name(Offsets::Implied),
                     name(Offsets::Written)});
  }
  if (scalar) extensions.emplace_back("GL_EXT_scalar_block_layout");
  return found;
}

uint32_t metalVersion(const spirv::Module& m) {
  if (prints(m)) return 320;
  return m.declares(spv::Capability::BFloat16TypeKHR) ? 310 : 300;
}

void escapeStrings(spirv::Module& m) {
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    Instruction& i = m.instructions[n];
    if (i.op() != spv::Op::OpString) continue;
    const std::string_view text = op::String(m, i).string();
    const std::string literal = escape(text);
    if (literal == text) continue;
    const std::vector<spirv::Word> words = spirv::literalOperands(literal);
    if (words.size() + 2 > spirv::kMaxInstructionWords) continue;
    i = m.make(spv::Op::OpString, spirv::kNoId, i.result, words);
  }
}

std::string findUnfinished(const std::string& text) {
  if (const size_t at = afterMark(text, "// unimplemented op "); at != std::string::npos) {
    uint32_t opcode = 0;
    std::from_chars(text.data() + at, text.data() + text.size(), opcode);
    return "the module has an " + std::string(spirv::opName(opcode)) + ", which SPIRV-Cross does not support";
  }
  if (afterMark(text, "unknown_type ") != std::string::npos)
    return "the module has a type that SPIRV-Cross does not support";
  return {};
}

}  // namespace coopc::translating
