// A source for the test of scripts/mutants: functions, and a main() that tests some of what they do.
#include <cstdio>

namespace {

constexpr int kSizes[] = {1, 2, 3};  // the compiler's: no faults

int difference(int a, int b) { return a - b; }

int clamp(int value, int low, int high) {
  if (value < low) return low;
  if (value > high) value = high;
  return value;
}

int sum(const int* values, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) {
    if (values[i] == 0) continue;
    total += values[i];
  }
  return total;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

void neverCalled(int& x) { x = 7; }

}  // namespace

int main(int argc, char**) {
  if (argc > 99) neverCalled(argc);
  const int low = 1;
  const int high = 5;
  const bool good = difference(5, 3) == 2 && clamp(9, low, high) == 5 && clamp(3, low, high) == 3 &&
                    sum(kSizes, 3) == 6 && isDigit('4');
  if (good) return 0;
  std::puts("wrong");
  return 1;
}
