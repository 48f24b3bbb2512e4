// Errors of the lexer and the preprocessor stand among those of the language, in the order of the text. The tokens
// that they leave out cause no further errors.
// RUN: coopc %s
#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer B { int x[]; };
#define ONE(a) a
void main() {
  x[0] = first;
  int a = "text";
  x[1] = "text" + a;
  if ("text" == a) x[2] = second;
  x["text"] = 1;
  float f = -"text";
  x[3] = 3 @ third;
  x[4] = @;
  x[5] = 09 + fourth;
  x[6] = ONE(1, 2);
  x[7] = fifth + 0x;
#error stop
  x[8] = sixth;
  x[9] = 'c';
  x[10] = seventh;
}
