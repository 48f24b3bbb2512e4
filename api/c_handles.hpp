// The handles of the C interface, and the check of its enumerations. Internal to api/: shared by c_api.cpp
// and c_query.cpp.
#pragma once

#include "coopc/coopc.hpp"

struct coopc_options {
  coopc::Options value;
};
struct coopc_result {
  coopc::Result value;
};

// Enumerators of the C and the C++ interface have equal values, so C functions convert by a cast.
#define COOPC_SAME(c, cpp) static_assert(int(c) == int(coopc::cpp), #c " and coopc::" #cpp " differ")
