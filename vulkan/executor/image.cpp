// Images, texel buffers and samplers. Whole images go through the staging buffer in one piece.
#include "vulkan/executor/image.hpp"

#include <array>
#include <cstring>
#include <vector>

#include "vulkan/executor/image_format.hpp"

namespace coopc::vk {
namespace {

bool isStorage(const RunImage& image) { return image.spec.kind == ImageSpec::Kind::Storage; }

VkImageViewType viewType(const RunImage& image) {
  if (image.form.view == ImageForm::View::Cube)
    return image.form.arrayed ? VK_IMAGE_VIEW_TYPE_CUBE_ARRAY : VK_IMAGE_VIEW_TYPE_CUBE;
  if (!image.form.arrayed) return static_cast<VkImageViewType>(image.spec.dimensions - 1);
  return image.spec.dimensions == 1 ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_2D_ARRAY;
}

VkImageAspectFlags aspect(const RunImage& image) {
  const auto format = static_cast<VkFormat>(findImageFormat(image.spec.format)->vkFormat);
  return format == VK_FORMAT_D32_SFLOAT ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

VkImageSubresourceRange wholeImage(const RunImage& image) {
  return {aspect(image), 0, image.form.levels, 0, image.form.layers};
}

// Copies between the image and the staging buffer, which holds one level after the other.
std::vector<VkBufferImageCopy> regionsOf(const RunImage& image) {
  std::vector<VkBufferImageCopy> regions;
  uint64_t offset = 0;
  for (uint32_t level = 0; level < image.form.levels; ++level) {
    VkBufferImageCopy region{};
    const std::array<uint32_t, 3> size = image.levelSize(level);
    region.bufferOffset = offset;
    region.imageSubresource = {aspect(image), level, 0, image.form.layers};
    region.imageExtent = {size[0], size[1], size[2]};
    regions.push_back(region);
    offset += image.levelBytes(level);
  }
  return regions;
}

Outcome checkSize(const Transfer& transfer, const RunImage& image) {
  if (image.bytes() <= transfer.staging().size()) return std::nullopt;
  return Problem{"image '" + image.spec.name + "' is larger than the staging buffer"};
}

}  // namespace

VkDescriptorType descriptorType(const RunImage& image) {
  if (image.form.view == ImageForm::View::Texels)
    return isStorage(image) ? VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER
                            : VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER;
  switch (image.form.descriptor) {
    case ImageForm::Descriptor::Texture: return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    case ImageForm::Descriptor::SamplerOnly: return VK_DESCRIPTOR_TYPE_SAMPLER;
    case ImageForm::Descriptor::OfKind: break;
  }
  return isStorage(image) ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

VkImageUsageFlags usageOf(const RunImage& image) {
  switch (image.spec.kind) {
    case ImageSpec::Kind::Storage: return VK_IMAGE_USAGE_STORAGE_BIT;
    case ImageSpec::Kind::Sampled: break;
    case ImageSpec::Kind::Target:
      return aspect(image) == VK_IMAGE_ASPECT_DEPTH_BIT ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                        : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  }
  return VK_IMAGE_USAGE_SAMPLED_BIT;
}

namespace {

VkFormatFeatureFlags featuresOf(const RunImage& image) {
  switch (image.spec.kind) {
    case ImageSpec::Kind::Storage: return VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
    case ImageSpec::Kind::Sampled: break;
    case ImageSpec::Kind::Target:
      return aspect(image) == VK_IMAGE_ASPECT_DEPTH_BIT ? VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                        : VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT;
  }
  VkFormatFeatureFlags features = VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT;
  if (image.spec.linear) features |= VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT;
  return features;
}

}  // namespace

Outcome Image::create(Device& device, const InstanceApi& instance, VkPhysicalDevice physical,
                      const RunImage& wanted, const Image* owner, VkImageUsageFlags usage) {
  const ImageSpec& spec = wanted.spec;
  const ImageFormat* known = findImageFormat(spec.format);
  if (known == nullptr) return Problem{"unknown image format '" + spec.format + "'"};
  if (wanted.form.descriptor == ImageForm::Descriptor::SamplerOnly) return createSampler(device, wanted);
  const auto format = static_cast<VkFormat>(known->vkFormat);
  VkFormatProperties properties{};
  instance.vkGetPhysicalDeviceFormatProperties(physical, format, &properties);
  if (wanted.form.view == ImageForm::View::Texels)
    return createTexelBuffer(device, wanted, format, properties);
  const VkFormatFeatureFlags need = featuresOf(wanted);
  if ((properties.optimalTilingFeatures & need) != need)
    return Problem{"image format " + spec.format + ": the device cannot use it so", true};
  if (owner != nullptr) {
    image_ = owner->image_;
  } else if (Outcome bad = createImage(device, wanted, format, usage)) {
    return bad;
  }
  if (Outcome bad = createView(device, wanted, format)) return bad;
  if (spec.kind == ImageSpec::Kind::Target ||
      descriptorType(wanted) != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER)
    return std::nullopt;
  return createSampler(device, wanted);
}

Outcome Image::createImage(Device& device, const RunImage& wanted, VkFormat format, VkImageUsageFlags usage) {
  const ImageSpec& spec = wanted.spec;
  const ImageForm& form = wanted.form;
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.flags = form.view == ImageForm::View::Cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
  info.imageType = static_cast<VkImageType>(spec.dimensions - 1);
  info.format = format;
  info.extent = {spec.size[0], spec.size[1], spec.size[2]};
  info.mipLevels = form.levels;
  info.arrayLayers = form.layers;
  info.samples = static_cast<VkSampleCountFlagBits>(form.samples);
  info.tiling = VK_IMAGE_TILING_OPTIMAL;
  info.usage = usage;
  if (form.samples == 1) info.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  if (Outcome bad = make(device, device.api().vkCreateImage, "vkCreateImage", info, ownImage_)) return bad;
  image_ = ownImage_.get();
  VkMemoryRequirements needs{};
  device.api().vkGetImageMemoryRequirements(device.handle(), image_, &needs);
  if (Outcome bad = allocate(device, needs, Placement::Device, false, memory_)) return bad;
  return device.check(device.api().vkBindImageMemory(device.handle(), image_, memory_.get(), 0),
                      "vkBindImageMemory");
}

Outcome Image::createView(Device& device, const RunImage& wanted, VkFormat format) {
  VkImageViewCreateInfo view{};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view.image = image_;
  view.viewType = viewType(wanted);
  view.format = format;
  view.subresourceRange = wholeImage(wanted);
  return make(device, device.api().vkCreateImageView, "vkCreateImageView", view, view_);
}

Outcome Image::createSampler(Device& device, const RunImage& wanted) {
  const ImageSpec& spec = wanted.spec;
  VkSamplerCreateInfo sampler{};
  sampler.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  sampler.magFilter = spec.linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  sampler.minFilter = sampler.magFilter;
  sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_NEAREST;
  sampler.maxLod = static_cast<float>(wanted.form.levels - 1);
  sampler.compareEnable = wanted.form.compares ? VK_TRUE : VK_FALSE;
  sampler.compareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  const VkSamplerAddressMode mode =
      spec.repeat ? VK_SAMPLER_ADDRESS_MODE_REPEAT : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  sampler.addressModeU = mode;
  sampler.addressModeV = mode;
  sampler.addressModeW = mode;
  return make(device, device.api().vkCreateSampler, "vkCreateSampler", sampler, sampler_);
}

Outcome Image::createTexelBuffer(Device& device, const RunImage& wanted, VkFormat format,
                                 const VkFormatProperties& properties) {
  const bool storage = isStorage(wanted);
  const VkFormatFeatureFlags need =
      storage ? VK_FORMAT_FEATURE_STORAGE_TEXEL_BUFFER_BIT : VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT;
  if ((properties.bufferFeatures & need) != need)
    return Problem{"image format " + wanted.spec.format + ": the device cannot use it so in texel buffers",
                   true};
  const VkBufferUsageFlags usage =
      VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
      (storage ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
  if (Outcome bad = texels_.create(device, wanted.contents.size(), usage, Placement::Device)) return bad;
  VkBufferViewCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO;
  info.buffer = texels_.handle();
  info.format = format;
  info.range = VK_WHOLE_SIZE;
  return make(device, device.api().vkCreateBufferView, "vkCreateBufferView", info, texelView_);
}

void Image::layoutBarrier(Transfer& transfer, const RunImage& wanted, VkImageLayout from) {
  VkImageMemoryBarrier toGeneral{};
  toGeneral.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  toGeneral.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  toGeneral.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  toGeneral.oldLayout = from;
  toGeneral.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  toGeneral.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  toGeneral.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  toGeneral.image = image_;
  toGeneral.subresourceRange = wholeImage(wanted);
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  transfer.device().api().vkCmdPipelineBarrier(transfer.commands().handle(), stages, stages, 0, 0, nullptr, 0,
                                               nullptr, 1, &toGeneral);
}

Outcome Image::initialize(Transfer& transfer, const RunImage& wanted) {
  if (Outcome bad = transfer.commands().begin()) return bad;
  layoutBarrier(transfer, wanted, VK_IMAGE_LAYOUT_UNDEFINED);
  return transfer.commands().submit("image layout");
}

Outcome Image::fill(Transfer& transfer, const RunImage& wanted) {
  if (texels_.handle() != VK_NULL_HANDLE) return transfer.toDevice(wanted.contents, texels_.handle(), 0);
  if (ownImage_.get() == VK_NULL_HANDLE) return std::nullopt;
  if (wanted.form.samples > 1) return initialize(transfer, wanted);
  if (Outcome bad = checkSize(transfer, wanted)) return bad;
  std::memcpy(transfer.staging().bytes(), wanted.contents.data(), wanted.bytes());
  Commands& commands = transfer.commands();
  if (Outcome bad = commands.begin()) return bad;
  layoutBarrier(transfer, wanted, VK_IMAGE_LAYOUT_UNDEFINED);
  const std::vector<VkBufferImageCopy> regions = regionsOf(wanted);
  transfer.device().api().vkCmdCopyBufferToImage(commands.handle(), transfer.staging().handle(), image_,
                                                 VK_IMAGE_LAYOUT_GENERAL,
                                                 static_cast<uint32_t>(regions.size()), regions.data());
  commands.barrier();
  return commands.submit("image copy");
}

Outcome Image::read(Transfer& transfer, RunImage& wanted) {
  if (texels_.handle() != VK_NULL_HANDLE) return transfer.toHost(texels_.handle(), 0, wanted.contents);
  if (ownImage_.get() == VK_NULL_HANDLE || wanted.form.samples > 1) return std::nullopt;
  if (Outcome bad = checkSize(transfer, wanted)) return bad;
  Commands& commands = transfer.commands();
  if (Outcome bad = commands.begin()) return bad;
  layoutBarrier(transfer, wanted, VK_IMAGE_LAYOUT_GENERAL);
  const std::vector<VkBufferImageCopy> regions = regionsOf(wanted);
  transfer.device().api().vkCmdCopyImageToBuffer(commands.handle(), image_, VK_IMAGE_LAYOUT_GENERAL,
                                                 transfer.staging().handle(),
                                                 static_cast<uint32_t>(regions.size()), regions.data());
  commands.barrier();
  if (Outcome bad = commands.submit("image copy")) return bad;
  std::memcpy(wanted.contents.data(), transfer.staging().bytes(), wanted.bytes());
  return std::nullopt;
}

VkDescriptorImageInfo Image::descriptor() const {
  return {sampler_.get(), view_.get(), VK_IMAGE_LAYOUT_GENERAL};
}

}  // namespace coopc::vk
