// Buffers have one byte, because only their kinds and bindings matter to a pipeline.
#include "tools/cooprun/module_request.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "coopc/reflect.hpp"

namespace coopc::cooprun {
namespace {

std::string place(const ReflectedBinding& binding) {
  return "set " + std::to_string(binding.set) + ", binding " + std::to_string(binding.binding);
}

vk::RunBuffer bufferOf(const ReflectedBinding& binding, vk::RunBuffer::Kind kind) {
  return {binding.name, kind, binding.set, binding.binding, 1, {}};
}

vk::RunImage imageOf(const ReflectedBinding& binding, vk::ImageSpec::Kind kind, vk::ImageForm form) {
  vk::RunImage image;
  image.spec.name = binding.name;
  image.spec.kind = kind;
  image.spec.set = binding.set;
  image.spec.binding = binding.binding;
  image.form = form;
  return image;
}

// Adds the binding's resource. "", or why that is not possible.
std::string add(const ReflectedBinding& binding, vk::RunRequest& request) {
  using Buffer = vk::RunBuffer::Kind;
  using Image = vk::ImageSpec::Kind;
  if (!binding.count.known || binding.count.value != 1)
    return place(binding) +
           " is an array of descriptors, which pipelines of modules without a case cannot have";
  vk::ImageForm form;
  switch (binding.kind) {
    case ReflectedBindingKind::UniformBuffer:
      request.buffers.push_back(bufferOf(binding, Buffer::Uniform));
      return {};
    case ReflectedBindingKind::StorageBuffer:
      request.buffers.push_back(bufferOf(binding, Buffer::Storage));
      return {};
    case ReflectedBindingKind::StorageImage:
      request.images.push_back(imageOf(binding, Image::Storage, form));
      return {};
    case ReflectedBindingKind::CombinedImageSampler:
      request.images.push_back(imageOf(binding, Image::Sampled, form));
      return {};
    case ReflectedBindingKind::SampledImage:
      form.descriptor = vk::ImageForm::Descriptor::Texture;
      request.images.push_back(imageOf(binding, Image::Sampled, form));
      return {};
    case ReflectedBindingKind::Sampler:
      form.descriptor = vk::ImageForm::Descriptor::SamplerOnly;
      request.images.push_back(imageOf(binding, Image::Sampled, form));
      return {};
    case ReflectedBindingKind::UniformTexelBuffer:
    case ReflectedBindingKind::StorageTexelBuffer: {
      const bool storage = binding.kind == ReflectedBindingKind::StorageTexelBuffer;
      form.view = vk::ImageForm::View::Texels;
      request.images.push_back(imageOf(binding, storage ? Image::Storage : Image::Sampled, form));
      return {};
    }
    default: return place(binding) + " has a kind of resource that cooprun cannot make";
  }
}

uint32_t bytesOf(const Reflection& reflection, const ReflectedSpecConstant& constant) {
  const ReflectedType& type = reflection.types[constant.type];
  // VkSpecializationMapEntry: booleans have the size of VkBool32.
  return type.kind == ReflectedTypeKind::Bool ? 4 : std::max(type.width / 8, 1u);
}

}  // namespace

harness::Result<vk::RunRequest> requestOfModule(std::span<const uint32_t> module,
                                                const std::map<uint32_t, uint64_t>& constants) {
  const Reflection reflection = reflect(module);
  if (!reflection.ok()) return harness::Error{reflection.error};
  vk::RunRequest request;
  request.module = module;
  const auto isCompute = [](const ReflectedEntryPoint& entry) { return entry.stage == "compute"; };
  const auto& entries = reflection.entryPoints;
  const auto entry = std::find_if(entries.begin(), entries.end(), isCompute);
  if (entry == entries.end()) return harness::Error{"the module has no compute entry point"};
  if (std::count_if(entries.begin(), entries.end(), isCompute) > 1)
    return harness::Error{"the module has several compute entry points"};
  request.entry = entry->name;
  // Variables of different types may share one descriptor.
  std::map<std::pair<uint32_t, uint32_t>, ReflectedBindingKind> descriptors;
  for (const ReflectedBinding& binding : reflection.bindings) {
    const auto [known, isNew] = descriptors.insert({{binding.set, binding.binding}, binding.kind});
    if (known->second != binding.kind) return harness::Error{place(binding) + " has resources of two kinds"};
    if (!isNew) continue;
    if (std::string wrong = add(binding, request); !wrong.empty()) return harness::Error{std::move(wrong)};
  }
  for (const ReflectedPushConstants& block : reflection.pushConstants)
    request.pushConstants.resize(std::max<size_t>(request.pushConstants.size(), block.size));
  for (const ReflectedSpecConstant& constant : reflection.specConstants) {
    if (const auto found = constants.find(constant.specId); found != constants.end())
      request.specializations.push_back({constant.specId, found->second, bytesOf(reflection, constant)});
  }
  return request;
}

}  // namespace coopc::cooprun
