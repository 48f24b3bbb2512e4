// An entry point as WGSL writes it is one error.
#version 450
fn main() { }
