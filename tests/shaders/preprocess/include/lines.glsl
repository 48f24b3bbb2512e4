#line 5
int inIncluded = @;
#line 9 "other.glsl"
int inOther = @;
