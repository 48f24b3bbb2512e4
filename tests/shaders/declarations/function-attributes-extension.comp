// AttributesExtension: without the extension.
#version 460
layout(local_size_x = 1) in;
[[inline]] int one(int a) { return a + 1; }
int other(int a) [[noinline]] { return a + 1; }
void main() {}
