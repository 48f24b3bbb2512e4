// The modules of one variant: compiled by coopc in this process, and by the reference compiler.
#pragma once

#include <string>

#include "harness/result.hpp"
#include "tests/llama/execution.hpp"
#include "tests/llama/variants.hpp"

namespace coopc::tests::llama {

/// By coopc; an error has its messages.
coopc::harness::Result<std::vector<uint32_t>> compiled(const Variant& variant, const ShaderFolder& folder,
                                                       coopc::Optimization level);

/// The variant with workgroups numbered in reverse, compiled by coopc. It writes the same results, unless
/// workgroups write to each other's places. If a shader uses the invocation's number before it declares its
/// workgroup size, that number stays.
coopc::harness::Result<std::vector<uint32_t>> compiledReversed(const Variant& variant,
                                                               const ShaderFolder& folder);

/// Compiled by `compiler`, a glslc, without optimization.
coopc::harness::Result<std::vector<uint32_t>> compiledByReference(const Variant& variant,
                                                                  const std::string& compiler);

/// All three. An error has the variant's name.
coopc::harness::Result<Modules> compiledByAll(const Variant& variant, const ShaderFolder& folder,
                                              const std::string& referenceCompiler);

}  // namespace coopc::tests::llama
