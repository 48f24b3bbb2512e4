// HLSL has no point sizes.
//! glsl compiles
//! glsl has gl_PointSize = 
//! hlsl refused SPIRV-Cross refuses it: Unsupported builtin in HLSL: PointSize
//! msl has [[point_size]]
#version 450
layout(location = 0) in vec4 position;
void main() {
  gl_Position = position;
  gl_PointSize = position.w * 4.0;
}
