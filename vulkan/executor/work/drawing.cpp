// A draw call into targets that the run creates, by dynamic rendering.
#include <algorithm>

#include "vulkan/executor/image.hpp"
#include "vulkan/executor/image_format.hpp"
#include "vulkan/executor/work/work.hpp"

namespace coopc::vk {
namespace {

VkFormat formatOf(const std::string& name) {
  const ImageFormat* format = findImageFormat(name);
  return format == nullptr ? VK_FORMAT_UNDEFINED : static_cast<VkFormat>(format->vkFormat);
}

VkClearValue clearOf(const RenderTarget& target, bool depth) {
  VkClearValue value{};
  const ImageFormat& format = *findImageFormat(target.format);
  if (depth) value.depthStencil.depth = static_cast<float>(target.clear[0]);
  for (size_t i = 0; i < 4 && !depth; ++i) {
    if (isFloat(format.type) || format.normalized)
      value.color.float32[i] = static_cast<float>(target.clear[i]);
    else if (isSigned(format.type))
      value.color.int32[i] = static_cast<int32_t>(target.clear[i]);
    else
      value.color.uint32[i] = static_cast<uint32_t>(target.clear[i]);
  }
  return value;
}

// Averages do not exist for integers and depths.
VkResolveModeFlagBits resolveOf(const RenderTarget& target, bool depth) {
  const ImageFormat& format = *findImageFormat(target.format);
  return !depth && (isFloat(format.type) || format.normalized) ? VK_RESOLVE_MODE_AVERAGE_BIT
                                                               : VK_RESOLVE_MODE_SAMPLE_ZERO_BIT;
}

VkPipelineColorBlendAttachmentState blendOf(Blend blend) {
  VkPipelineColorBlendAttachmentState state{};
  state.colorWriteMask = VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT |
                         VK_COLOR_COMPONENT_A_BIT;
  state.blendEnable = blend == Blend::None ? VK_FALSE : VK_TRUE;
  state.srcColorBlendFactor = blend == Blend::Dual   ? VK_BLEND_FACTOR_SRC1_COLOR
                              : blend == Blend::Over ? VK_BLEND_FACTOR_SRC_ALPHA
                                                     : VK_BLEND_FACTOR_ONE;
  state.dstColorBlendFactor =
      blend == Blend::Over ? VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
  state.srcAlphaBlendFactor = blend == Blend::Dual ? VK_BLEND_FACTOR_SRC1_ALPHA : VK_BLEND_FACTOR_ONE;
  state.dstAlphaBlendFactor = state.dstColorBlendFactor;
  return state;
}

// A target's image, and the one with several samples that is rendered to and resolved to it.
class TargetImages {
 public:
  Outcome create(WorkPlace& place, const Drawing& drawing, const RenderTarget& target) {
    const ImageFormat& format = *findImageFormat(target.format);
    result_.spec.name = target.name;
    result_.spec.kind = ImageSpec::Kind::Target;
    result_.spec.format = target.format;
    result_.spec.size = {drawing.size[0], drawing.size[1], 1};
    result_.spec.type = format.type;
    result_.spec.channels = format.channels;
    result_.form.layers = drawing.views;
    result_.form.arrayed = drawing.views > 1;
    result_.contents.assign(result_.bytes(), 0xFF);
    if (Outcome bad = make(place, result_, image_)) return bad;
    if (drawing.samples == 1) return std::nullopt;
    RunImage several = result_;
    several.form.samples = drawing.samples;
    return make(place, several, several_);
  }

  VkRenderingAttachmentInfo attachment(const RenderTarget& target, bool depth) const {
    VkRenderingAttachmentInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
    info.imageView = image_.view();
    info.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
    if (several_.view() != VK_NULL_HANDLE) {
      info.resolveMode = resolveOf(target, depth);
      info.resolveImageView = image_.view();
      info.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
      info.imageView = several_.view();
    }
    info.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
    info.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    info.clearValue = clearOf(target, depth);
    return info;
  }

  Outcome read(Transfer& transfer, RenderTarget& target) {
    if (Outcome bad = image_.read(transfer, result_)) return bad;
    target.contents = result_.contents;
    return std::nullopt;
  }

 private:
  static Outcome make(WorkPlace& place, const RunImage& wanted, Image& image) {
    if (Outcome bad = image.create(place.transfer.device(), place.instance, place.physical.handle, wanted,
                                   nullptr, usageOf(wanted)))
      return bad;
    return image.fill(place.transfer, wanted);
  }

  RunImage result_;
  Image image_, several_;
};

// The states of a graphics pipeline, which point to one another.
class GraphicsState {
 public:
  explicit GraphicsState(const Drawing& drawing) : drawing_(drawing) {
    vertexInput();
    assembly_.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
    assembly_.topology = drawing.topology;
    tessellation_.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO;
    tessellation_.patchControlPoints = drawing.patchPoints;
    area_ = {{0, 0}, {drawing.size[0], drawing.size[1]}};
    viewport_ = {0, 0, static_cast<float>(drawing.size[0]), static_cast<float>(drawing.size[1]), 0, 1};
    viewports_.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
    viewports_.viewportCount = 1;
    viewports_.pViewports = &viewport_;
    viewports_.scissorCount = 1;
    viewports_.pScissors = &area_;
    rasterization_.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
    rasterization_.cullMode = drawing.cull;
    rasterization_.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
    rasterization_.lineWidth = 1;
    samples_.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
    samples_.rasterizationSamples = static_cast<VkSampleCountFlagBits>(drawing.samples);
    depth_.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
    depth_.depthTestEnable = drawing.depth ? VK_TRUE : VK_FALSE;
    depth_.depthWriteEnable = depth_.depthTestEnable;
    depth_.depthCompareOp = drawing.depthTest;
    for (const RenderTarget& target : drawing.targets) {
      attachments_.push_back(blendOf(target.blend));
      formats_.push_back(formatOf(target.format));
    }
    blend_.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
    blend_.attachmentCount = static_cast<uint32_t>(attachments_.size());
    blend_.pAttachments = attachments_.data();
    rendering_.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
    rendering_.viewMask = drawing.views > 1 ? (1u << drawing.views) - 1 : 0;
    rendering_.colorAttachmentCount = blend_.attachmentCount;
    rendering_.pColorAttachmentFormats = formats_.data();
    if (drawing.depth) rendering_.depthAttachmentFormat = formatOf(drawing.depth->format);
  }
  GraphicsState(const GraphicsState&) = delete;
  GraphicsState& operator=(const GraphicsState&) = delete;

  VkGraphicsPipelineCreateInfo info(const StageModules& stages, const PipelineLayout& layout) const {
    VkGraphicsPipelineCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.pNext = &rendering_;
    info.stageCount = static_cast<uint32_t>(stages.infos().size());
    info.pStages = stages.infos().data();
    info.pVertexInputState = &input_;
    info.pInputAssemblyState = &assembly_;
    info.pTessellationState = drawing_.patchPoints != 0 ? &tessellation_ : nullptr;
    info.pViewportState = &viewports_;
    info.pRasterizationState = &rasterization_;
    info.pMultisampleState = &samples_;
    info.pDepthStencilState = &depth_;
    info.pColorBlendState = &blend_;
    info.layout = layout.handle();
    return info;
  }

 private:
  void vertexInput() {
    for (const VertexBuffer& buffer : drawing_.vertexBuffers) {
      const auto binding = static_cast<uint32_t>(bindings_.size());
      bindings_.push_back({binding, buffer.stride,
                           buffer.perInstance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX});
      for (const VertexAttribute& a : buffer.attributes)
        attributes_.push_back({a.location, binding, formatOf(a.format), a.offset});
    }
    input_.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    input_.vertexBindingDescriptionCount = static_cast<uint32_t>(bindings_.size());
    input_.pVertexBindingDescriptions = bindings_.data();
    input_.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes_.size());
    input_.pVertexAttributeDescriptions = attributes_.data();
  }

  const Drawing& drawing_;
  std::vector<VkVertexInputBindingDescription> bindings_;
  std::vector<VkVertexInputAttributeDescription> attributes_;
  std::vector<VkPipelineColorBlendAttachmentState> attachments_;
  std::vector<VkFormat> formats_;
  VkRect2D area_{};
  VkViewport viewport_{};
  VkPipelineVertexInputStateCreateInfo input_{};
  VkPipelineInputAssemblyStateCreateInfo assembly_{};
  VkPipelineTessellationStateCreateInfo tessellation_{};
  VkPipelineViewportStateCreateInfo viewports_{};
  VkPipelineRasterizationStateCreateInfo rasterization_{};
  VkPipelineMultisampleStateCreateInfo samples_{};
  VkPipelineDepthStencilStateCreateInfo depth_{};
  VkPipelineColorBlendStateCreateInfo blend_{};
  VkPipelineRenderingCreateInfo rendering_{};
};

class DrawingWork : public Work {
 public:
  explicit DrawingWork(RunRequest& request) : request_(request), drawing_(*request.drawing) {}

  Outcome createPipeline(Device& device, const PipelineLayout& layout) override {
    const SpecializationInfo specialization(request_.specializations);
    if (Outcome bad = stages_.create(device, request_, specialization)) return bad;
    const GraphicsState state(drawing_);
    const VkGraphicsPipelineCreateInfo info = state.info(stages_, layout);
    VkPipeline pipeline = VK_NULL_HANDLE;
    if (Outcome bad = device.check(device.api().vkCreateGraphicsPipelines(device.handle(), VK_NULL_HANDLE, 1,
                                                                          &info, nullptr, &pipeline),
                                   "vkCreateGraphicsPipelines"))
      return bad;
    pipeline_ = {device, pipeline};
    return std::nullopt;
  }

  Outcome prepare(WorkPlace& place) override {
    device_ = &place.transfer.device();
    colors_.resize(drawing_.targets.size());
    for (size_t i = 0; i < colors_.size(); ++i) {
      if (Outcome bad = colors_[i].create(place, drawing_, drawing_.targets[i])) return bad;
    }
    if (drawing_.depth) {
      if (Outcome bad = depth_.create(place, drawing_, *drawing_.depth)) return bad;
    }
    for (const Buffer& buffer : place.buffers) buffers_.push_back(buffer.handle());
    return std::nullopt;
  }

  void record(Commands& commands, const Bound& bound) override {
    commands.bind(VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline_.get(), bound.layout, bound.sets,
                  bound.pushConstants);
    const DeviceApi& api = device_->api();
    for (uint32_t i = 0; i < drawing_.vertexBuffers.size(); ++i)
      api.vkCmdBindVertexBuffers(commands.handle(), i, 1, &buffers_[drawing_.vertexBuffers[i].buffer],
                                 &kStart);
    if (drawing_.indices != kNoBuffer)
      api.vkCmdBindIndexBuffer(commands.handle(), buffers_[drawing_.indices], kStart,
                               drawing_.indexBytes == 2 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32);
    for (uint32_t i = 0; i < drawing_.feedback.size(); ++i) {
      const VkDeviceSize bytes = request_.buffers[drawing_.feedback[i]].bytes;
      api.vkCmdBindTransformFeedbackBuffersEXT(commands.handle(), i, 1, &buffers_[drawing_.feedback[i]],
                                               &kStart, &bytes);
    }
    recordAgain(commands);
  }

  void recordAgain(Commands& commands) override {
    const DeviceApi& api = device_->api();
    std::vector<VkRenderingAttachmentInfo> colors;
    for (size_t i = 0; i < colors_.size(); ++i)
      colors.push_back(colors_[i].attachment(drawing_.targets[i], false));
    VkRenderingInfo info{};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
    info.renderArea = {{0, 0}, {drawing_.size[0], drawing_.size[1]}};
    info.layerCount = 1;
    info.viewMask = drawing_.views > 1 ? (1u << drawing_.views) - 1 : 0;
    info.colorAttachmentCount = static_cast<uint32_t>(colors.size());
    info.pColorAttachments = colors.data();
    VkRenderingAttachmentInfo depth{};
    if (drawing_.depth) {
      depth = depth_.attachment(*drawing_.depth, true);
      info.pDepthAttachment = &depth;
    }
    const bool core = api.vkCmdBeginRendering != nullptr;
    (core ? api.vkCmdBeginRendering : api.vkCmdBeginRenderingKHR)(commands.handle(), &info);
    if (!drawing_.feedback.empty())
      api.vkCmdBeginTransformFeedbackEXT(commands.handle(), 0, 0, nullptr, nullptr);
    draw(commands);
    if (!drawing_.feedback.empty())
      api.vkCmdEndTransformFeedbackEXT(commands.handle(), 0, 0, nullptr, nullptr);
    (core ? api.vkCmdEndRendering : api.vkCmdEndRenderingKHR)(commands.handle());
  }

  Outcome read(Transfer& transfer) override {
    for (size_t i = 0; i < colors_.size(); ++i) {
      if (Outcome bad = colors_[i].read(transfer, drawing_.targets[i])) return bad;
    }
    return drawing_.depth ? depth_.read(transfer, *drawing_.depth) : std::nullopt;
  }

 private:
  static constexpr VkDeviceSize kStart = kGuardBytes;

  void draw(Commands& commands) const {
    const DeviceApi& api = device_->api();
    const auto& groups = drawing_.groups;
    const bool meshes = std::any_of(request_.stages.begin(), request_.stages.end(), [](const RunStage& s) {
      return s.stage->bit == VK_SHADER_STAGE_MESH_BIT_EXT;
    });
    if (meshes)
      api.vkCmdDrawMeshTasksEXT(commands.handle(), groups[0], groups[1], groups[2]);
    else if (drawing_.indices != kNoBuffer)
      api.vkCmdDrawIndexed(commands.handle(), drawing_.vertices, drawing_.instances, 0, 0, 0);
    else
      api.vkCmdDraw(commands.handle(), drawing_.vertices, drawing_.instances, 0, 0);
  }

  RunRequest& request_;
  Drawing& drawing_;
  Device* device_ = nullptr;
  StageModules stages_;
  Owned<VkPipeline, &DeviceApi::vkDestroyPipeline> pipeline_;
  std::vector<TargetImages> colors_;
  TargetImages depth_;
  std::vector<VkBuffer> buffers_;
};

}  // namespace

std::unique_ptr<Work> makeDrawing(RunRequest& request) { return std::make_unique<DrawingWork>(request); }

}  // namespace coopc::vk
