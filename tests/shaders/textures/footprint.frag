// Footprints of look-ups, in all forms.
// RUN: coopc --target-env=vulkan1.3 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_shader_texture_footprint : require
layout(binding = 0) uniform sampler2D flats;
layout(binding = 1) uniform sampler3D solids;
layout(binding = 2) uniform texture2D image;
layout(binding = 3) uniform sampler filters;
layout(location = 0) in vec3 p;
layout(location = 1) in flat int size;
layout(location = 0) out uvec4 color;
void main() {
  gl_TextureFootprint2DNV a;
  gl_TextureFootprint3DNV b;
  bool one = textureFootprintNV(flats, p.xy, size, true, a);
  color = uvec4(a.anchor, a.offset);
  one = textureFootprintNV(sampler2D(image, filters), p.xy, size, false, a, 0.5) || one;
  one = textureFootprintClampNV(flats, p.xy, 1.0, size, true, a) || one;
  one = textureFootprintClampNV(flats, p.xy, 1.0, size, true, a, 0.5) || one;
  one = textureFootprintLodNV(flats, p.xy, 2.0, size, true, a) || one;
  one = textureFootprintGradNV(flats, p.xy, p.yz, p.zx, size, true, a) || one;
  one = textureFootprintGradClampNV(flats, p.xy, p.yz, p.zx, 1.0, size, true, a) || one;
  color += uvec4(a.mask, a.lod, a.granularity);
  gl_TextureFootprint3DNV all[2];
  one = textureFootprintNV(solids, p, size, true, b) || textureFootprintLodNV(solids, p, 2.0, size, true, all[1]) || one;
  color.xyz += b.anchor + all[1].offset;
  if (one) color += 1u;
}
