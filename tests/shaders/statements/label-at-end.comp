#version 450
layout(local_size_x = 1) in;
void main() {
  switch (1) { case 1: break; default: }
  switch (2) { }
  switch (3) { case 1: case 2: break; }
}
