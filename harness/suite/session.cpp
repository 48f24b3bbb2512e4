// All buffers of a run lie in one VkBuffer, each at a multiple of 4096 bytes with at least as many guard
// bytes before and after it, so that one copy in, one dispatch and one copy out are one submission.
#include "harness/suite/session.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/spirv_version.hpp"
#include "harness/lowering.hpp"
#include "spirv/enums_supplement.hpp"
#include "vulkan/executor/commands.hpp"
#include "vulkan/executor/kept_devices.hpp"
#include "vulkan/executor/memory.hpp"
#include "vulkan/executor/pipeline.hpp"
#include "vulkan/executor/preflight.hpp"

namespace coopc::harness::suite {
namespace {

using vk::Outcome;
using vk::Problem;

constexpr uint64_t kArena = uint64_t{16} << 20;
constexpr uint32_t kBindings = 6;
constexpr uint32_t kPushBytes = 128;

// The capabilities that the suite's modules declare.
constexpr spv::Capability kCapabilities[] = {
    spv::Capability::Shader,
    spv::Capability::Float16,
    spv::Capability::Int16,
    spv::Capability::Int8,
    spv::Capability::GroupNonUniform,
    spv::Capability::StorageBuffer16BitAccess,
    spv::Capability::StorageBuffer8BitAccess,
    spv::Capability::VulkanMemoryModel,
    spv::Capability::PhysicalStorageBufferAddresses,
    spv::Capability::CooperativeMatrixKHR,
    spv::Capability::CooperativeMatrixReductionsNV,
    spv::Capability::CooperativeMatrixConversionsNV,
    spv::Capability::CooperativeMatrixPerElementOperationsNV,
    spv::Capability::CooperativeMatrixTensorAddressingNV,
    spv::Capability::CooperativeMatrixBlockLoadsNV,
    spv::Capability::TensorAddressingNV,
    spirv::enums::CapabilityBFloat16TypeKHR,
    spirv::enums::CapabilityBFloat16CooperativeMatrixKHR,
};

// Asks for all of these; requirementsOf() keeps what the device has.
vk::Requirements everything(const vk::PhysicalDevice& device) {
  vk::ModuleInfo module;
  module.version = kSpirv13;
  for (const spv::Capability capability : kCapabilities)
    module.capabilities.push_back(static_cast<uint32_t>(capability));
  module.matrices = true;
  module.workgroupScopeMatrices = true;
  vk::ExtraNeeds extra;
  extra.bufferDeviceAddress = true;
  return vk::requirementsOf(module, device, extra);
}

std::vector<vk::Binding> arenaBindings() {
  std::vector<vk::Binding> bindings;
  for (uint32_t i = 0; i < kBindings; ++i) bindings.push_back({0, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER});
  return bindings;
}

// The positions of a program's buffers in the arena.
struct Places {
  std::vector<uint64_t> starts;
  uint64_t end = vk::kGuardBytes;  // of the last guard zone
};

Places placesOf(const Program& program) {
  Places places;
  for (const auto& buffer : program.buffers) {
    places.starts.push_back(places.end);
    places.end += (buffer.size() + vk::kGuardBytes - 1) / vk::kGuardBytes * vk::kGuardBytes + vk::kGuardBytes;
  }
  return places;
}

double millisecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

vk::RunRequest requestOf(const Program& program, std::span<const uint32_t> module) {
  vk::RunRequest request;
  request.module = module;
  request.specializations = program.specializations;
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    vk::RunBuffer buffer;
    buffer.binding = static_cast<uint32_t>(i);
    buffer.bytes = program.buffers[i].size();
    request.buffers.push_back(std::move(buffer));
  }
  request.groups = program.groups;
  request.pushConstants = program.pushConstants;
  for (const Program::Address& address : program.addresses) {
    request.addresses.push_back({vk::AddressPatch::kPushConstants, address.offset, address.buffer, 0, 1, 0});
  }
  return request;
}

}  // namespace

// A device, and everything that is made once for it: one piece of memory, one pipeline layout, one descriptor
// set serve all cases.
class Session::Bench {
 public:
  static Result<std::unique_ptr<Bench>> create(const vk::Instance& instance,
                                               const vk::PhysicalDevice& physical,
                                               const vk::ComputeFamily& family, const vk::Requirements& needs,
                                               const vk::DeviceOptions& options) {
    Result<std::unique_ptr<vk::Device>> device =
        vk::Device::create(instance, physical, family, needs, options);
    if (!device) return device.error();
    std::unique_ptr<Bench> bench(new Bench);
    bench->device_ = std::move(*device);
    if (Outcome bad = bench->setUp()) return Error{bad->message};
    return bench;
  }

  void abandon() { device_->abandon(); }

  Execution execute(const Program& program, const vk::RunRequest& request, uint32_t timeoutSeconds) {
    Execution result;
    result.kind = Execution::Kind::Done;
    commands_.setTimeout(timeoutSeconds);
    if (Outcome bad = run(program, request, result)) {
      result.kind = device_->isAbandoned() ? Execution::Kind::Lost : Execution::Kind::Failed;
      result.reasons.push_back(bad->message);
    }
    return result;
  }

 private:
  Bench() = default;

  Outcome setUp() {
    if (Outcome bad = commands_.create(*device_)) return bad;
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                               VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    if (device_->hasAddresses()) usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
    if (Outcome bad = arena_.create(*device_, kArena, usage, vk::Placement::Device)) return bad;
    if (Outcome bad = staging_.create(*device_, kArena)) return bad;
    if (Outcome bad = vk::Transfer(*device_, commands_, staging_).checkExecution()) return bad;
    const std::vector<vk::Binding> bindings = arenaBindings();
    if (Outcome bad = layout_.create(*device_, bindings, kPushBytes)) return bad;
    return sets_.create(*device_, layout_, bindings);
  }

  Outcome run(const Program& program, const vk::RunRequest& request, Execution& result) {
    if (program.buffers.size() > kBindings) return Problem{"more buffers than bindings"};
    if (program.pushConstants.size() > kPushBytes)
      return Problem{"more push constants than every device has"};
    const Places places = placesOf(program);
    if (places.end > kArena) return Problem{"the buffers are larger than the memory set aside"};

    vk::ComputePipeline pipeline;
    const Outcome notMade = pipeline.create(
        *device_, layout_,
        {request.module, "main", program.specializations, request.subgroupSize, request.fullSubgroups});
    result.pipelineMilliseconds = pipeline.milliseconds();
    if (notMade) return notMade;

    fill(program, places);
    std::vector<uint8_t> push;
    if (Outcome bad = makePushConstants(program, places, push)) return bad;
    if (Outcome bad = submit(program, pipeline, push, places.end)) return bad;
    for (size_t i = 0; i < program.buffers.size(); ++i) {
      const uint8_t* start = staging_.bytes() + places.starts[i];
      result.buffers.emplace_back(start, start + program.buffers[i].size());
    }
    reportStray(program, places, result);
    return std::nullopt;
  }

  // Writes contents and guard zones to the staging buffer, and positions to the descriptor set.
  void fill(const Program& program, const Places& places) {
    uint8_t* bytes = staging_.bytes();
    vk::fillGuard({bytes, places.end}, 0);
    for (size_t i = 0; i < program.buffers.size(); ++i) {
      if (!program.buffers[i].empty())
        std::memcpy(bytes + places.starts[i], program.buffers[i].data(), program.buffers[i].size());
    }
    for (uint32_t i = 0; i < kBindings; ++i) {
      // The part that a case does not use refers to the first guard zone, so that a stray access is noticed.
      const bool used = i < program.buffers.size() && !program.buffers[i].empty();
      sets_.write(
          {0, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
          {arena_.handle(), used ? places.starts[i] : 0, used ? program.buffers[i].size() : vk::kGuardBytes});
    }
  }

  Outcome makePushConstants(const Program& program, const Places& places, std::vector<uint8_t>& push) const {
    push = program.pushConstants;
    push.resize((push.size() + 3) / 4 * 4);
    for (const Program::Address& address : program.addresses) {
      if (!device_->hasAddresses()) return Problem{"the device has no buffer addresses"};
      const uint64_t at = arena_.address(*device_) + places.starts[address.buffer];
      std::memcpy(push.data() + address.offset, &at, sizeof at);
    }
    return std::nullopt;
  }

  Outcome submit(const Program& program, const vk::ComputePipeline& pipeline,
                 const std::vector<uint8_t>& push, uint64_t bytes) {
    const vk::DeviceApi& api = device_->api();
    const VkBufferCopy all{0, 0, bytes};
    if (Outcome bad = commands_.begin()) return bad;
    commands_.barrier();
    api.vkCmdCopyBuffer(commands_.handle(), staging_.handle(), arena_.handle(), 1, &all);
    commands_.barrier();
    commands_.dispatch(pipeline, layout_, sets_.handles(), push, program.groups);
    commands_.barrier();
    api.vkCmdCopyBuffer(commands_.handle(), arena_.handle(), staging_.handle(), 1, &all);
    commands_.barrier();
    return commands_.submit("the dispatch");
  }

  void reportStray(const Program& program, const Places& places, Execution& result) const {
    const size_t count = program.buffers.size();
    for (size_t i = 0; i <= count; ++i) {
      const uint64_t from = i == 0 ? 0 : places.starts[i - 1] + program.buffers[i - 1].size();
      const uint64_t to = i == count ? places.end : places.starts[i];
      const vk::GuardDamage damage = vk::findDamage({staging_.bytes() + from, to - from}, from);
      if (damage.bytes == 0) continue;
      result.strayWrites.push_back(
          std::to_string(damage.bytes) + " bytes written outside the buffers, the first " +
          (i == 0 ? std::to_string(to - from - damage.first) + " bytes before buffer 0"
                  : std::to_string(damage.first) + " bytes past the end of buffer " + std::to_string(i - 1)));
    }
  }

  std::unique_ptr<vk::Device> device_;  // before all that lives on it
  vk::Commands commands_;
  vk::Buffer arena_;
  vk::StagingBuffer staging_;
  vk::PipelineLayout layout_;
  vk::DescriptorSets sets_;
};

Session::Session(const vk::Instance& instance, const vk::PhysicalDevice& device, uint32_t timeoutSeconds,
                 bool exact)
    : instance_(instance),
      device_(device),
      timeoutSeconds_(timeoutSeconds),
      family_(vk::computeFamily(instance, device)) {
  if (!exact) everything_ = everything(device);
}
Session::~Session() = default;

Execution Session::execute(const Program& program, std::span<const uint32_t> module) {
  Execution result;
  vk::RunRequest request = requestOf(program, module);
  vk::Preflight possible = vk::preflight(device_, request);
  spirv::lower::LowerAnswer answer;
  result.lowered = lowerWhereNeeded(device_, lowering_ ? &*lowering_ : nullptr, request, possible, answer);
  if (possible.kind != vk::RunOutcome::Kind::Done) {
    result.kind =
        possible.kind == vk::RunOutcome::Kind::Skipped ? Execution::Kind::Skipped : Execution::Kind::Failed;
    result.reasons = std::move(possible.reasons);
    return result;
  }
  const bool common = everything_ && vk::covers(*everything_, possible.requirements);
  const auto begin = std::chrono::steady_clock::now();
  const size_t made = benches_.made();
  const Result<Bench*> bench = benchFor(common ? *everything_ : possible.requirements);
  if (!bench) {
    result.kind = Execution::Kind::Failed;
    result.reasons.push_back(bench.error().message);
    return result;
  }
  const double milliseconds = millisecondsSince(begin);
  const bool lowered = result.lowered;
  result = (*bench)->execute(program, request, timeoutSeconds_);
  result.lowered = lowered;
  if (benches_.made() != made) result.deviceMilliseconds = milliseconds;
  return result;
}

Result<Session::Bench*> Session::benchFor(const vk::Requirements& needs) {
  if (!family_) return Error{"the device has no compute queue"};
  return benches_.get(instance_, device_, *family_, needs, {});
}

}  // namespace coopc::harness::suite
