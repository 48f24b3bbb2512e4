// The modules of one variant: compiled by coopc in this process, and by the reference compiler.
#pragma once

#include <string>

#include "harness/result.hpp"
#include "tests/llama/execution.hpp"
#include "tests/llama/variants.hpp"

namespace coopc::tests::llama {

/// Compiles by coopc. An error has its messages.
coopc::harness::Result<std::vector<uint32_t>> compiled(const Variant& variant, const ShaderFolder& folder,
                                                       coopc::Optimization level);

/// Compiles the variant by coopc with workgroups numbered in reverse. The results are the same, unless
/// workgroups write to each other's places. If a shader uses the invocation's number before it declares its
/// workgroup size, that number is not reversed.
coopc::harness::Result<std::vector<uint32_t>> compiledReversed(const Variant& variant,
                                                               const ShaderFolder& folder);

/// Compiles by `compiler`, a glslc, without optimization.
coopc::harness::Result<std::vector<uint32_t>> compiledByReference(const Variant& variant,
                                                                  const std::string& compiler);

/// All three modules. An error has the variant's name.
coopc::harness::Result<Modules> compiledByAll(const Variant& variant, const ShaderFolder& folder,
                                              const std::string& referenceCompiler);

}  // namespace coopc::tests::llama
