// Fills the buffers, runs the module, computes the references and compares.
#include "harness/cases/run.hpp"

#include <algorithm>
#include <optional>

#include "harness/compile.hpp"
#include "harness/fill.hpp"
#include "harness/lowering.hpp"
#include "harness/reference/reference.hpp"
#include "vulkan/executor/image_format.hpp"
#include "vulkan/executor/preflight.hpp"
#include "vulkan/executor/runner.hpp"

namespace coopc::harness {
namespace {

// Adds the members that hold addresses, in `count` records of `recordBytes` bytes each.
void addAddresses(const std::vector<Field>& fields, size_t where, uint64_t count, uint64_t recordBytes,
                  const Case& subject, std::vector<vk::AddressPatch>& patches) {
  for (const Field& field : fields) {
    if (field.address.empty()) continue;
    for (size_t i = 0; i < subject.buffers.size(); ++i) {
      if (subject.buffers[i].name == field.address) {
        patches.push_back({where, field.offset, i, field.addressOffset, count, recordBytes});
      }
    }
  }
}

}  // namespace

vk::RunRequest requestOf(const Case& subject, std::span<const std::vector<uint32_t>> modules,
                         const CaseOptions& options) {
  vk::RunRequest request;
  request.drawing = subject.drawing;
  request.tracing = subject.tracing;
  request.scene = subject.scene;
  for (size_t i = 0; i < subject.shaders.size(); ++i) {
    const ShaderSpec& shader = subject.shaders[i];
    if (subject.drawing || subject.tracing) {
      request.stages.push_back({shader.stage, modules[i], shader.entry, shader.hitGroup});
    } else {
      request.module = modules[i];
      request.entry = shader.entry;
    }
  }
  request.specializations = subject.specializations;
  for (size_t i = 0; i < subject.buffers.size(); ++i) {
    const BufferSpec& buffer = subject.buffers[i];
    request.buffers.push_back(
        {buffer.name, buffer.kind, buffer.set, buffer.binding, buffer.bytes(), {}, buffer.tensor});
    addAddresses(buffer.fields, i, buffer.count, buffer.recordBytes, subject, request.addresses);
  }
  for (const CaseImage& image : subject.images) {
    request.images.push_back({image, {}});
    request.images.back().form.levels = image.levels;
  }
  request.pushConstants = fillRecord(subject.pushConstants, subject.pushConstantBytes);
  addAddresses(subject.pushConstants, vk::AddressPatch::kPushConstants, 1, 0, subject, request.addresses);
  request.matrices = subject.matrices;
  request.groups = subject.groups;
  request.subgroupSize = subject.subgroupSize;
  request.fullSubgroups = subject.fullSubgroups;
  request.timeoutSeconds = subject.timeoutSeconds;
  request.statistics = options.statistics;
  request.code = options.code;
  request.turnFile = options.turnFile;
  if (options.time) {
    request.warmups = subject.timing.warmups;
    request.runs = subject.timing.runs;
    request.repeat = subject.timing.repeat;
  }
  return request;
}

namespace {

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

// The contents before the run; the request holds the results afterwards.
struct Contents {
  std::vector<std::vector<uint8_t>> buffers;
  std::vector<std::vector<uint8_t>> images;
};

Contents fill(const Case& subject, vk::RunRequest& request) {
  Contents before;
  for (size_t i = 0; i < subject.buffers.size(); ++i) {
    request.buffers[i].contents = fillBuffer(subject.buffers[i]);
    before.buffers.push_back(request.buffers[i].contents);
  }
  for (size_t i = 0; i < subject.images.size(); ++i) {
    request.images[i].contents = fillImage(subject.images[i]);
    before.images.push_back(request.images[i].contents);
  }
  return before;
}

// The buffer or the image that an expectation names.
struct Target {
  std::span<const uint8_t> after;
  std::span<const uint8_t> before;
  NumberType type = NumberType::F32;
  uint32_t width = 0, height = 0, channels = 0;  // of pictures
};

// No value for a buffer of records, which no reference describes.
std::optional<Target> findTarget(const Case& subject, const vk::RunRequest& request, const Contents& before,
                                 const std::string& name) {
  for (size_t i = 0; i < subject.images.size(); ++i) {
    const vk::ImageSpec& image = subject.images[i];
    if (image.name == name)
      return Target{request.images[i].contents,
                    before.images[i],
                    image.type,
                    image.size[0],
                    image.size[1],
                    image.channels};
  }
  const auto ofDrawing = [&](const vk::RenderTarget& target) {
    const vk::ImageFormat& format = *vk::findImageFormat(target.format);
    const auto& size = request.drawing->size;
    return Target{target.contents, target.contents, format.type, size[0], size[1], format.channels};
  };
  if (request.drawing) {
    for (const vk::RenderTarget& target : request.drawing->targets) {
      if (target.name == name) return ofDrawing(target);
    }
    if (request.drawing->depth && request.drawing->depth->name == name)
      return ofDrawing(*request.drawing->depth);
  }
  for (size_t i = 0; i < subject.buffers.size(); ++i) {
    if (subject.buffers[i].name == name && subject.buffers[i].isArray())
      return Target{request.buffers[i].contents, before.buffers[i], subject.buffers[i].fields[0].type};
  }
  return std::nullopt;
}

void checkExpectation(const Expectation& expectation, const std::optional<Target>& target,
                      ReferenceInput& input, CaseResult& result) {
  if (!target) {
    result.reasons.push_back("'" + expectation.target +
                             "' has records: only plain arrays, tensors and images can be compared");
    return;
  }
  input.targetType = target->type;
  input.targetCount = target->after.size() / byteSize(target->type);
  input.width = target->width;
  input.height = target->height;
  input.channels = target->channels;
  input.arguments = &expectation.arguments;
  const Result<Reference> reference = makeReference(expectation.reference, input);
  if (!reference) {
    result.reasons.push_back(reference.error().message);
    return;
  }
  CheckedTarget checked{expectation.target, expectation.reference,
                        compare(*reference, target->type, target->after, target->before,
                                expectation.tolerance, expectation.samples)};
  if (!checked.comparison.hasPassed()) {
    result.reasons.push_back(expectation.target + ": " + std::to_string(checked.comparison.wrong) + " of " +
                             std::to_string(checked.comparison.checked) + " elements differ from '" +
                             expectation.reference + "'");
    for (const std::string& example : checked.comparison.examples)
      result.reasons.push_back("  " + expectation.target + example);
  }
  result.checked.push_back(std::move(checked));
}

void checkExpectations(const Case& subject, const vk::RunRequest& request, const Contents& before,
                       CaseResult& result) {
  // The addresses are in `request` only, and no reference reads them.
  ReferenceInput input;
  input.subject = &subject;
  for (size_t i = 0; i < subject.buffers.size(); ++i)
    input.buffers[subject.buffers[i].name] = {&subject.buffers[i], before.buffers[i]};
  for (const Expectation& expectation : subject.expectations)
    checkExpectation(expectation, findTarget(subject, request, before, expectation.target), input, result);
}

bool hasAddresses(const Case& subject, const std::string& buffer) {
  const size_t index = subject.findBuffer(buffer);
  if (index == vk::kNoBuffer) return false;
  const std::vector<Field>& fields = subject.buffers[index].fields;
  return std::any_of(fields.begin(), fields.end(), [](const Field& field) { return !field.address.empty(); });
}

// Buffers without an expectation must not change.
void checkUnchanged(const Case& subject, const vk::RunRequest& request, const Contents& before,
                    CaseResult& result) {
  const auto check = [&](const char* kind, const std::string& name, bool written,
                         const std::vector<uint8_t>& now, const std::vector<uint8_t>& then) {
    if (!mayChange(subject, name, written) && now != then)
      result.reasons.push_back(std::string(kind) + " '" + name +
                               "' was changed, though the case does not say that it may be");
  };
  for (size_t i = 0; i < subject.buffers.size(); ++i) {
    const BufferSpec& buffer = subject.buffers[i];
    if (!hasAddresses(subject, buffer.name))
      check("buffer", buffer.name, buffer.written, request.buffers[i].contents, before.buffers[i]);
  }
  for (size_t i = 0; i < subject.images.size(); ++i) {
    const vk::ImageSpec& image = subject.images[i];
    check("image", image.name, image.written, request.images[i].contents, before.images[i]);
  }
}

void computeSpeed(const Timing& timing, CaseResult& result) {
  result.medianNanoseconds = median(result.nanoseconds);
  if (result.medianNanoseconds <= 0) return;
  result.teraflops = static_cast<double>(timing.flops) / result.medianNanoseconds / 1e3;
  result.gigabytesPerSecond = static_cast<double>(timing.bytes) / result.medianNanoseconds;
}

// Replaces the request's modules by what PROGRAM makes of them; `made` owns the new ones.
Status rewriteModules(const std::string& program, vk::RunRequest& request,
                      std::vector<std::vector<uint32_t>>& made) {
  std::vector<std::span<const uint32_t>*> all;
  for (vk::RunStage& stage : request.stages) all.push_back(&stage.module);
  if (all.empty()) all.push_back(&request.module);
  made.reserve(all.size());
  for (std::span<const uint32_t>* module : all) {
    Result<std::vector<uint32_t>> words = throughProgram(program, *module);
    if (!words) return words.error();
    *module = made.emplace_back(std::move(*words));
  }
  return std::nullopt;
}

void keepContents(const Case& subject, vk::RunRequest& request, CaseResult& result) {
  // After the case's buffers are descriptions of tensors.
  for (size_t i = 0; i < subject.buffers.size(); ++i)
    result.contents.push_back({subject.buffers[i].name, std::move(request.buffers[i].contents)});
  for (size_t i = 0; i < subject.images.size(); ++i)
    result.contents.push_back({subject.images[i].name, std::move(request.images[i].contents)});
  if (!request.drawing) return;
  for (vk::RenderTarget& target : request.drawing->targets)
    result.contents.push_back({target.name, std::move(target.contents)});
  if (request.drawing->depth)
    result.contents.push_back({request.drawing->depth->name, std::move(request.drawing->depth->contents)});
}

}  // namespace

std::vector<std::string> differences(const Case& subject, const CaseResult& result, const CaseResult& other) {
  std::vector<std::string> lines;
  if (result.contents.size() != other.contents.size()) return {"the runs have different results"};
  for (size_t i = 0; i < result.contents.size(); ++i) {
    const std::vector<uint8_t>& a = result.contents[i].bytes;
    const std::vector<uint8_t>& b = other.contents[i].bytes;
    // Addresses are not the same from run to run.
    if (a == b || hasAddresses(subject, result.contents[i].name)) continue;
    if (a.size() != b.size()) {
      lines.push_back(result.contents[i].name + ": the runs have different sizes");
      continue;
    }
    size_t count = 0, first = 0;
    for (size_t at = a.size(); at-- > 0;) {
      if (a[at] == b[at]) continue;
      ++count;
      first = at;
    }
    lines.push_back(result.contents[i].name + ": " + std::to_string(count) + " of " +
                    std::to_string(a.size()) + " bytes differ from the reference compiler's, the first is " +
                    std::to_string(first) + ": " + std::to_string(a[first]) + ", not " +
                    std::to_string(b[first]));
  }
  return lines;
}

CaseResult runCase(const vk::Instance& instance, const vk::PhysicalDevice& device, const Case& subject,
                   std::span<const std::vector<uint32_t>> modules, const CaseOptions& options) {
  CaseResult result;
  vk::RunRequest request = requestOf(subject, modules, options);
  // Before anything large is filled.
  vk::Preflight possible = vk::preflight(device, request);
  std::vector<spirv::lower::LowerAnswer> lowered;
  if (!request.stages.empty())
    result.lowered = lowerStagesWhereNeeded(device, options.lowering, request, possible, lowered);
  else if (lowerWhereNeeded(device, options.lowering, request, possible, lowered.emplace_back()))
    result.lowered = lowered[0].lacking;
  std::vector<std::vector<uint32_t>> rewritten;
  if (!options.through.empty() && possible.kind == vk::RunOutcome::Kind::Done) {
    if (const Status failure = rewriteModules(options.through, request, rewritten)) {
      result.reasons.push_back(failure->message);
      return result;
    }
    possible = vk::preflight(device, request);
  }
  if (possible.kind != vk::RunOutcome::Kind::Done) {
    if (possible.kind == vk::RunOutcome::Kind::Skipped) result.verdict = Verdict::Skip;
    result.reasons = possible.reasons;
    return result;
  }
  const Contents before = fill(subject, request);
  vk::RunOutcome outcome = vk::run(instance, device, request, std::move(possible));
  result.pipelineMilliseconds = outcome.pipelineMilliseconds;
  result.nanoseconds = outcome.nanoseconds;
  result.statistics = outcome.statistics;
  result.code = std::move(outcome.code);
  if (outcome.kind != vk::RunOutcome::Kind::Done) {
    if (outcome.kind == vk::RunOutcome::Kind::Skipped) result.verdict = Verdict::Skip;
    result.reasons = outcome.reasons;
    return result;
  }
  result.reasons = outcome.strayWrites;
  checkExpectations(subject, request, before, result);
  checkUnchanged(subject, request, before, result);
  computeSpeed(subject.timing, result);
  if (options.keepContents) keepContents(subject, request, result);
  if (result.reasons.empty()) result.verdict = Verdict::Pass;
  return result;
}

}  // namespace coopc::harness
