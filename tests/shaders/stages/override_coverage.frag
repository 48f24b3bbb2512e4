// GL_NV_sample_mask_override_coverage and GL_NV_conservative_raster_underestimation.
// RUN: coopc --target-env=vulkan1.1 %s
// CHECK-SPIRV
#version 450
#extension GL_NV_sample_mask_override_coverage : require
#extension GL_NV_conservative_raster_underestimation : require
layout(override_coverage) out int gl_SampleMask[];
layout(location = 0) out vec4 c;
void main() {
  gl_SampleMask[0] = gl_SampleMaskIn[0];
  c = vec4(gl_FragFullyCoveredNV);
}
