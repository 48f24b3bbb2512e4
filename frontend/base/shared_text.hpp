// A text that several compiles read without copying it.
#pragma once

#include <cstddef>
#include <memory>

namespace coopc::frontend {

class LexedText;

/// `size` bytes at `chars`, followed by kTextPadding NULs, so that scanners can look ahead without testing
/// for the end.
struct SharedText {
  std::shared_ptr<const char[]> chars;  ///< null: no text
  size_t size = 0;
  std::shared_ptr<const LexedText> lexed = nullptr;  ///< its tokens, if they have been made before
};
constexpr size_t kTextPadding = 8;

}  // namespace coopc::frontend
