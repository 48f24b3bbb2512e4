// The settings with which llama.cpp's host code makes pipelines of its matrix shaders, for small products:
// tile sizes, quantized types and alignments (ggml-vulkan.cpp: ggml_vk_load_shaders, get_fa_tuning_params_*,
// get_fa_spec_constants).
#include <algorithm>
#include <string_view>

#include "tests/llama/inputs.hpp"

namespace coopc::tests::llama {
namespace {

using coopc::NumberType;
using coopc::spirv::MatrixShape;
using Values = std::vector<std::pair<std::string, double>>;

// A quantized type: its number in the shaders, the numbers in a block, and the block's bytes.
struct QuantizedType {
  const char* name;
  uint32_t id;
  uint32_t elements;
  uint32_t bytes;
};

// For products whose type is a specialization constant. mul_mm_cm2.comp does not accept types from q4_K on.
constexpr QuantizedType kProductTypes[] = {
    {"q4_0", 2, 32, 18},    {"q8_0", 8, 32, 34},    {"q6_K", 14, 256, 210}, {"q2_K", 10, 256, 84},
    {"q5_1", 7, 32, 24},    {"q4_1", 3, 32, 20},    {"q5_0", 6, 32, 22},    {"q3_K", 11, 256, 110},
    {"q1_0", 41, 128, 18},  {"q2_0", 42, 64, 18},   {"tq1_0", 34, 256, 54}, {"tq2_0", 35, 256, 66},
    {"q4_K", 12, 256, 144}, {"q5_K", 13, 256, 176},
};
constexpr size_t kTypesOfNvProducts = 12;

constexpr QuantizedType kF16 = {"f16", 1, 1, 2};
constexpr QuantizedType kBF16 = {"bf16", 30, 1, 2};
constexpr QuantizedType kAttentionTypes[] = {
    {"q8_0", 8, 32, 34}, {"q4_0", 2, 32, 18}, {"iq4_nl", 20, 32, 18}};

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

bool hasConstant(const Reflection& reflection, std::string_view name) {
  return std::any_of(reflection.specConstants.begin(), reflection.specConstants.end(),
                     [&](const SpecConstant& c) { return c.name == name; });
}

uint32_t parts(uint32_t whole, uint32_t part) { return (whole + part - 1) / part; }

NumberType inputType(const Subject& subject) {
  return contains(subject.name, "bf16") ? NumberType::BF16 : NumberType::F16;
}

NumberType sumType(const Subject& subject) {
  return contains(subject.name, "f16acc") ? NumberType::F16 : NumberType::F32;
}

MatrixShape shape(const Subject& subject, bool workgroup, uint32_t m, uint32_t n, uint32_t k) {
  return {m, n, k, inputType(subject), inputType(subject), sumType(subject), sumType(subject), workgroup};
}

// --- matrix products: mul_mm.comp, mul_mmq.comp, mul_mm_cm2.comp

struct Product {
  uint32_t m = 128;
  uint32_t n = 128;
  uint32_t k = 256;
  bool aligned = true;
};

constexpr Product kAligned;
constexpr Product kUnaligned{100, 72, 256, false};

// Two products at once. With experts, 256 rows, each of which belongs to one of the experts.
Setting product(const Subject& subject, const Product& size, const std::string& name, Values tiles,
                uint32_t bm, uint32_t bn) {
  constexpr uint32_t kStride = 256;  // of A and B
  constexpr uint32_t kRows = 128;    // of D, and those for which A and B have room
  const bool experts = contains(subject.name, "_id_");
  Setting s;
  s.name = name;
  s.values = std::move(tiles);
  const Values common = {{"M", size.m},
                         {"N", size.n},
                         {"K", size.k},
                         {"stride_a", kStride},
                         {"stride_b", kStride},
                         {"stride_d", kRows},
                         {"batch_stride_a", kStride * kRows},
                         {"ALIGNED", size.aligned ? 1 : 0}};
  s.values.insert(s.values.end(), common.begin(), common.end());
  Values own;
  if (experts) {
    // Row i of B and D is row i % 16 of matrix i / 16, of 16 matrices.
    own = {{"nei0", 16},
           {"nei1", 16},
           {"nbi1", 16},
           {"ne11", 16},
           {"batch_stride_b", 16 * kStride},
           {"batch_stride_d", 16 * kRows},
           {"n_experts", 4},
           {"hoist_row_ids", 0}};
    s.groups = {parts(size.m, bm), parts(kRows, bn), 2};
  } else {
    own = {{"batch_stride_b", kStride * kRows},
           {"batch_stride_d", kRows * kRows},
           {"num_batches", 2},
           {"base_work_group_z", 0},
           {"k_split", size.k},
           {"ne02", 2},
           {"ne12", 2},
           {"broadcast2", 1},
           {"broadcast3", 1},
           {"padded_N", size.n}};
    s.groups = {parts(size.m, bm), parts(size.n, bn), 2};
  }
  s.values.insert(s.values.end(), own.begin(), own.end());
  return s;
}

enum class Tiles { Small, Medium, Large };

Setting tiledProduct(const Subject& subject, const Target& target, Tiles tiles, const Product& size,
                     const std::string& name, bool quantized) {
  const bool matrices = subject.khrMatrices();
  const bool integers = subject.file == "mul_mmq.comp";
  // Types of blocks of 256 numbers.
  const bool large = contains(subject.name, "_k_") || contains(subject.name, "iq3_s_");
  const uint32_t warp = std::max(target.subgroupSize, 8u);
  const uint32_t matrix = target.matrixSize;
  uint32_t block = 128, side = 64, wm = warp, wn = 32, tm = 4, tn = 2;
  switch (tiles) {
    case Tiles::Small:
      block = std::max(target.subgroupSize, 32u);
      side = 32;
      wm = target.subgroupSize == 8 ? 8 : 32;
      tm = 2;
      tn = integers ? 1 : 2;
      break;
    case Tiles::Medium: tm = integers ? 2 : 4; break;
    case Tiles::Large:
      side = 128;
      wm = 2 * warp;
      wn = 64;
      tn = 4;
      break;
  }
  Values values = {{"local size", block},
                   {"BM", side},
                   {"BN", side},
                   {"BK", quantized ? 32 : 16},
                   {"WM", wm},
                   {"WN", wn},
                   {"WMITER", integers && large ? 1 : 2},
                   {"TM", matrices ? matrix : tm},
                   {"TN", matrices ? matrix : tn},
                   {"TK", matrices ? matrix : 1},
                   {"WARP", warp}};
  Setting s = product(subject, size, name, std::move(values), side, side);
  if (matrices) s.matrices.push_back(shape(subject, false, matrix, matrix, matrix));
  return s;
}

bool isQuantized(const Reflection& reflection) {
  return std::any_of(reflection.buffers.begin(), reflection.buffers.end(), [](const BoundBuffer& b) {
    return b.set == 0 && b.binding == 0 && b.element == Element::Packed;
  });
}

// Calls `add` for each quantized type that a constant selects, or once if no constant selects the type.
template <typename Add>
void forEachType(const Reflection& reflection, size_t types, const Add& add) {
  if (!hasConstant(reflection, "MmTypeA")) {
    add(std::string(), Values());
    return;
  }
  for (size_t i = 0; i < types; ++i) {
    const QuantizedType& t = kProductTypes[i];
    add(std::string(t.name), Values{{"MmTypeA", t.id}, {"MmABlockBytes", t.bytes}});
  }
}

std::string joinType(const std::string& type, const char* rest) {
  return type.empty() ? rest : type + "-" + rest;
}

std::vector<Setting> products(const Subject& subject, const Reflection& reflection, const Target& target) {
  std::vector<Setting> list;
  const bool quantized = isQuantized(reflection) || hasConstant(reflection, "MmTypeA");
  forEachType(reflection, std::size(kProductTypes), [&](const std::string& type, const Values& values) {
    const auto add = [&](Tiles tiles, const Product& size, const char* name) {
      Setting s = tiledProduct(subject, target, tiles, size, joinType(type, name), quantized);
      s.values.insert(s.values.end(), values.begin(), values.end());
      list.push_back(std::move(s));
    };
    add(Tiles::Medium, kAligned, "medium");
    if (!type.empty() && type != kProductTypes[0].name) return;
    add(Tiles::Small, kUnaligned, "small-unaligned");
    if (subject.khrMatrices() || subject.file == "mul_mmq.comp") add(Tiles::Large, kAligned, "large");
  });
  return list;
}

std::vector<Setting> nvProducts(const Subject& subject, const Reflection& reflection, const Target& target) {
  struct Tile {
    uint32_t block, bm, bn, bk, smaller;
  };
  const bool quantized = isQuantized(reflection) || hasConstant(reflection, "MmTypeA");
  const bool experts = contains(subject.name, "_id_");
  std::vector<Setting> list;
  forEachType(reflection, kTypesOfNvProducts, [&](const std::string& type, const Values& values) {
    const auto add = [&](const Tile& t, const Product& size, const char* name) {
      Values tiles = {{"local size", t.block},
                      {"BM", t.bm},
                      {"BN", t.bn},
                      {"BK", t.bk},
                      {"enable_smaller_matrices", t.smaller},
                      {"subgroup_size", target.subgroupSize}};
      Setting s = product(subject, size, joinType(type, name), std::move(tiles), t.bm, t.bn);
      s.values.insert(s.values.end(), values.begin(), values.end());
      s.matrices.push_back(shape(subject, true, t.bm, t.bn, t.bk));
      list.push_back(std::move(s));
    };
    const bool first = type.empty() || type == kProductTypes[0].name;
    if (quantized && experts) {
      add({256, 128, 64, 32, 0}, kAligned, "medium");
      if (first) add({256, 128, 128, 32, 1}, kUnaligned, "large-unaligned");
    } else if (quantized) {
      add({256, 128, 128, 64, 1}, kAligned, "medium");
      if (!first) return;
      add({256, 32, 64, 128, 0}, kUnaligned, "small-unaligned");
      add({256, 128, 256, 64, 1}, kAligned, "large");
    } else {
      add({256, 128, 128, 64, 0}, kAligned, "medium");
      add({128, 64, 64, 64, 0}, kUnaligned, "small-unaligned");
      add({256, 128, 256, 64, 1}, kAligned, "large");
    }
  });
  return list;
}

// --- attention: four heads of 64 numbers, 32 queries, 128 keys

Setting attention(const Subject& subject, const Target& target, const QuantizedType& type, uint32_t rows,
                  uint32_t columns, uint32_t workgroup, bool clamp, const std::string& name) {
  constexpr uint32_t kHead = 64, kQueries = 32, kKeys = 128, kHeads = 4;
  constexpr uint32_t kMask = 2;
  const uint32_t row = kHead / type.elements;  // blocks
  const uint32_t head = kKeys * row * type.bytes;
  Setting s;
  s.name = name;
  s.values = {{"local size", workgroup},
              {"Br", rows},
              {"Bc", columns},
              {"HSK", kHead},
              {"HSV", kHead},
              {"Clamp", clamp ? 1 : 0},
              {"D_split", std::min(target.subgroupSize, 8u)},
              {"row_split", subject.khrMatrices() ? 4 : 1},
              {"SubGroupSize", target.subgroupSize},
              {"SHMEM_STAGING", subject.nvMatrices() ? 0 : 1},
              {"Flags", kMask},
              {"FaTypeK", type.id},
              {"FaTypeV", type.id},
              {"FaBlockBytesK", type.bytes},
              {"FaBlockBytesV", type.bytes},
              {"N", kQueries},
              {"KV", kKeys},
              {"ne1", kHeads},
              {"ne2", kQueries},
              {"ne3", 1},
              {"neq2", kHeads},
              {"neq3", 1},
              {"nek2", kHeads},
              {"nek3", 1},
              {"nev2", kHeads},
              {"nev3", 1},
              {"nem1", kQueries},
              {"nem2", 1},
              {"nem3", 1},
              {"nb01", kHead},
              {"nb02", kQueries * kHead * 4},
              {"nb03", kHeads * kQueries * kHead * 4},
              {"nb11", row},
              {"nb12", head},
              {"nb13", kHeads * head},
              {"nb21", row},
              {"nb22", head},
              {"nb23", kHeads * head},
              {"scale", 1.0 / 64},
              {"max_bias", 0},
              {"logit_softcap", 0},
              {"mask_n_head_log2", 2},
              {"gqa_ratio", 1},
              {"split_kv", kKeys},
              {"k_num", 1}};
  s.groups = {parts(kQueries, rows), kHeads, 1};
  if (subject.khrMatrices()) s.matrices.push_back(shape(subject, false, 16, 16, 16));
  if (subject.nvMatrices()) {
    s.matrices.push_back(shape(subject, true, rows, columns, kHead));
    s.matrices.push_back(shape(subject, true, rows, kHead, columns));
  }
  return s;
}

std::vector<Setting> attentions(const Subject& subject, const Target& target) {
  std::vector<Setting> list;
  const uint32_t four = 4 * target.subgroupSize;
  const auto add = [&](const QuantizedType& type, bool clamp) {
    const std::string name = std::string(type.name) + (clamp ? "-clamped" : "");
    if (subject.khrMatrices()) {
      list.push_back(attention(subject, target, type, 16, 64, four, clamp, name));
    } else if (subject.nvMatrices()) {
      list.push_back(attention(subject, target, type, 32, 32, 256, clamp, name));
      list.push_back(
          attention(subject, target, type, 64, type.elements == 1 ? 64 : 32, 128, clamp, name + "-large"));
    } else {
      list.push_back(attention(subject, target, type, 4, 32, four, clamp, name));
    }
  };
  if (contains(subject.name, "bf16")) {
    add(kBF16, false);
    add(kBF16, true);
    return list;
  }
  const bool integers = contains(subject.name, "int8");
  if (!integers) {
    add(kF16, false);
    add(kF16, true);
  }
  for (const QuantizedType& type : kAttentionTypes)
    if (!integers || type.id != 20) add(type, false);
  return list;
}

// --- convolutions

Setting convolution(const Subject& subject, const Target& target, uint32_t k, uint32_t npq, uint32_t crs,
                    uint32_t workgroup, bool large, const std::string& name) {
  const bool matrices = subject.usesMatrices();
  // Kernels of 3 x 3 (x 3) with as much padding as keeps the size.
  const uint32_t kernel = large ? 3 : 1, padding = large ? 1 : 0;
  const bool flat = subject.file == "conv2d_mm.comp";
  const uint32_t rows = flat ? kConv2dRows : kConv3dRows;
  const uint32_t columns = flat ? 2 * 16 * 16 : 2 * 8 * 8 * 8;
  // The kernel's distance between two channels: of the output or, if transposed, of the input.
  const uint32_t perChannel = contains(subject.name, "transpose") ? rows : 16;
  Setting s;
  s.name = name;
  s.values = {{"local size", workgroup},
              {"BS_K", k},
              {"BS_CRS", matrices ? crs : std::min(crs, target.subgroupSize)},
              {"BS_NPQ", npq},
              {"TS_K", workgroup == 128 ? 4 : 8},
              {"use_collectives", matrices ? 0 : 1},
              {"SHMEM_PAD", matrices ? 8 : 4},
              {"KW", kernel},
              {"KH", kernel},
              {"KD", kernel},
              {"p0", padding},
              {"p1", padding},
              {"p2", padding},
              {"aligned", 0},
              {"csh_store", matrices && k < 128 ? 1 : 0},
              {"WM", k == 64 && npq == 32 ? 16 : 32},
              {"WN", k == 64 && npq == 32 ? 16 : 32},
              {"nb01", kernel},
              {"nb02", kernel * kernel},
              {"nb03", kernel * kernel * (flat ? perChannel : kernel)}};
  s.groups = {parts(rows, k), parts(columns, npq), 1};
  if (subject.nvMatrices()) {
    MatrixShape own = shape(subject, true, k, npq, crs);
    own.c = own.result = NumberType::F16;
    s.matrices.push_back(own);
  }
  if (subject.khrMatrices()) {
    MatrixShape own = shape(subject, false, 16, 16, 16);
    own.c = own.result = NumberType::F16;
    s.matrices.push_back(own);
  }
  return s;
}

std::vector<Setting> convolutions(const Subject& subject, const Target& target) {
  std::vector<Setting> list;
  for (const bool large : {false, true}) {
    const std::string kernel = large ? "-kernel3" : "";
    if (!subject.khrMatrices())
      list.push_back(convolution(subject, target, 128, 128, 16, 256, large, "128x128" + kernel));
    list.push_back(convolution(subject, target, 64, 128, 16, 256, large, "64x128" + kernel));
    if (subject.usesMatrices()) {
      // 4 x 2 subgroups of 16 x 16 results.
      const uint32_t workgroup = subject.khrMatrices() ? 8 * target.subgroupSize : 128;
      list.push_back(convolution(subject, target, 64, 32, 32, workgroup, large, "64x32" + kernel));
    }
  }
  return list;
}

// With more workgroups than these, some would write to the same places.
constexpr std::pair<std::string_view, std::array<uint32_t, 3>> kGroups[] = {
    {"argsort_large.comp", {1, 4, 1}},     {"cumsum.comp", {8, 1, 1}},
    {"cumsum_multipass1.comp", {4, 8, 1}}, {"cumsum_multipass2.comp", {4, 8, 1}},
    {"im2col_3d.comp", {2, 4, 4}},         {"rms_norm.comp", {4, 4, 1}},
    {"soft_max_large1.comp", {4, 4, 1}},   {"soft_max_large2.comp", {4, 4, 1}},
    {"soft_max_large3.comp", {4, 4, 1}}};

}  // namespace

std::vector<Setting> settings(const Subject& subject, const Reflection& reflection, const Target& target) {
  if (subject.file == "mul_mm.comp" || subject.file == "mul_mmq.comp")
    return products(subject, reflection, target);
  if (subject.file == "mul_mm_cm2.comp") return nvProducts(subject, reflection, target);
  if (subject.file == "flash_attn.comp" || subject.file == "flash_attn_cm1.comp" ||
      subject.file == "flash_attn_cm2.comp")
    return attentions(subject, target);
  if (subject.file == "conv2d_mm.comp" || subject.file == "conv3d_mm.comp")
    return convolutions(subject, target);
  Setting plain;
  for (const auto& [file, groups] : kGroups)
    if (subject.file == file) plain.groups = groups;
  // Each of 2 x 16 rows of states has a subgroup. Workgroups have 64 invocations.
  if (subject.file == "ssm_scan.comp") plain.groups = {2 * 16 * target.subgroupSize / 64, 4, 1};
  // flash_attn_decode_phase_*.comp: matrices as wide as a subgroup.
  if (subject.khrMatrices()) plain.matrices.push_back(shape(subject, false, 8, target.subgroupSize, 16));
  return {plain};
}

}  // namespace coopc::tests::llama
