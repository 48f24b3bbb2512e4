#line 5
int inIncluded = 1;
#line 9 "other.glsl"
int inOther = __LINE__;
