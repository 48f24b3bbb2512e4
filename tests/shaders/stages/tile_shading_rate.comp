// Rates are powers of two.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_tile_shading : require
layout(shading_rate_xQCOM = 3) in;
void main() {}
