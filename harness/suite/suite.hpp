// The conformance suite: a systematic set of small compute shaders for cooperative matrices and tensor
// addressing, made from what a device lists, each with its inputs and the results that a plain loop on the
// CPU computes.
//
// A case is data: its shader, buffers and reference are made when it is run, not with the list, so a list
// of many thousands is cheap. Nothing here depends on a compiler or on Vulkan: workers.hpp runs cases,
// session.hpp executes modules. docs/suite.md says what each feature covers.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/number.hpp"
#include "harness/result.hpp"
#include "harness/suite/coverage.hpp"
#include "spirv/matrix_type.hpp"

namespace coopc::harness::suite {

using spirv::MatrixShape;

/// Properties of a device that the generator needs: JSON from `cooprun --list --json`, or a file of
/// profiles/.
struct TargetDevice {
  std::string name;
  std::string driver;
  std::string driverVersion;
  std::string vulkan;
  uint32_t subgroupSize = 32;
  uint32_t sharedMemory = 32768;
  uint32_t maxInvocations = 1024;
  uint32_t workgroupScopeMax = 0;     ///< invocations
  uint32_t reservedSharedMemory = 0;  ///< by workgroup scope
  uint32_t registerBytes = 512;       ///< of one invocation that a matrix may fill in the largest cases
  uint32_t flexibleMax = 0;           ///< rows or columns
  std::set<std::string, std::less<>> features;
  std::set<std::string> extensions;
  std::vector<MatrixShape> fixed;
  std::vector<MatrixShape> flexible;

  bool has(std::string_view feature) const { return features.count(feature) != 0; }
};

/// `json` is the object of one device.
Result<TargetDevice> readTarget(std::string_view json);

/// The expected contents of an output buffer.
struct Expected {
  enum Kind : uint8_t {
    kValue,  ///< these bits (any NaN for a NaN, either zero for a zero), or within the tolerance
    kKeep,   ///< what it held before
    kAny,
  };
  uint32_t buffer = 0;  ///< its binding
  NumberType type = NumberType::F32;
  std::vector<uint64_t> bits;
  std::vector<uint8_t> kinds;
  std::vector<double> scale;  ///< with a tolerance's magnitude: sums of absolute values
  Tolerance tolerance;
};

/// A shader with all that a run of it needs.
struct Program {
  std::string source;
  std::vector<vk::Specialization> specializations;
  std::vector<std::vector<uint8_t>> buffers;  ///< set 0, binding = index; storage buffers
  std::vector<uint8_t> pushConstants;
  struct Address {
    uint32_t offset = 0;  ///< in the push constants, of eight bytes
    uint32_t buffer = 0;
  };
  std::vector<Address> addresses;
  std::array<uint32_t, 3> groups{1, 1, 1};
  uint32_t invocations = 1;  ///< of a workgroup
  /// Buffers without an entry must not change.
  std::vector<Expected> expected;
  /// Not empty: a fault of the generator (a result that the specification leaves undefined). Such a case must
  /// not run.
  std::string fault;
};

struct SuiteCase {
  std::string name;                 ///< unique; letters, digits, '-', '_' and '.': also a file's name
  std::string feature;              ///< what the report counts it under
  std::vector<std::string> needs;   ///< Vulkan features
  std::string skip;                 ///< why the device cannot run it, where more than a feature is missing
  std::vector<std::string> traits;  ///< its values on the axes of its operation; empty: it belongs to none
  std::function<Program()> make;
};

/// All cases for the device, in a fixed order, including those that it cannot run. `seed` changes the data,
/// not the list. `operations`: gets the combinations that the list covers, with the axes of the cases'
/// traits.
std::vector<SuiteCase> generate(const TargetDevice& device, uint64_t seed,
                                std::vector<Operation>* operations = nullptr);

/// Why the device cannot run the case; empty: it can.
std::vector<std::string> listMissing(const SuiteCase& subject, const TargetDevice& device);

/// Compares the final contents of all buffers. The first wrong elements in words; empty: all is right.
std::vector<std::string> judge(const Program& program, const std::vector<std::vector<uint8_t>>& after);

}  // namespace coopc::harness::suite
