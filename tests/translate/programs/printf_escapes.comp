//! glsl compiles
//! hlsl refused the module has debugPrintfEXT, which HLSL does not have
//! msl written
//! glsl has debugPrintfEXT("v\t\"%d\"\\n\n", 3)
//! glsl has debugPrintfEXT("octal A hex A bell \a ? ? end \001 \1772")
#version 450
#extension GL_EXT_debug_printf : enable
#define SAY(x) debugPrintfEXT("v\t\"%d\"\\n\n", x)
layout(local_size_x = 1) in;
void main() { debugPrintfEXT("with Newline\n"); SAY(3); debugPrintfEXT("octal \101 hex \x41 bell \a ? \? end \1 \1772"); }
