// Declares the parameters of functions: see parameters.hpp.
#include "emit/parameters.hpp"

#include "frontend/program/type_queries.hpp"

namespace coopc::emit {

using namespace frontend;

// The format of an image parameter.
uint32_t Parameters::formatOf(uint32_t i) const {
  if (!instance_.formats.empty()) return instance_.formats[i] & ~kFromHeap;
  return program.variables[program.functions[instance_.function].params[i]].imageFormat;
}

bool Parameters::isFromHeap(uint32_t i) const {
  return !instance_.formats.empty() && (instance_.formats[i] & kFromHeap) != 0;
}

// The storage class of the object that a parameter with a type of GL_EXT_spirv_intrinsics points to.
spv::StorageClass Parameters::storageOf(uint32_t i) const {
  return instance_.formats.empty() ? spv::StorageClass::Function
                                   : static_cast<spv::StorageClass>(instance_.formats[i]);
}

void Parameters::pushTypes() {
  Types& types = declared_.types;
  const Function& fn = program.functions[instance_.function];
  for (uint32_t i = 0; i < fn.params.size(); ++i) {
    const Variable& v = program.variables[fn.params[i]];
    Id t;
    if (!isBasic(v.type) && types.isOpaque(v.type)) {
      t = isFromHeap(i)
              ? types.untypedPointer(opaqueStorage(program, v.type))
              : types.pointerType(opaqueStorage(program, v.type), types.opaqueType(v.type, formatOf(i)));
    } else if (isIntrinsicType(program, v.type)) {
      t = types.pointerType(storageOf(i), types.type(v.type));
    } else {
      types.useType(v.type);
      t = types.type(v.type);
      if (passedByPointer(program, v)) t = types.pointerType(spv::StorageClass::Function, t);
    }
    module.scratch.push_back(t);
  }
}

Id Parameters::declare(uint32_t i, Id typeId) {
  Types& types = declared_.types;
  Variables& variables = declared_.variables;
  const VarId v = program.functions[instance_.function].params[i];
  const Variable& var = program.variables[v];
  const Id parameter = b.parameter(typeId);
  if (var.name) b.name(parameter, names.text(var.name));
  declared_.intrinsics.decorate(parameter, var.spirvDecorations);
  if (var.precision == Precision::Low || var.precision == Precision::Medium)
    b.decorate(parameter, spv::Decoration::RelaxedPrecision);
  VariableSlot s;
  s.id = parameter;
  if (!isBasic(var.type) && types.isOpaque(var.type)) {
    s.storage = opaqueStorage(program, var.type);
    s.imageFormat = formatOf(i);
    s.untyped = isFromHeap(i);
    s.valueType = types.opaqueType(var.type, s.imageFormat);
    variables.memoryDecorations(parameter, var.qualifiers);
    variables.imageProcessingDecorations(parameter, var.imageProcessing);
    variables.setSlot(v, s);
  } else if (isIntrinsicType(program, var.type)) {
    s.storage = storageOf(i);
    variables.setSlot(v, s);
  } else if (passedByPointer(program, var)) {
    if (!isBasic(var.type)) variables.referenceDecorations(parameter, var.type, var.qualifiers);
    variables.setSlot(v, s);
  } else if (usedAsValue(program, var)) {
    variables.pointerParameterDecorations(parameter, var.type, var.qualifiers);
    s.isValue = true;
    variables.setSlot(v, s);
  } else {
    variables.pointerParameterDecorations(parameter, var.type, var.qualifiers);
    variables.setSlot(v, {});
    return parameter;
  }
  return {};
}

}  // namespace coopc::emit
