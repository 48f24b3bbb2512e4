// Part of the generator of the grammar's tables (generate.cpp).
#pragma once

#include <cstdio>

#include <nlohmann/json.hpp>

/// Writes the views of instructions.inc from the core grammar.
void writeInstructionViews(std::FILE* out, const nlohmann::json& core);
/// Writes the operands of a set of extended instructions, as the namespace `name`.
void writeExtendedFields(std::FILE* out, const nlohmann::json& core, const char* name,
                         const nlohmann::json& set);
