// Whole files, read and written by plain system calls: no streams, nothing to initialize, and each failure with the system's
// reason. What coopc compiles is read by the library's FileCache instead, whose texts have the form that the lexer wants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace coopc::tool {

/// Reads a whole file ("-": the standard input) into `bytes`. "", or why it cannot be read ("No such file or directory").
/// Of a file with more than `limit` bytes `limit` + 1 are read, which tells the caller.
[[nodiscard]] std::string readWhole(const std::string& path, std::string& bytes, size_t limit = SIZE_MAX - 1);

/// Replaces a file ("-": writes to the standard output). "", or why that failed; the file may then hold a part.
[[nodiscard]] std::string writeWhole(const std::string& path, const void* data, size_t size);
[[nodiscard]] inline std::string writeWhole(const std::string& path, std::string_view text) {
  return writeWhole(path, text.data(), text.size());
}

}  // namespace coopc::tool
