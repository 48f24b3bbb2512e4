// Whole files, read and written with plain system calls, without streams or initialization. Failures have the
// system's reason. The sources that coopc compiles are read by the library's FileCache instead, whose texts
// have the form that the lexer needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace coopc::tool {

/// Reads a whole file ("-": the standard input) into `bytes`. Returns "", or why it cannot be read ("No such
/// file or directory"). From a file with more than `limit` bytes it reads `limit` + 1, so that the caller can
/// tell.
[[nodiscard]] std::string readWhole(const std::string& path, std::string& bytes, size_t limit = SIZE_MAX - 1);

/// Replaces a file ("-": writes to the standard output). Returns "", or why that failed; the file may then be
/// incomplete.
[[nodiscard]] std::string writeWhole(const std::string& path, const void* data, size_t size);
[[nodiscard]] inline std::string writeWhole(const std::string& path, std::string_view text) {
  return writeWhole(path, text.data(), text.size());
}

}  // namespace coopc::tool
