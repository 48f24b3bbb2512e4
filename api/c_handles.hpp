// What the handles of the C interface are: internal to api/, shared by c_api.cpp and c_query.cpp.
#pragma once

#include "coopc/coopc.hpp"

struct coopc_options {
  coopc::Options value;
};
struct coopc_result {
  coopc::Result value;
};
