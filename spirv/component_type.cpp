// Names and numbers of component types.
#include "spirv/component_type.hpp"

#include <algorithm>

#include "spirv/number_type.hpp"

namespace coopc::spirv {

namespace {

struct Row {
  uint32_t number;
  std::string_view name;
};
constexpr Row kRows[] = {
#define COOPC_COMPONENT_TYPE(number, name) {number, name},
#include "spirv/vulkan/vulkan_names.def"
};
static_assert(uint32_t(spv::ComponentType::UnsignedInt64NV) == 10 &&
              uint32_t(spv::ComponentType::FloatE5M2NV) == 1000491003);

constexpr const Row* findRow(std::string_view name) {
  for (const Row& row : kRows)
    if (row.name == name) return &row;
  return nullptr;
}
// The file of Vulkan's names is installed, so it cannot refer to NumberType.
static_assert(std::ranges::all_of(kNumberTypes,
                                  [](const NumberTypeInfo& type) { return findRow(type.name) != nullptr; }));

NumberType withSign(NumberType type, bool isSigned) {
  const auto row = std::ranges::find_if(kNumberTypes, [&](const NumberTypeInfo& other) {
    return !other.isFloat && other.isSigned == isSigned && other.bytes == byteSize(type);
  });
  return row->type;
}

}  // namespace

std::string_view componentTypeName(spv::ComponentType type) {
  for (const Row& row : kRows)
    if (row.number == uint32_t(type)) return row.name;
  return {};
}

std::optional<spv::ComponentType> parseComponentType(std::string_view name) {
  const Row* row = findRow(name);
  return row != nullptr ? std::optional(spv::ComponentType(row->number)) : std::nullopt;
}

spv::ComponentType componentTypeOf(NumberType type) {
  return spv::ComponentType(findRow(numberName(type))->number);
}

std::optional<NumberType> numberTypeOf(spv::ComponentType type) {
  return parseNumberType(componentTypeName(type));
}

std::optional<spv::ComponentType> componentTypeOf(const Module& module, Id type) {
  const std::optional<NumberType> number = numberTypeOf(module, type);
  return number ? std::optional(componentTypeOf(*number)) : std::nullopt;
}

bool isListedAs(const Module& module, Id component, bool isSignedByFlag,
                std::optional<spv::ComponentType> listed) {
  const std::optional<NumberType> number = numberTypeOf(module, component);
  if (!number || !listed) return false;
  return *listed == componentTypeOf(*number) ||
         (!isFloat(*number) && *listed == componentTypeOf(withSign(*number, isSignedByFlag)));
}

}  // namespace coopc::spirv
