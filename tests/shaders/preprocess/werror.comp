// -w and -Werror.
// RUN: coopc --target-env=vulkan1.3 -w %s
// RUN: coopc --target-env=vulkan1.3 -Werror %s
// RUN: coopc --target-env=vulkan1.3 --diagnostics-format=json %s
#version 450
#define a__b
layout(local_size_x = 1) in;
void main() {}
