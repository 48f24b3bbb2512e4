// Helper invocations go on after `demote`; a subpass input; early fragment tests.
//! glsl compiles
//! glsl has demote;
//! glsl has subpassLoad
//! glsl has layout(early_fragment_tests) in;
//! hlsl has [earlydepthstencil]
//! msl has [[ early_fragment_tests ]]
#version 450
#extension GL_EXT_demote_to_helper_invocation : require
layout(early_fragment_tests) in;
layout(input_attachment_index = 0, set = 0, binding = 0) uniform subpassInput before;
layout(location = 0) in float cover;
layout(location = 0) out vec4 target;
void main() {
  if (cover < 0.5) demote;
  target = subpassLoad(before) + vec4(dFdxFine(cover));
}
