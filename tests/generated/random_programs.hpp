// Random compute programs that terminate and whose results are defined: every index is in range, divisors are
// positive, shifts are small, and floating-point numbers are kept to multiples of 1/8 below 64, so that all
// arithmetic on them is exact. Programs do not depend on what the language leaves open (the order of copying
// out, aliased outputs, unset variables). Two correct compilers must therefore compute the same numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coopc::tests {

constexpr uint32_t kRandomInvocations = 16;  ///< the workgroup's size
constexpr uint32_t kRandomGroups = 2;
constexpr uint32_t kRandomInputs = 64;   ///< words at binding 0, read by all
constexpr uint32_t kRandomResults = 64;  ///< words per invocation at binding 1
/// at bindings 2 and 3: blocks of the program's own layout
constexpr uint32_t kRandomMemoryBytes = 1u << 18;

/// The text of the program for this seed.
std::string randomProgram(uint64_t seed);

/// A value that a stage gets or passes on.
struct RandomValue {
  std::string name;   ///< as main() writes it: "la1", "la.w1", "lb1[gl_InvocationID]"
  char scalar = 'u';  ///< 'i', 'u', 'l' (int64_t), 'f'
  uint32_t rows = 1, columns = 1;
  uint32_t size = 0;       ///< of an array of them
  bool readable = false;   ///< of an output: main() may read and change it before it has its last value
  bool isHash = false;     ///< of an output: gets the number that all of the stage's values went into
  std::string guard = {};  ///< of an output: what stands before the assignment
};

/// The text around the random statements of a stage.
struct RandomStage {
  std::string head;                  ///< after the extensions: others, layouts, the interface
  std::string id;                    ///< a number of type uint that differs between invocations
  std::string beginning;             ///< of main()
  std::vector<RandomValue> inputs;   ///< are read
  std::vector<RandomValue> changed;  ///< hold something, are read and written
  std::vector<RandomValue> outputs;  ///< get a value at the end
  std::string beforeOutputs, afterOutputs;
  std::vector<std::string> leave;  ///< statements that end the invocation, of which some are tried
};

/// The text of a stage with random statements. They compute a number from all values into `hash`.
std::string randomStage(uint64_t seed, const RandomStage& stage);

}  // namespace coopc::tests
