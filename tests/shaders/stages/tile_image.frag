// Attachments of the framebuffer are read: color through variables and arrays of them, depth and stencil without variables.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 460
#extension GL_EXT_shader_tile_image : require
layout(non_coherent_color_attachment_readEXT, non_coherent_depth_attachment_readEXT) in;
layout(non_coherent_stencil_attachment_readEXT) in;
layout(location = 0) tileImageEXT attachmentEXT colors[2];
layout(location = 2) tileImageEXT iattachmentEXT signs;
layout(location = 4) tileImageEXT attachmentEXT single;
layout(location = 3) tileImageEXT highp uattachmentEXT counts;
layout(location = 0) out vec4 color;
layout(location = 3) out uvec2 count;
vec4 twice(attachmentEXT one, int i) { return colorAttachmentReadEXT(one) + colorAttachmentReadEXT(one, i); }
void main() {
  color = twice(single, gl_SampleID) + colorAttachmentReadEXT(colors[0]) + colorAttachmentReadEXT(colors[1], 3);
  color.x += depthAttachmentReadEXT() * depthAttachmentReadEXT(1);
  color.y += float(colorAttachmentReadEXT(signs).x);
  count = colorAttachmentReadEXT(counts).xy + (stencilAttachmentReadEXT() | stencilAttachmentReadEXT(2));
}
