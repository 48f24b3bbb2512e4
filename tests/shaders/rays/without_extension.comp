// Names that need an extension.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) rayPayloadEXT vec4 payload;
void main() {
  rayQueryEXT q;
  rayQueryProceedEXT(q);
  uint flags = gl_RayFlagsOpaqueEXT;
}
