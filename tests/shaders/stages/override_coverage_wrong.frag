#version 450
layout(override_coverage) out int gl_SampleMask[];
#extension GL_NV_sample_mask_override_coverage : require
layout(override_coverage) out float gl_FragDepth;
layout(override_coverage) in int gl_SampleMaskIn[];
layout(override_coverage, location = 0) out vec4 c;
void main() { c = vec4(gl_FragFullyCoveredNV); }
