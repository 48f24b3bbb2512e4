#version 450
#extension GL_NV_shading_rate_image : require
#extension GL_NV_conservative_raster_underestimation : require
void main() { gl_Position = vec4(gl_FragmentSizeNV, gl_InvocationsPerPixelNV, gl_FragFullyCoveredNV); }
