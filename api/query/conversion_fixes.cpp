// Fixes for values of a wrong type, which GLSL converts only in some cases (4.1.10): a constructor converts
// them (5.4), a swizzle takes components, a condition is a comparison, or the declaration gets the value's
// type.
#include <algorithm>

#include "api/query/call_text.hpp"
#include "frontend/check/expressions.hpp"
#include "frontend/language/builtins/names.hpp"

namespace coopc {

namespace fe = frontend;

namespace {

using fe::Scalar;
using fe::TypeId;

class Conversion : CallText {
 public:
  Conversion(const Query::Impl& d, const fe::Diagnostic& from, const TextRange& at)
      : CallText(d, at), from_(from), token_(list_.before(at.begin)) {}

  std::vector<Fix> run() {
    if (token_ >= list_.tokens.size()) return {};
    switch (from_.kind.number) {
      case fe::DiagNumber::NoImplicitConversion: mendValue(); break;
      case fe::DiagNumber::CompoundResult: mendCompound(); break;
      case fe::DiagNumber::NoMatchingFunction: mendArguments(); break;
      case fe::DiagNumber::ConditionType: mendCondition(); break;
      case fe::DiagNumber::LogicalNotOperand: mendNot(); break;
      case fe::DiagNumber::NoCommonType: mendOperand(); break;
      case fe::DiagNumber::SelectTypes: mendChoice(); break;
      case fe::DiagNumber::LogicalOperands: mendLogical(); break;
      case fe::DiagNumber::IntegerOperands: mendModulo(); break;
      case fe::DiagNumber::ConstantIntegerType: mendInteger(argument(1)); break;
      case fe::DiagNumber::IndexType:
      case fe::DiagNumber::SwitchSelector: mendInteger(argument(0)); break;
      default: break;
    }
    if (isAsked_)
      fixes_.erase(std::remove_if(fixes_.begin(), fixes_.end(), [&](const Fix& fix) { return !mends(fix); }),
                   fixes_.end());
    return std::move(fixes_);
  }

 private:
  // Whether the text has fewer errors with the fix.
  bool mends(const Fix& fix) const {
    constexpr uint32_t kMostErrors = 8;  // each question is a compile
    if (d_.result.errorCount > kMostErrors) return false;
    std::string text(d_.mainText);
    for (size_t n = fix.edits.size(); n-- > 0;) {
      if (fix.edits[n].at.file != d_.main) return false;
      text.replace(fix.edits[n].at.begin, fix.edits[n].at.end - fix.edits[n].at.begin, fix.edits[n].text);
    }
    return Query(text, d_.mainName, d_.options).result().errorCount < d_.result.errorCount;
  }

  // An expression: its first token and its last.
  struct Span {
    size_t first, last;
  };

  std::string_view argument(size_t n) const {
    return n < from_.arguments.size() ? std::string_view(from_.arguments[n]) : std::string_view();
  }
  Tok kind(size_t token) const { return token < list_.tokens.size() ? list_.tokens[token].kind : Tok::End; }
  std::string textOf(const Span& s) const {
    return std::string(text_.substr(list_.begin(s.first), list_.end(s.last) - list_.begin(s.first)));
  }
  void replace(const Span& s, const std::string& with) {
    fixes_.push_back(
        {"Replace by `" + with + "`", {{{at_.file, list_.begin(s.first), list_.end(s.last)}, with}}});
  }

  // Types of 8 and 16 bits may be restricted to storage (GL_EXT_shader_8bit_storage,
  // GL_EXT_shader_16bit_storage), and then convert to few other types.
  void noteSize(TypeId type) {
    isAsked_ = isAsked_ || (fe::isBasic(type) && fe::scalarBits(fe::basicScalar(type)) < 32);
  }
  // The basic type with this name; kErrorType for other names, and for types that constructors do not
  // convert.
  TypeId typeNamed(std::string_view name) {
    const fe::NameInfo& info = d_.session->names[d_.session->names.intern(name)];
    if (info.builtinType == 0) return fe::kErrorType;
    const TypeId type = fe::builtinTypeName(static_cast<uint16_t>(info.builtinType - 1)).basic;
    noteSize(type);
    // Constructors convert numbers of all types but the smallest floats.
    return type != fe::kErrorType && fe::basicScalar(type) < Scalar::BFloat16 ? type : fe::kErrorType;
  }

  // --- The extent of an expression

  static bool assignsValue(Tok kind) { return isAssigning(kind) && kind != Tok::IncOp && kind != Tok::DecOp; }
  static bool isBoundary(Tok kind) {
    return kind == Tok::Comma || kind == Tok::Semicolon || kind == Tok::LeftBrace ||
           kind == Tok::RightBrace || assignsValue(kind);
  }
  // Whether an assignment is the value of another one, whose type the message is about.
  bool isAssignedTo(size_t assignment) const {
    size_t at = assignment;
    while (at > 0 && !isBoundary(kind(at - 1)) && !isOpening(kind(at - 1))) {
      const size_t open = isClosing(kind(at - 1)) ? partner(at - 1) : at - 1;
      if (open == at) return true;  // a bracket without its partner
      at = open;
    }
    return at > 0 && assignsValue(kind(at - 1));
  }
  // The bracket that matches the one at `token`; `token` itself if there is none.
  size_t partner(size_t token) const {
    const bool forward = isOpening(kind(token));
    size_t depth = 0;
    for (size_t at = token; at < list_.tokens.size(); forward ? ++at : --at) {
      if (isOpening(kind(at))) depth += forward ? 1 : size_t(-1);
      if (isClosing(kind(at))) depth += forward ? size_t(-1) : 1;
      if (depth == 0) return at;
      if (at == 0 || kind(at) == Tok::Semicolon) break;
    }
    return token;
  }
  // Extends an expression to the right. False if it has no end, or if it assigns a value itself.
  bool extendRight(Span& s, bool choice) const {
    size_t questions = 0;
    for (size_t at = s.first; at < list_.tokens.size(); ++at) {
      const Tok k = kind(at);
      if (k == Tok::Hash) return false;  // directives within the expression
      if (isBoundary(k) || isClosing(k) || (k == Tok::Question && !choice))
        return at > s.last && !assignsValue(k);
      if (k == Tok::Colon && questions == 0) return at > s.last;
      if (k == Tok::Colon) --questions;
      if (k == Tok::Question) ++questions;
      if (isOpening(k)) {
        const size_t close = partner(at);
        if (close == at) return false;
        at = close;
      }
      s.last = std::max(s.last, at);
    }
    return false;
  }
  // The whole expression around an operator, a name or a number, up to the first tokens that cannot be part
  // of an expression without commas and assignments. `choice`: it may be a `?:`; if false, it may only be an
  // operand of one.
  bool findSpan(size_t token, Span& s, bool choice = true) const {
    if (kind(token) == Tok::Comma) return false;  // a sequence, whose value is the last one's
    s = {token, token};
    while (s.first > 0) {
      const Tok k = kind(s.first - 1);
      if (isBoundary(k) || isOpening(k) || k == Tok::KwReturn || k == Tok::KwCase || k == Tok::Hash) break;
      if (!choice && (k == Tok::Question || k == Tok::Colon)) break;
      if (isClosing(k)) {
        const size_t open = partner(s.first - 1);
        if (open == s.first - 1) return false;
        s.first = open;
      } else {
        --s.first;
      }
    }
    if (!extendRight(s, choice)) return false;
    widen(s);
    return true;
  }
  // Adds the parentheses around the expression to the span. Those of a call or a statement stay outside.
  void widen(Span& s) const {
    while (s.first > 1 && kind(s.first - 1) == Tok::LeftParen && kind(s.last + 1) == Tok::RightParen) {
      const fe::Token& before = list_.tokens[s.first - 2];
      if (fe::isName(before) || isClosing(before.kind)) return;
      --s.first;
      ++s.last;
    }
  }
  // A name, a number or a closing bracket, after which `-` subtracts.
  bool isValueEnd(size_t token) const {
    return fe::isName(list_.tokens[token]) || fe::isNumberLiteral(kind(token)) || isClosing(kind(token));
  }
  bool isBracketed(const Span& s) const {
    return kind(s.first) == Tok::LeftParen && s.last > s.first && partner(s.first) == s.last;
  }
  bool hasComma(const Span& s) const {
    size_t depth = 0;
    for (size_t at = s.first; at <= s.last; ++at) {
      if (isOpening(kind(at))) ++depth;
      if (isClosing(kind(at))) --depth;
      if (kind(at) == Tok::Comma && depth <= 1) return true;
    }
    return false;
  }
  // As an operand of an operator.
  std::string operandOf(const Span& s) const {
    size_t depth = 0;
    for (size_t at = s.first; at <= s.last; ++at) {
      if (isOpening(kind(at))) ++depth;
      if (isClosing(kind(at))) --depth;
      if (depth == 0 && (isOperator(kind(at)) || kind(at) == Tok::Question)) return "(" + textOf(s) + ")";
    }
    return textOf(s);
  }

  // The operand of a unary operator, or the start of a binary one's: a name, a number, a call or parentheses,
  // with indices and members.
  bool findOperandAfter(size_t token, Span& s) const {
    s = {token + 1, token + 1};
    if (kind(s.first) == Tok::Dash) ++s.last;
    if (kind(s.last) == Tok::LeftParen) {
      s.last = partner(s.last);
      if (isOpening(kind(s.last))) return false;
    } else if (s.last >= list_.tokens.size() ||
               (!fe::isName(list_.tokens[s.last]) && !fe::isNumberLiteral(kind(s.last)))) {
      return false;
    }
    for (;;) {
      const Tok next = kind(s.last + 1);
      if (next == Tok::LeftParen || next == Tok::LeftBracket) {
        const size_t close = partner(s.last + 1);
        if (close == s.last + 1) return false;
        s.last = close;
      } else if (next == Tok::Dot) {
        s.last += 2;
      } else {
        return s.last < list_.tokens.size();
      }
    }
  }
  // The same before a binary operator; calls are left out.
  bool findOperandBefore(size_t token, Span& s) const {
    if (token == 0) return false;
    s = {token - 1, token - 1};
    if (fe::isNumberLiteral(kind(s.first))) return true;
    if (kind(s.first) == Tok::RightParen) {
      s.first = partner(s.first);
      return s.first != s.last && s.first > 0 && !fe::isName(list_.tokens[s.first - 1]);
    }
    for (;;) {
      if (kind(s.first) == Tok::RightBracket) {
        const size_t open = partner(s.first);
        if (open == s.first || open == 0) return false;
        s.first = open - 1;
        continue;
      }
      if (!fe::isName(list_.tokens[s.first])) return false;
      if (s.first < 2 || kind(s.first - 1) != Tok::Dot) return true;
      s.first -= 2;
    }
  }

  // --- The value converted

  std::string construct(std::string_view type, const Span& s) const {
    const bool has = isBracketed(s) && !hasComma(s);
    return std::string(type) + (has ? textOf(s) : "(" + textOf(s) + ")");
  }
  // The expression as a value of the type; "": neither a constructor nor a swizzle makes one.
  std::string convert(const Span& s, TypeId from, TypeId to) const {
    if (from == fe::kErrorType || to == fe::kErrorType) return {};
    const std::string type = d_.typeText(to);
    const bool same = fe::basicScalar(from) == fe::basicScalar(to);
    if (fe::isMatrixType(from) || fe::isMatrixType(to)) {
      const bool fits = fe::isMatrixType(from) && fe::isMatrixType(to) &&
                        fe::basicColumns(to) <= fe::basicColumns(from) &&
                        fe::basicRows(to) <= fe::basicRows(from);
      return fits ? construct(type, s) : std::string();
    }
    const uint32_t has = fe::basicRows(from), wants = fe::basicRows(to);
    // `1` is written `1.0` where nothing converts it.
    if (has == 1 && wants == 1 && fe::basicScalar(to) == Scalar::Float && isPlainNumber(s))
      return textOf(s) + ".0";
    if (has > wants && same) return operandOf(s) + "." + std::string("xyzw").substr(0, wants);
    return has >= wants || has == 1 ? construct(type, s) : std::string();
  }
  bool isPlainNumber(const Span& s) const {
    const size_t number = s.first + (kind(s.first) == Tok::Dash ? 1 : 0);
    const std::string digits = textOf({s.last, s.last});
    return number == s.last && kind(number) == Tok::IntLiteral && (digits == "0" || digits[0] != '0') &&
           std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  }

  void mendValue() {
    const TypeId from = typeNamed(argument(1)), to = typeNamed(argument(2));
    Span s{token_ + 1, token_ + 1};
    const bool assigned = kind(token_) == Tok::Equal;
    if (assigned && isAssignedTo(token_)) return;
    if (!(assigned ? extendRight(s, true) : findSpan(token_, s))) return;
    const std::string value = convert(s, from, to);
    if (!value.empty()) replace(s, value);
    if (from == fe::kErrorType || assigned) return;
    declareWithType(s);
    returnType(s);
  }

  // `int i = 1.5;` becomes `float i = 1.5;` if the declaration declares nothing else.
  void declareWithType(const Span& s) {
    if (s.first < 3 || kind(s.first - 1) != Tok::Equal || kind(s.last + 1) != Tok::Semicolon ||
        kind(s.first - 2) != Tok::Identifier || textOf({s.first - 3, s.first - 3}) != argument(2))
      return;
    const std::string type(argument(1));
    fixes_.push_back({"Declare it as `" + type + "`",
                      {{{at_.file, list_.begin(s.first - 3), list_.end(s.first - 3)}, type}}});
  }
  // The function returns the value's type, if it is declared once.
  void returnType(const Span& s) {
    if (s.first == 0 || kind(s.first - 1) != Tok::KwReturn) return;
    for (const Query::Impl::Definition& f : d_.definitions()) {
      if (f.whole.file != at_.file || f.whole.begin > at_.begin || at_.begin >= f.whole.end) continue;
      const size_t name = list_.before(f.name.begin);
      if (name == 0 || name >= list_.tokens.size() || textOf({name - 1, name - 1}) != argument(2) ||
          d_.declarationsOfFunction(f.function.index()).size() != 1)
        return;
      const std::string type(argument(1));
      fixes_.push_back(
          {"Return `" + type + "`", {{{at_.file, list_.begin(name - 1), list_.end(name - 1)}, type}}});
      return;
    }
  }

  // `i *= 1.5` is `i = int(i * 1.5)`, if reading the left operand twice changes nothing.
  void mendCompound() {
    const TypeId result = typeNamed(argument(1)), left = typeNamed(argument(2));
    if (result == fe::kErrorType || left == fe::kErrorType || fe::basicRows(result) != fe::basicRows(left) ||
        fe::basicColumns(result) != fe::basicColumns(left) || token_ == 0)
      return;
    Span to, value{token_ + 1, token_ + 1};
    if (!findOperandBefore(token_, to) || isBracketed(to)) return;
    if (!extendRight(value, true) || !isRepeatable(to.first, to.last + 1)) return;
    std::string op = textOf({token_, token_});
    op.pop_back();
    const std::string target = textOf(to);
    replace({to.first, value.last},
            target + " = " + d_.typeText(left) + "(" + target + " " + op + " " + operandOf(value) + ")");
  }

  // `f % 2.0` is `mod(f, 2.0)`, and `f %= 2.0` is `f = mod(f, 2.0)`: the operators are for integers (5.9).
  void mendModulo() {
    const bool assigns = kind(token_) == Tok::ModAssign;
    Span left, right{token_ + 1, token_ + 1};
    if ((kind(token_) != Tok::Percent && !assigns) || !findOperandBefore(token_, left)) return;
    if (!(assigns ? extendRight(right, true) : findOperandAfter(token_, right))) return;
    if (assigns && (isBracketed(left) || !isRepeatable(left.first, left.last + 1))) return;
    // In `a * b % c`, the left operand is `a * b`; in `-a % b`, it is `-a`.
    const Tok before = left.first > 0 ? kind(left.first - 1) : Tok::End;
    const bool minus = before == Tok::Dash && left.first > 1 && isValueEnd(left.first - 2);
    if (!assigns && isOperator(before) && before != Tok::Plus && !minus && !isAssigning(before)) return;
    const std::string value = "mod(" + textOf(left) + ", " + textOf(right) + ")";
    isAsked_ = true;
    replace({left.first, right.last}, assigns ? textOf(left) + " = " + value : value);
  }

  // Converts an index, a selector, a label or a size to an integer.
  void mendInteger(std::string_view type) {
    const TypeId from = typeNamed(type);
    if (from == fe::kErrorType || !fe::isScalarType(from)) return;
    Span s{token_ + 2, token_ + 2};  // after `switch (`
    if (kind(token_) == Tok::KwSwitch ? extendRight(s, true) : findSpan(token_, s))
      replace(s, construct("int", s));
  }

  // A scalar as a condition; "": the type is another one, or a condition already.
  std::string compare(const Span& s, TypeId type) const {
    if (type == fe::kErrorType || !fe::isScalarType(type)) return {};
    switch (fe::basicScalar(type)) {
      case Scalar::Bool: return {};
      case Scalar::Int: return operandOf(s) + " != 0";
      case Scalar::Uint: return operandOf(s) + " != 0u";
      case Scalar::Float:
      case Scalar::Double: return operandOf(s) + " != 0.0";
      default: return construct("bool", s);
    }
  }
  void mendCondition() {
    Span s;
    if (!findSpan(token_, s, false)) return;
    const std::string condition = compare(s, typeNamed(argument(0)));
    if (!condition.empty()) replace(s, condition);
  }
  void mendNot() {
    Span s;
    if (!findOperandAfter(token_, s)) return;
    if (kind(s.last + 1) == Tok::IncOp || kind(s.last + 1) == Tok::DecOp) return;
    const std::string condition = compare(s, typeNamed(argument(0)));
    if (!condition.empty()) replace(s, "(" + condition + ")");
  }
  // Compares operands of `&&`, `||` and `^^` with 0 if they are numbers.
  void mendLogical() {
    const auto ends = [](Tok k) {
      return k == Tok::AndAnd || k == Tok::OrOr || k == Tok::XorXor || k == Tok::Question || k == Tok::Colon;
    };
    Span whole;
    if (!findSpan(token_, whole)) return;
    isAsked_ = whole.first > 0 && assignsValue(kind(whole.first - 1));  // `if (j = 2 && b)` has another error
    Span left{token_ - 1, token_ - 1}, right{token_ + 1, token_ + 1};
    while (left.first > whole.first && !ends(kind(left.first - 1))) {
      if (isClosing(kind(left.first))) left.first = partner(left.first);
      if (left.first > whole.first && !ends(kind(left.first - 1))) --left.first;
    }
    while (right.last < whole.last && !ends(kind(right.last + 1))) {
      if (isOpening(kind(right.last))) right.last = partner(right.last);
      if (right.last < whole.last && !ends(kind(right.last + 1))) ++right.last;
    }
    if (isOpening(kind(right.last))) right.last = partner(right.last);
    if (isClosing(kind(left.first))) left.first = partner(left.first);
    Fix fix;
    const std::pair<Span, size_t> operands[] = {{left, 1}, {right, 2}};
    for (const auto& [operand, n] : operands) {
      const std::string condition = compare(operand, typeNamed(argument(n)));
      if (condition.empty()) {
        if (argument(n) != "bool") return;
        continue;
      }
      fix.title += (fix.title.empty() ? "Replace by `" : ", `") + condition + "`";
      fix.edits.push_back({{at_.file, list_.begin(operand.first), list_.end(operand.last)}, condition});
    }
    if (!fix.edits.empty()) fixes_.push_back(std::move(fix));
  }

  // --- Numbers of ESSL

  // An integer as the other operand's kind of float; "" if it is not an integer, or the other is not a float.
  std::string asFloat(const Span& s, TypeId from, TypeId other) const {
    if (from == fe::kErrorType || other == fe::kErrorType || fe::isMatrixType(from) ||
        !fe::isIntScalar(fe::basicScalar(from)) || !fe::isFloatScalar(fe::basicScalar(other)))
      return {};
    return convert(s, from, fe::basicType(fe::basicScalar(other), fe::basicRows(from)));
  }
  // `f * 2`, `f * i`. In `f + i * 2` the operand is `i * 2`: the fix is kept only if fewer errors are left.
  void mendOperand() {
    const TypeId left = typeNamed(argument(1)), right = typeNamed(argument(2));
    Span s;
    std::string value;
    if (findOperandAfter(token_, s)) value = asFloat(s, right, left);
    if (value.empty() && findOperandBefore(token_, s)) value = asFloat(s, left, right);
    if (value.empty()) return;
    // `2` in `f + 2 + 3` is one of two errors. In `f + 2 * i` and `1 + 2 + f` it is a part of an operand.
    const auto binds = [&](Tok k) { return k == Tok::Star || k == Tok::Slash || k == Tok::Percent; };
    const bool whole = s.first > token_ ? binds(kind(token_)) || !binds(kind(s.last + 1))
                                        : s.first == 0 || !isOperator(kind(s.first - 1));
    isAsked_ = !isPlainNumber(s) || !whole;
    replace(s, value);
  }
  void mendChoice() {
    const TypeId first = typeNamed(argument(0)), second = typeNamed(argument(1));
    isAsked_ = true;
    Span s;
    if (!findOperandAfter(token_, s)) return;
    std::string value = asFloat(s, first, second);
    if (value.empty() && kind(s.last + 1) == Tok::Colon && findOperandAfter(s.last + 1, s))
      value = asFloat(s, second, first);
    if (!value.empty()) replace(s, value);
  }
  // Converts the integers among the arguments of a built-in function.
  void mendBuiltinArguments() {
    Fix fix;
    isAsked_ = true;
    for (size_t n = 0; n < arguments_.size(); ++n) {
      if (!isKnown(n) || !fe::isBasic(type(n)) || fe::basicScalar(type(n)) >= Scalar::BFloat16) continue;
      const Span s{arguments_[n].first, arguments_[n].end - 1};
      const std::string value = asFloat(s, type(n), fe::basicType(Scalar::Float));
      if (value.empty()) continue;
      fix.title += (fix.title.empty() ? "Replace by `" : ", `") + value + "`";
      fix.edits.push_back({{at_.file, list_.begin(s.first), list_.end(s.last)}, value});
    }
    if (!fix.edits.empty()) fixes_.push_back(std::move(fix));
  }

  // --- Arguments

  // Converts arguments to the parameter types of a function, if no other function has as many parameters.
  void mendArguments() {
    if (!readArguments()) return;
    const fe::Function* called = nullptr;
    for (const fe::Function& f : d_.program.functions) {
      if (f.name != list_.tokens[first_].name() || f.params.size() != arguments_.size()) continue;
      if (called != nullptr) return;
      called = &f;
    }
    if (called == nullptr) return mendBuiltinArguments();
    fe::CompileOptions options = d_.session->options;
    options.observer = nullptr;
    fe::Diagnostics ignored(d_.sources());
    fe::Program scratch;
    fe::Checker c(options, ignored, d_.session->names, scratch);
    d_.setAvailability(c, at_.file, at_.begin);
    Fix fix;
    for (size_t n = 0; n < arguments_.size(); ++n) {
      const fe::Variable& parameter = d_.program.variables[called->params[n]];
      const TypeId from = type(n);
      if (from == parameter.type) continue;
      noteSize(from);
      noteSize(parameter.type);
      if (!isKnown(n) || !fe::isBasic(from) || !fe::isBasic(parameter.type) ||
          parameter.direction == fe::Direction::Out || parameter.direction == fe::Direction::InOut)
        return;
      if (fe::implicitlyConverts(c, from, parameter.type)) continue;
      const Span s{arguments_[n].first, arguments_[n].end - 1};
      const std::string value = convert(s, from, parameter.type);
      if (value.empty()) return;
      fix.title += (fix.title.empty() ? "Replace by `" : ", `") + value + "`";
      fix.edits.push_back({{at_.file, list_.begin(s.first), list_.end(s.last)}, value});
    }
    if (!fix.edits.empty()) fixes_.push_back(std::move(fix));
  }

  const fe::Diagnostic& from_;
  size_t token_;          // the token at the place
  bool isAsked_ = false;  // a fix is tried on the text before it is offered
};

}  // namespace

std::vector<Fix> conversionFixes(const Query::Impl& d, size_t diagnostic, const TextRange& at) {
  return Conversion(d, d.session->diagnostics.all()[diagnostic], at).run();
}

}  // namespace coopc
