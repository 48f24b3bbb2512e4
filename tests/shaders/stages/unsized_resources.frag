// CHECK-SPIRV
// GL_EXT_nonuniform_qualifier, 4.1.9: arrays of resources without a size are run-time sized if an index is not constant, and implicitly sized otherwise.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform sampler2D constantOnly[];
layout(set = 0, binding = 1) uniform sampler2D both[];
layout(set = 0, binding = 2) uniform sampler2D unused[];
layout(set = 0, binding = 3) uniform Sized { vec4 v; } blocks[];
layout(set = 0, binding = 4) buffer Runtime { vec4 v; } buffers[];
layout(set = 0, binding = 5, rgba8) uniform image2D images[];
layout(constant_id = 0) const int kIndex = 3;
layout(set = 0, binding = 6) uniform texture2D specialized[];
layout(set = 0, binding = 7) uniform sampler s;
layout(location = 0) flat in int i;
layout(location = 0) out vec4 color;
void main() {
  color = texture(constantOnly[2], vec2(0.5)) + texture(constantOnly[1], vec2(0.5));
  color += texture(both[4], vec2(0.5)) + texture(both[nonuniformEXT(i)], vec2(0.5));
  color += blocks[1].v + buffers[0].v + buffers[i].v + imageLoad(images[3], ivec2(0));
  color += texture(sampler2D(specialized[kIndex], s), vec2(0.5));
}
