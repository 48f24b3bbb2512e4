// A request to run a compute module, to draw or to trace rays, and its outcome. Independent of case files:
// memory in, memory out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/number_type.hpp"
#include "spirv/matrix_type.hpp"
#include "vulkan/executor/work_request.hpp"

namespace coopc::vk {

class Device;
template <typename Kept>
class KeptDevices;
using LogicalDevices = KeptDevices<Device>;

/// How the elements of a tensor lie in its buffer: sizes and strides in elements, the outermost dimension
/// first.
struct TensorShape {
  std::vector<uint32_t> sizes, strides;
};

struct RunBuffer {
  enum class Kind { Storage, Uniform, AddressOnly };
  std::string name;
  Kind kind = Kind::Storage;
  uint32_t set = 0;
  uint32_t binding = 0;
  uint64_t bytes = 0;             ///< the size of `contents`, which is known before the contents are
  std::vector<uint8_t> contents;  ///< initial contents; after the run, the final contents
  /// If it has sizes, the binding is a tensor, which has to be lowered to a buffer: useLowered() adds its
  /// description.
  TensorShape tensor{};
};

/// A 1D to 3D image of one mip level. Storage images are kept in the layout GENERAL; sampled ones come with a
/// sampler in the same binding (a combined image sampler).
struct ImageSpec {
  enum class Kind { Storage, Sampled, Target };  ///< Target: rendered to; bound nowhere
  std::string name;
  Kind kind = Kind::Storage;
  uint32_t set = 0;
  uint32_t binding = 0;
  std::string format;  ///< "r32f", "rgba8", ...
  std::array<uint32_t, 3> size{1, 1, 1};
  uint32_t dimensions = 2;
  NumberType type = NumberType::F32;  ///< of one channel in contents
  uint32_t channels = 1;
  bool linear = false;  ///< the sampler's filter
  bool repeat = false;  ///< the sampler's address mode: repeat, or clamp to edge
  bool written = false;

  uint64_t bytes() const { return uint64_t{size[0]} * size[1] * size[2] * channels * byteSize(type); }
};

/// Properties of images beyond the single level and layer that case files can describe.
struct ImageForm {
  enum class View { Plain, Cube, Texels };  ///< Texels: a buffer seen through a texel buffer view
  enum class Descriptor { OfKind, Texture, SamplerOnly };  ///< OfKind: storage image, or image with sampler
  View view = View::Plain;
  Descriptor descriptor = Descriptor::OfKind;
  bool arrayed = false;   ///< the view is of an array type, even with one layer
  uint32_t layers = 1;    ///< of the image: a cube's faces count
  uint32_t levels = 1;    ///< the sizes of a level are half of those before, at least 1
  uint32_t samples = 1;   ///< with more than one, contents can be neither given nor read
  bool compares = false;  ///< the sampler compares: reference <= texel
  static constexpr size_t kOwnMemory = SIZE_MAX;
  size_t sameAs = kOwnMemory;  ///< an earlier image of the request, whose VkImage this is a view of
};

struct RunImage {
  ImageSpec spec;
  /// Level after level; in each, layer after layer.
  std::vector<uint8_t> contents;
  ImageForm form{};

  std::array<uint32_t, 3> levelSize(uint32_t level) const {
    return {std::max(spec.size[0] >> level, 1u), std::max(spec.size[1] >> level, 1u),
            std::max(spec.size[2] >> level, 1u)};
  }
  uint64_t levelBytes(uint32_t level) const {
    const std::array<uint32_t, 3> s = levelSize(level);
    return uint64_t{s[0]} * s[1] * s[2] * form.layers * spec.channels * byteSize(spec.type);
  }
  uint64_t bytes() const {
    uint64_t sum = 0;
    for (uint32_t level = 0; level < form.levels; ++level) sum += levelBytes(level);
    return sum;
  }
};

struct Specialization {
  uint32_t id = 0;
  uint64_t bits = 0;
  uint32_t bytes = 4;
};

/// Eight bytes in each record of a buffer that are overwritten with the device address of a buffer.
struct AddressPatch {
  static constexpr size_t kPushConstants = SIZE_MAX;
  size_t where = kPushConstants;  ///< index of a buffer, or kPushConstants
  uint64_t offset = 0;            ///< of the first eight bytes
  size_t target = 0;              ///< index of the buffer whose address it is
  uint64_t targetOffset = 0;
  uint64_t count = 1;   ///< of records
  uint64_t stride = 0;  ///< bytes from one record to the next
};

struct RunRequest {
  std::span<const uint32_t> module;  ///< of a dispatch
  std::string entry = "main";
  /// If `stages` is not empty, the run is a drawing or a tracing, in place of a dispatch of `module`.
  /// Specialization values hold for all stages.
  std::vector<RunStage> stages;
  std::optional<Drawing> drawing;
  std::optional<Tracing> tracing;
  std::optional<Scene> scene;  ///< also for ray queries
  std::vector<Specialization> specializations;
  std::vector<RunBuffer> buffers;
  std::vector<RunImage> images;
  std::vector<uint8_t> pushConstants;
  std::vector<AddressPatch> addresses;
  std::array<uint32_t, 3> groups{1, 1, 1};
  uint32_t dispatches = 1;    ///< in order; each sees what the previous ones wrote
  uint32_t subgroupSize = 0;  ///< 0: any
  bool fullSubgroups = false;
  bool robustBufferAccess = false;  ///< accesses outside the buffers are defined
  /// Ends the run when the pipeline is made: nothing is allocated or executed, and the contents of buffers
  /// may be missing.
  bool pipelineOnly = false;
  std::vector<spirv::MatrixShape> matrices;  ///< that the device must list, or the run is skipped
  uint32_t timeoutSeconds = 60;
  /// Dispatches that are timed after the first one; none if there are 0 runs. They see what the first one
  /// left in the buffers. If creating the pipeline took longer than a second, warm-ups go on for 0.3 seconds,
  /// unless their number is 0.
  int warmups = 0;
  int runs = 0;
  /// The number of dispatches in a timed run, in order within one submission; each sees what the previous
  /// ones wrote. The time of a run is their total time divided by this number.
  int repeat = 1;
  /// Asks the driver for statistics of the compiled shader (VK_KHR_pipeline_executable_properties).
  bool statistics = false;
  /// Asks the driver for the code of the compiled shader (the same extension, and VK_KHR_pipeline_binary).
  bool code = false;
  /// If not empty, a file that is locked (flock) while this run has work on the device, so that several
  /// processes can create pipelines at the same time without disturbing each other's timings.
  std::string turnFile;
  /// If not null, the VkDevice is taken from here and stays there for runs with the same needs.
  LogicalDevices* devices = nullptr;
};

/// One form of a pipeline's code, as the driver gives it.
struct ShaderCode {
  std::string name;  ///< the driver's, or "binary"
  bool isText = false;
  std::vector<uint8_t> bytes;
};

struct RunOutcome {
  enum class Kind { Done, Skipped, Failed };
  Kind kind = Kind::Failed;
  /// For Skipped, what the device lacks; for Failed, what went wrong.
  std::vector<std::string> reasons;
  /// For Failed: the device is lost, or a dispatch did not finish in time. The device must not be used again.
  bool lost = false;
  /// One for each buffer that was written outside its bounds.
  std::vector<std::string> strayWrites;
  /// The time of pipeline creation, including the driver's compilation.
  double pipelineMilliseconds = 0;
  /// The size of the subgroups that the driver compiled the shader for; 0 if it does not report it.
  uint32_t subgroupSize = 0;
  /// One per timed run.
  std::vector<double> nanoseconds;
  /// Names and values as the driver reports them: registers, stack, shared memory ... Empty if it reports
  /// none.
  std::vector<std::pair<std::string, double>> statistics;
  std::vector<ShaderCode> code;
};

}  // namespace coopc::vk
