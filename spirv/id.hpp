// Result ids, and how they are passed to what writes instructions.
//
// Making a type, a constant or a value writes instructions and takes ids. C++ leaves the order of a call's arguments
// open, so a call with two such arguments would give modules whose ids depend on the compiler that built us. Therefore a
// function that takes several ids takes them as NamedId, or in a braced list, whose elements are evaluated in order.
#pragma once

#include <cstdint>

namespace coopc::spirv {

// A result id; 0 is no id.
using Id = uint32_t;

// An id that had a name before the call: it binds to variables, never to what a call has just made.
class NamedId {
 public:
  constexpr NamedId(const Id& id) : id_(id) {}
  NamedId(const Id&&) = delete;  // name it first: `const Id t = type(x);`
  constexpr operator Id() const { return id_; }

 private:
  Id id_;
};

}  // namespace coopc::spirv
