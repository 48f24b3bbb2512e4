// For spirv/lower, until its files name spirv/cfg.hpp.
#pragma once

#include "spirv/cfg.hpp"
