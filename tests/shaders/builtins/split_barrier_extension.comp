// The functions need their extension; barrier() does not become one of them.
#version 460
layout(local_size_x = 64) in;
void main() {
  controlBarrierArrive();
  controlBarrierWait();
}
