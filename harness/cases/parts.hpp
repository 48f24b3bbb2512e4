// The parts of a case file that file.cpp leaves to other source files. `where` names the table in messages.
#pragma once

#include <cstdint>
#include <string>

#include "harness/cases/case.hpp"
#include "harness/cases/table.hpp"

namespace coopc::harness {

// --- memory.cpp
/// One member of a record or of the push constants. `end` is the end of the previous one, and is set to the
/// end of this one; `natural`: unless the file says otherwise, it is aligned to its size.
Field readField(const toml::table& table, const std::string& where, CaseReading& reading, uint64_t& end,
                bool natural);
BufferSpec readBuffer(const toml::table& table, const std::string& where, CaseReading& reading);
/// [[tensor]]: a buffer with a TensorShape.
BufferSpec readTensor(const toml::table& table, const std::string& where, CaseReading& reading);
CaseImage readImage(const toml::table& table, const std::string& where, CaseReading& reading);

// --- work.cpp
/// The keys of [[stage]] that [shader] does not have.
void readStage(TableReader& reader, ShaderSpec& shader);
/// [draw], [trace], [scene] and what belongs to them, for the shaders and buffers of `result`.
void readWork(TableReader& reader, Case& result, CaseReading& reading);

// --- variables.cpp
/// [variables]: integers and formulas over one another, in any order; `overrides` replace some.
void readVariables(const toml::table* table, const Overrides& overrides, CaseReading& reading);

}  // namespace coopc::harness
