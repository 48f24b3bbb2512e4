// An error inside a macro is shown where the macro is used, with the definition as a note.
#version 450
#define INNER(x) x @ 1
#define OUTER(x) 2 + INNER(x)
layout(local_size_x = 1) in;
void main() {
  int a = OUTER(3);
  int b = OUTER($);
}
