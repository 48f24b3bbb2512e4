#version 450
layout(local_size_x = 1) in;
#extension GL_KHR_cooperative_matrix : require
void main() {
  coopmat a;
}
