#version 450
layout(local_size_x = 1) in;
42;
+ int a;
foo;
}
int b;
void main() {}
