#version 450
layout(local_size_x = 1) in;
#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_EXT_terminate_invocation : require
void main() {
  discard;
  demote;
  terminateInvocation;
}
