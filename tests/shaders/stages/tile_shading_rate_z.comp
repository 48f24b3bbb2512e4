// Rates are not zero.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_tile_shading : require
layout(shading_rate_zQCOM = 0) in;
void main() {}
