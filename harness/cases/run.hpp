// Runs a case on a device and judges the result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/cases/case.hpp"
#include "harness/compare.hpp"
#include "harness/lowering.hpp"
#include "vulkan/executor/instance.hpp"
#include "vulkan/executor/run_request.hpp"

namespace coopc::harness {

enum class Verdict { Pass, Fail, Skip };

struct CheckedTarget {
  std::string target;
  std::string reference;
  Comparison comparison;
};

/// The contents of a buffer, an image or a target after the run.
struct FinalContents {
  std::string name;
  std::vector<uint8_t> bytes;
};

struct CaseResult {
  Verdict verdict = Verdict::Fail;
  /// For Fail, everything that went wrong; for Skip, the features that the device lacks.
  std::vector<std::string> reasons;
  /// If the module was lowered, the features that it needs and the device lacks; otherwise empty.
  std::vector<std::string> lowered;
  std::vector<CheckedTarget> checked;
  double pipelineMilliseconds = 0;
  std::vector<double> nanoseconds;                         ///< of the timed runs, in order
  double medianNanoseconds = 0;                            ///< 0: not timed
  double teraflops = 0;                                    ///< 0: the case does not give its operations
  double gigabytesPerSecond = 0;                           ///< 0: the case does not give its bytes
  std::vector<std::pair<std::string, double>> statistics;  ///< as in RunOutcome
  std::vector<vk::ShaderCode> code;                        ///< as in RunOutcome
  bool sameAsReference = false;  ///< the reference compiler's modules left the same bytes
  /// The final contents of all buffers, images and targets, in the case's order, when asked for.
  std::vector<FinalContents> contents;
};

struct CaseOptions {
  bool time = false;
  bool keepContents = false;
  bool statistics = false;
  bool code = false;
  std::string turnFile;  ///< as in RunRequest
  /// If not null, a module that the device cannot run is lowered for this target, as is any module if
  /// features are removed from the target. If null, the case of such a module is skipped.
  const LoweringTargets* lowering = nullptr;
  /// If not empty, a program that every module, lowered or not, is passed through before it runs
  /// (throughProgram()).
  std::string through;
};

/// The request of a case's run with the modules of its shaders, without the contents of its buffers and
/// images.
vk::RunRequest requestOf(const Case& subject, std::span<const std::vector<uint32_t>> modules,
                         const CaseOptions& options);

CaseResult runCase(const vk::Instance& instance, const vk::PhysicalDevice& device, const Case& subject,
                   std::span<const std::vector<uint32_t>> modules, const CaseOptions& options);

/// Where two runs of a case left different bytes: a line for each buffer, image or target that differs.
std::vector<std::string> differences(const Case& subject, const CaseResult& result, const CaseResult& other);

}  // namespace coopc::harness
