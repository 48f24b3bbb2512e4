#version 460
// Components read and written by an index that is only known at run time: of a matrix, of a matrix in a structure, and of one in an
// array, which an index selects as well.
#include "matrices.glsl"

struct Holder {
  float before;
  SUM(ROWS, COLUMNS) m;
};

void main() {
  SUM(ROWS, COLUMNS) start;
  coopMatLoad(start, c, PART * ROWS * COLUMNS, COLUMNS, kByRows);
  SUM(ROWS, COLUMNS) several[3];
  Holder holder;
  holder.before = 1.0;
  holder.m = start;
  for (uint n = 0; n < 3; ++n) several[n] = start * float(n + 1);
  const uint count = start.length();
  // b[n] is known only at run time. With zeros, components are visited in descending order.
  for (uint i = 0; i < count; ++i) {
    const uint at = count - 1 - i + uint(b[i % 2]);
    holder.m[at] = holder.m[at] * 2.0 + start[at];
    const uint which = (at + uint(b[0])) % 3;
    several[which][at] = several[which][at] + 100.0 * float(which);
  }
  SUM(ROWS, COLUMNS) result = holder.m;
  for (uint i = 0; i < count; ++i) {
    const uint which = (i + uint(b[1])) % 3;
    // several[which][i] is (which + 1) c + 100 which: this removes the part that depends on the component's number.
    result[i] += (several[which][i] - 100.0 * float(which)) / float(which + 1);
  }
  coopMatStore(result, d, PART * ROWS * COLUMNS, COLUMNS, kByRows);
}
