// References do not pass between stages.
// RUN: coopc --target-env=vulkan1.3 %s
#version 450
#extension GL_EXT_buffer_reference : require
layout(buffer_reference) buffer Data {
  vec4 v;
};
layout(location = 0) flat in Data data;
layout(location = 0) out vec4 result;
void main() {
  result = data.v;
}
