// The arithmetic of sums: conversion of components to the type of the sums, and back.
#pragma once

#include <vector>

#include "spirv/lower/software_matrix/product.hpp"

namespace coopc::spirv::lower {

class SumArithmetic : public SoftwarePart {
 public:
  explicit SumArithmetic(const SoftwareContext& c) : SoftwarePart(c) {}

  Id toSum(const Product& p, const SoftwareLayout& l, bool isSigned, Id value, uint32_t size);
  Id fromSum(const Product& p, Id value, uint32_t size);
  Id addSaturating(const Product& p, Id sum, Id addend);
  std::vector<Id> joinInVectors(const Product& p, Id component, const std::vector<Id>& numbers);
  std::vector<Id> splitVectors(const Product& p, const std::vector<Id>& vectors, Id component, size_t count);
  Id dotProduct(const Product& p, Id a, Id b);
  Id addHalfProducts(const Product& p, Id a, Id b, Id sum);
  Id addProduct(const Product& p, Id a, Id b, Id sum);
};

}  // namespace coopc::spirv::lower
