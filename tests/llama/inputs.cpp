#include "tests/llama/inputs.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "tests/support/mutation.hpp"

namespace coopc::tests::llama {
namespace {

// A shader's file ("" for all) and a member's name, where * at either end stands for any text, and the value. The first that
// fits is taken. Sizes are powers of two, so that the multiplier of a division by multiplication is 1 and its shift the
// logarithm (fastdiv in the shaders).
struct Rule {
  std::string_view file;
  std::string_view name;
  double value;
};

constexpr Rule kRules[] = {
    {"cumsum*", "n_cols", 256},
    {"flash_attn.comp", "N", 4},
    {"flash_attn.comp", "KV", 64},
    {"flash_attn.comp", "split_kv", 64},
    {"flash_attn.comp", "ne1", 4},
    {"flash_attn.comp", "ne2", 4},
    {"flash_attn.comp", "ne3", 1},
    {"flash_attn.comp", "neq3", 1},
    {"flash_attn.comp", "nek3", 1},
    {"flash_attn.comp", "nev3", 1},
    {"flash_attn.comp", "ne*", 4},
    {"flash_attn.comp", "gqa_ratio", 1},
    {"flash_attn.comp", "k_num", 1},
    {"flash_attn.comp", "max_bias", 0},
    {"dequant_*", "nel", 8192},
    {"dequant_*", "K", 64},
    {"mul_mat_vec*", "ncols*", 512},
    {"mul_mat_vec*", "stride_a", 512},
    {"mul_mat_vec*", "stride_b", 512},
    {"mul_mat_vec*", "row_stride_x", 512},
    {"mul_mat_vec*", "channel_stride*", 8192},
    {"mul_mat_vec*", "batch_stride_*", 8192},
    {"mul_mat_vec*", "nrows_x", 16},
    {"mul_mat_vec*", "nchannels_*", 2},
    {"mul_m*", "k_split", 256},
    {"mul_m*", "M", 64},
    {"mul_m*", "N", 64},
    {"mul_m*", "K", 256},
    {"mul_m*", "stride_a", 256},
    {"mul_m*", "stride_b", 256},
    {"mul_m*", "batch_stride_*", 16384},
    {"mul_m*", "num_batches", 1},
    {"mul_mat_split_k_reduce.comp", "ne", 512},
    {"", "broadcast*", 1},
    {"", "base_work_group*", 0},
    {"", "fusion_flags", 0},
    {"", "channel_x_divisor", 1},
    {"", "expert_i1", 0},
    {"", "hoist_row_ids", 0},
    {"", "n_experts", 4},
    {"argsort*", "ncols*", 64},
    {"argsort*", "ncols_padded_log2", 6},
    {"", "order", 0},
    {"", "outer_start", 0},
    {"", "inner_start", 0},
    {"", "outer_end", 6},
    {"", "inner_end", 6},
    {"topk_*", "*ncols*", 64},
    {"topk_*", "k", 8},
    {"", "*first_pass", 1},
    {"", "*last_pass", 1},
    {"pool*", "op", 0},
    {"", "has_sinks", 0},
    {"", "sinks", 0},
    {"", "n_head_log2", 2},
    {"wkv*", "B", 1},
    {"wkv*", "C", 128},
    {"wkv*", "H", 2},
    {"gla.comp", "B", 1},
    {"gla.comp", "C", 128},
    {"gla.comp", "H", 2},
    {"", "KX", 64},
    {"", "KY", 4},
    {"", "N", 64},
    {"conv*", "N", 2},
    {"conv*", "*L", 4},
    // Tensors of 64 x 4 x 2 x 1, densely packed.
    {"", "*Ls", 0x060809},
    {"", "*_012L", 9},
    {"", "*_01L", 8},
    {"", "*_0L", 6},
    {"", "*_12L", 3},
    {"", "*_1L", 2},
    {"", "*mp", 1},
    {"", "ne", 512},
    {"", "nb00", 1},
    {"", "nb10", 1},
    {"", "nb20", 1},
    {"", "nb01", 64},
    {"", "nb11", 64},
    {"", "nb21", 64},
    {"", "nb02", 256},
    {"", "nb12", 256},
    {"", "nb22", 256},
    {"", "nb03", 512},
    {"", "nb13", 512},
    {"", "nb23", 512},
    {"", "*nb1", 64},
    {"", "*nb2", 256},
    {"", "*nb3", 512},
    {"", "ne00", 64},
    {"", "ne10", 64},
    {"", "ne20", 64},
    {"", "ne01", 4},
    {"", "ne11", 4},
    {"", "ne21", 4},
    {"", "ne02", 2},
    {"", "ne12", 2},
    {"", "ne22", 2},
    {"", "ne03", 1},
    {"", "ne13", 1},
    {"", "ne23", 1},
    {"", "*offset*", 0},
    {"", "*_off", 0},
    {"", "*stride*", 64},
};

// Specialization constants. "local size" is that of dimension x, whatever its name. lavapipe's subgroups have 8 invocations.
constexpr Rule kConstants[] = {
    {"mul_mm.comp", "local size", 128},
    {"mul_mmq.comp", "local size", 128},
    {"conv2d_mm.comp", "local size", 256},
    {"conv3d_mm.comp", "local size", 256},
    {"flash_attn.comp", "local size", 128},
    {"flash_attn.comp", "HSK", 64},
    {"flash_attn.comp", "HSV", 64},
    {"flash_attn.comp", "D_split", 8},
    {"", "local size", 64},
    {"", "SUBGROUP_SIZE", 8},
    {"", "subgroup_size", 8},
    {"", "SubGroupSize", 8},
    {"", "SUBGROUP_SIZE_LOG2", 3},
    {"", "NUM_SUBGROUPS", 8},
    {"", "NCOLS_PADDED_LOG2", 6},
};

constexpr double kInteger = 16;
constexpr double kFloat = 0.5;

bool fits(std::string_view pattern, std::string_view text) {
  if (pattern.size() > 1 && pattern.front() == '*' && pattern.back() == '*')
    return text.find(pattern.substr(1, pattern.size() - 2)) != std::string_view::npos;
  if (!pattern.empty() && pattern.front() == '*') return text.ends_with(pattern.substr(1));
  if (!pattern.empty() && pattern.back() == '*')
    return text.starts_with(pattern.substr(0, pattern.size() - 1));
  return pattern == text;
}

const Rule* ruleFor(std::span<const Rule> rules, const std::string& file, const std::string& name) {
  for (const Rule& rule : rules)
    if ((rule.file.empty() || fits(rule.file, file)) && fits(rule.name, name)) return &rule;
  return nullptr;
}

double valueOf(const std::string& file, const PushMember& member) {
  // The last part of "pc.ne00", without indices.
  std::string name = member.name.substr(member.name.rfind('.') + 1);
  name = name.substr(0, name.find('['));
  const Rule* rule = ruleFor(kRules, file, name);
  return rule != nullptr ? rule->value : member.isFloat ? kFloat : kInteger;
}

template <typename T>
void put(std::vector<uint8_t>& bytes, size_t at, T value) {
  if (at + sizeof value <= bytes.size()) std::memcpy(bytes.data() + at, &value, sizeof value);
}

// Of a multiple of 1/8 in [-4, 4].
uint16_t half(int eighths) {
  if (eighths == 0) return 0;
  const uint32_t magnitude = static_cast<uint32_t>(std::abs(eighths));
  uint32_t exponent = 15 - 3;
  uint32_t mantissa = magnitude;
  while (mantissa >= 2) {
    mantissa >>= 1;
    ++exponent;
  }
  const uint32_t fraction = (magnitude << 10 >> (exponent - 12)) & 0x3FF;
  return static_cast<uint16_t>((eighths < 0 ? 0x8000 : 0) | exponent << 10 | fraction);
}

}  // namespace

std::vector<uint8_t> pushConstants(const std::string& file, const Reflection& reflection) {
  std::vector<uint8_t> bytes(reflection.pushBytes);
  for (const PushMember& member : reflection.push) {
    const double value = valueOf(file, member);
    if (member.isFloat) {
      put(bytes, member.offset, static_cast<float>(value));
    } else if (member.bytes == 4) {
      put(bytes, member.offset, static_cast<uint32_t>(static_cast<int64_t>(value)));
    }
  }
  return bytes;
}

std::vector<uint8_t> contents(const std::string& file, const BoundBuffer& buffer) {
  // Logarithms and roots of positive numbers.
  const bool positive = file == "log.comp";
  Random random(buffer.set * 100u + buffer.binding + 1);
  std::vector<uint8_t> bytes(kBufferBytes);
  const auto eighths = [&] { return static_cast<int>(random.below(65)) - (positive ? 0 : 32); };
  switch (buffer.element) {
    case Element::F32:
      for (size_t at = 0; at < bytes.size(); at += 4) put(bytes, at, static_cast<float>(eighths()) / 8.0f);
      break;
    case Element::F64:
      for (size_t at = 0; at < bytes.size(); at += 8) put(bytes, at, static_cast<double>(eighths()) / 8.0);
      break;
    case Element::F16:
      for (size_t at = 0; at < bytes.size(); at += 2) put(bytes, at, half(eighths()));
      break;
    case Element::I32:
      for (size_t at = 0; at < bytes.size(); at += 4) put(bytes, at, static_cast<uint32_t>(random.below(4)));
      break;
    case Element::I64:
      for (size_t at = 0; at < bytes.size(); at += 8) put(bytes, at, static_cast<uint64_t>(random.below(4)));
      break;
    case Element::Packed:
      // Any byte, but as numbers of 16 or 32 bits of modest size: the scales of quantized blocks are such.
      for (size_t at = 0; at < bytes.size(); at += 2) {
        const auto high = static_cast<uint32_t>(0x2C + random.below(0x40 - 0x2C)) | (random.below(2) << 7);
        put(bytes, at, static_cast<uint16_t>(high << 8 | random.below(256)));
      }
      break;
  }
  return bytes;
}

std::array<uint32_t, 3> groups(const std::string& file) {
  (void)file;
  return {4, 4, 2};
}

std::vector<coopc::harness::Specialization> specializations(const std::string& file,
                                                            const Reflection& reflection) {
  std::vector<coopc::harness::Specialization> list;
  for (const SpecConstant& constant : reflection.specConstants) {
    const Rule* rule = ruleFor(kConstants, file, constant.localSize ? "local size" : constant.name);
    if (rule != nullptr) list.push_back({constant.id, static_cast<uint64_t>(rule->value), 4});
  }
  return list;
}

}  // namespace coopc::tests::llama
