#version 450
layout(local_size_x = 1) in;
void main() {
  switch (1.0) { case 1: break; }
  switch (ivec2(1)) { default: break; }
  switch (true) { default: break; }
}
