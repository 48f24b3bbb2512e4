// include/coopc/reflect.h over reflect.hpp: exceptions (memory) become a status.
#include <memory>
#include <string>

#include "base/guarded.hpp"
#include "coopc/reflect.h"
#include "coopc/reflect.hpp"

struct coopc_reflection {
  coopc::Reflection r;
  coopc_status status = COOPC_STATUS_OK;
  std::string json = {};
};

// The C enumerations have the same numbers as the C++ interface's: the functions below convert by a cast.
#define COOPC_SAME(c, cpp) static_assert(int(c) == int(coopc::cpp), #c " and coopc::" #cpp " differ")
COOPC_SAME(COOPC_TYPE_VOID, ReflectedTypeKind::Void);
COOPC_SAME(COOPC_TYPE_BOOL, ReflectedTypeKind::Bool);
COOPC_SAME(COOPC_TYPE_INT, ReflectedTypeKind::Int);
COOPC_SAME(COOPC_TYPE_UINT, ReflectedTypeKind::Uint);
COOPC_SAME(COOPC_TYPE_FLOAT, ReflectedTypeKind::Float);
COOPC_SAME(COOPC_TYPE_VECTOR, ReflectedTypeKind::Vector);
COOPC_SAME(COOPC_TYPE_MATRIX, ReflectedTypeKind::Matrix);
COOPC_SAME(COOPC_TYPE_ARRAY, ReflectedTypeKind::Array);
COOPC_SAME(COOPC_TYPE_RUNTIME_ARRAY, ReflectedTypeKind::RuntimeArray);
COOPC_SAME(COOPC_TYPE_STRUCT, ReflectedTypeKind::Struct);
COOPC_SAME(COOPC_TYPE_POINTER, ReflectedTypeKind::Pointer);
COOPC_SAME(COOPC_TYPE_IMAGE, ReflectedTypeKind::Image);
COOPC_SAME(COOPC_TYPE_SAMPLER, ReflectedTypeKind::Sampler);
COOPC_SAME(COOPC_TYPE_SAMPLED_IMAGE, ReflectedTypeKind::SampledImage);
COOPC_SAME(COOPC_TYPE_ACCELERATION_STRUCTURE, ReflectedTypeKind::AccelerationStructure);
COOPC_SAME(COOPC_TYPE_COOPERATIVE_MATRIX, ReflectedTypeKind::CooperativeMatrix);
COOPC_SAME(COOPC_TYPE_COOPERATIVE_VECTOR, ReflectedTypeKind::CooperativeVector);
COOPC_SAME(COOPC_TYPE_TENSOR_LAYOUT, ReflectedTypeKind::TensorLayout);
COOPC_SAME(COOPC_TYPE_TENSOR_VIEW, ReflectedTypeKind::TensorView);
COOPC_SAME(COOPC_TYPE_OTHER, ReflectedTypeKind::Other);
COOPC_SAME(COOPC_TYPE_TENSOR, ReflectedTypeKind::Tensor);
COOPC_SAME(COOPC_TYPE_BUFFER, ReflectedTypeKind::Buffer);
COOPC_SAME(COOPC_BINDING_SAMPLER, ReflectedBindingKind::Sampler);
COOPC_SAME(COOPC_BINDING_COMBINED_IMAGE_SAMPLER, ReflectedBindingKind::CombinedImageSampler);
COOPC_SAME(COOPC_BINDING_SAMPLED_IMAGE, ReflectedBindingKind::SampledImage);
COOPC_SAME(COOPC_BINDING_STORAGE_IMAGE, ReflectedBindingKind::StorageImage);
COOPC_SAME(COOPC_BINDING_UNIFORM_TEXEL_BUFFER, ReflectedBindingKind::UniformTexelBuffer);
COOPC_SAME(COOPC_BINDING_STORAGE_TEXEL_BUFFER, ReflectedBindingKind::StorageTexelBuffer);
COOPC_SAME(COOPC_BINDING_UNIFORM_BUFFER, ReflectedBindingKind::UniformBuffer);
COOPC_SAME(COOPC_BINDING_STORAGE_BUFFER, ReflectedBindingKind::StorageBuffer);
COOPC_SAME(COOPC_BINDING_INPUT_ATTACHMENT, ReflectedBindingKind::InputAttachment);
COOPC_SAME(COOPC_BINDING_ACCELERATION_STRUCTURE, ReflectedBindingKind::AccelerationStructure);
COOPC_SAME(COOPC_BINDING_UNKNOWN, ReflectedBindingKind::Unknown);
COOPC_SAME(COOPC_BINDING_TENSOR, ReflectedBindingKind::Tensor);
COOPC_SAME(COOPC_ENABLER_VERSION, ReflectedEnabler::Kind::Version);
COOPC_SAME(COOPC_ENABLER_EXTENSION, ReflectedEnabler::Kind::Extension);
COOPC_SAME(COOPC_ENABLER_FEATURE, ReflectedEnabler::Kind::Feature);
COOPC_SAME(COOPC_ENABLER_PROPERTY, ReflectedEnabler::Kind::Property);
COOPC_SAME(COOPC_NOT_REFLECTED, kNotReflected);
#undef COOPC_SAME

namespace {

// The reflection of a handle; of NULL, an empty one.
const coopc::Reflection& of(const coopc_reflection* reflection) {
  static const coopc::Reflection none;
  return reflection != nullptr ? reflection->r : none;
}

coopc_number number(const coopc::ReflectedNumber& n) { return {n.known, n.specialized, n.value, n.specId}; }

// *out = make(list[index]), if the index is valid.
template <class T, class Out, class Make>
int get(const std::vector<T>& list, size_t index, Out* out, Make&& make) {
  if (out == nullptr || index >= list.size()) return 0;
  *out = make(list[index]);
  return 1;
}

coopc_requirement requirement(const coopc::ReflectedRequirement& r) {
  return {r.name.c_str(), r.number, r.known, r.alternatives.size()};
}

coopc_enabler enabler(const coopc::ReflectedEnabler& e) {
  return {static_cast<coopc_enabler_kind>(e.kind),
          e.name.c_str(),
          e.structure.c_str(),
          e.member.c_str(),
          e.version.c_str(),
          e.when.c_str()};
}

int enablerOf(const std::vector<coopc::ReflectedRequirement>& list, size_t at, size_t index,
              coopc_enabler* out) {
  return at < list.size() ? get(list[at].alternatives, index, out, enabler) : 0;
}

}  // namespace

extern "C" {

coopc_reflection* coopc_reflect(const uint32_t* words, size_t word_count, const coopc_spec_value* values,
                                size_t value_count, const char* profile, size_t profile_length) {
  return coopc_reflect_with_sizes(words, word_count, values, value_count, nullptr, 0, profile,
                                  profile_length);
}
coopc_reflection* coopc_reflect_with_sizes(const uint32_t* words, size_t word_count,
                                           const coopc_spec_value* values, size_t value_count,
                                           const coopc_descriptor_size* sizes, size_t size_count,
                                           const char* profile, size_t profile_length) {
  return coopc::guard<coopc_reflection*>(nullptr, [&] {
    const char* missing = words == nullptr && word_count != 0     ? "the words are NULL"
                          : values == nullptr && value_count != 0 ? "the values are NULL"
                          : sizes == nullptr && size_count != 0   ? "the sizes are NULL"
                                                                  : nullptr;
    if (missing != nullptr) {
      std::unique_ptr<coopc_reflection> refused(new coopc_reflection{{}, COOPC_STATUS_BAD_ARGUMENT});
      refused->r.error = missing;
      return refused.release();
    }
    coopc::ReflectOptions options;
    for (size_t n = 0; n < size_count; ++n)
      options.descriptorSizes.push_back(
          {static_cast<coopc::ReflectedBindingKind>(sizes[n].kind), sizes[n].bytes});
    for (size_t n = 0; n < value_count; ++n)
      options.specializations.push_back({values[n].spec_id, values[n].value});
    if (profile != nullptr) options.profile = {profile, profile_length};
    // Clang 14 cannot initialize an aggregate with parentheses, as make_unique would.
    std::unique_ptr<coopc_reflection> made(
        new coopc_reflection{coopc::reflect({words, word_count}, options)});
    if (profile != nullptr && profile_length == 0 && made->r.ok())
      made->r.device.error = "the device profile is empty";
    if (!made->r.ok())
      made->status = COOPC_STATUS_INPUT_ERROR;
    else if (!made->r.device.error.empty())
      made->status = COOPC_STATUS_BAD_ARGUMENT;
    return made.release();
  });
}
void coopc_reflection_destroy(coopc_reflection* reflection) { delete reflection; }

coopc_status coopc_reflection_status(const coopc_reflection* reflection) {
  return reflection != nullptr ? reflection->status : COOPC_STATUS_OUT_OF_MEMORY;
}
const char* coopc_reflection_error(const coopc_reflection* reflection) {
  const coopc::Reflection& r = of(reflection);
  return r.error.empty() ? r.device.error.c_str() : r.error.c_str();
}
const char* coopc_reflection_json(coopc_reflection* reflection, size_t* length) {
  if (length != nullptr) *length = 0;
  if (reflection == nullptr) return nullptr;
  return coopc::guard<const char*>(nullptr, [&] {
    if (reflection->json.empty()) reflection->json = coopc::renderJson(reflection->r);
    if (length != nullptr) *length = reflection->json.size();
    return reflection->json.c_str();
  });
}
uint32_t coopc_reflection_spirv_version(const coopc_reflection* reflection) { return of(reflection).version; }
const char* coopc_reflection_vulkan_version(const coopc_reflection* reflection) {
  return of(reflection).vulkan.c_str();
}

size_t coopc_reflection_type_count(const coopc_reflection* r) { return of(r).types.size(); }
size_t coopc_reflection_entry_point_count(const coopc_reflection* r) { return of(r).entryPoints.size(); }
size_t coopc_reflection_binding_count(const coopc_reflection* r) { return of(r).bindings.size(); }
size_t coopc_reflection_heap_count(const coopc_reflection* r) { return of(r).heaps.size(); }
size_t coopc_reflection_push_constants_count(const coopc_reflection* r) { return of(r).pushConstants.size(); }
size_t coopc_reflection_interface_count(const coopc_reflection* r) { return of(r).interfaces.size(); }
size_t coopc_reflection_spec_constant_count(const coopc_reflection* r) { return of(r).specConstants.size(); }
size_t coopc_reflection_multiply_add_count(const coopc_reflection* r) { return of(r).multiplyAdds.size(); }
size_t coopc_reflection_decode_function_count(const coopc_reflection* r) { return of(r).decodes.size(); }
size_t coopc_reflection_capability_count(const coopc_reflection* r) { return of(r).capabilities.size(); }
size_t coopc_reflection_extension_count(const coopc_reflection* r) { return of(r).extensions.size(); }

int coopc_reflection_type(const coopc_reflection* r, size_t index, coopc_type* out) {
  return get(of(r).types, index, out, [](const coopc::ReflectedType& t) {
    return coopc_type{static_cast<coopc_type_kind>(t.kind),
                      t.id,
                      t.name.c_str(),
                      t.width,
                      t.element,
                      number(t.count),
                      t.arrayStride,
                      t.size,
                      t.members.size(),
                      t.dim.c_str(),
                      t.format.c_str(),
                      t.arrayed,
                      t.multisampled,
                      t.sampled,
                      t.storageClass,
                      number(t.scope),
                      number(t.rows),
                      number(t.columns),
                      number(t.use),
                      number(t.dimensions),
                      number(t.clampMode)};
  });
}
int coopc_reflection_member(const coopc_reflection* r, size_t type, size_t member, coopc_member* out) {
  if (type >= of(r).types.size()) return 0;
  return get(of(r).types[type].members, member, out, [](const coopc::ReflectedMember& m) {
    return coopc_member{m.name.c_str(), m.type, m.offset, m.size, m.matrixStride, m.rowMajor};
  });
}
int coopc_reflection_tensor_size(const coopc_reflection* r, size_t type, size_t dimension,
                                 coopc_number* out) {
  if (type >= of(r).types.size()) return 0;
  return get(of(r).types[type].shape, dimension, out, number);
}
int coopc_reflection_entry_point(const coopc_reflection* r, size_t index, coopc_entry_point* out) {
  return get(of(r).entryPoints, index, out, [](const coopc::ReflectedEntryPoint& e) {
    return coopc_entry_point{
        e.name.c_str(),
        e.stage.c_str(),
        e.executionModel,
        e.id,
        e.hasWorkgroupSize,
        {number(e.workgroupSize[0]), number(e.workgroupSize[1]), number(e.workgroupSize[2])},
        number(e.sharedMemory)};
  });
}
int coopc_reflection_binding(const coopc_reflection* r, size_t index, coopc_binding* out) {
  return get(of(r).bindings, index, out, [](const coopc::ReflectedBinding& b) {
    return coopc_binding{b.set,
                         b.binding,
                         static_cast<coopc_binding_kind>(b.kind),
                         number(b.count),
                         b.name.c_str(),
                         b.id,
                         b.type,
                         b.nonReadable,
                         b.nonWritable,
                         b.coherent,
                         b.isVolatile,
                         b.isRestrict,
                         b.reads,
                         b.writes,
                         b.entryPoints.data(),
                         b.entryPoints.size()};
  });
}
int coopc_reflection_heap(const coopc_reflection* r, size_t index, coopc_heap* out) {
  return get(of(r).heaps, index, out, [](const coopc::ReflectedHeap& h) {
    return coopc_heap{h.id, h.sampler, h.type, number(h.offset), h.entryPoints.data(), h.entryPoints.size()};
  });
}
int coopc_reflection_push_constants(const coopc_reflection* r, size_t index, coopc_push_constants* out) {
  return get(of(r).pushConstants, index, out, [](const coopc::ReflectedPushConstants& p) {
    return coopc_push_constants{
        p.name.c_str(),       p.id,   p.type,        p.offset, p.size, p.entryPoints.data(),
        p.entryPoints.size(), p.bank, p.memberOffset};
  });
}
int coopc_reflection_interface(const coopc_reflection* r, size_t index, coopc_interface* out) {
  return get(of(r).interfaces, index, out, [](const coopc::ReflectedInterface& v) {
    return coopc_interface{v.name.c_str(), v.id,        v.output,         v.type,
                           v.location,     v.component, v.builtIn.c_str()};
  });
}
int coopc_reflection_spec_constant(const coopc_reflection* r, size_t index, coopc_spec_constant* out) {
  return get(of(r).specConstants, index, out, [](const coopc::ReflectedSpecConstant& c) {
    return coopc_spec_constant{c.name.c_str(), c.id, c.specId, c.type, c.defaultBits};
  });
}
int coopc_reflection_multiply_add(const coopc_reflection* r, size_t index, coopc_multiply_add* out) {
  return get(of(r).multiplyAdds, index, out, [](const coopc::ReflectedMultiplyAdd& x) {
    return coopc_multiply_add{number(x.m), number(x.n), number(x.k),      number(x.scope), x.a.c_str(),
                              x.b.c_str(), x.c.c_str(), x.result.c_str(), x.operands,      x.instructions};
  });
}
int coopc_reflection_decode_function(const coopc_reflection* r, size_t index, coopc_decode_function* out) {
  return get(of(r).decodes, index, out, [](const coopc::ReflectedDecode& x) {
    return coopc_decode_function{x.name.c_str(), x.function,          x.vector,
                                 x.matrix,       x.blockSizes.size(), x.instructions};
  });
}
size_t coopc_reflection_block_size(const coopc_reflection* r, size_t decode_function, size_t block,
                                   coopc_number* sizes) {
  if (sizes == nullptr || decode_function >= of(r).decodes.size()) return 0;
  const auto& all = of(r).decodes[decode_function].blockSizes;
  if (block >= all.size()) return 0;
  constexpr size_t kMaxDimensions = 5;
  size_t n = 0;
  for (; n < all[block].size() && n < kMaxDimensions; ++n) sizes[n] = number(all[block][n]);
  return n;
}
int coopc_reflection_capability(const coopc_reflection* r, size_t index, coopc_requirement* out) {
  return get(of(r).capabilities, index, out, requirement);
}
int coopc_reflection_extension(const coopc_reflection* r, size_t index, coopc_requirement* out) {
  return get(of(r).extensions, index, out, requirement);
}
int coopc_reflection_capability_enabler(const coopc_reflection* r, size_t capability, size_t index,
                                        coopc_enabler* out) {
  return enablerOf(of(r).capabilities, capability, index, out);
}
int coopc_reflection_extension_enabler(const coopc_reflection* r, size_t extension, size_t index,
                                       coopc_enabler* out) {
  return enablerOf(of(r).extensions, extension, index, out);
}

int coopc_reflection_device(const coopc_reflection* r) {
  return of(r).device.asked ? int(of(r).device.runs) : -1;
}
size_t coopc_reflection_obstacle_count(const coopc_reflection* r) { return of(r).device.obstacles.size(); }
const char* coopc_reflection_obstacle(const coopc_reflection* r, size_t index, const char** rule) {
  if (index >= of(r).device.obstacles.size()) return nullptr;
  const coopc::ReflectedObstacle& o = of(r).device.obstacles[index];
  if (rule != nullptr) *rule = o.rule.c_str();
  return o.message.c_str();
}

}  // extern "C"
