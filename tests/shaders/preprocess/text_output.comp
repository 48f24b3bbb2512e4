// -E.
// RUN: coopc -E %s -DFROM_LINE=7 -UGONE
#version 450
#extension GL_EXT_shader_8bit_storage : enable
#include "include/declaration.glsl"
#define F(a, b) a+b /* comment */
#pragma once
int x = F(1, FROM_LINE) [ 2 ] . y;

#if 0
skipped
#endif
#line 50
int y = __LINE__ ; // end
