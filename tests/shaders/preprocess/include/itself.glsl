#include "itself.glsl"
