// The two buffers that take a tensor's place: one of its elements, one of its description. Their bindings are
// decided before either is declared.
#pragma once

#include <cstdint>
#include <vector>

#include "spirv/lower/code.hpp"
#include "spirv/lower/passes.hpp"

namespace coopc::spirv::lower {

/// A variable of the module that is a tensor or an array of tensors.
struct TensorVariable {
  Id variable;
  Id type;             ///< the tensor type
  Id arrays;           ///< if the variable is an array of tensors: its type
  Id element;          ///< as in the tensor
  Id stored;           ///< as in the buffer
  uint32_t bytes = 0;  ///< of an element in the buffer
  uint32_t rank = 0;
  uint32_t set = 0, binding = 0;
  uint32_t description = 0;  ///< the binding of the description
  Id elements;               ///< the block of the elements, or the array of them; once it is declared
  Id described;              ///< the variable of the description; once it is declared
};

/// Whether values of a type are tensors, arrays of them or pointers to either.
bool holdsTensors(const Module& module, Id type);

/// The tensors of a module, in order. Refuses tensors that buffers cannot replace.
std::vector<TensorVariable> findTensors(Code& code, Report& report);

/// Decides the bindings of the descriptions: the caller's, or those that follow the last binding of the set.
/// Refuses bindings that are taken, and tensors that cannot share a description.
void placeDescriptions(const Module& module, const TensorBufferOptions& options,
                       std::vector<TensorVariable>& tensors, Report& report);

/// Declares the missing parts of both buffers: their types, and the variables of the descriptions.
void declareBuffers(Code& code, std::vector<TensorVariable>& tensors);

/// Makes the tensor's variable a buffer of its elements. It keeps its id, and with it its name, decorations
/// and places in interfaces.
void becomeBuffer(Code& code, const TensorVariable& tensor);

}  // namespace coopc::spirv::lower
