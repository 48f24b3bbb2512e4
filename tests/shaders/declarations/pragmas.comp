#version 450
layout(local_size_x = 1) in;
#pragma nonsense(42)
#pragma use_vulkan_memory_model
#pragma optimize(on)
#pragma STDGL invariant(all)
void main() {}
