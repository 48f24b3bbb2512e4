// Changes to modules that preserve their meaning, or change it in a known way.
#pragma once

#include <cstdint>
#include <vector>

namespace coopc::tests::llama {

/// Removes the Unroll hint from all loops, which does not affect the module's meaning.
void forgetUnrolling(std::vector<uint32_t>& words);

/// Decorates all floating-point additions, subtractions, multiplications, divisions and negations with
/// NoContraction, so that the driver may not fuse them.
void forbidContraction(std::vector<uint32_t>& words);

/// Removes names, source text and lines.
void forgetNames(std::vector<uint32_t>& words);

/// Replaces decode functions for vectors by those for single elements, and removes
/// SPV_NV_cooperative_matrix_decode_vector, as llama.cpp does if a device lacks it. False if there was
/// nothing to do.
bool forgetVectorDecoding(std::vector<uint32_t>& words);

}  // namespace coopc::tests::llama
