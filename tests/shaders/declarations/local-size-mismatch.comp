#version 450
layout(local_size_x = 1) in;
layout(local_size_x = 2) in;
layout(local_size_y_id = 3) in;
layout(local_size_y_id = 4) in;
void main() {}
