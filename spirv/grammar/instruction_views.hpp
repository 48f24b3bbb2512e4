// Part of the generator of the grammar's tables (generate.cpp).
#pragma once

#include <cstdio>

#include <nlohmann/json.hpp>

/// Writes instructions.inc from the core grammar.
void writeInstructionViews(std::FILE* out, const nlohmann::json& core);
