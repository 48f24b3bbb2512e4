// Tensors of SPV_ARM_tensors for devices without them. A tensor becomes a storage buffer of its elements, and
// a uniform buffer that describes it: for each dimension, the outermost first, a uvec4 of its size, its
// stride in elements, and two numbers that are not read. The report has the bindings of the descriptions.
//
//   layout(set = 0, binding = 1) uniform tensorARM<float16_t, 2> t;
//
//   layout(set = 0, binding = 1) buffer Elements { float16_t elements[]; } t;
//   layout(set = 0, binding = N) uniform Description { uvec4 dimensions[2]; } of_t;
//
// Accesses are rewritten in accesses.cpp. Functions that take tensors have been inlined before.
#include "spirv/tensors.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "base/spirv_version.hpp"
#include "spirv/instructions.hpp"
#include "spirv/lower/passes.hpp"
#include "spirv/lower/tensors/accesses.hpp"
#include "spirv/lower/tensors/buffers.hpp"

namespace coopc::spirv::lower {
namespace {

// Removes types that held tensors: types of tensors, pointers to them and arrays of them, and types of
// functions that took them.
void dropTypes(Module& m) {
  const auto refersToTypes = [](spv::Op op) {
    return op == spv::Op::OpTypePointer || op == spv::Op::OpTypeArray || op == spv::Op::OpTypeRuntimeArray;
  };
  // A function's type follows the types of its parameters.
  std::vector<bool> gone(m.bound);
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    const Instruction& i = m.instructions[n];
    bool opaque = i.op() == enums::OpTypeTensorARM || (refersToTypes(i.op()) && holdsTensors(m, i.result));
    if (i.op() == spv::Op::OpTypeFunction)
      std::as_const(m).forEachUse(i, [&](Id id) { opaque = opaque || gone[id.index()]; });
    if (opaque) gone[i.result.index()] = true;
  }
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    Instruction& i = m.instructions[n];
    if (i.result && gone[i.result.index()]) i.opcode = uint16_t(spv::Op::OpNop);
  }
}

// Removes the extension and its capabilities, and declares what buffers need in their place.
void replaceCapabilities(Code& code) {
  Module& m = code.module();
  const auto indexes = [&](std::initializer_list<spv::Capability> capabilities) {
    for (const spv::Capability c : capabilities) code.preamble.capability(c);
  };
  for (uint32_t n = 0; n < m.functionsAt; ++n) {
    Instruction& i = m.instructions[n];
    bool gone = as<op::Extension>(m, i).name() == "SPV_ARM_tensors";
    if (const auto declaration = as<op::Capability>(m, i)) {
      switch (declaration.capability()) {
        case enums::CapabilityTensorsARM: gone = true; break;
        case enums::CapabilityStorageTensorArrayDynamicIndexingARM:
          gone = true;
          indexes({spv::Capability::StorageBufferArrayDynamicIndexing,
                   spv::Capability::UniformBufferArrayDynamicIndexing});
          break;
        case enums::CapabilityStorageTensorArrayNonUniformIndexingARM:
          gone = true;
          indexes({spv::Capability::StorageBufferArrayNonUniformIndexing,
                   spv::Capability::UniformBufferArrayNonUniformIndexing});
          if (m.version < kSpirv15) code.preamble.extension("SPV_EXT_descriptor_indexing");
          break;
        default: break;
      }
    }
    if (gone) i.opcode = uint16_t(spv::Op::OpNop);
  }
  if (m.version < kSpirv13) code.preamble.extension("SPV_KHR_storage_buffer_storage_class");
}

void reportBuffers(std::vector<TensorVariable> tensors, Report& report) {
  std::ranges::stable_sort(tensors, {}, [](const TensorVariable& t) { return std::pair(t.set, t.binding); });
  for (const TensorVariable& t : tensors) {
    report.tensors.push_back({t.set, t.binding, t.description, t.rank});
    report.rewrites.push_back(
        {"the tensor at set " + std::to_string(t.set) + ", binding " + std::to_string(t.binding),
         "a storage buffer, and a description of it, a uniform buffer at binding " +
             std::to_string(t.description)});
  }
}

}  // namespace

void lowerTensors(Module& module, const TensorBufferOptions& options, Report& report) {
  Code code(module);
  std::vector<TensorVariable> tensors = findTensors(code, report);
  if (report.isRefused()) return;
  placeDescriptions(module, options, tensors, report);
  if (report.isRefused()) return;
  declareBuffers(code, tensors);
  TensorAccesses accesses(code, tensors, report);
  code.writer.rewrite([&](const Instruction& i) { return accesses.rewrite(i); });
  if (code.writer.fault())
    report.refuse(Refusal::ControlFlow, "an access to a tensor is in a loop header that cannot be split");
  if (report.isRefused()) return;
  for (const TensorVariable& t : tensors) becomeBuffer(code, t);
  dropTypes(module);
  replaceCapabilities(code);
  code.finish();
  reportBuffers(std::move(tensors), report);
}

}  // namespace coopc::spirv::lower
