#version 310 es
// Features of ESSL 3.20 that 3.10 has with extensions.
#extension GL_OES_shader_image_atomic : require
#extension GL_OES_texture_buffer : require
#extension GL_EXT_texture_buffer : require
#extension GL_OES_texture_cube_map_array : require
#extension GL_EXT_texture_cube_map_array : require
#extension GL_OES_gpu_shader5 : require
#extension GL_EXT_gpu_shader5 : require
#extension GL_EXT_shader_non_constant_global_initializers : require
#extension GL_EXT_shader_integer_mix : require
precision highp float;
precision highp int;
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { vec4 v; uint u; } data;
layout(set = 0, binding = 1, r32ui) uniform highp uimage2D image;
layout(set = 0, binding = 2) uniform highp samplerBuffer texels;
layout(set = 0, binding = 3) uniform highp samplerCubeArray cubes;
layout(set = 0, binding = 4) uniform highp sampler2D flat4[4];
layout(set = 0, binding = 5, rgba8) writeonly uniform highp imageBuffer sink;
layout(set = 0, binding = 6) uniform highp samplerCubeArrayShadow shadows;
float start = data.v.x;
void main() {
  data.u = imageAtomicAdd(image, ivec2(0), 1u);
  data.v = texelFetch(texels, 0) + textureLod(cubes, vec4(start), 0.0);
  data.v += texelFetch(flat4[data.u], ivec2(0), 0);
  data.v.x = fma(data.v.x, data.v.y, data.v.z);
  imageStore(sink, 0, data.v);
}
