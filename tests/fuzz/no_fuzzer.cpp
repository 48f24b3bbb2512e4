// A stub of libFuzzer's function, for programs that link the mutators' library but are not fuzzers. They
// never call it.
#include "tests/fuzz/fuzz.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t*, size_t size, size_t) { return size; }
