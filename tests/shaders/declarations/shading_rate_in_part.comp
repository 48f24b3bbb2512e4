// RUN: coopc --target-env=vulkan1.3 -DRATE=shading_rate_xQCOM %s
// RUN: coopc --target-env=vulkan1.3 -DRATE=shading_rate_yQCOM %s
// RUN: coopc --target-env=vulkan1.3 -DRATE=shading_rate_zQCOM %s
// CHECK-SPIRV
// Rates that are not given are 1.
#version 460
#extension GL_QCOM_tile_shading : require
layout(RATE = 2) in;
void main() {}
