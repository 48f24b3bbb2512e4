// DecodeFunc and DecodeVectorFunc of OpCooperativeMatrixLoadTensorNV.
#include "validator/context.hpp"

namespace coopc::validator {

using spv::Op;

namespace {

// Checks the parameters, which both kinds have in common. False if the rest of the function cannot be
// checked.
bool checkParameters(Context& c, const Instruction& load, Id id, const char* name, const Function*& function,
                     Id layoutType) {
  function = c.function(id);
  if (function == nullptr) {
    c.report(Rule::DecodeFunction, &load,
             std::string(name) + " %" + std::to_string(id.index()) + " is not a function");
    return false;
  }
  const std::string who = std::string(name) + " `" + c.functionName(id) + "`";
  if (!c.agreesWithType(*function)) {
    c.report(Rule::DecodeFunction, &load, who + " has a function type other than its parameters and result");
    return false;
  }
  if (function->parameters.size() != 3) {
    c.report(Rule::DecodeParameterCount, &load,
             who + " has " + std::to_string(function->parameters.size()) + " parameters, not 3");
    return false;
  }
  const auto pointer = c.pointer(function->parameters[0]);
  if (!pointer || pointer->storage != spv::StorageClass::PhysicalStorageBuffer) {
    c.report(Rule::DecodePointer, &load,
             "parameter 1 of " + who + " is " + c.describe(function->parameters[0]) +
                 ", not a pointer in PhysicalStorageBuffer");
  }
  const Value dim = c.layout(layoutType)->dimensions;
  for (uint32_t n = 1; n < 3; ++n) {
    const auto array = as<op::TypeArray>(c.m, function->parameters[n]);
    const std::string where = "parameter " + std::to_string(n + 1) + " of " + who;
    if (!array || !c.isInt32(array.elementType())) {
      c.report(Rule::DecodeCoordinates, &load,
               where + " is " + c.describe(function->parameters[n]) + ", not an array of 32-bit integers");
      return false;
    }
    const Value length = c.value(array.length());
    if (length.known && dim.known && length.bits != dim.bits) {
      c.report(Rule::DecodeCoordinates, &load,
               where + " has " + c.describe(length) + " elements, the tensor layout " + c.describe(dim) +
                   " dimensions",
               length.byDefault | dim.byDefault);
      return false;
    }
  }
  return true;
}

}  // namespace

void checkDecodeFunctions(Context& c, const Instruction& load, Id decode, Id decodeVector, Id layoutType) {
  const MatrixOperands matrix = *c.matrix(load.type);
  const Function* function = nullptr;
  if (!decode) {
    c.report(Rule::DecodeVectorAlone, &load, "DecodeVectorFunc is present without DecodeFunc");
  } else if (checkParameters(c, load, decode, "decode function", function, layoutType) &&
             !c.sameType(function->result, matrix.component)) {
    c.report(Rule::DecodeResult, &load,
             "decode function `" + c.functionName(decode) + "` returns " + c.describe(function->result) +
                 ", the matrix has components of " + c.describe(matrix.component));
  }
  if (!decodeVector ||
      !checkParameters(c, load, decodeVector, "decode vector function", function, layoutType)) {
    return;
  }
  const auto vector = as<op::TypeVector>(c.m, function->result);
  // A vector of eight components needs SPV_EXT_long_vector.
  const auto longVector = as<op::TypeVectorIdEXT>(c.m, function->result);
  Value count;
  if (vector) count = {true, {}, vector.componentCount(), 32};
  if (longVector) count = c.value(longVector.componentCount());
  const uint64_t n = count.bits;
  const bool component =
      c.sameType(vector ? vector.componentType() : longVector.componentType(), matrix.component);
  if (!component || (count.known && n != 2 && n != 4 && n != 8)) {
    c.report(Rule::DecodeVectorResult, &load,
             "decode vector function `" + c.functionName(decodeVector) + "` returns " +
                 c.describe(function->result) + ", not 2, 4 or 8 components of " +
                 c.describe(matrix.component),
             component ? count.byDefault : Defaults());
  }
}

}  // namespace coopc::validator
