#version 320 es
//! glsl compiles
//! hlsl written
//! msl written
//! glsl has #version 460
//! glsl lacks 460 es
precision mediump float;
precision highp int;
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer B { highp float f; mediump int n; };
void main() { f = f * 2.0; n += 1; }
