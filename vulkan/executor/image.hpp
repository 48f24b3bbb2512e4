// An image of a request with its view, sampler or texel buffer, in the layout GENERAL from its first contents
// on.
#pragma once

#include "vulkan/executor/commands.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::vk {

VkDescriptorType descriptorType(const RunImage& image);
VkImageUsageFlags usageOf(const RunImage& image);

class Image {
 public:
  /// `owner`: the image of whose memory this is another view, or null. `usage`: of this image and of all
  /// views of it. Lacking: the device does not support this use of the format.
  Outcome create(Device& device, const InstanceApi& instance, VkPhysicalDevice physical,
                 const RunImage& wanted, const Image* owner, VkImageUsageFlags usage);
  /// Uploads the requested contents if the image has its own memory.
  Outcome fill(Transfer& transfer, const RunImage& wanted);
  /// Reads its contents back, except for samplers, views of other images and multisampled images.
  Outcome read(Transfer& transfer, RunImage& wanted);

  VkDescriptorImageInfo descriptor() const;
  VkImageView view() const { return view_.get(); }
  const VkBufferView& texelView() const { return *texelView_.address(); }

 private:
  Outcome createImage(Device& device, const RunImage& wanted, VkFormat format, VkImageUsageFlags usage);
  Outcome createView(Device& device, const RunImage& wanted, VkFormat format);
  Outcome createSampler(Device& device, const RunImage& wanted);
  Outcome createTexelBuffer(Device& device, const RunImage& wanted, VkFormat format,
                            const VkFormatProperties& properties);
  void layoutBarrier(Transfer& transfer, const RunImage& wanted, VkImageLayout from);
  /// Gives an image that cannot be filled its layout: it leaves the undefined one.
  Outcome initialize(Transfer& transfer, const RunImage& wanted);

  VkImage image_ = VK_NULL_HANDLE;  ///< this one's or its owner's
  Memory memory_;
  Owned<VkImage, &DeviceApi::vkDestroyImage> ownImage_;
  Owned<VkImageView, &DeviceApi::vkDestroyImageView> view_;
  Owned<VkSampler, &DeviceApi::vkDestroySampler> sampler_;
  Buffer texels_;  ///< of a texel buffer, instead of an image
  Owned<VkBufferView, &DeviceApi::vkDestroyBufferView> texelView_;
};

}  // namespace coopc::vk
