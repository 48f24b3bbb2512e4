// Components of an output's location have one numeric type, signedness included (Vulkan, "Fragment Output Interface").
#version 450
layout(location = 0, component = 0) out int sign;
layout(location = 0, component = 1) out uint number;
void main() {}
