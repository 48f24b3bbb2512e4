// Fills the buffers, runs the module, computes the references and compares.
#include "harness/case_run.hpp"

#include <algorithm>
#include <cstring>

#include "harness/fill.hpp"
#include "harness/preflight.hpp"
#include "harness/reference.hpp"
#include "harness/runner.hpp"

namespace coopc::harness {
namespace {

// The addresses among the members of `count` records of so many bytes.
void addAddresses(const std::vector<Field>& fields, size_t where, uint64_t count, uint64_t recordBytes,
                  const Case& subject, std::vector<AddressPatch>& patches) {
  for (const Field& field : fields) {
    if (field.address.empty()) continue;
    for (size_t i = 0; i < subject.buffers.size(); ++i) {
      if (subject.buffers[i].name == field.address) {
        patches.push_back({where, field.offset, i, field.addressOffset, count, recordBytes});
      }
    }
  }
}

RunRequest requestOf(const Case& subject, std::span<const uint32_t> module, const CaseOptions& options) {
  RunRequest request;
  request.module = module;
  request.entry = subject.entry;
  request.specializations = subject.specializations;
  for (size_t i = 0; i < subject.buffers.size(); ++i) {
    const BufferSpec& buffer = subject.buffers[i];
    request.buffers.push_back({buffer.name, buffer.kind, buffer.set, buffer.binding, buffer.bytes(), {}});
    addAddresses(buffer.fields, i, buffer.count, buffer.recordBytes, subject, request.addresses);
  }
  for (const ImageSpec& image : subject.images) request.images.push_back({image, {}});
  request.pushConstants = fillRecord(subject.pushConstants, subject.pushConstantBytes);
  addAddresses(subject.pushConstants, AddressPatch::kPushConstants, 1, 0, subject, request.addresses);
  request.matrices = subject.matrices;
  request.groups = subject.groups;
  request.subgroupSize = subject.subgroupSize;
  request.fullSubgroups = subject.fullSubgroups;
  request.timeoutSeconds = subject.timeoutSeconds;
  request.statistics = options.statistics;
  request.turnFile = options.turnFile;
  if (options.time) {
    request.warmups = subject.timing.warmups;
    request.runs = subject.timing.runs;
  }
  return request;
}

// A buffer that nothing expects to change must not change.
bool mayChange(const Case& subject, const std::string& name, bool written) {
  return written || std::any_of(subject.expectations.begin(), subject.expectations.end(),
                                [&](const Expectation& expectation) { return expectation.target == name; });
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

CaseResult runCase(const Instance& instance, const PhysicalDevice& device, const Case& subject,
                   std::span<const uint32_t> module, const CaseOptions& options) {
  CaseResult result;
  const auto fail = [&](std::string reason) { result.reasons.push_back(std::move(reason)); };

  RunRequest request = requestOf(subject, module, options);
  // Before anything large is filled.
  Preflight possible = preflight(device, request);
  if (possible.kind != RunOutcome::Kind::Done) {
    if (possible.kind == RunOutcome::Kind::Skipped) result.verdict = Verdict::Skip;
    result.reasons = possible.reasons;
    return result;
  }
  for (size_t i = 0; i < subject.buffers.size(); ++i)
    request.buffers[i].contents = fillBuffer(subject.buffers[i]);
  for (size_t i = 0; i < subject.images.size(); ++i)
    request.images[i].contents = fillImage(subject.images[i]);

  std::vector<std::vector<uint8_t>> before;
  for (const RunBuffer& buffer : request.buffers) before.push_back(buffer.contents);
  std::vector<std::vector<uint8_t>> imagesBefore;
  for (const RunImage& image : request.images) imagesBefore.push_back(image.contents);

  const RunOutcome outcome = run(instance, device, request, std::move(possible));
  result.pipelineMilliseconds = outcome.pipelineMilliseconds;
  result.nanoseconds = outcome.nanoseconds;
  result.statistics = outcome.statistics;
  if (outcome.kind != RunOutcome::Kind::Done) {
    if (outcome.kind == RunOutcome::Kind::Skipped) result.verdict = Verdict::Skip;
    result.reasons = outcome.reasons;
    return result;
  }
  for (const std::string& stray : outcome.strayWrites) fail(stray);

  // What the shader saw: the addresses are in `request` only, and no reference reads them.
  ReferenceInput input;
  input.subject = &subject;
  for (size_t i = 0; i < subject.buffers.size(); ++i) {
    input.buffers[subject.buffers[i].name] = {&subject.buffers[i], before[i]};
  }
  for (const Expectation& expectation : subject.expectations) {
    std::span<const uint8_t> after;
    std::span<const uint8_t> initial;
    bool typed = false;
    for (size_t i = 0; i < subject.buffers.size(); ++i) {
      if (subject.buffers[i].name != expectation.target) continue;
      after = request.buffers[i].contents;
      initial = before[i];
      typed = subject.buffers[i].isArray();
      input.targetType = subject.buffers[i].fields[0].type;
    }
    for (size_t i = 0; i < subject.images.size(); ++i) {
      if (subject.images[i].name != expectation.target) continue;
      after = request.images[i].contents;
      initial = imagesBefore[i];
      typed = true;
      input.targetType = subject.images[i].type;
    }
    if (!typed) {
      fail("'" + expectation.target + "' has records: only plain arrays and images can be compared");
      continue;
    }
    input.targetCount = after.size() / byteSize(input.targetType);
    input.arguments = &expectation.arguments;
    const Result<Reference> reference = makeReference(expectation.reference, input);
    if (!reference) {
      fail(reference.error().message);
      continue;
    }
    CheckedTarget checked{
        expectation.target, expectation.reference,
        compare(*reference, input.targetType, after, initial, expectation.tolerance, expectation.samples)};
    if (!checked.comparison.passed()) {
      fail(expectation.target + ": " + std::to_string(checked.comparison.wrong) + " of " +
           std::to_string(checked.comparison.checked) + " elements differ from '" + expectation.reference +
           "'");
      for (const std::string& example : checked.comparison.examples)
        fail("  " + expectation.target + example);
    }
    result.checked.push_back(std::move(checked));
  }
  for (size_t i = 0; i < subject.buffers.size(); ++i) {
    const BufferSpec& buffer = subject.buffers[i];
    const bool hasAddresses = std::any_of(buffer.fields.begin(), buffer.fields.end(),
                                          [](const Field& field) { return !field.address.empty(); });
    if (!hasAddresses && !mayChange(subject, buffer.name, buffer.written) &&
        request.buffers[i].contents != before[i]) {
      fail("buffer '" + buffer.name + "' was changed, though the case does not say that it may be");
    }
  }
  for (size_t i = 0; i < subject.images.size(); ++i) {
    const ImageSpec& image = subject.images[i];
    if (!mayChange(subject, image.name, image.written) && request.images[i].contents != imagesBefore[i]) {
      fail("image '" + image.name + "' was changed, though the case does not say that it may be");
    }
  }

  result.medianNanoseconds = median(result.nanoseconds);
  if (result.medianNanoseconds > 0) {
    result.teraflops = static_cast<double>(subject.timing.flops) / result.medianNanoseconds / 1e3;
    result.gigabytesPerSecond = static_cast<double>(subject.timing.bytes) / result.medianNanoseconds;
  }
  if (options.keepContents) {
    for (RunBuffer& buffer : request.buffers) result.contents.push_back(std::move(buffer.contents));
  }
  if (result.reasons.empty()) result.verdict = Verdict::Pass;
  return result;
}

}  // namespace coopc::harness
