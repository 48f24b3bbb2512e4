// For programs that share the mutators' library and are no fuzzers: libFuzzer's function, which they never
// call.
#include "tests/fuzz/fuzz.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t*, size_t size, size_t) { return size; }
