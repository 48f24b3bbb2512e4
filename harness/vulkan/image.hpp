// An image of a request with its view, sampler or texel buffer, in the layout GENERAL from its first contents on.
#pragma once

#include "harness/run_request.hpp"
#include "harness/vulkan/commands.hpp"

namespace coopc::harness::vk {

VkDescriptorType descriptorType(const RunImage& image);
VkImageUsageFlags usageOf(const RunImage& image);

class Image {
 public:
  /// `owner`: the image whose memory this is another view of, or null. `usage`: of this image and of all views of it.
  /// Lacking: the device cannot use the format so.
  Outcome create(Device& device, const InstanceApi& instance, VkPhysicalDevice physical,
                 const RunImage& wanted, const Image* owner, VkImageUsageFlags usage);
  /// Gives it the wanted contents, where it has memory of its own.
  Outcome fill(Transfer& transfer, const RunImage& wanted);
  /// Reads its contents where there are some to read: not of samplers, of views of other images, of several samples.
  Outcome read(Transfer& transfer, RunImage& wanted);

  VkDescriptorImageInfo descriptor() const;
  const VkBufferView& texelView() const { return *texelView_.address(); }

 private:
  Outcome createImage(Device& device, const RunImage& wanted, VkFormat format, VkImageUsageFlags usage);
  Outcome createView(Device& device, const RunImage& wanted, VkFormat format);
  Outcome createSampler(Device& device, const RunImage& wanted);
  Outcome createTexelBuffer(Device& device, const RunImage& wanted, VkFormat format,
                            const VkFormatProperties& properties);
  void layoutBarrier(Transfer& transfer, const RunImage& wanted, VkImageLayout from);
  /// Takes an image whose contents cannot be copied out of the undefined layout.
  Outcome initialize(Transfer& transfer, const RunImage& wanted);

  VkImage image_ = VK_NULL_HANDLE;  ///< this one's or its owner's
  Memory memory_;
  Owned<VkImage, &DeviceApi::vkDestroyImage> ownImage_;
  Owned<VkImageView, &DeviceApi::vkDestroyImageView> view_;
  Owned<VkSampler, &DeviceApi::vkDestroySampler> sampler_;
  Buffer texels_;  ///< of a texel buffer, instead of an image
  Owned<VkBufferView, &DeviceApi::vkDestroyBufferView> texelView_;
};

}  // namespace coopc::harness::vk
