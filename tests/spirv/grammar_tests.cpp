// The grammar's tables: the extension that a module must declare for a row, and which operands are ids.
#include <vector>

#include <catch2/catch_test_macros.hpp>

#include "spirv/enums_supplement.hpp"
#include "spirv/grammar.hpp"
#include "spirv/operands.hpp"

namespace coopc::tests {
namespace {

using spirv::EnumerantInfo;
using spirv::OperandKind;
using spv::Capability;

constexpr uint32_t k10 = 0x00010000, k13 = 0x00010300, k15 = 0x00010500, k16 = 0x00010600;

std::string_view extensionOf(OperandKind kind, uint32_t value, uint32_t version,
                             std::string_view vendor = {}) {
  const EnumerantInfo* row = enumerantInfo(kind, value);
  REQUIRE(row != nullptr);
  return neededExtension(row->version, row->extensionList, version, vendor);
}
std::string_view extensionOf(Capability c, uint32_t version, std::string_view vendor = {}) {
  return extensionOf(OperandKind::Capability, static_cast<uint32_t>(c), version, vendor);
}

TEST_CASE("what a version has needs no extension") {
  CHECK(extensionOf(Capability::Shader, k10) == "");
  CHECK(extensionOf(Capability::GroupNonUniformBallot, k10) == "");  // below 1.3, no extension has it
  CHECK(extensionOf(Capability::StorageBuffer16BitAccess, k10) == "SPV_KHR_16bit_storage");
  CHECK(extensionOf(Capability::StorageBuffer16BitAccess, k13) == "");
  CHECK(extensionOf(Capability::VulkanMemoryModel, k13) == "SPV_KHR_vulkan_memory_model");
  CHECK(extensionOf(Capability::VulkanMemoryModel, k15) == "");
  CHECK(extensionOf(Capability::CooperativeMatrixKHR, k16) == "SPV_KHR_cooperative_matrix");
  CHECK(extensionOf(OperandKind::StorageClass, uint32_t(spv::StorageClass::StorageBuffer), k10) ==
        "SPV_KHR_storage_buffer_storage_class");
}

TEST_CASE("of several extensions it is the vendor's, KHR's or the first") {
  CHECK(extensionOf(Capability::ComputeDerivativeGroupQuadsKHR, k16) == "SPV_KHR_compute_shader_derivatives");
  CHECK(extensionOf(Capability::ComputeDerivativeGroupQuadsKHR, k16, "NV") ==
        "SPV_NV_compute_shader_derivatives");
  CHECK(extensionOf(Capability::PhysicalStorageBufferAddresses, k13) == "SPV_KHR_physical_storage_buffer");
  const auto reductions = spirv::enums::CapabilityCooperativeMatrixReductionsEXT;
  CHECK(extensionOf(reductions, k16) == "SPV_EXT_cooperative_matrix_maintenance1");
  CHECK(extensionOf(reductions, k16, "NV") == "SPV_NV_cooperative_matrix2");
  CHECK(extensionOf(reductions, k16, "N") == "SPV_EXT_cooperative_matrix_maintenance1");
}

TEST_CASE("the table of id operands says what the grammar does") {
  size_t compared = 0;
  for (uint32_t number = 0; number < 8192; ++number) {
    const spirv::OpInfo* info = spirv::opInfo(number);
    if (info == nullptr) continue;
    const uint32_t lead = 1 + uint32_t(info->hasType()) + uint32_t(info->hasResult());
    const spirv::IdOperands table = spirv::idOperands(number);
    // All operands are 0, then 1: ids, numbers, or enumerants, several of which have parameters.
    for (uint32_t value = 0; value < 2; ++value) {
      for (uint32_t length = lead; length < lead + 9; ++length) {
        std::vector<uint32_t> words(length, value);
        std::vector<bool> isId(length, false);
        if (!spirv::visitOperands(
                *info, words.data(), length, 1,
                [&](OperandKind kind, uint32_t at, uint32_t) { isId[at] = spirv::isIdKind(kind); }))
          continue;
        for (uint32_t at = lead; at < length; ++at) {
          const bool listed = at < lead + table.ids;
          if (!listed && table.rest == spirv::IdOperands::Rest::Grammar) break;
          INFO(spirv::opName(number) << ", " << length << " words of " << value << ", word " << at);
          CHECK(isId[at] == (listed || table.rest == spirv::IdOperands::Rest::Ids));
          ++compared;
        }
      }
    }
  }
  CHECK(compared > 3000);
}

}  // namespace
}  // namespace coopc::tests
