// A declaration with more decorations than SPIR-V has kinds of them, and a shader with more execution modes than an entry point may
// have: four members with 255 decorations are valid.
#version 450
#extension GL_EXT_spirv_intrinsics : require
layout(local_size_x = 1) in;
#define TWO(x) x x
#define FOUR(x) TWO(x) TWO(x)
#define SIXTEEN(x) FOUR(x) FOUR(x) FOUR(x) FOUR(x)
#define FIFTEEN(x) FOUR(x) FOUR(x) FOUR(x) TWO(x) x
#define MANY(x) FIFTEEN(SIXTEEN(x)) FIFTEEN(x)
#define R spirv_decorate(0)
struct Right { MANY(R) float a, b, c, d; };
struct Wrong { MANY(R) R R R float a, b; };
layout(set = 0, binding = 0) buffer Block { MANY(R) R float x; };
MANY(R) R shared float s;
MANY(R) R float f(MANY(R) R float a) { return a; }
MANY(spirv_execution_mode(4461);)
spirv_execution_mode(4462);
spirv_execution_mode(4463);
void main() {}
