// There is only one rate.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_QCOM_tile_shading : require
layout(shading_rate_yQCOM = 2) in;
layout(shading_rate_yQCOM = 4) in;
void main() {}
