// A limit: a billion laughs.
#version 450
#define L0 x
#define L1 L0 L0
#define L2 L1 L1
#define L3 L2 L2
#define L4 L3 L3
#define L5 L4 L4
#define L6 L5 L5
#define L7 L6 L6
#define L8 L7 L7
#define L9 L8 L8
#define L10 L9 L9
#define L11 L10 L10
#define L12 L11 L11
#define L13 L12 L12
#define L14 L13 L13
#define L15 L14 L14
#define L16 L15 L15
#define L17 L16 L16
#define L18 L17 L17
#define L19 L18 L18
#define L20 L19 L19
#define L21 L20 L20
#define L22 L21 L21
#define L23 L22 L22
#define L24 L23 L23
#define L25 L24 L24
#define L26 L25 L25
#define L27 L26 L26
#define L28 L27 L27
#define L29 L28 L28
#define L30 L29 L29
layout(local_size_x = 1) in;
void main() {}
int L30;
