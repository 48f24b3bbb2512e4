// Without #version, the version is 110.
layout(local_size_x = 1) in;
void main() {}
