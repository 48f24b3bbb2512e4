// ESSL has no `attribute` for Vulkan, and fragment shaders have none at all.
// RUN: coopc --target-env=vulkan1.3 -std=310es %s
// RUN: coopc --target-env=vulkan1.3 -fshader-stage=fragment -std=330 %s
layout(location = 0) attribute vec4 position;
void main() {}
