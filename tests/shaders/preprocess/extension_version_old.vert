// GL_EXT_ray_tracing and GL_EXT_ray_query are written for 460. The reference compiler reads their names and types
// in older versions too, on which PasVulkan's shaders rely (decision 70).
// RUN: coopc --target-env=vulkan1.2 %s
// RUN: coopc --target-env=vulkan1.2 -Wall %s
// RUN: coopc --target-env=vulkan1.2 -fstrict %s
#version 450
#extension GL_EXT_ray_tracing : enable
#extension GL_EXT_ray_query : enable
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) in vec4 position;
void main() { gl_Position = position; }
