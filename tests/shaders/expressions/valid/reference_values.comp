// CHECK-SPIRV
#version 450
// A block's qualifiers apply to the memory that its references point to, not to variables that hold the references.
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430) writeonly buffer Sink { vec2 v[]; };
layout(buffer_reference, std430) readonly buffer Source { vec2 v[]; };
layout(set = 0, binding = 0) readonly buffer Data { Sink sinks[4]; Source sources[4]; } data;
restrict Sink kept;
void main() {
  restrict Sink sink = data.sinks[0];
  Source source = data.sources[0];
  sink.v[0] = source.v[1];
  source = data.sources[1];
  sink = data.sinks[1];
  kept = sink;
  kept.v[2] = source.v[3];
}
