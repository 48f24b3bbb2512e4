// One device per run, unless the request provides kept ones, with exactly the features that the module needs
// (and the few that no capability announces), so that a module that lacks a capability does not pass by luck.
// Buffers lie between guard zones of known bytes.
#include "vulkan/executor/runner.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <unistd.h>

#include "vulkan/executor/commands.hpp"
#include "vulkan/executor/image.hpp"
#include "vulkan/executor/kept_devices.hpp"
#include "vulkan/executor/memory.hpp"
#include "vulkan/executor/pipeline.hpp"
#include "vulkan/executor/scene.hpp"
#include "vulkan/executor/work/work.hpp"

namespace coopc::vk {
namespace {

constexpr uint64_t kStagingBytes = uint64_t{64} << 20;

// A file that is locked during the lifetime of this object.
class Turn {
 public:
  Turn() = default;
  ~Turn() {
    if (file_ >= 0) close(file_);
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  Outcome take(const std::string& path) {
    file_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file_ < 0 || flock(file_, LOCK_EX) != 0) return Problem{path + ": " + std::strerror(errno)};
    return std::nullopt;
  }

 private:
  int file_ = -1;
};

Binding bindingOf(const RunBuffer& buffer) {
  return {buffer.set, buffer.binding,
          buffer.kind == RunBuffer::Kind::Uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
                                                  : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
}

Binding bindingOf(const RunImage& image) {
  return {image.spec.set, image.spec.binding, descriptorType(image)};
}

Binding bindingOf(const Scene& scene) {
  return {scene.set, scene.binding, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
}

std::unique_ptr<Work> workOf(RunRequest& request, const PhysicalDevice& physical) {
  if (request.drawing) return makeDrawing(request);
  if (request.tracing) return makeTracing(request);
  return makeDispatch(request, physical);
}

// The size of the largest target: no channel has more than four bytes.
uint64_t targetBytes(const Drawing& drawing) {
  return uint64_t{drawing.size[0]} * drawing.size[1] * drawing.views * 4 * sizeof(uint32_t);
}

VkShaderStageFlags stagesOf(const RunRequest& request) {
  VkShaderStageFlags stages = request.stages.empty() ? VK_SHADER_STAGE_COMPUTE_BIT : 0;
  for (const RunStage& stage : request.stages) stages |= stage.stage->bit;
  return stages;
}

class Run {
 public:
  Run(const Instance& instance, const PhysicalDevice& physical, RunRequest& request,
      const Requirements& requirements)
      : instance_(instance),
        physical_(physical),
        request_(request),
        requirements_(requirements),
        work_(workOf(request, physical)) {}

  RunOutcome execute() {
    const Outcome bad = runSteps();
    outcome_.kind = !bad           ? RunOutcome::Kind::Done
                    : bad->lacking ? RunOutcome::Kind::Skipped
                                   : RunOutcome::Kind::Failed;
    if (bad) outcome_.reasons.push_back(bad->message);
    if (device_ != nullptr && device_->isAbandoned()) {
      outcome_.lost = true;
      if (request_.devices != nullptr) request_.devices->abandon();
    }
    return std::move(outcome_);
  }

 private:
  Outcome runSteps() {
    using Step = Outcome (Run::*)();
    // Creating buffers does not occupy the device; until it is this run's turn, other processes may be
    // timing.
    constexpr Step kSteps[] = {
        &Run::checkContents, &Run::createDevice,      &Run::createPipeline, &Run::createBuffers,
        &Run::takeTurn,      &Run::checkExecution,    &Run::fillBuffers,    &Run::createImages,
        &Run::createScene,   &Run::createDescriptors, &Run::prepareWork,    &Run::workOnce,
        &Run::readBuffers,   &Run::readImages,        &Run::readWork,       &Run::timeRuns};
    constexpr Step kPipelineSteps[] = {&Run::createDevice, &Run::createPipeline};
    for (const Step step : request_.pipelineOnly ? std::span<const Step>(kPipelineSteps) : kSteps) {
      if (Outcome bad = (this->*step)()) return bad;
    }
    return std::nullopt;
  }

  Outcome checkContents() {
    for (const RunBuffer& buffer : request_.buffers) {
      if (buffer.contents.size() != buffer.bytes)
        return Problem{"buffer '" + buffer.name + "' is not filled"};
    }
    return std::nullopt;
  }

  Outcome createDevice() {
    const bool draws = request_.drawing.has_value();
    const std::string queue = draws ? "graphics queue" : "compute queue";
    const std::optional<ComputeFamily> family =
        computeFamily(instance_, physical_, draws ? VK_QUEUE_GRAPHICS_BIT : 0);
    if (!family) return Problem{"the device has no " + queue, true};
    if (request_.runs > 0 && family->timestampBits == 0)
      return Problem{"timing: the device's " + queue + " has no timestamps", true};
    const DeviceOptions options{request_.robustBufferAccess, request_.statistics, request_.code};
    if (request_.devices != nullptr) {
      const Result<Device*> kept =
          request_.devices->get(instance_, physical_, *family, requirements_, options);
      if (!kept) return Problem{kept.error().message};
      device_ = *kept;
    } else {
      Result<std::unique_ptr<Device>> made =
          Device::create(instance_, physical_, *family, requirements_, options);
      if (!made) return Problem{made.error().message};
      ownDevice_ = std::move(*made);
      device_ = ownDevice_.get();
    }
    if (Outcome bad = commands_.create(*device_)) return bad;
    commands_.setTimeout(request_.timeoutSeconds);
    return staging_.create(*device_, stagingSize());
  }

  // No larger than the largest transfer: allocating memory that the CPU can read is slow.
  uint64_t stagingSize() const {
    uint64_t size = kGuardBytes;
    for (const RunBuffer& buffer : request_.buffers) size = std::max(size, buffer.bytes);
    for (const RunImage& image : request_.images) size = std::max(size, image.bytes());
    if (request_.drawing) size = std::max(size, targetBytes(*request_.drawing));
    return std::min(size, kStagingBytes);
  }

  Outcome createPipeline() {
    for (const RunBuffer& buffer : request_.buffers) {
      if (buffer.kind != RunBuffer::Kind::AddressOnly) bindings_.push_back(bindingOf(buffer));
    }
    for (const RunImage& image : request_.images) bindings_.push_back(bindingOf(image));
    if (request_.scene) bindings_.push_back(bindingOf(*request_.scene));
    if (setCount(bindings_) > physical_.limits.maxBoundDescriptorSets)
      return Problem{"too many descriptor sets for the device", true};
    request_.pushConstants.resize((request_.pushConstants.size() + 3) / 4 * 4);
    if (Outcome bad = layout_.create(
            *device_, bindings_, static_cast<uint32_t>(request_.pushConstants.size()), stagesOf(request_)))
      return bad;
    const auto start = std::chrono::steady_clock::now();
    if (Outcome bad = work_->createPipeline(*device_, layout_)) return bad;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    outcome_.pipelineMilliseconds = took.count();
    work_->report(*device_, outcome_);
    return std::nullopt;
  }

  Outcome createBuffers() {
    buffers_.resize(request_.buffers.size());
    for (size_t i = 0; i < request_.buffers.size(); ++i) {
      const RunBuffer& buffer = request_.buffers[i];
      VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
      usage |= buffer.kind == RunBuffer::Kind::Uniform ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT
                                                       : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
      if (requirements_.features.has(Feature::bufferDeviceAddress))
        usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
      if (request_.drawing) usage |= VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT;
      if (request_.drawing && !request_.drawing->feedback.empty())
        usage |= VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT;
      if (request_.scene) usage |= VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR;
      if (Outcome bad = buffers_[i].create(*device_, buffer.contents.size() + 2 * kGuardBytes, usage,
                                           Placement::Device))
        return bad;
    }
    for (const AddressPatch& patch : request_.addresses) {
      if (Outcome bad = writeAddress(patch)) return bad;
    }
    return std::nullopt;
  }

  Outcome writeAddress(const AddressPatch& patch) {
    if (!device_->hasAddresses()) return Problem{"the device has no vkGetBufferDeviceAddress", true};
    const uint64_t address = buffers_[patch.target].address(*device_) + kGuardBytes + patch.targetOffset;
    std::vector<uint8_t>& bytes = patch.where == AddressPatch::kPushConstants
                                      ? request_.pushConstants
                                      : request_.buffers[patch.where].contents;
    for (uint64_t record = 0; record < patch.count; ++record) {
      const uint64_t at = patch.offset + record * patch.stride;
      if (at + sizeof address > bytes.size()) return Problem{"an address lies outside its buffer"};
      std::memcpy(bytes.data() + at, &address, sizeof address);
    }
    return std::nullopt;
  }

  Outcome takeTurn() {
    if (request_.turnFile.empty()) return std::nullopt;
    return turn_.take(request_.turnFile);
  }

  Outcome checkExecution() { return transfer().checkExecution(); }

  Transfer transfer() { return {*device_, commands_, staging_}; }

  Outcome fillBuffers() {
    std::vector<uint8_t> guard(kGuardBytes);
    fillGuard(guard, 0);
    for (size_t i = 0; i < request_.buffers.size(); ++i) {
      const std::vector<uint8_t>& contents = request_.buffers[i].contents;
      const VkBuffer buffer = buffers_[i].handle();
      if (Outcome bad = transfer().toDevice(guard, buffer, 0)) return bad;
      if (Outcome bad = transfer().toDevice(contents, buffer, kGuardBytes)) return bad;
      if (Outcome bad = transfer().toDevice(guard, buffer, kGuardBytes + contents.size())) return bad;
    }
    return std::nullopt;
  }

  Outcome createImages() {
    images_.resize(request_.images.size());
    for (size_t i = 0; i < request_.images.size(); ++i) {
      const RunImage& wanted = request_.images[i];
      VkImageUsageFlags usage = usageOf(wanted);
      for (const RunImage& other : request_.images) {
        if (other.form.sameAs == i) usage |= usageOf(other);
      }
      const Image* owner =
          wanted.form.sameAs == ImageForm::kOwnMemory ? nullptr : &images_[wanted.form.sameAs];
      if (Outcome bad = images_[i].create(*device_, instance_.api(), physical_.handle, wanted, owner, usage))
        return bad;
      Transfer through = transfer();
      if (Outcome bad = images_[i].fill(through, wanted)) return bad;
    }
    return std::nullopt;
  }

  Outcome createScene() {
    if (!request_.scene) return std::nullopt;
    Transfer through = transfer();
    return scene_.create(through, request_, buffers_);
  }

  Outcome createDescriptors() {
    if (Outcome bad = sets_.create(*device_, layout_, bindings_)) return bad;
    for (size_t i = 0; i < request_.buffers.size(); ++i) {
      const RunBuffer& buffer = request_.buffers[i];
      if (buffer.kind == RunBuffer::Kind::AddressOnly) continue;
      sets_.write(bindingOf(buffer), {buffers_[i].handle(), kGuardBytes, buffer.contents.size()});
    }
    for (size_t i = 0; i < request_.images.size(); ++i)
      sets_.write(bindingOf(request_.images[i]), images_[i].descriptor(), images_[i].texelView());
    if (request_.scene) sets_.write(bindingOf(*request_.scene), scene_.scene());
    return std::nullopt;
  }

  Outcome prepareWork() {
    WorkPlace place{instance_.api(), physical_, buffers_, transfer()};
    return work_->prepare(place);
  }

  void record() { work_->record(commands_, {layout_, sets_.handles(), request_.pushConstants}); }

  Outcome workOnce() {
    if (Outcome bad = commands_.begin()) return bad;
    commands_.barrier();
    for (uint32_t i = 0; i < request_.dispatches; ++i) {
      record();
      commands_.barrier();
    }
    return commands_.submit(request_.drawing   ? "the drawing"
                            : request_.tracing ? "the ray tracing"
                                               : "the dispatch");
  }

  Outcome readBuffers() {
    std::vector<uint8_t> before(kGuardBytes);
    std::vector<uint8_t> after(kGuardBytes);
    for (size_t i = 0; i < request_.buffers.size(); ++i) {
      RunBuffer& buffer = request_.buffers[i];
      const VkBuffer from = buffers_[i].handle();
      if (Outcome bad = transfer().toHost(from, 0, before)) return bad;
      if (Outcome bad = transfer().toHost(from, kGuardBytes, buffer.contents)) return bad;
      if (Outcome bad = transfer().toHost(from, kGuardBytes + buffer.contents.size(), after)) return bad;
      const GuardDamage below = findDamage(before, 0);
      const GuardDamage above = findDamage(after, 0);
      reportStray(buffer.name, below.bytes, "before its start", before.size() - below.last);
      reportStray(buffer.name, above.bytes, "past its end", above.first);
    }
    return std::nullopt;
  }

  void reportStray(const std::string& name, uint64_t bytes, const char* where, uint64_t nearest) {
    if (bytes == 0) return;
    outcome_.strayWrites.push_back("buffer '" + name + "': " + std::to_string(bytes) + " bytes written " +
                                   where + ", the nearest " + std::to_string(nearest) + " bytes away");
  }

  Outcome readImages() {
    for (size_t i = 0; i < request_.images.size(); ++i) {
      Transfer through = transfer();
      if (Outcome bad = images_[i].read(through, request_.images[i])) return bad;
    }
    return std::nullopt;
  }

  Outcome readWork() {
    Transfer through = transfer();
    return work_->read(through);
  }

  Outcome timeRuns() {
    if (request_.runs == 0) return std::nullopt;
    Stopwatch stopwatch;
    if (Outcome bad = stopwatch.create(*device_, physical_.limits.timestampPeriod)) return bad;
    // A device that has waited for its pipeline may have lowered its clocks, and raises them only after some
    // work (an H100: after 0.1 s, by a factor of five).
    const bool waited = outcome_.pipelineMilliseconds > 1000;
    const auto begin = std::chrono::steady_clock::now();
    const auto isSlow = [&] {
      return waited && std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(300);
    };
    for (int i = -request_.warmups; i < request_.runs; ++i) {
      if (Outcome bad = commands_.begin()) return bad;
      stopwatch.start(commands_);
      record();
      for (int dispatch = 1; dispatch < request_.repeat; ++dispatch) {
        request_.stages.empty() ? commands_.barrierOfDispatches() : commands_.barrier();
        work_->recordAgain(commands_);
      }
      stopwatch.stop(commands_);
      if (Outcome bad = commands_.submit("a timed dispatch")) return bad;
      double nanoseconds = 0;
      if (Outcome bad = stopwatch.read(nanoseconds)) return bad;
      if (i >= 0) outcome_.nanoseconds.push_back(nanoseconds / request_.repeat);
      if (i == -1 && isSlow()) --i;  // once more
    }
    return std::nullopt;
  }

  const Instance& instance_;
  const PhysicalDevice& physical_;
  RunRequest& request_;
  const Requirements& requirements_;
  RunOutcome outcome_;

  // Declared before everything that lives on the device.
  std::unique_ptr<Device> ownDevice_;
  Device* device_ = nullptr;
  Commands commands_;
  StagingBuffer staging_;
  std::vector<Binding> bindings_;
  PipelineLayout layout_;
  std::unique_ptr<Work> work_;
  std::vector<Buffer> buffers_;
  std::vector<Image> images_;
  AccelerationStructures scene_;
  DescriptorSets sets_;
  Turn turn_;
};

}  // namespace

RunOutcome run(const Instance& instance, const PhysicalDevice& device, RunRequest& request) {
  return run(instance, device, request, preflight(device, request));
}

RunOutcome run(const Instance& instance, const PhysicalDevice& device, RunRequest& request,
               Preflight checked) {
  if (checked.kind == RunOutcome::Kind::Done) {
    checked.reasons = exceededLimits(instance.api(), device, request);
    if (!checked.reasons.empty()) checked.kind = RunOutcome::Kind::Skipped;
  }
  if (checked.kind == RunOutcome::Kind::Done)
    return Run(instance, device, request, checked.requirements).execute();
  RunOutcome outcome;
  outcome.kind = checked.kind;
  outcome.reasons = std::move(checked.reasons);
  return outcome;
}

}  // namespace coopc::vk
