// The inputs for each of llama.cpp's shaders: sizes, strides and contents.
#include "tests/llama/inputs.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <string_view>

#include "harness/suite/known.hpp"
#include "tests/support/mutation.hpp"

namespace coopc::tests::llama {
namespace {

using coopc::harness::suite::matchesPattern;

// A shader's file ("" for all) and a member's name, both patterns, and the value. The first match is used.
// Sizes are powers of two, so that for divisions by multiplication (fastdiv in the shaders) the multiplier is
// 1 and the shift is the logarithm.
struct Rule {
  std::string_view file;
  std::string_view name;
  double value;
};

constexpr Rule kRules[] = {
    // Workgroups must not write to the same places, because then results would depend on their order.
    {"argsort_large.comp", "ncols", 100},
    {"argsort_large.comp", "ncols_padded", 128},
    {"argsort_large.comp", "ncols_padded_log2", 7},
    {"argsort_large.comp", "outer_end", 7},
    {"argsort_large.comp", "inner_end", 8},
    {"conv2d_mm.comp", "Cout", kConv2dRows},
    {"conv2d_mm.comp", "nb1", 16},
    {"conv2d_mm.comp", "nb2", 16 * 16},
    {"conv2d_mm.comp", "nb3", 16 * 16 * kConv2dRows},
    {"conv2d_mm.comp", "nb11", 16},
    {"conv2d_mm.comp", "nb12", 16 * 16},
    {"conv2d_mm.comp", "nb13", 16 * 16 * 16},
    {"conv3d_mm.comp", "OC", kConv3dRows},
    {"conv3d_mm.comp", "IC", 4},
    {"conv3d_mm.comp", "IW", 8},
    {"conv3d_mm.comp", "IH", 8},
    {"conv3d_mm.comp", "ID", 8},
    {"conv3d_mm.comp", "OW", 8},
    {"conv3d_mm.comp", "OH", 8},
    {"conv3d_mm.comp", "OD", 8},
    {"conv3d_mm.comp", "nb1", 8},
    {"conv3d_mm.comp", "nb2", 8 * 8},
    {"conv3d_mm.comp", "nb3", 8 * 8 * 8},
    {"conv3d_mm.comp", "nb11", 8},
    {"conv3d_mm.comp", "nb12", 8 * 8},
    {"conv3d_mm.comp", "nb13", 8 * 8 * 8},
    {"conv3d_mm.comp", "OWL", 3},
    {"conv3d_mm.comp", "OWOHL", 6},
    {"conv3d_mm.comp", "OWOHODL", 9},
    {"cumsum*", "n_cols", 256},
    {"cumsum*", "nb01", 256},
    {"cumsum*", "nb02", 4 * 256},
    {"cumsum*", "nb11", 256},
    {"cumsum*", "nb12", 4 * 256},
    {"dequant_q8_0.comp", "M", 64},
    {"dequant_q8_0.comp", "K", 4},
    {"dequant_q8_0.comp", "stride_a", 8},
    // Streams of up to 256 numbers, one after the other.
    {"dsv4_hc_*", "n_embd", 200},
    {"dsv4_hc_*", "nb?0", 1},
    {"dsv4_hc_comb.comp", "nbd1", 4},
    {"dsv4_hc_comb.comp", "nbd2", 16},
    {"dsv4_hc_comb.comp", "nbm1", 24},
    {"dsv4_hc_post.comp", "nbp1", 4},
    {"dsv4_hc_post.comp", "nbc1", 4},
    {"dsv4_hc_post.comp", "nbc2", 16},
    {"dsv4_hc_*", "nb?1", 256},
    {"dsv4_hc_*", "nb?2", 4 * 256},
    {"get_rows.comp", "ne10", 16},
    {"get_rows.comp", "nb22", 16 * 64},
    {"get_rows.comp", "nb23", 4 * 16 * 64},
    {"get_rows_quant.comp", "ne00", 256},
    {"get_rows_quant.comp", "ne10", 16},
    {"get_rows_quant.comp", "nb01", 8},
    {"get_rows_quant.comp", "nb02", 4 * 8},
    {"get_rows_quant.comp", "nb03", 4 * 4 * 8},
    {"get_rows_quant.comp", "nb21", 256},
    {"get_rows_quant.comp", "nb22", 16 * 256},
    {"get_rows_quant.comp", "nb23", 4 * 16 * 256},
    // Kernels of 3 x 3 x 3 on 4 x 4 x 4 numbers of 4 channels.
    {"im2col_3d.comp", "s?", 1},
    {"im2col_3d.comp", "p?", 1},
    {"im2col_3d.comp", "d?", 1},
    {"im2col_3d.comp", "I?", 4},
    {"im2col_3d.comp", "nb11", 4},
    {"im2col_3d.comp", "nb12", 4 * 4},
    {"im2col_3d.comp", "nb13", 4 * 4 * 4},
    {"im2col_3d.comp", "KW", 3},
    {"im2col_3d.comp", "KH_KW", 9},
    {"im2col_3d.comp", "KD_KH_KW", 27},
    {"im2col_3d.comp", "IC_KD_KH_KW", 4 * 27},
    {"im2col_3d.comp", "OH", 4},
    {"im2col_3d.comp", "OD_OH", 4 * 4},
    {"im2col_3d.comp", "N_OD_OH", 2 * 4 * 4},
    {"im2col_3d.comp", "OW_IC_KD_KH_KW", 4 * 4 * 27},
    {"im2col_3d.comp", "OH_OW_IC_KD_KH_KW", 4 * 4 * 4 * 27},
    {"im2col_3d.comp", "OD_OH_OW_IC_KD_KH_KW", 4 * 4 * 4 * 4 * 27},
    // Four rows of 64 for each index.
    {"rms_norm.comp", "nb21", 4 * 64},
    {"rms_norm.comp", "set_rows_stride", 4 * 64},
    {"rms_norm.comp", "rope_mode", 0},
    {"solve_tri.comp", "nb02", 64 * 64},
    {"solve_tri.comp", "nb12", 64 * 64},
    {"solve_tri.comp", "nb22", 64 * 64},
    // 4 sequences of 16 tokens, 2 heads of 16, 64 states. Strides are in bytes. The results are followed by
    // the states, and these by the states after some of the tokens.
    {"ssm_scan.comp", "n_head", 2},
    {"ssm_scan.comp", "d_head", 16},
    {"ssm_scan.comp", "n_group", 1},
    {"ssm_scan.comp", "n_tok", 16},
    {"ssm_scan.comp", "n_seq", 4},
    {"ssm_scan.comp", "K", 4},
    {"ssm_scan.comp", "s_off", 4 * 16 * 32 * 4},
    {"ssm_scan.comp", "nb02", 16 * 64 * 4},
    {"ssm_scan.comp", "nb03", 2 * 16 * 64 * 4},
    {"ssm_scan.comp", "nb12", 32 * 4},
    {"ssm_scan.comp", "nb13", 16 * 32 * 4},
    {"ssm_scan.comp", "nb21", 2 * 4},
    {"ssm_scan.comp", "nb22", 16 * 2 * 4},
    {"ssm_scan.comp", "nb31", 4},
    {"ssm_scan.comp", "nb?2", 64 * 4},
    {"ssm_scan.comp", "nb?3", 16 * 64 * 4},
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
    {"conv3d*", "OWOHODL", 12},
    {"conv*", "OWOHL", 8},
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

// Specialization constants. "local size" is the constant of the workgroup's size in x, whatever its name.
constexpr double kSubgroupSize = -1;  // the device's
constexpr double kSubgroupSizeLog2 = -2;
constexpr double kSubgroups = -3;  // in a workgroup of kLocalSize
constexpr uint32_t kLocalSize = 64;
constexpr Rule kConstants[] = {
    // Workgroups as wide as a subgroup.
    {"gated_delta_net.comp", "local size", kSubgroupSize},
    {"gated_delta_net.comp", "LANES_PER_COLUMN", kSubgroupSize},
    {"topk_moe.comp", "local size", kSubgroupSize},
    {"dsv4_hc_comb.comp", "local size", kSubgroupSize},
    {"fwht.comp", "local size", kSubgroupSize},
    {"", "local size", kLocalSize},
    {"", "SUBGROUP_SIZE", kSubgroupSize},
    {"", "subgroup_size", kSubgroupSize},
    {"", "SubGroupSize", kSubgroupSize},
    {"", "WARPSIZE", kSubgroupSize},
    {"", "SUBGROUP_SIZE_LOG2", kSubgroupSizeLog2},
    {"", "NUM_SUBGROUPS", kSubgroups},
    {"", "NCOLS_PADDED_LOG2", 6},
};

double resolveValue(double value, const Target& target) {
  if (value == kSubgroupSize) return target.subgroupSize;
  if (value == kSubgroupSizeLog2) return std::bit_width(target.subgroupSize) - 1;
  if (value == kSubgroups) return kLocalSize / target.subgroupSize;
  return value;
}

constexpr double kInteger = 16;
constexpr double kFloat = 0.5;

const Rule* ruleFor(std::span<const Rule> rules, const std::string& file, const std::string& name) {
  for (const Rule& rule : rules)
    if ((rule.file.empty() || matchesPattern(rule.file, file)) && matchesPattern(rule.name, name))
      return &rule;
  return nullptr;
}

const double* valueIn(const Setting& setting, const std::string& name) {
  for (const auto& [own, value] : setting.values)
    if (own == name) return &value;
  return nullptr;
}

double valueOf(const Subject& subject, const Setting& setting, const PushMember& member) {
  // The member's name is the last part of "pc.ne00", without indices.
  std::string name = member.name.substr(member.name.rfind('.') + 1);
  name = name.substr(0, name.find('['));
  if (const double* own = valueIn(setting, name)) return *own;
  const Rule* rule = ruleFor(kRules, subject.file, name);
  return rule != nullptr ? rule->value : member.isFloat ? kFloat : kInteger;
}

template <typename T>
void put(std::vector<uint8_t>& bytes, size_t at, T value) {
  if (at + sizeof value <= bytes.size()) std::memcpy(bytes.data() + at, &value, sizeof value);
}

// The number eighths / 8, in [-4, 4], as a 16-bit float.
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

// Whether the buffer has indices of rows that the shader writes. Any four consecutive ones must differ.
bool indexesWrittenRows(const Subject& subject, const BoundBuffer& buffer) {
  const bool integers = buffer.element == Element::I32 || buffer.element == Element::I64;
  return integers && !buffer.written &&
         (subject.file == "rms_norm.comp" ||
          (subject.file == "copy_to_quant.comp" && subject.name.find("set_rows") != std::string::npos));
}

void fillRowIndices(std::vector<uint8_t>& bytes, size_t step) {
  std::fill(bytes.begin(), bytes.end(), uint8_t{0});
  for (size_t at = 0; at < bytes.size(); at += step)
    put(bytes, at, static_cast<uint32_t>((at / step * 3 + 1) % 4));
}

// Lower triangles of 64 x 64 whose solutions are exact sums. The diagonal, the elements below it, and the
// first column are 1 or -1.
void fillTriangles(std::vector<uint8_t>& bytes, Random& random) {
  for (size_t at = 0; at < bytes.size(); at += 4) {
    const size_t row = at / 4 / 64 % 64, column = at / 4 % 64;
    const float sign = random.below(2) != 0 ? 1.0f : -1.0f;
    put(bytes, at, column == row || column + 1 == row || (column == 0 && row % 8 == 7) ? sign : 0.0f);
  }
}

// The rows of a matrix-matrix product with experts: row i of the list of ids belongs to expert id[i].
constexpr uint32_t kIdsBinding = 3;
constexpr uint32_t kCountsBinding = 4;
constexpr uint32_t kExperts = 4;
constexpr size_t kIds = 256;

}  // namespace

std::vector<uint8_t> pushConstants(const Subject& subject, const Reflection& reflection,
                                   const Setting& setting) {
  std::vector<uint8_t> bytes(reflection.pushBytes);
  for (const PushMember& member : reflection.push) {
    const double value = valueOf(subject, setting, member);
    if (member.isFloat) {
      put(bytes, member.offset, static_cast<float>(value));
    } else if (member.bytes == 4) {
      put(bytes, member.offset, static_cast<uint32_t>(static_cast<int64_t>(value)));
    }
  }
  return bytes;
}

std::vector<uint8_t> contents(const Subject& subject, const BoundBuffer& buffer) {
  // Logarithms and roots need positive numbers.
  const bool positive = subject.file == "log.comp" || subject.name.starts_with("sqrt");
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
      // Bytes are arbitrary, except that numbers of 16 or 32 bits have a moderate size, because they can be
      // the scales of quantized blocks.
      for (size_t at = 0; at < bytes.size(); at += 2) {
        const auto high = static_cast<uint32_t>(0x2C + random.below(0x40 - 0x2C)) | (random.below(2) << 7);
        put(bytes, at, static_cast<uint16_t>(high << 8 | random.below(256)));
      }
      // Scales in bytes would have any exponent, so these get a moderate one.
      if (buffer.binding == 0 && subject.name.find("mxfp4") != std::string::npos)
        for (size_t at = 0; at < bytes.size(); at += 17)
          bytes[at] = static_cast<uint8_t>(122 + random.below(6));
      if (buffer.binding == 0 && subject.name.find("nvfp4") != std::string::npos)
        for (size_t at = 0; at < bytes.size(); ++at)
          if (at % 36 < 4) bytes[at] = static_cast<uint8_t>(0x30 + random.below(16));
      break;
  }
  if (matchesPattern("mul_mm*", subject.file) && buffer.binding == kCountsBinding &&
      buffer.element == Element::I32) {
    // The number of ids that name each expert.
    BoundBuffer ids = buffer;
    ids.binding = kIdsBinding;
    const std::vector<uint8_t> list = contents(subject, ids);
    uint32_t counts[kExperts] = {};
    for (size_t i = 0; i < kIds; ++i) ++counts[list[4 * i] % kExperts];
    std::fill(bytes.begin(), bytes.end(), uint8_t{0});
    for (size_t i = 0; i < kExperts; ++i) put(bytes, 4 * i, counts[i]);
  }
  // Indices have 64 bits, except in the variants for 32.
  if (indexesWrittenRows(subject, buffer))
    fillRowIndices(bytes, subject.name.find("_i32") != std::string::npos ? 4 : 8);
  if (subject.file == "solve_tri.comp" && buffer.binding == 0) fillTriangles(bytes, random);
  // These factors are negative, so that states decay.
  if (subject.file == "ssm_scan.comp" && buffer.binding == 3)
    for (size_t at = 3; at < bytes.size(); at += 4) bytes[at] |= 0x80;
  return bytes;
}

std::vector<coopc::vk::Specialization> specializations(const Subject& subject, const Reflection& reflection,
                                                       const Target& target, const Setting& setting) {
  std::vector<coopc::vk::Specialization> list;
  for (const SpecConstant& constant : reflection.specConstants) {
    const std::string name = constant.localSize ? "local size" : constant.name;
    const double* own = valueIn(setting, name);
    const Rule* rule = own == nullptr ? ruleFor(kConstants, subject.file, name) : nullptr;
    if (own == nullptr && rule == nullptr) continue;
    const double value = own != nullptr ? *own : resolveValue(rule->value, target);
    list.push_back({constant.id, static_cast<uint64_t>(value), 4});
  }
  return list;
}

}  // namespace coopc::tests::llama
