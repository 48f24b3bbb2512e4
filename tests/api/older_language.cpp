// Compiled as C++17: the public C++ headers must say that they need C++20.
#include "coopc/coopc.hpp"
#include "coopc/lower.hpp"
