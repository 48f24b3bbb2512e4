// An error from 4.60 and ESSL 3.20 on; in earlier versions the reference compiler warns.
// RUN: coopc --target-env=vulkan1.3 %s
// RUN: coopc --target-env=vulkan1.3 -fstrict %s
// RUN: coopc --target-env=vulkan1.3 -std=460 %s
// RUN: coopc --target-env=vulkan1.3 -std=310es %s
// RUN: coopc --target-env=vulkan1.3 -std=320es %s
#version 450
layout(local_size_x = 1) in;
void main() {
  switch (1) { case 1: break; default: }
  switch (2) { }
  switch (3) { case 1: case 2: break; }
}
