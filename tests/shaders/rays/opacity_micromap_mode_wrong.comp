#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_opacity_micromap_ray_query_mode : require
layout(constant_id = 2) const bool gl_EnableOpacityMicromapEXT = false;
bool gl_EnableOpacityMicromapEXT = true;
const int gl_EnableOpacityMicromapEXT = 1;
const bool gl_EnableOpacityMicromapEXT = true;
const bool gl_EnableOpacityMicromapEXT = false;
layout(constant_id = 3) gl_EnableOpacityMicromapEXT;
void main() { const bool gl_EnableOpacityMicromapEXT = true; }
