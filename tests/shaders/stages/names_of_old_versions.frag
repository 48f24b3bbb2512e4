// Qualifiers that later versions added are names in `#version 330`, where no other word of a declaration
// follows them: of a block, a variable, a parameter, a member, a function.
// RUN: coopc --target-env=vulkan1.3 %s
#version 330
#extension GL_ARB_separate_shader_objects : require
#extension GL_ARB_shading_language_420pack : require
layout(binding = 0) uniform buffer { mat4 patch; } coherent;
layout(binding = 1) uniform sampler2D readonly;
layout(location = 0) in vec2 precise;
layout(location = 0) out vec4 color;
struct Light { float sample, restrict; } resource;
float writeonly(float sample) { return sample * 2.0; }
float subroutine(Light l) { return l.sample - l.restrict; }
void main() {
  resource = Light(0.5, 0.25);
  vec4 sample = texture(readonly, precise);
  sample.x += writeonly(precise.x);
  float patch[2] = float[2](resource.sample, subroutine(resource));
  if (sample.y > patch[1]) sample = coherent.patch * sample;
  color = -sample * (sample);
}
