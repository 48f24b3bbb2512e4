// SPV_KHR_opacity_micromap requires SPIR-V 1.4.
// RUN: coopc --target-env=vulkan1.1 -S -o - %s
#version 460
#extension GL_EXT_opacity_micromap_ray_query_mode : require
void main() {}
