// An input attachment has one variable for each aspect (decision 74): two for depth and stencil, but not two of floats. Variables for
// one and for several samples, of which a shader reads one, and unused variables are not changed.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -Wall %s
#version 460
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput depth;
layout(input_attachment_index = 0, set = 0, binding = 1) uniform usubpassInput stencil;
layout(input_attachment_index = 0, set = 0, binding = 2) uniform subpassInputMS samples;
layout(input_attachment_index = 0, set = 0, binding = 3) uniform subpassInput unused;
layout(input_attachment_index = 1, set = 0, binding = 4) uniform subpassInput colors[3];
layout(input_attachment_index = 3, set = 0, binding = 5) uniform subpassInput last;
layout(input_attachment_index = 4, set = 0, binding = 6) uniform subpassInput next;
layout(location = 0) out vec4 o;
layout(constant_id = 0) const bool single = true;
void main() {
  o = single ? subpassLoad(depth) : subpassLoad(samples, 0);
  o += subpassLoad(colors[2]) + subpassLoad(last) + subpassLoad(next) + vec4(subpassLoad(stencil));
}
