// A case: its shaders, their inputs, the work (a dispatch, a drawing, ray tracing), and the expected results.
// docs/cases.md describes the file format.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/number.hpp"
#include "harness/result.hpp"
#include "harness/value.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::harness {

/// Limits that keep a hostile or mistyped case file from exhausting the machine.
inline constexpr uint64_t kMaxBufferBytes = uint64_t{4} << 30;
inline constexpr uint64_t kMaxTotalBytes = uint64_t{16} << 30;
inline constexpr size_t kMaxCaseFileBytes = size_t{4} << 20;

struct Fill {
  enum class Pattern {
    Zero,
    Poison,  ///< bytes that are a NaN in every float format of at least two bytes, and an implausible integer
    Constant,  ///< `low`
    Ramp,      ///< low + step * (i mod modulo)
    Integers,  ///< uniform integers in [low, high]
    Random,    ///< uniform numbers in [low, high)
    Choice,    ///< one of `values`, at random
    Values,    ///< `values`, repeated
    Hex,       ///< `bytes`, repeated
  };
  Pattern pattern = Pattern::Zero;
  Number low;
  Number high;
  Number step{int64_t{1}};
  uint64_t modulo = 0;  ///< 0: none
  uint64_t seed = 0;
  std::vector<Number> values;
  std::vector<uint8_t> bytes;
};

/// `count` components of one type at a byte offset inside a record.
struct Field {
  NumberType type = NumberType::U32;
  uint64_t count = 1;
  uint64_t offset = 0;
  Fill fill;
  /// If not empty, the field is a u64 that holds the device address of this buffer plus addressOffset bytes.
  std::string address;
  uint64_t addressOffset = 0;
};

/// A buffer is an array of records; a plain array has one field of one component.
struct BufferSpec {
  using Kind = vk::RunBuffer::Kind;
  std::string name;
  Kind kind = Kind::Storage;
  uint32_t set = 0;
  uint32_t binding = 0;
  uint64_t count = 0;  ///< of records
  uint64_t recordBytes = 0;
  std::vector<Field> fields;
  /// The shader may write it. A buffer that is neither written nor compared with a reference must not change.
  bool written = false;
  /// Not empty: a tensor of SPV_ARM_tensors, with one element in each record.
  vk::TensorShape tensor{};

  uint64_t bytes() const { return count * recordBytes; }
  bool isTensor() const { return !tensor.sizes.empty(); }
  bool isArray() const { return fields.size() == 1 && fields[0].count == 1 && fields[0].address.empty(); }
};

/// An image and its initial contents.
struct CaseImage : vk::ImageSpec {
  Fill fill;
  uint32_t levels = 1;
};

/// A shader, from a source or as a module.
struct ShaderSpec {
  /// Exactly one of these is not empty; both are relative to the case file's folder.
  std::string source;
  std::string module;
  std::string entry = "main";
  std::string targetEnv = "vulkan1.3";
  std::vector<std::pair<std::string, std::string>> macros;
  std::vector<std::string> options;
  const vk::Stage* stage = &vk::kComputeStage;
  uint32_t hitGroup = 0;  ///< of stages of hit groups
};

struct Tolerance {
  bool exact = true;    ///< bits must be equal (all NaNs are one, +0 and -0 are one)
  uint64_t ulp = 0;     ///< or: at most this many units in the last place
  double absolute = 0;  ///< or: |result - expected| <= absolute + relative * |expected| + magnitude * scale,
  double relative = 0;
  double magnitude = 0;  ///< scale: the sum of the absolute values of the reference's summands
};

struct Expectation {
  std::string target;     ///< a buffer or an image
  std::string reference;  ///< a name in reference.hpp
  Table arguments;
  Tolerance tolerance;
  uint64_t samples = 0;  ///< if not 0, only this many elements are checked, chosen at random
};

struct Timing {
  int warmups = 3;
  int runs = 10;
  int repeat = 1;      ///< dispatches of one run, in one submission
  uint64_t flops = 0;  ///< of one dispatch; 0: not given
  uint64_t bytes = 0;
};

/// [tune]: the values of the variables to try. Formulas in `require` see the variables; a combination is
/// valid if none of them is 0.
struct Tuning {
  std::vector<std::pair<std::string, std::vector<int64_t>>> values;
  std::vector<std::string> require;
};

struct Case {
  std::string name;
  std::string description;
  std::string file;  ///< as given

  /// One compute shader, or all that a drawing or a tracing needs.
  std::vector<ShaderSpec> shaders;
  std::optional<vk::Drawing> drawing;
  std::optional<vk::Tracing> tracing;
  std::optional<vk::Scene> scene;

  std::map<std::string, int64_t, std::less<>> variables;
  std::vector<vk::Specialization> specializations;
  std::vector<BufferSpec> buffers;  ///< and tensors
  std::vector<CaseImage> images;
  std::vector<Field> pushConstants;
  uint64_t pushConstantBytes = 0;
  std::vector<spirv::MatrixShape> matrices;
  std::array<uint32_t, 3> groups{1, 1, 1};
  uint32_t subgroupSize = 0;  ///< 0: any
  bool fullSubgroups = false;
  std::vector<Expectation> expectations;
  Timing timing;
  Tuning tuning;
  uint32_t timeoutSeconds = 60;

  /// The index of a buffer; kNoBuffer for an unknown name.
  size_t findBuffer(std::string_view wanted) const;
};

/// Values that replace those in [variables].
using Overrides = std::map<std::string, int64_t, std::less<>>;

/// Parses the text of a case file. `file` is for messages. Every key must be known, every formula must have a
/// value.
Result<Case> parseCase(std::string_view text, const std::string& file, const Overrides& overrides);

/// Reads and parses.
Result<Case> readCase(const std::string& path, const Overrides& overrides);

/// The value of a formula (a string), an integer or an integral double, with `variables` and, before them,
/// `extra`.
Result<int64_t> evaluateInteger(const Value& value,
                                const std::map<std::string, int64_t, std::less<>>& variables,
                                const std::map<std::string, int64_t, std::less<>>* extra = nullptr);

}  // namespace coopc::harness
