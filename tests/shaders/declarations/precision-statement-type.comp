#version 450
layout(local_size_x = 1) in;
precision highp vec4;
precision mediump bool;
precision mediump int;
void main() {}
