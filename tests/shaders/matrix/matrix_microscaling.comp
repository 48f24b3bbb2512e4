// MatrixMicroscaling: SPV_EXT_ocp_microscaling_types leaves matrices of its types to a later extension.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_vector : require
#extension GL_EXT_float_e2m1 : require
#extension GL_EXT_float_ue8m0 : require
layout(local_size_x = 32) in;

void main() {
  coopmat<floate2m1_t, 3, 16, 16, gl_MatrixUseA> a;
  coopmat<floatue8m0_t, 3, 16, 16, gl_MatrixUseA> b;
  coopvecNV<floatue8m0_t, 16> c;
}
