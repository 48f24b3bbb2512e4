// VALIDATE: newest the linked SPIRV-Tools does not know SPV_EXT_descriptor_heap
// CHECK-SPIRV
// GL_EXT_descriptor_heap, the example of its text.
#version 460
#extension GL_EXT_descriptor_heap : require
#extension GL_EXT_nonuniform_qualifier : require
layout(descriptor_heap) uniform sampler heapSampler[];
layout(descriptor_heap) uniform texture2D heapTexture2D[];
layout(descriptor_heap) uniform texture3D heapTexture3D[];
layout(descriptor_heap) buffer StorageBufferA { vec4 a; } heapStorageBufferA[];
layout(descriptor_heap) buffer StorageBufferB { vec4 b; } heapStorageBufferB[];
layout(descriptor_heap) uniform UniformBuffer { vec4 colorOffset; } heapUniformBuffer[];
layout(location = 0) in vec2 uvs;
layout(location = 1) flat in uint index;
layout(location = 0) out vec4 fragColor;
void main() {
  fragColor = texture(sampler2D(heapTexture2D[27], heapSampler[0]), uvs);
  fragColor += heapUniformBuffer[nonuniformEXT(index)].colorOffset;
}
