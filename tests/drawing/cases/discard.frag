#version 460
#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_EXT_terminate_invocation : require
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) buffer Count { uint reached; uint helpers; };
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  if (p.y < 4) {
    if ((p.x & 3) == 0) discard;
  } else if (p.y < 8) {
    if ((p.x & 1) == 0) demote;
    // The derivative needs what the demoted neighbor computes.
    float d = dFdx(float(p.x * p.x));
    color = vec4(d / 255.0, helperInvocationEXT() ? 1.0 : 0.0, 0.0, 1.0);
    atomicAdd(reached, 1u);
    return;
  } else if (p.y < 12) {
    if (p.x > 11) terminateInvocation;
  }
  atomicAdd(reached, 1u);
  color = vec4(1.0);
}
