// Formatting by clang-format, if it is installed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace coopc::ls {

/// The path of clang-format in the folders of PATH. If only versioned names exist, the newest one; "" if
/// there is none.
std::string findClangFormat();

struct FormatRequest {
  std::string path;  ///< of the document: its style comes from a file .clang-format in its folder or above
  uint32_t begin = 0, end = 0;
  uint32_t tabSize = 2;  ///< for documents without such a file
  bool insertSpaces = true;
};

/// Formats the text's bytes from `begin` to `end`, and stores the whole text in `out`. False, with the reason
/// in `out`.
bool clangFormat(const std::string& program, std::string_view text, const FormatRequest& request,
                 std::string& out);

}  // namespace coopc::ls
