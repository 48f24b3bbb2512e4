// Positions as the protocol counts them: lines from 0, and characters in units that client and server agree
// on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace coopc::ls {

/// The unit of character positions (LSP 3.17, PositionEncodingKind).
enum class Encoding : uint8_t { Utf8, Utf16, Utf32 };

/// "utf-8", "utf-16", "utf-32".
std::string_view encodingName(Encoding encoding);
/// The first of the client's encodings that the server supports; UTF-16 if the client names none, as the
/// protocol says.
Encoding chooseEncoding(const nlohmann::json& initializeParams);

/// A text's lines. It refers to the text, which must outlive it. For one thread.
class LineIndex {
 public:
  LineIndex(std::string_view text, Encoding encoding);

  /// The byte offset of a position. A position beyond the end of a line or of the text becomes that end.
  uint32_t offset(const nlohmann::json& position) const;
  /// The position of a byte offset, at most the text's size.
  nlohmann::json position(uint32_t offset) const;
  nlohmann::json range(uint32_t begin, uint32_t end) const;

 private:
  uint32_t units(std::string_view bytes) const;

  std::string_view text_;
  Encoding encoding_;
  std::vector<uint32_t> lines_;  ///< the offset at which each line begins
  /// The last answer. A later place in the same line is counted from it.
  struct Counted {
    uint32_t offset = 0, units = 0;
  };
  mutable Counted last_;
};

}  // namespace coopc::ls
