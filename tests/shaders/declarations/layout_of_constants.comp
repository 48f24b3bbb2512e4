// Messages call a variable a constant only outside of functions.
#version 460
layout(local_size_x = 1) in;
layout(location = 1) const float a = 1;
layout(binding = 1) float b;
void main() {
  layout(location = 1) const float c = 1;
  layout(location = 1) float d;
}
