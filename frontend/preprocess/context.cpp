// The spelling of tokens.
#include "frontend/preprocess/context.hpp"

#include "frontend/language/keywords.hpp"

namespace coopc::frontend::preprocessing {

std::string Context::spelling(const Token& token) const {
  if (isName(token) || token.kind == kRawNumber || token.kind == kOtherChar)
    return std::string(names.text(token.name()));
  if (token.kind == Tok::StringLiteral) {
    std::string text = "\"";
    for (char c : names.text(token.name())) {
      switch (c) {
        case '\n': text += "\\n"; break;
        case '\t': text += "\\t"; break;
        case '\r': text += "\\r"; break;
        case '"': text += "\\\""; break;
        case '\\': text += "\\\\"; break;
        default:
          if (static_cast<unsigned char>(c) < 0x20) {
            text += '\\';
            for (int shift = 6; shift >= 0; shift -= 3) text += static_cast<char>('0' + ((c >> shift) & 7));
          } else {
            text += c;
          }
      }
    }
    return text + '"';
  }
  return std::string(tokenSpelling(token.kind));
}

}  // namespace coopc::frontend::preprocessing
