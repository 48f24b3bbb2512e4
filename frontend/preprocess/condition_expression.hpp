// The expression of an #if or #elif: read, expanded and computed in one walk.
#pragma once

#include <string_view>

#include "frontend/preprocess/expander.hpp"

namespace coopc::frontend::preprocessing {

class ConditionExpression {
 public:
  ConditionExpression(Context& context, MacroTable& macros, Expander& expander)
      : c_(context), macros_(macros), expander_(expander) {}

  /// Whether the expression of directive `word` is true; false after a report.
  bool evaluate(std::string_view word, const Token& name);

 private:
  struct Value {
    uint64_t bits = 0;
    bool isUnsigned = false;
  };
  bool next();  ///< into token_, expanded
  bool readBinary(Value& value, int minimum, uint32_t depth);
  bool readUnary(Value& value, uint32_t depth);
  bool readDefined(Value& value);
  void reportUnexpected();

  Context& c_;
  MacroTable& macros_;
  Expander& expander_;
  Token token_;
  bool atEnd_ = false;
  uint32_t unevaluated_ = 0;
};

}  // namespace coopc::frontend::preprocessing
