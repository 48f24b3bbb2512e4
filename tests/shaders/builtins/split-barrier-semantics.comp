// SplitBarrierSemantics, SplitBarrierScope, and the rules of GL_KHR_memory_scope_semantics that apply to both parts.
#version 460
#extension GL_EXT_split_barrier : require
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 64) in;
#define W gl_ScopeWorkgroup
#define S gl_StorageSemanticsShared
void main() {
  controlBarrierArrive(W, W, S, gl_SemanticsAcquire);
  controlBarrierArrive(W, W, S, gl_SemanticsAcquireRelease);
  controlBarrierWait(W, W, S, gl_SemanticsRelease);
  controlBarrierWait(W, W, S, gl_SemanticsAcquireRelease);
  controlBarrierArrive(gl_ScopeInvocation, W, S, gl_SemanticsRelease);
  controlBarrierWait(gl_ScopeDevice, W, S, gl_SemanticsAcquire);
  controlBarrierArrive(W, W, 0, gl_SemanticsRelease);
  controlBarrierWait(W, W, S, gl_SemanticsRelaxed);
  controlBarrierArrive(W, W, S, gl_SemanticsRelease | gl_SemanticsVolatile);
  controlBarrierArrive(W, W, S, gl_SemanticsMakeVisible | gl_SemanticsRelease);
  controlBarrierArrive(W, 9, S, gl_SemanticsRelease);
  controlBarrierArrive(W, W, 3, gl_SemanticsRelease);
  controlBarrierWait(W, W, S, int(gl_LocalInvocationIndex));
}
