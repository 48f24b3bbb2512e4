// 4.1.3.
#version 450
layout(local_size_x = 1) in;
void main() {
  int a = 4294967296;
  uint b = 0x1FFFFFFFFu;
}
