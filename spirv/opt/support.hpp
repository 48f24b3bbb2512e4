// For spirv/lower, until its files name what they use of these.
#pragma once

#include "spirv/constant_pool.hpp"
#include "spirv/replacements.hpp"
#include "spirv/traits.hpp"
