#version 450
// Escape sequences of strings. Those of #line are part of a file's name.
#extension GL_EXT_debug_printf : require
#extension GL_GOOGLE_cpp_style_line_directive : require
#define TEXT "in a macro \q"
layout(local_size_x = 1) in;
void main() {
  debugPrintfEXT("fine: \' \" \? \\ \a \b \f \n \r \t \v \x41 \x041 \101 \0");
  debugPrintfEXT("\xZ");
  debugPrintfEXT("\8 and \d");
  debugPrintfEXT(TEXT);
  debugPrintfEXT("in a \
continued line \t \x4\
1 \u \é");
#line 20 "\some\folder"
}
