// Reads the text of a call, and decides which replacements fit in its place.
#include "api/query/call_text.hpp"

namespace coopc {

namespace fe = frontend;

using fe::Tok;

bool CallText::readArguments() {
  const std::vector<fe::Token>& tokens = list_.tokens;
  first_ = list_.before(at_.begin);
  if (first_ + 1 >= tokens.size() || list_.begin(first_) != at_.begin || !fe::isName(tokens[first_]) ||
      tokens[first_ + 1].kind != Tok::LeftParen)
    return false;
  name_ = d_.nameText(tokens[first_].name());
  size_t depth = 0, begin = first_ + 2;
  for (last_ = first_ + 1; last_ < tokens.size(); ++last_) {
    const Tok kind = tokens[last_].kind;
    if (kind == Tok::Semicolon || kind == Tok::Hash) return false;  // `#`: directives among the arguments
    const bool ends = kind == Tok::RightParen && depth == 1;
    if ((ends || (kind == Tok::Comma && depth == 1)) && begin < last_) {
      arguments_.push_back({begin, last_, fe::kErrorType});
      begin = last_ + 1;
    }
    if (ends) break;
    if (isOpening(kind)) ++depth;
    if (isClosing(kind)) --depth;
  }
  if (last_ >= tokens.size()) return false;
  for (const fe::Observer::UnknownCall& call : d_.observer.unknownCalls) {
    if (!(d_.range(call.at, at_.end - at_.begin) == at_)) continue;
    for (size_t n = 0; n < call.arguments.size() && n < arguments_.size(); ++n)
      arguments_[n].type = call.arguments[n];
  }
  return true;
}

std::string CallText::written(size_t argument) const {
  const Argument& a = arguments_[argument];
  return std::string(text_.substr(list_.begin(a.first), list_.end(a.end - 1) - list_.begin(a.first)));
}
std::string CallText::operand(size_t argument) const {
  const Argument& a = arguments_[argument];
  size_t depth = 0;
  for (size_t i = a.first; i < a.end; ++i) {
    const Tok kind = list_.tokens[i].kind;
    if (isOpening(kind)) ++depth;
    if (isClosing(kind)) --depth;
    if (depth == 0 && (isOperator(kind) || kind == Tok::Question)) return "(" + written(argument) + ")";
  }
  return written(argument);
}

bool CallText::isRepeatable(size_t firstToken, size_t endToken) const {
  for (size_t i = firstToken; i < endToken; ++i) {
    const fe::Token& token = list_.tokens[i];
    if (isAssigning(token.kind)) return false;
    if (!fe::isName(token) || i + 1 >= endToken || list_.tokens[i + 1].kind != Tok::LeftParen) continue;
    const fe::NameInfo& name = d_.names()[token.name()];
    const bool declared = d_.mentionAt(at_.file, list_.begin(i)) != nullptr;
    const std::string_view text = name.text();
    if (declared || (name.builtinName == 0 && name.builtinType == 0) || text.starts_with("atomic") ||
        text.starts_with("imageAtomic"))
      return false;
  }
  return true;
}

bool CallText::isStatement() const {
  const Tok kind = before();
  return after() == Tok::Semicolon &&
         (kind == Tok::Semicolon || kind == Tok::LeftBrace || kind == Tok::RightBrace);
}
bool CallText::isOneStatement() const {
  const Tok kind = before();
  return isStatement() || (after() == Tok::Semicolon && (kind == Tok::RightParen || kind == Tok::KwElse));
}

// Whether no operator around the call binds its replacement.
bool CallText::standsAlone(Form form) const {
  if (form == Form::Operand || form == Form::Statement) return true;
  const Tok left = before(), right = after();
  const bool afterValue = first_ >= 2 && !isOperator(list_.tokens[first_ - 2].kind) &&
                          !isOpening(list_.tokens[first_ - 2].kind) &&
                          list_.tokens[first_ - 2].kind != Tok::Comma &&
                          list_.tokens[first_ - 2].kind != Tok::KwReturn;
  const bool added = form == Form::Product && (left == Tok::Plus || left == Tok::Dash) && afterValue;
  const bool isLeft = added || isOpening(left) || isAssigning(left) || left == Tok::Semicolon ||
                      left == Tok::RightBrace || left == Tok::Comma || left == Tok::Question ||
                      left == Tok::Colon || left == Tok::KwReturn;
  const bool isRight = (form == Form::Product && (right == Tok::Plus || right == Tok::Dash)) ||
                       isClosing(right) || right == Tok::Semicolon || right == Tok::Comma ||
                       right == Tok::Question || right == Tok::Colon;
  return isLeft && isRight;
}

void CallText::offer(const std::string& replacement, Form form, std::string_view said) {
  std::string title = "Replace by `" + replacement;
  if (form == Form::Statement) title += ';';
  title += '`';
  title += said;
  const std::string text = standsAlone(form) ? replacement : "(" + replacement + ")";
  fixes_.push_back({std::move(title), {{{at_.file, list_.begin(first_), list_.end(last_)}, text}}});
}

std::string CallText::constant(std::string_view value, size_t argument) const {
  const fe::TypeId of = type(argument);
  std::string text(value);
  if (!fe::isBasic(of)) return text;
  if (fe::basicScalar(of) == fe::Scalar::Float16) return "float16_t(" + text + ")";
  return fe::basicScalar(of) == fe::Scalar::Double ? text + "lf" : text;
}

std::string CallText::convertedTo(size_t argument, fe::Scalar from, const std::string& text) const {
  const fe::TypeId to = type(argument);
  if (!fe::isScalarType(to) || fe::basicScalar(to) == from) return text;
  return d_.typeText(to) + "(" + text + ")";
}

}  // namespace coopc
