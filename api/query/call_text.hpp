// The text of a call, for fixes that replace it or its arguments: the arguments with their types, what is
// around it, and where a replacement needs parentheses. Calls of HLSL's functions are in hlsl_calls.cpp, of
// its methods in hlsl_methods.cpp, arguments of wrong types in conversion_fixes.cpp.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/query/query.hpp"

namespace coopc {

class CallText {
 protected:
  using Tok = frontend::Tok;
  /// The kind of replacement, which decides where it needs parentheses.
  enum class Form : uint8_t { Operand, Product, Sum, Statement };
  struct Argument {
    size_t first, end;      ///< indices of tokens
    frontend::TypeId type;  ///< kErrorType: not known
  };

  /// `name`: the function's or method's name.
  CallText(const Query::Impl& d, const TextRange& name)
      : d_(d), list_(d.tokens(name.file)), text_(d.sources().text(name.file)), at_(name) {}

  /// `name ( arguments )`, with the types that the checker gave them.
  bool readArguments();

  std::string written(size_t argument) const;
  /// As an operand of an operator or of `.`.
  std::string operand(size_t argument) const;
  /// Whether the argument may be evaluated twice: it has no assignments, and calls only constructors and
  /// built-in functions without side effects.
  bool isRepeatable(size_t argument) const {
    return isRepeatable(arguments_[argument].first, arguments_[argument].end);
  }
  bool isRepeatable(size_t firstToken, size_t endToken) const;

  Tok before() const { return first_ == 0 ? Tok::Semicolon : list_.tokens[first_ - 1].kind; }
  Tok after() const { return last_ + 1 < list_.tokens.size() ? list_.tokens[last_ + 1].kind : Tok::End; }
  bool isStatement() const;
  /// The same for a replacement that is a single statement: it may also be the body of an `if` or a loop.
  bool isOneStatement() const;
  /// The call's text is replaced; `said` follows the title. A statement's last `;` is there already.
  void offer(const std::string& replacement, Form form = Form::Operand, std::string_view said = {});

  frontend::TypeId type(size_t argument) const { return arguments_[argument].type; }
  bool isKnown(size_t argument) const { return type(argument) != frontend::kErrorType; }
  bool isScalar(size_t argument) const { return frontend::isScalarType(type(argument)); }
  bool isVector(size_t argument) const { return frontend::isVectorType(type(argument)); }
  /// A constant of the component type of an argument.
  std::string constant(std::string_view value, size_t argument) const;
  /// `text`, of the scalar type `from`, as a value that may be assigned to the scalar argument: HLSL converts
  /// all numbers into each other, GLSL only some (4.1.10).
  std::string convertedTo(size_t argument, frontend::Scalar from, const std::string& text) const;

  const Query::Impl& d_;
  const FileTokens& list_;
  std::string_view text_;
  TextRange at_;  ///< the name
  std::string_view name_;
  size_t first_ = 0, last_ = 0;  ///< the first token of the call, and its closing bracket
  std::vector<Argument> arguments_;
  std::vector<Fix> fixes_;

 private:
  bool standsAlone(Form form) const;
};

}  // namespace coopc
