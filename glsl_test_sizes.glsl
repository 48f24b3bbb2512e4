#define ROWS 24
uint twice(uint n) { return n * 2; }
