// ReferenceBeforeDeclaration: a block that names itself needs a forward declaration (GL_EXT_buffer_reference).
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
#extension GL_EXT_buffer_reference : require
layout(buffer_reference) buffer Declared;
layout(buffer_reference) buffer Declared { int x; Declared next; };
layout(buffer_reference) buffer Node { int x; Node next; Node more[2]; };
layout(push_constant) uniform Push { Node n; Declared d; } push;
void main() { push.n.next.x = push.d.next.x; }
