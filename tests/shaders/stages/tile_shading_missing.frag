// The layout qualifiers need the extension.
// RUN: coopc --target-env=vulkan1.3 %s
#version 460
layout(non_coherent_attachment_readQCOM) in;
void main() {}
