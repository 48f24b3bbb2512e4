// Changes to modules that leave their meaning alone, or change it in a known way.
#pragma once

#include <cstdint>
#include <vector>

namespace coopc::tests::llama {

/// Takes the Unroll hint from all loops: it means nothing for what the module does.
void forgetUnrolling(std::vector<uint32_t>& words);

/// Decorates all additions, subtractions, multiplications, divisions and negations of floats NoContraction: the driver may not
/// fuse them.
void forbidContraction(std::vector<uint32_t>& words);

/// Takes away names, source text and lines.
void forgetNames(std::vector<uint32_t>& words);

/// Loads through decode functions for single elements instead of vectors, and does not declare
/// SPV_NV_cooperative_matrix_decode_vector: what llama.cpp does where a device lacks it. False where nothing was to do.
bool forgetVectorDecoding(std::vector<uint32_t>& words);

}  // namespace coopc::tests::llama
