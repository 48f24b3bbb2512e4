// The public interface's shared texts as the front end's: internal to api/.
#pragma once

#include "coopc/coopc.hpp"
#include "frontend/base/shared_text.hpp"

namespace coopc {

struct SharedTextAccess {
  static frontend::SharedText get(const SharedText& text) { return {text.chars_, text.size_, text.lexed_}; }
  /// `chars` is padded after `size` bytes.
  static SharedText make(std::shared_ptr<const char[]> chars, size_t size) {
    SharedText text;
    text.chars_ = std::move(chars);
    text.size_ = size;
    return text;
  }
  static void setLexed(SharedText& text, std::shared_ptr<const frontend::LexedText> lexed) {
    text.lexed_ = std::move(lexed);
  }
};

}  // namespace coopc
